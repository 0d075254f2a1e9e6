"""Two-hop recall: a lookup whose answer lies behind a second lookup.

In each sequence every key `a` of `K` has a link `next(a) != a` and a bit `bit(a)`, drawn afresh.
A sequence is a question token (a key `q`) followed by `length` cards `(a, next(a), bit(a))` in
random order: `copies` cards of each key and then keys at random. The label is `bit(next(q))`.
Exchanging the bits of two keys changes the answer and hardly changes any sum over cards, so a
score that adds up over tokens does not get far, and one hop alone leads to the wrong bit.
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
# Coordinates of a card: its key and its link (two each), its bit; positions take the next four.
CARD_SIZE, POSITION_SIZE = 5, 4
POSITION_NORM = 0.2


class Sequences(NamedTuple):
    """`question` (n,) and `cards` (n, length) are token numbers; `label` (n,) is -1 or 1."""

    question: Tensor
    cards: Tensor
    label: Tensor


@dataclass(frozen=True)
class TwoHopRecall:
    """The distribution of sequences and its frozen token and position embeddings.

    `keys` is K, `length` the number of cards, `width` the size of an embedding. Raises
    `UnusableInput` unless `3 <= keys <= 11` (a card is one byte), `copies >= 1`,
    `length >= keys * copies` and `width >= 9`.

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
    copies: int = 3

    def __post_init__(self) -> None:
        if (not 3 <= self.keys <= 11 or self.copies < 1 or self.length < self.keys * self.copies
                or self.width < CARD_SIZE + POSITION_SIZE):
            raise UnusableInput(
                "two-hop recall: expected 3 <= keys <= 11, copies >= 1, length >= keys * copies, "
                f"width >= {CARD_SIZE + POSITION_SIZE}, got {self}")

    @property
    def card_kinds(self) -> int:
        """Different cards: key, link and bit (a link to itself never occurs)."""
        return self.keys * self.keys * 2

    def log2_inputs(self) -> float:
        """Binary logarithm of a lower bound on the number of different inputs.

        A sequence determines its question, the link and bit of each key, and the order of the
        keys; the orders of `keys * copies` cards alone are a multinomial number.
        """
        orders = math.lgamma(self.keys * self.copies + 1) - self.keys * math.lgamma(self.copies + 1)
        tables = self.keys * math.log(2 * (self.keys - 1))
        return (math.log(self.keys) + tables + orders) / math.log(2)

    def sample(self, n: int, seed: int) -> Sequences:
        """`n` independent sequences. Chunk `c` depends on `(seed, c)` only.

        Raises `UnusableInput` unless `1 <= n <= 10**9` and `0 <= seed < 2**16`.
        """
        if not 1 <= n <= 10**9 or not 0 <= seed < 2**16:
            raise UnusableInput("sample: expected 1 <= n <= 10**9 and 0 <= seed < 2**16, "
                                f"got {n}, {seed}")
        chunks = [self._chunk(min(CHUNK, n - start), seed, start // CHUNK)
                  for start in range(0, n, CHUNK)]
        return Sequences(*(torch.cat(column) for column in zip(*chunks, strict=True)))

    def _chunk(self, n: int, seed: int, number: int) -> Sequences:
        # torch's CPU generator reads the low 32 bits of a seed and ignores the others.
        generator = torch.Generator().manual_seed((seed << 16) + number)
        keys = self.keys
        bit = torch.randint(0, 2, (n, keys), generator=generator)
        link = (torch.arange(keys) + torch.randint(1, keys, (n, keys), generator=generator)) % keys
        question = torch.randint(0, keys, (n, 1), generator=generator)
        fixed = torch.arange(keys).repeat(self.copies).expand(n, -1)
        free = torch.randint(0, keys, (n, self.length - fixed.shape[1]), generator=generator)
        order = torch.rand(n, self.length, generator=generator).argsort(dim=1)
        card = torch.cat([fixed, free], dim=1).gather(1, order)
        kind = (card * keys + link.gather(1, card)) * 2 + bit.gather(1, card)
        label = 2 * bit.gather(1, link.gather(1, question)) - 1
        return Sequences(question[:, 0].to(torch.uint8), kind.to(torch.uint8),
                         label[:, 0].to(torch.int8))

    def table(self, dtype: torch.dtype = torch.float64) -> Tensor:
        """Frozen embeddings `(K + card_kinds, width)`: the questions, then the cards.

        A key is a point of the unit circle. A card carries its key, its link and its bit in five
        coordinates; a question carries its key alone. All have norm `sqrt(1 - POSITION_NORM^2)`,
        so that with a position added the row is still in the unit ball.
        """
        angle = torch.arange(self.keys, dtype=torch.float64) * (2 * math.pi / self.keys)
        code = torch.stack([angle.cos(), angle.sin()], dim=1)
        kind = torch.arange(self.card_kinds)
        found = torch.zeros(self.keys + self.card_kinds, self.width, dtype=torch.float64)
        found[: self.keys, 0:2] = code
        cards = found[self.keys :]
        cards[:, 0:2] = code[kind // (2 * self.keys)]
        cards[:, 2:4] = code[(kind // 2) % self.keys]
        cards[:, 4] = 2.0 * (kind % 2) - 1.0
        size = found.norm(dim=1, keepdim=True) / math.sqrt(1.0 - POSITION_NORM**2)
        # Rounding may not push a row out of the unit ball: the family requires norm <= 1.
        return (found / size * (1.0 - 2.0**-20)).to(dtype)

    def positions(self, dtype: torch.dtype = torch.float64) -> Tensor:
        """Frozen position embeddings `(1 + length, width)` of norm `POSITION_NORM`."""
        place = torch.arange(1 + self.length, dtype=torch.float64) * (2 * math.pi)
        slow, fast = place / (1 + self.length), place / 5.0
        found = torch.zeros(1 + self.length, self.width, dtype=torch.float64)
        waves = torch.stack([slow.cos(), slow.sin(), fast.cos(), fast.sin()], dim=1)
        found[:, CARD_SIZE : CARD_SIZE + POSITION_SIZE] = waves * (POSITION_NORM / math.sqrt(2.0))
        return (found * (1.0 - 2.0**-20)).to(dtype)

    def rows(self, batch: Sequences) -> Tensor:
        """Each sequence as row numbers of `table`, `(n, 1 + length)`, the question first."""
        return torch.cat([batch.question.long()[:, None], batch.cards.long() + self.keys], dim=1)

    def embed(self, batch: Sequences, dtype: torch.dtype = torch.float32) -> Tensor:
        """Token vectors `(n, 1 + length, width)`: token embedding plus position embedding."""
        return self.table(dtype)[self.rows(batch)] + self.positions(dtype)
