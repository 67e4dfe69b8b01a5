"""What a kind gives the report: columns, baselines beside them, figures per axis."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.report.entries import Entry
from evaluation.scoring.figures import Figure, Key
from evaluation.scoring.spelling import number, points, share

Form = Literal["share", "points", "number"]
Tone = Literal["player", "person", "beside"]

SPELLING: Mapping[Form, Callable[[float | None], str]] = {
    "share": share,
    "points": points,
    "number": number,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A figure of the table of players."""

    heading: str
    key: Key
    form: Form = "share"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is had without a player, or without its eyes: figures by the columns they stand in.

    ``is_own`` where it is measured for each player alone.
    """

    name: str
    keys: Mapping[Key, Key]
    is_own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The points of one player, or of what stands beside it, one for each place of a chart."""

    name: str
    points: tuple[Figure | None, ...]
    tone: Tone = "player"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Figures over the parts of an axis; ``is_joined`` where the parts have an order."""

    title: str
    axis: str
    places: tuple[str, ...]
    lines: tuple[Line, ...]
    form: Form = "share"
    is_joined: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What the report shows of the runs of a kind on one config.

    Players are ordered by the first figure of ``main``, then by the next; a higher one is better.
    ``findings`` say in sentences what is found over the players.
    """

    columns: Sequence[Column]
    main: Sequence[Key]
    beside: Sequence[Beside]
    charts: Sequence[Chart]
    findings: Sequence[str] = ()


def chart(
    entries: Iterable[Entry],
    title: str,
    axis: str,
    keys: Mapping[str, Key],
    *,
    form: Form = "share",
    is_joined: bool = False,
) -> Chart:
    """Return a chart with a line for each run; ``keys`` are the figures by the place's name.

    Places and lines of which nothing was measured are left out.
    """
    lines = [
        Line(
            name=entry.name,
            points=tuple(entry.figure(key) for key in keys.values()),
            tone="person" if entry.is_person else "player",
        )
        for entry in entries
    ]
    return trimmed(
        Chart(
            title=title,
            axis=axis,
            places=tuple(keys),
            lines=tuple(lines),
            form=form,
            is_joined=is_joined,
        )
    )


def trimmed(whole: Chart) -> Chart:
    """Return a chart without the places at which no line has a point."""
    kept = [at for at in range(len(whole.places)) if any(line.points[at] for line in whole.lines)]
    return Chart(
        title=whole.title,
        axis=whole.axis,
        places=tuple(whole.places[at] for at in kept),
        lines=tuple(
            Line(name=line.name, points=tuple(line.points[at] for at in kept), tone=line.tone)
            for line in whole.lines
        ),
        form=whole.form,
        is_joined=whole.is_joined,
    )


def worth_drawing(charts: Iterable[Chart], least: int = 2) -> list[Chart]:
    """Return the charts with so many places at least: one place says what the table says."""
    return [one for one in charts if len(one.places) >= least]


def parts_of(entries: Iterable[Entry], metric: str, by: str) -> list[str]:
    """Return the parts of a division of which a metric was measured, in the order of the runs."""
    found: dict[str, None] = {}
    for entry in entries:
        for key, figure in entry.figures.items():
            if (key.metric, key.by) == (metric, by) and figure.n:
                found.setdefault(key.of)
    return list(found)


def any_of(entries: Sequence[Entry], key: Key) -> bool:
    """Tell whether any run has a figure."""
    return any(entry.figure(key) for entry in entries)
