"""One result is found without loading all the others, and nothing of it is missing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from majorant.derivation import shipped

SCRIPT = """
import json, sys
from majorant.derivation import shipped
item = shipped.find(sys.argv[1])
print(json.dumps([shipped.as_text(item), shipped.as_json(item), sorted(sys.modules)]))
"""


@pytest.mark.parametrize(("name", "unused"), [
    ("C3", "majorant.derivation.pathwise.lattice"),
    ("G1", "majorant.derivation.theorems.catalogue"),
    ("occam", "majorant.derivation.blocks.layer_derivatives"), ("kappa-QK", "torch"),
])
def test_a_result_found_alone_is_the_same(name: str, unused: str) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, name], capture_output=True, text=True,
                          check=True, timeout=300)
    text, data, modules = json.loads(done.stdout)
    item = shipped.find(name)
    shipped.load()
    assert text == shipped.as_text(item)
    assert data == json.loads(json.dumps(shipped.as_json(item)))
    assert unused not in modules


def test_every_result_is_reached_by_its_names() -> None:
    shipped.load()
    for item in (*shipped.shipped_bounds(), *shipped.shipped_lemmas()):
        assert shipped.find(item.id) is item
        assert shipped.find(item.name) is item or item.name in shipped.shipped_bounds()
