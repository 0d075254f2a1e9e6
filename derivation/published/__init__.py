"""The published spectrum-adaptive and norm-based proxies (docs/theory, chapter 4)."""

from majorant.derivation.published.alpha import alpha_after as alpha_after
from majorant.derivation.published.alpha import block_lipschitz as block_lipschitz
from majorant.derivation.published.contribution import (
    published_contribution as published_contribution,
)
from majorant.derivation.published.contribution import schatten_quantity as schatten_quantity
from majorant.derivation.published.grid import grid_index as grid_index
from majorant.derivation.published.grid import grid_resolution as grid_resolution
from majorant.derivation.published.head_constant import head_constant as head_constant
from majorant.derivation.published.norm_proxy import norm_proxy as norm_proxy
from majorant.derivation.published.sensitivity import published_sensitivity as published_sensitivity
from majorant.derivation.published.spectrum_proxy import spectrum_proxy as spectrum_proxy
