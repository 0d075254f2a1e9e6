"""Descriptions of the two block families (1.5), with conventional parameter ids."""

from __future__ import annotations

from majorant.derivation.network.stages import (
    Attention,
    Block,
    FeedForward,
    GatedFeedForward,
    Head,
    Linear,
    Network,
    Parameter,
    Projection,
    QueryKeyFactors,
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


def normalized_gated(
    blocks: int, heads: int, groups: int, width: int, head_width: int, hidden: int, activation: str,
) -> Network:
    """The same with rotary heads and gates: `Pi( (phi(Y M_gate) * (Y M_in)) M_out )` (Llama).

    Parameters: `block{l}.head{h}.Q` and, for each group of heads, `block{l}.group{g}.K`
    (width x head_width), `.V` per head, `M_gate`, `M_in`, `M_out`. The factor on the logits is 1.

    >>> [head.logits.key.id for head in
    ...  normalized_gated(1, 4, 2, 8, 2, 16, "silu").blocks[0].stages[0].heads]
    ['block0.group0.K', 'block0.group0.K', 'block0.group1.K', 'block0.group1.K']
    """
    def block(name: str) -> Block:
        attention = Attention(tuple(
            Head(QueryKeyFactors(
                Parameter(f"{name}.head{h}.Q", "matrix", width, head_width),
                Parameter(f"{name}.group{h * groups // heads}.K", "matrix", width, head_width),
                "1", rotary=True),
                 ValueForm(Parameter(f"{name}.head{h}.V", "matrix", width, width)))
            for h in range(heads)))
        gate, up = (Parameter(f"{name}.{role}", "matrix", width, hidden)
                    for role in ("M_gate", "M_in"))
        feed_forward = GatedFeedForward(
            gate, up, Parameter(f"{name}.M_out", "matrix", hidden, width), activation)
        return Block(name, (attention, Projection(), feed_forward, Projection()))

    return Network(family="normalized", width=width, input_radius="input",
                   blocks=tuple(block(f"block{l}") for l in range(blocks)), pooling="cls")
