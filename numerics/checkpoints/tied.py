"""Which tensors of a checkpoint are one and the same under several names."""

import torch

from majorant.numerics.checkpoints.model import Tied
from majorant.numerics.checkpoints.store import Store


def tied_groups(store: Store) -> tuple[Tied, ...]:
    """Groups of matrices of equal dtype, shape and content, in the order of the file.

    A file format that copies shared memory does not say what was shared, so equality of all
    entries decides; constant tensors (zeros of a fresh adapter) are not taken for shared. A few
    entries are compared first, so that only real candidates are read in full.
    """
    candidates: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for name, entry in store.entries().items():
        if len(entry.shape) == 2 and entry.size > 1:
            candidates.setdefault((entry.dtype, entry.shape), []).append(name)
    groups: list[Tied] = []
    for names in candidates.values():
        if len(names) > 1:
            samples: dict[bytes, list[str]] = {}
            for name in names:
                samples.setdefault(store.sample(name), []).append(name)
            for alike in samples.values():
                groups += _equal(store, alike)
    return tuple(groups)


def _equal(store: Store, names: list[str]) -> list[Tied]:
    groups: list[Tied] = []
    rest = list(names)
    while len(rest) > 1:
        first = store.read(rest[0])
        if bool((first == first.flatten()[0]).all()):
            rest = rest[1:]
            continue
        same = [rest[0], *(n for n in rest[1:] if torch.equal(first, store.read(n)))]
        if len(same) > 1:
            groups.append(Tied(tuple(same)))
        rest = [name for name in rest if name not in same]
    return groups
