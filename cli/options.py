"""Options that several verbs share, with one wording."""

from __future__ import annotations

from typing import Annotated

import typer

Checkpoint = Annotated[str, typer.Argument(help="Folder, file, hub id, or demo.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Heads = Annotated[int | None, typer.Option(
    help="Attention heads, where the checkpoint has no configuration.")]
KvHeads = Annotated[int | None, typer.Option(
    help="Key-value heads, where the checkpoint has no configuration.")]
TrainTables = Annotated[bool, typer.Option(
    "--train-tables", help="The embedding tables were trained too: pay for them.")]
InputRadius = Annotated[float | None, typer.Option(
    help="Assumed norm of the rows that enter the first block (image patches).")]
Reference = Annotated[str | None, typer.Option(
    help="Base checkpoint: bound the fine-tune around it.")]
SeqLen = Annotated[int | None, typer.Option(help="Tokens in a sequence.")]
