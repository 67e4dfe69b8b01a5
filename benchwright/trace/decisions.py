"""What people decided of a picture's labels, or of a record."""

from dataclasses import asdict

from benchwright.decisions.journal import journal_path
from benchwright.plain_text import counted, excerpt
from benchwright.trace.shelves import Shelves
from benchwright.trace.way import Node, Way

_LINES = 8  # decisions that are shown


def add_decisions(
    way: Way,
    shelves: Shelves,
    after: str,
    *,
    image_id: str | None = None,
    record_ids: frozenset[str] = frozenset(),
) -> None:
    """Add the decisions about a picture or some records, those withdrawn too; none: nothing."""
    decided = [
        one
        for one in shelves.journal()
        if (image_id is not None and one.image_id == image_id) or one.record_id in record_ids
    ]
    if not decided:
        return
    lines = [
        f"{excerpt(one.auditor)} {one.verdict} {excerpt(one.field)}"
        + (f" of {one.record_id}" if len(record_ids) > 1 else "")
        + (f": {excerpt(one.after, 40)}" if one.after is not None else "")
        for one in decided
    ]
    more = [f"and {len(lines) - _LINES:,} more"] if len(lines) > _LINES else []
    auditors = len({one.auditor for one in decided})
    subject = image_id or min(record_ids)
    way.add(
        Node(
            key=f"decisions:{subject}",
            step="decisions",
            says=(
                f"{counted(len(decided), 'decision')} by {counted(auditors, 'auditor')}",
                *lines[:_LINES],
                *more,
            ),
            facts={"decisions": [asdict(one) for one in decided]},
            files={shelves.workspace.relative(journal_path(shelves.workspace)): "unrecorded"},
        ),
        after,
    )
