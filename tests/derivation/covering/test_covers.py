"""Covers against packings, against each other, and the allocation against brute force."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation import symbols as s
from majorant.derivation.covering import (
    allocated_radius,
    envelope_entropy,
    frobenius_entropy,
    full_rank_entropy,
    gain_entropy,
    low_rank_entropy,
    power_allocation,
    schatten_entropy,
    tail_entropy,
    truncated_entropy,
    zhang_entropy,
)
from majorant.derivation.lemma import LEMMAS, Kind, Label


@settings(max_examples=60, deadline=None)
@given(
    reach=st.floats(1, 1e4), N2=st.integers(1, 4096), m=st.integers(1, 10**6), b=st.floats(0.1, 10)
)
def test_c5_is_below_zhang_on_its_whole_domain(reach: float, N2: int, m: int, b: float) -> None:
    """Zhang's lemma, with its 36 and its logarithm, follows from C5."""
    eps = b / reach
    ours = math.log(2) + 2 * reach**2 * (math.sqrt(N2) + math.sqrt(2 * math.log(2 * m))) ** 2
    ratio = math.sqrt(N2) * b / eps
    zhang = 36 * ratio**2 * math.log(2 * math.ceil(4 * ratio + 2) * m * N2 + 1)
    assert ours < zhang


def test_expressions_of_c5_and_zhang(value) -> None:
    at = {s.F: mpmath.mpf(2), s.b: 1, s.N2: 16, s.m_tokens: 1000, s.eps: mpmath.mpf("0.1")}
    ours = math.log(2) + 2 * 4 * (4 + math.sqrt(2 * math.log(2000))) ** 2 / 0.01
    assert float(value(frobenius_entropy(), at)) == pytest.approx(ours, rel=1e-13)
    zhang = 36 * 80**2 * math.log(2 * 322 * 1000 * 16 + 1)
    assert float(value(zhang_entropy(), at)) == pytest.approx(zhang, rel=1e-13)


def test_c5_exceeds_the_packing_of_random_members() -> None:
    """A greedy packing of random members never beats the entropy bound (tiny sizes)."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((3, 2))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    eps, radius = 0.5, 1.0
    members = rng.standard_normal((1000, 2, 2))
    members *= radius / np.linalg.norm(members, axis=(1, 2), keepdims=True)
    kept: list[np.ndarray] = []
    for W in members:
        if all(np.linalg.norm(rows @ (W - V), axis=1).max() > eps for V in kept):
            kept.append(W)
    bound = math.log(2) + 2 * (math.sqrt(2) + math.sqrt(2 * math.log(6))) ** 2 / eps**2
    assert math.log(len(kept)) <= bound


@pytest.mark.parametrize(("rows", "columns", "rank"), [(2, 2, 1), (2, 3, 1), (3, 3, 2)])
def test_c2_and_c1_exceed_greedy_packings(value, rows: int, columns: int, rank: int) -> None:
    rng = np.random.default_rng(1)
    eps, C = 0.6, 1.0
    kept: list[np.ndarray] = []
    for _ in range(500):
        W = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns))
        W *= C * rng.uniform() ** 0.2 / np.linalg.norm(W, 2)
        if all(np.linalg.norm(W - V, 2) > eps for V in kept):
            kept.append(W)
    at = {
        s.k: rank,
        s.N1: rows,
        s.N2: columns,
        s.C: mpmath.mpf(C),
        s.eps: mpmath.mpf(eps),
    }
    packed = math.log(len(kept))
    assert packed <= float(value(low_rank_entropy(), at))
    assert packed <= float(value(full_rank_entropy(), at))


def test_a_schatten_class_is_never_cheaper_than_its_envelope(value) -> None:
    """C4 on the spectrum itself is at most C4p for every index (Markov)."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        sigma = np.sort(rng.exponential(size=8))[::-1]
        at = {
            s.sigma: [sigma],
            s.a: 1,
            s.r: 8,
            s.N1: 8,
            s.N2: 10,
            s.C: mpmath.mpf(sigma[0]),
            s.eps: mpmath.mpf(rng.uniform(0.05, 2)),
            s.theta: mpmath.mpf(rng.uniform(0.05, 0.95)),
        }
        ours = value(envelope_entropy(), at)
        for p in (0, 0.3, 1, 2):
            total = mpmath.mpf(float((sigma**p).sum()))
            bound = value(schatten_entropy(), {**at, s.S: total, s.p: mpmath.mpf(p)})
            assert ours <= bound * (1 + mpmath.mpf(10) ** -12)


def test_c6_forms_and_radii(value) -> None:
    at = {
        s.k: 3,
        s.N1: 8,
        s.N2: 10,
        s.C: mpmath.mpf(2),
        s.F: mpmath.mpf(1),
        s.b: mpmath.mpf("1.5"),
        s.m_tokens: 100,
        s.eps: mpmath.mpf("0.3"),
    }
    r = math.sqrt(10) + math.sqrt(2 * math.log(200))
    tail = math.log(2) + 8 * 2.25 * r**2 / 0.09
    for internal, c in ((True, 16), (False, 8)):
        plain = 3 * 18 * math.log(1 + c * 2 * 1.5 / 0.3) + tail
        assert float(value(tail_entropy(internal), at)) == pytest.approx(plain, rel=1e-13)


def test_truncation_at_zero_rank_costs_nothing(value) -> None:
    at = {s.k: 0, s.N1: 8, s.N2: 10, s.C: 5, s.tau: mpmath.mpf("0.1"), s.eps: mpmath.mpf("0.2")}
    assert value(truncated_entropy(), at) == 0


def test_gains_are_counted_in_one_dimension_exactly(value) -> None:
    for G, eps, count in ((1, 0.5, 2), (1, 0.4, 3), (1, 2.0, 1), (0.625, 0.0625, 10)):
        at = {s.N: 5, s.radius: mpmath.mpf(G), s.eps: mpmath.mpf(eps)}
        assert float(value(gain_entropy(), at)) == pytest.approx(5 * math.log(count), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(weight=st.floats(1e-3, 1e6), C=st.floats(1e-3, 1e3), lam=st.floats(1e-6, 1e6))
def test_c8_is_the_minimum_of_the_lagrangian(weight: float, C: float, lam: float) -> None:
    q = 4 * C * weight / lam
    best = q / (2 * C + math.sqrt(4 * C * C + q))

    def total(u: float) -> float:
        return weight * math.log1p(4 * C / u) + lam * u

    for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2.0):
        assert total(best) <= total(best * factor) * (1 + 1e-12)


def test_c8_expression_equals_the_stable_formula(value) -> None:
    from majorant.derivation.covering import allocation

    at = {
        allocation.weight: mpmath.mpf(300),
        allocation.C: mpmath.mpf("1e6"),
        allocation.price_of_accuracy: mpmath.mpf("1e9"),
    }
    with mpmath.workdps(60):
        q = mpmath.mpf(4) * 10**6 * 300 / 10**9
        expected = -2 * mpmath.mpf(10) ** 6 + mpmath.sqrt(4 * mpmath.mpf(10) ** 12 + q)
        assert abs(value(allocated_radius(), at) - expected) < mpmath.mpf(10) ** -40


def test_power_allocation_is_the_optimum(value) -> None:
    """Against random splits, and attained by the split of the proof."""
    from majorant.derivation.covering import allocation

    rng = np.random.default_rng(3)
    A, kappa, q, eps = rng.uniform(0.1, 10, 4), rng.uniform(0.1, 10, 4), 2.0, 0.3
    at = {
        s.A_of: A,
        s.kappa_of: kappa,
        s.K: 4,
        allocation.power: mpmath.mpf(q),
        s.eps: mpmath.mpf(eps),
    }
    best = float(value(power_allocation(), at))
    for _ in range(200):
        share = rng.dirichlet(np.ones(4))
        assert best <= (A * (share * eps / kappa) ** -q).sum() * (1 + 1e-12)
    radii = (A / kappa) ** (1 / (q + 1))
    radii *= eps / (kappa * radii).sum()
    assert (A * radii**-q).sum() == pytest.approx(best, rel=1e-12)


def test_cited_lemmas_are_few_and_state_what_they_say() -> None:
    cited = [lemma for lemma in LEMMAS if lemma.kind is Kind.CITED]
    assert len(cited) <= 8, [lemma.id for lemma in cited]
    for lemma in cited:
        assert len(lemma.source.statement) >= 60, f"{lemma.id}: the exact statement is missing"
        assert lemma.source.locus, f"{lemma.id}: no theorem number"


def test_every_use_is_a_lemma() -> None:
    import majorant.derivation.comparison
    import majorant.derivation.generalization
    import majorant.derivation.telescoping
    import majorant.derivation.union_bound  # noqa: F401

    for lemma in LEMMAS:
        for used in lemma.uses:
            assert used in LEMMAS, f"{lemma.id} uses {used}, which is not shipped"


def test_tight_lemmas_carry_a_mutant_or_are_identities() -> None:
    own = ("C", "D", "G", "U")
    for lemma in LEMMAS:
        if lemma.label is Label.TIGHT and lemma.id.startswith(own) and lemma.kind is not Kind.CITED:
            has_mutant = any(o.mutant is not None for o in lemma.obligations)
            assert has_mutant or lemma.relation == "==" or lemma.id == "CV.gain", lemma.id


OURS = ("C", "D", "G", "U", "SELBERG", "MASSART", "CHERNOFF", "A5")


def test_kernel_lemmas_name_a_theorem_of_the_coq_development() -> None:
    for lemma in LEMMAS:
        if lemma.id.startswith(OURS) and lemma.kind is Kind.KERNEL:
            assert any(o.coq for o in lemma.obligations), f"{lemma.id}: kernel without a theorem"


def test_every_lemma_that_is_not_cited_has_an_obligation() -> None:
    for lemma in LEMMAS:
        if lemma.id.startswith(OURS) and lemma.kind is not Kind.CITED:
            assert lemma.obligations, f"{lemma.id}: nothing to discharge"
