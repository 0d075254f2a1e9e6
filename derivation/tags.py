"""Tags that lemmas require and provide; composition matches them (`lemma.require`).

Hypotheses that prose leaves implicit, and that proofs in the wild have mixed up: whether a cover
is internal, whether it serves every input or one sample, the range and the radius of a class,
whether a Rademacher complexity carries an absolute value, whether a tail was truncated below the
radius, whether a map is differentiable more than once.
"""

from __future__ import annotations

from collections.abc import Iterable

from majorant.derivation.lemma import Lemma, require

# covers
COVER = "a cover"
INTERNAL = "internal centres"
EVERY_INPUT = "serves every input"
IN_SPECTRAL_BALL = "centres in the spectral ball"
ABOVE_TAIL = "radius above the truncated tail"
NETWORK = "entropy of the network class"
TELESCOPED = "sensitivities add up"
LOSS = "entropy of the loss class"
SAMPLE_FREE = "entropy does not depend on the sample"

# classes and complexities
UNIT_RANGE = "range [0,1]"
SYMMETRIC_RANGE = "range [-1,1]"
HALF_RADIUS = "radius 1/2"
QUARTER_INTEGRAL = "entropy integral up to 1/4"
LIPSCHITZ_LOSS = "Lipschitz loss"
RADEMACHER = "expected Rademacher complexity without absolute value"
RADEMACHER_ABSOLUTE = "expected Rademacher complexity with absolute value"
INDEPENDENT = "independent examples"
LISTED = "finitely many candidates"
PAID = "post hoc choices are paid for"
MARGIN = "margin Lipschitz in the output"
NORMALIZATIONS_HELD = "inputs of normalizations move by at most sqrt(N v)/4"
GUARANTEE = "bound on the risk"


def compose(have: Iterable[str], *lemmas: Lemma) -> frozenset[str]:
    """Tags after `lemmas` are applied in order; `HypothesisMismatch` where one does not fit.

    >>> compose(["a cover"])
    frozenset({'a cover'})
    """
    tags = frozenset(have)
    for lemma in lemmas:
        tags = require(tags, lemma)
    return tags


def common(*tags: frozenset[str]) -> frozenset[str]:
    """What holds for a sum of parts: the tags that every part has.

    >>> sorted(common(frozenset({"a cover", "internal centres"}), frozenset({"a cover"})))
    ['a cover']
    """
    return frozenset.intersection(*tags) if tags else frozenset()
