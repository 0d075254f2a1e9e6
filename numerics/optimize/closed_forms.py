"""Logarithms of the terms of the closed-form theorems, lowered from their expressions.

A theorem's bound is a sum of one term per parameter; the search needs each term as a function of
the parameter's share of the accuracy, in the log domain, for all matrices and indices at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy as sp
import torch
from torch import Tensor

from majorant.derivation.covering import ball_entropy
from majorant.derivation.generalization import integral_bound
from majorant.derivation.symbols import B_of, d_of, v
from majorant.derivation.theorems.classes import (
    RADIUS,
    log_scale,
    matrix_radius,
    vector_radius,
)
from majorant.derivation.theorems.norm import frobenius_term
from majorant.derivation.theorems.published import published_term
from majorant.derivation.theorems.schatten import schatten_term
from majorant.numerics.lowering import log_form, torch_kernel

Term = Callable[..., Tensor]
_IN_LOGS = ("kappa_of", "kappa_vec_of", "w_of", "w_vec_of", "S_of", "C_of", "F_of", "B_of",
            "Lambda", "n", "T")


def _schatten() -> sp.Expr:
    return integral_bound(*schatten_term(), RADIUS)


def _published() -> sp.Expr:
    A, q, B, offset = published_term()
    term = integral_bound(A, q, B, RADIUS, offset)
    rate = 1 - q / 2  # a difference: written as the quotient that it is, its sign is plain
    return term.xreplace({rate: sp.cancel(rate)})


def _norm() -> sp.Expr:
    """`A_a` of the entropy `A_a/eps^2`; the theorem has the root of their sum."""
    return frobenius_term(matrix_radius(sp.S.One)) - frobenius_term(sp.oo)


def _vector() -> sp.Expr:
    scale = log_scale(ball_entropy(sp.S.One, B_of[v], vector_radius()))
    return integral_bound(d_of[v], sp.S.Zero, scale, RADIUS)


_TERMS = {"schatten": _schatten, "published": _published, "norm": _norm, "vector": _vector}


def _sign(symbol: sp.Symbol) -> dict[str, bool]:
    return {"nonnegative": True} if symbol.is_integer else {"real": True}


@lru_cache(maxsize=16)
def log_term(name: str) -> tuple[Term, tuple[str, ...]]:
    """The log of one parameter's term, and the names of its arguments.

    Arguments whose names start with `log_` are logarithms (norms, sensitivities, shares, n, T).

    >>> log_term("vector")[1]
    ('d_of', 'log_B_of', 'log_Lambda', 'log_kappa_vec_of', 'log_w_vec_of')
    """
    expr = _TERMS[name]()
    plain = {entry: sp.Symbol(str(entry.base.label), positive=True)
             for entry in expr.atoms(sp.Indexed)}
    expr = expr.xreplace(plain)
    logs = {symbol: sp.exp(sp.Symbol(f"log_{symbol}", **_sign(symbol)))
            for symbol in expr.free_symbols if str(symbol) in _IN_LOGS}
    expr = expr.xreplace(logs)
    named = {str(symbol): symbol for symbol in expr.free_symbols}
    given = [sp.Lt(named[key], top) for key, top in (("theta", 1), ("p_of", 2)) if key in named]
    form = log_form(expr, given)
    names = tuple(sorted(str(symbol) for symbol in form.free_symbols))
    return torch_kernel(form, [named[key] for key in names]), names


def evaluate(name: str, values: dict[str, Tensor | float]) -> Tensor:
    """The log term at `values` (extra entries are ignored); everything broadcasts."""
    kernel, names = log_term(name)
    return kernel(*(torch.as_tensor(values[key], dtype=torch.float64) for key in names))


def elasticity(name: str, values: dict[str, Tensor | float], share: str) -> tuple[Tensor, Tensor]:
    """The log term and `-d log(term)/d log(share)`, entry by entry (autograd)."""
    log_w = torch.as_tensor(values[share]).detach().clone().requires_grad_()
    result = evaluate(name, {**values, share: log_w})
    (slope,) = torch.autograd.grad(result.sum(), log_w)
    return result.detach(), -slope
