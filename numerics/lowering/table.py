"""The lowering table: which SymPy class is which operation, for every evaluator.

A back end supplies operations by these names. An expression may contain these classes, numbers,
symbols, indexed families, `Add`, `Mul`, `Pow`, relations, `Piecewise`, and the index-binding
nodes; anything else is an `UnsupportedExpression` that prints the node and its path.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from majorant.derivation import functions as own
from majorant.derivation.errors import UnsupportedExpression

FUNCTIONS: dict[type, str] = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.tan: "tan",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.atan: "atan",
    sp.atan2: "atan2",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.asinh: "asinh",
    sp.acosh: "acosh",
    sp.atanh: "atanh",
    sp.sinc: "sinc",
    sp.erf: "erf",
    sp.erfc: "erfc",
    sp.gamma: "gamma",
    sp.loggamma: "loggamma",
    sp.digamma: "digamma",
    sp.polygamma: "polygamma",
    sp.factorial: "factorial",
    sp.binomial: "binomial",
    sp.LambertW: "lambertw",
    sp.zeta: "zeta",
    sp.Abs: "abs",
    sp.sign: "sign",
    sp.floor: "floor",
    sp.ceiling: "ceiling",
    sp.Max: "maximum",
    sp.Min: "minimum",
    own.PositivePower: "positive_power",
    own.Above: "above",
    own.BernoulliKL: "bernoulli_kl",
    own.KLInverse: "kl_inverse",
    own.LogPlus: "log_plus",
    own.ExtendedLog: "extended_log",
    own.LogAddExp: "log_add_exp",
    own.LogScaled: "log_scaled",
}

BINDERS: dict[type, str] = {
    sp.Sum: "sum_over",
    sp.Product: "product_over",
    own.CountingFunction: "sum_over",
    own.MinOver: "min_over",
    own.MaxOver: "max_over",
    own.LogSumExpOver: "log_sum_exp_over",
}

RELATIONS: dict[type, str] = {
    sp.StrictLessThan: "<",
    sp.LessThan: "<=",
    sp.StrictGreaterThan: ">",
    sp.GreaterThan: ">=",
    sp.Equality: "==",
    sp.Unequality: "!=",
}


def unsupported(node: sp.Basic, path: Sequence[str], evaluator: str) -> UnsupportedExpression:
    """The error for a node that `evaluator` does not know.

    >>> import sympy as sp
    >>> print(unsupported(sp.Ei(2), ["Add[0]", "Mul[1]"], "torch"))
    torch: cannot evaluate Ei(2) (Ei) at Add[0] > Mul[1]
    """
    where = " > ".join(path) if path else "the top of the expression"
    reason = ""
    if isinstance(node, own.Statement):
        reason = f": it names a quantity ({node.meaning}) that has no formula"
    elif isinstance(node, sp.Piecewise):
        reason = ": it has no default; add a branch (value, True)"
    elif isinstance(node, sp.Symbol | sp.Indexed | sp.IndexedBase):
        reason = ": it is not among the arguments"
    return UnsupportedExpression(
        f"{evaluator}: cannot evaluate {node} ({type(node).__name__}) at {where}{reason}"
    )
