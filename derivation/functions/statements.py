"""Opaque names for left-hand sides: what a lemma bounds, when that has no formula.

They print and take part in statements; evaluating one is an error that names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from majorant.derivation.functions.facts import OwnFunction
from majorant.derivation.ranges import Range


class Statement(OwnFunction):
    """Base of the opaque names; non-negative real quantities."""

    domain = "non-negative quantity without a formula"
    latex_name: ClassVar[str] = ""
    meaning: ClassVar[str] = ""

    def range_from(self, ranges: Sequence[Range]) -> Range:
        """Non-negative."""
        return Range.above(0)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        inside = ", ".join(printer._print(arg) for arg in self.args)
        return self.latex_name + power + (rf"\left({inside}\right)" if inside else "")


class MetricEntropy(Statement):
    """Natural log of an `eps`-covering number of the class under discussion.

    >>> import sympy as sp
    >>> sp.latex(MetricEntropy(sp.Symbol("varepsilon")))
    '\\\\mathcal{H}\\\\left(\\\\varepsilon\\\\right)'
    """

    latex_name = r"\mathcal{H}"
    meaning = "metric entropy (nats) at a radius"

    def is_decr(self, i: int, ranges: Sequence[Range]) -> bool:
        """Non-increasing in the radius, its first argument."""
        return i == 0


class EmpiricalRademacher(Statement):
    """Empirical Rademacher complexity of the loss class (without absolute value)."""

    latex_name = r"\widehat{\mathfrak{R}}_n"
    meaning = "empirical Rademacher complexity, no absolute value"


class Risk(Statement):
    """Expected loss of the trained network (or of the argument)."""

    latex_name = "R"
    meaning = "risk: expected loss"


class EmpiricalRisk(Statement):
    """Mean loss over the sample."""

    latex_name = r"\widehat{R}"
    meaning = "empirical risk"


class MarginError(Statement):
    """`P(margin <= gamma)`; with `gamma = 0` the classification error, ties being errors."""

    latex_name = "R_0"
    meaning = "probability that the margin is at most the argument"


class LipschitzConstant(Statement):
    """Lipschitz constant of the named map."""

    latex_name = r"\operatorname{Lip}"
    meaning = "Lipschitz constant"


class DerivativeNorm(Statement):
    """`D_k(f)`: supremum of the operator norm of the derivative of order `k`."""

    latex_name = "D"
    meaning = "supremum of the norm of a derivative"


class OutputDistance(Statement):
    """`sup_X ||f_W(X) - f_V(X)||`: how far two networks of a class are apart."""

    latex_name = r"\operatorname{dist}"
    meaning = "largest distance of two outputs"


class JointCumulant(Statement):
    """Absolute value of a joint cumulant of the named variables."""

    latex_name = r"\left|\kappa\right|"
    meaning = "absolute joint cumulant"


class FailureProbability(Statement):
    """Probability of the event that a concentration inequality bounds."""

    latex_name = r"\mathbb{P}"
    meaning = "probability of failure"


class EntropyIntegral(Statement):
    """`int_a^c sqrt(H(eps)) d eps` of the class under discussion."""

    latex_name = r"\mathcal{J}"
    meaning = "entropy integral between two radii"


class ExpectedSupremum(Statement):
    """Expectation of the largest deviation over the class."""

    latex_name = r"\mathbb{E}\sup"
    meaning = "expected largest deviation over the class"


class SchattenQuantity(Statement):
    """`S_p(W)`: sum of p-th powers of singular values, the rank at `p = 0`."""

    latex_name = "S"
    meaning = "Schatten quantity"


class SingularValue(Statement):
    """Singular value with the given number (and matrix)."""

    latex_name = r"\sigma"
    meaning = "singular value"
