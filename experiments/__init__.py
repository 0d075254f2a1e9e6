"""Demonstrations: train, certify, compare with test error."""
