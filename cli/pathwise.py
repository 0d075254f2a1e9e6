"""`majorant pathwise`: the guarantee from one trajectory of a contracting chain."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from flint import arb

from majorant.cli.destination import require_folder
from majorant.cli.options import Json
from majorant.cli.output import emit_json, emit_table, emit_text, power_of_ten
from majorant.cli.run import verb
from majorant.derivation.errors import UnusableInput

ROUTES = {"P3": "smoothness of the losses (P3)", "P5": "covers of the weights (P5)"}


def exact(text: str, name: str) -> Fraction:
    """A rational from a decimal or a fraction; `UnusableInput` names what was expected.

    >>> exact("0.05", "delta")
    Fraction(1, 20)
    """
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UnusableInput(f"{name}={text!r}: expected a number such as 0.05 or 1/20") from None


def interval(ball: arb) -> dict[str, float | None]:
    """Ends and decimal logarithm of a non-negative ball; null where a float cannot hold them."""
    from majorant.numerics.enclosure import ends

    found = ends(ball)
    return {"lower": found["lower"], "upper": found["upper"], "log10": found["log10_upper"]}


@verb
def pathwise(
    chain: Annotated[str, typer.Option(
        "--chain", help="rho=...,diameter=...,dim=...[,step=...]; states lie in [0, 1]^dim.")],
    n: Annotated[int, typer.Option("-n", "--n", help="Length of the trajectory.")],
    t: Annotated[int | None, typer.Option(
        "-t", "--t", help="Future time, from n on. Default: n.")] = None,
    checkpoint: Annotated[str | None, typer.Argument(
        help="A smooth network from a checkpoint; or use --block.")] = None,
    block: Annotated[str | None, typer.Option(
        "--block", help="tokens=,width=,heads=,hidden=,blocks=,activation=,norm=,readout=")] = None,
    delta: Annotated[str, typer.Option(help="Failure probability.")] = "0.05",
    empirical: Annotated[str, typer.Option(
        help="Mean loss along the trajectory, in [0, 1].")] = "0",
    order: Annotated[int | None, typer.Option(
        help="Largest smoothness that may be used (default: two above the least).")] = None,
    target: Annotated[str | None, typer.Option(
        help="Also find the n at which the guarantee falls below this.")] = None,
    trajectory: Annotated[Path | None, typer.Option(
        "--trajectory", help="States, one a row (.npy, .csv, text): checked against --chain.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(
        "--plot", help="Write guarantee against n and against t here.")] = None,
    json_: Json = False,
) -> int:
    """Bound the risk at a future time for every member of a class of smooth networks.

    The sample is ONE trajectory of a Markov chain that contracts by rho in the Wasserstein distance
    and lives in [0, 1]^dim; the loss is a sigmoid of the network's score. The class is all networks
    of the stated shape and norms.

    Example: majorant pathwise --chain rho=0.5,diameter=1,dim=2 -n 100000 --block norm=0.5
    """
    from majorant.numerics.pathwise.block import parse_block
    from majorant.numerics.pathwise.chain import parse_chain
    from majorant.numerics.pathwise.guarantee import pathwise_guarantee, steps_for
    from majorant.numerics.pathwise.trajectory import check_trajectory

    if (checkpoint is None) == (block is None):
        raise UnusableInput("give either a CHECKPOINT or --block, for example --block norm=0.5")
    if plot is not None:
        require_folder(plot)
    declared = parse_chain(chain)
    if trajectory is not None:
        check_trajectory(trajectory, declared, n)
    if block is not None:
        members = parse_block(block)
    else:
        from majorant.numerics.pathwise.checkpoint import checkpoint_class

        members = checkpoint_class(str(checkpoint), declared.dimension)
    time = n if t is None else t
    failure, mean = exact(delta, "delta"), exact(empirical, "empirical")
    found = pathwise_guarantee(declared, members, n, time, failure=failure, empirical=mean,
                               order=order)
    terms = {"empirical": found.empirical, "bias": found.bias,
             "expected_supremum": found.expected_supremum, "concentration": found.concentration}
    total = interval(found.total)
    payload: dict[str, Any] = {
        "total": total["upper"], "total_interval": total,
        "terms": {name: interval(ball) for name, ball in terms.items()},
        "route": found.route, "routes": {
            name: interval(value) if isinstance(value, arb) else {"refused": value}
            for name, value in found.routes.items()},
        "vacuous": not (total["upper"] is not None and total["upper"] < 1),
        "lipschitz": interval(found.lipschitz), "detail": found.detail,
        "class": members.description, "n": n, "t": time, "delta": float(failure),
        "assumptions": assumptions(chain, trajectory), "ledger": ledger(found.route)}
    if target is not None:
        goal = exact(target, "target")
        payload["n_for_target"] = steps_for(declared, members, goal, after=time - n,
                                            failure=failure, order=order)
    if plot is not None:
        from majorant.cli.figures.pathwise import pathwise_figures

        payload["figures"] = [str(p) for p in pathwise_figures(
            declared, members, n, time - n, failure, mean, order, plot)]
    if json_:
        emit_json(payload)
    else:
        describe(payload)
    return 0


def ledger(route: str) -> list[dict[str, str]]:
    """The lemmas that the guarantee stands on, with their kind of truth."""
    from majorant.proofs.ledger import closure

    used = {"P3": ["P1", "P2", "P3"], "P5": ["P1", "P2", "P5.internal"]}[route]
    return [{"id": lemma.id, "title": lemma.title, "kind": lemma.kind.value}
            for lemma in closure(used)]


def assumptions(chain: str, trajectory: Path | None) -> list[str]:
    """What is assumed about the chain and the class, and what was checked on data."""
    space = ("the diameter is that of the whole state space; the states of the trajectory lie in "
             "the unit cube and within it" if trajectory is not None else
             "its states lie in the unit cube and its diameter is the declared one (give "
             "--trajectory to check them on data)")
    return [
        f"the chain contracts in the Wasserstein distance with the declared constants ({chain})",
        space,
        "the trained network belongs to the class: its parameters satisfy the norms",
        "the loss is the sigmoid of the score, a function of the state",
    ]


def describe(payload: dict[str, Any]) -> None:
    """Print the guarantee for a person."""
    total = payload["total"]
    shown = f"{total:.4g}" if total is not None else power_of_ten(
        payload["total_interval"]["log10"])
    state = " (vacuous: losses are at most 1)" if payload["vacuous"] else ""
    emit_text(f"With probability at least {1 - payload['delta']:g}, every member's risk at time "
              f"{payload['t']} is at most {shown}{state}.",
              f"The expected supremum comes from {ROUTES[payload['route']]}.", "")
    rows: Sequence[Sequence[Any]] = [
        [name, power_of_ten(term["log10"]) if term["log10"] is not None else "0"]
        for name, term in payload["terms"].items()]
    emit_table("Terms", ["term", "at most"], rows)
    for name, route in payload["routes"].items():
        value = route.get("refused") or power_of_ten(route["log10"])
        emit_text(f"  {name}: {value}")
    if "n_for_target" in payload:
        needed = payload["n_for_target"]
        emit_text("  n for the target: " + (f"{needed:,}" if needed else
                  "none below 2^80 (the bias does not depend on n)"))
    for line in payload["assumptions"]:
        emit_text(f"  assumes: {line}")
    for path in payload.get("figures", []):
        emit_text(f"  figure: {path}")
    emit_text("Next: a larger n, a smaller norm in --block, or --target to see what is needed.")
