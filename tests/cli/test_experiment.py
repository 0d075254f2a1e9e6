"""`majorant experiment`: contract keys, and a run that is contradicted by its data exits with 1."""

from __future__ import annotations

from typing import Any

import pytest

from majorant.experiments import falsify, finetune, normalized

from .test_contract import run, run_json

REPORT: dict[str, Any] = {"bound": 0.2, "test_error": 0.1, "n": 10, "n_star": 5, "headline": "h",
                          "violations": []}
RUNNERS = [(falsify, "falsify"), (finetune, "finetune"), (normalized, "normalized")]


@pytest.mark.parametrize(("module", "name"), RUNNERS)
@pytest.mark.parametrize(("violations", "code"), [([], 0), (["test error 0.3 above 0.2"], 1)])
def test_a_single_violation_fails_the_run(module: Any, name: str, violations: list[str], code: int,
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, f"run_{name}",
                        lambda *args, **options: REPORT | {"violations": violations})
    found = run_json("experiment", name, code=code)
    assert {"bound", "test_error", "n", "n_star"} <= found.keys()
    assert run("experiment", name)[0] == code


@pytest.mark.parametrize("name", ["falsify", "finetune", "normalized"])
def test_an_unknown_preset_is_exit_code_2(name: str, tmp_path: Any) -> None:
    code, _, err = run("experiment", name, "--preset", "huge", "-o", str(tmp_path))
    assert code == 2
    assert "quick" in err
