"""How far a weight is from a reference: as factors where they are known, else the difference."""

from dataclasses import dataclass

import torch

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.adapter import AdapterStore
from majorant.numerics.checkpoints.view import View
from majorant.numerics.spectra.rounding import SLACK, UNIT, norm_up, product_error


@dataclass(frozen=True)
class Change:
    """`W - W_0 = left @ right^T` (row-vector orientation), or zero if `left` is `None`.

    `right` is `None` for the identity: `left` is then the whole difference. `left_error` and
    `right_error` bound, relative to the Frobenius norm, what rounding did to each. `now` is `W`,
    `before` is `W_0`, in float64; `now_error` bounds the Frobenius error of `now`.
    """

    now: torch.Tensor
    before: torch.Tensor
    left: torch.Tensor | None
    right: torch.Tensor | None
    left_error: float = 0.0
    right_error: float = 0.0
    now_error: float = 0.0

    @property
    def moved(self) -> bool:
        """Whether anything changed."""
        return self.left is not None

    def columns(self, start: int, stop: int) -> "Change":
        """The change of the columns `start <= j < stop`."""
        left, right = self.left, self.right
        if left is not None and right is None:
            left = left[:, start:stop]
        return self._part(
            self.now[:, start:stop],
            self.before[:, start:stop],
            left,
            None if right is None else right[start:stop],
        )

    def rows(self, start: int, stop: int) -> "Change":
        """The change of the rows `start <= i < stop`."""
        left = None if self.left is None else self.left[start:stop]
        return self._part(self.now[start:stop], self.before[start:stop], left, self.right)

    def _part(
        self,
        now: torch.Tensor,
        before: torch.Tensor,
        left: torch.Tensor | None,
        right: torch.Tensor | None,
    ) -> "Change":
        return Change(now, before, left, right, self.left_error, self.right_error, self.now_error)


def change(view: View, reference: View) -> Change:
    """The change of one matrix between a model and its reference.

    Factors if the model is an adapter over this very reference; else the difference, which is
    exactly zero if no entry differs. Raises `UnusableInput` if the shapes differ.
    """
    if view.shape != reference.shape:
        raise UnusableInput(
            f"{view.name} has shape {view.shape}, the reference's {reference.name} "
            f"{reference.shape}; expected a model of the same architecture."
        )
    before = reference.load()
    store = view.store
    if isinstance(store, AdapterStore) and store.base is reference.store:
        if not store.moved(view.name):
            return Change(before, before, None, None)
        factors = store.low_rank(view.name)
        if factors is not None:
            left = factors.left[view.rows[0] : view.rows[1]]
            right = factors.right[view.columns[0] : view.columns[1]]
            now = view.load()
            size = float(product_error(left.shape[1], norm_up(left), norm_up(right), now.numel()))
            error = (size + 4 * UNIT * float(norm_up(left) * norm_up(right))) * SLACK
            error += 2 * UNIT * float(norm_up(now))
            return Change(now, before, left, right, 0.0, factors.scale_error, error)
    now = view.load()
    if torch.equal(now, before):
        return Change(now, before, None, None)
    return Change(now, before, now - before, None, left_error=UNIT)
