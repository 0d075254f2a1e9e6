"""A fine-tune of the last feed-forward matrix with one factor fixed by a seed, and of the head.

`W_out = W_out^0 + U V`: nothing below the last activation `h` moves, so with `code = h U` the
network is `x^0 + code V -> LayerNorm -> pooling -> head`, where `x^0` and `code` are functions of
the input alone. Adding `x^0` changes no distance between two members of the class and no radius
after the LayerNorm, so the network that is covered is `code -> V -> LayerNorm -> pooling -> head`:
only `V` and the head are paid for.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import sympy as sp
import torch

from majorant.derivation.certificate import exact_fraction
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import Network, parameters
from majorant.derivation.network.stages import Block, Linear, Normalization
from majorant.derivation.network.stages import Parameter as Described
from majorant.derivation.union_bound import geometric_weight
from majorant.numerics.certificates.sized import UP, Sized, dense_ends, sized_parameter
from majorant.numerics.checkpoints import Model
from majorant.numerics.checkpoints.adapter import AdapterStore, LowRank
from majorant.numerics.checkpoints.declared import FILE, read_declared, seeded_factor
from majorant.numerics.networks import describe
from majorant.numerics.optimize.parameters import Parameter

UPDATE, LAST = "update", "last"


def last_update(model: Model, base: Model | None, radius: float) -> Sized:
    """The part that was trained, with `radius` the largest row of `code` that counts as good.

    Everything that the folder declares is verified against its tensors: only the last feed-forward
    matrix and the head moved, and `lora_A` is what the seed draws. Raises `UnusableInput` for
    anything else.
    """
    declared = read_declared(model.source)
    where = model.source.label
    store = model.store
    if declared is None or declared.factor is None or not isinstance(store, AdapterStore):
        raise UnusableInput(f"{where}: a radius of code rows belongs to a LoRA adapter with a "
                            f"fixed factor declared in {FILE}, read with --reference BASE")
    block, factor = model.blocks[-1], declared.factor
    if block.placement != "post" or model.final_norm is not None or base is None:
        raise UnusableInput(f"{where}: only encoders whose last LayerNorm follows the last "
                            "feed-forward matrix are covered by a fixed factor")
    biases = {name.removesuffix(".weight") + ".bias" for name in declared.head}
    moved = {name for name in store.entries() if store.moved(name)}
    if factor.weight != block.feed_forward.output_view.name or not (
            {factor.weight} <= moved <= {factor.weight, *declared.head, *biases}):
        raise UnusableInput(f"{where}: {FILE} declares an update of {factor.weight} and the head; "
                            f"the adapter moves {', '.join(sorted(moved))}")
    change = store.low_rank(factor.weight)
    if change is None:
        raise UnusableInput(f"{where}: {factor.weight} is not adapted by factors")
    _require_seeded(change, factor.seed, factor.columns, where)
    full = describe(model, floors=True)
    rank, width = change.right.shape[1], model.dimensions.width
    norm = full.network.blocks[-1].stages[-1]
    assert isinstance(norm, Normalization)
    update = Described(UPDATE, "matrix", rank, width)
    network = Network("faithful", width, "input", (Block(LAST, (Linear(update), norm)),),
                      pooling=full.network.pooling, readout=full.network.readout,
                      outputs=full.network.outputs)
    sigma = tuple(x * (1 + change.scale_error) * UP for x in dense_ends(change.right.T))
    kept = {norm.gain.id if norm.gain else "", norm.bias.id if norm.bias else ""}
    sized = [Parameter(UPDATE, "matrix", (rank, width), sigma=sigma)]
    for name in parameters(network):
        if name != UPDATE:
            found = sized_parameter(name, full.sources[name], None)
            sized.append(Parameter(name, found.kind, found.shape, found.sigma, found.norm,
                                   trained=name not in kept))
    return Sized(network, tuple(sized), {"input": radius}, (
        f"bounds are around the reference {base.source.label}, which does not depend on the sample "
        f"(C9); of the adapter, only the factor lora_B and the head are trained: lora_A is what "
        f"seed {factor.seed} draws (verified), declared to be fixed before the sample",
        "everything below the last activation is a fixed function of the input, as the reference "
        "computes it",
        f"code rows (last activation times lora_A) longer than {radius:g} count as errors; the "
        "radius is a power of two, paid for by a smaller delta (U3)"))


def paid_delta(delta: float | str, radius: float) -> str:
    """`delta` times the weight of the radius `2^e` on the grid of ratio 2 (U3), exactly.

    >>> paid_delta("0.05", 2.0)
    '1/180'
    """
    mantissa, exponent = math.frexp(radius)
    if mantissa != 0.5:
        raise UnusableInput(f"radius: expected a power of two, got {radius!r}")
    weight = geometric_weight(sp.Integer(exponent - 1))
    return str(exact_fraction(delta, "delta") * Fraction(int(weight.p), int(weight.q)))


def _require_seeded(change: LowRank, seed: int, columns: int, where: str) -> None:
    width, rank = change.left.shape
    if not 1 <= rank <= columns <= width:
        raise UnusableInput(f"{where}: a fixed factor of {columns} columns for rank {rank}")
    drawn = seeded_factor(width, columns, seed)[:, :rank].astype(np.float32)
    if not torch.equal(change.left, torch.from_numpy(drawn).double()):
        raise UnusableInput(f"{where}: lora_A is not what seed {seed} draws, so it may have been "
                            "trained; leave the radius out to bound a free update")
