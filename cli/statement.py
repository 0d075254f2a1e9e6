"""What a number is about: the network in words, the failure probability, every assumption."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from majorant.derivation.certificate import exact_fraction
from majorant.derivation.errors import MajorantError

if TYPE_CHECKING:
    from majorant.derivation.network import Network

NETWORKS = {
    "faithful": "the real block",
    "normalized": "the twin network without residuals and LayerNorm",
}
SUBJECTS = {
    "faithful": "the network as it is: residuals, normalizations, biases and read-out",
    "normalized": "the twin of the network without residuals, LayerNorm, biases and read-out; the "
                  "checkpoint's own error is not bounded",
}

ROUNDING = ("upper ends of singular values: each entry of a float64 matrix product on the CPU is "
            "taken to be an ordinary sum of products, in any order, fused or not (V1; Higham 2002, "
            "3.5); a BLAS that saves multiplications is outside that model")
FORWARD = ("which examples count as errors was found by a floating-point forward pass; unless a "
           "bound on its rounding was added to the thresholds, the rounding is neglected")
SAMPLE = "the training sequences are independent and identically distributed"
ROTARY = ("rotary positions: the sharp constant of a head (A3) does not hold for them; their heads "
          "have the series constant (A3c)")
NO_CLASSIFIER = ("the network has no classifier: the margin is taken to be a 1-Lipschitz function "
                 "of its output, fixed before training")
_FAMILIES = {
    "faithful": "a network with residuals, normalizations, biases and read-out",
    "normalized": "a network without residuals, LayerNorm and biases; where it is the twin of a "
                  "checkpoint, the checkpoint's own error is not bounded",
}
NOT_RECORDED = ("further assumptions (frozen inputs, what stands for the parts of the checkpoint "
                "that are not bounded): not recorded in this certificate; issue it again, or see "
                "`majorant evaluate`")


def of_network(network: Network) -> list[str]:
    """What the description of a network implies about the meaning of its bounds."""
    found = [ROTARY] if _rotary(network) else []
    return [*found, SAMPLE, ROUNDING] + ([NO_CLASSIFIER] if network.outputs is None else [])


def _rotary(network: Network) -> bool:
    """Whether a head has rotary positions."""
    stages = [stage for block in network.blocks for outer in block.stages
              for stage in getattr(outer, "branch", (outer,))]
    return any(getattr(head.logits, "rotary", False) for stage in stages
               for head in getattr(stage, "heads", ()))


def stated(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """What an accepted certificate is about: from its inputs, beside the words of its author.

    Keys `network` (from the inputs), `network_in_words`, `checkpoint` and `reference` (from
    `about`), `delta`, `delta_of_inputs`, `recorded`, `assumptions`.
    """
    from majorant.derivation.network import from_json

    inputs, given = certificate["inputs"], certificate.get("about")
    words: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    recorded = isinstance(words.get("assumptions"), list)
    network = from_json(inputs["network"])
    # how the sample was drawn is for the issuer to say; the rest follows from the description
    derived = [line for line in of_network(network) if line != SAMPLE or not recorded]
    lines = [*_errors(inputs["empirical"], inputs["n"]), *derived,
             *(map(str, words["assumptions"]) if recorded else [NOT_RECORDED])]
    return {"network": _FAMILIES[network.family],
            "network_in_words": str(words["network"]) if words.get("network") else None,
            "checkpoint": words.get("checkpoint"), "reference": words.get("reference"),
            "delta": _asked(words.get("delta"), inputs["delta"]),
            "delta_of_inputs": inputs["delta"], "recorded": recorded,
            "assumptions": list(dict.fromkeys(lines))}


def _asked(asked: Any, used: Any) -> Any:
    """The failure probability that was asked for, where what was proved is at least as much.

    >>> _asked("0.05", "1/180"), _asked("0.000001", "0.05"), _asked("1", "0.05")
    ('0.05', '0.05', '0.05')
    """
    try:
        enough = exact_fraction(used, "delta") <= exact_fraction(asked, "delta") < 1
    except MajorantError:
        enough = False
    return asked if enough else used


def _errors(empirical: Mapping[str, Any], n: int) -> list[str]:
    """How many examples count as errors, and how that was found.

    >>> _errors({"margin": 1.0, "errors": 3, "variances": {}}, 50)[0]
    '3 of 50 training examples count as errors: a margin of at most 1.0'
    """
    variances = empirical["variances"]
    low = (f", or a LayerNorm variance at or below its threshold ({len(variances)} thresholds, G7)"
           if variances else "")
    return [f"{empirical['errors']} of {n} training examples count as errors: a margin of at most "
            f"{empirical['margin']}{low}", FORWARD]


def failure(payload: Mapping[str, Any]) -> str:
    """The failure probability in words; a part of it may have paid for a choice.

    >>> failure({"delta": "0.05", "delta_of_inputs": "0.05"})
    'delta = 0.05'
    >>> failure({"delta": "0.05", "delta_of_inputs": "1/180"})
    'delta = 0.05 over all choices, 1/180 for the choice that was made'
    """
    asked, used = payload["delta"], payload["delta_of_inputs"]
    if exact_fraction(asked, "delta") == exact_fraction(used, "delta"):
        return f"delta = {asked}"
    return f"delta = {asked} over all choices, {used} for the choice that was made"
