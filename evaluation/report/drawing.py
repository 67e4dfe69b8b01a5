"""Charts as SVG that takes its colours from the page: points with their 95 % intervals."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

from benchwright.plain_text import excerpt
from evaluation.report.kinds.sheet import SPELLING, Chart, Form, Line
from evaluation.scoring.figures import Figure
from evaluation.scoring.spelling import interval

COLOURS = 8  # that the style sheet has; after them the marks change
_TOP, _RIGHT, _LEFT, _HEIGHT = 12.0, 12.0, 46.0, 190.0
_STEP = 7.5  # between the lines of one place
_LEAST_PLACE, _LEAST_WIDTH = 40.0, 330.0
_LONGEST = 26  # characters of the name of a place
_ACROSS, _DOWN = 5.0, 3.1  # of a character of a name that is written steeply
_LEVEL = 7  # characters that stand side by side
_TICKS = 5
_MARK = 3.6
_NARROWEST = 0.68  # of its width, to which a chart may be drawn smaller


def svg_of(chart: Chart) -> str:
    """Return a chart as SVG; texts are escaped, and the same chart gives the same text."""
    names = [excerpt(name, _LONGEST) for name in chart.places]
    is_steep = any(len(name) > _LEVEL for name in names)
    place = max(_LEAST_PLACE, _STEP * (len(chart.lines) + 1.5))
    place = max(place, (_LEAST_WIDTH - _LEFT - _RIGHT) / max(1, len(names)))
    width = _LEFT + place * len(names) + _RIGHT
    foot = 34.0 + (max(map(len, names), default=0) * _DOWN if is_steep else 0)
    start = _start(names, place) if is_steep else 0.0
    scale = _Scale(chart)
    parts = [
        f'<svg viewBox="{start:.0f} 0 {width - start:.0f} {_TOP + _HEIGHT + foot:.0f}"'
        f' width="{width - start:.0f}"'
        f' style="min-width:{_NARROWEST * (width - start):.0f}px" role="img"'
        f' aria-label="{escape(chart.title)}">',
        *_grid(scale, width),
        *_places(names, place, is_steep=is_steep),
        f'<text class="axis" x="{(width + _LEFT) / 2:.1f}" y="{_TOP + _HEIGHT + foot - 4:.1f}"'
        f' text-anchor="middle">{escape(excerpt(chart.axis))}</text>',
        *(
            part
            for at, line in enumerate(chart.lines)
            for part in _line(chart, line, at, place, scale)
        ),
        "</svg>",
    ]
    return "".join(parts)


def mark_of(at: int, tone: str) -> str:
    """Return the small SVG by which a legend names the line at a place of a chart."""
    inside = f'<g class="{_class(at, tone)}">{_mark(10, 6, at)}</g>'
    return f'<svg class="key" viewBox="0 0 20 12" width="20" height="12">{inside}</svg>'


class _Scale:
    """The axis of the values of a chart: 0 to 1 for shares, else from 0 to what there is."""

    def __init__(self, chart: Chart) -> None:
        """Take the bounds of what is drawn, rounded to what people count in."""
        bounds = [0.0, *(bound for line in chart.lines for bound in _bounds(line))]
        low, high = min(bounds), max(bounds)
        if chart.form == "share" and low >= 0 and high <= 1:
            self.ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
        else:
            step = _nice((high - low) / _TICKS)
            first, last = floor(low / step), max(ceil(high / step), floor(low / step) + 1)
            self.ticks = [step * at for at in range(first, last + 1)]
        self._form: Form = chart.form

    def y(self, value: float) -> float:
        """Return the height at which a value is drawn."""
        first, last = self.ticks[0], self.ticks[-1]
        return _TOP + _HEIGHT * (1 - (value - first) / (last - first))

    def spelt(self, tick: float) -> str:
        """Return a tick in words."""
        if self._form == "number":
            return f"{tick:g}"
        return f"{100 * tick:.0f}%"


def _bounds(line: Line) -> Iterator[float]:
    for point in line.points:
        if point is not None:
            yield from (x for x in (point.value, point.low, point.high) if x is not None)


def _nice(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, not under a step."""
    if step <= 0:
        return 1.0
    power = 10.0 ** floor(log10(step))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= step * (1 - 1e-9))


def _grid(scale: _Scale, width: float) -> Iterator[str]:
    for tick in scale.ticks:
        y = scale.y(tick)
        kind = "zero" if tick == 0 else "grid"
        ends = f'x1="{_LEFT}" x2="{width - _RIGHT:.1f}" y1="{y:.1f}" y2="{y:.1f}"'
        yield f'<line class="{kind}" {ends}/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{scale.spelt(tick)}</text>'


def _places(names: Sequence[str], place: float, *, is_steep: bool) -> Iterator[str]:
    y = _TOP + _HEIGHT + 15
    for at, name in enumerate(names):
        x = _LEFT + place * (at + 0.5)
        way = (
            f'transform="rotate(-32 {x:.1f} {y:.1f})" text-anchor="end"'
            if is_steep
            else 'text-anchor="middle"'
        )
        yield f'<text x="{x:.1f}" y="{y:.1f}" {way}>{escape(name)}</text>'


def _start(names: Sequence[str], place: float) -> float:
    """Return where a chart begins, 0 or less, so that no steep name of its places is cut."""
    ends = (_LEFT + place * (at + 0.5) - _ACROSS * len(name) for at, name in enumerate(names))
    return min(0.0, *map(floor, ends))


def _line(chart: Chart, line: Line, at: int, place: float, scale: "_Scale") -> Iterator[str]:
    shift = (at - (len(chart.lines) - 1) / 2) * _STEP
    spots = [
        (_LEFT + place * (number + 0.5) + shift, point) for number, point in enumerate(line.points)
    ]
    yield f'<g class="{_class(at, line.tone)}">'
    if chart.is_joined:
        for (x1, one), (x2, other) in pairwise(spots):
            if one and other and one.value is not None and other.value is not None:
                yield (
                    f'<line class="join" x1="{x1:.1f}" y1="{scale.y(one.value):.1f}"'
                    f' x2="{x2:.1f}" y2="{scale.y(other.value):.1f}"/>'
                )
    for (x, point), name in zip(spots, chart.places, strict=True):
        if point is not None:
            yield f"<g><title>{_told(chart, line, point, name)}</title>"
            yield from _spot(point, x, scale, at)
            yield "</g>"
    yield "</g>"


def _told(chart: Chart, line: Line, point: Figure, name: str) -> str:
    spell = SPELLING[chart.form]
    said = f"{excerpt(line.name)}, {excerpt(name)}: {spell(point.value)}"
    spread = "" if point.low is None else f" ({interval(point, spell)})"
    return escape(f"{said}{spread}, n {point.n:,}")


def _spot(point: Figure, x: float, scale: _Scale, at: int) -> Iterator[str]:
    if point.low is not None and point.high is not None:
        ends = f'y1="{scale.y(point.low):.1f}" y2="{scale.y(point.high):.1f}"'
        yield f'<line class="spread" x1="{x:.1f}" x2="{x:.1f}" {ends}/>'
    if point.value is not None:
        yield _mark(x, scale.y(point.value), at)


def _class(at: int, tone: str) -> str:
    return f"line c{at % COLOURS} {tone}"


def _mark(x: float, y: float, at: int) -> str:
    """Return the mark of a line: no two of the first 32 share colour and shape."""
    r, shape = _MARK, at // COLOURS + at
    if shape % 4 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>'
    if shape % 4 == 1:
        return (
            f'<rect x="{x - r + 0.4:.1f}" y="{y - r + 0.4:.1f}" width="{2 * r - 0.8:.1f}"'
            f' height="{2 * r - 0.8:.1f}"/>'
        )
    corners = (
        [(0, -1.3), (1.2, 0.9), (-1.2, 0.9)]
        if shape % 4 == 2
        else [(0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)]
    )
    points = " ".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}"/>'
