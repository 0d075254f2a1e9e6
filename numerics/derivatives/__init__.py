"""Bounds on all derivatives of a network, as numbers."""
