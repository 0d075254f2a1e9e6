"""`decide`: the provers in order of cost, the falsifier beside them, one verdict."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

import sympy

from majorant.derivation.errors import UnsupportedExpression
from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.verdict import Verdict, Witness
from majorant.proofs.provers.algebra import factor_tactic, range_tactic, split_tactic
from majorant.proofs.provers.balls import box_tactic
from majorant.proofs.provers.domain import Constraint, Domain
from majorant.proofs.provers.engine import Engine
from majorant.proofs.provers.exact import is_formally_zero
from majorant.proofs.provers.falsifier import Falsifier, falsify
from majorant.proofs.provers.monotone import derivative_tactic
from majorant.proofs.provers.outcome import Clock, OutOfTime, Proof
from majorant.proofs.provers.polynomial_z3 import prove_polynomial
from majorant.proofs.provers.problem import Problem, problems_of
from majorant.proofs.provers.transform import (
    early_isolate_tactic,
    exponential_tactic,
    homogeneous_tactic,
    isolate_tactic,
    log_tactic,
    opened_logs,
    substitution_tactic,
    translation_tactic,
)
from majorant.proofs.provers.undefined import undefined_reason, vacuous_reason


def _z3_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    part = engine.clock.part(2.0 if depth < 2 else 0.5)
    return engine.once(
        "z3", (expr, strict, domain), lambda: prove_polynomial(expr, strict, domain, part)
    )


def _z3_bounds_tactic(
    engine: Engine, expr: sympy.Expr, strict: bool, domain: Domain, depth: int
) -> Proof | None:
    if depth > 2 or engine.limit < 2:
        return None
    part = engine.clock.part(1.5 if depth == 0 else 0.3)
    return engine.once(
        "bounds",
        (expr, strict, domain),
        lambda: prove_polynomial(expr, strict, domain, part, bounds=True),
    )


TACTICS = (
    _z3_tactic,
    range_tactic,
    homogeneous_tactic,
    exponential_tactic,
    substitution_tactic,
    translation_tactic,
    log_tactic,
    early_isolate_tactic,
    factor_tactic,
    derivative_tactic,
    isolate_tactic,
    split_tactic,
    partial(exponential_tactic, late=True),
    _z3_bounds_tactic,
    box_tactic,
)


def decide(claim: Claim, budget_s: float = 10.0, parallel: bool = True) -> Verdict:
    """Decide a claim within a time budget (seconds).

    `proved` comes with the chain of reasons, `refuted` with a rational witness that was confirmed
    in ball arithmetic, `unknown` with the reason. With `parallel` (and where the system can fork)
    provers and falsifier run side by side in two child processes that are ended at the deadline.

    >>> from majorant.proofs.claims import parse_claim
    >>> decide(parse_claim("log(1+x) <= x", "x > -1")).status
    'proved'
    """
    started = time.monotonic()
    if parallel and "fork" in multiprocessing.get_all_start_methods():
        verdict = _decide_forked(claim, started + budget_s)
    else:
        verdict = _decide_here(claim, started + budget_s)
    return _stamped(verdict, claim, time.monotonic() - started)


def _stamped(verdict: Verdict, claim: Claim, seconds: float) -> Verdict:
    return Verdict(
        verdict.status,
        verdict.by,
        seconds,
        verdict.certificate,
        verdict.witness,
        verdict.reason,
        str(claim),
        verdict.script,
        verdict.notes,
    )


def prove_claim(
    claim: Claim, deadline: float, settled: Callable[[], None] | None = None
) -> Verdict:
    """The proving half: vacuity and definedness first, then every case of the claim.

    `settled` is called once the claim is known to be defined under hypotheses that can hold.
    """
    from majorant.proofs.provers.monotonicity import prove_monotone

    clock = Clock(deadline)
    try:
        problems = problems_of(claim)
        reason = vacuous_reason(claim, problems, clock)
        if reason is not None:
            return Verdict("unknown", by="vacuity", reason=reason)
        engine = Engine(clock, TACTICS)
        missing = undefined_reason(claim, problems, engine)
        if missing is not None:
            by = "definedness" if missing[1] else ""
            return Verdict("unknown", by=by, reason=missing[0])
        if settled is not None:
            settled()
        if claim.relation in ("increasing", "decreasing", "monotone"):
            return prove_monotone(claim, problems, engine)
        return _prove_problems(claim, problems, engine)
    except OutOfTime:
        return Verdict("unknown", reason="time is up")
    except UnsupportedExpression as error:
        return Verdict("unknown", reason=str(error))


def _prove_problems(claim: Claim, problems: list[Problem], engine: Engine) -> Verdict:
    lines: list[str] = []
    by = ""
    for problem in problems:
        proof = prove_problem(problem, engine)
        if proof is None:
            for point in engine.hints.points:
                witness = _hinted(claim, problem, point)
                if witness is not None:
                    return Verdict("refuted", by="balls", witness=witness)
            return Verdict("unknown", reason="no prover succeeded")
        if len(problems) > 1:
            lines.append(f"case {problem.domain}")
        lines += proof.lines
        by = proof.by
    return Verdict("proved", by=by, certificate=tuple(lines))


def prove_problem(problem: Problem, engine: Engine) -> Proof | None:
    """A proof of one case."""
    if problem.equality:
        return _prove_equality(problem, engine)
    gap = problem.gap
    if gap == 0 or (not gap.is_number and is_formally_zero(gap)):
        return None if problem.strict else Proof("algebra", ("both sides are identical",))
    opened = opened_logs(engine, gap, problem.domain)
    domain = Domain(
        problem.domain.variables,
        tuple(
            Constraint(opened_logs(engine, c.expr, problem.domain), c.strict)
            for c in problem.domain.constraints
        ),
        problem.domain.integers,
    )
    proof = engine.deepen(opened, problem.strict, domain)
    if proof is None or opened == gap:
        return proof
    return proof.under(f"logarithms of positive products opened: {opened}")


def _prove_equality(problem: Problem, engine: Engine) -> Proof | None:
    if is_formally_zero(problem.gap):
        return Proof("algebra", (f"{problem.gap} simplifies to 0",))
    above = engine.deepen(problem.gap, False, problem.domain)
    below = engine.deepen(-problem.gap, False, problem.domain) if above else None
    if above is None or below is None:
        return None
    return Proof(above.by, ("<=:", *above.lines, ">=:", *below.lines))


def _hinted(
    claim: Claim, problem: Problem, point: dict[sympy.Symbol, sympy.Rational]
) -> Witness | None:
    from majorant.proofs.provers.witness import confirm

    search = Falsifier(claim, problem)
    values = {v: point.get(v, sympy.Integer(1)) for v in problem.domain.variables}
    restored = search.restore(values)
    return confirm(claim, restored) if restored is not None else None


def refute_claim(
    claim: Claim, deadline: float, settled: Callable[[], None] | None = None
) -> Verdict:
    """The falsifying half."""
    from majorant.proofs.provers.monotonicity import refute_monotone

    try:
        if claim.relation in ("increasing", "decreasing", "monotone"):
            witness = refute_monotone(claim, deadline)
        else:
            witness = falsify(claim, problems_of(claim), deadline)
    except UnsupportedExpression as error:
        return Verdict("unknown", reason=str(error))
    if witness is None:
        return Verdict("unknown", by="falsifier", reason="no counterexample was found")
    return Verdict("refuted", by="falsifier", witness=witness)


def _merged(first: Verdict, second: Verdict) -> Verdict:
    """One verdict out of the two halves; a disagreement is a defect and is not hidden."""
    decided = {v.status for v in (first, second)} - {"unknown"}
    if len(decided) == 2:
        raise AssertionError(f"prover and falsifier disagree: {first} against {second}")
    if first.by in ("vacuity", "definedness"):
        return first
    for verdict in (first, second):
        if verdict.status != "unknown":
            return verdict
    return first


def _decide_here(claim: Claim, deadline: float) -> Verdict:
    now = time.monotonic()
    quick = refute_claim(claim, now + 0.15 * (deadline - now))
    proved = prove_claim(claim, now + 0.75 * (deadline - now))
    if quick.status == "unknown" and proved.status == "unknown":
        quick = refute_claim(claim, deadline)
    return _merged(proved, quick)


_SETTLED = "settled"


def _child(
    task: Callable[[Claim, float, Callable[[], None]], Verdict],
    claim: Claim,
    deadline: float,
    out: Connection,
) -> None:
    import os

    try:
        out.send(task(claim, deadline, lambda: out.send(_SETTLED)))
    except BaseException as error:  # the parent must learn about every fault of ours
        out.send(error if isinstance(error, Exception) else RuntimeError(repr(error)))
    out.close()
    # leave without running the parent's exit handlers
    os._exit(0)


def _decide_forked(claim: Claim, deadline: float) -> Verdict:
    context = multiprocessing.get_context("fork")
    running: dict[Any, tuple[str, Any]] = {}
    for name, task in (("prove", prove_claim), ("refute", refute_claim)):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_child, args=(task, claim, deadline, sender), daemon=True)
        process.start()
        sender.close()
        running[receiver] = (name, process)
    found: dict[str, Verdict] = {}
    faults: list[Exception] = []
    defined = False
    try:
        while running:
            ready = wait(list(running), timeout=max(0.0, deadline + 0.2 - time.monotonic()))
            if not ready:
                break
            for receiver in list(running):
                if receiver not in ready:
                    continue
                name, process = running[receiver]
                try:
                    result = receiver.recv()
                    if result == _SETTLED:
                        defined = True
                        continue
                except EOFError:
                    result = RuntimeError(f"the {name} process ended without an answer")
                del running[receiver]
                process.join(timeout=1.0)
                if isinstance(result, Exception):
                    faults.append(result)
                else:
                    found[name] = result
            # a refutation waits until the claim is known to be defined, or not to be
            known = defined or "prove" in found
            if known and any(v.status != "unknown" for v in found.values()):
                break
            first = found.get("prove")
            if first is not None and first.by in ("vacuity", "definedness"):
                break
    finally:
        for _, process in running.values():
            process.kill()
            process.join(timeout=1.0)
    if faults and not any(v.status != "unknown" for v in found.values()):
        raise faults[0]
    late = Verdict("unknown", reason="time is up")
    return _merged(found.get("prove", late), found.get("refute", late))
