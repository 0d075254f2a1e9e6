"""Classes of small smooth Transformers for the one-trajectory guarantee, stated in one line."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network, parameters
from majorant.derivation.network.faithful import attention, feed_forward
from majorant.derivation.network.stages import Block, Linear, Parameter, Pointwise, Residual

LOSS = "sigmoid"


@dataclass(frozen=True, eq=False)
class StateClass:
    """A class of losses on states: a smooth network with a sigmoid at the end, values in [0, 1].

    `norms` bounds every parameter of the class by id; a state is `tokens` rows of `width` numbers
    in [0, 1]. `input_norm(w)` bounds the rows on the cube enlarged by `w`.
    """

    network: Network
    norms: dict[str, Fraction]
    tokens: int
    width: int
    description: dict[str, Any] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """Dimension of a state."""
        return self.tokens * self.width


def residual_class(
    *, blocks: int, heads: int, width: int, hidden: int, tokens: int, activation: str,
    norm: Fraction, readout: Fraction,
) -> StateClass:
    """Residual blocks without normalization; every matrix of spectral norm at most `norm`.

    The readout has norm at most `readout` and is followed by a sigmoid. ReLU and the projection
    are not smooth: the majorant calculus refuses them.

    >>> residual_class(blocks=1, heads=1, width=2, hidden=4, tokens=1, activation="gelu",
    ...                norm=Fraction(1), readout=Fraction(1)).dimension
    2
    """
    made = []
    for number in range(blocks):
        name = f"block{number}"
        made.append(Block(name, (
            Residual((attention(name, heads, width, biases=False),)),
            Residual((feed_forward(name, width, hidden, activation, biases=False),)),
        )))
    score = Parameter("readout", "matrix", width, 1)
    network = Network(
        family="faithful", width=width, input_radius="input", blocks=tuple(made),
        pooling="mean", readout=(Linear(score), Pointwise(LOSS, 1)), outputs=1)
    norms = {key: (readout if key == "readout" else norm) for key in parameters(network)}
    return StateClass(network, norms, tokens, width, {
        "blocks": blocks, "heads": heads, "width": width, "hidden": hidden, "tokens": tokens,
        "activation": activation, "norm": str(norm), "readout": str(readout), "loss": LOSS})


DEFAULTS: dict[str, str] = {
    "blocks": "1", "heads": "1", "width": "2", "hidden": "4", "tokens": "1", "activation": "gelu",
    "norm": "1", "readout": "1",
}


def parse_block(text: str) -> StateClass:
    """A class from `width=2,heads=1,norm=1/2,...`; missing keys take defaults.

    Raises `UnusableInput` naming the key that is unknown or out of range.

    >>> parse_block("width=2, tokens=2, norm=0.5").description["norm"]
    '1/2'
    """
    given = dict(DEFAULTS)
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, _, value = part.partition("=")
        if key.strip() not in DEFAULTS:
            raise UnusableInput(
                f"block: unknown key {key.strip()!r}; expected {', '.join(DEFAULTS)}")
        given[key.strip()] = value.strip()
    sizes = {}
    for key in ("blocks", "heads", "width", "hidden", "tokens"):
        if not given[key].isdigit() or int(given[key]) < 1:
            raise UnusableInput(f"block: {key}={given[key]!r}: expected a whole number from 1")
        sizes[key] = int(given[key])
    if sizes["width"] % sizes["heads"]:
        raise UnusableInput(
            f"block: {sizes['heads']} heads do not divide the width {sizes['width']}")
    numbers = {}
    for key in ("norm", "readout"):
        try:
            numbers[key] = Fraction(given[key])
        except (ValueError, ZeroDivisionError):
            raise UnusableInput(f"block: {key}={given[key]!r} is not a number") from None
        if numbers[key] <= 0:
            raise UnusableInput(f"block: {key}={given[key]}: expected a positive number")
    return residual_class(
        blocks=sizes["blocks"], heads=sizes["heads"], width=sizes["width"],
        hidden=sizes["hidden"], tokens=sizes["tokens"], activation=given["activation"],
        norm=numbers["norm"], readout=numbers["readout"])
