"""Bounds of a checkpoint: search, check, and say what they stand on (the logic of `evaluate`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import arb

from majorant.cli.empirical import G7_BOUNDS, problem_of
from majorant.cli.statement import FORWARD, SAMPLE, SUBJECTS, of_network
from majorant.derivation.certificate import described, exact_fraction
from majorant.derivation.errors import MajorantError, NoBound, UnusableInput
from majorant.derivation.lemma import LEMMAS
from majorant.numerics.certificates import Problem
from majorant.numerics.certificates.from_checkpoint import Sized
from majorant.numerics.certificates.issue import (
    ALL_BOUNDS,
    BOUNDS,
    certificate_at,
    certificate_of,
    prepare,
)
from majorant.numerics.certificates.prepared import Prepared
from majorant.numerics.checkpoints import Given
from majorant.numerics.enclosure import ends
from majorant.numerics.spectra import SpectrumSet
from majorant.proofs.checker import Verdict, check

Progress = Callable[[int, int, str], None]
BLOCKS = ("faithful", "normalized")
_LARGEST_N = 10**300
_TOKENS = 512


def validate_request(*, block: str = "faithful", n: int | None = None, seq_len: int | None = None,
                     delta: float | str = 0.05, margin_error: float | None = None,
                     margin: float | None = None, bounds: Sequence[str] | None = None) -> None:
    """Refuse impossible requests before anything is computed; the message says what to do.

    >>> validate_request(n=0)
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: n: expected a positive number of sequences, got 0
    """
    if block not in BLOCKS:
        raise UnusableInput(f"block: expected faithful or normalized, got {block!r}")
    if n is not None and n < 1:
        raise UnusableInput(f"n: expected a positive number of sequences, got {n}")
    if seq_len is not None and seq_len < 1:
        raise UnusableInput(f"seq-len: expected a positive number of tokens, got {seq_len}")
    if not 0 < exact_fraction(delta, "delta") < 1:
        raise UnusableInput(f"delta: expected a probability between 0 and 1, got {delta}")
    if margin_error is not None and not 0 <= margin_error <= 1:
        raise UnusableInput(f"margin-error: expected a fraction between 0 and 1, got "
                            f"{margin_error}")
    if margin is not None and not (math.isfinite(margin) and margin > 0):
        raise UnusableInput(f"margin: expected a positive number, got {margin}")
    if margin_error is not None and (margin is None or n is None):
        raise UnusableInput("margin-error: it is the fraction of the n training examples with "
                            "margin at most --margin; give -n and --margin too")
    if unknown := sorted(set(bounds or ()) - set(ALL_BOUNDS)):
        raise UnusableInput(f"bound {unknown[0]!r}: expected one of {', '.join(ALL_BOUNDS)}")


def evaluate_bounds(
    source: str, block: str = "faithful", reference: str | None = None, n: int | None = None,
    seq_len: int | None = None, delta: float | str = 0.05, margin_error: float | None = None,
    margin: float | None = None, bounds: Sequence[str] | None = None, *,
    spectra: SpectrumSet | None = None, variances: str | None = None, tables: bool = False,
    given: Given | None = None, progress: Progress | None = None,
) -> dict[str, Any]:
    """Every bound of a checkpoint, with its verified interval and its `n_star`.

    Returns `bounds.NAME.{value, lower, upper, log10, n_star, vacuous, ledger, contributors, ...}`,
    `smallest` (at `delta` over their number), and `assumptions`. Without `n`, only `n_star`: the
    sample size from which the bound, with no empirical error, is below 1/2 (searched in floats,
    confirmed by the checker). `vacuous`: at least 1. Numbers are
    finite; `value` is `None` where it does not fit a float, with a `log10` twin. A bound that
    cannot be computed has a `reason` in place of numbers. `variances` is a file of measured
    LayerNorm variances (`majorant measure`): G7, for the bounds by a finite list. `tables`: the
    embedding tables are trained too. `given` is what the user says about the model. Where the
    model has no such bounds, each has the reason.
    """
    validate_request(block=block, n=n, seq_len=seq_len, delta=delta, margin_error=margin_error,
                     margin=margin, bounds=bounds)
    errors = 0 if margin_error is None or n is None else math.ceil(
        Fraction(margin_error) * n - Fraction(1, 10**9))
    try:
        problem, sized, measured, lines = problem_of(
            source, block, reference, n, delta, min(errors, n or 1), margin, seq_len or _TOKENS,
            spectra=spectra, variances=variances, bounds=bounds, tables=tables, given=given)
    except NoBound as error:
        return {"bounds": {name: not_computed(str(error)) for name in bounds or BOUNDS},
                "assumptions": [], "margin_error": margin_error, "margin": margin or 1.0,
                "smallest": None, "delta": delta, "variances": None}
    chosen = tuple(bounds or (BOUNDS if measured is None else G7_BOUNDS))
    found = {}
    for done, name in enumerate(chosen):
        found[name] = bound_report(problem, name, with_n=n is not None)
        if progress is not None:
            progress(done + 1, len(chosen), name)
    if measured is not None and measured.bad is not None:
        margin_error, margin = measured.bad / measured.n, measured.margin
    stated = assumptions(sized, problem, n, margin, margin_error, seq_len, len(chosen))
    return {"bounds": found, "assumptions": [*stated, *lines], "margin_error": margin_error,
            "smallest": smallest(problem, found), "delta": delta, "margin": margin or 1.0,
            "variances": None if measured is None else dict(measured.thresholds)}


def assumptions(sized: Sized, problem: Problem, n: int | None, margin: float | None,
                margin_error: float | None, seq_len: int | None, count: int) -> list[str]:
    """What the numbers stand on besides the ledger, in words."""
    found = [*sized.assumptions, *of_network(problem.network)]
    if margin_error is None:
        found.append("no margin error was given: it is taken to be 0"
                     + ("" if margin else ", at margin 1"))
    else:
        found.append(FORWARD)
    if seq_len is None:
        found.append(f"{_TOKENS} tokens in a sequence (only `published` and `norm` depend on it)")
    if count > 1:
        found.append(f"each bound of the table holds by itself with probability 1 - delta; the "
                     f"smallest of all {count} is taken at delta/{count}")
    return found


def bound_report(problem: Problem, name: str, *, with_n: bool = True) -> dict[str, Any]:
    """One bound: value at the problem's `n` if `with_n`, `n_star`, ledger, contributors."""
    try:
        found = prepare(problem, name)
        blank: dict[str, Any] = dict.fromkeys(("value", "lower", "upper", "log10", "vacuous"))
        report = _at_n(found) if with_n else blank
        star = _n_star(found)
    except (MajorantError, ArithmeticError) as error:
        return not_computed(reason_of(error))
    verdict: Verdict | None = report.pop("verdict", None) or star.pop("verdict", None)
    report |= {key: value for key, value in star.items() if key != "verdict"}
    if verdict is not None:
        report |= _explain(found, verdict)
        report["lower_most"] = lower_most(found, report["log10_n_star"])
    report["equal_split"] = _equal_split(problem, name, with_n)
    return report


def smallest(problem: Problem, found: dict[str, Any]) -> dict[str, Any] | None:
    """The smallest of several bounds, at `delta/count` each so that it may be chosen afterwards.

    `None` where every bound is vacuous, or there is no sample size.
    """
    valued = {name: b["upper"] for name, b in found.items()
              if b["upper"] is not None and not b["vacuous"]}
    if not valued:
        return None
    name = min(valued, key=lambda key: valued[key])
    share = str(exact_fraction(problem.delta, "delta") / len(found))
    best = found[name] if len(found) == 1 else interval(check(certificate_of(
        prepare(replace(problem, delta=share), name))))
    return {"bound": name, "of": len(found), "delta": share} | {
        key: best[key] for key in ("lower", "upper", "vacuous")}


def not_computed(reason: str) -> dict[str, Any]:
    """The report of a bound that has no number, with the reason."""
    blank = dict.fromkeys(("value", "lower", "upper", "log10", "n_star", "vacuous"))
    return blank | {"reason": reason}


def reason_of(error: MajorantError | ArithmeticError) -> str:
    """Why a bound has no number, in words."""
    if isinstance(error, MajorantError):
        return str(error)
    return (f"the search for its parameters left the range of float64 ({error}); expected weights "
            "of ordinary size")


def _equal_split(problem: Problem, name: str, with_n: bool) -> dict[str, Any]:
    """The same bound with the published choice: every parameter gets the same share."""
    try:
        even = prepare(problem, name, split="equal")
        log10 = even.log_n_star() / math.log(10)
        star = {"log10_n_star": log10 if math.isfinite(log10) else None}
        return star if not with_n else star | interval(check(certificate_of(even)))
    except (MajorantError, ArithmeticError) as error:
        return {"log10_n_star": None} | not_computed(reason_of(error))


def _at_n(found: Prepared) -> dict[str, Any]:
    verdict = check(certificate_of(found))
    return {**interval(verdict), "verdict": verdict}


def interval(verdict: Verdict) -> dict[str, Any]:
    """`value`, `lower`, `upper`, `log10`, `vacuous` of an accepted verdict, rounded outward."""
    if verdict.value is None:
        raise UnusableInput(f"the certificate was refused: {verdict.reason}")
    found = ends(verdict.value)
    # an inverse of kl is at most 1
    capped = verdict.bound in ("occam", "parameter-count") and not verdict.value < 1
    if capped:
        found |= {"upper": 1.0, "log10_upper": 0.0}
    return {"value": found["upper"], "lower": found["lower"], "upper": found["upper"],
            "log10": found["log10_upper"], "vacuous": capped or not verdict.value < 1}


def _n_star(found: Prepared) -> dict[str, Any]:
    """The searched `n_star`, raised until the checker confirms that the bound is below 1/2."""
    log_n = found.log_n_star()
    log10 = log_n / math.log(10)
    if not math.isfinite(log10):
        return {"n_star": None, "log10_n_star": None}
    if log10 > math.log10(_LARGEST_N):
        return {"n_star": None, "log10_n_star": log10}
    n = _whole(log_n)
    for _ in range(6):
        verdict = check(certificate_at(found, n))
        if verdict.value is None:
            raise UnusableInput(f"the certificate was refused: {verdict.reason}")
        if verdict.value < arb(1) / 2:
            exact = n if n < 2**53 else math.nextafter(float(n), math.inf)
            return {"n_star": exact, "log10_n_star": _log10(n), "verdict": verdict}
        n += 1 + n // 10**9
        n += n // 10**6
    raise UnusableInput(f"n_star: the checker does not confirm the searched value {n}")


def _whole(log_n: float) -> int:
    exponent = max(0, math.floor(log_n / math.log(2)) - 60)
    return math.ceil(math.exp(log_n - exponent * math.log(2))) << exponent


def _log10(n: int) -> float:
    shift = max(0, n.bit_length() - 60)
    return math.log10(n >> shift) + shift * math.log10(2)


def _explain(found: Prepared, verdict: Verdict) -> dict[str, Any]:
    total = sum(verdict.shares.values(), arb(0))
    more: dict[str, Any] = {
        "price_nats": float(verdict.price) if verdict.price is not None else None,
        "ledger": ledger(verdict.ledger), "parameters": len(verdict.shares)}
    if parts := found.parts(math.log(verdict.n)):
        unit, amounts, fractions = "of the entropy integral", parts, parts
    else:
        unit, amounts = "nats", {name: float(x) for name, x in verdict.shares.items()}
        fractions = {name: float(x / total) for name, x in verdict.shares.items()}
        more["entropy_nats"] = float(total)
    largest = sorted(fractions, key=lambda name: -fractions[name])[:3]
    return more | {"largest": largest, "contributors": [
        {"name": name, "amount": amounts[name], "unit": unit, "fraction": fractions[name]}
        for name in largest]}


def lower_most(found: Prepared, log10_n_star: float | None) -> list[dict[str, Any]]:
    """The three norms whose shrinking lowers `n_star` most; per cent for one per cent (autograd).

    Empty where no sample size is enough.
    """
    if log10_n_star is None:
        return []
    pulls = found.leverage(log10_n_star * math.log(10))
    lowering = [item for item in pulls.items() if math.isfinite(item[1]) and item[1] > 0]
    best = sorted(lowering, key=lambda item: -item[1])[:3]
    return [{"name": name, "n_star_percent": pull} for name, pull in best]


def ledger(used: Sequence[str]) -> list[str]:
    """The lemmas that were used and, through `uses`, everything that they stand on."""
    found: dict[str, None] = {}
    waiting = list(used)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting += list(LEMMAS[name].uses) if name in LEMMAS else []
    return list(found)


def certificate_for(
    source: str, bound: str = "occam", block: str = "faithful", reference: str | None = None, *,
    n: int, seq_len: int | None = None, delta: float | str = 0.05, errors: int = 0,
    margin: float | None = None, spectra: SpectrumSet | None = None,
    variances: str | None = None, tables: bool = False, given: Given | None = None,
) -> tuple[dict[str, Any], Verdict]:
    """A checked certificate of one bound with its claim, ready to be written (`certify`).

    `margin` defaults to 1, or to the margin of the measurement that the file `variances` holds.
    """
    validate_request(block=block, n=n, seq_len=seq_len, delta=delta, margin=margin, bounds=[bound])
    problem, sized, _, lines = problem_of(
        source, block, reference, n, delta, errors, margin, seq_len, spectra=spectra,
        variances=variances, bounds=[bound], tables=tables, given=given)
    proposed = certificate_of(prepare(problem, bound))
    verdict = check(proposed)
    upper = interval(verdict)["upper"]
    claimed = proposed if upper is None else proposed | {"claim": {"upper": upper}}
    return described(claimed, network=SUBJECTS[block], checkpoint=source, block=block, delta=delta,
                     reference=reference, assumptions=[SAMPLE, *sized.assumptions, *lines]), verdict
