"""The radii of a certificate do what C7 says: no centre within them moves the output too far."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
import torch

from majorant.derivation.certificate import exact, number_roles
from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import (
    Network,
    normalized,
    parameters,
    post_norm_encoder,
    pre_norm_decoder,
)
from majorant.derivation.network.stages import Linear
from majorant.derivation.network.stages import Parameter as Described
from majorant.numerics.certificates import Empirical, Problem, issue
from majorant.numerics.certificates.issue import ALL_BOUNDS, prepare
from majorant.numerics.networks.forward import forward
from majorant.numerics.optimize import Parameter
from majorant.proofs.checker import check

NETWORKS: dict[str, Network] = {
    "normalized": normalized(2, 2, 6, 8, "relu", outputs=3),
    "post-norm": post_norm_encoder(1, 2, 6, 8, "gelu", eps="0.5", outputs=2),
    "pre-norm": pre_norm_decoder(1, 2, 6, 8, "silu", eps="0.5", outputs=2, gated=True,
                                 rotary=True, key_heads=1),
}


def drawn(network: Network, rng: np.random.Generator) -> dict[str, torch.Tensor]:
    """Random arrays of the network's shapes."""
    found = {}
    for name, part in parameters(network).items():
        shape = (part.rows, part.cols) if part.kind == "matrix" else (part.cols,)
        found[name] = torch.tensor(rng.normal(size=shape) / math.sqrt(part.cols))
    return found


def sizes(tensors: dict[str, torch.Tensor], network: Network) -> tuple[Parameter, ...]:
    """Their sizes, rounded upward a little."""
    table = []
    for name, part in parameters(network).items():
        value = tensors[name]
        if part.kind == "matrix":
            sigma = torch.linalg.svdvals(value) * (1 + 1e-12)
            table.append(Parameter(name, "matrix", tuple(value.shape),
                                   sigma=tuple(float(x) for x in sigma)))
            continue
        size = float(value.abs().max() if part.kind == "gain" else value.norm()) * (1 + 1e-12)
        table.append(Parameter(name, part.kind, tuple(value.shape), norm=size))
    return tuple(table)


def moved(value: torch.Tensor, kind: str, eps: float, rng: np.random.Generator) -> torch.Tensor:
    """An array at distance `eps` in the norm of its kind."""
    direction = torch.tensor(rng.normal(size=tuple(value.shape)))
    if kind == "matrix":
        u, _, vh = torch.linalg.svd(direction, full_matrices=False)
        direction = u @ vh
    elif kind == "gain":
        direction = direction.sign()
    else:
        direction = direction / direction.norm()
    return value + eps * direction


@pytest.mark.parametrize("name", NETWORKS)
def test_no_centre_within_the_radii_moves_the_output_too_far(name: str) -> None:
    network, rng = NETWORKS[name], np.random.default_rng(3)
    largest = 0.0
    for _ in range(3):
        tensors = drawn(network, rng)
        problem = Problem(network, sizes(tensors, network), {"input": 1.0}, 1000, "0.05",
                          Empirical(1.0, 0))
        certificate = issue(problem, "parameter-count")
        assert check(certificate).status == "accepted"
        covers = certificate["proposal"]["scales"][0]["covers"]
        ratio = 1 + 2.0 ** -certificate["proposal"]["fineness"]
        room = ratio ** certificate["proposal"]["margin"] / (2 * math.sqrt(2))
        for _ in range(15):
            centre = {}
            for key, part in parameters(network).items():
                fraction, exponent = exact(covers[key]["eps"], key)
                eps = float(fraction) * 10.0**exponent
                centre[key] = moved(tensors[key], part.kind, eps, rng)
            rows = torch.tensor(rng.normal(size=(4, 6)))
            rows = rows / rows.norm(dim=1, keepdim=True).clamp_min(1.0)
            change = forward(network, tensors, rows) - forward(network, centre, rows)
            largest = max(largest, float(change.norm()) / room)
    # these centres may leave the class by their radius, which the constants allow for to 5 %
    assert largest <= 1.05
    assert largest > 1e-4, "perturbations of the radii's size must be visible"


@pytest.mark.parametrize("bound", ALL_BOUNDS)
def test_leverage_agrees_with_a_finite_difference(bound: str) -> None:
    """The elasticity of `n*` in one norm by autograd, against scaling that matrix."""
    network, rng = NETWORKS["normalized"], np.random.default_rng(0)
    table = sizes(drawn(network, rng), network)
    problem = Problem(network, table, {"input": 1.0}, 1000, "0.05", Empirical(1.0, 0), seq_len=4)
    found = prepare(problem, bound, fineness=14)
    log_n = found.log_n_star()
    pulls = found.leverage(log_n)
    name = "block0.M_in"
    bigger = tuple(dataclasses.replace(p, sigma=tuple(1.05 * x for x in p.sigma))
                   if p.id == name else p for p in table)
    other = prepare(dataclasses.replace(problem, parameters=bigger), bound, fineness=14)
    measured = (other.log_n_star() - log_n) / math.log(1.05)
    assert pulls[name] == pytest.approx(measured, rel=0.1)
    assert len(pulls) == len(table)


def test_ids_that_clash_are_refused() -> None:
    network = NETWORKS["normalized"]
    clash = dataclasses.replace(network, input_radius="readout")
    with pytest.raises(UnusableInput, match="readout"):
        number_roles(clash)
    doubled = dataclasses.replace(network, readout=(
        Linear(Described("readout", "matrix", 6, 3)), Linear(Described("readout", "matrix", 3, 6))))
    with pytest.raises(UnusableInput, match="readout"):
        parameters(doubled)
