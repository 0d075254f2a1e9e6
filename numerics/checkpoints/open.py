"""`open_model`: from a source to a described, unread model."""

import re
from pathlib import Path
from typing import Any

from majorant.derivation.errors import UnusableInput
from majorant.numerics.checkpoints.adapter import AdapterStore
from majorant.numerics.checkpoints.alike import require_alike
from majorant.numerics.checkpoints.assemble import Assembly, block, dimensions, embedding
from majorant.numerics.checkpoints.declared import declared_readout, read_declared
from majorant.numerics.checkpoints.facts import read_facts, refuse_quantized
from majorant.numerics.checkpoints.model import Model, Skipped, Tied
from majorant.numerics.checkpoints.pickled_store import PickledStore
from majorant.numerics.checkpoints.readout import ancestors, find_readout
from majorant.numerics.checkpoints.recognize import recognize
from majorant.numerics.checkpoints.safetensors_store import SafetensorsStore
from majorant.numerics.checkpoints.shards import require_indexed
from majorant.numerics.checkpoints.source import Source, resolve
from majorant.numerics.checkpoints.store import Store
from majorant.numerics.checkpoints.tied import tied_groups


def open_store(source: Source) -> Store:
    """The tensors of a checkpoint source, unread."""
    if source.kind in ("safetensors", "pickled"):
        kind = SafetensorsStore if source.kind == "safetensors" else PickledStore
        store: Store = kind(source.files)
        require_indexed(source.folder, source.files, store.entries())
        return store
    remedy = (" An adapter is read over its base model: `majorant evaluate`, `certify` and "
              "`measure` take --reference BASE. For spectra, merge it into its base first.")
    what = "an adapter" if source.kind == "adapter" else "a table of spectra"
    raise UnusableInput(
        f"{source.label}: is {what}, expected a checkpoint with all weights."
        + (remedy if source.kind == "adapter" else "")
    )


def open_model(
    source: str | Path | Source,
    *,
    heads: int | None = None,
    kv_heads: int | None = None,
    reference: Model | None = None,
) -> Model:
    """Describe a checkpoint without reading its weights; see `Model`.

    `heads` and `kv_heads` are needed only for a file without `config.json`; `reference` is the
    base model, needed only for a LoRA adapter: the result is then the adapted model. Raises
    `UnusableInput` for an unknown architecture (with the names seen), missing blocks or tensors,
    shapes that contradict the configuration, quantized or damaged files.

    >>> model = open_model("demo")
    >>> model.family, model.dimensions.layers, model.dimensions.width, model.dimensions.heads
    ('bert', 6, 384, 12)
    >>> model.blocks[0].attention.query(3).shape
    torch.Size([384, 32])
    """
    found = source if isinstance(source, Source) else resolve(source)
    if found.kind == "adapter" and reference is not None:
        base = reference.source.json("config.json")
        return describe(
            found,
            AdapterStore(found, reference.store),
            base if isinstance(base, dict) else None,
            heads=reference.dimensions.heads,
            kv_heads=reference.dimensions.kv_heads,
            beside=reference.source,
        )
    config = found.json("config.json")
    if config is not None and not isinstance(config, dict):
        raise UnusableInput(f"{found.label}: config.json is not a JSON object.")
    if config is not None:
        refuse_quantized(config, found.label)
    return describe(found, open_store(found), config, heads=heads, kv_heads=kv_heads)


def describe(
    source: Source,
    store: Store,
    config: dict[str, Any] | None,
    *,
    heads: int | None = None,
    kv_heads: int | None = None,
    beside: Source | None = None,
) -> Model:
    """As `open_model`, for a store and a configuration that are already there.

    `beside` is the source whose other files (how it pools) describe the model; usually `source`.
    """
    where = source.label
    entries = store.entries()
    if not entries:
        raise UnusableInput(f"{where}: holds no tensor.")
    model_type = None if config is None else config.get("model_type")
    recognized = recognize(entries, model_type, where)
    family = recognized.family
    facts = read_facts(family, config, where)
    assembly = Assembly(store, family, recognized.prefix, where)
    dims = dimensions(assembly, facts, recognized.layers, heads, kv_heads)
    blocks = tuple(block(assembly, dims, facts, config, i) for i in range(dims.layers))
    require_alike(blocks, [assembly.block_base(i) for i in range(dims.layers)], where)
    tables = embedding(assembly, dims, facts)
    final = assembly.norm(assembly.prefix, family.final_norm, dims.width, facts.eps)
    declared = read_declared(source)
    readout, notes = (
        find_readout(assembly, beside or source, config, tables.tokens)
        if declared is None
        else (declared_readout(assembly, declared), ())
    )
    tied = tied_groups(store)
    return Model(
        source=source,
        store=store,
        family=family.name,
        model_type=model_type or family.name,
        prefix=recognized.prefix,
        placement=family.placement,
        dimensions=dims,
        embedding=tables,
        blocks=blocks,
        final_norm=final,
        readout=readout,
        skipped=_skipped(assembly, tied),
        tied=tied,
        assumptions=facts.assumptions + notes,
    )


def _skipped(assembly: Assembly, tied: tuple[Tied, ...]) -> tuple[Skipped, ...]:
    family, bases = assembly.family, ancestors(assembly.prefix)
    inside = re.compile(
        re.escape(assembly.prefix) + re.escape(family.block).replace(r"\{layer\}", r"\d+") + ".*"
    )
    twin = {name: group.names for group in tied for name in group.names}
    skipped = []
    for name, entry in assembly.store.entries().items():
        if name in assembly.used:
            continue
        base = next(base for base in bases if name.startswith(base))
        relative = name[len(base) :]
        known = next((why for rule, why in family.ignored if re.search(rule, relative)), None)
        partner = next((n for n in twin.get(name, ()) if n in assembly.used), None)
        if known is None and partner is not None:
            known = f"the same tensor as {partner}, counted once"
        reason = known or f"no role in the {family.name} table"
        skipped.append(
            Skipped(name, entry.shape, reason, known is None and bool(inside.fullmatch(name)))
        )
    return tuple(skipped)
