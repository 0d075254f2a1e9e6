"""The certificate checker: the small program that a certified number rests on.

It reads a certificate (plain JSON) and nothing else, re-derives the bound from the lemmas in ball
arithmetic (python-flint), checks every side condition, and returns an interval or a refusal with
the reason. How the proposal was found does not matter: a wrong proposal can cost tightness, never
soundness. Trusted are this file with its three siblings (`certificate_fields`, `_account`,
`_classes`), the lemmas' expressions, their evaluation in balls, the propagation of norms, and the
certificate's INPUTS: verified spectra, n, delta, margin errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import arb, ctx, fmpq

from majorant.derivation.certificate import (
    FORMAT,
    VERSION,
    digests,
    exact_fraction,
    number_roles,
)
from majorant.derivation.errors import MajorantError
from majorant.derivation.network import from_json, parameters, propagate
from majorant.derivation.theorems.sensitivities import sensitivity_lemmas
from majorant.numerics.rings.balls import BallRing
from majorant.proofs.certificate_account import PRECISION, Account
from majorant.proofs.certificate_classes import (
    MATRIX_KINDS,
    VECTOR_KINDS,
    Family,
    read_cover,
    read_family,
)
from majorant.proofs.certificate_fields import Entry, Refused, certain, fields, integer, number

# what a proposal chooses besides its classes, by bound
CHOICES = {
    "occam": ("scales",), "parameter-count": ("scales",), "envelope": ("scales",),
    "schatten": ("shares", "theta"), "published": ("shares",),
    "norm": ("shares", "cut"), "norm-zhang": ("shares", "cut"),
}
CONSTANTS = ("sharp", "series", "crude")


@dataclass(frozen=True)
class Verdict:
    """`accepted`: the bound lies in `value`; `refused`: `reason` says why.

    `value`, `entropy` and `price` (nats) are balls; `shares` is the entropy of each parameter at
    the finest scale, or its share of the accuracy where the bound is a closed form.
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


class _Session:
    """One certificate being checked: what was read, and the account of what it uses and pays."""

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
        self.read_inputs(certificate.get("inputs"))
        self.read_proposal(certificate.get("proposal"))

    def read_inputs(self, inputs: Any) -> None:
        network, table, self.numbers, self.n, delta, self.seq_len, empirical = fields(
            inputs, "inputs", "network", "parameters", "numbers", "n", "delta", "seq_len",
            "empirical")
        self.network = from_json(network)
        self.entries = {name: Entry.read(part, table)
                        for name, part in parameters(self.network).items()}
        if extra := set(table) - set(self.entries):
            raise Refused(f"{sorted(extra)[0]}: not a parameter of the network")
        integer(self.n, "n", 1, 10**4000)
        self.delta = exact_fraction(delta, "delta")
        if not 0 < self.delta < 1:
            raise Refused(f"delta: expected 0 < delta < 1, got {delta!r}")
        margin, errors, self.variances = fields(
            empirical, "empirical", "margin", "errors", "variances")
        self.measured_margin = number(margin, "margin")
        self.R_hat = fmpq(integer(errors, "margin error", 0, self.n), self.n)

    def read_proposal(self, proposal: Any) -> None:
        bound = proposal.get("bound") if isinstance(proposal, Mapping) else None
        if not isinstance(bound, str) or bound not in CHOICES:
            raise Refused(f"bound {bound!r}: expected one of {', '.join(CHOICES)}")
        self.bound = bound
        (_, self.constants, fineness, margin, self.own, self.grid_numbers, self.grid_variances,
         self.classes, *choices) = fields(
            proposal, "proposal", "bound", "constants", "fineness", "margin", "own", "numbers",
            "variances", "classes", *CHOICES[bound])
        self.choices = dict(zip(CHOICES[bound], choices, strict=True))
        if self.constants not in CONSTANTS:
            raise Refused(f"constants: expected sharp, series or crude, got {self.constants!r}")
        self.account = Account(fineness)
        self.account.used |= {*sensitivity_lemmas(self.network.family, self.constants), "C7", "U0"}
        self.gamma = self.account.grid(margin, "margin")
        certain(self.gamma <= self.measured_margin, "margin: must be rounded down")
        self.Rho = arb(1) if self.network.outputs in (None, 1) else arb(2).sqrt()

    # the network at the norms of the classes

    def norms(self, families: Mapping[str, Family]) -> tuple[dict[str, arb], dict[str, arb]]:
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
                self.account.used.add("C9")
                own[name] = self.account.grid(self.own[name], f"{name}: own norm")
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
                values[name] = self.account.grid(self.grid_numbers[name], name)
                certain(measured <= values[name], f"{name}: lies above its grid point")
        for probe, role in sorted(floors.items()):
            level = self.account.grid(self.grid_variances[probe], probe)
            certain(level <= number(self.variances[probe], probe),
                    f"{probe}: a variance threshold must be rounded down")
            values[role.id] = self.account.value("G7.floor", variance=level)
            rooms[probe] = self.account.value("G7.room", variance=level, N=role.width)
        return values, rooms

    # the bound

    def verdict(self) -> Verdict:
        trained = {name: entry for name, entry in self.entries.items() if entry.trained}
        fields(self.classes, "classes", *trained)
        resolution = 0  # of the grid of Schatten indices
        if self.bound in ("schatten", "published"):
            resolution = self.account.whole("U1.resolution", L=max(1, len(self.network.blocks)),
                                            N=self.network.width)
        self.families = {
            name: read_family(name, entry, self.classes[name],
                              MATRIX_KINDS[self.bound] if entry.kind == "matrix" else VECTOR_KINDS,
                              resolution, self.account)
            for name, entry in trained.items()}
        own, centres = self.norms(self.families)
        numbers, self.rooms = self.extra_numbers()
        self.flow = propagate(self.network, own | numbers, BallRing(), self.constants,
                              centres=centres)
        if self.rooms and self.bound not in ("occam", "parameter-count"):
            raise Refused(f"{self.bound}: variance thresholds (G7) belong to bounds by G5")
        compute = {"shares": self.closed_form}.get(CHOICES[self.bound][0], self.listed)
        shares, value = self.chained() if self.bound == "envelope" else compute()
        certain(value >= 0, "the bound is undefined (a term is NaN)")
        if self.claim is not None:
            [upper] = fields(self.claim, "claim", "upper")
            certain(number(upper, "claim") >= value.lower(), f"claim: {upper} is less than what "
                    f"the fields prove, {value.str(6, radius=False)}; was a price left out?")
        return Verdict("accepted", "", self.bound, self.n, value, sum(shares.values(), arb(0)),
                       self.account.price, shares, tuple(sorted(self.account.used)))

    def scales(self, *names: str) -> list[list[Any]]:
        found = self.choices["scales"]
        if not isinstance(found, list) or not found:
            raise Refused("scales: expected a list with at least one scale")
        return [fields(scale, "scale", *names) for scale in found]

    def cover(self, covers: Any, room: arb) -> tuple[dict[str, arb], bool]:
        """Entropies of one cover of the network, after C7's condition (and G7's) on its radii."""
        fields(covers, "covers", *self.families)
        radii, entropies, internal = {}, {}, True
        for name, family in self.families.items():
            radii[name], entropies[name], inside = read_cover(
                name, self.entries[name], family, covers[name], self.account)
            internal = internal and inside
        limits = [("the output", self.flow.kappa, room)]
        limits += [(probe, self.flow.norm_kappas[probe], self.rooms[probe])
                   for probe in self.rooms]
        for where, kappa, allowed in limits:
            moved = sum((kappa[name] * radii[name] for name in radii if name in kappa), arb(0))
            certain(moved <= allowed, f"the radii move {where} by more than is allowed: "
                    "sum kappa_a eps_a > eps")
        return entropies, internal

    def listed(self) -> tuple[dict[str, arb], arb]:
        """G5 (with variance thresholds G7): one cover at the radius that the margin allows."""
        [[covers]] = self.scales("covers")[:1]
        if len(self.choices["scales"]) > 1:
            raise Refused(f"{self.bound}: one scale, got {len(self.choices['scales'])}")
        shares, _ = self.cover(covers, self.account.value("G5.radius", gamma=self.gamma,
                                                          Rho=self.Rho))
        return shares, self.account.value(
            "G7" if self.rooms else "G5", R_hat=self.R_hat, n=self.n, delta=self.delta,
            entropy=sum(shares.values(), arb(0)), price=self.account.price)

    def chained(self) -> tuple[dict[str, arb], arb]:
        """G3 on the ramp loss, which is `Rho/gamma`-Lipschitz in the output, then G1."""
        radii, totals, internal = [arb(1) / 2], [], True
        shares: dict[str, arb] = {}
        for e, covers in self.scales("e", "covers"):
            radii.append(number(e, "scale e"))
            certain(radii[-1] > 0 and radii[-1] < radii[-2], "scales must decrease from 1/2 to 0")
            room = self.account.value("G0.radius", eps=radii[-1], Lambda=self.Rho / self.gamma)
            shares, inside = self.cover(covers, room)
            internal = internal and inside
            totals.append(sum(shares.values(), arb(0)))
        complexity = self.account.value("G3.internal" if internal else "G3", scale_of=radii,
                                        H_of=totals, J=len(totals), n=self.n)
        return shares, self.account.value("G1", R_hat=self.R_hat, rademacher=complexity, n=self.n,
                                          delta=self.delta, price=self.account.price)

    def closed_form(self) -> tuple[dict[str, arb], arb]:
        """A theorem in closed form (`derivation/theorems`) at shares that sum to at most 1."""
        found = self.choices["shares"]
        moving = {name: family for name, family in self.families.items() if family.kind != "zero"}
        fields(found, "shares", *moving)
        shares = {name: number(found[name], f"{name}: share") for name in moving}
        for name, share in shares.items():
            certain(share > 0, f"{name}: a share must be positive")
        certain(sum(shares.values(), arb(0)) <= 1, "shares: they sum to more than 1")
        matrices = [name for name in moving if self.entries[name].kind == "matrix"]
        vectors = [name for name in moving if name not in matrices]
        shapes = [self.entries[name].shape for name in matrices]
        at: dict[str, Any] = {
            "n": self.n, "delta": self.delta, "R_hat": self.R_hat, "price": self.account.price,
            "Lambda": self.Rho / self.gamma, "K": len(matrices), "V_parts": len(vectors),
            "kappa_of": [self.flow.kappa[name] for name in matrices],
            "w_of": [shares[name] for name in matrices], "N2_of": [cols for _, cols in shapes],
            "d_of": [self.entries[name].shape[0] for name in vectors],
            "B_of": [moving[name].size for name in vectors],
            "kappa_vec_of": [self.flow.kappa[name] for name in vectors],
            "w_vec_of": [shares[name] for name in vectors]}
        moments = [moving[name].moment for name in matrices]
        if self.bound in ("schatten", "published"):
            at |= {"S_of": moments, "p_of": [moving[name].p for name in matrices],
                   "C_of": [moving[name].size for name in matrices],
                   "N1_of": [rows for rows, _ in shapes]}
        else:
            at |= {"F_of": moments, "cut": number(self.choices["cut"], "cut")}
            certain(at["cut"] > 0 and at["cut"] <= arb(1) / 4, "cut: expected 0 < cut <= 1/4")
        if self.bound == "schatten":
            at["theta"] = number(self.choices["theta"], "theta")
            certain(at["theta"] > 0 and at["theta"] < 1, "theta: expected 0 < theta < 1")
        else:
            at["T"] = integer(self.seq_len, f"seq_len ({self.bound} counts tokens)", 1, 10**12)
        if self.bound == "norm-zhang":
            for name in matrices:  # Zhang's lemma is stated for radii up to F b
                radius = shares[name] / (4 * at["Lambda"] * self.flow.kappa[name])
                certain(radius <= moving[name].moment, f"{name}: radius above F, where Zhang's "
                        "lemma is not stated")
        return shares, self.account.value(self.bound, **at)
