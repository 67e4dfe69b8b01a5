"""Candidate sets in a report (CandVG, sections 4 and 5)."""

from collections.abc import Sequence

from evaluation.candidate_set.metrics.amounts import ACCURACY, OF_SETS
from evaluation.candidate_set.metrics.baselines import BASELINES
from evaluation.report.entries import Entry
from evaluation.report.kinds.sheet import (
    Beside,
    Chart,
    Column,
    Line,
    Sheet,
    any_of,
    chart,
    parts_of,
    trimmed,
    worth_drawing,
)
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import spoken

_ONE, _SETS = Key(ACCURACY), tuple(Key(name) for name in OF_SETS)
_F1 = Key("F1")
_NAMES = {
    "category": "all boxes of the category",
    "all_boxes": "all boxes",
    "first_turn": "the first turn's set",
    "random_box": "a random box",
}
_COLUMNS = (
    Column(heading="F1", key=_F1),
    Column(heading="precision", key=Key("precision")),
    Column(heading="recall", key=Key("recall")),
    Column(heading=ACCURACY, key=_ONE),
    Column(heading="first box", key=Key("first_box")),
    Column(heading="any box", key=Key("any_box")),
    Column(heading="several for one", key=Key("several")),
    Column(heading="nothing meant", key=Key("no_target")),
    Column(heading="unreadable", key=Key("unreadable")),
    Column(heading="refused", key=Key("refused")),
)
_TURN, _TRACKED = "turn", "tracked_turn"


def sheet_of(entries: Sequence[Entry]) -> Sheet:
    """Return what is shown of runs of candidate sets; figures of none of them are left out."""
    beside = [
        Beside(
            name=_NAMES[name],
            keys={key: Key(key.metric, "baseline", name) for key in (_ONE, *_SETS)},
        )
        for name in BASELINES
    ]
    return Sheet(
        columns=[column for column in _COLUMNS if any_of(entries, column.key)],
        main=[key for key in (_F1, _ONE) if any_of(entries, key)],
        beside=beside,
        charts=_charts(entries),
    )


def _charts(entries: Sequence[Entry]) -> list[Chart]:
    by_turn = [
        chart(
            entries,
            f"{spoken(metric)[0].upper()}{spoken(metric)[1:]} by turn",
            "turn",
            {part: Key(metric, _TURN, part) for part in parts_of(entries, metric, _TURN)},
            is_joined=True,
        )
        for metric in (*OF_SETS, ACCURACY, "several")
    ]
    return worth_drawing([_sizes(entries), *by_turn])


def _sizes(entries: Sequence[Entry]) -> Chart:
    """Return the sizes of the predicted sets by turn beside those of the true ones."""
    turns = parts_of(entries, "true_size", _TRACKED)
    predicted = chart(
        entries,
        "Boxes in the set by turn, in the dialogues that have all these turns",
        "turn",
        {turn: Key("predicted_size", _TRACKED, turn) for turn in turns},
        form="number",
        is_joined=True,
    )
    whole = max(entries, key=lambda entry: entry.about.coverage)
    true = Line(
        name="the true set",
        points=tuple(whole.figure(Key("true_size", _TRACKED, turn)) for turn in turns),
        tone="beside",
    )
    lines = [*predicted.lines, true] if len(predicted.places) == len(turns) else predicted.lines
    return trimmed(
        Chart(
            title=predicted.title,
            axis=predicted.axis,
            places=predicted.places,
            lines=tuple(lines),
            form="number",
            is_joined=True,
        )
    )
