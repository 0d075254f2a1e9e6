"""Bounds on all derivatives of a network, as numbers."""

from majorant.numerics.derivatives.bounds import derivatives as derivatives
