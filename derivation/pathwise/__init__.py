"""Guarantees from one trajectory of a contracting Markov chain (docs/theory, chapter 6)."""

from majorant.derivation.pathwise.bias import P1 as P1
from majorant.derivation.pathwise.concentration import P2 as P2
from majorant.derivation.pathwise.correlation import P3_CORRELATION as P3_CORRELATION
from majorant.derivation.pathwise.correlation import correlation_bound as correlation_bound
from majorant.derivation.pathwise.couplings import COUPLINGS as COUPLINGS
from majorant.derivation.pathwise.expected_supremum import P3 as P3
from majorant.derivation.pathwise.expected_supremum import smoothness_radius as smoothness_radius
from majorant.derivation.pathwise.guarantee import P4 as P4
from majorant.derivation.pathwise.lattice import P3_LATTICE as P3_LATTICE
from majorant.derivation.pathwise.lattice import lattice_counts as lattice_counts
from majorant.derivation.pathwise.weight_chaining import P5 as P5
from majorant.derivation.pathwise.weight_chaining import P5_INTERNAL as P5_INTERNAL
from majorant.derivation.pathwise.weight_chaining import weight_chaining as weight_chaining
