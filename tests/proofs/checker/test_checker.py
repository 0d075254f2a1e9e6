"""The checker's number is the theorem's number, and every side condition refuses by itself."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from certificate_cases import certificate, problem, put, resigned
from certificate_oracle import Oracle, number, oracle
from flint import arb, ctx
from mpmath import mpf

from majorant.numerics.certificates import issue
from majorant.proofs.checker import CHOICES, Verdict, check

CASES: list[dict[str, Any]] = [
    {}, {"rank": 0}, {"blocks": 2}, {"outputs": 1, "scale": 0.3}, {"outputs": None},
    {"bound": "parameter-count"}, {"split": "equal"}, {"rank": 1, "n": 2000},
    {"bound": "envelope"}, {"bound": "schatten", "blocks": 2}, {"bound": "published"},
    {"bound": "norm"}, {"bound": "norm-zhang"},
    *({"bound": bound, "faithful": True, "blocks": 2} for bound in CHOICES),
]


def midpoint(value: Any) -> Any:
    """An mpmath number as a ball with room for its rounding."""
    from mpmath import mp

    with mp.workdps(60), ctx.workprec(200):
        return arb(str(value))


@pytest.mark.parametrize("options", CASES, ids=str)
def test_the_value_is_that_of_an_independent_evaluation(options: dict[str, Any]) -> None:
    cert = certificate(**options)
    verdict = check(json.loads(json.dumps(cert)))
    assert verdict.status == "accepted", verdict.reason
    assert verdict.value is not None
    with ctx.workprec(200):
        assert abs(verdict.value - midpoint(oracle(cert))) < arb(10) ** -25


def test_the_checked_envelope_is_the_theorem_with_staircases() -> None:
    """`derive envelope-staircase` at the certificate's fields is the checker's number."""
    from majorant.derivation.theorems.catalogue import theorem
    from majorant.numerics.lowering import ball_function, mpmath_function

    cert = certificate("envelope", n=10**6, blocks=2)
    verdict = check(cert)
    proposal, names = cert["proposal"], list(cert["proposal"]["classes"])
    covers = [[scale["covers"][name] for scale in proposal["scales"]] for name in names]
    assert all(cover["method"] == "C4s" for row in covers for cover in row)
    reading = Oracle(cert)
    levels = [reading.envelope(name)[0] for name in names]
    knots = [[[0, *cover["knots"]] for cover in row] for row in covers]
    shapes = [sorted(cert["inputs"]["parameters"][name]["shape"]) for name in names]
    at = {
        "R_hat": mpf(1) / 50, "n": 10**6, "delta": mpf(1) / 20, "price": reading.price,
        "price_of": [0] * len(names), "K": len(names), "V_parts": 0, "J": len(proposal["scales"]),
        "B_of": [], "d_of": [], "eps_vec_at": [],
        "N1_of": [shape[0] for shape in shapes], "N2_of": [shape[1] for shape in shapes],
        "scale_of": [mpf(1) / 2, *(number(scale["e"]) for scale in proposal["scales"])],
        "eps_at": [[number(cover["eps"]) for cover in row] for row in covers],
        "knot_at": knots, "blocks_at": [[len(k) - 1 for k in row] for row in knots],
        "level_at": [[[values[k] for k in ks[:-1]] for ks in row]
                     for values, row in zip(levels, knots, strict=True)],
        "tau_at": [[values[ks[-1]] if ks[-1] < len(values) else 0 for ks in row]
                   for values, row in zip(levels, knots, strict=True)],
    }
    bound = theorem("envelope-staircase", "normalized")
    arguments = list(bound.arguments)
    values = [at[str(symbol)] for symbol in arguments]
    source: dict[str, Any] = {}
    exec(bound.python(), source)
    assert verdict.value is not None
    for found in (mpmath_function(bound.expression, arguments, 30)(*values),
                  ball_function(bound.expression, arguments, 120)(*values).mid(),
                  source["envelope_staircase"](**{str(k): v for k, v in at.items()})):
        assert float(found) == pytest.approx(float(verdict.value), rel=1e-11)
    assert {"C4s", "G3.internal", "U4", "U0", "G1"} <= set(bound.lemmas) & {*verdict.ledger, "U0"}


def test_the_interval_is_narrow() -> None:
    value = check(certificate(blocks=2)).value
    assert value is not None
    assert value.rad() < arb(10) ** -25


def refused(cert: dict[str, Any], *words: str) -> Verdict:
    """The verdict, which must be a refusal whose reason has the words."""
    verdict = check(cert)
    assert verdict.status == "refused", verdict.value
    assert verdict.value is None
    for word in words:
        assert word in verdict.reason
    return verdict


@pytest.mark.parametrize("path", [
    ("inputs", "n"), ("inputs", "delta"), ("inputs", "empirical", "errors"),
    ("inputs", "empirical", "margin"), ("inputs", "parameters", "readout", "sigma", 0),
    ("proposal", "margin"), ("version",), ("inputs", "network", "outputs"),
])
def test_tampering_breaks_the_digest(path: tuple[Any, ...]) -> None:
    cert = certificate()
    put(cert, path, 3)
    refused(cert, "version" if path == ("version",) else "digest")


def test_other_versions_and_formats_are_refused() -> None:
    cert = certificate()
    refused(resigned(cert) | {"version": 2}, "version 1", "2")
    refused({"format": "x"}, "format")
    refused(["not", "a", "certificate"])  # type: ignore[arg-type]


def test_radii_that_move_the_output_too_far_are_refused() -> None:
    cert = certificate()
    covers = cert["proposal"]["scales"][0]["covers"]
    for cover in covers.values():
        cover["eps"] = str(float(cover["eps"]) * 1.01)
    refused(resigned(cert), "sum kappa_a eps_a")


def test_a_class_that_does_not_contain_the_matrix_is_refused() -> None:
    cert = certificate()
    family = cert["proposal"]["classes"]["readout"]
    key = "levels" if family["kind"] == "staircase" else "C"
    family[key] = [j - 1 for j in family[key]] if key == "levels" else family[key] - 1
    refused(resigned(cert), "readout", "lies above its class")


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_a_truncated_class_must_contain_the_norm(rank: int) -> None:
    """With rank 0 no singular value stands before the threshold: the norm has its own condition."""
    cert = certificate(scale=5.0, blocks=2, n=4000)
    proposal, ratio = cert["proposal"], 1 + 2.0 ** -cert["proposal"]["fineness"]
    for name in list(proposal["classes"]):
        entry = cert["inputs"]["parameters"][name]
        if entry["kind"] != "matrix":
            continue
        tau = math.ceil(math.log(entry["sigma"][0] * 1.001) / math.log(ratio))
        proposal["classes"][name] = {"kind": "truncated", "rank": rank, "C": -4000, "tau": tau}
        for scale in proposal["scales"]:
            scale["covers"][name] = {"method": "C3", "rank": rank, "eps": str(ratio**tau * 1.01)}
    verdict = check(resigned(cert))
    assert verdict.status == "refused"
    assert "above its class" in verdict.reason
    assert oracle(cert) == mpf("inf")


def test_a_rank_below_the_verified_rank_is_refused() -> None:
    cert = certificate()
    readout = {"kind": "low-rank", "C": 40, "rank": 1}
    cert["proposal"]["classes"]["readout"] = readout
    refused(resigned(cert), "readout", "lies above its class")


def test_a_threshold_at_or_above_the_radius_is_refused() -> None:
    cert = certificate(rank=0)
    cover = cert["proposal"]["scales"][0]["covers"]["block0.M_in"]
    cert["proposal"]["scales"][0]["covers"]["block0.M_in"] = {
        "method": "C4s", "knots": [1], "eps": cover["eps"]}
    refused(resigned(cert), "tau is not below")


def test_values_off_the_grid_are_refused() -> None:
    cert = certificate()
    cert["proposal"]["margin"] = -0.5
    refused(resigned(cert), "margin", "integer")


def test_a_margin_rounded_up_is_refused() -> None:
    cert = certificate()
    cert["proposal"]["margin"] += 1
    refused(resigned(cert), "margin", "rounded down")


@pytest.mark.parametrize("faithful", [False, True])
@pytest.mark.parametrize("bound", CHOICES)
def test_the_price_left_out_is_rejected(bound: str, faithful: bool) -> None:
    """The adversary claims the number that one gets when the choices cost nothing."""
    cert = certificate(bound, n=10**6, faithful=faithful)
    verdict = check(cert)
    assert verdict.value is not None
    free = oracle(cert, free=True)
    assert float(free) < float(verdict.value.lower())
    honest = {"upper": float(verdict.value.upper()) * (1 + 1e-12)}
    assert check(cert | {"claim": honest}).status == "accepted"
    refused(cert | {"claim": {"upper": float(free)}}, "claim", "price left out")


def test_unknown_fields_are_refused() -> None:
    """A field that nobody checks would let a reader believe something that was not checked."""
    cert = certificate()
    cert["proposal"]["discount"] = 5
    refused(resigned(cert), "discount")
    cert = certificate()
    cert["inputs"]["parameters"]["readout"]["price"] = 0
    refused(resigned(cert), "readout")


@pytest.mark.parametrize(("path", "value", "word"), [
    (("inputs", "n"), 0, "n:"), (("inputs", "n"), -3, "n:"), (("inputs", "n"), 2.5, "n:"),
    (("inputs", "delta"), 0, "delta"), (("inputs", "delta"), "1", "delta"),
    (("inputs", "delta"), "nan", "delta"), (("inputs", "delta"), "1e400", "delta"),
    (("inputs", "empirical", "errors"), -1, "margin error"),
    (("inputs", "empirical", "errors"), 10**9, "margin error"),
    (("inputs", "parameters", "readout", "sigma"), ["inf"], "readout"),
    (("inputs", "parameters", "readout", "sigma"), [-1.0], "readout"),
    (("inputs", "parameters", "readout", "sigma"), [0.1, 0.2], "descending"),
    (("inputs", "parameters", "readout", "shape"), [6, 3], "readout"),
    (("proposal", "bound"), "lucky", "lucky"),
    (("proposal", "constants"), "optimistic", "optimistic"),
    (("proposal", "scales"), [], "scales"),
    (("proposal", "fineness"), -1, "fineness"),
])
def test_impossible_fields_are_refused_with_the_reason(path: tuple[Any, ...], value: Any,
                                                       word: str) -> None:
    cert = certificate()
    put(cert, path, value)
    refused(resigned(cert), word)


def test_a_nan_in_the_json_is_refused() -> None:
    cert = certificate()
    cert["proposal"]["scales"][0]["covers"]["readout"]["eps"] = float("nan")
    refused(cert, "finite")


def test_a_matrix_declared_fixed_costs_nothing_and_may_not_be_classed() -> None:
    import dataclasses

    base = problem()
    table = tuple(dataclasses.replace(p, trained=p.id != "readout") for p in base.parameters)
    fixed = issue(dataclasses.replace(base, parameters=table))
    verdict = check(fixed)
    assert verdict.status == "accepted"
    assert "readout" not in verdict.shares
    other = check(certificate()).value
    assert verdict.value is not None
    assert other is not None
    assert verdict.value < other
