"""How tight the derivative bounds are: what gradient ascent finds below them."""

from majorant.experiments.derivatives.cumulants import largest_cumulant as largest_cumulant
from majorant.experiments.derivatives.tightness import largest_derivative as largest_derivative
from majorant.experiments.derivatives.tightness import tightness as tightness
