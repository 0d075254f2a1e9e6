"""A claim in one variable from a point: equality there, then a sign of the derivative.

`log(1 + x) <= x` on `x >= 0` touches at 0, where interval arithmetic cannot decide. The script
states `0 <= g(x)` for `g = rhs - lhs`, takes the end of the domain, and proves the sign of `g'`
with the cheap tactics, after a second derivative if need be.
"""

from __future__ import annotations

import sympy as sp
from sympy.core.relational import Relational

from majorant.proofs.kernel.coq_printer import CoqPrinter
from majorant.proofs.kernel.domains import assumed_relation
from majorant.proofs.kernel.identifiers import Names
from majorant.proofs.kernel.statement import KernelStatement

DEPTH = 3
_CLOSE = "first [solve [lra] | solve [sign] | solve [timeout 15 nra]]"
_VALUES = (
    "rewrite ?Rplus_0_r, ?Rplus_0_l, ?Rminus_0_r, ?Rmult_0_l, ?Rmult_0_r, ?Ropp_0, ?Rplus_opp_r,"
    " ?exp_0, ?ln_1, ?sqrt_0, ?sqrt_1, ?sin_0, ?cos_0, ?atan_0"
)
_AT_START = f"cbv beta; unfold Rdiv; simpl pow; do 4 ({_VALUES}); lra"
_SIDE = "repeat split; first [exact I | lra | sign | nonzero | nra]"


def lower_end(symbol: sp.Symbol, hypotheses: tuple[sp.Basic, ...]) -> sp.Expr | None:
    """The largest number that the hypotheses place below `symbol`, if they are about it alone.

    >>> x = sp.Symbol("x", positive=True)
    >>> lower_end(x, ())
    0
    """
    ends: list[sp.Expr] = []
    for item in (*hypotheses, assumed_relation(symbol)):
        if isinstance(item, Relational):
            low, high = (item.rhs, item.lhs) if item.rel_op in (">", ">=") else item.args
            if item.rel_op in ("<", "<=", ">", ">=") and high == symbol and low.is_number:
                ends.append(low)
    return sp.Max(*ends) if ends else None


def contact_script(statement: KernelStatement) -> str | None:
    """The script for `lhs <= rhs` in one variable with a lower end, or None."""
    conclusion = statement.conclusion
    if not isinstance(conclusion, Relational) or conclusion.rel_op not in ("<=", ">="):
        return None
    symbols = conclusion.free_symbols
    if len(symbols) != 1:
        return None
    symbol = next(iter(symbols))
    start = lower_end(symbol, statement.hypotheses)
    if start is None:
        return None
    big, small = (
        (conclusion.rhs, conclusion.lhs)
        if conclusion.rel_op == "<="
        else (conclusion.lhs, conclusion.rhs)
    )
    names = Names([symbol])
    inner = sp.Symbol("running", real=True)  # the claim's own variable is in the context
    difference = (big - small).subs(symbol, inner)
    printer = CoqPrinter(names)
    body = _nonneg(printer, inner, difference, start, DEPTH)
    if body is None:
        return None
    return (
        f"assert (key : forall {names.add(inner)} : R, {printer.real(start, 0)} <= "
        f"{names.add(inner)} -> 0 <= {printer.real(difference)}); [{body} |"
        f" pose proof (key {names.add(symbol)} ltac:(lra)); lra]."
    )


def _nonneg(
    printer: CoqPrinter, symbol: sp.Symbol, g: sp.Expr, start: sp.Expr, depth: int
) -> str | None:
    """A tactic for `forall x, start <= x -> 0 <= g x`, by nested derivatives."""
    x = printer.names.add(symbol)
    direct = f"intros {x} Hx; {_CLOSE}"
    derivative = sp.factor(sp.together(sp.diff(g, symbol)))
    value = sp.simplify(g.subs(symbol, start))
    if depth == 0 or value.is_nonnegative is not True or derivative.has(sp.Derivative, sp.Abs):
        return direct
    if derivative.is_number:
        return direct
    numerator, denominator = sp.fraction(derivative)
    numerator = sp.expand(numerator)
    inner = _nonneg(printer, symbol, numerator, start, depth - 1)
    slope, top, bottom = (printer.real(e) for e in (derivative, numerator, denominator))
    at = printer.real(start, 0)
    rising = (
        f"first [solve [intros {x} Hx; cbv beta; {_CLOSE}]"
        f" | (assert (up{depth} : forall {x} : R, {at} <= {x} -> 0 <= {top}); [{inner} |"
        f" intros {x} Hx; cbv beta; apply Rle_trans with (({top}) / ({bottom}));"
        f" [apply div_nonneg; [now apply up{depth} | sign] | right; field; nonzero]])]"
    )
    return (
        f"first [solve [{direct}] | (intros {x} Hx;"
        f" refine (nonneg_from (fun {x} : R => {printer.real(g)})"
        f" (fun {x} : R => {slope}) {at} _ _ _ {x} Hx); clear {x} Hx; ["
        f"{_AT_START} | intros {x} Hx; auto_derive; [{_SIDE} | first [ring | (field; nonzero)]]"
        f" | {rising}])]"
    )
