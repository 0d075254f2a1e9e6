"""Claims from text: a precedence parser that builds SymPy trees and never evaluates Python.

    claim       := sum (relation sum)+          | sum "is" direction "in" name
    direction   := "increasing" | "decreasing" | "monotone"

(`reader` has the grammar of sums.) A hypothesis list is separated by commas, `;` being no token;
chains such as `0 < p <= 1` are read as conjunctions, `x in [0, 1)` as a chain, and `integer(n)` or
`n integer` says that `n` is an integer. A chain as a claim (`0 <= f <= 1`) is one claim for each
link, see `parse_claims`.
"""

from __future__ import annotations

import sympy

from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.conditions import Condition
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.claims.reader import Reader
from majorant.proofs.claims.syntax import tokenize

DIRECTIONS = ("increasing", "decreasing", "monotone")


def _reader(text: str) -> Reader:
    return Reader(text, tokenize(text))


def parse_expression(text: str) -> tuple[sympy.Expr, tuple[Condition, ...]]:
    """An expression and the conditions under which its text is defined.

    >>> parse_expression("x/x")
    (1, (Condition(alternatives=((('nonzero', x),),), subject='x/x'),))
    """
    reader = _reader(text)
    value = reader.sum()
    if reader.token.kind != "end":
        raise reader.fail(f"unexpected {reader.token.text!r}")
    return value, tuple(reader.conditions)


def parse_hypotheses(text: str) -> tuple[tuple[Hypothesis, ...], tuple[Condition, ...]]:
    """A comma-separated list of relations (the words `and` and `n integer` are understood).

    >>> [str(h) for h in parse_hypotheses("0 < p <= 1, integer(n)")[0]]
    ['0 < p', 'p <= 1', 'integer(n)']
    """
    reader = _reader(text)
    found: list[Hypothesis] = []
    while reader.token.kind != "end":
        found.extend(_hypothesis(reader))
        if reader.token.kind == "end":
            break
        if not reader.take(","):
            if reader.token.text != "and":
                raise reader.fail("expected ',' between hypotheses")
            reader.advance()
        if reader.token.kind == "end":
            raise reader.fail("expected a hypothesis after ','")
    return tuple(found), tuple(reader.conditions)


def _hypothesis(reader: Reader) -> list[Hypothesis]:
    following = reader.tokens[reader.position + 1 :]
    if reader.token.text == "integer" and len(following) > 2 and following[0].text == "(":
        reader.advance()
        variable = reader.name(following[1])
        reader.position += 2
        reader.expect(")")
        return [Hypothesis(variable, "integer")]
    if following and following[0].text == "integer" and reader.token.kind == "name":
        variable = reader.name(reader.advance())
        reader.advance()
        return [Hypothesis(variable, "integer")]
    if following and following[0].text == "in" and reader.token.kind == "name":
        return _membership(reader)
    return reader.relations()


def _membership(reader: Reader) -> list[Hypothesis]:
    """`x in [a, b)`: round brackets exclude an end, square ones include it."""
    variable = reader.name(reader.advance())
    reader.advance()
    opening = reader.token
    reader.expect("(")
    low = reader.sum()
    reader.expect(",")
    high = reader.sum()
    closing = reader.token
    reader.expect(")")
    brackets = [reader.text[token.column] for token in (opening, closing)]
    return [
        Hypothesis(low, "<=" if brackets[0] == "[" else "<", variable),
        Hypothesis(variable, "<=" if brackets[1] == "]" else "<", high),
    ]


def parse_claims(text: str, given: str | list[str] = "") -> tuple[Claim, ...]:
    """The claims that a text makes: a chain or `and` makes one for each of its relations.

    >>> [str(c) for c in parse_claims("0 <= x*(1-x) <= 1/4", "x in [0, 1]")]
    ['0 <= x*(1 - x) given 0 <= x, x <= 1', 'x*(1 - x) <= 1/4 given 0 <= x, x <= 1']
    """
    reader = _reader(text)
    links = _links(reader) if "is" not in {t.text for t in reader.tokens} else []
    if len(links) < 2:
        return (parse_claim(text, given),)
    hypotheses, more = _given(given)
    return tuple(
        Claim(
            link.left,
            link.relation,
            link.right,
            hypotheses,
            tuple(reader.conditions),
            more,
            text=text,
        )
        for link in links
    )


def _links(reader: Reader) -> list[Hypothesis]:
    links = reader.relations()
    while reader.token.text == "and":
        reader.advance()
        links += reader.relations()
    if reader.token.kind != "end":
        raise reader.fail(f"unexpected {reader.token.text!r}")
    return links


def parse_claim(text: str, given: str | list[str] = "") -> Claim:
    """A claim from its text and its hypotheses.

    Raises `ClaimSyntaxError`, which points at the character.

    >>> print(parse_claim("log(1 + x) <= x", "x > -1"))
    log(x + 1) <= x given x > -1
    >>> print(parse_claim("x^3 is increasing in x"))
    x**3 is increasing in x
    """
    reader = _reader(text)
    start = reader.token
    left = reader.sum()
    if reader.token.text == "is":
        direction, variable = _direction(reader)
        hypotheses, more = _given(given)
        return Claim(
            left, direction, variable, hypotheses, tuple(reader.conditions), more, text=text
        )
    reader = _reader(text)
    links = reader.relations()
    if reader.token.kind != "end":
        raise reader.fail(f"unexpected {reader.token.text!r}")
    if len(links) > 1:
        raise reader.fail("one relation at a time; put the others into the hypotheses", start)
    hypotheses, more = _given(given)
    return Claim(
        links[0].left,
        links[0].relation,
        links[0].right,
        hypotheses,
        tuple(reader.conditions),
        more,
        text=text,
    )


def _direction(reader: Reader) -> tuple[str, sympy.Expr]:
    reader.advance()
    word = reader.advance()
    if word.text not in DIRECTIONS:
        raise reader.fail(f"expected one of {', '.join(DIRECTIONS)}", word)
    if reader.token.text != "in":
        raise reader.fail("expected 'in' and a variable")
    reader.advance()
    variable = reader.advance()
    if variable.kind != "name" or reader.token.kind != "end":
        raise reader.fail("expected the name of one variable", variable)
    return word.text, sympy.Symbol(variable.text, real=True)


def _given(given: str | list[str]) -> tuple[tuple[Hypothesis, ...], tuple[Condition, ...]]:
    if isinstance(given, str):
        return parse_hypotheses(given) if given.strip() else ((), ())
    hypotheses: list[Hypothesis] = []
    conditions: list[Condition] = []
    for item in given:
        found, needed = _given(item)
        hypotheses.extend(found)
        conditions.extend(needed)
    return tuple(hypotheses), tuple(conditions)
