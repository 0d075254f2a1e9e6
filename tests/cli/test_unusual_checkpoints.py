"""`evaluate`, `compare` and `spectra` on checkpoints at the edges: an answer, or one paragraph."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from typer.testing import CliRunner

from majorant.cli.app import build

transformers = pytest.importorskip("transformers")
SIZES = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
         "intermediate_size": 12}


def run(*args: str, code: int = 0) -> str:
    """What a command prints (stderr where it fails); checks the exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = CliRunner().invoke(build(args[0]), list(args))
    assert done.exit_code == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def bert(folder: Path, change: Callable[[torch.Tensor], torch.Tensor] = lambda w: w) -> str:
    """A tiny BERT with every tensor changed."""
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(transformers.BertConfig(
        vocab_size=30, max_position_embeddings=16, **SIZES))
    model.save_pretrained(folder)
    path = folder / "model.safetensors"
    save_file({k: change(v).contiguous() for k, v in load_file(path).items()}, path)
    return str(folder)


def test_zero_matrices_have_factors_0_and_no_warning(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    source = bert(tmp_path, torch.zeros_like)
    text = run("compare", source, "--plot", str(tmp_path / "figures"))
    assert "nan" not in text and "inf" not in text
    assert "A factor of 0" in text
    rows = json.loads(run("compare", source, "--json"))["rows"]
    assert [rows[0][name] for name in ("schatten", "published", "envelope")] == [0, 0, 0]
    assert rows[0]["B_spectrum"] == pytest.approx(2**0.5)  # sqrt(L) is all that is left
    assert "A factor of 0" in run("evaluate", source)


def test_norms_beyond_float64_are_refused_by_name(tmp_path: Path) -> None:
    source = bert(tmp_path, lambda w: w.double() * 1e200)
    for args in (("spectra", source, "-o", str(tmp_path / "x.parquet")), ("compare", source),
                 ("evaluate", source)):
        said = run(*args, code=2)
        assert "self.query.weight in model.safetensors" in said and "1.8e308" in said
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parametrize("more", [(), ("-n", "1000")])
def test_tiny_weights_have_bounds_or_reasons(more: tuple[str, ...], tmp_path: Path) -> None:
    source = bert(tmp_path, lambda w: w.double() * 1e-250)
    found = json.loads(run("evaluate", source, *more, "--json"))["bounds"]
    assert found["occam"]["n_star"] > 0
    assert all(bound["n_star"] or bound["reason"] for bound in found.values())


def test_figures_do_not_go_into_a_file(tmp_path: Path) -> None:
    source = bert(tmp_path)
    said = run("compare", source, "--plot", str(tmp_path / "config.json"), code=2)
    assert "config.json is a file" in said


def test_an_empty_name_is_a_usage_error() -> None:
    assert "empty name" in run("evaluate", "", code=2)


def vit(folder: Path) -> str:
    """A tiny ViT: its input comes from no table."""
    torch.manual_seed(0)
    transformers.ViTForImageClassification(transformers.ViTConfig(
        image_size=8, patch_size=4, **SIZES)).save_pretrained(folder)
    return str(folder)


def test_image_patches_have_factors_and_bounds_with_a_given_radius(tmp_path: Path) -> None:
    source = vit(tmp_path)
    found = json.loads(run("evaluate", source, "--json"))
    assert found["factors"]["schatten"] > 0 and found["chosen"] and found["norms"]["all"]
    assert all("--input-radius" in bound["reason"] for bound in found["bounds"].values())
    assert "--input-radius" in run("certify", source, "-n", "9", "-o", "c.json", code=2)
    options = ("--input-radius", "5", "--bound", "occam")
    given = json.loads(run("evaluate", source, *options, "--json"))
    assert given["bounds"]["occam"]["n_star"] > 0
    assert any("given with --input-radius" in line for line in given["assumptions"])
    path = tmp_path / "certificate.json"
    run("certify", source, *options, "-n", "100", "-o", str(path))
    assert "norm at most 5" in run("recheck", str(path), "--checkpoint", source)


def test_a_radius_is_refused_where_tables_say_it(tmp_path: Path) -> None:
    assert "leave --input-radius out" in run(
        "evaluate", bert(tmp_path), "--input-radius", "1", code=2)


def test_a_table_of_spectra_has_factors_and_reasons(tmp_path: Path) -> None:
    source, table = bert(tmp_path), str(tmp_path / "x.parquet")
    run("spectra", source, "-o", table)
    for more, word in (((), "no biases"), (("--block", "normalized"), "not verified")):
        found = json.loads(run("evaluate", table, *more, "--json"))
        assert found["proxies"]["B_spectrum"] > 0 and found["chosen"]
        assert all(word in bound["reason"] for bound in found["bounds"].values())


def test_a_bare_file_takes_head_counts(tmp_path: Path) -> None:
    source = Path(bert(tmp_path))
    (source / "config.json").unlink()
    for verb in ("evaluate", "compare"):
        assert "--heads" in run(verb, str(source), code=2)
    row = json.loads(run("compare", str(source), "--heads", "2", "--json"))["rows"][0]
    assert row["schatten"] > 0
    path = tmp_path / "certificate.json"
    run("certify", str(source), "--heads", "2", "-n", "100", "-o", str(path))
    run("recheck", str(path), "--checkpoint", str(source), "--heads", "2")


def test_blocks_with_gates_have_factors_and_a_reason_for_the_proxies(tmp_path: Path) -> None:
    torch.manual_seed(0)
    transformers.LlamaModel(transformers.LlamaConfig(
        vocab_size=30, num_key_value_heads=1, **SIZES)).save_pretrained(tmp_path)
    text = run("compare", str(tmp_path))
    assert "Where a proxy is missing: the published proxies" in text
    assert "Compare them with" in text
    rows = json.loads(run("compare", str(tmp_path), "--json"))["rows"]
    assert all(row["schatten"] > 0 and row["B_spectrum"] is None for row in rows)


def test_measure_and_report_take_what_evaluate_takes(tmp_path: Path) -> None:
    source = Path(bert(tmp_path))
    table = str(tmp_path / "x.parquet")
    run("spectra", str(source), "-o", table)
    run("report", table, "-o", str(tmp_path / "page.html"))
    assert "no biases" in (tmp_path / "page.html").read_text()
    (source / "config.json").unlink()
    ids, out = tmp_path / "ids.txt", str(tmp_path / "variances.json")
    ids.write_text("1 2 3\n4 5 6\n")
    assert "--heads" in run("measure", str(source), str(ids), "-o", out, code=2)
    run("measure", str(source), str(ids), "-o", out, "--heads", "2")
