"""The torch module is the family of the theory: values, Lipschitz constants, sensitivities."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import UnusableInput
from majorant.derivation.network import parameters, propagate
from majorant.experiments.networks import NormalizedNetwork, project_rows
from majorant.experiments.normalized.certify import verified_parameters
from majorant.experiments.normalized.rounding import forward_error
from majorant.experiments.normalized.task import TwoHopRecall
from majorant.experiments.normalized.truncation import balance, truncate
from majorant.numerics.rings import LogFloatRing


def small(seed: int, **sizes: int) -> NormalizedNetwork:
    sizes = {"blocks": 2, "heads": 2, "width": 8, "hidden": 6, "rank": 2, "rank_ff": 3} | sizes
    return NormalizedNetwork(seed=seed, **sizes).double()


def inputs(seed: int, batch: int = 4, tokens: int = 5, width: int = 8) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    raw = torch.randn(batch, tokens, width, generator=generator, dtype=torch.float64)
    return project_rows(raw)


def matrices(network: NormalizedNetwork, dtype: type) -> dict[str, np.ndarray]:
    found = {}
    for name, role, index in network.slots():
        left, right = (x[index].detach().numpy().astype(dtype) for x in network.factors(role))
        found[name] = left @ right.T
    return found


def textbook(network: NormalizedNetwork, x: np.ndarray, dtype: type = np.float64) -> float:
    """The formula of docs/theory 1.5, sequence by sequence, with whole matrices."""
    w = matrices(network, dtype)
    x = x.astype(dtype)

    def pi(rows: np.ndarray) -> np.ndarray:
        return rows / np.maximum(1, np.sqrt((rows**2).sum(axis=1, keepdims=True)))

    for block in range(network.blocks):
        total = np.zeros_like(x)
        for head in range(network.heads):
            logits = x @ w[f"block{block}.head{head}.QK"] @ x.T
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
            total += weights @ x @ w[f"block{block}.head{head}.V"]
        hidden = np.maximum(pi(total) @ w[f"block{block}.M_in"], 0)
        x = pi(hidden @ w[f"block{block}.M_out"])
    return x[0] @ network.readout.detach().numpy().astype(dtype)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), heads=st.integers(1, 3), blocks=st.integers(1, 3))
def test_the_module_computes_the_formula(seed: int, heads: int, blocks: int) -> None:
    network = small(seed, heads=heads, blocks=blocks)
    x = inputs(seed)
    scores = network(x).detach().numpy()
    for row in range(len(x)):
        assert scores[row] == pytest.approx(textbook(network, x[row].numpy()), abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_forward_error_is_a_bound_and_not_far_off(seed: int) -> None:
    network = small(seed)
    x = inputs(seed, batch=3)
    allowed = forward_error(network, verified_parameters(network), tokens=x.shape[1])
    for row, score in enumerate(network(x).tolist()):
        exact = textbook(network, x[row].numpy(), np.longdouble)
        assert abs(np.longdouble(score) - exact) <= allowed
    assert allowed < 1e-6


def test_the_forward_error_would_notice_single_precision() -> None:
    network = small(1)
    x = inputs(1, batch=2048)
    allowed = forward_error(network, verified_parameters(network), tokens=x.shape[1])
    rounded = network.float()(x.float()).double()
    assert float((rounded - network.double()(x)).abs().max().detach()) > allowed


def test_the_table_is_only_a_faster_way() -> None:
    task = TwoHopRecall()
    sample = task.sample(16, 0)
    network = small(0, width=32, hidden=32)
    whole = network(task.embed(sample, torch.float64))
    table = network(task.rows(sample), table=task.table(), positions=task.positions())
    assert torch.allclose(whole, table, atol=1e-13)
    uniform = network(task.embed(sample, torch.float64), (True, True))
    assert not torch.allclose(whole, uniform, atol=1e-6)


def test_uniform_attention_forgets_the_order() -> None:
    network, x = small(3), inputs(3)
    order = torch.tensor([0, 3, 1, 4, 2])
    assert torch.allclose(network(x, (True, True)), network(x[:, order], (True, True)), atol=1e-13)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.sampled_from([1e-4, 1e-2, 0.3]))
def test_inputs_move_the_score_by_at_most_the_lipschitz_constant(seed: int, size: float) -> None:
    network = small(seed)
    norms = {p.id: math.log(p.size) for p in verified_parameters(network)} | {"input": 0.0}
    lip = math.exp(propagate(network.description(), norms, LogFloatRing()).lip)
    x, y = inputs(seed), inputs(seed + 1)
    y = project_rows(x + size * (y - x))
    moved = (network(x) - network(y)).abs()
    distance = (x - y).norm(dim=-1).amax(dim=-1)
    assert bool((moved <= lip * distance * (1 + 1e-9)).all())


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.sampled_from([1e-3, 0.1, 0.5]))
def test_weights_move_the_score_by_at_most_a5(seed: int, size: float) -> None:
    """A5 with the kappas of the class that contains both networks."""
    here, there = small(seed), small(seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in there.parameters():
            value.add_(size * torch.randn(value.shape, generator=generator, dtype=value.dtype))
    a, b = ({p.id: p.size for p in verified_parameters(net)} for net in (here, there))
    norms = {name: math.log(max(a[name], b[name])) for name in a} | {"input": 0.0}
    kappa = propagate(here.description(), norms, LogFloatRing()).kappa
    first, second = matrices(here, np.float64), matrices(there, np.float64)
    first["readout"], second["readout"] = (
        net.readout.detach().numpy()[:, None] for net in (here, there))
    allowed = sum(math.exp(kappa[name]) * np.linalg.norm(first[name] - second[name], 2)
                  for name in parameters(here.description()))
    x = inputs(seed)
    assert float((here(x) - there(x)).abs().max()) <= allowed * (1 + 1e-9)


def test_verified_parameters_match_the_description_and_dense_singular_values() -> None:
    network = small(5)
    truncate(network, 20, lambda: 0.0)
    described = parameters(network.description())
    dense = matrices(network, np.float64)
    for parameter in verified_parameters(network):
        part = described[parameter.id]
        assert parameter.shape == (part.rows, part.cols)
        if parameter.id == "readout":
            continue
        values = np.linalg.svd(dense[parameter.id], compute_uv=False)
        rank = network.ranks()[parameter.id]
        assert len(parameter.sigma) == rank
        upper = np.array(parameter.sigma)
        assert np.all(upper >= values[:rank] * (1 - 1e-14))
        assert np.allclose(upper, values[:rank], rtol=1e-10)


def test_balancing_changes_no_matrix() -> None:
    network = small(7)
    before = matrices(network, np.float64)
    balance(network)
    for name, matrix in matrices(network, np.float64).items():
        assert np.allclose(matrix, before[name], atol=1e-12)


def test_truncation_stops_at_the_total_and_keeps_the_useful_directions() -> None:
    network = small(9)
    total = sum(network.ranks().values())
    spared = "block1.head0.V"

    def loss() -> float:
        return -float(network.spectra()[spared].sum())

    truncate(network, total - 10, loss)
    # A head whose values vanish loses its logits too: the total may end lower, never higher.
    assert sum(network.ranks().values()) <= total - 10
    assert network.ranks()[spared] == 2


def test_truncation_never_silences_the_network() -> None:
    """A network that always answers 0 has a moderate loss; a truncation once chose it."""
    network = small(9)
    truncate(network, 0, lambda: float(network(inputs(0)).abs().sum()))
    assert bool((network(inputs(0)) != 0).any())
    assert sum(network.ranks().values()) >= 6


@pytest.mark.parametrize("name", ["blocks", "heads", "width", "hidden", "rank", "rank_ff"])
def test_sizes_below_one_are_refused(name: str) -> None:
    with pytest.raises(UnusableInput, match=name):
        small(0, **{name: 0})
