"""Certified suprema of activation derivatives (F1-F3)."""
