"""Names that Coq accepts for symbols of SymPy."""

from __future__ import annotations

import re
from collections.abc import Iterable

import sympy as sp

# keywords, and names that the printed text itself uses with their global meaning
RESERVED = frozenset(
    """
    as at cofix do else end exists exists2 fix for forall fun if IF in let match mod nosimpl
    return Prop Set Type then using where with
    R S INR PI Rabs Rmax Rmin Rpower ln exp sqrt sin cos tan atan sinh cosh tanh nat
    sum_range prod_range count_above positive_power log_plus kl RInt
    Theorem Proof Qed list law mean dot norm
    """.split()  # noqa: SIM905 - a list of words reads better than a list of quotes
)



def identifier(name: str) -> str:
    r"""A Coq identifier for `name`; the same name always gives the same identifier.

    >>> identifier("kappa_1"), identifier("S"), identifier("C'"), identifier("1x")
    ('kappa_1', 'S_', "C'", 'x1x')
    """
    text = re.sub(r"[^A-Za-z0-9_']", "_", name)
    if not text or not re.match(r"[A-Za-z_]", text):
        text = "x" + text
    return text + "_" if text in RESERVED or text == "_" else text


class Names:
    """One identifier per SymPy object, distinct objects of one name kept apart by a number.

    >>> names = Names([sp.Symbol("x"), sp.Symbol("x", positive=True)])
    >>> sorted(names.table.values())
    ['x', 'x1']
    """

    def __init__(self, objects: Iterable[sp.Basic] = ()) -> None:
        self.table: dict[sp.Basic, str] = {}
        for item in objects:
            self.add(item)

    def add(self, item: sp.Basic) -> str:
        """The identifier of `item`, chosen at the first call."""
        if item not in self.table:
            label = item.label.name if isinstance(item, sp.IndexedBase) else str(item.name)
            base, taken = identifier(label), set(self.table.values())
            name, number = base, 0
            while name in taken:
                number += 1
                name = f"{base}{number}"
            self.table[item] = name
        return self.table[item]
