"""What review-labels sheet prints."""

from collections.abc import Iterator, Sequence

from labeling.audits.sheets.writing import Sheet


def sheet_lines(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield where the sheets are, and what to do with them."""
    for sheet in sheets:
        if not sheet.tasks:
            yield f"{sheet.auditor}: nothing is left to judge"
            continue
        yield f"{sheet.auditor}: {sheet.tasks} tasks"
        for page in sheet.pages:
            size = page.path.stat().st_size / 2**20
            yield f"  {page.path}  tasks {page.first} to {page.last}, {size:.1f} MB"
        yield f"  {sheet.table}"
    if any(sheet.tasks for sheet in sheets):
        yield "judge in a browser and download the CSV, or fill in the CSV by hand; then:"
        yield "next: review-labels sync --sheet FILE"
