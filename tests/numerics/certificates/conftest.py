"""The small problems of the checker's tests serve here too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "proofs" / "checker"))
