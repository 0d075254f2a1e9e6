"""The published leading factor against the Schatten and envelope ones (D1-D3, theory 4.4)."""

from majorant.derivation.comparison.envelope_factor import D3 as D3
from majorant.derivation.comparison.envelope_factor import (
    envelope_contribution as envelope_contribution,
)
from majorant.derivation.comparison.envelope_factor import envelope_factor as envelope_factor
from majorant.derivation.comparison.geometric_mean import D1 as D1
from majorant.derivation.comparison.geometric_mean import D2 as D2
from majorant.derivation.comparison.geometric_mean import (
    published_over_schatten as published_over_schatten,
)
from majorant.derivation.comparison.schatten_factor import published_factor as published_factor
from majorant.derivation.comparison.schatten_factor import (
    schatten_contribution as schatten_contribution,
)
from majorant.derivation.comparison.schatten_factor import schatten_factor as schatten_factor
