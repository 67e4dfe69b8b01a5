"""An audit report without the names of people."""

from collections.abc import Mapping
from dataclasses import replace

from labeling.audits.reporting.agreement import BoardAgreement
from labeling.audits.reporting.auditors import Auditor
from labeling.audits.reporting.marks import MarkAgreement
from labeling.audits.reporting.report import Report


def unnamed(report: Report, numbers: Mapping[str, str]) -> Report:
    """Return a report whose auditors are the numbers that stand for them in a release."""
    labels = report.labels
    return replace(
        report,
        auditors=tuple(
            sorted((replace(one, name=numbers[one.name]) for one in report.auditors), key=_number)
        ),
        labels=labels
        and replace(
            labels,
            answers=_board(labels.answers, numbers),
            yes_or_no=_board(labels.yes_or_no, numbers),
        ),
        records={field: _board(found, numbers) for field, found in report.records.items()},
        marks={field: _marks(found, numbers) for field, found in report.marks.items()},
    )


def _board(found: BoardAgreement, numbers: Mapping[str, str]) -> BoardAgreement:
    return replace(
        found,
        auditors=tuple(numbers[name] for name in found.auditors),
        pairs=tuple(
            replace(pair, first=numbers[pair.first], second=numbers[pair.second])
            for pair in found.pairs
        ),
    )


def _marks(found: MarkAgreement, numbers: Mapping[str, str]) -> MarkAgreement:
    return replace(
        found,
        auditors=tuple(numbers[name] for name in found.auditors),
        pairs=tuple(
            replace(pair, first=numbers[pair.first], second=numbers[pair.second])
            for pair in found.pairs
        ),
    )


def _number(auditor: Auditor) -> int:
    return int(auditor.name.rpartition("-")[2])
