"""What describe prints: how many targets, what was not described and why, what comes next."""

from collections.abc import Iterator, Sequence

from benchwright import store
from benchwright.next_step import workspace_text
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import COMMAND, read_described

MOST_NAMED = 5  # dialogues whose reasons are printed
_LONGEST_REASON = 300


def describe_lines(
    manifest: store.Manifest, workspace: Workspace, *, was_there: bool
) -> Iterator[str]:
    """Yield the lines about a described stage; the last one is what to run next."""
    counts = manifest.counts
    if was_there:
        yield "nothing to do: these targets were described by these voters (--force redoes it)"
    yield (
        f"{counts['described']:,} of {counts['dialogues']:,} dialogues described"
        f" ({counts['targets']:,} targets); answers sent back: {counts['faults']:,}"
    )
    rows = [row for row in read_described(workspace) if row.true_description is None]
    yield from reason_lines(
        [(row.dialogue_id, row.faults) for row in rows if not row.is_failed],
        "given up after the last attempt",
    )
    yield from reason_lines(
        [(row.dialogue_id, row.faults) for row in rows if row.is_failed], "not answered"
    )
    again, voters = bool(counts["failed"]), " --voters FILE"
    command = f"{COMMAND}{voters}" if again else "build-dialogues false-premise falsify" + voters
    what = " (the same command again; what was answered is kept)" if again else ""
    yield f"next: {command}{workspace_text(workspace)}{what}"


def reason_lines(rows: Sequence[tuple[str, Sequence[str]]], what: str) -> Iterator[str]:
    """Yield how many rows came to nothing, and of the first few the last reason of each."""
    if not rows:
        return
    yield f"  {what}: {len(rows):,}"
    for name, reasons in rows[:MOST_NAMED]:
        said = excerpt(reasons[-1], _LONGEST_REASON) if reasons else "no reason given"
        yield f"    {name}: {said}"
    if len(rows) > MOST_NAMED:
        yield f"    and {len(rows) - MOST_NAMED:,} more"
