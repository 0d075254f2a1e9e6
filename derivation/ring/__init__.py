"""Coefficient rings: the few operations that every formula of a network needs."""

from majorant.derivation.ring.evaluation import evaluate as evaluate
from majorant.derivation.ring.exact import ExactRing as ExactRing
from majorant.derivation.ring.plain import PlainRing as PlainRing
from majorant.derivation.ring.protocol import Ring as Ring
from majorant.derivation.ring.protocol import power as power
from majorant.derivation.ring.protocol import product as product
from majorant.derivation.ring.protocol import total as total
