"""Deciding claims: a portfolio of provers and a falsifier that runs beside them."""

from majorant.proofs.provers.portfolio import decide

__all__ = ["decide"]
