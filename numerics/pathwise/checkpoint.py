"""The class around a checkpoint: the real architecture with the checkpoint's own norms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network.stages import Linear, Parameter, Pointwise
from majorant.numerics.checkpoints import open_model
from majorant.numerics.networks.describe import describe
from majorant.numerics.networks.norms import norm_balls
from majorant.numerics.pathwise.block import LOSS, StateClass
from majorant.numerics.pathwise.rational import rational_above
from majorant.numerics.spectra import spectra


def checkpoint_class(source: str | Path, dimension: int) -> StateClass:
    """All networks of the checkpoint's architecture whose norms are at most its own.

    The state is the rows that enter the first block; a score of norm 1 and a sigmoid are put
    after the pooling. Raises `UnusableInput` when `dimension` is not a multiple of the width.
    """
    model = open_model(source)
    width = model.dimensions.width
    if dimension % width:
        raise UnusableInput(
            f"the chain has dimension {dimension}; states of {model.source.label} are whole tokens "
            f"of width {width}: use a multiple of {width}")
    described = describe(model, input_radius=1.0, euclidean_exit="drop")
    norms = {key: rational_above(ball)
             for key, ball in norm_balls(described, spectra(model, verified=True)).items()}
    outputs = described.network.outputs or width
    score = Parameter("pathwise.score", "matrix", outputs, 1)
    network = replace(described.network, outputs=1, readout=(
        *described.network.readout, Linear(score), Pointwise(LOSS, 1)))
    norms[score.id] = Fraction(1)
    return StateClass(network, norms, dimension // width, width, {
        "checkpoint": model.source.label, "loss": LOSS, "readout": "1"})
