"""Tokens of the claim language, and the error that points at a character.

Claims come from strangers. The text is cut into numbers, names and punctuation by one regular
expression and goes nowhere near Python's own parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from majorant.derivation.errors import MajorantError

MAX_LENGTH = 4000
MAX_DIGITS = 1200

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<name>[A-Za-z_\u0370-\u03ff][A-Za-z0-9_\u0370-\u03ff]*)
      | (?P<relation><=|>=|==|!=|<|>|=|\u2264|\u2265)
      | (?P<operator>\*\*|[-+*/^()\[\],!\u00b7\u2212])
    """,
    re.VERBOSE,
)

_SAME = {
    "==": "=",
    "\u2264": "<=",
    "\u2265": ">=",
    "**": "^",
    "\u00b7": "*",
    "\u2212": "-",
    "[": "(",
    "]": ")",
}


_ADVICE = {
    "|": "; write abs(x) for |x|",
    ";": "; separate hypotheses by commas",
    ":": "; free symbols are real, hypotheses go to --given",
    "%": "; write x/100",
    "\\": "; write sqrt(x), pi, log(x) without backslashes",
    "\u2200": "; free symbols are quantified without a sign",
}


class ClaimSyntaxError(MajorantError):
    """The text of a claim cannot be read; carries the text and the column of the fault.

    >>> str(ClaimSyntaxError("unexpected ')'", "1 + )", 4)).splitlines()[-1]
    '      ^'
    """

    def __init__(self, message: str, text: str, column: int) -> None:
        self.message, self.text, self.column = message, text, column
        start = max(0, column - 60)
        shown = text[start : column + 60].replace("\n", " ").replace("\t", " ")
        caret = " " * (column - start + 2) + "^"
        super().__init__(f"{message} (character {column + 1})\n  {shown}\n{caret}")


@dataclass(frozen=True)
class Token:
    """One token: its kind (`number`, `name`, `relation`, `operator`, `end`), text and column."""

    kind: str
    text: str
    column: int


def tokenize(text: str) -> list[Token]:
    """Cut a claim into tokens; the last one has the kind `end`.

    Raises `ClaimSyntaxError` at the first character that belongs to no token, and for text
    longer than `MAX_LENGTH`.

    >>> [t.text for t in tokenize("2x <= y**2")]
    ['2', 'x', '<=', 'y', '^', '2', '']
    """
    if len(text) > MAX_LENGTH:
        message = f"the claim has {len(text)} characters, at most {MAX_LENGTH} are read"
        raise ClaimSyntaxError(message, text[:200], 0)
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            advice = _ADVICE.get(text[position], "")
            raise ClaimSyntaxError(
                f"the character {text[position]!r} is not part of the claim language{advice}",
                text,
                position,
            )
        kind = str(match.lastgroup)
        if kind != "space":
            raw = match.group()
            if kind == "number" and len(raw) > MAX_DIGITS:
                message = f"a literal may have at most {MAX_DIGITS} characters"
                raise ClaimSyntaxError(message, text, position)
            tokens.append(Token(kind, _SAME.get(raw, raw), position))
        position = match.end()
    tokens.append(Token("end", "", len(text)))
    return tokens
