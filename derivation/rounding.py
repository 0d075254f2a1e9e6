"""Bounds as text: rounded outward, so that what is printed is still true."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal


def rounded_up(value: float, digits: int) -> str:
    """An upper bound with this many significant digits, never below `value`.

    >>> rounded_up(0.123451, 5), rounded_up(53.85, 3), rounded_up(2, 3)
    ('0.12346', '53.9', '2')
    """
    return _rounded(value, digits, ROUND_CEILING)


def rounded_down(value: float, digits: int) -> str:
    """A lower bound with this many significant digits, never above `value`.

    >>> rounded_down(0.123459, 5), rounded_down(0.0, 3)
    ('0.12345', '0')
    """
    return _rounded(value, digits, ROUND_FLOOR)


def _rounded(value: float, digits: int, mode: str) -> str:
    found = Context(prec=digits, rounding=mode).create_decimal(Decimal(value))
    return f"{float(found):.{digits}g}"
