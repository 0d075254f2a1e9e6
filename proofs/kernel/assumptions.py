"""`Print Assumptions`, parsed and compared with the list of axioms that may be used."""

from __future__ import annotations

import re

from majorant.proofs.kernel.result import KERNEL, KERNEL_PRIMITIVE

CLASSICAL_REALS = frozenset(
    {
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What the classical reals of the standard library bring."""

# primitive integers and floats, declared by the kernel itself; with the specification of floats
PRIMITIVE = re.compile(
    r"^(PrimInt63|Uint63|Sint63|PrimFloat|FloatAxioms|FloatOps|SpecFloat|PArray|Int63)\."
    r"|^(PrimInt63|PrimFloat)$"
)
_ENTRY = re.compile(r"^([A-Za-z_][\w.']*)\s*:")
_BARE_PRIMITIVES = frozenset({"float", "int"})


def parse_assumptions(output: str) -> tuple[str, ...]:
    """Names of the axioms in the output of `Print Assumptions`; empty if closed.

    >>> parse_assumptions("Closed under the global context")
    ()
    >>> parse_assumptions("Axioms:\\nClassical_Prop.classic : forall P : Prop, P \\\\/ ~ P\\n")
    ('Classical_Prop.classic',)
    """
    names: list[str] = []
    _, _, listed = output.partition("Axioms:")
    for line in listed.splitlines():
        found = _ENTRY.match(line)
        if found:
            names.append(found.group(1))
        elif re.match(r"^[A-Za-z_][\w.']*$", line.strip()) and not line.startswith(" "):
            names.append(line.strip())  # the type follows on the next line
    return tuple(dict.fromkeys(names))


def is_primitive(name: str) -> bool:
    """Whether `name` is one of Coq's declared primitives or their specification.

    >>> is_primitive("PrimInt63.add"), is_primitive("FloatAxioms.mul_spec"), is_primitive("magic")
    (True, True, False)
    """
    return bool(PRIMITIVE.match(name)) or name in _BARE_PRIMITIVES


def classify(names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The kind of truth, and the axioms that are not allowed (none if all is well).

    >>> classify(("Classical_Prop.classic",))
    ('kernel', ())
    >>> classify(("Bad.axiom",))[1]
    ('Bad.axiom',)
    """
    others = [name for name in names if name not in CLASSICAL_REALS]
    refused = tuple(name for name in others if not is_primitive(name))
    return (KERNEL_PRIMITIVE if others else KERNEL), refused
