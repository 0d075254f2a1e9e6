"""How large a deviation gradient ascent finds along one trajectory, against the guarantee."""

from majorant.experiments.pathwise.deviation import Deviation as Deviation
from majorant.experiments.pathwise.deviation import largest_deviation as largest_deviation
from majorant.experiments.pathwise.deviation import simulate as simulate
from majorant.experiments.pathwise.run import run_pathwise as run_pathwise
