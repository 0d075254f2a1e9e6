"""Change any field of a proposal, sign it again: refused, or not below an independent evaluation.

So the digest is not what keeps a bound honest.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from certificate_cases import at, certificate, leaves, put, resigned
from certificate_oracle import oracle
from flint import arb, ctx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mp

from majorant.proofs.checker import CHOICES, CONSTANTS, check

METHODS = ("C1", "C3", "C4s", "none", "ball", "zero", "low-rank", "truncated", "staircase",
           "norm", "schatten", "frobenius")

BASES: dict[str, dict[str, Any]] = {
    "occam": {}, "full-rank": {"rank": 0, "n": 3000, "heads": 1},
    "equal": {"split": "equal", "outputs": 1, "heads": 1},
    "parameter-count": {"bound": "parameter-count", "heads": 1},
    "two-blocks": {"blocks": 2, "heads": 1}, "envelope": {"bound": "envelope", "n": 10**6,
                                                          "heads": 1},
    "schatten": {"bound": "schatten", "heads": 1}, "published": {"bound": "published", "heads": 1},
    "norm": {"bound": "norm", "heads": 1}, "norm-zhang": {"bound": "norm-zhang", "heads": 1},
} | {f"faithful-{bound}": {"bound": bound, "heads": 1, "faithful": True, "n": 10**6}
     for bound in CHOICES}


def sound(cert: dict[str, Any]) -> str:
    """Checks a changed certificate against the oracle; returns its status."""
    verdict = check(resigned(cert))
    if verdict.status == "accepted":
        assert verdict.value is not None
        with mp.workdps(60), ctx.workprec(200):
            truth = arb(str(oracle(cert)))
            assert verdict.value.upper() >= truth - arb(10) ** -25, (verdict.value, truth)
    else:
        assert verdict.reason
        assert verdict.value is None
    return verdict.status


def nearby(value: Any) -> list[Any]:
    """Changes that a dishonest or careless author might try."""
    if isinstance(value, bool) or value is None:
        return [0, "x"]
    if isinstance(value, int):
        return [value - 1, value + 1, value + 40, 0, 10**13, value + 0.5]
    if isinstance(value, float):
        return [value * 0.5, value * 1.5, 0.0, -value]
    if isinstance(value, str):
        if value[:1].isdigit():
            near = [str(mp.mpf(value) * factor) for factor in (0.5, 0.999, 1.000001, 3)]
            return [*near, "0", "x", "1e-300", None]
        if value in CONSTANTS:
            return [None, *CONSTANTS]
        if value in CHOICES:
            return [None, *CHOICES]
        return [None, "", *(method for method in METHODS if method != value)]
    return [1, "x", [], {}]


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES)
def test_every_field_of_the_proposal(base: str) -> None:
    original = certificate(**BASES[base])
    outcomes: dict[str, int] = {"accepted": 0, "refused": 0}
    paths = list(leaves(original["proposal"]))
    for turn, path in enumerate(paths):
        values = nearby(at(original["proposal"], path))
        if len(paths) > 40:  # every field, and every kind of change somewhere
            values = values[turn % 3::3]
        for value in values:
            changed = certificate(**BASES[base])
            put(changed["proposal"], path, value)
            outcomes[sound(changed)] += 1
    assert outcomes["accepted"] > 10, "mutations that stay valid must be among the trials"
    assert outcomes["refused"] > 40


@pytest.mark.parametrize("base", ["occam", "envelope", "faithful-norm"])
def test_every_field_of_the_inputs_is_under_the_digest(base: str) -> None:
    """Not signed again: an accident or a careless edit anywhere is noticed."""
    original = certificate(**BASES[base])
    paths = [("inputs", *path) for path in leaves(original["inputs"])]
    paths += [("proposal", *path) for path in leaves(original["proposal"])]
    assert len(paths) > 100
    for path in paths:
        changed = copy.deepcopy(original)
        value = at(changed, path)
        put(changed, path, value + 1 if isinstance(value, int | float) else [value, "x"])
        verdict = check(changed)
        assert verdict.status == "refused"
        assert "digest" in verdict.reason, path


@pytest.mark.parametrize("base", ["full-rank", "schatten", "faithful-occam", "norm"])
def test_removing_any_field_is_refused(base: str) -> None:
    original = certificate(**BASES[base])
    for path in leaves(original["proposal"]):
        for depth in range(1, len(path) + 1):
            changed = certificate(**BASES[base])
            parent = at(changed["proposal"], path[:depth - 1])
            if isinstance(parent, dict):
                del parent[path[depth - 1]]
                assert check(resigned(changed)).status == "refused", path[:depth]
            else:  # a list with one item less may still be a proposal: fewer knots are coarser
                parent.pop(path[depth - 1])
                sound(changed)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_random_mutations_of_several_fields(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from(sorted(BASES)))
    changed = certificate(**BASES[base])
    paths = list(leaves(changed["proposal"]))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(paths))
        try:
            value = at(changed["proposal"], path)
        except (KeyError, IndexError, TypeError):
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            new: Any = value + data.draw(st.integers(-30, 30))
        elif isinstance(value, str) and value[:1].isdigit():
            with mp.workdps(30):
                new = str(mp.mpf(value) * mp.mpf(data.draw(st.floats(0.1, 2.0))))
        else:
            new = data.draw(st.sampled_from(nearby(value)))
        put(changed["proposal"], path, new)
    sound(changed)
