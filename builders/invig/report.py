"""Lines for the user: how each source was read, and what became of all its dialogues."""

from collections import Counter

from benchwright.records import Change, Reject
from benchwright.rows import from_table
from benchwright.store import Manifest, read_table
from benchwright.workspace import Workspace
from builders.invig.gathering import SourceRead
from builders.invig.rows import Rows


def describe(rows: Rows, read: SourceRead) -> str:
    """Return one line that says how a source was read, and what it held."""
    tally = read.tally
    layouts = ", ".join(
        f"{name}{f' ({count})' if len(tally.layouts) > 1 else ''}"
        for name, count in sorted(tally.layouts.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    split = "" if rows.split is None else f"; split {rows.split}"
    refused = f", {tally.refused} of them unusable" if tally.refused else ""
    noun = f"{rows.noun[:-1]}ies" if rows.noun.endswith("y") else f"{rows.noun}s"
    return (
        f"read {rows.name}: {rows.format}; {layouts or 'no rows'}{split}; {tally.rows} {noun} with "
        f"{tally.dialogues} dialogues{refused}"
    )


def account(workspace: Workspace, manifest: Manifest) -> list[str]:
    """Return the lines that account for all pictures and dialogues of a finished catalog."""
    counts = manifest.counts
    kept, refused = (counts.get(f"dialogues{end}", 0) for end in ("", "_refused"))
    rejects = from_table(read_table(workspace.catalog, "rejects.parquet"), Reject)
    changes = from_table(read_table(workspace.catalog, "changes.parquet"), Change)
    return [
        f"pictures: {counts['rows']} = {counts['items']} kept + {counts['rejects']} refused",
        f"dialogues: {kept + refused} = {kept} kept + {refused} refused",
        *_by_reason(Counter(f"{one.kind}s refused: {one.reason}" for one in rejects)),
        *_by_reason(Counter(f"{one.kind}s changed: {one.reason}" for one in changes)),
    ]


def _by_reason(reasons: Counter[str]) -> list[str]:
    ordered = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    return [f"  {count:>7} {reason}" for reason, count in ordered]
