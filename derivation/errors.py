"""Errors that a user can cause; each message names the thing, what was expected and what to do."""


class MajorantError(ValueError):
    """Base of every error that is the input's fault and not ours.

    >>> raise MajorantError("p: expected 0 <= p <= 2, got 3")
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.MajorantError: p: expected 0 <= p <= 2, got 3
    """


class UnusableInput(MajorantError):
    """A file, tensor or number cannot be used; the message names it and what was expected."""


class NoBound(UnusableInput):
    """The model can be read, but the bounds that were asked for are not defined for it."""


class HypothesisMismatch(MajorantError):
    """Two lemmas were composed although the second needs what the first does not give."""


class UnsupportedExpression(MajorantError):
    """An expression contains a node that an evaluator or parser does not know."""
