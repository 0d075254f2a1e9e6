"""Choices made after seeing the weights, and what they cost (U1-U4, docs/theory 3.1)."""

from majorant.derivation.union_bound.geometric_grid import U3 as U3
from majorant.derivation.union_bound.geometric_grid import geometric_price as geometric_price
from majorant.derivation.union_bound.geometric_grid import geometric_value as geometric_value
from majorant.derivation.union_bound.geometric_grid import geometric_weight as geometric_weight
from majorant.derivation.union_bound.index_grid import U1 as U1
from majorant.derivation.union_bound.index_grid import U2 as U2
from majorant.derivation.union_bound.index_grid import U2_PUBLISHED as U2_PUBLISHED
from majorant.derivation.union_bound.index_grid import UNION as UNION
from majorant.derivation.union_bound.index_grid import index_loss as index_loss
from majorant.derivation.union_bound.index_grid import index_price as index_price
from majorant.derivation.union_bound.index_grid import published_index_loss as published_index_loss
from majorant.derivation.union_bound.staircase_price import U4 as U4
from majorant.derivation.union_bound.staircase_price import descent_price as descent_price
from majorant.derivation.union_bound.staircase_price import rank_price as rank_price
from majorant.derivation.union_bound.staircase_price import staircase_price as staircase_price
