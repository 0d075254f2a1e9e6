"""The envelope bound: spectral covers at several scales, chained on a tree (G3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from majorant.derivation.errors import UnusableInput
from majorant.numerics.certificates.covering import Candidates, Plan, candidates, cover_json
from majorant.numerics.certificates.leverage import Pull, plan_pulls
from majorant.numerics.certificates.prepared import Prepared, log_rademacher_bound
from majorant.numerics.certificates.problem import Problem, grid_price
from majorant.numerics.optimize.covers import Row

_PARTS = 16  # scales are 2^(-1 - i/16), i = 1, 2, ...; every sixteenth one is dyadic
_OCTAVES = 12  # how far down to look at first
_DEEPEST = 60
_NEGLIGIBLE = 1e-6  # links are left out if the value grows by this fraction at most
_REFERENCES = (1, 3, 5)  # octaves below 1/2 at which the classes are chosen: 1/4, 1/16, 1/64


@dataclass(frozen=True)
class Tree:
    """Covers of one choice of classes at every scale; any decreasing subset of them is a chain.

    The scales are free: for a fixed class, `n` and `delta`, the least value of G3 over all chains
    is one number that holds with the same probability, so the choice costs nothing. (The classes
    depend on the weights, and are paid for.)
    """

    candidates: Candidates
    plans: dict[int, Plan | None] = field(default_factory=dict, compare=False)

    def scale(self, i: int) -> float:
        """`e_i = 2^(-1 - i/16)`."""
        return float(2.0 ** (-1 - i / _PARTS))

    def plan(self, i: int) -> Plan | None:
        """The least cover of the loss class at scale `i >= 1`; none where a tail does not fit."""
        if i not in self.plans:
            try:
                self.plans[i] = self.candidates.cover(-i / _PARTS * math.log(2))
            except UnusableInput:  # a class keeps its threshold tau, which no radius may reach
                self.plans[i] = None
        return self.plans[i]

    @property
    def price(self) -> float:
        """Price of the classes, in nats: all covers of one class cost the same."""
        return math.fsum(options[0].price for options in self.candidates.rows)

    def entropy(self, i: int) -> float:
        """`H(e_i)` of the network, without prices; infinite where there is no cover."""
        found = self.plan(i)
        return math.inf if found is None else max(0.0, found.total - self.price)

    def link(self, i: int, log_n: float) -> float:
        """`sqrt(2 H(e_i)/n)`: what a link to scale `i` costs per unit of its length."""
        return math.sqrt(2 * self.entropy(i)) * math.exp(-log_n / 2)

    def value(self, path: Sequence[int], log_n: float) -> float:
        """`e_J + sum_j e_{j-1} sqrt(2 H(e_j)/n)` (G3, internal covers), `e_0 = 1/2`."""
        links = (self.scale(i) * self.link(j, log_n) for i, j in pairwise([0, *path]))
        return self.scale(path[-1]) + math.fsum(links)

    def chain(self, log_n: float) -> tuple[list[int], float]:
        """A chain with the least value, and the value.

        A shortest path over the dyadic scales, finer ones added while they help; then every scale
        is moved, by half an octave and less, while that helps.
        """
        octaves = _OCTAVES
        path = self._shortest(octaves, log_n)
        while octaves < _DEEPEST and path[-1] == octaves * _PARTS:
            octaves = min(_DEEPEST, octaves + _OCTAVES)
            path = self._shortest(octaves, log_n)
        step = _PARTS // 2
        while step:
            moved = min(self._moves(path, step), key=lambda other: self.value(other, log_n))
            if self.value(moved, log_n) < self.value(path, log_n) * (1 - _NEGLIGIBLE / 100):
                path = moved
            else:
                step //= 2
        return path, self.value(path, log_n)

    def _moves(self, path: list[int], step: int) -> Iterator[list[int]]:
        yield path
        for at, i in enumerate(path):
            for j in (i - step, i + step):
                other = [*path[:at], j, *path[at + 1:]]
                if all(x < y for x, y in pairwise([0, *other])):
                    yield other

    def _shortest(self, octaves: int, log_n: float) -> list[int]:
        """The fewest dyadic scales whose chain is within `_NEGLIGIBLE` of the best one."""
        scales = [i * _PARTS for i in range(octaves + 1)]
        e = np.array([self.scale(i) for i in scales])
        cost = np.array([0.0, *(self.link(i, log_n) for i in scales[1:])])
        longer = np.where(np.tri(octaves + 1, dtype=bool), math.inf, e[:, None] * cost[None, :])
        reached = np.where(np.arange(octaves + 1) == 0, 0.0, math.inf)  # with no link
        found: list[int] = []
        value = math.inf
        before: list[Any] = []
        while len(before) < octaves:
            steps = reached[:, None] + longer
            before.append(steps.argmin(axis=0))
            reached = steps.min(axis=0)
            last = int((reached + e).argmin())
            if reached[last] + e[last] >= value * (1 - _NEGLIGIBLE):
                break
            value, found = float(reached[last] + e[last]), [last]
            for step in before[:0:-1]:
                found.append(int(step[found[-1]]))
        return [scales[at] for at in reversed(found)]


@dataclass(frozen=True)
class Chained(Prepared):
    """Trees for several choices of classes; the best one is taken at every sample size."""

    trees: tuple[Tree, ...]

    def paid(self, tree: Tree) -> float:
        """Prices and `log(1/delta)`."""
        return tree.price + grid_price(self.grid) + self.log_one_over_delta

    def best(self, log_n: float) -> Tree:
        """The choice of classes with the least bound at this sample size."""
        return min(self.trees, key=lambda tree: self._log_value(tree, log_n, 0.0))

    def _log_value(self, tree: Tree, log_n: float, error: float) -> float:
        return log_rademacher_bound(error, math.log(tree.chain(log_n)[1]), self.paid(tree), log_n)

    def log_value(self, log_n: float, error: float) -> float:
        return min(self._log_value(tree, log_n, error) for tree in self.trees)

    def pulls(self, log_n: float) -> dict[str, Pull]:
        """The links fall like `sqrt(H/n)`: their entropies' elasticities, weighted by the links."""
        tree = self.best(log_n)
        path = tree.chain(log_n)[0]
        links = {j: tree.scale(i) * tree.link(j, log_n) for i, j in pairwise([0, *path])}
        total, pulls = math.fsum(links.values()), dict[str, Pull]()
        for i, link in links.items():
            if (found := tree.plan(i)) is None or link == 0:
                continue
            for name, pull in plan_pulls(self.problem, found).items():
                share = pull.scaled(link / total / tree.entropy(i))
                pulls[name] = share.plus(pulls.get(name, Pull(0.0, 0.0)))
        return pulls

    def choices(self, log_n: float) -> dict[str, Any]:
        tree = self.best(log_n)
        ids = [p.id for p in self.problem.trained]
        scales = []
        for i in tree.chain(log_n)[0]:
            found = tree.plan(i)
            assert found is not None, "a chain has finite links only"
            covers = {name: cover_json(row, log_eps) for name, row, log_eps
                      in zip(ids, found.rows, found.log_eps, strict=True)}
            scales.append({"e": tree.scale(i), "covers": covers})
        families = {name: options[0].family
                    for name, options in zip(ids, tree.candidates.rows, strict=True)}
        return {"classes": families, "scales": scales}


def _internal(row: Row) -> bool:
    """Whether the cover's centres lie in the class (then G3 has its smaller links)."""
    if row.method["method"] == "C3":
        return row.family["kind"] != "staircase" and row.method["rank"] == row.family["rank"]
    return row.method["method"] != "C1"


def prepare_chained(problem: Problem, *, fineness: int | None = None, constants: str = "sharp",
                    split: str = "best") -> Chained:
    """Choose classes at a few scales, then cover each choice at every scale.

    With `split="best"` the classes that the equal split would choose are among the choices, so
    the result is never worse than the equal split's.
    """
    everything = candidates(problem, fineness=fineness, constants=constants, split=split)
    trees: dict[str, Tree] = {}
    for octave in _REFERENCES:
        for how in dict.fromkeys((split, "equal")):
            rows = everything.cover(-octave * math.log(2), how).rows
            key = repr([row.family for row in rows])
            if key not in trees:
                kept = everything.only(lambda a, row, rows=rows: (  # type: ignore[misc]
                    row.family == rows[a].family and _internal(row)))
                trees[key] = Tree(kept)
    return Chained(problem, "envelope", everything.grid, constants, tuple(trees.values()))
