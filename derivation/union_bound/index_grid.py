"""U1 and U2: the price of a Schatten index chosen after training, and how fine its grid must be."""

from __future__ import annotations

import sympy as sp

from majorant.derivation.comparison.schatten_factor import schatten_contribution
from majorant.derivation.functions import LogPlus
from majorant.derivation.lemma import LEMMAS, Kind, Label, Lemma, Obligation, Source
from majorant.derivation.published.contribution import published_contribution
from majorant.derivation.symbols import C, K, N, delta, kappa, m_grid, p, price
from majorant.derivation.tags import PAID


def index_price(matrices: sp.Expr = K, resolution: sp.Expr = m_grid) -> sp.Expr:
    """`K log(2m + 1)`: one index per matrix from `{0, 1/m, ..., 2}`, in nats.

    >>> index_price(sp.Integer(2), sp.Integer(1))
    2*log(3)
    """
    return matrices * sp.log(2 * resolution + 1)


def index_loss(kappa: sp.Expr = kappa, C: sp.Expr = C, resolution: sp.Expr = m_grid) -> sp.Expr:
    """`exp(log+(C kappa)/(2m))`: what moving `p` up to the grid costs the Schatten contribution.

    >>> index_loss(sp.Integer(1), sp.Integer(1))
    1
    """
    return sp.exp(LogPlus(C * kappa) / (2 * resolution))


def published_index_loss(
    kappa: sp.Expr = kappa, C: sp.Expr = C, N: sp.Expr = N, resolution: sp.Expr = m_grid
) -> sp.Expr:
    """`exp((2 log+(C kappa) + log+ N)/(4m))`: the same for the published contribution.

    >>> published_index_loss(sp.Integer(1), sp.Integer(1), sp.Integer(1))
    1
    """
    return sp.exp((2 * LogPlus(C * kappa) + LogPlus(N)) / (4 * resolution))


_x, _y, _c, _k = (sp.Symbol(name, positive=True) for name in ("x", "y", "C", "kappa"))
_h = sp.Symbol("h", positive=True)
_S, _S_next = sp.Symbol("S", positive=True), sp.Symbol("S_next", positive=True)
_log_S, _log_C, _log_k, _log_N = sp.symbols("log_S log_C log_kappa log_N", real=True)


def _log_published(log_S: sp.Expr, p: sp.Expr) -> sp.Expr:
    return (log_S + p * _log_k + (p + 1) * _log_N) / (p + 2)


_moved = _log_published(_log_S + _h * _log_C, p + _h) - _log_published(_log_S, p)
_bracket = (p + 2) * _log_C - _log_S + 2 * _log_k + _log_N

UNION = LEMMAS.add(
    Lemma(
        id="U0",
        name="union_bound",
        title="A weighted union bound pays log(1/pi)",
        lhs=sp.log(1 / (sp.exp(-price) * delta)),
        relation="==",
        rhs=sp.log(1 / delta) + price,
        kind=Kind.ALGEBRA,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 3.1"),
        monotone={price: "increasing", delta: "decreasing"},
        provides=frozenset({PAID}),
        obligations=(
            Obligation(
                id="U0.price",
                statement=sp.Eq(
                    sp.log(1 / (sp.exp(-price) * delta)), sp.log(1 / delta) + price, evaluate=False
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    sp.log(1 / (sp.exp(-price) * delta)),
                    sp.Rational(99, 100) * (sp.log(1 / delta) + price),
                    evaluate=False,
                ),
            ),
        ),
        notes="Class j holds with probability 1 - pi_j delta, sum pi_j <= 1.",
    )
)

U1 = LEMMAS.add(
    Lemma(
        id="U1",
        name="index_price",
        title="Price of an index per matrix",
        lhs=price,
        relation="==",
        rhs=index_price(),
        kind=Kind.KERNEL,
        label=Label.TIGHT,
        source=Source("majorant", "docs/theory 3.1, U1"),
        monotone={K: "increasing", m_grid: "increasing"},
        provides=frozenset({PAID}),
        uses=("U0",),
        obligations=(
            Obligation(
                id="U1.weights_sum_to_one",
                statement=sp.Eq((2 * m_grid + 1) ** K * sp.exp(-index_price()), 1, evaluate=False),
                kind=Kind.KERNEL,
                coq="Prices.U1",
                mutant=sp.Eq(
                    (2 * m_grid + 1) ** K * sp.exp(-sp.Rational(99, 100) * index_price()),
                    1,
                    evaluate=False,
                ),
                note="uniform weights over (2m+1)^K choices",
            ),
        ),
    )
)

U2 = LEMMAS.add(
    Lemma(
        id="U2",
        name="index_grid_loss",
        title="Moving the index up to the grid",
        lhs=schatten_contribution(_S_next, _k, N, p + _h),
        relation="<=",
        rhs=schatten_contribution(_S, _k, N, p) * index_loss(_k, _c),
        kind=Kind.KERNEL,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory 3.1, U2"),
        hypotheses=(sp.Le(_S_next, _S * _c**_h), sp.Le(_h, 1 / m_grid)),
        monotone={m_grid: "decreasing"},
        obligations=(
            Obligation(
                id="U2.step",
                statement=sp.Le(
                    schatten_contribution(_S_next, _k, N, p + _h),
                    schatten_contribution(_S, _k, N, p) * index_loss(_k, _c),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Prices.U2",
                hypotheses=(sp.Le(_S_next, _S * _c**_h), sp.Le(_h, 1 / m_grid)),
            ),
            Obligation(
                id="U2.moment",
                statement=sp.Le(
                    _x ** (p + _h) + _y ** (p + _h), (_x**p + _y**p) * _c**_h, evaluate=False
                ),
                kind=Kind.KERNEL,
                coq="Prices.U2_moment",
                hypotheses=(sp.Le(_x, _c), sp.Le(_y, _c)),
                mutant=sp.Le(
                    _x ** (p + _h) + _y ** (p + _h),
                    sp.Rational(99, 100) * (_x**p + _y**p) * _c**_h,
                    evaluate=False,
                ),
                note="S_{p+h} <= C^h S_p, shown for two singular values; equality at x = y = C",
            ),
            Obligation(
                id="U2.schatten",
                statement=sp.Le(
                    schatten_contribution(_S * _c**_h, _k, N, p + _h),
                    schatten_contribution(_S, _k, N, p) * sp.exp(_h * LogPlus(_c * _k) / 2),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Prices.U2_schatten",
                mutant=sp.Le(
                    schatten_contribution(_S * _c**_h, _k, N, p + _h),
                    schatten_contribution(_S, _k, N, p)
                    * sp.exp(sp.Rational(99, 200) * _h * LogPlus(_c * _k)),
                    evaluate=False,
                ),
            ),
        ),
        notes="Moving p down is not safe: tiny singular values make the derivative at 0 unbounded.",
    )
)

U2_PUBLISHED = LEMMAS.add(
    Lemma(
        id="U2.published",
        name="published_index_grid_loss",
        title="Moving the index of the published contribution up to the grid",
        lhs=published_contribution(_S_next, _k, N, p + _h),
        relation="<=",
        rhs=published_contribution(_S, _k, N, p) * published_index_loss(_k, _c),
        kind=Kind.ALGEBRA,
        label=Label.UPPER,
        source=Source("majorant", "docs/theory 3.1, U2"),
        hypotheses=(
            sp.Le(_S_next, _S * _c**_h),
            sp.Ge(_S, _c**p),
            sp.Le(_h, 1 / m_grid),
        ),
        monotone={m_grid: "decreasing"},
        uses=("U2",),
        obligations=(
            Obligation(
                id="U2.published.step",
                statement=sp.Le(
                    published_contribution(_S_next, _k, N, p + _h),
                    published_contribution(_S, _k, N, p) * published_index_loss(_k, _c),
                    evaluate=False,
                ),
                kind=Kind.KERNEL,
                coq="Prices.U2_published",
                hypotheses=(
                    sp.Le(_S_next, _S * _c**_h),
                    sp.Ge(_S, _c**p),
                    sp.Le(_h, 1 / m_grid),
                    sp.Ge(N, 1, evaluate=False),
                ),
                note="log+ N is log N because widths are at least 1",
            ),
            Obligation(
                id="U2.published.difference",
                statement=sp.Eq(_moved, _h * _bracket / ((p + 2) * (p + _h + 2)), evaluate=False),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    _moved,
                    sp.Rational(99, 100) * _h * _bracket / ((p + 2) * (p + _h + 2)),
                    evaluate=False,
                ),
            ),
            Obligation(
                id="U2.published.bracket",
                statement=sp.Eq(
                    2 * (_log_C + _log_k) + _log_N - _bracket,
                    _log_S - p * _log_C,
                    evaluate=False,
                ),
                kind=Kind.ALGEBRA,
                mutant=sp.Eq(
                    2 * (_log_C + _log_k) + _log_N - _bracket,
                    sp.Rational(99, 100) * (_log_S - p * _log_C),
                    evaluate=False,
                ),
                note="not negative: S_p >= C^p because C is the largest singular value",
            ),
            Obligation(
                id="U2.published.denominator",
                statement=sp.Le(1 / ((p + 2) * (p + _h + 2)), sp.Rational(1, 4), evaluate=False),
                kind=Kind.KERNEL,
                coq="auto",
                mutant=sp.Le(1 / ((p + 2) * (p + _h + 2)), sp.Rational(99, 400), evaluate=False),
            ),
        ),
    )
)
