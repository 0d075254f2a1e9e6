"""Classes of parameters and their covers, read from a certificate. Part of the trusted core.

A class is chosen after seeing the weights: its grid indices are paid for, and it must contain the
verified parameter. The method that covers a given class is free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from majorant.proofs.certificate_account import FAR, Account, volume
from majorant.proofs.certificate_fields import Entry, Refused, certain, fields, integer, number

SPECTRAL = ("zero", "low-rank", "truncated", "staircase")
MATRIX_KINDS = {
    "occam": SPECTRAL, "envelope": SPECTRAL, "parameter-count": ("zero", "norm"),
    "schatten": ("zero", "schatten"), "published": ("zero", "schatten"),
    "norm": ("zero", "frobenius"), "norm-zhang": ("zero", "frobenius"),
}
VECTOR_KINDS = ("zero", "ball")


@dataclass(frozen=True)
class Family:
    """A class of one parameter: `size` bounds its norm, `steps` its singular values.

    `steps` are pairs (last rank, level); singular values beyond them are at most `tail`. `moment`
    bounds the Schatten quantity at index `p`, or the Frobenius norm.
    """

    kind: str
    size: arb
    steps: tuple[tuple[int, arb], ...] = ()
    tail: arb = field(default_factory=arb)
    moment: arb = field(default_factory=arb)
    p: fmpq = field(default_factory=fmpq)

    def level(self, i: int) -> arb:
        """Upper bound of singular value `i` (from 1) of every member."""
        return next((level for end, level in self.steps if i <= end), self.tail)


def read_family(name: str, entry: Entry, data: Any, kinds: tuple[str, ...], resolution: int,
                account: Account) -> Family:
    """The class of a parameter: one of `kinds`, paid for, and it contains the parameter."""
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if kind not in kinds:
        raise Refused(f"{name}: class {kind!r}; allowed here: {', '.join(kinds)}")
    account.one_of(len(kinds))
    if kind in ("schatten", "frobenius"):
        return _moment_family(name, entry, kind, data, resolution, account)
    found = _stepped_family(name, min(entry.shape), kind, data, account)
    certain(entry.size <= found.size, f"{name}: its norm lies above its class")  # also at rank 0
    for i, size in enumerate(entry.sizes, 1):
        certain(size <= found.level(i),
                f"{name}: size {i} of the verified spectrum lies above its class")
    return found


def _stepped_family(name: str, smaller: int, kind: str, data: Any, account: Account) -> Family:
    if kind == "zero":
        fields(data, name, "kind")
        return Family(kind, arb(0))
    if kind in ("ball", "norm"):
        size = account.grid(fields(data, name, "kind", "C")[1], name)
        return Family(kind, size, ((smaller, size),))
    names = {"low-rank": ("C",), "truncated": ("C", "tau"), "staircase": ("levels",)}[kind]
    _, rank, first, *rest = fields(data, name, "kind", "rank", *names)
    integer(rank, f"{name}: rank", 0, smaller)
    if kind != "staircase":
        account.price += account.value("U4.rank", N_min=smaller)
        size = account.grid(first, name)
        tail = account.grid(rest[0], name) if rest else arb(0)
        return Family(kind, size, ((rank, size),), tail)
    knots = [k for k in (0, *(2**j for j in range(smaller.bit_length()))) if k < rank]
    if not isinstance(first, list) or len(first) != len(knots) or not knots:
        raise Refused(f"{name}: a staircase of rank {rank} has {len(knots)} levels, not "
                      f"{first!r}")
    for before, after in pairwise([FAR, *first]):
        integer(after, f"{name}: levels", -FAR, before)
    account.price += account.value("U4", N_min=smaller, exponent_of=first, J_blocks=len(first))
    levels = [account.ratio**j for j in first]
    return Family(kind, levels[0], tuple(zip([*knots[1:], rank], levels, strict=True)))


def _moment_family(name: str, entry: Entry, kind: str, data: Any, resolution: int,
                   account: Account) -> Family:
    """`‖W‖ <= C` with `S_p(W) <= S` (indices `p = i/m < 2`) or `‖W‖_F <= F`."""
    names = ("C", "S", "index") if kind == "schatten" else ("C", "F")
    _, top, level, *index = fields(data, name, "kind", *names)
    size, moment = account.grid(top, name), account.grid(level, name)
    p = fmpq(2)
    if index:
        p = fmpq(integer(index[0], f"{name}: index", 0, 2 * resolution - 1), resolution)
        account.price += account.value("U1", K=1, m_grid=resolution)
    measured = account.value("C4p.quantity", sigma=[entry.sizes], a=1, p=p, r=len(entry.sizes))
    certain(entry.size <= size, f"{name}: its norm lies above C")
    certain(measured <= (moment if index else moment**2),
            f"{name}: the verified spectrum lies above its class")
    return Family(kind, size, moment=moment, p=p)


def read_cover(name: str, entry: Entry, family: Family, data: Any,
               account: Account) -> tuple[arb, arb, bool]:
    """Radius, entropy, and whether the centres lie in the class."""
    method = data.get("method") if isinstance(data, Mapping) else None
    extra = {"C3": ["rank"], "C4s": ["knots"]}.get(str(method), [])
    eps, _, *ranks = fields(data, name, "eps", "method", *extra)
    eps = number(eps, f"{name}: eps")
    if family.kind == "zero" and method == "none":
        return eps, arb(0), True
    certain(eps > 0, f"{name}: a cover needs a positive radius")
    if family.kind == "ball" and method == "ball":
        lemma = "CV.gain" if entry.kind == "gain" else "CV.bias"
        return eps, account.value(lemma, N=entry.shape[0], radius=family.size, eps=eps), True
    n1, n2 = sorted(entry.shape) if entry.kind == "matrix" else (0, 0)
    if family.steps and n1 and method == "C1":
        entropy = account.value("C1.full", N1=n1, N2=n2, C=family.size, eps=eps)
        return eps, entropy, family.kind == "norm"
    if not (family.steps and n1 and ranks):
        raise Refused(f"{name}: method {method!r} does not cover the class {family.kind}")
    if method == "C4s" and not isinstance(ranks[0], list):
        raise Refused(f"{name}: knots must be a list")
    knots = [0, *(ranks if method == "C3" else ranks[0])]
    for before, after in pairwise(knots):
        integer(after, f"{name}: rank or knot", before + (method == "C4s"), n1)
    k = knots[-1]
    tau = family.level(k + 1) if k < n1 else arb(0)
    certain(tau < eps, f"{name}: the threshold tau is not below the radius eps")
    if k == 0:
        return eps, arb(0), True
    if method == "C3":
        at = {"k": k, "N1": n1, "N2": n2, "C": family.size, "tau": tau, "eps": eps}
        internal = family.kind != "staircase" and k == family.steps[0][0]
        account.used.add("C4" if family.kind == "staircase" else "C3")
        return eps, account.value("C3", **at), internal
    levels = [family.level(start + 1) for start in knots[:-1]]  # a block's first is its largest
    entropy = account.value("C4s.counted", knot=knots, level=levels, J_blocks=len(levels),
                            N1=n1, N2=n2, tau=tau, eps=eps)
    return eps, entropy + volume(n1, n2, tuple(knots)), True
