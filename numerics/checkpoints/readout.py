"""What is computed from the last block: pooling and linear maps, as far as the files tell."""

from typing import Any, Literal

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.assemble import Assembly
from majorant.numerics.checkpoints.layers import Dense
from majorant.numerics.checkpoints.model import Readout
from majorant.numerics.checkpoints.source import Source
from majorant.numerics.checkpoints.view import View

_LANGUAGE = ("LMHead", "CausalLM")


def ancestors(prefix: str) -> list[str]:
    """The prefix and what is left of it when its last words are dropped.

    >>> ancestors("module.bert.")
    ['module.bert.', 'module.', '']
    """
    words = prefix.split(".")[:-1]
    return [".".join(words[:k]) + "." if k else "" for k in range(len(words), -1, -1)]


def find_readout(
    assembly: Assembly, source: Source, config: dict[str, Any] | None, tokens: View | None
) -> tuple[Readout | None, tuple[str, ...]]:
    """The read-out and the assumptions made about it.

    A sentence-transformers folder says how it pools; otherwise the first head of the family's
    table whose tensors exist is taken; a language model that ties its head uses the token table.
    """
    modules = source.json("modules.json") if source.folder else None
    if isinstance(modules, list) and len(source.files) and assembly.prefix == "":
        return _sentence_transformers(modules, source)
    bases = ancestors(assembly.prefix)
    for head in assembly.family.heads:
        layers = [_dense(assembly, bases, stem, act) for stem, act in head.layers]
        if all(layer is not None for layer in layers):
            found = tuple(layer for layer in layers if layer is not None)
            for layer in found:
                assembly.used.add(layer.weight.name)
                if layer.bias_view is not None:
                    assembly.used.add(layer.bias_view.name)
            return Readout(head.pooling, found), ()
    listed = (config or {}).get("architectures") or []
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise UnusableInput(
            f"{assembly.where}: config.json has architectures = {listed!r}; expected a list of "
            "class names."
        )
    architectures = " ".join(listed)
    tied = (config or {}).get("tie_word_embeddings", True)
    if tokens is not None and tied and any(word in architectures for word in _LANGUAGE):
        head_matrix = View.whole(tokens.store, tokens.name, "out_in")
        return Readout("token", (Dense(head_matrix),)), ("the head is tied to the token table",)
    return None, ()


def _dense(assembly: Assembly, bases: list[str], stem: str, activation: str | None) -> Dense | None:
    entries = assembly.store.entries()
    for base in bases:
        weight = f"{base}{stem}.weight"
        # Heads are Linear layers also where the blocks are Conv1D.
        if weight in entries and len(entries[weight].shape) == 2:
            bias = f"{base}{stem}.bias"
            return Dense(
                View.whole(assembly.store, weight, "out_in"),
                View.whole(assembly.store, bias) if bias in entries else None,
                activation,
            )
    return None


def _sentence_transformers(
    modules: list[Any], source: Source
) -> tuple[Readout | None, tuple[str, ...]]:
    kinds = [str(module.get("type", "")).rsplit(".", 1)[-1] for module in modules]
    assumptions: list[str] = []
    pooling: Literal["first", "mean"] | None = None
    for module, kind in zip(modules, kinds, strict=True):
        if kind == "Pooling":
            settings = source.json(f"{module.get('path', '1_Pooling')}/config.json")
            chosen = settings if isinstance(settings, dict) else {}
            mean = chosen.get("pooling_mode_mean_tokens")
            first = chosen.get("pooling_mode_cls_token")
            mode = chosen.get("pooling_mode")
            if (mean and not first) or mode == "mean":
                pooling = "mean"
            elif (first and not mean) or mode == "cls":
                pooling = "first"
        elif kind == "Dense":
            assumptions.append("modules.json lists a Dense layer, which is not read")
    if pooling is None:
        return None, (*assumptions, "the pooling of modules.json is neither mean nor first token")
    return Readout(pooling, (), normalizes="Normalize" in kinds), tuple(assumptions)
