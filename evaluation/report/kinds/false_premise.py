"""False premises in a report (FPCO-Dialog, section 5)."""

import re
from collections.abc import Iterator, Sequence

from evaluation.false_premise.metrics.amounts import (
    ALWAYS,
    BASELINE,
    CHANGE,
    CORR_FP,
    CORR_TP,
    DETECTOR,
    NEVER,
    TURN_CORR,
    at,
    key_of,
)
from evaluation.false_premise.metrics.own_detectors import own_detectors
from evaluation.false_premise.metrics.several_runs import (
    fallen,
    leave_one_judge_out,
    mean_over,
)
from evaluation.report.entries import Entry
from evaluation.report.kinds.sheet import (
    Beside,
    Chart,
    Column,
    Sheet,
    chart,
    parts_of,
    worth_drawing,
)
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import points, share, spoken

_CLASSES = ("identity", "attribute", "location")  # in the order of the paper


def sheet_of(entries: Sequence[Entry]) -> Sheet:
    """Return what is shown of runs of false premises."""
    true, false = _turns(entries, CORR_FP), _turns(entries, TURN_CORR)
    if not false:
        return Sheet(columns=(), main=(), beside=(), charts=())
    whole = at(CORR_TP, false[-1])
    classes = _in_order(parts_of(entries, whole, "premise_class"))
    ends = [Key(whole)]
    columns = [
        Column(heading=whole, key=Key(whole)),
        *(
            Column(heading=f"{spoken(name)}", key=Key(whole, "premise_class", name))
            for name in classes
        ),
        *(
            Column(heading=f"by {name}", key=Key(whole, DETECTOR, name))
            for name in parts_of(entries, whole, DETECTOR)
        ),
    ]
    if len(false) > 1:
        columns += [
            *(
                Column(heading=at(TURN_CORR, turn), key=Key(at(TURN_CORR, turn)))
                for turn in (false[0], false[-1])
            ),
            Column(
                heading=f"change, turn {false[0]} to {false[-1]}", key=Key(CHANGE), form="points"
            ),
        ]
    if true:
        ends.append(Key(at(CORR_FP, true[-1])))
        columns.append(Column(heading=at(CORR_FP, true[-1]), key=ends[-1]))
    beside = [
        Beside(name=spoken(name), keys={key: Key(key.metric, BASELINE, name) for key in ends})
        for name in (ALWAYS, NEVER)
    ]
    return Sheet(
        columns=columns,
        main=(Key(whole),),
        beside=beside,
        charts=_charts(entries, whole, classes, false),
        findings=[*_means(entries, ends), *_falls(entries, false), *_judges(entries, whole)],
    )


def _charts(
    entries: Sequence[Entry], whole: str, classes: Sequence[str], turns: Sequence[int]
) -> list[Chart]:
    by_turn = [
        chart(
            entries,
            f"{metric}@K by turn",
            "turn K",
            {f"{turn}": Key(at(metric, turn)) for turn in turns},
            is_joined=True,
        )
        for metric in (TURN_CORR, CORR_TP)
    ]
    of_classes = [
        chart(
            entries,
            f"{TURN_CORR}@K by turn, {spoken(name)}",
            "turn K",
            {f"{turn}": key_of(at(TURN_CORR, turn), "premise_class", name) for turn in turns},
            is_joined=True,
        )
        for name in classes
    ]
    parts = {
        "premise_class": classes,
        "complexity": parts_of(entries, whole, "complexity"),
        "category": parts_of(entries, whole, "category"),
        "variant": parts_of(entries, whole, "variant"),
    }
    by_part = [
        chart(
            entries,
            f"{whole} by {spoken(by)}",
            spoken(by),
            {spoken(name): Key(whole, by, name) for name in names},
        )
        for by, names in parts.items()
    ]
    return worth_drawing([*by_turn, *by_part, *of_classes])


def _means(entries: Sequence[Entry], keys: Sequence[Key]) -> Iterator[str]:
    said = []
    for key in keys:
        values = [value for one in entries if (value := one.value(key)) is not None]
        if len(values) > 1:
            said.append(f"{key.metric} {share(mean_over(values))} (n {len(values)})")
    if said:
        yield f"Mean over the players: {', '.join(said)}."


def _falls(entries: Sequence[Entry], turns: Sequence[int]) -> Iterator[str]:
    """Yield who corrects less in the last turn than in the first (appendix H)."""
    of_players = {
        one.name: value for one in entries if (value := one.value(Key(CHANGE))) is not None
    }
    found = fallen(of_players)
    if found:
        said = ", ".join(f"{name} ({points(of_players[name])})" for name in found)
        yield f"Falls by more than 5 points from turn {turns[0]} to turn {turns[-1]}: {said}."


def _judges(entries: Sequence[Entry], whole: str) -> Iterator[str]:
    """Yield what changes where no model judges itself (appendix D)."""
    scores = {
        one.name: {
            key.of: figure.value
            for key, figure in one.figures.items()
            if (key.metric, key.by) == (whole, DETECTOR) and figure.value is not None
        }
        for one in entries
    }
    judges = {one.name: own_detectors(one.about.builds) for one in entries}
    found = leave_one_judge_out({name: each for name, each in scores.items() if each}, judges)
    for one in found.judges:
        yield (
            f"{one.model} is one of its own detectors: by the others alone it has"
            f" {share(one.score_by_others)} instead of {share(one.score)}, place"
            f" {one.rank_by_others} instead of {one.rank}."
        )
    if found.judges:
        kept = "the same" if found.is_order_kept else "not the same"
        yield f"Where no model judges itself the order of the players is {kept}."


def _turns(entries: Sequence[Entry], metric: str) -> list[int]:
    """Return the turns at which a metric was measured, ascending."""
    named = re.compile(rf"{re.escape(metric)}@([0-9]+)")
    found = {
        int(match[1])
        for entry in entries
        for key in entry.figures
        if key.by == "all" and (match := named.fullmatch(key.metric))
    }
    return sorted(found)


def _in_order(classes: Sequence[str]) -> list[str]:
    known = [name for name in _CLASSES if name in classes]
    return known + [name for name in classes if name not in known]
