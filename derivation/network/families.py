"""Descriptions of the two block families (1.5), with conventional parameter ids."""

from __future__ import annotations

from majorant.derivation.network.stages import (
    Attention,
    Block,
    FeedForward,
    Head,
    Linear,
    Network,
    Parameter,
    Projection,
    QueryKeyForm,
    ValueForm,
)


def normalized(
    blocks: int, heads: int, width: int, hidden: int, activation: str,
    outputs: int | None = None, pooling: str = "cls",
) -> Network:
    """The family of the papers: `Pi( phi( Pi( sum_h att_h(X) ) M_in ) M_out )` (1.5).

    Parameters: `block{l}.head{h}.QK` and `.V` (width x width, the scale inside QK),
    `block{l}.M_in` (width x hidden), `block{l}.M_out`, and `readout` (width x outputs) if
    `outputs` is given. The rows of the input lie in the unit ball: give `norms["input"] = 1`.

    >>> normalized(2, 2, 32, 64, "relu", outputs=2).blocks[1].name
    'block1'
    """
    return Network(
        family="normalized", width=width, input_radius="input",
        blocks=tuple(_normalized_block(f"block{l}", heads, width, hidden, activation)
                     for l in range(blocks)),
        pooling=pooling,  # type: ignore[arg-type]
        readout=() if outputs is None else (
            Linear(Parameter("readout", "matrix", width, outputs)),),
        outputs=outputs,
    )


def _normalized_block(name: str, heads: int, width: int, hidden: int, activation: str) -> Block:
    attention = Attention(tuple(
        Head(QueryKeyForm(Parameter(f"{name}.head{h}.QK", "matrix", width, width)),
             ValueForm(Parameter(f"{name}.head{h}.V", "matrix", width, width)))
        for h in range(heads)))
    feed_forward = FeedForward(
        Parameter(f"{name}.M_in", "matrix", width, hidden),
        Parameter(f"{name}.M_out", "matrix", hidden, width), activation)
    return Block(name, (attention, Projection(), feed_forward, Projection()))
