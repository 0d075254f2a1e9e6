"""C8: spend a radius over matrices so that the total entropy is least.

Every cover of these notes has an entropy of the form

    H(eps) = sum_j d_j log(1 + B_j / (eps - tau)) + const,

so one solver serves all of them. Radii are measured as SHARES of the whole,
`s = kappa eps_a / eps` with `sum_a s_a <= 1`, and `B_j`, `tau` in the same unit, all in the log
domain (kappas of deep networks leave the range of floats). This code is untrusted: the checker
evaluates the lemmas themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from majorant.derivation.errors import UnusableInput

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
_NEWTON, _COARSE, _FINE = 5, 32, 80


@dataclass(frozen=True)
class Menu:
    """Candidate covers of `A` parameters, flat: entries (the blocks) in rows (the candidates).

    `dims` and `log_reach` are the `d_j` and `log B_j` of all entries, row after row;
    `row_start[m]` is the first entry of row `m`, `parameter_start[a]` the first row of parameter
    `a`. `log_tau` and `const` are per row: threshold (-inf for none) and everything that does
    not depend on the radius, prices included. Every row has at least one entry.
    """

    dims: Floats
    log_reach: Floats
    row_start: Ints
    log_tau: Floats
    const: Floats
    parameter_start: Ints

    @property
    def owner(self) -> Ints:
        """The row of every entry."""
        counts = np.diff(np.append(self.row_start, len(self.dims)))
        return np.repeat(np.arange(len(self.row_start)), counts)

    @property
    def parameter(self) -> Ints:
        """The parameter of every row."""
        counts = np.diff(np.append(self.parameter_start, len(self.row_start)))
        return np.repeat(np.arange(len(self.parameter_start)), counts)

    def select(self, rows: Ints) -> Menu:
        """The menu with one candidate per parameter: the given rows."""
        ends = np.append(self.row_start, len(self.dims))
        entries = [np.arange(ends[m], ends[m + 1]) for m in rows]
        starts = np.cumsum([0, *map(len, entries)])[:-1]
        flat = np.concatenate(entries)
        return Menu(self.dims[flat], self.log_reach[flat], starts.astype(np.intp),
                    self.log_tau[rows], self.const[rows], np.arange(len(rows)))

    def scaled(self, log_weight: Floats) -> Menu:
        """The same menu in shares: `log_weight[a] = log(kappa_a / eps)`."""
        shift = log_weight[self.parameter]
        return Menu(self.dims, self.log_reach + shift[self.owner], self.row_start,
                    self.log_tau + shift, self.const, self.parameter_start)


@dataclass(frozen=True)
class Allocation:
    """Log shares of the parameters, the row chosen for each, entropies (consts included)."""

    log_share: Floats
    rows: Ints
    entropy: Floats

    @property
    def total(self) -> float:
        """The entropy of the whole network with its prices, in nats."""
        return float(self.entropy.sum())


def entropies(menu: Menu, log_u: Floats) -> Floats:
    """`H` of every row at `u = eps - tau`, given as log shares."""
    grown = np.logaddexp(0.0, menu.log_reach - log_u[menu.owner])
    return np.asarray(np.add.reduceat(menu.dims * grown, menu.row_start) + menu.const)


def _log_sum(values: Floats) -> float:
    top = float(values.max())
    return top if math.isinf(top) else top + math.log(float(np.exp(values - top).sum()))


class _Dual:
    """The Lagrangian of a menu at a multiplier: best row, its share, its `u`."""

    def __init__(self, menu: Menu) -> None:
        self.menu, self.owner, self.parameter = menu, menu.owner, menu.parameter
        self.size = np.add.reduceat(menu.dims, menu.row_start)
        self.log_size = np.log(np.maximum(self.size, 1e-300))

    def stationary(self, log_lam: float) -> Floats:
        """The log of the `u` at which `-H'(u) = lam`, per row (Newton in the log)."""
        menu = self.menu
        x = self.log_size - log_lam
        for _ in range(_NEWTON):
            gate = 1 / (1 + np.exp(np.clip(x[self.owner] - menu.log_reach, -700, 700)))
            part = menu.dims * gate
            weight = np.maximum(np.add.reduceat(part, menu.row_start), 1e-300)
            bend = np.add.reduceat(part * (1 - gate), menu.row_start) / weight
            x = x + (np.log(weight) - x - log_lam) / (1 + bend)
        # a cover of dimension 0 needs little more than its threshold
        return np.where(self.size > 0, x, menu.log_tau + math.log(1e-9))

    def best(self, log_lam: float) -> tuple[Floats, Ints, Floats]:
        """Log shares, chosen rows and log `u`, per parameter."""
        menu = self.menu
        log_u = self.stationary(log_lam)
        log_share = np.logaddexp(log_u, menu.log_tau)
        # a cover of dimension 0 has H = const at every u: evaluate it away from u = 0
        cost = entropies(menu, np.where(self.size > 0, log_u, 0.0))
        cost = cost + np.exp(np.minimum(log_lam + log_share, 700.0))
        least = np.minimum.reduceat(cost, menu.parameter_start)
        hits = np.flatnonzero(cost <= least[self.parameter])
        _, first = np.unique(self.parameter[hits], return_index=True)
        rows = hits[first]
        return log_share[rows], rows, log_u[rows]

    def excess(self, log_lam: float, log_room: float) -> float:
        """How far (in the log) the chosen shares exceed the room; decreasing in the multiplier."""
        return _log_sum(self.best(log_lam)[0]) - log_room

    def multiplier(self, log_room: float, steps: int, tolerance: float) -> float:
        """A `log lam` at which the chosen shares fit into the room, nearly filling it.

        Where radii are small against norms, shares go like `1/lam`: a step of the excess is then
        nearly exact. Every trial narrows a bracket; a step that leaves it is a bisection.
        """
        low, high = -60.0, 100.0
        if self.excess(high, log_room) > 0:
            raise UnusableInput("allocation: the thresholds alone use more than the whole radius")
        trial = _log_sum(self.log_size)
        for _ in range(steps):
            if not low < trial < high:
                trial = (low + high) / 2
            excess = self.excess(trial, log_room)
            if excess > 0:
                low = trial
            else:
                high = trial
            if -tolerance < excess <= 0 or high - low < 1e-14 * max(1.0, abs(high)):
                break
            trial += excess + tolerance / 4 if abs(excess) > tolerance else tolerance / 2
        return high


def allocate(menu: Menu, slack: float = 1e-9) -> Allocation:
    """The allocation of C8 for a menu in share units; shares sum to at most `1 - slack`.

    The multiplier is found with the best candidate of each parameter at every trial (a
    relaxation: the choice is discrete); then the choices are fixed and the radii solved again so
    that the constraint is tight. Raises `UnusableInput` when no candidate fits.

    >>> two = Menu(dims=np.array([10.0, 10.0]), log_reach=np.array([5.0, 5.0]),
    ...     row_start=np.array([0, 1]), log_tau=np.full(2, -np.inf), const=np.zeros(2),
    ...     parameter_start=np.array([0, 1]))
    >>> np.exp(allocate(two).log_share).round(6).tolist()
    [0.5, 0.5]
    """
    room = math.log1p(-slack)
    search = _Dual(menu)
    _, rows, _ = search.best(search.multiplier(room, _COARSE, 1e-3))
    fixed = menu.select(rows)
    solve = _Dual(fixed)
    log_share, _, log_u = solve.best(solve.multiplier(room, _FINE, 1e-10))
    entropy = entropies(fixed, np.where(solve.size > 0, log_u, 0.0))
    return Allocation(log_share, rows, entropy)


def equal_split(menu: Menu, slack: float = 1e-9) -> Allocation:
    """The published choice: every parameter gets the same share; the best candidate at it."""
    count = len(menu.parameter_start)
    share = math.log1p(-slack) - math.log(count)
    gap = np.exp(np.minimum(menu.log_tau - share, 0.0))
    log_u = share + np.log1p(-np.minimum(gap, 1 - 1e-16))
    cost = np.where(gap < 1, entropies(menu, log_u), np.inf)
    least = np.minimum.reduceat(cost, menu.parameter_start)
    if not np.isfinite(least).all():
        raise UnusableInput("allocation: a threshold is larger than the equal share of the radius")
    hits = np.flatnonzero(cost <= least[menu.parameter])
    _, first = np.unique(menu.parameter[hits], return_index=True)
    return Allocation(np.full(count, share), hits[first].astype(np.intp), least)
