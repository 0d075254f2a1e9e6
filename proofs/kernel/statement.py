"""Statements for the kernel: printed from SymPy, closed by a theorem of the development."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And

from majorant.derivation.errors import UnsupportedExpression
from majorant.derivation.functions.setting import Setting
from majorant.proofs.kernel.coq_printer import CoqPrinter
from majorant.proofs.kernel.definedness import Need, needs
from majorant.proofs.kernel.domains import Signature, assumed_relation, bound_symbols, signature
from majorant.proofs.kernel.identifiers import Names, identifier

AUTO = "auto"
_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=", "!=": "<>"}


@dataclass(frozen=True)
class KernelStatement:
    """`conclusion` under `hypotheses`, to be closed by `theorem` (`Module.name`, or `auto`).

    Variables and families are found in the expressions, reals before counts before families, each
    by name; the sign that SymPy assumes of each becomes a hypothesis, before the explicit ones.
    In a hypothesis, an index that is bound in the conclusion is universally quantified over its
    assumed domain. A decimal of a changed constant is a different statement: the kernel refuses.

    >>> x, y = sp.symbols("x y", positive=True)
    >>> print(KernelStatement("amgm", sp.Le(2 * x * y, x**2 + y**2, evaluate=False)).printed())
    forall (x y : R),
      x > 0 ->
      y > 0 ->
      2 * x * y <= x ^ 2 + y ^ 2
    """

    name: str
    conclusion: sp.Basic
    hypotheses: tuple[sp.Basic, ...] = ()
    theorem: str = ""

    @property
    def module(self) -> str:
        """Module of the development that holds the theorem."""
        return self.theorem.partition(".")[0]

    @property
    def scripted(self) -> bool:
        """Whether generated scripts must find the proof: no theorem is named, or `auto`."""
        return self.theorem in ("", AUTO)

    @property
    def identifier(self) -> str:
        """Name of the printed theorem."""
        return identifier(self.name.replace(".", "_"))

    def printed(self) -> str:
        """The Coq proposition."""
        printer, quantifiers, premises = self._prepare()
        lines = [*premises, proposition(printer, self.conclusion)]
        return f"{quantifiers}\n  " + " ->\n  ".join(lines) if quantifiers else " ->\n".join(lines)

    def printed_conditions(self) -> list[str]:
        """Propositions that say that every term of the statement is defined."""
        printer, quantifiers, premises = self._prepare()
        found: list[str] = []
        for need in self._needs():
            text = _quantified(printer, need)
            lines = [*premises, text]
            body = f"{quantifiers}\n  " + " ->\n  ".join(lines) if quantifiers else text
            found.append(body)
        return found

    def _needs(self) -> list[Need]:
        collected: list[Need] = []
        for side in (*self.hypotheses, self.conclusion):
            collected += needs(side)
        known = {str(h) for h in _flatten(self.hypotheses)}
        return [n for n in dict.fromkeys(collected) if str(n.condition) not in known]

    def _prepare(self) -> tuple[CoqPrinter, str, list[str]]:
        flat = _flatten(self.hypotheses)
        found = signature(self.conclusion, flat)
        names = Names()
        printer = CoqPrinter(names, frozenset(found.counts))
        printer.fixed_first = dict(found.fixed)
        groups = _quantifiers(found, names, flat, self.conclusion)
        premises = [*_domain_premises(found, printer)]
        premises += [_hypothesis(printer, h, found) for h in flat]
        return printer, groups, premises


def _flatten(hypotheses: Iterable[sp.Basic]) -> list[sp.Basic]:
    flat: list[sp.Basic] = []
    for item in hypotheses:
        parts = item.args if isinstance(item, And) else (item,)
        flat += [part for part in parts if part is not sp.true]
    return flat


def _quantifiers(
    found: Signature, names: Names, hypotheses: list[sp.Basic], conclusion: sp.Basic
) -> str:
    depth = {}
    for item in (*hypotheses, conclusion):
        for entry in item.atoms(sp.Indexed):
            depth[entry.base] = len(entry.indices) - (1 if entry.base in dict(found.fixed) else 0)
    groups = []
    if found.reals:
        groups.append(f"({' '.join(names.add(s) for s in found.reals)} : R)")
    if found.counts:
        groups.append(f"({' '.join(names.add(s) for s in found.counts)} : nat)")
    for family in found.families:
        arrows = "nat -> " * depth.get(family, 1)
        groups.append(f"({names.add(family)} : {arrows}R)")
    return f"forall {' '.join(groups)}," if groups else ""


def _domain_premises(found: Signature, printer: CoqPrinter) -> list[str]:
    premises = []
    for symbol in found.reals:
        relation = assumed_relation(symbol)
        if relation is not None:
            premises.append(proposition(printer, relation))
    for symbol in found.counts:
        if symbol.is_positive:
            premises.append(f"(1 <= {printer.names.add(symbol)})%nat")
    for family in found.families:
        sign = assumed_relation(family[sp.Symbol("i", integer=True, positive=True)])
        if sign is not None:
            name = printer.names.add(family)
            premises.append(f"(forall i : nat, {name} i {_RELATIONS[sign.rel_op]} 0)")
    return premises


def _hypothesis(printer: CoqPrinter, hypothesis: sp.Basic, found: Signature) -> str:
    free = set(hypothesis.free_symbols) - bound_symbols(hypothesis)
    known = set(found.reals) | set(found.counts) | {index for _, index in found.fixed}
    local = sorted(
        (s for s in free if isinstance(s, sp.Symbol) and s in found.bound and s not in known),
        key=str,
    )
    if not local:
        return proposition(printer, hypothesis)
    saved = printer.counting
    counted = {s for s in local if s.is_integer}
    printer.counting = saved | counted
    binders, ranges = [], []
    for symbol in local:
        name = printer.names.add(symbol)
        binders.append(f"({name} : {'nat' if symbol in counted else 'R'})")
        if symbol in counted and symbol.is_positive:
            ranges.append(f"(1 <= {name})%nat -> ")
    text = f"(forall {' '.join(binders)}, {''.join(ranges)}{proposition(printer, hypothesis)})"
    printer.counting = saved
    return text


def proposition(printer: CoqPrinter, relation: sp.Basic) -> str:
    """A relational as a Coq proposition.

    >>> x = sp.Symbol("x", positive=True)
    >>> proposition(CoqPrinter(), sp.Le(sp.log(1 + x), x))
    'ln (1 + x) <= x'
    """
    if isinstance(relation, Relational):
        left, right = (printer.real(side) for side in relation.args)
        if _counts_only(printer, relation):
            left, right = (printer.count(side) for side in relation.args)
            return f"({left} {_RELATIONS[relation.rel_op]} {right})%nat"
        return f"{left} {_RELATIONS[relation.rel_op]} {right}"
    if isinstance(relation, And):
        parts = sorted((proposition(printer, part) for part in relation.args), key=str)
        return " /\\ ".join(parts)
    if isinstance(relation, Setting):
        return " ".join([relation.name, *(_argument(printer, arg) for arg in relation.arguments)])
    raise UnsupportedExpression(f"{relation}: expected a relation such as x <= y")


def _argument(printer: CoqPrinter, argument: sp.Basic) -> str:
    if isinstance(argument, sp.IndexedBase):
        return printer.names.add(argument)
    if argument in printer.counting:
        return printer.count(argument)
    return printer.real(argument, 0)


def _counts_only(printer: CoqPrinter, relation: sp.Basic) -> bool:
    """Whether both sides are whole numbers made of counting symbols alone."""
    parts = relation.atoms(sp.Symbol)
    plain = not relation.has(sp.Sum, sp.Product, sp.Indexed, sp.Pow, sp.Function)
    return bool(parts) and parts <= printer.counting and plain


def _quantified(printer: CoqPrinter, need: Need) -> str:
    saved = printer.counting
    prefix = ""
    for symbol, low, high in need.ranges:
        name = printer.names.add(symbol)
        if symbol.is_integer:
            ends = f"({printer.count(low)} <= {name})%nat -> ({name} <= {printer.count(high)})%nat"
            printer.counting = printer.counting | {symbol}
            prefix += f"forall {name} : nat, {ends} -> "
        else:
            ends = f"{printer.real(low)} <= {name} -> {name} <= {printer.real(high)}"
            prefix += f"forall {name} : R, {ends} -> "
    text = prefix + proposition(printer, need.condition)
    printer.counting = saved
    return text
