"""Networks that the demonstrations train, written as the theory's families."""

from majorant.experiments.networks.normalized import NormalizedNetwork as NormalizedNetwork
from majorant.experiments.networks.normalized import project_rows as project_rows
