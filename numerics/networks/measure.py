"""G7's empirical side: the variances inside a checkpoint's normalizations, on given sequences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.stages import Network
from majorant.numerics.checkpoints.model import Model
from majorant.numerics.checkpoints.source import weights_digest
from majorant.numerics.networks.code_rows import longest_code_rows
from majorant.numerics.networks.describe import describe
from majorant.numerics.networks.forward import Weights, forward
from majorant.numerics.networks.input_rows import input_rows
from majorant.numerics.networks.measurement import Measurement
from majorant.numerics.networks.source import DescribedNetwork

# Relative room for the rounding of the float64 forward pass: comparisons within it count as
# errors. It is generous, and it is not proved.
ROOM = 2.0**-20
ARITHMETIC = ("the reader's forward pass in float64; variances and margins within 2^-20 of a "
              "threshold count as errors, the rounding itself is not bounded by a proof")
Observer = Callable[[str, Tensor], None]
_LEVELS = (0.0, 0.01, 0.1, 0.5)
_TOKENS = 4096
_SHOWN = 100


def weights_of(described: DescribedNetwork) -> Weights:
    """The arrays of a description, products as factors, ready for `forward`."""
    found: dict[str, Tensor | tuple[Tensor, Tensor]] = {}
    for name, source in described.sources.items():
        value = source.load()
        scale = float(source.scale_squared) ** 0.5
        found[name] = value * scale if isinstance(value, Tensor) else (value[0] * scale, value[1])
    return found


def measure(model: Model, sequences: Sequence[Tensor], *, quantile: float = 0.0,
            labels: Tensor | None = None, margin: float | None = None,
            base: Model | None = None, tables: bool = False,
            progress: Callable[[int, int], None] | None = None) -> Measurement:
    """Run the real network on every training sequence and choose variance thresholds.

    At each normalization the threshold is just below the `quantile` of the sequences' least
    variances (0: the least of all, so that no sequence counts as an error for its variance). With
    `labels` (class numbers) and `margin`, also how many sequences are not (margin, v)-good. With
    `tables`, a threshold for the embeddings' normalization too (needed where these are trained).
    Thresholds chosen after looking are legitimate because a certificate rounds them down to a
    grid and pays for it (U3). For a fine-tune with a declared fixed factor, `radius` is the power
    of two that holds the `1 - quantile` shortest of the sequences' longest code rows. `base` is
    what an adapter was opened over.

    Raises `UnusableInput` for a quantile outside [0, 1), labels without a classifier, variances
    that vanish at the threshold, and numbers that are not finite.
    """
    if not 0 <= quantile < 1:
        raise UnusableInput(f"quantile: expected a number in [0, 1), got {quantile}")
    if (labels is None) != (margin is None):
        raise UnusableInput("labels and margin belong together: the margin of an example is that "
                            "of its label's logit over the others")
    found_config = None if base is None else base.source.json("config.json")
    config = found_config if isinstance(found_config, dict) else None
    described = describe(model, floors=True)
    weights = weights_of(described)
    least, logits = _run(described.network, weights, lambda observe: input_rows(
        model, config, observe if tables else None), sequences, progress)
    thresholds, low = {}, torch.zeros(len(sequences), dtype=torch.bool)
    for name, values in least.items():
        if not bool(values.isfinite().all()):
            raise UnusableInput(f"{name}: a variance is not a finite number (sequence "
                                f"{int((~values.isfinite()).nonzero()[0])})")
        level = float(values.sort().values[int(quantile * len(values))]) / (1 + 2 * ROOM)
        if level <= 0:
            raise UnusableInput(f"{name}: the variance vanishes on sequence "
                                f"{int(values.argmin())}; a larger --quantile counts such "
                                "sequences as errors")
        thresholds[name] = level
        low |= ~(values > level * (1 + ROOM))
    codes = longest_code_rows(model, described.network, weights, input_rows(model, config),
                              sequences)
    radius = None if codes is None else _radius(codes, quantile)
    if codes is not None and radius is not None:
        low |= ~(codes <= radius * (1 - ROOM))
    bad = None
    if labels is not None and margin is not None:
        found, room = _margins(logits, labels, described.network)
        bad = int((low | ~(found > margin + room)).sum())
    return Measurement(
        n=len(sequences), thresholds=thresholds, below=int(low.sum()), margin=margin, bad=bad,
        checkpoint=weights_digest(model.source, None if base is None else base.source),
        arithmetic=ARITHMETIC,
        first_below=tuple(low.nonzero()[:_SHOWN, 0].tolist()),
        quantiles={name: tuple(float(values.quantile(q)) for q in _LEVELS)
                   for name, values in least.items()}, radius=radius)


def _radius(codes: Tensor, quantile: float) -> float:
    """A power of two above the `1 - quantile` quantile; longer rows count as errors."""
    level = float(codes.sort(descending=True).values[int(quantile * len(codes))])
    if not math.isfinite(level):
        raise UnusableInput("a code row is not finite")
    return 2.0 ** math.ceil(math.log2(max(level, 2.0**-100) * (1 + 2 * ROOM)))


@torch.no_grad()
def _run(network: Network, weights: Weights,
         rows_of: Callable[[Observer], Callable[[Tensor], Tensor]], sequences: Sequence[Tensor],
         progress: Callable[[int, int], None] | None) -> tuple[dict[str, Tensor], Tensor | None]:
    """Least variance of each sequence by normalization, and the outputs, in the order given."""
    least: dict[str, Tensor] = {}
    outputs = None
    pooled = network.pooling != "tokens"
    order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
    chosen: list[int] = []

    def observe(name: str, variance: Tensor) -> None:
        kept = least.setdefault(name, torch.full((len(sequences),), torch.nan,
                                                 dtype=torch.float64))
        kept[chosen] = variance.amin(dim=-1)

    rows = rows_of(observe)
    for done in range(len(order)):
        chosen.append(order[done])
        length = len(sequences[order[done]])
        last = done + 1 == len(order) or len(sequences[order[done + 1]]) != length
        if not last and length * (len(chosen) + 1) <= _TOKENS:
            continue
        out = forward(network, weights, rows(torch.stack([sequences[i] for i in chosen])), observe)
        if pooled:
            if outputs is None:
                outputs = out.new_full((len(sequences), out.shape[-1]), torch.nan)
            outputs[chosen] = out
        chosen.clear()
        if progress is not None:
            progress(done + 1, len(order))
    return least, outputs


def _margins(logits: Tensor | None, labels: Tensor, network: Network) -> tuple[Tensor, Tensor]:
    """Signed margins, and the room for their rounding. One output: class 1 is its positive side."""
    classes = network.outputs
    if logits is None or classes is None:
        raise UnusableInput("labels: the checkpoint has no classifier on pooled rows, so its "
                            "outputs have no margins; measure variances alone")
    top = 2 if classes == 1 else classes
    if labels.max() >= top:
        raise UnusableInput(f"labels: expected class numbers 0 to {top - 1}, got "
                            f"{int(labels.max())}")
    room = ROOM * (1 + logits.abs().amax(dim=1))
    if classes == 1:
        return (2 * labels.double() - 1) * logits[:, 0], room
    own = logits.gather(1, labels[:, None])[:, 0]
    others = logits.scatter(1, labels[:, None], -torch.inf).amax(dim=1)
    return own - others, room
