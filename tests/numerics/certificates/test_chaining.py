"""G3 on free scales: never worse than Dudley's integral (G2) on the same covers, and checked."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from certificate_cases import problem
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.certificate import sign
from majorant.derivation.generalization import chaining_constant, dudley_bound
from majorant.derivation.generalization.chaining import Chaining
from majorant.numerics.certificates.chaining import Tree, prepare_chained
from majorant.numerics.certificates.covering import cover_json
from majorant.numerics.certificates.issue import certificate_of
from majorant.proofs.checker import check


def dudley(tree: Tree, log_n: float, covers: Chaining) -> float:
    """At most G2 on the tree's covers: the entropy decreases, so lower sums bound the integral."""
    least, integral = math.inf, 0.0
    constant = float(chaining_constant(covers))
    for i in range(16, 16 * 16, 4):  # the cut lies between scale i + 4 and scale i
        value = float(dudley_bound(integral, tree.scale(i + 4), math.exp(log_n), constant))
        least = min(least, value)
        integral += (tree.scale(i) - tree.scale(i + 4)) * math.sqrt(tree.entropy(i))
    return least


@pytest.mark.parametrize("covers", ["textbook", "any", "internal"])
@settings(max_examples=12, deadline=None)
@given(scale=st.floats(0.05, 30.0), rank=st.integers(0, 3), log_n=st.floats(9, 22),
       blocks=st.integers(1, 2))
def test_tree_chaining_is_never_worse_than_dudley(covers: Chaining, scale: float, rank: int,
                                                  log_n: float, blocks: int) -> None:
    """Where G2 says anything: every class of losses has complexity at most 1/2."""
    base = problem(blocks=blocks, heads=1, rank=rank, scale=scale)
    for tree in prepare_chained(base).trees:
        value = dudley(tree, log_n, covers)
        assert value >= 0.5 or tree.chain(log_n)[1] <= value


def test_a_tail_that_does_not_fit_ends_the_chain_and_not_the_bound() -> None:
    """Truncated classes have covers at coarse scales only."""
    found = prepare_chained(problem(heads=1, rank=0, scale=0.3))
    ends = [tree for tree in found.trees if tree.plan(16 * 20) is None]
    assert ends
    assert all(math.isfinite(tree.chain(40.0)[1]) for tree in ends)
    assert check(certificate_of(found)).status == "accepted"


@settings(max_examples=10, deadline=None)
@given(scale=st.floats(0.05, 30.0), log_n=st.floats(5, 40), data=st.data())
def test_no_other_chain_is_better(scale: float, log_n: float, data: st.DataObject) -> None:
    """Random chains, and every dyadic one that goes down octave by octave."""
    (tree, *_) = prepare_chained(problem(heads=1, scale=scale)).trees
    path, value = tree.chain(log_n)
    assert value == pytest.approx(tree.value(path, log_n), rel=1e-12)
    others = [sorted(data.draw(st.sets(st.integers(1, 300), min_size=1, max_size=6)))
              for _ in range(20)]
    others += [[16 * i for i in range(1, last + 1)] for last in range(1, 20)]
    assert all(value <= tree.value(other, log_n) * (1 + 1e-5) for other in others)


def test_the_stop_goes_down_with_the_sample_size() -> None:
    (tree, *_) = prepare_chained(problem()).trees
    values = [tree.chain(log_n) for log_n in (10.0, 20.0, 40.0, 80.0)]
    assert all(a[1] > b[1] for a, b in pairwise(values))
    assert all(a[0][-1] < b[0][-1] for a, b in pairwise(values))
    assert values[-1][1] < 1e-9


@pytest.mark.parametrize("path", [[1], [3, 4, 5], [7, 50, 51, 400]])
def test_the_checker_takes_any_decreasing_scales(path: list[int]) -> None:
    found = prepare_chained(problem())
    (tree, *_) = found.trees
    certificate = certificate_of(found)
    ids = [p.id for p in found.problem.trained]
    scales = []
    for i in path:
        plan = tree.plan(i)
        assert plan is not None
        covers = {name: cover_json(row, log_eps) for name, row, log_eps in zip(
            ids, plan.rows, plan.log_eps, strict=True)}
        scales.append({"e": tree.scale(i), "covers": covers})
    proposal = certificate["proposal"] | {"scales": scales}
    verdict = check(sign(certificate["inputs"], proposal))
    assert verdict.status == "accepted", verdict.reason
    best = check(certificate).value
    assert verdict.value is not None
    assert best is not None
    assert float(best) <= float(verdict.value)
    for wrong in ([*scales, scales[-1]], [*scales, {**scales[0], "e": 0.5}],
                  [*scales, {**scales[-1], "e": 0.0}]):
        refused = check(sign(certificate["inputs"], proposal | {"scales": wrong}))
        assert "scales must decrease" in refused.reason
