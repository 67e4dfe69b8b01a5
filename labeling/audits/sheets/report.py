"""What review-labels sheet prints."""

from collections.abc import Iterator, Sequence

from benchwright.next_step import workspace_text
from benchwright.plain_text import counted
from benchwright.workspace import Workspace
from labeling.audits.sheets.writing import Sheet
from labeling.audits.tasks.names import DISAGREEMENTS, AuditName, ThirdLook


def sheet_lines(
    sheets: Sequence[Sheet], workspace: Workspace, audit: AuditName | ThirdLook
) -> Iterator[str]:
    """Yield where the sheets are, and what to do with them."""
    for sheet in sheets:
        if not sheet.tasks:
            yield f"{sheet.auditor}: {_nothing(sheets, audit)}"
            continue
        yield f"{sheet.auditor}: {counted(sheet.tasks, 'task')}"
        for page in sheet.pages:
            size = page.path.stat().st_size / 2**20
            yield f"  {page.path}  tasks {page.first} to {page.last}, {size:.1f} MB"
        yield f"  {sheet.table}"
    if any(sheet.tasks for sheet in sheets):
        yield "judge in a browser and download the CSV, or fill in the CSV by hand; then:"
        yield f"next: review-labels sync --sheet FILE{workspace_text(workspace)}"


def _nothing(sheets: Sequence[Sheet], audit: AuditName | ThirdLook) -> str:
    if audit == DISAGREEMENTS and not any(sheet.tasks for sheet in sheets):
        return "judged all of these before or had a part in them; name another auditor"
    return "nothing is left to judge"
