"""What people found who judged a sample: how many labels are right, how far auditors agree."""

from collections.abc import Iterator
from dataclasses import replace

from exports.card.facts import Facts
from exports.card.markdown import audit_table, folded, text
from labeling.audits.reporting import wording
from labeling.audits.reporting.report import Findings, Report
from labeling.audits.reporting.tables import (
    auditor_table,
    label_tables,
    margin_table,
    mark_tables,
    record_tables,
    type_table,
)

_LONG = 400


def audits(facts: Facts) -> Iterator[str]:
    """Yield the results with intervals; that nothing was judged where it is so."""
    yield from ("## What people judged", "")
    report = facts.audit
    if report is None:
        yield from ("Nobody judged any of it yet.", "")
        return
    yield (
        f"{wording.many(report.judgements, 'judgement', 'judgements')} of"
        f" {wording.many(report.things, 'thing', 'things')} by"
        f" {wording.many(len(report.auditors), 'auditor', 'auditors')}, who are numbers here; the"
        f" intervals are of {wording.level(report)} confidence. All is counted in the whole"
        f" workspace that the release was made of.{_released(facts)}"
    )
    yield ""
    yield from (f"> {text(note, _LONG)}\n" for note in report.notes)
    if report.findings is not None:
        yield from _labels(report, report.findings)
    yield from _agreement(report)
    yield from folded("What each auditor did", audit_table(auditor_table(report.auditors)))


def _released(facts: Facts) -> str:
    rows = next((one.rows for one in facts.making.written if one.config == "decisions"), None)
    if rows is None:
        return ""
    said = wording.many(rows, "row", "rows")
    return f" The config `decisions` holds what was decided about things that are released: {said}."


def _labels(report: Report, findings: Findings) -> Iterator[str]:
    yield f"{wording.right_labels(report, findings)} {wording.judged_labels(findings)}"
    yield ""
    yield wording.unweighted(findings)
    yield ""
    tables = [type_table(findings), margin_table(findings)]
    lines = [line for found in tables for line in audit_table(found)]
    yield from folded("Right labels by type and by vote margin", lines)


def _agreement(report: Report) -> Iterator[str]:
    """Yield agreement: what every reader wants first, the rest to be opened."""
    more = []
    if report.labels is not None:
        first, *more = label_tables(report.labels)
        yield from ("How far auditors agree on labels:", "", *audit_table(first))
    yield from _on_dialogues(report)
    if more:
        yield from folded(
            "Agreement on labels by type and value",
            [line for found in more for line in audit_table(found)],
        )


def _on_dialogues(report: Report) -> Iterator[str]:
    """Yield agreement on what two judged; that nothing was judged twice where it is so."""
    twice = replace(
        report,
        marks={field: one for field, one in report.marks.items() if one.overall.f1.judged},
        records={field: one for field, one in report.records.items() if one.overall.judged},
    )
    tables = [*mark_tables(twice), *record_tables(twice)]
    if tables:
        yield from ("How far auditors agree on dialogues:", "")
        yield from (line for found in tables for line in audit_table(found))
    elif report.records:
        yield from ("Nothing of a dialogue was judged by two, so that agreement is not known.", "")
