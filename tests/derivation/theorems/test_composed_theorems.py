"""The composed closed forms against the chain of lemmas that they summarize, number by number."""

from __future__ import annotations

import math

import mpmath
import pytest
import sympy as sp

from majorant.derivation import symbols as s
from majorant.derivation.bound import BOUNDS, Bound
from majorant.derivation.covering import ball_entropy, schatten_entropy
from majorant.derivation.errors import UnusableInput
from majorant.derivation.generalization.entropy_integral import power_entropy
from majorant.derivation.lemma import LEMMAS
from majorant.derivation.published import alpha_after, head_constant
from majorant.derivation.theorems import catalogue, proxies  # noqa: F401
from majorant.derivation.theorems.catalogue import THEOREMS, theorem
from majorant.derivation.theorems.classes import matrix_radius, vector_radius
from majorant.derivation.theorems.published import published_entropy, published_term
from majorant.derivation.theorems.ratio import leading_ratio, leading_ratio_closed, term_ratio
from majorant.derivation.theorems.schatten import schatten_term
from majorant.derivation.theorems.sensitivities import normalized_sensitivity

mp = mpmath.mpf
FAMILIES = {
    s.K: 2,
    s.V_parts: 1,
    s.S_of: [mp(12), mp(3)],
    s.p_of: [mp("0.5"), mp(1)],
    s.C_of: [mp(2), mp("0.7")],
    s.N1_of: [16, 16],
    s.N2_of: [16, 64],
    s.kappa_of: [mp(30), mp(4)],
    s.w_of: [mp("0.5"), mp("0.3")],
    s.d_of: [16],
    s.B_of: [mp(1)],
    s.kappa_vec_of: [mp(2)],
    s.w_vec_of: [mp("0.2")],
    s.F_of: [mp(3), mp(1)],
    s.Lambda: mp(2),
    s.theta: mp("0.5"),
    s.n: 10**6,
    s.T: 32,
    s.delta: mp("0.05"),
    s.price: mp(40),
    s.R_hat: mp("0.01"),
    s.cut: mp("0.001"),
}


def entropy_integral(value, matrix: sp.Expr, vector: sp.Expr, low: float) -> mpmath.mpf:
    """The integral of the root of the network's entropy, by quadrature."""

    def root(t: mpmath.mpf) -> mpmath.mpf:
        eps = mp("0.25") * mpmath.exp(-t)
        at = {**FAMILIES, s.eps: eps}
        total = sum(value(matrix, {**at, s.a: a}) for a in (1, 2)) + value(vector, {**at, s.v: 1})
        return mpmath.sqrt(total) * eps

    with mpmath.workdps(15):
        end = mpmath.log(mp("0.25") / low)
        return mpmath.quad(root, mpmath.linspace(0, end, 8), maxdegree=4)


def test_schatten_closed_form_is_above_the_chain_of_its_lemmas(value) -> None:
    matrix = schatten_entropy(
        s.S_of[s.a], s.p_of[s.a], s.N1_of[s.a], s.N2_of[s.a], s.C_of[s.a], matrix_radius(), s.theta
    )
    vector = ball_entropy(s.d_of[s.v], s.B_of[s.v], vector_radius())
    direct = entropy_integral(value, matrix, vector, 1e-9)
    chain = mp("0.01") + 2 * 6 * mpmath.sqrt(2) / 1000 * direct
    chain += mpmath.sqrt((mpmath.log(20) + 40) / (2 * mp(10) ** 6))
    closed = value(BOUNDS["schatten"].expression, FAMILIES)
    assert chain <= closed <= 3 * chain


def test_published_closed_form_is_above_the_chain_of_its_lemmas(value) -> None:
    matrix = published_entropy(matrix_radius())
    vector = ball_entropy(s.d_of[s.v], s.B_of[s.v], vector_radius())
    direct = entropy_integral(value, matrix, vector, 1e-9)
    chain = mp("0.01") + 24 * direct / 1000 + mpmath.sqrt((mpmath.log(20) + 40) / (2 * mp(10) ** 6))
    closed = value(BOUNDS["published"].expression, FAMILIES)
    assert chain <= closed <= 3 * chain


def test_power_forms_equal_the_entropies_they_were_read_from(value) -> None:
    A, p, B = schatten_term()
    matrix = schatten_entropy(
        s.S_of[s.a], s.p_of[s.a], s.N1_of[s.a], s.N2_of[s.a], s.C_of[s.a], matrix_radius(), s.theta
    )
    A_pub, q, B_pub, offset = published_term()
    entropy = published_entropy(matrix_radius())
    pairs = [
        (matrix, power_entropy(A, p, B, s.eps, sp.S.Zero)),
        (entropy, power_entropy(A_pub, q, B_pub, s.eps, offset) + sp.log(2)),
    ]
    with mpmath.workdps(40):
        for a in (1, 2):
            for eps in ("0.2", "0.003"):
                at = {**FAMILIES, s.a: a, s.eps: mp(eps)}
                for left, right in pairs:
                    assert abs(value(left, at) / value(right, at) - 1) < mp(10) ** -30


def test_published_over_ours_is_derived_symbolically(value) -> None:
    difference = sp.log(leading_ratio()) - sp.log(leading_ratio_closed())
    assert sp.simplify(sp.expand_log(difference, force=True)) == 0
    # at p = 1 the published term is the larger one where the Schatten factor is below the width,
    # and the smaller one far above it, where p = 0 is the better choice for both (D2)
    at = {**FAMILIES, s.N: 16, s.N2_of: [16, 16], s.p_of: [mp(1), mp(1)], s.p: mp(1), s.a: 2}
    assert value(term_ratio(), {**at, s.kappa_of: [mp("0.01")] * 2}) > 2
    assert value(term_ratio(), {**at, s.kappa_of: [mp(10) ** 6] * 2}) < 1


def test_tree_chaining_improves_the_published_constant(value) -> None:
    textbook = value(BOUNDS["published"].expression, FAMILIES)
    tree = value(BOUNDS["published-tree"].expression, FAMILIES)
    fixed = mp("0.01") + mpmath.sqrt((mpmath.log(20) + 40) / (2 * mp(10) ** 6))
    assert (tree - fixed) / (textbook - fixed) == pytest.approx(4 * math.sqrt(2) / 12)


@pytest.mark.parametrize("name", ["published", "schatten", "norm", "norm-zhang", "parameter-count"])
def test_closed_forms_are_monotone_where_they_must_be(value, name: str) -> None:
    expr = BOUNDS[name].expression
    base = value(expr, FAMILIES)
    for symbol, change in ((s.n, 2), (s.delta, mp("1.5"))):
        assert value(expr, {**FAMILIES, symbol: FAMILIES[symbol] * change}) < base
    for symbol in (s.price, s.R_hat, s.Lambda):
        assert value(expr, {**FAMILIES, symbol: FAMILIES[symbol] * 2}) > base
    for family in (s.kappa_of, s.C_of, s.S_of, s.F_of, s.B_of):
        if expr.has(family):
            larger = {**FAMILIES, family: [2 * x for x in FAMILIES[family]]}
            assert value(expr, larger) > base


def test_zhang_is_never_better_than_dual_sudakov(value) -> None:
    ours = value(BOUNDS["norm"].expression, FAMILIES)
    zhang = value(BOUNDS["norm-zhang"].expression, FAMILIES)
    assert ours < zhang


def test_envelope_bound_equals_a_plain_loop(value) -> None:
    at = {
        **FAMILIES,
        s.J: 2,
        s.scale_of: [mp("0.5"), mp("0.1"), mp("0.02")],
        s.r: 4,
        s.sigma: [[mp(x) for x in ["2.0", "0.01", "0.0009", "0.0001"]],
                  [mp(x) for x in ["0.7", "0.0019", "0.0015", "0.0"]]],
        s.tau_at: [[mp("0.001"), mp("0.0001")], [mp("0.002"), mp("0.0016")]],
        s.eps_at: [[mp("0.002"), mp("0.0004")], [mp("0.02"), mp("0.004")]],
        s.eps_vec_at: [[mp("0.02"), mp("0.004")]],
        s.price_of: [mp(30), mp(25)],
    }
    plain = mp("0.01") + 2 * at[s.scale_of][2]
    for j in range(2):
        H = 16 * mpmath.log(1 + 2 / at[s.eps_vec_at][0][j])
        for a, (C, dims) in enumerate(((mp(2), 32), (mp("0.7"), 80))):
            eps, tau = at[s.eps_at][a][j], at[s.tau_at][a][j]
            count = sum(x > tau for x in at[s.sigma][a])
            assert count == ((2, 3), (1, 2))[a][j]
            H += count * dims * mpmath.log(1 + 4 * C / (eps - tau))
        link = at[s.scale_of][j] + at[s.scale_of][j + 1]
        plain += 2 * link * mpmath.sqrt(2 * H / 10**6)
    plain += mpmath.sqrt((mpmath.log(20) + 40 + 55) / (2 * mp(10) ** 6))
    assert abs(value(BOUNDS["envelope"].expression, at) / plain - 1) < mp(10) ** -12


def test_occam_bound_inverts_kl_at_the_code_length(value) -> None:
    at = {
        **FAMILIES,
        s.k_of: [2, 1],
        s.tau_of: [mp(0), mp(0)],
        s.eps_of: [mp("0.001"), mp("0.01")],
        s.eps_vec_of: [mp("0.01")],
        s.price_of: [mp(30), mp(25)],
    }
    H = 2 * 32 * mpmath.log(1 + 8000) + 80 * mpmath.log(1 + 280) + 16 * mpmath.log(201)
    level = (H + 95 + mpmath.log(20)) / 10**6
    bound = value(BOUNDS["occam"].expression, at)
    kl = mp("0.01") * mpmath.log(mp("0.01") / bound)
    kl += mp("0.99") * mpmath.log(mp("0.99") / (1 - bound))
    assert abs(kl / level - 1) < mp(10) ** -12


def test_all_names_ship_with_a_resolved_ledger() -> None:
    names = {bound.name for bound in BOUNDS}
    assert {"published", "schatten", "envelope", "occam", "norm", "parameter-count"} <= names
    assert {"B_spectrum", "B_norm", "alpha", "schatten_factor", "envelope_factor"} <= names
    for bound in BOUNDS:
        for id in bound.ledger:
            assert id in LEMMAS
        if bound.status == "proxy":
            assert bound.lhs is None, f"{bound.name}: a proxy bounds nothing"


@pytest.mark.parametrize("name", THEOREMS)
@pytest.mark.parametrize("block", ["normalized", "faithful"])
def test_both_block_families(name: str, block: str) -> None:
    bound = theorem(name, block)  # type: ignore[arg-type]
    assert isinstance(bound, Bound)
    assert bound.assumptions
    if name != "compressed":
        assert "A5" in bound.ledger
        assert "A3" in bound.ledger
        assert ("B.norm" in bound.ledger) == (block == "faithful")
    if "occam" not in name and name != "compressed":
        assert {"SYMM", "MCDIARMID", "MASSART"} <= set(bound.ledger)


def test_crude_constants_are_named_in_the_ledger() -> None:
    ledger = theorem("schatten", "normalized", "crude").ledger
    assert "A3.crude" in ledger
    assert "A3" not in ledger


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnusableInput, match="expected one of published"):
        theorem("best")
    with pytest.raises(UnusableInput, match="normalized, faithful"):
        theorem("occam", "real")  # type: ignore[arg-type]


def test_explain_says_which_lemma_gave_which_factor() -> None:
    rows = {row["lemma"]: row for row in BOUNDS["schatten"].explain()}
    assert {"C4p", "CV.bias", "G4", "G2", "G1"} <= set(rows)
    assert "6*sqrt(2)" in rows["G2"]["factor"]
    assert rows["G1"]["title"]


def test_normalized_sensitivities_match_plain_formulas(value) -> None:
    """Two blocks, two heads: kappa of the first block carries the second block's constant."""
    tables = {
        s.C_Q_of: [[mp(1), mp(2)], [mp(3), mp("0.5")]],
        s.C_V_of: [[mp("1.1"), mp("0.4")], [mp("0.9"), mp("0.2")]],
        s.C_in_of: [mp(2), mp("1.5")],
        s.C_out_of: [mp("0.8"), mp("1.2")],
        s.L_phi: mp("1.13"),
        s.A_phi: mp(1),
        s.L: 2,
        s.H: 2,
        s.l: 1,
        s.h: 2,
    }
    heads = mp("0.9") * (3 + mpmath.sqrt(10)) + mp("0.2") * (mp("0.5") + mpmath.sqrt(mp("1.25")))
    alpha = mp("1.13") * mp("1.5") * mp("1.2") * heads
    expected = {
        "QK": alpha * mp("1.13") * 2 * mp("0.8") * mp("0.4"),
        "V": alpha * mp("1.13") * 2 * mp("0.8"),
        "M_in": alpha * mp("1.13") * mp("0.8"),
        "M_out": alpha * 2,
    }
    for role, plain in expected.items():
        got = value(normalized_sensitivity(role), tables)  # type: ignore[arg-type]
        assert abs(got / plain - 1) < mp(10) ** -12


def test_alpha_uses_the_attention_lemmas() -> None:
    """One source: the head constants are the right-hand sides of A3's lemmas."""
    lemma = LEMMAS["A3"].rhs.xreplace({s.C_V: sp.S.One, s.b: sp.S.One})
    assert head_constant(s.C_Q, "sharp") == lemma
    assert alpha_after(constants="sharp").has(s.C_V_of)
