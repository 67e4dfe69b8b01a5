"""What falsify prints: how many false descriptions, what came to nothing and why, what is next."""

from collections.abc import Iterator

from benchwright import store
from benchwright.next_step import workspace_text
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.report import reason_lines
from labeling.dialogues.false_premise.falsifying.draft import draft_id
from labeling.dialogues.false_premise.falsifying.falsified import COMMAND, read_falsified


def falsify_lines(
    manifest: store.Manifest, workspace: Workspace, *, was_there: bool
) -> Iterator[str]:
    """Yield the lines about a falsified stage; the last one is what to run next."""
    counts = manifest.counts
    if was_there:
        yield "nothing to do: these descriptions were falsified by these voters (--force redoes it)"
    yield (
        f"{counts['falsified']:,} false descriptions of {counts['dialogues']:,} dialogues; answers"
        f" sent back: {counts['faults']:,}, of which true of the picture by sight:"
        f" {counts['affirmed']:,}"
    )
    rows = [row for row in read_falsified(workspace) if row.false_description is None]
    named = [(row, (draft_id(row.dialogue_id, row.variant), row.faults)) for row in rows]
    yield from reason_lines(
        [name for row, name in named if not row.is_failed], "given up after the last attempt"
    )
    yield from reason_lines([name for row, name in named if row.is_failed], "not answered")
    if counts["failed"]:
        command, what = COMMAND, " (the same command again; what was answered is kept)"
    else:
        command, what = "build-dialogues false-premise check", ""
    yield f"next: {command} --voters FILE{workspace_text(workspace)}{what}"
