"""Certified suprema of activation derivatives (F1-F3)."""

from majorant.numerics.activations.functions import ACTIVATIONS as ACTIVATIONS
from majorant.numerics.activations.supremum import CertifiedSupremum as CertifiedSupremum
from majorant.numerics.activations.supremum import certified_supremum as certified_supremum
