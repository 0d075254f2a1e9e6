"""The tables of bounds that `evaluate` prints: numbers rounded outward, where they come from."""

from __future__ import annotations

import math
from typing import Any

from majorant.cli.output import emit_table, emit_text, power_of_ten
from majorant.derivation.rounding import rounded_down, rounded_up


def sample_size(found: dict[str, Any]) -> str:
    """`n_star` with three digits, rounded up, or its power of ten where it is beyond reach.

    >>> sample_size({"n_star": 2043391903}), sample_size({"n_star": None, "log10_n_star": 227.7})
    ('2.05e+09', '10^227.70')
    """
    star, log10 = found.get("n_star"), found.get("log10_n_star")
    if star is None and log10 is not None and log10 < 15:
        star = 10**log10
    return rounded_up(star, 3) if star is not None and star < 1e15 else power_above(log10)


def at_most(found: dict[str, Any]) -> str:
    """The upper end of a bound with five digits, rounded up.

    >>> at_most({"upper": 0.123451}), at_most({"upper": None, "log10": 400.124})
    ('0.12346', '10^400.13')
    """
    if found.get("upper") is not None:
        return rounded_up(found["upper"], 5)
    return power_above(found.get("log10"))


def power_above(log10: float | None) -> str:
    """A power of ten that is not below; two decimals in the exponent.

    >>> power_above(227.7001), power_above(None)
    ('10^227.71', '-')
    """
    return "-" if log10 is None else f"10^{math.ceil(100 * log10) / 100:.2f}"


def interval(found: dict[str, Any]) -> str:
    """The verified interval, each end rounded outward to five digits.

    >>> interval({"lower": 0.1234561, "upper": 0.1234562})
    '[0.12345, 0.12346]'
    """
    if found.get("upper") is None:
        return at_most(found)
    return f"[{rounded_down(found['lower'], 5)}, {rounded_up(found['upper'], 5)}]"


def state(found: dict[str, Any]) -> str:
    """What a bound at a sample size is worth, in agreement with its printed digits.

    >>> [state({"upper": x, "vacuous": x >= 1}) for x in (0.2, 0.5, 0.9999999, 1.0)]
    ['useful', 'weak', 'just below 1', 'vacuous']
    """
    if found["vacuous"]:
        return "vacuous"
    if found["upper"] < 0.5:
        return "useful"
    return "just below 1" if at_most(found) == "1" else "weak"


def bound_table(payload: dict[str, Any]) -> None:
    """The values and sample sizes, the same at an equal split, and what they are made of."""
    bounds = {name: b for name, b in (payload.get("bounds") or {}).items() if not b.get("reason")}
    valued = any(b.get("log10") is not None for b in bounds.values())
    rows, parts = [], []
    for name, b in bounds.items():
        even = b.get("equal_split") or {}
        worth = state(b) if b.get("log10") is not None else "-"
        stars = [sample_size(b), sample_size(even)]
        rows.append([name, interval(b), at_most(even), worth, *stars] if valued
                    else [name, *stars])
        largest = ", ".join(f"{c['name']} {100 * c['fraction']:.2g} %"
                            for c in b.get("contributors", []))
        first = (b.get("lower_most") or [None])[0]
        parts.append([name, largest, "-" if first is None else
                      f"{first['name']}: {first['n_star_percent']:.2g} %"])
    columns = ["verified interval", "equal split", ""] if valued else []
    if rows:
        emit_table(f"Bounds for {payload['network']}",
                   ["bound", *columns, "n_star", "n_star, equal split"], rows)
        emit_text("n_star: from this many sequences on the bound is below 1/2, with no training "
                  "error (useful). Weak: below 1 but not below 1/2. Vacuous: not below 1, so it "
                  "says nothing. Equal split: the same bound "
                  "with the accuracy shared equally among the parameters, as published.", "")
        emit_table("What they are made of", ["bound", "largest contributors",
                   "n_star falls by, for 1 % off the norm of"], parts)
    comparison(bounds)
    reasons: dict[str, list[str]] = {}
    for name, b in (payload.get("bounds") or {}).items():
        if b.get("reason"):
            reasons.setdefault(b["reason"], []).append(name)
    for reason, names in reasons.items():
        emit_text(f"  {', '.join(names)}: not computed. {reason}")


def comparison(bounds: dict[str, Any]) -> None:
    """How much larger the published bound is than ours, in words."""
    if not {"published", "schatten"} <= set(bounds):
        return
    theirs, ours = bounds["published"], bounds["schatten"]
    parts = [f"its {what} {ratio(theirs[key] - ours[key])} times" for key, what in (
        ("log10", "value"), ("log10_n_star", "n_star"))
        if theirs.get(key) is not None and ours.get(key) is not None]
    if parts:
        emit_text("`published` against `schatten`, both with all constants: " + " and ".join(parts)
                  + " as large (in closed form: `majorant derive "
                  "published_over_schatten_in_full`).", "")


def ratio(log10: float) -> str:
    """A quotient given by its decimal logarithm.

    >>> ratio(0.30103), ratio(20.0)
    ('2', '10^20.00')
    """
    return f"{10**log10:.3g}" if abs(log10) < 15 else power_of_ten(log10)
