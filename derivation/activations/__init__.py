"""Facts about activations: certified suprema of their derivatives (F1-F3)."""

from majorant.derivation.activations.facts import ActivationFacts as ActivationFacts
from majorant.derivation.activations.facts import activation_table as activation_table
from majorant.derivation.activations.slopes import slope_bound as slope_bound
