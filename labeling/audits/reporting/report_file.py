"""agreement.json: all figures of a report."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from benchwright import __version__
from benchwright.statistics.agreement.coefficient import Coefficient
from benchwright.statistics.agreement.sets import SetScores
from labeling.audits.accuracy import Share
from labeling.audits.reporting.agreement import Agreement, BoardAgreement, LabelAgreement
from labeling.audits.reporting.lowest import Lowest
from labeling.audits.reporting.marks import MarkAgreement
from labeling.audits.reporting.report import Findings, Report

_DIGITS = 6
Json = dict[str, Any]


def report_json(report: Report) -> Json:
    """Return the file's content: plain values, six digits, null for what is not known."""
    findings = report.findings
    return {
        "version": 1,
        "benchwright": __version__,
        "settings": _plain(report.settings),
        "decisions": {
            "judgements": report.judgements,
            "things": report.things,
            "digest": report.digest,
            "third_looks": report.third_looks,
            "named_values": report.named,
            "bad_lines": _plain(report.bad_lines),
        },
        "notes": list(report.notes),
        "plan": None if findings is None else _plan(findings),
        "accuracy": None if findings is None else _accuracy(findings),
        "confusion": None if findings is None else _confusion(findings),
        "lowest": None if findings is None else _lowest(findings.lowest),
        "wrong_labels": [] if findings is None else [_plain(each.item) for each in findings.wrong],
        "agreement": {
            "labels": None if report.labels is None else _labels(report.labels),
            "records": [
                {"field": field, **_board(found)} for field, found in report.records.items()
            ],
            "sets": [{"field": field, **_marks(found)} for field, found in report.marks.items()],
        },
        "auditors": _plain(report.auditors),
    }


def _plan(findings: Findings) -> Json:
    plan = findings.plan
    return {"stage": plan.stage, "labels": plan.labels, "settings": _plain(plan.settings)}


def _accuracy(findings: Findings) -> Json:
    accuracy = findings.accuracy
    return {
        "overall": _share(accuracy.overall),
        "types": [{"type": name, **_share(each)} for name, each in accuracy.by_type.items()],
        "margins": [
            {"low": low / 100, "high": high / 100, **_share(each)}
            for (low, high), each in accuracy.by_margin.items()
        ],
        "strata": [{"stratum": name, **_plain(each)} for name, each in accuracy.by_stratum.items()],
    }


def _share(share: Share) -> Json:
    return {**_plain(share), "unweighted": _plain(share.plain)}


def _confusion(findings: Findings) -> Json:
    return {
        "labels": _plain(findings.labels),
        "voters": _plain(findings.voters),
        "without_votes": findings.unmatched,
    }


def _lowest(found: Lowest) -> Json:
    return {
        field.name: [
            {
                **dict(zip(_names(field.name), part.name, strict=True)),
                **{name: _plain(getattr(part, name)) for name in ("right", "judged", "wrong")},
            }
            for part in getattr(found, field.name)
        ]
        for field in fields(found)
    }


def _names(kind: str) -> tuple[str, ...]:
    return ("type", "value") if kind == "values" else (kind.removesuffix("s"),)


def _labels(found: LabelAgreement) -> Json:
    return {
        "answers": _board(found.answers),
        "yes_or_no": _board(found.yes_or_no),
        "weighted": None if found.weighted is None else _agreement(found.weighted),
        "types": [{"type": name, **_agreement(each)} for name, each in found.types.items()],
        "values": [
            {"type": kind, "value": value, **_agreement(each)}
            for (kind, value), each in found.values.items()
        ],
    }


def _board(found: BoardAgreement) -> Json:
    return {
        "auditors": list(found.auditors),
        "overall": _agreement(found.overall),
        "pairs": [
            {"first": pair.first, "second": pair.second, **_agreement(pair.agreement)}
            for pair in found.pairs
        ],
    }


def _agreement(found: Agreement) -> Json:
    return {
        "judged": found.judged,
        "left_out": found.left_out,
        **{name: _coefficient(getattr(found, name)) for name in ("exact", "kappa", "alpha", "ac1")},
    }


def _marks(found: MarkAgreement) -> Json:
    return {
        "auditors": list(found.auditors),
        "things": found.things,
        "unread": found.unread,
        "f1": _coefficient(found.overall.f1),
        "pairs": [
            {
                **{
                    name: getattr(pair, name)
                    for name in ("first", "second", "judged", "same", "left_out")
                },
                "mean": _scores(pair.agreement.mean),
                "pooled": _scores(pair.agreement.pooled),
            }
            for pair in found.pairs
        ],
    }


def _scores(found: SetScores) -> Json:
    return {name: _coefficient(getattr(found, name)) for name in ("precision", "recall", "f1")}


def _coefficient(found: Coefficient) -> Json:
    return {name: _plain(getattr(found, name)) for name in ("value", "low", "high", "null_draws")}


def _plain(value: Any) -> Any:
    """Return a record, or what is in one, as JSON can hold it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return round(value, _DIGITS) if isfinite(value) else None
    return value
