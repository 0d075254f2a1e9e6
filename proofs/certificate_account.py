"""What a certificate uses and pays: lemmas evaluated in balls, grid points with their prices."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
from flint import arb

from majorant.derivation.covering.staircase import staircase_correction
from majorant.derivation.generalization import margin_radius, variance_floor, variance_room
from majorant.derivation.generalization.lipschitz_loss import network_radius
from majorant.derivation.lemma import LEMMAS
from majorant.derivation.published import grid_resolution, schatten_quantity
from majorant.derivation.symbols import lookup
from majorant.derivation.theorems.norm import norm_bound, zhang_bound
from majorant.derivation.theorems.published import published_bound
from majorant.derivation.theorems.schatten import schatten_bound
from majorant.derivation.union_bound import descent_price, rank_price
from majorant.numerics.lowering.balls import ball_function
from majorant.proofs.certificate_fields import Refused, integer

PRECISION = 192
FAR = 10**12  # grid indices beyond this are refused
# theorems in closed form, by the name of their bound
THEOREMS = {
    "schatten": schatten_bound("any"),
    "published": published_bound("textbook"),
    "norm": norm_bound("internal"),
    "norm-zhang": zhang_bound("textbook"),
}
# parts of lemmas that are used by themselves
PARTS = {
    "U4.rank": rank_price(),
    "U4.descent": descent_price(lookup("exponent"), sp.Integer(0)),
    "C4s.counted": LEMMAS["C4s"].rhs - staircase_correction(),
    "C4s.volume": staircase_correction(),
    "C4p.quantity": schatten_quantity(),
    "U1.resolution": grid_resolution(lookup("L"), lookup("N")),
    "G0.radius": network_radius(),
    "G5.radius": margin_radius(),
    "G7.floor": variance_floor(),
    "G7.room": variance_room(),
}


@lru_cache(maxsize=256)
def _compiled(name: str, arguments: tuple[str, ...]) -> Any:
    if name in THEOREMS:
        expr = THEOREMS[name].expression
    else:
        expr = PARTS[name] if name in PARTS else LEMMAS[name].rhs
    return ball_function(expr, [lookup(key) for key in arguments], PRECISION)


@lru_cache(maxsize=4096)
def volume(n1: int, n2: int, knots: tuple[int, ...]) -> arb:
    """`Delta` of C4s; many matrices share it."""
    return _compiled("C4s.volume", ("J_blocks", "N1", "N2", "knot"))(len(knots) - 1, n1, n2, knots)


class Account:
    """The lemmas that were used, and the price (nats) of the choices that were made so far.

    >>> account = Account(fineness=0)      # grid points are powers of 2
    >>> account.grid(3, "C") == 8 and account.price > 0
    True
    """

    def __init__(self, fineness: Any) -> None:
        self.used: set[str] = set()
        self.price = arb(0)
        self.ratio = 1 + arb(2) ** -integer(fineness, "fineness", 0, 60)
        self.price += self.value("U4.descent", exponent=fineness)

    def value(self, name: str, **at: Any) -> arb:
        """A lemma's right-hand side, a part of one or a theorem; the ledger remembers it."""
        if name in THEOREMS:
            self.used.update(THEOREMS[name].lemmas)
        else:
            self.used.add(name.partition(".")[0] if name in PARTS else name)
        arguments = tuple(sorted(at))
        return _compiled(name, arguments)(*(at[key] for key in arguments))

    def whole(self, name: str, **at: Any) -> int:
        """A value that is certainly one integer."""
        found = self.value(name, **at).unique_fmpz()
        if found is None:
            raise Refused(f"{name}: not certainly an integer")
        return int(found)

    def one_of(self, count: int) -> None:
        """Pay for one of finitely many kinds."""
        self.price += arb(count).log()

    def grid(self, index: Any, where: str) -> arb:
        """The grid point `(1 + r)^index` (U3), paid for."""
        j = integer(index, where, -FAR, FAR)
        self.price += self.value("U3", exponent=j)
        return self.ratio**j
