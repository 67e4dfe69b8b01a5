"""The command review-labels sync."""

from pathlib import Path

import click

from benchwright.commands import say, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


@click.command("sync")
@click.option(
    "--sheet",
    "sheets",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Take in this CSV that was filled in, and no database; may be given again.",
)
@click.option("--auditor", metavar="NAME", help="Who filled in sheets that do not say.")
@workspace_option
def sync_command(sheets: tuple[Path, ...], auditor: str | None, workspace: Workspace) -> int:
    """Take in what auditors decided, and decide labels and dialogues anew.

    Decisions are added to audits/decisions.jsonl and are never lost. Where two auditors differ, a
    third look decides. Run it as often as you like: what is in already is not taken in again.
    """
    if auditor is not None and not sheets:
        raise UsageError("--auditor names who filled in a sheet: name it with --sheet FILE")
    from labeling.audits.syncing.report import sync_lines  # noqa: PLC0415  # imports pyarrow
    from labeling.audits.syncing.sync import sync  # noqa: PLC0415

    synced = sync(workspace, sheets, auditor=auditor)
    for line in sync_lines(synced, workspace):
        say(line)
    return 1 if synced.labels is not None and synced.labels.stuck else 0
