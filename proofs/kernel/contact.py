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
from majorant.proofs.kernel.facts import facts_of
from majorant.proofs.kernel.identifiers import Names
from majorant.proofs.kernel.statement import KernelStatement

DEPTH = 3
_CLOSE = "first [solve [lra] | solve [sign] | solve [timeout 15 nra]]"
_VALUES = (
    "rewrite ?Rplus_0_r, ?Rplus_0_l, ?Rminus_0_r, ?Rmult_0_l, ?Rmult_0_r, ?Ropp_0, ?Rplus_opp_r,"
    " ?exp_0, ?ln_1, ?sqrt_0, ?sqrt_1, ?sin_0, ?cos_0, ?atan_0"
)
_AT_START = f"cbv beta; unfold Rdiv; simpl pow; do 4 ({_VALUES}); lra"
_INTERVAL = "cbv beta; interval with (i_prec 80)"
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
    found = _one_variable(statement)
    if found is None:
        return None
    printer, symbol, inner, difference, start = found
    x, body = printer.names.add(inner), _nonneg(printer, inner, difference, start, DEPTH)
    return (
        f"assert (key : forall {x} : R, {printer.real(start, 0)} <= {x} -> 0 <= "
        f"{printer.real(difference)}); [{body} |"
        f" pose proof (key {printer.names.add(symbol)} ltac:(lra)); lra]."
    )


def tail_script(statement: KernelStatement, reach: int) -> str | None:
    """On `[a, infinity)`: intervals up to `a + reach`, the sign of the derivative from there."""
    found = _one_variable(statement)
    if found is None:
        return None
    printer, symbol, inner, difference, start = found
    middle = start + reach
    bounded = any(isinstance(h, Relational) and h.gts.is_number and h.lts == symbol
                  for h in statement.hypotheses if h.rel_op in ("<", "<=", ">", ">="))
    at_middle = difference.subs(inner, middle)
    if bounded or not start.is_Rational or at_middle.is_nonnegative is not True:
        return None
    x, at = printer.names.add(inner), printer.real(middle, 0)
    own, body = printer.names.add(symbol), _nonneg(printer, inner, difference, middle, 2, _INTERVAL)
    return (
        f"assert (key : forall {x} : R, {at} <= {x} -> 0 <= {printer.real(difference)}); [{body} |"
        f" destruct (Rle_lt_dec {own} {at}) as [below | above];"
        f" [interval with (i_bisect {own}, i_depth 20, i_taylor {own})"
        f" | pose proof (key {own} ltac:(lra)); lra]]."
    )


def _one_variable(
    statement: KernelStatement
) -> tuple[CoqPrinter, sp.Symbol, sp.Symbol, sp.Expr, sp.Expr] | None:
    """Printer, variable, a copy of it, the difference of the sides in it, the lower end."""
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
    return CoqPrinter(names), symbol, inner, difference, start


def _closing(printer: CoqPrinter, expr: sp.Expr) -> str:
    """Close `0 <= expr`, without and with what is known of its functions."""
    facts = facts_of(printer, expr)
    return f"first [{_CLOSE} | (split_all; {facts}; split_all; {_CLOSE})]" if facts else _CLOSE


def _over_one_line(expr: sp.Expr) -> sp.Expr:
    """One fraction, factored; exponentials stay as they are (`exp(-x)` is no denominator)."""
    names = {node: sp.Dummy(positive=True) for node in expr.atoms(sp.exp)}
    return sp.factor(sp.together(expr.xreplace(names))).xreplace({v: k for k, v in names.items()})


def _nonneg(
    printer: CoqPrinter, symbol: sp.Symbol, g: sp.Expr, start: sp.Expr, depth: int,
    at_start: str = _AT_START,
) -> str:
    """A tactic for `forall x, start <= x -> 0 <= g x`, by nested derivatives."""
    x = printer.names.add(symbol)
    direct = f"intros {x} Hx; {_closing(printer, g)}"
    derivative = _over_one_line(sp.diff(g, symbol))
    value = sp.simplify(g.subs(symbol, start))
    if depth == 0 or value.is_nonnegative is not True or derivative.has(sp.Derivative, sp.Abs):
        return direct
    if derivative.is_number:
        return direct
    numerator, denominator = sp.fraction(derivative)
    numerator = sp.expand(numerator, power_exp=False)
    inner = _nonneg(printer, symbol, numerator, start, depth - 1, at_start)
    slope, top, bottom = (printer.real(e) for e in (derivative, numerator, denominator))
    at = printer.real(start, 0)
    rising = (
        f"first [solve [intros {x} Hx; cbv beta; {_closing(printer, derivative)}]"
        f" | (assert (up{depth} : forall {x} : R, {at} <= {x} -> 0 <= {top}); [{inner} |"
        f" intros {x} Hx; cbv beta; apply Rle_trans with (({top}) / ({bottom}));"
        f" [apply div_nonneg; [now apply up{depth} | sign] | right; field; nonzero]])]"
    )
    return (
        f"first [solve [{direct}] | (intros {x} Hx;"
        f" refine (nonneg_from (fun {x} : R => {printer.real(g)})"
        f" (fun {x} : R => {slope}) {at} _ _ _ {x} Hx); clear {x} Hx; ["
        f"{at_start} | intros {x} Hx; auto_derive; [{_SIDE} | first [ring | (field; nonzero)]]"
        f" | {rising}])]"
    )
