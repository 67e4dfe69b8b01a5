"""report.md: the report as Markdown, for a repository or a paper's appendix."""

import re
from collections.abc import Iterator, Sequence

from labeling.audits.reporting import wording
from labeling.audits.reporting.method import method_lines
from labeling.audits.reporting.report import Report
from labeling.audits.reporting.tables import (
    Table,
    auditor_table,
    bad_line_table,
    cells_table,
    confusion_table,
    label_tables,
    lowest_tables,
    margin_table,
    mark_tables,
    record_tables,
    type_table,
)

_MARKUP = re.compile(r"([\\`*_\[\]<>|~&$])")


def markdown(report: Report) -> bytes:
    """Return the file; texts of others stay text, whatever markup is in them."""
    return ("\n".join(_lines(report)).rstrip("\n") + "\n").encode()


def escaped(text: str) -> str:
    """Return a text of one line that Markdown and HTML show as it is."""
    return _MARKUP.sub(r"\\\1", text)


def _lines(report: Report) -> Iterator[str]:
    yield "# Audit report"
    yield ""
    for note in report.notes:
        yield from (f"> {escaped(note)}", "")
    yield from _accuracy(report)
    yield from _agreement(report)
    yield from _voters(report)
    yield from ("## Auditors", "", *_table(auditor_table(report.auditors), titled=False))
    bad = bad_line_table(report)
    if bad is not None:
        yield from (f"## {bad.title}", "", *_table(bad, titled=False))
    yield from ("## How the figures are made", "")
    yield from (f"- {escaped(line)}" for line in method_lines(report))


def _accuracy(report: Report) -> Iterator[str]:
    findings = report.findings
    if findings is None:
        return
    yield from ("## How many labels are right", "")
    yield f"{wording.right_labels(report, findings)} {wording.judged_labels(findings)}"
    yield ""
    yield wording.unweighted(findings)
    yield ""
    yield from _table(type_table(findings))
    yield from _table(margin_table(findings))


def _agreement(report: Report) -> Iterator[str]:
    yield from ("## How far auditors agree", "")
    if report.labels is not None:
        for table in label_tables(report.labels):
            yield from _table(table)
    for table in (*mark_tables(report), *record_tables(report)):
        yield from _table(table)


def _voters(report: Report) -> Iterator[str]:
    findings = report.findings
    if findings is None:
        return
    yield from ("## What voters and labels say against what auditors hold", "")
    yield from _table(confusion_table(findings))
    yield from _table(cells_table(findings))
    yield from ("## Where errors gather", "")
    for table in lowest_tables(findings):
        yield from _table(table)


def _table(table: Table, *, titled: bool = True) -> Iterator[str]:
    if titled:
        yield from (f"### {escaped(table.title)}", "")
    yield _row([escaped(cell) for cell in table.head])
    yield _row(["---" if at < table.texts else "---:" for at in range(len(table.head))])
    for row in table.rows:
        yield _row([escaped(cell) for cell in row])
    yield ""
    if table.more:
        yield from (escaped(table.more), "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
