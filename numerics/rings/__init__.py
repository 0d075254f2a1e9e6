"""Coefficient rings with numbers: balls, logarithms of floats, logarithms of tensors."""

from majorant.numerics.rings.balls import BallRing as BallRing
from majorant.numerics.rings.log_floats import LogFloatRing as LogFloatRing
