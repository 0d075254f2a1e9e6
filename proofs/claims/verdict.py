"""Three-valued verdicts: proved with a certificate, refuted with a witness, or unknown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STATUSES = ("proved", "refuted", "unknown")


@dataclass(frozen=True)
class Witness:
    """An exact point at which the claim is certainly false, by balls or (at equality) by algebra.

    `point` maps names to rationals as text (to another constant such as `pi - 1` only where the
    hypotheses or a strict relation leave no rational one), `left` and `right` are the two values as
    balls, `blame` is the smallest part of the claim that already fails there.
    """

    point: dict[str, str]
    left: str
    right: str
    blame: str

    def to_json(self) -> dict[str, Any]:
        """Plain dictionary for `--json`."""
        return {
            "point": dict(self.point),
            "left": self.left,
            "right": self.right,
            "blame": self.blame,
        }


@dataclass(frozen=True)
class Verdict:
    """What was found about one claim.

    `by` names the prover; `certificate` is the chain of reasons, one per line, of a proof;
    `reason` says why nothing was found; `script` holds a Coq script where one was asked for.

    >>> Verdict("unknown", reason="time is up").exit_code
    3
    """

    status: str
    by: str = ""
    seconds: float = 0.0
    certificate: tuple[str, ...] = ()
    witness: Witness | None = None
    reason: str = ""
    claim: str = ""
    script: str = ""
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise AssertionError(f"a verdict is one of {STATUSES}, not {self.status!r}")
        if self.status == "refuted" and self.witness is None:
            raise AssertionError("a refutation needs a witness")
        if self.status == "proved" and not self.certificate:
            raise AssertionError("a proof needs a certificate")

    @property
    def exit_code(self) -> int:
        """0 proved, 1 refuted, 3 undecided."""
        return {"proved": 0, "refuted": 1, "unknown": 3}[self.status]

    def to_json(self) -> dict[str, Any]:
        """The object that `majorant check --json` prints."""
        return {
            "claim": self.claim,
            "status": self.status,
            "by": self.by or None,
            "witness": self.witness.to_json() if self.witness else None,
            "seconds": round(self.seconds, 3),
            "certificate": list(self.certificate),
            "reason": self.reason or None,
            "script": self.script or None,
            "notes": list(self.notes),
        }
