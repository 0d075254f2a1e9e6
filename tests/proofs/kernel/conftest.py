"""The compiled development, once for all kernel tests."""

from __future__ import annotations

import pytest

from majorant.proofs.kernel.coqc import MISSING, find_coqc
from majorant.proofs.kernel.development import Compiled, compile_development


@pytest.fixture(scope="session")
def development() -> Compiled:
    """The development in the user's cache; skipped where Coq is not installed."""
    if find_coqc() is None:
        pytest.skip(MISSING)
    return compile_development()
