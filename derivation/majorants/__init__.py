"""Truncated majorant series over a coefficient ring (M0-M6)."""
