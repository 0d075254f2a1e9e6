"""Two-hop recall: a lookup whose answer lies behind a second lookup.

In each sequence every key `a` of `K` has a link `next(a) != a` and a bit `bit(a)`, drawn afresh.
A sequence is a question token (a key `q`) and `length` cards `(a, next(a), bit(a))` in random
order, keys drawn at random with `q` and `next(q)` present. The label is `bit(next(q))`. Swapping
the bits of two keys keeps all sums over cards nearly the same and changes the answer, so no score
that adds up over tokens gets far, and one hop leads to the wrong bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from majorant.derivation.errors import UnusableInput

# Sequences are drawn in chunks, each with its own seed, so that a resumed run sees the same sample.
CHUNK = 20_000


class Sequences(NamedTuple):
    """`question` (n,) and `cards` (n, length) index the token tables; `label` (n,) is -1 or 1."""

    question: Tensor
    cards: Tensor
    label: Tensor


@dataclass(frozen=True)
class TwoHopRecall:
    """The distribution of sequences and its frozen token embeddings.

    `keys` is K, `length` the number of cards, `width` the size of an embedding. Raises
    `UnusableInput` for fewer than 3 or more than 11 keys (a card is one byte), fewer than 2 cards
    or a width below 5.

    >>> task = TwoHopRecall()
    >>> sample = task.sample(4, seed=0)
    >>> sample.cards.shape, task.log2_inputs() > 40
    (torch.Size([4, 24]), True)
    >>> float(task.embed(sample).norm(dim=-1).max()) <= 1.0
    True
    """

    keys: int = 6
    length: int = 24
    width: int = 32

    def __post_init__(self) -> None:
        if not 3 <= self.keys <= 11 or self.length < 2 or self.width < 5:
            raise UnusableInput(
                f"two-hop recall: expected 3 <= keys <= 11, length >= 2, width >= 5, got {self}")

    @property
    def card_kinds(self) -> int:
        """Different cards: key, link and bit (a link to itself never occurs)."""
        return self.keys * self.keys * 2

    def log2_inputs(self) -> float:
        """Binary logarithm of a lower bound on the number of different inputs.

        Put the cards of `q` and `next(q)` first. Then the question, the links and bits of these
        two keys, and the keys of the other cards can be anything, all with different results.
        """
        two_cards = 2 * math.log2(2 * (self.keys - 1))
        return math.log2(self.keys) + two_cards + (self.length - 2) * math.log2(self.keys)

    def sample(self, n: int, seed: int) -> Sequences:
        """`n` independent sequences. Chunk `c` depends on `(seed, c)` only.

        Raises `UnusableInput` unless `n >= 1` and `0 <= seed < 2**31`.
        """
        if n < 1 or not 0 <= seed < 2**31:
            raise UnusableInput(f"sample: expected n >= 1 and 0 <= seed < 2**31, got {n}, {seed}")
        chunks = [self._chunk(min(CHUNK, n - start), seed, start // CHUNK)
                  for start in range(0, n, CHUNK)]
        return Sequences(*(torch.cat(column) for column in zip(*chunks, strict=True)))

    def _chunk(self, n: int, seed: int, number: int) -> Sequences:
        generator = torch.Generator().manual_seed((seed << 32) + number)
        keys, length = self.keys, self.length
        rows = torch.arange(n)
        bit = torch.randint(0, 2, (n, keys), generator=generator)
        link = (torch.arange(keys) + torch.randint(1, keys, (n, keys), generator=generator)) % keys
        question = torch.randint(0, keys, (n,), generator=generator)
        card = torch.randint(0, keys, (n, length), generator=generator)
        first = torch.randint(0, length, (n,), generator=generator)
        second = (first + torch.randint(1, length, (n,), generator=generator)) % length
        target = link[rows, question]
        card[rows, first] = question
        card[rows, second] = target
        kind = (card * keys + link.gather(1, card)) * 2 + bit.gather(1, card)
        return Sequences(question.to(torch.uint8), kind.to(torch.uint8),
                         (2 * bit[rows, target] - 1).to(torch.int8))

    def tables(self, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        """Frozen embeddings: `(K, width)` of the questions, `(card_kinds, width)` of the cards.

        A key is a point of the unit circle. A card carries its key, its link and its bit in five
        coordinates and has norm 1 before rounding; a question carries its key alone.
        """
        angle = torch.arange(self.keys, dtype=torch.float64) * (2 * math.pi / self.keys)
        code = torch.stack([angle.cos(), angle.sin()], dim=1)
        kind = torch.arange(self.card_kinds)
        cards = torch.zeros(self.card_kinds, self.width, dtype=torch.float64)
        cards[:, 0:2] = code[kind // (2 * self.keys)]
        cards[:, 2:4] = code[(kind // 2) % self.keys]
        cards[:, 4] = 2.0 * (kind % 2) - 1.0
        questions = torch.zeros(self.keys, self.width, dtype=torch.float64)
        questions[:, 0:2] = code
        # Rounding may not push a row out of the unit ball: the family requires norm <= 1.
        inside = 1.0 - 2.0**-20
        return (questions * inside).to(dtype), (cards * (inside / math.sqrt(3.0))).to(dtype)

    def embed(self, batch: Sequences, dtype: torch.dtype = torch.float32) -> Tensor:
        """Token vectors `(n, 1 + length, width)`, the question first."""
        questions, cards = self.tables(dtype)
        return torch.cat([questions[batch.question.long()][:, None], cards[batch.cards.long()]], 1)
