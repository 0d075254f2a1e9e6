"""Bounds in closed form: `schatten`, `published`, `norm`. Search shares, indices, theta, cut."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from majorant.derivation.certificate import decimal_text
from majorant.derivation.generalization import chaining_constant
from majorant.derivation.published import grid_resolution
from majorant.numerics.certificates.covering import usual_fineness
from majorant.numerics.certificates.leverage import Pull
from majorant.numerics.certificates.prepared import Prepared, log_rademacher_bound
from majorant.numerics.certificates.problem import Gridded, Problem, grid_price, on_grid
from majorant.numerics.certificates.problem import sensitivities as propagated
from majorant.numerics.optimize.closed_forms import elasticity, evaluate
from majorant.numerics.optimize.covers import VECTOR_KINDS
from majorant.numerics.optimize.grids import log_ratio
from majorant.numerics.optimize.parameters import Parameter
from majorant.numerics.optimize.prices import kind_price, real_price

CHAINING = {"schatten": "any", "published": "textbook", "norm": "internal",
            "norm-zhang": "textbook"}
_THETAS = (2.0**-20, 0.1, 0.3, 0.6, 0.9)  # free, like the shares: it costs nothing
_HALVINGS = 3
_ROUNDS = 12
Values = dict[str, Tensor | float]


@dataclass(frozen=True)
class Moments:
    """Grid indices of `S_p` for every index of the grid (or of `F`): (K, indices)."""

    level: Tensor
    p: Tensor


@dataclass(frozen=True)
class Closed(Prepared):
    """Shares and indices of one closed form, found for one sample size."""

    matrices: tuple[Parameter, ...]
    vectors: tuple[Parameter, ...]
    log_kappa: Tensor
    log_kappa_vec: Tensor
    moments: Moments
    split: str
    solved: dict[float, Any] = field(default_factory=dict, compare=False)

    @property
    def term(self) -> str:
        return "norm" if self.bound.startswith("norm") else self.bound

    @property
    def resolution(self) -> int:
        return int(grid_resolution(max(1, len(self.problem.network.blocks)),
                                   self.problem.network.width))

    def solve(self, log_n: float) -> tuple[float, Tensor, Tensor, Tensor, float]:
        """`log I` (the entropy integral), log shares of both kinds, indices, theta or cut."""
        key = 0.0 if self.term == "schatten" else log_n  # its integral does not depend on n
        if key not in self.solved:
            tried = {x: self._solve(log_n, x)
                     for x in (_THETAS if self.term == "schatten" else (0.0,))}
            for _ in range(_HALVINGS if self.term == "schatten" else 0):
                at = min(tried, key=lambda x: tried[x][0])
                around = sorted([*tried, 1.0])
                place = around.index(at)
                for other in around[max(0, place - 1):place + 2]:
                    if other != at:
                        tried[(at + other) / 2] = self._solve(log_n, (at + other) / 2)
            self.solved[key] = min(tried.values(), key=lambda x: x[0])
        return self.solved[key]

    def _values(self, log_n: float, theta: float) -> Values:
        step = log_ratio(self.grid.fineness)
        rho = 1.0 if self.problem.network.outputs in (None, 1) else math.sqrt(2.0)
        log_C = [self.grid.norms[p.id] * step for p in self.matrices]
        return {
            "N1_of": _column([p.shape[0] for p in self.matrices]),
            "N2_of": _column([p.shape[1] for p in self.matrices]),
            "log_C_of": _column(log_C), "log_kappa_of": self.log_kappa[:, None],
            "log_Lambda": math.log(rho) - self.grid.margin * step, "theta": theta,
            "log_n": log_n, "log_T": math.log(self.problem.seq_len or 1),
            "log_S_of": self.moments.level * step, "log_F_of": self.moments.level * step,
            "p_of": self.moments.p.expand_as(self.moments.level),
            "d_of": _column([p.shape[0] for p in self.vectors])[:, 0],
            "log_B_of": _column([self.grid.norms[p.id] * step for p in self.vectors])[:, 0],
            "log_kappa_vec_of": self.log_kappa_vec}

    def _solve(self, log_n: float, theta: float) -> tuple[float, Tensor, Tensor, Tensor, float]:
        values = self._values(log_n, theta)
        count = len(self.matrices) + len(self.vectors)
        log_w = torch.full((len(self.matrices),), -math.log(count), dtype=torch.float64)
        log_v = torch.full((len(self.vectors),), -math.log(count), dtype=torch.float64)
        best = self._integral(values, log_w, log_v, log_n)
        for _ in range(0 if self.split == "equal" else _ROUNDS):
            log_w, log_v = self._better_shares(values, log_w, log_v, best[3], log_n)
            trial = self._integral(values, log_w, log_v, log_n)
            if trial[0] < best[0]:
                best = trial
        return float(best[0]), *best[1:4], theta or best[4]

    def _integral(self, values: Values, log_w: Tensor, log_v: Tensor,
                  log_n: float) -> tuple[Tensor, Tensor, Tensor, Tensor, float]:
        terms = evaluate(self.term, {**values, "log_w_of": log_w[:, None]})
        terms, index = terms.min(dim=1)
        parts = [self._vector_terms(values, log_v)]
        cut = 0.25
        if self.term == "norm":
            root = 0.5 * torch.logsumexp(terms, 0)
            cut = self._cut(float(root.detach()), log_n)
            parts += [root[None] + _log_width(cut), torch.tensor(
                [math.log(0.25) + 0.5 * math.log(len(self.matrices) * math.log(2))])]
        else:
            parts.append(terms)
            if self.term == "published":
                floor = math.log(len(self.matrices)) + math.log(0.25 * math.sqrt(math.log(2)))
                parts.append(torch.tensor([floor]))
        total = torch.logsumexp(torch.cat(parts), 0)
        return total, log_w, log_v, index, cut

    def _cut(self, log_root: float, log_n: float) -> float:
        """The cut-off that balances `4 a` with the integral above it."""
        constant = float(chaining_constant(CHAINING[self.bound]))  # type: ignore[arg-type]
        log_cut = math.log(constant / 4) + log_root - log_n / 2
        return min(0.25, math.exp(min(0.0, log_cut)))

    def _vector_terms(self, values: Values, log_v: Tensor) -> Tensor:
        if not self.vectors:
            return torch.empty(0, dtype=torch.float64)
        return evaluate("vector", {**values, "log_w_vec_of": log_v})

    def _better_shares(self, values: Values, log_w: Tensor, log_v: Tensor, index: Tensor,
                       log_n: float) -> tuple[Tensor, Tensor]:
        """One damped step towards `w_a` proportional to the pull of its own term."""
        chosen = _at_index(values, index)
        term, slope = elasticity(self.term, {**chosen, "log_w_of": log_w}, "log_w_of")
        pull = term + slope.clamp_min(1e-12).log()
        if self.term == "norm":
            root = 0.5 * torch.logsumexp(term, 0)
            cut = self._cut(float(root.detach()), log_n)
            # with nothing to integrate every share is as good: the pulls only have to be finite
            pull = term - root + (_log_width(cut) if cut < 0.25 else 0.0)
        pulls, slopes = [pull], [slope]
        if self.vectors:
            other, bend = elasticity("vector", {**chosen, "log_w_vec_of": log_v}, "log_w_vec_of")
            pulls.append(other + bend.clamp_min(1e-12).log())
            slopes.append(bend)
        both, bends = torch.cat(pulls), torch.cat(slopes)
        goal = both - torch.logsumexp(both, 0)
        old = torch.cat([log_w, log_v])
        new = old + (goal - old) / (1 + bends)
        new = new - torch.logsumexp(new, 0)
        return new[:len(log_w)], new[len(log_w):]

    def paid(self, log_n: float) -> float:
        """Prices and `log(1/delta)`."""
        total = grid_price(self.grid) + self.log_one_over_delta
        for p in self.problem.trained:
            total += kind_price(2)
            total += real_price(self.grid.norms[p.id]) if p.size > 0 else 0.0
        levels = self.solve_levels(log_n)[1]
        total += math.fsum(real_price(int(j)) for j in levels)
        if self.term != "norm":
            total += len(self.matrices) * math.log(2 * self.resolution + 1)
        return total

    def solve_levels(self, log_n: float) -> tuple[Tensor, Tensor]:
        """The chosen indices and the grid points of their moments."""
        index = self.solve(log_n)[3]
        return index, self.moments.level.gather(1, index[:, None])[:, 0]

    def log_value(self, log_n: float, error: float) -> float:
        log_integral, *_, cut = self.solve(log_n)
        constant = float(chaining_constant(CHAINING[self.bound]))  # type: ignore[arg-type]
        log_r = math.log(constant) + log_integral - log_n / 2
        if self.term == "norm":
            log_r = max(log_r, math.log(4 * cut)) + math.log1p(
                math.exp(-abs(log_r - math.log(4 * cut))))
        return log_rademacher_bound(error, log_r, self.paid(log_n), log_n)

    def parts(self, log_n: float) -> dict[str, float]:
        """Each parameter's fraction of the entropy integral."""
        _, log_w, log_v, index, extra = self.solve(log_n)
        values = self._values(log_n, extra if self.term == "schatten" else 0.0)
        logs = evaluate(self.term, {**_at_index(values, index), "log_w_of": log_w})
        if self.term == "norm":
            logs = logs - 0.5 * torch.logsumexp(logs, 0) + _log_width(extra)
        logs = torch.cat([logs, self._vector_terms(values, log_v)])
        if not bool(logs.isfinite().any()):
            return {}  # the cut-off leaves nothing to integrate
        both = torch.softmax(logs, 0)
        names = [p.id for p in (*self.matrices, *self.vectors)]
        return dict(zip(names, both.tolist(), strict=True))

    def pulls(self, log_n: float) -> dict[str, Pull]:
        """The complexity falls like `I/sqrt(n)`: twice the elasticity of the entropy integral."""
        _, log_w, log_v, index, extra = self.solve(log_n)
        values = self._values(log_n, extra if self.term == "schatten" else 0.0)
        names = ("log_kappa_of", "log_kappa_vec_of", "log_C_of", "log_B_of", "log_S_of",
                 "log_F_of")
        leaves = {key: torch.as_tensor(values[key]).detach().clone().requires_grad_()
                  for key in names}
        log_integral = self._integral({**values, **leaves}, log_w, log_v, log_n)[0]
        found = torch.autograd.grad(log_integral, list(leaves.values()), allow_unused=True)
        slope = {key: torch.zeros(()) if grad is None else 2 * grad.reshape(len(grad), -1).sum(1)
                 for key, grad in zip(leaves, found, strict=True)}
        power = self.moments.p[0][index]  # S_p scales with this power of the norm, F with 1
        size = slope["log_C_of"] + power * slope["log_S_of"] + slope["log_F_of"]
        pairs = [(self.matrices, slope["log_kappa_of"], size),
                 (self.vectors, slope["log_kappa_vec_of"], slope["log_B_of"])]
        return {p.id: Pull(float(a), float(b)) for parameters, kappas, sizes in pairs if parameters
                for p, a, b in zip(parameters, kappas, sizes, strict=True)}

    def choices(self, log_n: float) -> dict[str, Any]:
        _, log_w, log_v, index, extra = self.solve(log_n)
        levels = self.moments.level.gather(1, index[:, None])[:, 0]
        classes: dict[str, Any] = {p.id: {"kind": "zero"} for p in self.problem.trained}
        shares = {}
        for p, j, i, w in zip(self.matrices, levels.tolist(), index.tolist(), log_w.tolist(),
                              strict=True):
            moment = {"F": int(j)} if self.term == "norm" else {"S": int(j), "index": i}
            kind = "frobenius" if self.term == "norm" else "schatten"
            classes[p.id] = {"kind": kind, "C": self.grid.norms[p.id], **moment}
            shares[p.id] = decimal_text(w - 1e-9, 12)
        for p, w in zip(self.vectors, log_v.tolist(), strict=True):
            classes[p.id] = {"kind": "ball", "C": self.grid.norms[p.id]}
            shares[p.id] = decimal_text(w - 1e-9, 12)
        more = {"schatten": {"theta": extra}, "norm": {"cut": extra}}.get(self.term, {})
        return {"classes": classes, "shares": shares, **more}


def _log_width(cut: float) -> float:
    """`log log(1/(4 cut))`: the integral of `1/eps` from the cut-off to 1/4."""
    width = math.log(0.25 / cut)
    return math.log(width) if width > 0 else -math.inf


def _at_index(values: Values, index: Tensor) -> Values:
    """One entry a matrix: at its chosen index where there are several."""
    return {key: value.gather(1, index[:, None])[:, 0]
            if isinstance(value, Tensor) and value.dim() == 2 and value.shape[1] > 1
            else value[:, 0] if isinstance(value, Tensor) and value.dim() == 2 else value
            for key, value in values.items()}


def _column(values: list[float] | list[int]) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)[:, None]


def _moments(matrices: tuple[Parameter, ...], grid: Gridded, bound: str,
             resolution: int) -> Moments:
    """Upper grid points of `S_p` at every index below 2, or of the Frobenius norm."""
    count = 1 if bound.startswith("norm") else 2 * resolution
    p = torch.arange(count, dtype=torch.float64) / max(1, resolution)
    p = torch.full_like(p, 2.0) if count == 1 else p
    width = max(matrix.rank for matrix in matrices)
    log_sigma = torch.full((len(matrices), width), -math.inf, dtype=torch.float64)
    for a, matrix in enumerate(matrices):
        log_sigma[a, :matrix.rank] = torch.tensor(matrix.sigma[:matrix.rank],
                                                    dtype=torch.float64).log()
    finite = torch.isfinite(log_sigma)
    powers = torch.where(finite[:, None, :], p[None, :, None] * torch.where(
        finite, log_sigma, 0.0)[:, None, :], -math.inf)
    log_S = torch.logsumexp(powers, -1) * (0.5 if count == 1 else 1.0)
    safe = log_S + 1e-11 * (1 + log_S.abs())
    return Moments(torch.ceil(safe / log_ratio(grid.fineness)), p[None, :])


def prepare_closed(problem: Problem, bound: str, *, fineness: int | None = None,
                   constants: str = "sharp", split: str = "best") -> Closed:
    """Search a closed form; `split="equal"` keeps the published equal shares."""
    grid = on_grid(problem, usual_fineness(problem) if fineness is None else fineness)
    moving = [p for p in problem.trained if p.size > 0]
    kappa = dict(zip((p.id for p in problem.trained),
                     propagated(problem, grid, constants).output.tolist(), strict=True))
    matrices = tuple(p for p in moving if p.kind == "matrix")
    vectors = tuple(p for p in moving if p.kind != "matrix")
    assert len(VECTOR_KINDS) == 2
    blank = Closed(problem, bound, grid, constants, matrices, vectors,
                   torch.tensor([kappa[p.id] for p in matrices], dtype=torch.float64),
                   torch.tensor([kappa[p.id] for p in vectors], dtype=torch.float64),
                   Moments(torch.zeros(0), torch.zeros(0)), split)
    return replace(blank, moments=_moments(matrices, grid, bound, blank.resolution))
