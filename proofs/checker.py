"""The certificate checker: the small program that a certified number rests on.

It reads a certificate (plain JSON) and nothing else, re-derives the bound from the lemmas in ball
arithmetic (python-flint), checks every side condition, and returns an interval or a refusal with
the reason. How the proposal was found does not matter: a wrong proposal can cost tightness, never
soundness. Trusted are this file, the lemmas' expressions, their evaluation in balls, the
propagation of norms, and the certificate's INPUTS: verified spectra, n, delta, margin errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from majorant.derivation.certificate import (
    FORMAT,
    VERSION,
    digests,
    exact_fraction,
    number_roles,
)
from majorant.derivation.covering.staircase import staircase_correction
from majorant.derivation.errors import MajorantError
from majorant.derivation.generalization import margin_radius, variance_floor, variance_room
from majorant.derivation.lemma import LEMMAS
from majorant.derivation.network import from_json, parameters, propagate
from majorant.derivation.symbols import lookup
from majorant.derivation.union_bound import descent_price, rank_price
from majorant.numerics.lowering.balls import ball_function
from majorant.numerics.rings.balls import BallRing
from majorant.proofs.certificate_fields import Entry, Refused, certain, fields, integer, number

PRECISION = 192
SPECTRAL = ("zero", "low-rank", "truncated", "staircase")
MATRIX_KINDS = {"occam": SPECTRAL, "envelope": SPECTRAL, "parameter-count": ("zero", "norm")}
VECTOR_KINDS = ("zero", "ball")
_FAR = 10**7  # grid indices beyond this are refused


@dataclass(frozen=True)
class Verdict:
    """`accepted`: the bound lies in `value`; `refused`: `reason` says why.

    `value`, `entropy` and `price` (nats) are balls; `shares` is the entropy of each parameter.
    """

    status: str
    reason: str = ""
    bound: str = ""
    n: int = 0
    value: arb | None = None
    entropy: arb | None = None
    price: arb | None = None
    shares: Mapping[str, arb] = field(default_factory=dict)
    ledger: tuple[str, ...] = ()


def check(certificate: Any) -> Verdict:
    """Re-derive the bound of a certificate, or refuse it with the reason.

    >>> check({"format": "something else"}).reason
    "certificate: expected format 'majorant-certificate', got 'something else'"
    """
    with ctx.workprec(PRECISION):
        try:
            return _Session(certificate).verdict()
        except MajorantError as error:
            return Verdict("refused", str(error))


# parts of lemmas that are used by themselves
PARTS = {
    "U4.rank": rank_price(),
    "U4.descent": descent_price(lookup("exponent"), sp.Integer(0)),
    "C4s.counted": LEMMAS["C4s"].rhs - staircase_correction(),
    "C4s.volume": staircase_correction(),
    "G5.radius": margin_radius(),
    "G7.floor": variance_floor(),
    "G7.room": variance_room(),
}


@lru_cache(maxsize=256)
def _compiled(lemma: str, names: tuple[str, ...]) -> Any:
    expr = PARTS[lemma] if lemma in PARTS else LEMMAS[lemma].rhs
    return ball_function(expr, [lookup(name) for name in names], PRECISION)


@lru_cache(maxsize=4096)
def _volume(n1: int, n2: int, knots: tuple[int, ...]) -> arb:
    """`Delta` of C4s; many matrices share it."""
    compute = _compiled("C4s.volume", ("J_blocks", "N1", "N2", "knot"))
    return compute(len(knots) - 1, n1, n2, knots)


@dataclass(frozen=True)
class _Family:
    """A class of one parameter: `size` bounds its norm, `steps` its singular values.

    `steps` are pairs (last rank, level); singular values beyond them are at most `tail`.
    """

    kind: str
    size: arb
    steps: tuple[tuple[int, arb], ...] = ()
    tail: arb = field(default_factory=arb)

    def level(self, i: int) -> arb:
        """Upper bound of singular value `i` (from 1) of every member."""
        return next((level for end, level in self.steps if i <= end), self.tail)


class _Session:
    """One certificate being checked: what was read, what was paid, which lemmas were used."""

    def __init__(self, certificate: Any) -> None:
        if not isinstance(certificate, Mapping) or certificate.get("format") != FORMAT:
            found = certificate.get("format") if isinstance(certificate, Mapping) else certificate
            raise Refused(f"certificate: expected format {FORMAT!r}, got {found!r}")
        if certificate.get("version") != VERSION:
            raise Refused(f"certificate: this checker reads version {VERSION}, got "
                          f"{certificate.get('version')!r}; issue the certificate again")
        if certificate.get("digest") != digests(certificate):
            raise Refused("certificate: the digest does not match; a field was changed after it "
                          "was issued")
        self.claim = certificate.get("claim")
        self.used, self.price = {"A3", "A4", "A5", "C7"}, arb(0)
        network, table, self.numbers, self.n, delta, _, empirical = fields(
            certificate.get("inputs"), "inputs", "network", "parameters", "numbers", "n", "delta",
            "seq_len", "empirical")
        self.network = from_json(network)
        self.entries = {name: Entry.read(part, table)
                        for name, part in parameters(self.network).items()}
        if extra := set(table) - set(self.entries):
            raise Refused(f"{sorted(extra)[0]}: not a parameter of the network")
        integer(self.n, "n", 1, 10**30)
        self.delta = exact_fraction(delta, "delta")
        if not 0 < self.delta < 1:
            raise Refused(f"delta: expected 0 < delta < 1, got {delta!r}")
        margin, errors, self.variances = fields(
            empirical, "empirical", "margin", "errors", "variances")
        self.R_hat = fmpq(integer(errors, "margin error", 0, self.n), self.n)
        (self.bound, self.constants, self.fineness, self.margin, self.own, self.grid_numbers,
         self.grid_variances, self.classes, self.scales) = fields(
            certificate.get("proposal"), "proposal", "bound", "constants", "fineness", "margin",
            "own", "numbers", "variances", "classes", "scales")
        if not isinstance(self.bound, str) or self.bound not in MATRIX_KINDS:
            raise Refused(f"bound {self.bound!r}: expected one of {', '.join(MATRIX_KINDS)}")
        if self.constants not in ("sharp", "series", "crude"):
            raise Refused(f"constants: expected sharp, series or crude, got {self.constants!r}")
        self.ratio = 1 + arb(2) ** -integer(self.fineness, "fineness", 0, 60)
        self.price += self.value("U4.descent", exponent=self.fineness)
        self.gamma = self.grid(self.margin, "margin")
        certain(self.gamma <= number(margin, "margin"), "margin: must be rounded down")
        outputs = self.network.outputs
        self.Rho = arb(1) if outputs in (None, 1) else arb(2).sqrt()

    # prices and lemmas

    def value(self, lemma: str, **at: Any) -> arb:
        """The lemma's right-hand side in balls; the ledger remembers that it was used."""
        self.used.add(lemma.partition(".")[0] if lemma in PARTS else lemma)
        names = tuple(sorted(at))
        return _compiled(lemma, names)(*(at[name] for name in names))

    def grid(self, index: Any, where: str) -> arb:
        """The grid point `(1 + r)^index` (U3), paid for."""
        j = integer(index, where, -_FAR, _FAR)
        self.price += self.value("U3", exponent=j)
        return self.ratio**j

    # classes: paid for, and they contain the verified parameter

    def family(self, name: str, entry: Entry) -> _Family:
        kinds = MATRIX_KINDS[self.bound] if entry.kind == "matrix" else VECTOR_KINDS
        data = self.classes.get(name)
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if kind not in kinds:
            raise Refused(f"{name}: class {kind!r}; {self.bound} allows {', '.join(kinds)}")
        self.price += arb(len(kinds)).log()
        found = self.read_family(name, min(entry.shape), kind, data)
        for i, size in enumerate(entry.sizes, 1):
            certain(size <= found.level(i), f"{name}: size {i} of the verified spectrum lies "
                     "above its class")
        return found

    def read_family(self, name: str, smaller: int, kind: str, data: Any) -> _Family:
        if kind == "zero":
            fields(data, name, "kind")
            return _Family(kind, arb(0))
        if kind in ("ball", "norm"):
            size = self.grid(fields(data, name, "kind", "C")[1], name)
            return _Family(kind, size, ((smaller, size),))
        names = {"low-rank": ("C",), "truncated": ("C", "tau"), "staircase": ("levels",)}[kind]
        _, rank, first, *rest = fields(data, name, "kind", "rank", *names)
        integer(rank, f"{name}: rank", 0, smaller)
        if kind != "staircase":
            self.price += self.value("U4.rank", N_min=smaller)
            size = self.grid(first, name)
            tail = self.grid(rest[0], name) if rest else arb(0)
            return _Family(kind, size, ((rank, size),), tail)
        knots = [k for k in (0, *(2**j for j in range(smaller.bit_length()))) if k < rank]
        if not isinstance(first, list) or len(first) != len(knots) or not knots:
            raise Refused(f"{name}: a staircase of rank {rank} has {len(knots)} levels, not "
                          f"{first!r}")
        for before, after in pairwise([_FAR, *first]):
            integer(after, f"{name}: levels", -_FAR, before)
        self.price += self.value("U4", N_min=smaller, exponent_of=first, J_blocks=len(first))
        levels = [self.ratio**j for j in first]
        return _Family(kind, levels[0], tuple(zip([*knots[1:], rank], levels, strict=True)))

    # covers of a class

    def cover(self, name: str, entry: Entry, family: _Family, data: Any) -> tuple[arb, arb, bool]:
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
            return eps, self.value(lemma, N=entry.shape[0], radius=family.size, eps=eps), True
        n1, n2 = sorted(entry.shape) if entry.kind == "matrix" else (0, 0)
        if family.steps and n1 and method == "C1":
            entropy = self.value("C1.full", N1=n1, N2=n2, C=family.size, eps=eps)
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
            self.used.add("C4" if family.kind == "staircase" else "C3")
            return eps, self.value("C3", **at), internal
        levels = [family.level(start + 1) for start in knots[:-1]]  # a block's first is its largest
        entropy = self.value("C4s.counted", knot=knots, level=levels, J_blocks=len(levels),
                             N1=n1, N2=n2, tau=tau, eps=eps)
        return eps, entropy + _volume(n1, n2, tuple(knots)), True

    # the network

    def norms(self, families: Mapping[str, _Family]) -> tuple[dict[str, arb], dict[str, arb]]:
        """Norms of the network itself, and of the centres where they differ (C9)."""
        own, centres = {}, {}
        referenced = {name for name, entry in self.entries.items()
                      if entry.trained and entry.reference is not None}
        fields(self.own, "own", *referenced)
        for name, entry in self.entries.items():
            if not entry.trained:  # declared fixed before the data: its own measured norm
                own[name] = entry.size if entry.own is None else entry.own
            elif entry.reference is None or entry.own is None:
                own[name] = families[name].size
            else:
                self.used.add("C9")
                own[name] = self.grid(self.own[name], f"{name}: own norm")
                certain(entry.own <= own[name], f"{name}: own norm lies above its grid point")
                centres[name] = entry.reference + families[name].size
        return own, centres

    def extra_numbers(self) -> tuple[dict[str, arb], dict[str, arb]]:
        """Radius, product norms (rounded up), variance floors (down); rooms of G7 by name."""
        roles = number_roles(self.network)
        floors = {role.probe: role for role in roles.values() if role.role == "floor"}
        paid = {name for name, role in roles.items() if role.role == "norm"}
        given = {name for name, role in roles.items() if role.role != "floor"}
        for where, found, expected in (("numbers", self.numbers, given),
                                       ("proposal numbers", self.grid_numbers, paid),
                                       ("variances", self.variances, set(floors)),
                                       ("proposal variances", self.grid_variances, set(floors))):
            fields(found, where, *expected)
        values, rooms = {}, {}
        for name in sorted(given):
            values[name] = measured = number(self.numbers[name], name)
            if name in paid:
                values[name] = self.grid(self.grid_numbers[name], name)
                certain(measured <= values[name], f"{name}: lies above its grid point")
        for probe, role in sorted(floors.items()):
            level = self.grid(self.grid_variances[probe], probe)
            certain(level <= number(self.variances[probe], probe),
                     f"{probe}: a variance threshold must be rounded down")
            values[role.id] = self.value("G7.floor", variance=level)
            rooms[probe] = self.value("G7.room", variance=level, N=role.width)
        return values, rooms

    def scale(self, data: Any, room: arb, rooms: Mapping[str, arb],
              families: Mapping[str, _Family], flow: Any) -> tuple[dict[str, arb], bool]:
        """Entropies of one cover of the network, after C7's condition on its radii."""
        fields(data, "covers", *families)
        radii, entropies, internal = {}, {}, True
        for name, family in families.items():
            radii[name], entropies[name], inside = self.cover(
                name, self.entries[name], family, data[name])
            internal = internal and inside
        limits = [("the output", flow.kappa, room)]
        limits += [(probe, flow.norm_kappas[probe], rooms[probe]) for probe in rooms]
        for where, kappa, allowed in limits:
            moved = sum((kappa[name] * radii[name] for name in radii if name in kappa), arb(0))
            certain(moved <= allowed, f"the radii move {where} by more than is allowed: "
                     "sum kappa_a eps_a > eps")
        return entropies, internal

    def verdict(self) -> Verdict:
        trained = {name: entry for name, entry in self.entries.items() if entry.trained}
        fields(self.classes, "classes", *trained)
        families = {name: self.family(name, entry) for name, entry in trained.items()}
        own, centres = self.norms(families)
        numbers, rooms = self.extra_numbers()
        flow = propagate(self.network, own | numbers, BallRing(), self.constants, centres=centres)
        if not isinstance(self.scales, list) or not self.scales:
            raise Refused("scales: expected a list with at least one scale")
        if self.bound == "envelope":
            shares, value = self.chain(families, flow, rooms)
        else:
            [covers] = fields(self.scales[0], "scale", "covers")
            if len(self.scales) > 1:
                raise Refused(f"{self.bound}: one scale, got {len(self.scales)}")
            room = self.value("G5.radius", gamma=self.gamma, Rho=self.Rho)
            shares, _ = self.scale(covers, room, rooms, families, flow)
            value = self.value("G7" if rooms else "G5", R_hat=self.R_hat, n=self.n,
                               entropy=sum(shares.values(), arb(0)), price=self.price,
                               delta=self.delta)
        certain(value >= 0, "the bound is undefined (a term is NaN)")
        if self.claim is not None:
            [upper] = fields(self.claim, "claim", "upper")
            certain(number(upper, "claim") >= value.lower(), f"claim: {upper} is less than what "
                    f"the fields prove, {value.str(6, radius=False)}; was a price left out?")
        return Verdict("accepted", "", self.bound, self.n, value, sum(shares.values(), arb(0)),
                       self.price, shares, tuple(sorted(self.used)))

    def chain(self, families: Mapping[str, _Family], flow: Any,
              rooms: Mapping[str, arb]) -> tuple[dict[str, arb], arb]:
        """G3 on the ramp loss, which is `Rho/gamma`-Lipschitz in the output, then G1."""
        if rooms:
            raise Refused("envelope: variance thresholds (G7) belong to the occam bound")
        radii, totals, all_internal = [arb(1) / 2], [], True
        shares: dict[str, arb] = {}
        for data in self.scales:
            e, covers = fields(data, "scale", "e", "covers")
            radii.append(number(e, "scale e"))
            certain((radii[-1] > 0) and (radii[-1] < radii[-2]), "scales must decrease from 1/2")
            shares, internal = self.scale(covers, radii[-1] * self.gamma / self.Rho, {}, families,
                                          flow)
            all_internal = all_internal and internal
            totals.append(sum(shares.values(), arb(0)))
        complexity = self.value("G3.internal" if all_internal else "G3", scale_of=radii,
                                H_of=totals, J=len(totals), n=self.n)
        return shares, self.value("G1", R_hat=self.R_hat, rademacher=complexity, n=self.n,
                                  delta=self.delta, price=self.price)
