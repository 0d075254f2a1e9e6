"""The recursive descent over the tokens of one text, with the side conditions it meets.

    sum         := product (("+" | "-") product)*
    product     := unary (("*" | "/") unary)*
    unary       := ("-" | "+") unary | power
    power       := atom "!"* ("^" unary)?        (right associative, binds tighter than minus)
    atom        := number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

import sympy

from majorant.proofs.claims import build
from majorant.proofs.claims.conditions import Condition, power_condition
from majorant.proofs.claims.functions import (
    ALIASES,
    CONSTANTS,
    FUNCTIONS,
    MANY,
    supported_functions,
)
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.claims.syntax import ClaimSyntaxError, Token

MAX_DEPTH = 60
MAX_NODES = 1500
MAX_SYMBOLS = 12


@dataclass
class Reader:
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
            found = repr(self.token.text) if self.token.text else "the end"
            raise self.fail(f"expected {text!r}, found {found}")

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
        found = repr(token.text) if token.text else "the end"
        raise self.fail(f"expected a number, a name or '(', found {found}", token)

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
            near = difflib.get_close_matches(token.text, supported_functions(), 1)
            guess = f" (did you mean {near[0]}?)" if near else ""
            known = ", ".join(supported_functions())
            message = f"unknown function {token.text!r}{guess}; supported: {known}"
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
