"""Proof scripts for generated goals, from cheap to dear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

from majorant.proofs.kernel.contact import contact_script, tail_script
from majorant.proofs.kernel.coq_printer import CoqPrinter
from majorant.proofs.kernel.facts import facts_of
from majorant.proofs.kernel.identifiers import Names
from majorant.proofs.kernel.statement import KernelStatement


@dataclass(frozen=True)
class Script:
    """A tactic text, whether it needs coq-interval, and how long one attempt may take."""

    name: str
    text: str
    interval: bool = False
    seconds: float = 20.0


PREPARE = "intros; split_all; "
REACHES = (4, 16)


def scripts_for(statement: KernelStatement) -> Iterator[Script]:
    """Scripts to try for a statement, without repetition.

    One attempt joins all cheap tactics: the load of the libraries costs more than they do.
    """
    conclusion = statement.conclusion
    relation = conclusion.rel_op if isinstance(conclusion, Relational) else ""
    if statement.printed_conditions():
        yield Script("defined", "", seconds=30.0)
    yield cheap_script(statement)
    contact = contact_script(statement)
    if contact is not None:
        yield Script("derivative", PREPARE + contact, seconds=40.0)
    for reach in REACHES:
        tail = tail_script(statement, reach)
        if tail is not None:
            yield Script(f"tail from {reach}", PREPARE + tail, True, 30.0)
    yield from _interval(statement, relation)


def cheap_script(statement: KernelStatement) -> Script:
    """The joint attempt of all cheap tactics."""
    conclusion = statement.conclusion
    relation = conclusion.rel_op if isinstance(conclusion, Relational) else ""
    return Script("cheap", _cheap(relation, conclusion), seconds=30.0)


def _cheap(relation: str, conclusion: sp.Basic) -> str:
    closing = ["lra", "(timeout 15 nra)"]
    if relation == "==":
        closing = ["reflexivity", "ring", "(field; nonzero)", "lra"]
        closing += ["(timeout 20 logarithms)"] if conclusion.has(sp.log) else []
        closing.append("(timeout 20 same_value)")
        equal = " | ".join(f"solve [{tactic}]" for tactic in closing)
        return f"{PREPARE}first [{equal}]."
    printer = CoqPrinter(_names(conclusion))
    squares, hints = _squares(conclusion), facts_of(printer, conclusion)
    options_squares = [f"({squares}; timeout 20 nra)"] if squares else []
    options = [*closing, "(timeout 15 sign)", *options_squares]
    if conclusion.has(sp.Abs, sp.Max, sp.Min):
        options.append("(timeout 20 cases)")
    if hints:
        options += [f"({hints}; lra)", f"({hints}; timeout 20 nra)"]
        options += [f"({squares}; {hints}; timeout 20 nra)"] if squares else []
    difference = _cleared(conclusion, squares)
    if difference:
        options.append(difference)
    joined = " | ".join(f"solve [{tactic}]" for tactic in options)
    return f"{PREPARE}first [{joined}]."


def _squares(conclusion: sp.Basic) -> str:
    """Squares that polynomial certificates are made of: differences, and critical points."""
    symbols = sorted((s for s in conclusion.free_symbols if isinstance(s, sp.Symbol)), key=str)
    if not isinstance(conclusion, Relational) or not 1 <= len(symbols) <= 4:
        return ""
    printer = CoqPrinter(_names(conclusion))
    bases = [a - b for k, a in enumerate(symbols) for b in symbols[k + 1 :]]
    roots = [
        sp.sqrt(a) - sp.sqrt(b)
        for k, a in enumerate(symbols)
        for b in symbols[k + 1 :]
        if conclusion.has(sp.sqrt(a)) or conclusion.has(sp.sqrt(b))
    ]
    numerator = sp.fraction(sp.together(conclusion.lhs - conclusion.rhs))[0]
    if len(symbols) == 1 and numerator.is_polynomial(symbols[0]):
        derivative = sp.Poly(numerator, symbols[0]).diff()
        if 0 < derivative.degree() <= 6:
            exact = sp.roots(derivative, filter="Q") if derivative.degree() else {}
            bases += [symbols[0] - root for root in sorted(exact, key=str)]
    facts = [f"pose proof (pow2_ge_0 {printer.real(base, 0)})" for base in [*bases, *roots]]
    return "; ".join(facts)


def _cleared(conclusion: sp.Basic, squares: str = "") -> str:
    """Clear a positive denominator: `rhs - lhs = num/den`, `num >= 0` by `nra`."""
    if not isinstance(conclusion, Relational):
        return ""
    big, small = (
        (conclusion.rhs, conclusion.lhs)
        if conclusion.rel_op in ("<=", "<")
        else (conclusion.lhs, conclusion.rhs)
    )
    numerator, denominator = sp.fraction(sp.together(big - small))
    if denominator.is_number or not numerator.is_polynomial():
        return ""
    printer = CoqPrinter(_names(conclusion))
    top, bottom = (printer.real(sp.factor(part), 0) for part in (numerator, denominator))
    strict = conclusion.rel_op in ("<", ">")
    rule = "Rdiv_lt_0_compat" if strict else "div_nonneg"
    zero = "<" if strict else "<="
    b, s = printer.real(big, 0), printer.real(small, 0)
    return (
        f"(assert (0 {zero} {b} - {s}); [replace ({b} - {s}) with ({top} / {bottom})"
        f" by (field; nonzero); apply {rule};"
        f" [first [sign | ({squares or 'idtac'}; timeout 20 nra)] | sign] | lra])"
    )


def _interval(statement: KernelStatement, relation: str) -> Iterator[Script]:
    """Interval arithmetic, with bisection and Taylor models in each variable."""
    symbols = sorted(statement.conclusion.free_symbols, key=str)
    if relation == "==" or any(not isinstance(s, sp.Symbol) for s in symbols):
        return
    names = _names(statement.conclusion)
    prepared = "intros; split_all; "
    if not symbols:
        yield Script("interval", "interval with (i_prec 80).", True)
        return
    bisect = ", ".join(f"i_bisect {names.add(s)}" for s in symbols)
    yield Script("interval", f"{prepared}interval with ({bisect}, i_depth 20).", True, 20.0)
    for symbol in symbols[:1]:
        taylor = f"i_taylor {names.add(symbol)}, i_degree 8, i_depth 30, i_prec 60"
        yield Script("taylor", f"{prepared}interval with ({bisect}, {taylor}).", True, 40.0)


def _names(conclusion: sp.Basic) -> Names:
    """The identifiers that the printed statement uses: reals by name."""
    names = Names()
    for symbol in sorted(
        (s for s in conclusion.free_symbols if isinstance(s, sp.Symbol)),
        key=lambda item: (str(item), repr(sp.srepr(item))),
    ):
        names.add(symbol)
    return names
