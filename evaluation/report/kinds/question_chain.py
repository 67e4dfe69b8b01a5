"""Question chains in a report (V-REX, section 4)."""

from collections.abc import Iterator, Sequence

from evaluation.question_chain.metrics.amounts import NONE_WRONG, TEXT_ONLY
from evaluation.question_chain.metrics.correlation import over_models
from evaluation.question_chain.metrics.outcomes import BASELINES, MEASURES, Measure
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
    worth_drawing,
)
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import number, spoken

_HEADINGS = {
    "planning": "planning",
    "following": "following",
    "final": "final, with the chain",
    "alone": "final, without it",
    "planned": "final, after its plan",
}
_GAIN = Key("gain")
_RECOVERY = {name: Key("recovery", "failed", name) for name in ("planning", "following")}
_COLUMNS = (
    *(Column(heading=_HEADINGS[name], key=Key(name)) for name in MEASURES),
    Column(heading="gain by the chain", key=_GAIN),
    *(Column(heading=f"recovery from failed {name}", key=key) for name, key in _RECOVERY.items()),
)


def sheet_of(entries: Sequence[Entry]) -> Sheet:
    """Return what is shown of runs of question chains; figures of none of them are left out."""
    return Sheet(
        columns=[column for column in _COLUMNS if any_of(entries, column.key)],
        main=[key for key in (Key("planning"), Key("following")) if any_of(entries, key)],
        beside=[*_beside()],
        charts=_charts(entries),
        findings=[*_correlations(entries)],
    )


def _beside() -> list[Beside]:
    of_all = [
        Beside(
            name=spoken(name),
            keys={
                **{Key(measure): Key(measure, "baseline", name) for measure in MEASURES},
                **(_recovery_chance() if name == "chance" else {}),
            },
        )
        for name in BASELINES
    ]
    blind = Beside(
        name="text only",
        keys={Key(measure): Key(measure, "baseline", TEXT_ONLY) for measure in MEASURES},
        is_own=True,
    )
    return [*of_all, blind]


def _recovery_chance() -> dict[Key, Key]:
    return {key: Key("recovery_chance", key.by, key.of) for key in _RECOVERY.values()}


def _correlations(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield how planning and following go with the last answer, over the models (section 4.3)."""
    measures: tuple[Measure, ...] = ("planning", "following", "final")
    averages: list[dict[str, float | None]] = [
        {name: one.value(Key(name)) for name in measures} for one in entries if not one.is_person
    ]
    for measure in measures[:2]:
        found = over_models(averages, measure, "final")
        if found.r is not None:
            bounds = f"{number(found.low, 2)} to {number(found.high, 2)}"
            yield (
                f"Over the models {measure} goes with the last answer with r"
                f" {number(found.r, 2)} (95 % interval {bounds}, p {found.p:.2g}, n {found.n})."
            )


def _charts(entries: Sequence[Entry]) -> list[Chart]:
    by_category = [
        chart(
            entries,
            f"{heading[0].upper()}{heading[1:]}, by {by}",
            by,
            {spoken(part): Key(measure, by, part) for part in parts_of(entries, measure, by)},
        )
        for by in ("category", "scenario")
        for measure, heading in {**_HEADINGS, "gain": "gain by the chain"}.items()
    ]
    by_step = [
        chart(
            entries,
            f"{measure.capitalize()} by step",
            "step",
            {part: Key(measure, "step", part) for part in parts_of(entries, measure, "step")},
            is_joined=True,
        )
        for measure in ("planning", "following")
    ]
    recovery = [
        chart(
            entries,
            f"Last answer right, by the first wrong step of {failed}",
            "first wrong step",
            {
                "none wrong" if part == NONE_WRONG else part: Key("last_answer", by, part)
                for part in parts_of(entries, "last_answer", by)
            },
        )
        for failed in ("planning", "following")
        for by in [f"first_wrong_of_{failed}"]
    ]
    return worth_drawing([_both(entries), *by_category, *by_step, *recovery])


def _both(entries: Sequence[Entry]) -> Chart:
    """Return planning beside following, player by player."""
    return Chart(
        title="Planning and following",
        axis="player",
        places=tuple(entry.name for entry in entries),
        lines=tuple(
            Line(name=measure, points=tuple(entry.figure(Key(measure)) for entry in entries))
            for measure in ("planning", "following")
        ),
    )
