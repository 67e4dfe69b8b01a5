"""What one dialogue adds to each figure of a run (definition 17; FPCO-Dialog, section 4.4).

docs/false-premise-scores.md says of each figure what it means.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.records import FalsePremise
from evaluation.false_premise.metrics.corrections import Corrections, Longs, Mask
from evaluation.scoring.figures import NOTHING, Amount, Amounts, Derived, Key, mean_of

CORR_TP, TURN_CORR, CORR_FP, CHANGE = "CorrTP", "TurnCorr", "CorrFP", "TurnCorr change"
DETECTOR = "detector"
ALWAYS, NEVER = "always_correcting", "never_correcting"
BASELINE = "baseline"
_CROSSED = "premise_class and complexity"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """The part ``of`` of a division ``by``, and which dialogues belong to it."""

    by: str
    of: str
    has: Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class _Metric:
    """A metric, and which turns of each dialogue it counts, (dialogues, turns)."""

    name: str
    turns: Mask


def at(metric: str, turn: int) -> str:
    """Return the name of a metric at a turn."""
    return f"{metric}@{turn}"


def last(corrections: Corrections) -> str | None:
    """Return the name of CorrTP over all turns; null where no turn has a false premise."""
    turns = corrections.false_turns
    return at(CORR_TP, turns[-1]) if turns else None


def key_of(metric: str, by: str = "all", of: str = "all", detector: str | None = None) -> Key:
    """Return the key of a figure, by the mean of the detectors unless one is named."""
    if detector is None:
        return Key(metric, by, of)
    if by == "all":
        return Key(metric, DETECTOR, detector)
    return Key(metric, f"{by}, {DETECTOR}", f"{of}, {detector}")


def amounts_of(corrections: Corrections) -> list[Amounts]:
    """Return what each dialogue adds to each figure, of each detector alone.

    An amount is how many responses are labelled corrections, and of how many. All dialogues have
    the same keys.
    """
    found: list[dict[Key, Amount]] = [{} for _ in corrections.dialogues]
    for metric, part in _measured(corrections):
        counts = metric.turns.sum(axis=1)
        yes = _corrected(corrections, metric.turns)
        for column, detector in enumerate(corrections.detectors):
            key = key_of(metric.name, part.by, part.of, detector)
            for amounts, is_in, above, below in zip(
                found, part.has, yes[:, column].tolist(), counts.tolist(), strict=True
            ):
                amounts[key] = Amount(above, below) if is_in else NOTHING
    for metric in _baselined(corrections):
        for amounts, below in zip(found, metric.turns.sum(axis=1).tolist(), strict=True):
            amounts[Key(metric.name, BASELINE, ALWAYS)] = Amount(below, below)
            amounts[Key(metric.name, BASELINE, NEVER)] = Amount(0, below)
    return list(found)


def derived_of(corrections: Corrections) -> list[Derived]:
    """Return the means of the detectors, and what TurnCorr changes from the first turn to the last.

    Of the change each detector has one, too.
    """
    names = corrections.detectors
    if not names:
        return []
    found = [
        mean_of(
            key_of(metric.name, part.by, part.of),
            [key_of(metric.name, part.by, part.of, name) for name in names],
            count=min,
        )
        for metric, part in _measured(corrections)
    ]
    turns = corrections.false_turns
    if len(turns) < 2:
        return found
    ends = (at(TURN_CORR, turns[0]), at(TURN_CORR, turns[-1]))
    for part in _parts(corrections.dialogues):
        for detector in (None, *names):
            first, end = (key_of(name, part.by, part.of, detector) for name in ends)
            found.append(
                Derived(
                    key=key_of(CHANGE, part.by, part.of, detector),
                    of=(first, end),
                    work_out=lambda values: values[:, 1] - values[:, 0],
                    count=min,
                )
            )
    return found


def _corrected(corrections: Corrections, turns: Mask) -> Longs:
    """Return how many responses each detector labels a correction, (dialogues, detectors)."""
    counted = (corrections.codes == 1) & turns[:, :, None]
    yes: Longs = counted.sum(axis=1)
    return yes


def _measured(corrections: Corrections) -> Iterator[tuple[_Metric, _Part]]:
    """Yield what is measured of which part; the crossed parts of CorrTP over all turns alone."""
    parts = _parts(corrections.dialogues)
    for metric in _metrics(corrections):
        yield from ((metric, part) for part in parts)
        if metric.name == last(corrections):
            yield from ((metric, part) for part in _crossed(corrections.dialogues))


def _metrics(corrections: Corrections) -> Iterator[_Metric]:
    places = np.arange(corrections.codes.shape[1])
    for turn in corrections.false_turns:
        yield _Metric(name=at(CORR_TP, turn), turns=corrections.up_to(turn))
    for turn in corrections.false_turns:
        yield _Metric(name=at(TURN_CORR, turn), turns=corrections.is_false & (places == turn - 1))
    for turn in corrections.true_turns:
        yield _Metric(name=at(CORR_FP, turn), turns=corrections.is_true & (places < turn))


def _baselined(corrections: Corrections) -> list[_Metric]:
    """Return CorrTP and CorrFP over all turns."""
    ends = [at(CORR_TP, turn) for turn in corrections.false_turns[-1:]]
    ends += [at(CORR_FP, turn) for turn in corrections.true_turns[-1:]]
    return [metric for metric in _metrics(corrections) if metric.name in ends]


def _parts(dialogues: Sequence[FalsePremise]) -> list[_Part]:
    named: Mapping[str, list[str]] = {
        "all": ["all"] * len(dialogues),
        "premise_class": [one.premise_class for one in dialogues],
        "complexity": [one.complexity for one in dialogues],
        "category": [one.category for one in dialogues],
        "variant": [str(one.variant) for one in dialogues],
    }
    return [
        part
        for by, names in named.items()
        if by != "variant" or len(set(names)) > 1
        for part in _divided(by, names)
    ]


def _crossed(dialogues: Sequence[FalsePremise]) -> list[_Part]:
    return _divided(_CROSSED, [f"{one.premise_class}, {one.complexity}" for one in dialogues])


def _divided(by: str, names: Sequence[str]) -> list[_Part]:
    held = np.array(names, dtype=object)
    return [_Part(by=by, of=name, has=held == name) for name in sorted(set(names))]
