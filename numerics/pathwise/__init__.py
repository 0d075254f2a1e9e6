"""Numbers of the one-trajectory guarantee: chains, cut-offs, lattice sums, enclosures."""

from majorant.numerics.pathwise.chain import Chain as Chain
from majorant.numerics.pathwise.chain import parse_chain as parse_chain
from majorant.numerics.pathwise.cutoff import cutoff_derivatives as cutoff_derivatives
from majorant.numerics.pathwise.smooth_class import ExpectedSupremum as ExpectedSupremum
from majorant.numerics.pathwise.smooth_class import smooth_supremum as smooth_supremum
