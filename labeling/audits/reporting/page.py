"""report.html: the report on one page that needs nothing else."""

from benchwright.report_page import render_page
from labeling.audits.reporting import wording
from labeling.audits.reporting.method import method_lines
from labeling.audits.reporting.plots import confusion_bars, margin_dots, type_dots
from labeling.audits.reporting.report import Report
from labeling.audits.reporting.tables import (
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


def render(report: Report) -> bytes:
    """Return the page; texts of others are escaped, pictures are embedded."""
    findings = report.findings
    facts = {}
    if findings is not None:
        facts = {
            "overall": findings.accuracy.overall,
            "right_labels": wording.right_labels(report, findings),
            "judged_labels": wording.judged_labels(findings),
            "unweighted": wording.unweighted(findings),
            "plots": [
                (title, dots)
                for title, dots in (
                    ("By type, the lowest first", type_dots(findings)),
                    ("By vote margin, the closest votes first", margin_dots(findings)),
                )
                if dots is not None
            ],
            "accuracy_tables": [type_table(findings), margin_table(findings)],
            "bars": confusion_bars([findings.labels, *findings.voters]),
            "confusion_tables": [confusion_table(findings), cells_table(findings)],
            "lowest_tables": lowest_tables(findings),
            "wrong": findings.wrong,
        }
    return render_page(
        "labeling.audits.reporting",
        "page.html.j2",
        report=report,
        findings=findings,
        wording=wording,
        level=wording.level(report),
        agreement_tables=[
            *([] if report.labels is None else label_tables(report.labels)),
            *mark_tables(report),
            *record_tables(report),
        ],
        auditor_table=auditor_table(report.auditors),
        bad_lines=bad_line_table(report),
        method=method_lines(report),
        **facts,
    )
