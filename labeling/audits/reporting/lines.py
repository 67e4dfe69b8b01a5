"""What the command says of a report: the main figures, a line for each."""

from collections.abc import Iterator

from benchwright.plain_text import excerpt
from labeling.attributes.labels.report import listed
from labeling.attributes.measuring.wording import percent, ranged
from labeling.audits.reporting import wording
from labeling.audits.reporting.report import Findings, Report

_SHOWN = 5


def report_lines(report: Report) -> list[str]:
    """Return the lines."""
    lines = [
        f"{wording.many(report.judgements, 'judgement', 'judgements')} of"
        f" {wording.many(report.things, 'thing', 'things')} by"
        f" {wording.many(len(report.auditors), 'auditor', 'auditors')}",
        *report.notes,
    ]
    if report.findings is not None:
        lines += _labels(report, report.findings)
    lines += _agreement(report)
    if report.findings is not None:
        lines += _voters(report.findings)
        lines += _lowest(report.findings)
    if report.bad_lines:
        first = report.bad_lines[0]
        lines.append(
            f"decisions.jsonl: {len(report.bad_lines):,} lines are no decision and are left aside,"
            f" such as line {first.number}: {first.reason}"
        )
    return lines


def _labels(report: Report, findings: Findings) -> Iterator[str]:
    yield wording.right_labels(report, findings)
    yield wording.judged_labels(findings)
    yield wording.unweighted(findings)


def _agreement(report: Report) -> Iterator[str]:
    if report.labels is not None:
        found = report.labels.answers
        if found.overall.judged:
            yield (
                f"agreement of {len(found.auditors):,} auditors on {found.overall.judged:,} labels"
                f" that two judged: {wording.agreement(found.overall)}"
            )
        else:
            yield "no label is judged by two auditors yet, so that agreement on labels is not known"
    for field, each in report.records.items():
        if each.overall.judged:
            yield (
                f"{excerpt(field)}, {each.overall.judged:,} judged by two or more:"
                f" {wording.agreement(each.overall)}"
            )
    for field, marks in report.marks.items():
        f1 = marks.overall.f1
        if f1.judged:
            yield f"sets of {field}, {f1.judged:,} pairs: F1 {wording.coefficient(f1)}"


def _voters(findings: Findings) -> Iterator[str]:
    entries = [
        f"{excerpt(each.name, 60)}: {ranged(each.sensitivity)} of yes, {ranged(each.specificity)}"
        f" of no; abstains on {percent(each.abstained.share)}; {each.labels:,} labels"
        for each in findings.voters
    ]
    yield from listed("Voters that say yes of what is yes, and no of what is no:", entries)


def _lowest(findings: Findings) -> Iterator[str]:
    entries = [
        f"{excerpt(': '.join(each.name))}: {ranged(each.right)}, {each.wrong:,} of"
        f" {each.judged:,} judged are wrong"
        for each in findings.lowest.values
        if each.wrong
    ]
    if entries:
        yield from listed("Values with the lowest accuracy:", entries, _SHOWN)
