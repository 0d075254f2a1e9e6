"""Printed forms: LaTeX that MathJax and KaTeX accept, Python that gives the same number."""

from __future__ import annotations

import math
import re

import pytest
import sympy as sp

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions import KLInverse, LogPlus, MinOver, PositivePower, Risk
from majorant.derivation.monotonicity import Monotonicity
from majorant.derivation.printing import latex, python_source, text
from majorant.derivation.printing.python_source import python_name
from majorant.derivation.shipped import as_json, as_text, shipped_bounds, shipped_lemmas
from majorant.derivation.symbols import C_Q_of, R_hat, a, c, h, l, m_grid, step, symbol_catalogue
from majorant.numerics.lowering import ball_function
from majorant.numerics.lowering.arguments import arguments_of
from majorant.numerics.lowering.samples import Sampler

# What both MathJax (base, ams) and KaTeX document as supported.
WORDS = """left right frac sqrt sum prod min max log exp leq geq lfloor rfloor lceil rceil sup inf
operatorname mathrm mathcal mathfrak mathbb mathbf text cdot quad substack begin end widehat hat
tilde overline infty lim int binom ln sin cos tan tanh sinh cosh arctan neq ne wedge vee neg mid
partial ell displaystyle middle to in subset sim times pm limits lvert rvert lVert rVert Vert
alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho varrho
sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"""
COMMANDS = frozenset(WORDS.replace("\n", " ").split(" "))

ITEMS = {item.name: item for registry in (shipped_lemmas(), shipped_bounds()) for item in registry}


def check_latex(source: str) -> None:
    """Known commands, balanced braces and \\left/\\right, no double subscripts."""
    for command in re.findall(r"\\([A-Za-z]+)", source):
        assert command in COMMANDS, f"\\{command} in {source}"
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", source):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\left\b", source)) == len(re.findall(r"\\right\b", source))
    assert not re.search(r"_\w_|_\{[^{}]*\}_", source), source
    assert not re.search(r"\^\w\^|\^\{[^{}]*\}\^", source), source


@pytest.mark.parametrize("name", sorted(ITEMS))
def test_latex_of_every_statement_uses_what_mathjax_and_katex_know(name: str) -> None:
    check_latex(ITEMS[name].latex())


def test_latex_of_every_catalogue_symbol() -> None:
    for entry in symbol_catalogue().values():
        check_latex(latex(entry.symbol))


def test_an_index_joins_the_subscript_of_its_family() -> None:
    assert latex(C_Q_of[l, h] ** 2) == "C_{Q,l,h}^{2}"


# evaluated on certificates instead (tests/proofs/checker): its families hang together
@pytest.mark.parametrize("name", sorted(ITEMS.keys() - {"envelope-staircase"}))
def test_python_source_stands_alone_and_gives_the_same_number(name: str) -> None:
    item = ITEMS[name]
    try:
        source = item.python()
    except UnsupportedExpression:
        opaque = item.printed_formula.has(sp.Function, sp.Integral, sp.Derivative)
        assert opaque, name
        return
    namespace: dict[str, object] = {}
    exec(compile(source, name, "exec"), namespace)
    assert re.findall(r"^(?:import|from) .*", source, re.M) == ["import math"]
    args = arguments_of(item.printed_formula)
    sampler = Sampler(item.printed_formula, item.hypotheses)
    exact = ball_function(item.printed_formula, args, 120)
    for seed in range(2):
        values = sampler.point(seed).at(args)
        named = {python_name(arg): value for arg, value in zip(args, values, strict=True)}
        function = namespace[re.sub(r"\W", "_", item.name)]
        found, ball = function(**named), exact(*values)  # type: ignore[operator]
        assert math.isclose(found, float(ball.mid()), rel_tol=1e-7, abs_tol=1e-12), name


def test_python_of_own_functions_carries_only_the_helpers_it_needs() -> None:
    source = python_source(KLInverse(R_hat, c), "inverse")
    assert "def kl_inverse" in source and "def bernoulli_kl" in source
    assert "positive_power" not in source
    namespace: dict[str, object] = {}
    exec(source, namespace)
    assert namespace["inverse"](0.01, 0.05) == pytest.approx(0.07809846289672107)  # type: ignore[operator]


def test_python_of_an_opaque_name_is_refused() -> None:
    with pytest.raises(UnsupportedExpression, match="Risk"):
        python_source(Risk() + 1, "risk")


def test_python_names_are_valid() -> None:
    assert python_name(sp.Symbol("lambda")) == "lambda_"
    compile(python_source(sp.Symbol("lambda") + sp.Symbol("x'"), "f"), "f", "exec")


def test_text_reads_like_a_formula() -> None:
    grid = MinOver(PositivePower(R_hat, step / m_grid) + LogPlus(c), (step, 0, 2 * m_grid))
    assert text(grid) == "min[step = 0..2*m_grid](LogPlus(c) + PositivePower(R_hat, step/m_grid))"
    assert text(sp.Sum(C_Q_of[l, a], (a, 1, 3))) == "sum[a = 1..3](C_Q_of[l, a])"


@pytest.mark.parametrize("name", ["C3", "A3", "G5", "published", "occam"])
def test_json_has_the_contract_keys_and_is_json(name: str) -> None:
    import json

    from majorant.derivation.shipped import find

    data = as_json(find(name))
    for key in ("name", "latex", "symbols", "hypotheses", "ledger", "monotonicity"):
        assert key in data
    assert json.loads(json.dumps(data)) == data
    assert all(row["domain"] and row["meaning"] for row in data["symbols"])
    assert max(map(len, as_text(find(name)).splitlines())) <= 100 or "[" in as_text(find(name))


def test_directions_are_printed_with_the_part_to_blame() -> None:
    from majorant.derivation.shipped import find

    found = find("published_contribution").monotonicity()["p"]
    assert isinstance(found, Monotonicity)
    assert found.direction == "unknown" and found.blame is not None
