"""Prover and falsifier can never disagree: hundreds of generated claims, both halves on each."""

from __future__ import annotations

import random
import time

import pytest
import sympy

from majorant.proofs.claims import Claim
from majorant.proofs.provers.portfolio import prove_claim, refute_claim

x, y = sympy.symbols("x y", real=True)
NUMBER = 120

#: (left, right, hypotheses): true as they stand, and tight somewhere.
SEEDS: list[tuple[sympy.Expr, sympy.Expr, tuple[object, ...]]] = [
    (1 + x, sympy.exp(x), ()),
    (sympy.log(x), x - 1, (x > 0,)),
    (sympy.sin(x), x, (x >= 0,)),
    (2 * x / (2 + x), sympy.log(1 + x), (x >= 0,)),
    (sympy.cosh(x), sympy.exp(x**2 / 2), ()),
    (2 * x * y, x**2 + y**2, ()),
    (sympy.sqrt(x * y), (x + y) / 2, (x > 0, y > 0)),
    (sympy.tanh(x), x, (x >= 0,)),
    (x * sympy.exp(-x), sympy.exp(-1), (x >= 0,)),
    (sympy.Abs(x + y), sympy.Abs(x) + sympy.Abs(y), ()),
    (x - x**3 / 6, sympy.sin(x), (x >= 0,)),
    (4 * x * (1 - x), sympy.Integer(1), ()),
    (x + y, sympy.sqrt(2), (sympy.Eq(x**2 + y**2, 1),)),
    (sympy.sin(x + y), sympy.sin(x) + sympy.sin(y), (x >= 0, x <= 3, y >= 0, y <= 3)),
    (3 * sympy.sin(x) + 4 * sympy.cos(x), sympy.Integer(5), ()),
    (sympy.sqrt(x + y), sympy.sqrt(x) + sympy.sqrt(y), (x >= 0, y >= 0)),
    (x * sympy.log(x / y), (x - y) * x / y, (x > 0, y > 0)),
]


def generated(seed: int) -> tuple[Claim, bool | None]:
    """A claim and whether it is true (None: not known), from a seed claim and a mutation."""
    source = random.Random(seed)
    left, right, given = source.choice(SEEDS)
    hypotheses = tuple(given)
    kind = source.choice(["true", "slack", "false", "scaled", "shifted", "turned"])
    c = sympy.Rational(source.randint(1, 9), source.choice([10, 100, 1000, 10**12]))
    if kind == "true":
        return Claim(left, "<=", right, hypotheses), True  # type: ignore[arg-type]
    if kind == "slack":
        return Claim(left - c, "<", right, hypotheses), True  # type: ignore[arg-type]
    if kind == "false":
        return Claim(left + c, "<=", right, hypotheses), False  # type: ignore[arg-type]
    if kind == "scaled":
        factor = 1 - c if source.random() < 0.5 else 1 + c
        return Claim(left, "<=", factor * right, hypotheses), None  # type: ignore[arg-type]
    if kind == "turned":
        return Claim(right, "<=", left, hypotheses), None  # type: ignore[arg-type]
    step = sympy.Rational(source.randint(-3, 3), 2)
    moved = {x: x + step}
    again = tuple(sympy.sympify(h).subs(moved) for h in hypotheses)
    return Claim(left.subs(moved), "<=", right.subs(moved), again), True


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_prover_and_falsifier_never_disagree(block: int) -> None:
    for seed in range(block * NUMBER // 6 * 2, (block + 1) * NUMBER // 6 * 2):
        claim, truth = generated(seed)
        proved = prove_claim(claim, time.monotonic() + 3.0)
        refuted = refute_claim(claim, time.monotonic() + (0.4 if truth else 2.0))
        assert not (proved.status == "proved" and refuted.status == "refuted"), claim
        for verdict in (proved, refuted):
            if truth is not None and verdict.status != "unknown":
                assert (verdict.status == "proved") == truth, claim
