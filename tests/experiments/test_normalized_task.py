"""Two-hop recall: the labels, the independence from chunking, the size of the input space."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from majorant.derivation.errors import UnusableInput
from majorant.experiments.normalized.controls import bag_of_tokens, linear_bag_error
from majorant.experiments.normalized.task import CHUNK, Sequences, TwoHopRecall

TASK = TwoHopRecall()


def read(task: TwoHopRecall, sample: Sequences, row: int) -> tuple[int, list[tuple[int, int, int]]]:
    """Question and cards of one sequence, decoded by hand."""
    cards = []
    for kind in sample.cards[row].tolist():
        pair, bit = divmod(kind, 2)
        cards.append((pair // task.keys, pair % task.keys, bit))
    return int(sample.question[row]), cards


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**16 - 1), keys=st.integers(3, 8), copies=st.integers(1, 2),
       more=st.integers(0, 4))
def test_the_label_is_two_hops_away(seed: int, keys: int, copies: int, more: int) -> None:
    task = TwoHopRecall(keys=keys, length=keys * copies + more, copies=copies)
    sample = task.sample(8, seed)
    for row in range(8):
        question, cards = read(task, sample, row)
        links = {key: link for key, link, _ in cards}
        bits = {key: bit for key, _, bit in cards}
        assert all(links[key] == link and bits[key] == bit for key, link, bit in cards)
        assert all(key != link for key, link, _ in cards)
        counts = [sum(card[0] == key for card in cards) for key in range(keys)]
        assert min(counts) >= copies
        assert int(sample.label[row]) == 2 * bits[links[question]] - 1


def test_a_sample_is_a_prefix_of_a_larger_one() -> None:
    small, large = TASK.sample(CHUNK + 5, 3), TASK.sample(CHUNK * 2, 3)
    assert torch.equal(small.cards[:CHUNK], large.cards[:CHUNK])
    assert torch.equal(TASK.sample(100, 3).label, TASK.sample(100, 3).label)


def test_samples_of_different_seeds_and_chunks_share_nothing() -> None:
    """torch reads 32 bits of a seed: with the chunk number in the low half and the seed in the
    high half of 64 bits, the test sample would have been the training sample."""
    rows = [{(int(q), *c) for q, c in zip(s.question, s.cards.tolist(), strict=True)}
            for s in (TASK.sample(2 * CHUNK, 0), TASK.sample(CHUNK, 1), TASK.sample(CHUNK, 3))]
    assert [len(r) for r in rows] == [2 * CHUNK, CHUNK, CHUNK]
    assert not (rows[0] & rows[1] or rows[1] & rows[2] or rows[0] & rows[2])


def test_inputs_cannot_be_enumerated_and_the_count_is_right() -> None:
    assert TASK.log2_inputs() > 40
    tiny = TwoHopRecall(keys=3, length=3, copies=1)
    # By hand: question, order of the three keys, a link (two choices) and a bit of each.
    assert 2 ** tiny.log2_inputs() == pytest.approx(3 * 6 * 4**3)
    sample = tiny.sample(CHUNK, 0)
    seen = {(int(q), *c) for q, c in zip(sample.question, sample.cards.tolist(), strict=True)}
    assert len(seen) == 3 * 6 * 4**3


def test_rows_stay_in_the_unit_ball() -> None:
    for dtype in (torch.float32, torch.float64):
        table, positions = TASK.table(dtype).double(), TASK.positions(dtype).double()
        every = table[:, None] + positions[None]
        assert float(every.norm(dim=-1).max()) <= 1.0
        assert float(every.norm(dim=-1).min()) > 0.99
    kinds = {tuple(row) for row in TASK.table().tolist()}
    assert len(kinds) == TASK.keys + TASK.card_kinds


def test_no_linear_score_of_the_bag_gets_below_three_tenths() -> None:
    train, test = TASK.sample(20_000, 0), TASK.sample(20_000, 1)
    assert 0.3 < linear_bag_error(TASK, train, test) < 0.5


def test_the_linear_control_finds_a_linear_rule() -> None:
    """The control can fail: on a task that the bag does solve, its error is small."""
    def by_sum(seed: int) -> Sequences:
        sample = TASK.sample(6000, seed)
        score = (2.0 * (sample.cards % 2) - 1).sum(dim=1) - 0.5
        return Sequences(sample.question, sample.cards, score.sign().to(torch.int8))

    assert linear_bag_error(TASK, by_sum(0), by_sum(1)) < 0.02


def test_the_bag_counts_tokens() -> None:
    sample = TASK.sample(3, 0)
    bag = bag_of_tokens(TASK, sample)
    for row in range(3):
        for kind in range(TASK.card_kinds):
            assert bag[row, kind] == int((sample.cards[row] == kind).sum())


@pytest.mark.parametrize("wrong", [{"keys": 2}, {"keys": 12, "length": 40}, {"length": 17},
                                   {"width": 8}, {"copies": 0}])
def test_impossible_tasks_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UnusableInput, match="two-hop recall"):
        TwoHopRecall(**wrong)


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (-1, 0), (5, -1), (5, 2**16)])
def test_impossible_samples_are_refused(n: int, seed: int) -> None:
    with pytest.raises(UnusableInput, match="sample"):
        TASK.sample(n, seed)

