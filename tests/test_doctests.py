"""Every docstring's example runs as written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import majorant


def _modules() -> list[str]:
    found = pkgutil.walk_packages(majorant.__path__, "majorant.")
    return sorted(module.name for module in found if not module.name.endswith("__main__"))


def test_all_packages_are_seen() -> None:
    seen = {name.split(".")[1] for name in _modules()}
    assert {"derivation", "numerics", "proofs", "experiments", "cli"} <= seen


@pytest.mark.parametrize("name", _modules())
def test_doctest(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0, f"{name}: {result.failed} of {result.attempted} examples failed"
