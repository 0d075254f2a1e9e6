"""Snippets of text that any Debian or Python machine holds: Python, C headers, manual pages.

The pool is fixed before anything is seen: files in sorted order, three consecutive lines a snippet,
exact duplicates removed (a text that occurs in two classes leaves both), a uniform sample of equal
size per class, and one uniform random split. The guarantee that the experiment certifies is about
this pool.
"""

from __future__ import annotations

import gzip
import random
import re
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from majorant.derivation.errors import UnusableInput

LINES = 3
LEAST_CHARACTERS, MOST_CHARACTERS = 24, 400
PER_FILE = 40
_ROFF_ESCAPE = re.compile(r"\\(?:f[BIRPCW0-9]|f\(..|\((?:..)|\[[^\]]*\]|&|s[+-]?\d|[-|,^ e])")


@dataclass(frozen=True)
class Pool:
    """Texts with labels, and the split: `train` and `test` are index lists into `texts`."""

    classes: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[int, ...]
    train: tuple[int, ...]
    test: tuple[int, ...]


def _python_files() -> list[Path]:
    places = {Path(sysconfig.get_paths()[key]) for key in ("stdlib", "purelib")}
    return [path for place in sorted(places) for path in sorted(place.rglob("*.py"))]


def _c_files() -> list[Path]:
    places = [Path("/usr/include"), Path(sysconfig.get_paths()["purelib"])]
    return [path for place in places if place.is_dir()
            for path in sorted([*place.rglob("*.h"), *place.rglob("*.c")])]


def _manual_files() -> list[Path]:
    place = Path("/usr/share/man")
    return sorted(place.glob("man*/*.gz")) if place.is_dir() else []


SOURCES = {"python": _python_files, "c": _c_files, "manual": _manual_files}


def _lines(path: Path) -> list[str]:
    if path.suffix != ".gz":
        text = path.read_text(encoding="utf-8", errors="ignore")
        return [line.strip() for line in text.splitlines() if line.strip()]
    with gzip.open(path, "rt", encoding="utf-8", errors="ignore") as stream:
        raw = stream.read()
    kept = [line for line in raw.splitlines() if line.strip() and line[0] not in ".'"]
    return [stripped for line in kept if (stripped := _ROFF_ESCAPE.sub("", line).strip())]


def snippets(path: Path, rng: random.Random) -> Iterator[str]:
    """Non-overlapping three-line snippets of a file, at most 40, chosen uniformly."""
    try:
        lines = _lines(path)
    except (OSError, EOFError):
        return
    starts = list(range(0, len(lines) - LINES + 1, LINES))
    for start in sorted(rng.sample(starts, min(PER_FILE, len(starts)))):
        text = "\n".join(lines[start:start + LINES])
        if LEAST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
            yield text


def build_pool(classes: Sequence[str], per_class: int, test_share: float, seed: int) -> Pool:
    """The deduplicated pool with `per_class` snippets of each class, split uniformly.

    Raises `UnusableInput` for an unknown class, or when a class has too few snippets here.

    >>> pool = build_pool(["python"], per_class=8, test_share=0.25, seed=0)
    >>> len(pool.texts), len(pool.train), len(pool.test), len(set(pool.texts))
    (8, 6, 2, 8)
    """
    unknown = [name for name in classes if name not in SOURCES]
    if unknown:
        raise UnusableInput(f"classes {unknown}: not known; choose from {', '.join(SOURCES)}")
    rng = random.Random(seed)
    found: dict[str, set[str]] = {}
    for name in classes:
        files = SOURCES[name]()
        rng.shuffle(files)
        bag: set[str] = set()
        # Four times what is needed, so that the sample is spread over many files.
        for path in files:
            bag.update(snippets(path, rng))
            if len(bag) >= 4 * per_class:
                break
        found[name] = bag
    texts: list[str] = []
    labels: list[int] = []
    for label, name in enumerate(classes):
        others = set().union(*(bag for other, bag in found.items() if other != name))
        own = sorted(found[name] - others)
        if len(own) < per_class:
            raise UnusableInput(
                f"class {name!r}: this machine has {len(own)} distinct snippets, {per_class} are "
                "needed; lower --per-class or choose other classes")
        texts += rng.sample(own, per_class)
        labels += [label] * per_class
    order = list(range(len(texts)))
    rng.shuffle(order)
    cut = len(order) - round(test_share * len(order))
    return Pool(tuple(classes), tuple(texts), tuple(labels), tuple(order[:cut]),
                tuple(order[cut:]))
