"""Composing lemmas: the expression, the tags that hold, and who contributed what.

A `Step` is what has been derived so far. `then` applies a lemma to it and refuses when the lemma
needs a hypothesis that the step does not have; `together` joins the parts of a sum, of which only
the common tags survive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from majorant.derivation.lemma import Lemma
from majorant.derivation.tags import compose

Factor = tuple[str, sp.Expr]


@dataclass(frozen=True)
class Step:
    """A derived expression with its tags, the lemmas that it stands on and their factors."""

    expression: sp.Expr
    tags: frozenset[str]
    lemmas: tuple[str, ...] = ()
    factors: tuple[Factor, ...] = ()
    hypotheses: tuple[sp.Basic, ...] = ()

    def then(
        self,
        lemma: Lemma,
        expression: sp.Expr,
        factor: sp.Expr | None = None,
        assuming: Iterable[str] = (),
        hypotheses: Sequence[sp.Basic] = (),
    ) -> Step:
        """The step after `lemma`; `HypothesisMismatch` names the tags that are missing.

        `assuming` are tags that the stated `hypotheses` give.

        >>> from majorant.derivation.covering import C2
        >>> step = Step(sp.Integer(0), frozenset()).then(C2, sp.Symbol("H"))
        >>> step.lemmas
        ('C2',)
        """
        tags = compose(self.tags | frozenset(assuming), lemma)
        return replace(
            self,
            expression=expression,
            tags=tags,
            lemmas=_unique((*self.lemmas, lemma.id)),
            factors=self.factors if factor is None else (*self.factors, (lemma.id, factor)),
            hypotheses=_unique((*self.hypotheses, *hypotheses)),
        )


def start(lemma: Lemma, expression: sp.Expr, assuming: Iterable[str] = ()) -> Step:
    """The first step: `lemma` alone, with the tags that are assumed.

    >>> from majorant.derivation.covering import C2
    >>> start(C2, sp.Symbol("H")).factors
    (('C2', H),)
    """
    blank = Step(sp.S.Zero, frozenset())
    return blank.then(lemma, expression, factor=expression, assuming=assuming)


def together(expression: sp.Expr, *parts: Step) -> Step:
    """The sum of several parts as one step: common tags, all lemmas, all factors.

    >>> together(sp.Integer(1), Step(sp.Integer(1), frozenset({"a cover"}))).tags
    frozenset({'a cover'})
    """
    return Step(
        expression,
        frozenset.intersection(*(part.tags for part in parts)),
        _unique(lemma for part in parts for lemma in part.lemmas),
        tuple(factor for part in parts for factor in part.factors),
        _unique(hypothesis for part in parts for hypothesis in part.hypotheses),
    )


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))
