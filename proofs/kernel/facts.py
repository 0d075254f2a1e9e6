"""What a script may assume of the functions in its goal, each fact proved in the development."""

from __future__ import annotations

import sympy as sp

from majorant.proofs.kernel.coq_printer import CoqPrinter


def facts_of(printer: CoqPrinter, goal: sp.Basic) -> str:
    """Tactics that add tangents and bounds of each `exp`, `ln`, `sqrt`, `sin`, `cos` of `goal`.

    >>> facts_of(CoqPrinter(), sp.cos(sp.Symbol("x")))
    'pose proof (COS_bound x)'
    """
    found: list[str] = []
    for node in sorted(goal.atoms(sp.Function, sp.Pow), key=str):
        found += _facts(printer, node)
    return "; ".join(found)


def _facts(printer: CoqPrinter, node: sp.Basic) -> list[str]:
    if isinstance(node, sp.exp):
        argument = printer.real(node.args[0], 0)
        return [f"pose proof (exp_ge_tangent {argument})", f"pose proof (exp_pos {argument})"]
    if isinstance(node, sp.log):
        inside = node.args[0]
        argument = printer.real(inside, 0)
        below = [
            f"try pose proof (ln_above_exp {printer.real(term.args[0], 0)} {argument} "
            f"ltac:(pose proof (exp_pos {printer.real(term.args[0], 0)}); lra))"
            for term in sp.Add.make_args(inside) if isinstance(term, sp.exp)
        ]
        return [f"try pose proof ({name} {argument} ltac:(sign))"
                for name in ("ln_le_tangent", "ln_ge_tangent", "x_ln_ge")] + below
    if isinstance(node, sp.sin | sp.cos):
        return [f"pose proof ({type(node).__name__.upper()}_bound {printer.real(node.args[0], 0)})"]
    if isinstance(node, sp.Pow) and node.exp == sp.Rational(1, 2):
        argument = printer.real(node.base, 0)
        return [f"pose proof (sqrt_pos {argument})",
                f"try pose proof (sqrt_sqrt {argument} ltac:(sign))"]
    return []
