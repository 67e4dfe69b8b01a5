"""measured.html: what the labels are worth, on one page that needs nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from benchwright.report_page import render_page
from benchwright.statistics.intervals import Estimate
from labeling.attributes.measuring import wording
from labeling.attributes.measuring.comparing import Comparison
from labeling.attributes.measuring.examples import WrongValue
from labeling.attributes.measuring.measured import Measured, ValueMeasured
from labeling.attributes.measuring.report import compared_rows

_MOST_LEFT = 0.4  # where the axis begins at most: chance stays in sight


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """One estimate in a plot, in percent of its width."""

    run: int
    low: float
    at: float
    high: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlotRow:
    name: str
    is_blind: bool
    marks: tuple[_Mark, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    type: str
    mean: str
    rows: tuple[_PlotRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    """The plots' axis from ``left`` to 1, and its ticks with their places in percent."""

    left: float

    def place(self, share: float) -> float:
        """Return where a share stands, in percent of the width."""
        return round(100 * (share - self.left) / (1 - self.left), 2)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Places and names of the ticks, one for each tenth."""
        first = round(10 * self.left)
        return [(self.place(tenth / 10), f"{10 * tenth}") for tenth in range(first, 11)]


def render(runs: Sequence[Measured], names: Sequence[str], wrong: Sequence[WrongValue]) -> bytes:
    """Return the page of one workspace or two; texts are escaped, pictures are embedded.

    ``wrong`` are values of the first with pictures on which its labels are wrong.
    """
    lows = [value.balanced.low for run in runs for value in run.values if value.measurable]
    axis = _Axis(left=min(_MOST_LEFT, floor(10 * min(lows)) / 10))
    compared = [run.comparison for run in runs]
    return render_page(
        "labeling.attributes.measuring",
        "page.html.j2",
        runs=runs,
        names=names,
        several=len(runs) > 1,
        wording=wording,
        axis=axis,
        plots=_plots(runs, axis),
        compared=compared_rows(compared) if any(compared) else [],
        first=next((each for each in compared if each), None),
        gains=[(name, each) for name, each in zip(names, compared, strict=True) if each],
        singles=_singles(compared),
        table=list(zip(*(run.values for run in runs), strict=True)),
        wrong=wrong,
    )


def _plots(runs: Sequence[Measured], axis: _Axis) -> list[_Plot]:
    beside = [{(value.type, value.value): value for value in run.values} for run in runs]
    plots = []
    for kind in runs[0].types:
        rows = tuple(
            _plot_row([run[value.type, value.value] for run in beside], axis)
            for value in kind.measurable
        )
        if rows and kind.balanced is not None:
            plots.append(_Plot(type=kind.type, mean=wording.ranged(kind.balanced), rows=rows))
    return plots


def _plot_row(values: Sequence[ValueMeasured], axis: _Axis) -> _PlotRow:
    marks = [_mark(at, value.balanced, axis) for at, value in enumerate(values) if value.measurable]
    return _PlotRow(
        name=values[0].value,
        is_blind=values[0].blindness is not None,
        marks=tuple(marks),
        text=wording.percent(values[0].balanced.share, 0),
    )


def _mark(run: int, found: Estimate, axis: _Axis) -> _Mark:
    return _Mark(
        run=run,
        low=axis.place(max(found.low, axis.left)),
        at=axis.place(max(found.share, axis.left)),
        high=axis.place(found.high),
        text=wording.ranged(found),
    )


def _singles(compared: Sequence[Comparison | None]) -> list[tuple[str, str, str, list[str]]]:
    """Return voter, template and view of each single question with its figures."""
    found = [
        {} if each is None else {single.question: single.balanced for single in each.alone}
        for each in compared
    ]
    questions = sorted({question for each in found for question in each})
    return [
        (
            question.voter,
            question.template,
            question.view,
            [
                wording.ranged(each[question]) if question in each else wording.UNKNOWN
                for each in found
            ],
        )
        for question in questions
    ]
