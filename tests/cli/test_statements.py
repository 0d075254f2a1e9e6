"""A certificate says which network it is about, with which probability, under what assumptions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_lines import run, run_json

from majorant.derivation.certificate import described, digests


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of the demo's twin."""
    path = tmp_path_factory.mktemp("certificate") / "cert.json"
    found = run_json("certify", "demo", "-o", str(path), "-n", "2000000000", "--block",
                     "normalized", "--delta", "0.01")
    check_statement(found)
    return path


def check_statement(found: dict[str, Any]) -> None:
    """The network, the probability and every assumption are there."""
    assert "own error is not bounded" in found["network"]
    assert (found["checkpoint"], found["delta"], found["recorded"]) == ("demo", "0.01", True)
    text = " ".join(found["assumptions"])
    for word in ("independent", "norm at most 1", "no classifier", "margin", "twin", "V1"):
        assert word in text, word


def test_recheck_knows_it_from_the_file_alone(certificate: Path) -> None:
    check_statement(run_json("recheck", str(certificate)))
    text = " ".join(run("recheck", str(certificate))[1].split())
    assert "at least 1 - 0.01" in text
    assert "the checkpoint's own error is not bounded" in text


def test_an_older_certificate_says_what_was_not_recorded(
        certificate: Path, tmp_path: Path) -> None:
    data = json.loads(certificate.read_text())
    del data["about"]
    data["digest"] = digests(data)
    older = tmp_path / "older.json"
    older.write_text(json.dumps(data))
    found = run_json("recheck", str(older))
    assert found["recorded"] is False
    assert found["checkpoint"] is None
    assert "the checkpoint's own error is not bounded" in found["network"]
    assert any("independent" in line for line in found["assumptions"])
    assert any("not recorded" in line for line in found["assumptions"])


def test_words_that_were_changed_break_the_digest(certificate: Path, tmp_path: Path) -> None:
    data = json.loads(certificate.read_text())
    data["about"]["assumptions"] = []
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    assert "digest" in run_json("recheck", str(changed), code=1)["reason"]


def test_an_experiment_says_that_the_twin_is_the_network_itself(
        certificate: Path, tmp_path: Path) -> None:
    data = described(json.loads(certificate.read_text()), network="the trained network itself",
                     checkpoint="n.safetensors", block="normalized", delta="0.01",
                     assumptions=["sampled without replacement"])
    own = tmp_path / "own.json"
    own.write_text(json.dumps(data))
    found = run_json("recheck", str(own))
    assert found["network_in_words"] == "the trained network itself"
    assert "own error is not bounded" in found["network"]
    assert "sampled without replacement" in found["assumptions"]
    assert not any("independent" in line for line in found["assumptions"])
    data = described(data, network="the real thing", checkpoint="n", block="faithful",
                     delta="0.01", assumptions=[])
    own.write_text(json.dumps(data))
    assert "without residuals" in run_json("recheck", str(own))["network"]


@pytest.mark.parametrize(("used", "asked", "said"), [
    ("0.999999", "0.05", "0.999999"), ("0.01", "0.000001", "0.01"), ("0.01", "0", "0.01"),
    ("0.01", "1", "0.01"), ("0.01", "half", "0.01"), ("0.01", None, "0.01"),
    ("0.001", "0.01", "0.01")])
def test_words_cannot_raise_the_probability_or_change_the_subject(
        certificate: Path, tmp_path: Path, used: str, asked: str | None, said: str) -> None:
    data = json.loads(certificate.read_text())
    data["inputs"]["delta"], data["about"]["delta"] = used, asked
    data["about"]["network"] = "the checkpoint itself, with residuals"
    data.pop("claim", None)
    data["digest"] = digests(data)
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(data))
    found = run_json("recheck", str(forged))
    assert (found["delta"], found["delta_of_inputs"]) == (said, used)
    assert "without residuals" in found["network"]


def test_a_number_may_be_a_fraction_also_beside_a_checkpoint(
        certificate: Path, tmp_path: Path) -> None:
    data = json.loads(certificate.read_text())
    [name] = data["inputs"]["numbers"]
    data["inputs"]["numbers"][name] = "1/1"
    data["digest"] = digests(data)
    path = tmp_path / "fraction.json"
    path.write_text(json.dumps(data))
    found = run_json("recheck", str(path), "--checkpoint", "demo", "--block", "normalized")
    assert found["status"] == "accepted"
