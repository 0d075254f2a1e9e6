"""Products computed at once are the same as in turn; threads are put back; errors are raised."""

import threading
from pathlib import Path

import pytest
import torch

from majorant.numerics.spectra.independent import Job, independent


@pytest.fixture
def two_threads() -> object:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(("room", "at_once"), [(40, True), (39, False)])
def test_at_once_only_where_half_of_the_room_holds_two(
    two_threads: None, room: int, at_once: bool
) -> None:
    meeting = threading.Barrier(2, timeout=1.0)

    def meets() -> bool:
        try:
            meeting.wait()
        except threading.BrokenBarrierError:
            return False
        return True

    assert independent([Job(meets, 10), Job(meets, 5)], room) == [at_once, at_once]
    assert torch.get_num_threads() == 2


def test_order_is_kept_and_the_first_error_is_raised(two_threads: None) -> None:
    assert independent([Job(lambda k=k: k, 1) for k in range(9)], 100) == list(range(9))

    def fails() -> int:
        raise ArithmeticError("no convergence")

    with pytest.raises(ArithmeticError, match="no convergence"):
        independent([Job(lambda: 1, 1), Job(fails, 1)], 100)
    assert torch.get_num_threads() == 2


def test_a_block_has_the_same_spectra_at_once_and_in_turn(
    two_threads: None, tmp_path: Path
) -> None:
    from safetensors.torch import save_file

    from majorant.numerics.spectra import spectra

    generator = torch.Generator().manual_seed(1)

    def matrix(rows: int, columns: int) -> torch.Tensor:
        return torch.randn(rows, columns, generator=generator)

    block = {f"encoder.layer.0.{stem}.weight": matrix(*shape) for stem, shape in {
        "attention.self.query": (48, 48), "attention.self.key": (48, 48),
        "attention.self.value": (48, 48), "attention.output.dense": (48, 48),
        "intermediate.dense": (96, 48), "output.dense": (48, 96)}.items()}
    for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
        block[f"encoder.layer.0.{norm}.weight"] = torch.ones(48)
    save_file(block, tmp_path / "small.safetensors")
    block["embeddings.word_embeddings.weight"] = torch.zeros(10_000, 48)
    save_file(block, tmp_path / "with_table.safetensors")
    alone, together = (spectra(tmp_path / f"{name}.safetensors", heads=3)
                       for name in ("small", "with_table"))
    assert alone.names == together.names
    for one, other in zip(alone, together, strict=True):
        torch.testing.assert_close(torch.from_numpy(one.singular_values),
                                   torch.from_numpy(other.singular_values), rtol=1e-12, atol=0)
