"""Deciding claims: a portfolio of provers and a falsifier that runs beside them."""
