"""measured.json: all figures of a measurement."""

from math import isfinite
from typing import Any

from benchwright.statistics.bootstrap import Interval
from benchwright.statistics.intervals import Estimate
from labeling.attributes.measuring.comparing import Comparison
from labeling.attributes.measuring.measured import Measured, ValueMeasured

_DIGITS = 6


def measured_json(own: Measured, beside: Measured | None) -> dict[str, Any]:
    """Return the file's content: plain values, shares to six digits, null for what is unknown."""
    return {
        "version": 1,
        "labels": _measured(own),
        "beside": None if beside is None else _measured(beside),
    }


def _measured(found: Measured) -> dict[str, Any]:
    agreement = found.unanimity
    return {
        "known": found.known,
        "votes": found.votes,
        "labels": found.labels,
        "pictures": found.pictures,
        "pairs": found.pairs,
        "pairs_stopped_early": found.stopped,
        "unmatched_rows": 0 if found.unmatched is None else found.unmatched.count,
        "balanced_accuracy": _interval(found.balanced),
        "coverage": _share(found.coverage),
        "types": [
            {
                "type": kind.type,
                "values": len(kind.values),
                "measurable": len(kind.measurable),
                "balanced_accuracy": None if kind.balanced is None else _interval(kind.balanced),
            }
            for kind in found.types
        ],
        "values": [_value(value) for value in found.values],
        "comparison": None if found.comparison is None else _comparison(found.comparison),
        "agreement": {
            "labels": agreement.labels,
            "unanimous": _estimate(agreement.unanimous),
            "right_unanimous": _estimate(agreement.right),
            "right_split": _estimate(agreement.right_split),
        },
    }


def _value(value: ValueMeasured) -> dict[str, Any]:
    return {
        "type": value.type,
        "value": value.value,
        "known_yes": value.yes,
        "known_no": value.no,
        "sensitivity": _estimate(value.sensitivity),
        "specificity": _estimate(value.specificity),
        "balanced_accuracy": _estimate(value.balanced),
        "coverage": _share(value.coverage),
        "measurable": value.measurable,
        "blind": value.blindness,
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    one = found.one
    return {
        "pictures": found.pictures,
        "values": found.values,
        "one_question": {"voter": one.voter, "template": one.template, "view": one.view},
        "single_questions": [
            {
                "voter": each.question.voter,
                "template": each.question.template,
                "view": each.question.view,
                "balanced_accuracy": _interval(each.balanced),
            }
            for each in found.alone
        ],
        "first_voter": [
            {
                "templates": part.templates,
                "views": part.views,
                "balanced_accuracy": _interval(part.balanced),
            }
            for part in found.parts
        ],
        "ensemble": _interval(found.ensemble),
        "labels": _interval(found.labels),
        "mean_of_single_questions": _interval(found.mean_alone),
        "gain_over_one_question": _interval(found.gain_over_one),
        "gain_over_mean": _interval(found.gain_over_mean),
    }


def _interval(found: Interval) -> dict[str, float | None]:
    return {name: _share(getattr(found, name)) for name in ("mean", "low", "high")}


def _estimate(found: Estimate) -> dict[str, float | None]:
    return {name: _share(getattr(found, name)) for name in ("share", "low", "high", "size")}


def _share(figure: float) -> float | None:
    return round(figure, _DIGITS) if isfinite(figure) else None
