"""Attention heads: Lipschitz constants, sensitivities and all derivatives (A1-A4)."""

from majorant.derivation.attention.head_lipschitz import HEAD_CRUDE as HEAD_CRUDE
from majorant.derivation.attention.head_lipschitz import HEAD_SERIES as HEAD_SERIES
from majorant.derivation.attention.head_lipschitz import HEAD_SHARP as HEAD_SHARP
