"""What the kernel said about one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KERNEL = "kernel"
KERNEL_PRIMITIVE = "kernel (primitive arithmetic)"


@dataclass(frozen=True)
class KernelResult:
    """`proved` with the script that Coq accepted, or `unknown` with the reason.

    The kernel never refutes: a statement that it does not accept is `unknown`. `kind` says
    whether the proof also relies on Coq's primitive integers and floats; `assumptions` are the
    axioms that `Print Assumptions` lists; `text` is the file that was compiled.

    >>> KernelResult("unknown", reason="coqc is not on PATH").proved
    False
    """

    status: Literal["proved", "unknown"]
    script: str = ""
    seconds: float = 0.0
    reason: str = ""
    assumptions: tuple[str, ...] = ()
    kind: str = KERNEL
    text: str = ""
    cached: bool = False

    @property
    def proved(self) -> bool:
        """Whether the kernel accepted the statement."""
        return self.status == "proved"
