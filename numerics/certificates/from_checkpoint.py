"""Verified sizes of all trained parameters of a checkpoint: what a certificate's inputs need."""

from __future__ import annotations

import math
from dataclasses import replace

from majorant.derivation.errors import NoBound, UnusableInput
from majorant.derivation.network import normalized, parameters
from majorant.numerics.certificates.last_update import last_update
from majorant.numerics.certificates.sized import (
    UP,
    Sized,
    dense_ends,
    length,
    loaded,
    shape_of,
    sized_parameter,
    upper_ends,
)
from majorant.numerics.checkpoints import Given, Model, resolve
from majorant.numerics.networks import DescribedNetwork, ParameterSource, describe, describe_twin
from majorant.numerics.optimize.parameters import Parameter
from majorant.numerics.spectra import SpectrumSet, delta_spectra
from majorant.numerics.spectra import spectra as compute_spectra


def sized_network(source: str, block: str = "faithful", *, reference: str | None = None,
                  spectra: SpectrumSet | None = None, floors: bool = False,
                  radius: float | None = None, tables: bool = False,
                  given: Given | None = None) -> Sized:
    """Describe a checkpoint and verify the sizes of its parameters.

    `block`: `"faithful"` or `"normalized"` (the twin). With `reference`, sizes are those of the
    movement from the base checkpoint (C9); parameters that did not move are declared fixed.
    `spectra` are verified spectra of the checkpoint, if they are at hand. With `radius`, only the
    part after a declared fixed factor is described (`last_update`); with `tables`, the embedding
    tables are trained too. `given` is what the user says about the model.

    Raises `UnusableInput` as the readers do, and for a reference with other shapes; `NoBound` for
    a model that can be read, but has no such bound.

    >>> sized_network("demo", "sideways")
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: block: expected faithful or normalized, got 'sideways'
    """
    if block not in ("faithful", "normalized"):
        raise UnusableInput(f"block: expected faithful or normalized, got {block!r}")
    if resolve(source).kind == "spectra":
        return _twin_of_spectra(source, block, reference, spectra)
    given = given or Given()
    base = None if reference is None else given.open(reference)
    model = given.open(source, base)
    entering = given.radius_for(model)
    if radius is not None:
        return last_update(model, base, radius)
    verified = spectra if spectra is not None and spectra.verified else compute_spectra(
        model, verified=True)
    described = _describe(model, block, floors, tables, entering)
    if base is None:
        table = [sized_parameter(name, part, verified) for name, part in described.sources.items()]
        return _result(described, table, ())
    if model.dimensions != base.dimensions or model.family != base.family:
        raise UnusableInput(f"{reference}: {base.family} with {base.dimensions}; the checkpoint "
                            f"is {model.family} with {model.dimensions}: other shapes")
    moved = delta_spectra(model, base, verified=True)
    origin = _describe(base, block, floors, tables, entering).sources
    table = [_moved(name, part, verified, moved, origin.get(name))
             for name, part in described.sources.items()]
    still = sum(not p.trained for p in table)
    return _result(described, table, (
        f"bounds are around the reference {reference}, which does not depend on the sample (C9); "
        f"the {still} parameters that did not move are declared fixed before training",))


def _describe(model: Model, block: str, floors: bool, tables: bool,
              entering: float | None) -> DescribedNetwork:
    if block == "normalized":
        if tables:
            raise UnusableInput("the twin starts from rows of the unit ball, not from embedding "
                                "tables; trained tables need --block faithful")
        return describe_twin(model)
    found = describe(model, floors=floors, tables=tables, input_radius=entering)
    return found if entering is None else replace(found, assumptions=(
        *found.assumptions, "the norm of the input rows was given with --input-radius, and nothing "
        "here checks it"))


def _result(described: DescribedNetwork, table: list[Parameter],
            more: tuple[str, ...]) -> Sized:
    radius = described.input_radius()
    trained = bool(described.network.entry)
    tables = ("unit vectors side by side, one for each embedding table: the tables are trained, "
              "and paid for" if trained else
              "what makes them (tables, or the projection of patches) is frozen, not trained on "
              "the sample")
    return Sized(described.network, tuple(table), {described.network.input_radius: radius}, (
        *described.assumptions, f"the rows of the input have norm at most {radius:.6g}: {tables}",
        *more))


def _moved(name: str, source: ParameterSource, found: SpectrumSet, moved: SpectrumSet,
           origin: ParameterSource | None) -> Parameter:
    """C9: the size of the movement; `‖W0‖ <= ‖W‖ + ‖W - W0‖` bounds the reference."""
    now = sized_parameter(name, source, found)
    if origin is None:  # a part that the reference has not: trained from zero
        return now
    if shape_of(origin) != now.shape:
        raise UnusableInput(f"{name}: shape {now.shape}, the reference has {shape_of(origin)}")
    sigma: tuple[float, ...] = ()
    norm = 0.0
    if now.kind == "matrix" and source.spectrum is not None:
        sigma = upper_ends(source, source.spectrum, moved)
    else:
        change = loaded(source) - loaded(origin)
        if now.kind == "matrix":
            sigma = dense_ends(change) if bool(change.any()) else ()
        else:
            norm = length(source, change) * UP
    size = sigma[0] if sigma else norm
    return Parameter(name, now.kind, now.shape, sigma=sigma, norm=norm, trained=size > 0,
                     reference_norm=(now.size + size) * UP, own_norm=now.size)


def _twin_of_spectra(source: str, block: str, reference: str | None,
                     found: SpectrumSet | None) -> Sized:
    """A spectra file has no biases, gains or read-out: only the twin can be bounded."""
    if block != "normalized" or reference is not None:
        raise NoBound(f"{source}: a table of spectra has no biases, gains and read-out; use the "
                      "checkpoint, or --block normalized without a reference")
    table = found if found is not None else compute_spectra(source)
    if not table.verified:
        raise NoBound(f"{source}: its singular values are not verified. Compute the table again "
                      "from the checkpoint with --verified.")
    if not table.origin.bert_like:
        raise NoBound(f"{source}: only plain BERT-like blocks have a normalized twin")
    sizes = table.origin.dimensions
    network = normalized(sizes.layers, sizes.heads, sizes.width, sizes.ff_width, "gelu")
    sized = []
    for name, part in parameters(network).items():
        spectrum = table[name.replace("block", "blocks.", 1).replace("head", "heads.")]
        # the scale 1/sqrt(d_h) belongs to the query-key form
        scale = 1 / math.sqrt(sizes.head_width) if spectrum.role == "QK" else 1.0
        sigma = tuple(float(x) * scale * UP for x in spectrum.upper())
        sized.append(Parameter(name, "matrix", (part.rows, part.cols), sigma=sigma))
    return Sized(network, tuple(sized), {"input": 1.0}, (
        "the network that is bounded is the twin without residuals, normalizations, biases and "
        "read-out; the activation is taken to be GELU (the table of spectra does not say)",))
