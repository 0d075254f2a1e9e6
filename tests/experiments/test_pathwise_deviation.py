"""No network that gradient ascent finds deviates more than the one-trajectory guarantee allows."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from majorant.derivation.errors import UnusableInput
from majorant.experiments.networks.residual import ResidualScore
from majorant.experiments.pathwise import largest_deviation, run_pathwise, simulate
from majorant.experiments.pathwise.deviation import stationary
from majorant.experiments.pathwise.report import summary
from majorant.numerics.pathwise.block import parse_block
from majorant.numerics.pathwise.class_radii import state_radii


@pytest.mark.slow
@pytest.mark.parametrize(("block", "rho", "steps"), [
    ("width=1,hidden=2,norm=1", Fraction(0), 50),
    ("width=2,hidden=3,norm=1,tokens=1", Fraction(1, 2), 400),
    ("width=2,hidden=3,norm=0.7,tokens=2,heads=2", Fraction(3, 4), 400),
])
def test_found_deviation_is_below_the_guarantee(block: str, rho: Fraction, steps: int) -> None:
    result = largest_deviation(parse_block(block), rho, steps, ascents=2, iterations=80)
    assert result.found > 3 * result.standard_error, "the ascent found nothing to measure"
    assert result.found - 3 * result.standard_error <= result.allowed
    # The guarantee is not absurdly loose either: within a factor of a few thousand.
    assert result.ratio < 5000


def test_stationary_law_is_a_fixed_point_of_the_chain() -> None:
    draws = stationary(0.5, 1, 50_000, 0).squeeze(1)
    moved = 0.5 * draws + 0.5 * torch.rand(50_000, dtype=torch.float64)
    for power in (1, 2, 3):
        assert float((draws**power).mean()) == pytest.approx(float((moved**power).mean()), abs=0.01)


def test_corners_at_one_half_have_the_uniform_law() -> None:
    draws = stationary(0.5, 2, 50_000, 0, "corners")
    for power in (1, 2, 3):
        assert draws.pow(power).mean(0).tolist() == pytest.approx([1 / (power + 1)] * 2, abs=0.01)


def test_a_run_is_reproducible_and_resumes(tmp_path: Path) -> None:
    report = run_pathwise(tmp_path, preset="quick")
    assert report["violations"] == []
    assert 0 < report["test_error"] < report["bound"]
    assert report["curves"]["slope"] == pytest.approx(-0.5, rel=0.01)
    file = tmp_path / "records.json"
    kept = json.loads(file.read_text())
    last = kept["done"].pop()
    file.write_text(json.dumps(kept))
    assert run_pathwise(tmp_path, preset="quick") == report
    assert json.loads(file.read_text())["done"][-1] == last
    with pytest.raises(UnusableInput, match="another preset or seed"):
        run_pathwise(tmp_path, preset="quick", seed=1)
    with pytest.raises(UnusableInput, match="preset"):
        run_pathwise(tmp_path, preset="huge")


def test_a_deviation_above_the_guarantee_is_a_violation() -> None:
    case = {"rho": "0", "noise": "cube", "start": 0.0, "shape": "", "steps": 10,
            "standard_error": 0.01, "allowed": 0.2, "route": "P3", "ratio": 1.0}
    assert len(summary([{**case, "found": 0.24}])["violations"]) == 1
    assert summary([{**case, "found": 0.22}])["violations"] == []  # within three standard errors


def test_two_trajectories_with_the_same_noise_contract_by_rho() -> None:
    near = simulate(0.5, 2, 20, 3, start=0.0)
    far = simulate(0.5, 2, 20, 3, start=1.0)
    gaps = (near - far).norm(dim=1)
    assert torch.allclose(gaps[1:], gaps[:-1] / 2)


def test_networks_of_the_class_obey_the_lipschitz_radius() -> None:
    members = parse_block("width=2,tokens=2,norm=0.8,hidden=3")
    radius = float(state_radii(members, 1)(Fraction(0))[1].upper())
    network = ResidualScore(members, seed=1)
    points = torch.rand(300, 4, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(network(points).sum(), points)
    assert float(slope.norm(dim=1).max()) <= radius
