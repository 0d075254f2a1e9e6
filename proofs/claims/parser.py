"""Claims from text: a precedence parser that builds SymPy trees and never evaluates Python.

    claim       := sum (relation sum)+          | sum "is" direction "in" name
    direction   := "increasing" | "decreasing" | "monotone"
    sum         := product (("+" | "-") product)*
    product     := unary (("*" | "/") unary)*
    unary       := ("-" | "+") unary | power
    power       := atom "!"* ("^" unary)?        (right associative, binds tighter than minus)
    atom        := number | name | name "(" sum ("," sum)* ")" | "(" sum ")"

A hypothesis list is separated by commas, `;` being no token; chains such as `0 < p <= 1` are
read as conjunctions, and `integer(n)` or `n integer` says that `n` is an integer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from majorant.proofs.claims import build
from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.conditions import Condition, power_condition
from majorant.proofs.claims.functions import (
    ALIASES,
    CONSTANTS,
    FUNCTIONS,
    MANY,
    supported_functions,
)
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.claims.syntax import ClaimSyntaxError, Token, tokenize

MAX_DEPTH = 60
MAX_NODES = 1500
MAX_SYMBOLS = 12
DIRECTIONS = ("increasing", "decreasing", "monotone")


@dataclass
class _Reader:
    """One pass over the tokens of one text."""

    text: str
    tokens: list[Token]
    position: int = 0
    depth: int = 0
    nodes: int = 0
    conditions: list[Condition] = field(default_factory=list)
    symbols: set[str] = field(default_factory=set)

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def fail(self, message: str, at: Token | None = None) -> ClaimSyntaxError:
        return ClaimSyntaxError(message, self.text, (at or self.token).column)

    def advance(self) -> Token:
        token = self.token
        self.position += 1
        return token

    def take(self, text: str) -> bool:
        if self.token.text == text and self.token.kind in ("operator", "relation"):
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.fail(f"expected {text!r}, found {self.token.text or 'the end'!r}")

    def excerpt(self, start: Token) -> str:
        return self.text[start.column : self.token.column].strip()

    def require(self, kind: str, expr: sympy.Expr, start: Token) -> None:
        self.conditions.append(Condition.of(kind, expr, self.excerpt(start)))

    def guarded(self, at: Token, make: build.TooLarge | None = None) -> ClaimSyntaxError:
        return self.fail(str(make), at)

    def count(self) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.fail(f"the claim has more than {MAX_NODES} operations")

    def sum(self) -> sympy.Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"the claim is nested deeper than {MAX_DEPTH} levels")
        value = self.product()
        while self.token.text in ("+", "-") and self.token.kind == "operator":
            self.count()
            minus = self.advance().text == "-"
            term = self.product()
            value = value - term if minus else value + term
        self.depth -= 1
        return value

    def product(self) -> sympy.Expr:
        start = self.token
        value = self.unary()
        while self.token.text in ("*", "/") and self.token.kind == "operator":
            self.count()
            operator = self.advance()
            factor = self.unary()
            if operator.text == "*":
                value = build.product(value, factor)
            else:
                if not (factor.is_Rational and factor != 0):
                    self.require("nonzero", factor, start)
                value = sympy.nan if factor == 0 else value / factor
        return value

    def unary(self) -> sympy.Expr:
        sign = 1
        while self.token.text in ("+", "-") and self.token.kind == "operator":
            self.count()
            sign = -sign if self.advance().text == "-" else sign
        value = self.power()
        return -value if sign < 0 else value

    def power(self) -> sympy.Expr:
        start = self.token
        base = self.atom()
        while self.take("!"):
            self.require("pole", base + 1, start)
            base = self.apply("factorial", [base], start)
        if not self.take("^"):
            return base
        self.count()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"the claim is nested deeper than {MAX_DEPTH} levels")
        exponent = self.unary()
        self.depth -= 1
        return self.raise_to(base, exponent, start)

    def raise_to(self, base: sympy.Expr, exponent: sympy.Expr, start: Token) -> sympy.Expr:
        condition = power_condition(base, exponent, self.excerpt(start))
        if condition is not None:
            self.conditions.append(condition)
        if base == 0 and exponent.is_negative:
            return sympy.nan
        try:
            return build.power(base, exponent)
        except build.TooLarge as error:
            raise self.fail(str(error), start) from None

    def atom(self) -> sympy.Expr:
        self.count()
        token = self.advance()
        if token.kind == "number":
            try:
                value = build.rational_literal(token.text)
            except build.TooLarge as error:
                raise self.fail(str(error), token) from None
            words = ("is", "and", "in", "integer")
            glued = self.token.kind in ("name", "number") and self.token.text not in words
            if glued or self.token.text == "(":
                raise self.fail("expected an operator here; write products with *")
            return value
        if token.kind == "name":
            return self.call(token) if self.token.text == "(" else self.name(token)
        if token.text == "(":
            value = self.sum()
            self.expect(")")
            return value
        self.position -= 1
        found = token.text or "the end of the claim"
        raise self.fail(f"expected a number, a name or '(', found {found!r}", token)

    def name(self, token: Token) -> sympy.Expr:
        if token.text in CONSTANTS:
            return CONSTANTS[token.text]
        if token.text in ("E", "I", "oo", "inf", "nan"):
            advice = "write e for Euler's number" if token.text == "E" else "it is no real number"
            raise self.fail(f"the name {token.text!r} is reserved ({advice})", token)
        if token.text in FUNCTIONS or token.text in ALIASES:
            raise self.fail(f"the function {token.text!r} needs its arguments in brackets", token)
        self.symbols.add(token.text)
        if len(self.symbols) > MAX_SYMBOLS:
            raise self.fail(f"more than {MAX_SYMBOLS} variables", token)
        return sympy.Symbol(token.text, real=True)

    def call(self, token: Token) -> sympy.Expr:
        name = ALIASES.get(token.text, token.text)
        if name not in FUNCTIONS:
            known = ", ".join(supported_functions())
            message = f"unknown function {token.text!r}; supported: {known}"
            raise self.fail(message, token)
        self.expect("(")
        arguments = [self.sum()]
        while self.take(","):
            arguments.append(self.sum())
        self.expect(")")
        row = FUNCTIONS[name]
        greatest = len(arguments) if row.greatest == MANY else row.greatest
        if not row.least <= len(arguments) <= greatest:
            message = f"{token.text} takes {row.least} argument(s), got {len(arguments)}"
            raise self.fail(message, token)
        if name == "pow":
            return self.raise_to(arguments[0], arguments[1], token)
        for kind, expr in row.conditions(*arguments):
            self.require(kind, expr, token)
        return self.apply(name, arguments, token)

    def apply(self, name: str, arguments: list[sympy.Expr], token: Token) -> sympy.Expr:
        try:
            value = build.call(name, arguments)
        except build.TooLarge as error:
            raise self.fail(str(error), token) from None
        except (TypeError, ValueError):
            return sympy.nan
        return sympy.nan if value.has(sympy.zoo, sympy.oo, -sympy.oo) else value

    def relations(self) -> list[Hypothesis]:
        """`sum (relation sum)+`, as one hypothesis per link of the chain."""
        left = self.sum()
        links: list[Hypothesis] = []
        while self.token.kind == "relation":
            relation = self.advance().text
            right = self.sum()
            links.append(Hypothesis(left, relation, right))
            left = right
        if not links:
            raise self.fail("expected a relation: <, <=, =, >= or >")
        return links


def _reader(text: str) -> _Reader:
    return _Reader(text, tokenize(text))


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


def _hypothesis(reader: _Reader) -> list[Hypothesis]:
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
    return reader.relations()


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


def _direction(reader: _Reader) -> tuple[str, sympy.Expr]:
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
