"""The residual blocks of the one-trajectory class as a torch module, with projected weights."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from majorant.numerics.pathwise.block import StateClass


class ResidualScore(nn.Module):
    """`sigmoid(mean over tokens of blocks(z) . w)`, one or more heads, no normalization.

    Input (batch, tokens * width), output (batch,). `project` puts every matrix into its spectral
    ball, so that the network belongs to the class.
    """

    def __init__(self, members: StateClass, seed: int) -> None:
        super().__init__()
        shape = members.description
        self.tokens, self.width = members.tokens, members.width
        self.blocks, self.heads = int(shape["blocks"]), int(shape["heads"])
        generator = torch.Generator().manual_seed(seed)
        self.radii = {key.replace(".", "_"): float(norm) for key, norm in members.norms.items()}
        activations: dict[str, Callable[[Tensor], Tensor]] = {
            "gelu": nn.functional.gelu, "tanh": torch.tanh,
            "silu": nn.functional.silu, "sigmoid": torch.sigmoid}
        self.activation = activations[str(shape["activation"])]
        from majorant.derivation.network import parameters

        for key, parameter in parameters(members.network).items():
            value = torch.randn(parameter.rows, parameter.cols, generator=generator,
                                dtype=torch.float64)
            self.register_parameter(key.replace(".", "_"), nn.Parameter(value))
        self.project()

    def weight(self, name: str) -> Tensor:
        """The parameter with the description's id."""
        found: Tensor = getattr(self, name.replace(".", "_"))
        return found

    @torch.no_grad()
    def project(self) -> None:
        """Scale every matrix whose spectral norm exceeds its radius back to it."""
        for name, value in self.named_parameters():
            norm = float(torch.linalg.matrix_norm(value, 2))
            if norm > self.radii[name]:
                # A hair inside, so that rounding cannot leave the ball.
                value.mul_(self.radii[name] / norm * (1 - 1e-12))

    def forward(self, states: Tensor) -> Tensor:
        """Losses of a batch of states."""
        x = states.reshape(len(states), self.tokens, self.width)
        for block in range(self.blocks):
            moved = x
            for head in range(self.heads):
                form = self.weight(f"block{block}.head{head}.QK")
                attention = torch.softmax(x @ form @ x.transpose(1, 2), dim=-1)
                moved = moved + attention @ x @ self.weight(f"block{block}.head{head}.V")
            hidden = self.activation(moved @ self.weight(f"block{block}.M_in"))
            x = moved + hidden @ self.weight(f"block{block}.M_out")
        return torch.sigmoid(x.mean(1) @ self.weight("readout")).squeeze(1)
