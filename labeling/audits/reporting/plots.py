"""What the plots of the page draw, in percent of their width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor

from benchwright.plain_text import excerpt
from benchwright.statistics.intervals import Estimate
from labeling.attributes.measuring.wording import percent, ranged
from labeling.audits.planning.strata import margin_text
from labeling.audits.reporting.confusion import Confusion
from labeling.audits.reporting.report import Findings
from labeling.audits.reporting.wording import said_shares

_MOST_LEFT = 0.9  # where an axis begins at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A share with its interval as a dot with whiskers; ``text`` says them in figures."""

    name: str
    low: float
    at: float
    high: float
    text: str
    figure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """Dots under one another; ``ticks`` are places and names on the axis, ``guide`` that of all."""

    ticks: tuple[tuple[float, str], ...]
    rows: tuple[Dot, ...]
    guide: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What is said of labels of one truth: shares that are right, abstained and wrong."""

    name: str
    labels: int
    right: float
    abstained: float
    wrong: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """One voter, or the labels: a bar of what is yes, and one of what is no."""

    name: str
    rows: tuple[Bar, ...]


def type_dots(findings: Findings) -> Dots | None:
    """Return the shares of right labels by type, the lowest first; null while none is known."""
    shares = [
        (excerpt(name, 40), each.estimate)
        for name, each in findings.accuracy.by_type.items()
        if each.estimate is not None
    ]
    shares.sort(key=lambda entry: (entry[1].share, entry[0]))
    return _dots(shares, findings.accuracy.overall.estimate)


def margin_dots(findings: Findings) -> Dots | None:
    """Return the shares of right labels by class of the vote margin, the closest votes first."""
    shares = [
        (margin_text(low, high), each.estimate)
        for (low, high), each in findings.accuracy.by_margin.items()
        if each.estimate is not None
    ]
    return _dots(shares, findings.accuracy.overall.estimate)


def confusion_bars(found: Iterable[Confusion]) -> tuple[Bars, ...]:
    """Return the bars of labels and voters."""
    return tuple(Bars(name=excerpt(each.name, 60), rows=tuple(_bars(each))) for each in found)


def _dots(shares: Sequence[tuple[str, Estimate]], overall: Estimate | None) -> Dots | None:
    if not shares:
        return None
    left = min(_MOST_LEFT, floor(10 * min(each.low for _, each in shares)) / 10)
    step = 10 if left < 0.75 else 5 if left < 0.85 else 2

    def place(share: float) -> float:
        return round(100 * (share - left) / (1 - left), 2)

    return Dots(
        ticks=tuple((place(tick / 100), f"{tick}") for tick in range(round(100 * left), 101, step)),
        rows=tuple(
            Dot(
                name=name,
                low=place(each.low),
                at=place(each.share),
                high=place(each.high),
                text=ranged(each),
                figure=percent(each.share),
            )
            for name, each in shares
        ),
        guide=None if overall is None else place(max(left, overall.share)),
    )


def _bars(found: Confusion) -> list[Bar]:
    rows = []
    for name, said, is_yes in (("is yes", found.are_yes, True), ("is no", found.are_no, False)):
        yes, no, abstained = (100 * share for share in said_shares(said))
        right, wrong = (yes, no) if is_yes else (no, yes)
        if said.labels:
            rows.append(
                Bar(
                    name=name,
                    labels=said.labels,
                    right=round(right, 2),
                    abstained=round(abstained, 2),
                    wrong=round(wrong, 2),
                )
            )
    return rows
