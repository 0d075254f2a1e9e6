"""The user's cache: never inside the installed package, keyed by content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs


def cache_root() -> Path:
    """`$MAJORANT_CACHE` if it is set, otherwise the platform's cache folder for `majorant`."""
    override = os.environ.get("MAJORANT_CACHE")
    return Path(override) if override else Path(platformdirs.user_cache_dir("majorant"))


def digest(parts: Iterable[str]) -> str:
    """A key for a sequence of texts; where one ends and the next begins counts.

    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode()
        sha.update(len(data).to_bytes(8, "big") + data)
    return sha.hexdigest()[:32]
