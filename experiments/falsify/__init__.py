"""Try to falsify the bounds: measured gap against every bound, over many overfitted networks."""

from majorant.experiments.falsify.run import run_falsify as run_falsify
