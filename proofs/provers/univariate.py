"""One variable: `f >= 0` (or `> 0`) on an interval, by Taylor branch and bound in balls.

Ends that are open, unbounded or points of contact are settled by one-sided leading terms
(`unbounded`), interior points of contact by their order (`contact`), the rest by subdivision
with Taylor forms.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import sympy
from flint import arb

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.provers import monomial as mono
from majorant.proofs.provers.contact import contact_candidates
from majorant.proofs.provers.domain import Bound
from majorant.proofs.provers.enclosure import Precision, evaluate
from majorant.proofs.provers.exact import is_formally_zero, sign_of_constant
from majorant.proofs.provers.interval import Interval, to_rational
from majorant.proofs.provers.outcome import Clock, Hints, Proof
from majorant.proofs.provers.program import Program
from majorant.proofs.provers.series import series_jet as jet
from majorant.proofs.provers.unbounded import one_sided_sign

_BITS = 160
_MAX_BOXES = 40_000
_NARROW = arb(2) ** -34
_ORDER = 5


@dataclass
class _Search:
    """State of one search: the program, what is settled, and the reasons so far."""

    expr: sympy.Expr
    variable: sympy.Symbol
    strict: bool
    clock: Clock
    hints: Hints
    settled: list[tuple[arb, arb]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    boxes: int = 0

    def __post_init__(self) -> None:
        self.program = Program([self.expr], [self.variable])

    def at(self, point: arb) -> Interval:
        return evaluate(self.program, [Interval(point, point)])[0]

    def hint(self, point: arb) -> None:
        self.hints.points.append({self.variable: to_rational(point, 30)})


def prove_on_interval(
    expr: sympy.Expr,
    variable: sympy.Symbol,
    low: Bound | None,
    high: Bound | None,
    strict: bool,
    clock: Clock,
    hints: Hints,
) -> Proof | None:
    """Prove `expr >= 0` (`> 0` if strict) between two ends; None ends are infinite.

    The expression must be defined on the interval (this is proved elsewhere). Points where it is
    seen to be negative are left in `hints`.
    """
    try:
        search = _Search(expr, variable, strict, clock, hints)
    except UnsupportedExpression:
        return None
    with Precision(_BITS):
        start = _end(search, low, 1)
        stop = _end(search, high, -1)
        if start is None or stop is None:
            return None
        if start <= stop and not _subdivide(search, start, stop):
            return None
    search.lines.append(f"{search.boxes} boxes by Taylor forms in ball arithmetic")
    return Proof("balls", tuple(search.lines))


def _end(search: _Search, bound: Bound | None, side: int) -> arb | None:
    """Settle one end; the number from which the subdivision starts, None if it failed."""
    point = bound.value if bound is not None else (-sympy.oo if side > 0 else sympy.oo)
    if bound is not None:
        ball = mono.enclose(mono.from_sympy(point))
        inside = ball.lo if side > 0 else ball.hi
        value = search.at(inside)
        smooth = jet(search.program, Interval(inside, inside), 1)[1].bounded
        if value.lo > 0 and value.bounded and smooth:
            return inside
        if not bound.strict:
            sign = sign_of_constant(_at(search.expr, search.variable, point))
            if sign is None or sign < 0 or (sign == 0 and search.strict):
                if sign is not None and point.is_Rational:
                    search.hints.points.append({search.variable: point})
                return None
            search.lines.append(f"at {search.variable} = {point} the sign is {sign}")
    found = one_sided_sign(search.expr, search.variable, point, side, search.clock)
    if found is None:
        return None
    if found.sign < 0:
        search.hint(found.reach)
        return None
    where = "above" if side > 0 else "below"
    search.lines.append(
        f"positive for {search.variable} {where} {point} up to {found.reach.str(6, radius=False)}:"
        f" leading term {found.leading} with t = distance^-1"
        if bound is not None
        else f"positive beyond {found.reach.str(6, radius=False)}: leading term {found.leading}"
    )
    return found.reach


def _at(expr: sympy.Expr, variable: sympy.Symbol, point: sympy.Expr) -> sympy.Expr:
    return expr.subs(variable, point)


def _subdivide(search: _Search, start: arb, stop: arb) -> bool:
    todo = [(start, stop)]
    while todo:
        search.clock.check()
        low, high = todo.pop()
        if any(a <= low and high <= b for a, b in search.settled):
            continue
        search.boxes += 1
        if search.boxes > _MAX_BOXES:
            return False
        verdict = _test(search, low, high)
        if verdict is True:
            continue
        if verdict is False:
            return False
        if high - low < _NARROW * (1 + abs(low) + abs(high)):
            if not _touch(search, low, high):
                return False
            todo.append((low, high))
            continue
        middle = _middle(low, high)
        pieces = sorted({low, middle, high, *_cuts(search, low, high)}, key=float)
        todo.extend(itertools.pairwise(pieces))
    return True


def _cuts(search: _Search, low: arb, high: arb) -> list[arb]:
    """Ends of settled neighbourhoods inside a box."""
    return [end for pair in search.settled for end in pair if low < end and end < high]


def _middle(low: arb, high: arb) -> arb:
    if low > 0 and high > 16 * low:
        return (low * high).sqrt().mid()
    if high < 0 and low < 16 * high:
        return -(low * high).sqrt().mid()
    return ((low + high) / 2).mid()


def _enough(search: _Search, value: arb) -> bool:
    return bool(value > 0) if search.strict else bool(value >= 0)


def _test(search: _Search, low: arb, high: arb) -> bool | None:
    """True: proved on the box; False: certainly negative somewhere; None: split."""
    box = Interval(low, high)
    if _enough(search, evaluate(search.program, [box])[0].lo):
        return True
    middle = _middle(low, high)
    if search.at(middle).hi < 0:
        search.hint(middle)
        return False
    wide = jet(search.program, box, _ORDER)
    if _enough(search, wide[0].lo):
        return True
    if wide[1].lo >= 0 or wide[1].hi <= 0:
        end = low if wide[1].lo >= 0 else high
        value = search.at(end)
        if _enough(search, value.lo):
            return True
        if value.hi < 0:
            search.hint(end)
            return False
    near = jet(search.program, Interval(middle, middle), _ORDER - 1)
    if wide[2].lo > 0:
        # f >= f(m) + f'(m) h + c h^2 with c > 0, whose least value is f(m) - f'(m)^2 / (4c)
        slope = near[1].absolute().hi
        if _enough(search, (near[0].lo - slope**2 / (4 * wide[2].lo)).lower()):
            return True
    half = max(high - middle, middle - low)
    step = Interval(-half, half) if half > 0 else Interval(arb(0), arb(0))
    for order in (3, _ORDER):
        if not wide[order].bounded:
            break
        total = wide[order]
        for coefficient in reversed(near[:order]):
            total = total * step + coefficient
        if _enough(search, total.lo):
            return True
    return None


def _touch(search: _Search, low: arb, high: arb) -> bool:
    """Settle a neighbourhood of an exact point of contact near a box that resists."""
    if search.strict:
        return False
    middle = ((low + high) / 2).mid()
    for point in contact_candidates(search.expr, search.variable, middle):
        search.clock.check()
        ball = mono.enclose(mono.from_sympy(point))
        if not (abs(ball.lo - middle) < (high - low) * 64 + arb("1e-6") * (1 + abs(middle))):
            continue
        if not is_formally_zero(_at(search.expr, search.variable, point)):
            continue
        return _settle(search, point, ball)
    return False


def _settle(search: _Search, point: sympy.Expr, ball: Interval) -> bool:
    slope = sympy.diff(search.expr, search.variable)
    if not slope.has(sympy.Derivative, sympy.DiracDelta) and is_formally_zero(
        _at(slope, search.variable, point)
    ):
        radius = arb(1) / 8
        for _ in range(12):
            box = Interval((ball.lo - radius).lower(), (ball.hi + radius).upper())
            if jet(search.program, box, 2)[2].lo > 0:
                search.settled.append((box.lo, box.hi))
                search.lines.append(
                    f"contact at {search.variable} = {point}: value and slope are 0 exactly, and "
                    f"the function is convex within {radius.str(4, radius=False)}"
                )
                return True
            radius = radius / 4
    ends = []
    for side in (-1, 1):
        found = one_sided_sign(search.expr, search.variable, point, side, search.clock)
        if found is None or found.sign < 0:
            if found is not None:
                search.hint(found.reach)
            return False
        ends.append(found.reach)
    search.settled.append((ends[0], ends[1]))
    search.lines.append(
        f"contact at {search.variable} = {point}: the value is 0 exactly, the leading terms on "
        "both sides are positive"
    )
    return True
