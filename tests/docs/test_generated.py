"""Generated pages are those that the generators write, and links between pages resolve."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def generator(name: str) -> ModuleType:
    """A module of docs/generate, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / "generate" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_gallery_is_not_stale() -> None:
    pages = generator("gallery").pages()
    found = {path.name for path in (DOCS / "gallery").glob("*.md")}
    assert found == set(pages)
    stale = [name for name, text in pages.items()
             if (DOCS / "gallery" / name).read_text(encoding="utf-8") != text]
    assert not stale, f"run python docs/generate/gallery.py: {stale}"


@pytest.mark.parametrize(("name", "page"), [
    ("activations", "activations"), ("experiments", "experiments"),
    ("derivatives", "derivative-bounds"), ("pathwise", "one-trajectory")])
def test_page_is_not_stale(name: str, page: str) -> None:
    text = generator(name).page()
    assert (DOCS / f"{page}.md").read_text(encoding="utf-8") == text, (
        f"run python docs/generate/{name}.py")


def test_links_between_pages_resolve() -> None:
    broken = []
    for page in DOCS.rglob("*.md"):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"`[^`]*`", "", text)
        for target in re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", text):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(DOCS)}: {target}")
    assert not broken, "\n".join(broken)
