"""report.html: pairs on both sides of the threshold, on one page that needs nothing else."""

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright.pictures import load_file, read_picture
from benchwright.report_page import render_page
from builders.duplicates.hashes import decoded
from builders.duplicates.pairs import PHASH_MARGIN, Pairs
from builders.duplicates.settings import DedupSettings

_THUMB = (260, 260)
NEAR_THRESHOLD = 24  # pairs shown on each side of it
_SPREAD = 12  # pairs shown over all that is linked
_SAME = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the page tells of one picture of a pair."""

    picture: Path
    title: str
    facts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page's words and figures, and the pairs of the same pixels."""

    title: str
    lead: str
    settings: DedupSettings
    counts: Mapping[str, int]
    same: Sequence[tuple[Side, Side, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    title: str
    note: str
    pairs: Sequence["_Shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    left: Side
    right: Side
    thumbs: tuple[str, str]
    label: str
    is_linked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bar:
    name: str
    count: int
    height: int  # pixels
    is_beyond: bool


def render(
    page: Page, near: Pairs, left: Callable[[int], Side], right: Callable[[int], Side]
) -> bytes:
    """Return the page; texts of the sources are escaped, pictures are embedded.

    ``left`` and ``right`` give what is shown of the two rows of a pair.
    """
    sections = [*_near_sections(page.settings, near, left, right), _same_section(page)]
    return render_page(
        "builders.duplicates",
        "report.html.j2",
        page=page,
        tiles=[
            (f"{count:,}", name.replace("_", " ")) for name, count in page.counts.items() if count
        ],
        sections=[section for section in sections if section.pairs],
        bars=_bars(near, page.settings),
        reach=page.settings.show_reach(),
    )


def _near_sections(
    settings: DedupSettings,
    near: Pairs,
    left: Callable[[int], Side],
    right: Callable[[int], Side],
) -> list[_Section]:
    """Return the sections that show what the threshold does."""

    def shown(places: np.ndarray) -> list[_Shown]:
        return [
            _shown(
                left(int(near.one[at])),
                right(int(near.other[at])),
                settings.show(float(near.distance[at]))
                + (", mirrored" if near.mirrored[at] else ""),
                is_linked=bool(near.linked[at]),
            )
            for at in places
        ]

    linked = np.flatnonzero(near.linked)
    beyond = np.flatnonzero(near.distance > near.threshold)
    reach = settings.show_reach()
    chosen = [
        (
            "Just within the threshold",
            f"Linked: the farthest pairs within {reach}, the farthest last. If these are "
            "different pictures, the threshold is too wide.",
            linked[-NEAR_THRESHOLD:],
        ),
        (
            "Just beyond the threshold",
            f"Not linked: the nearest pairs beyond {reach}, the nearest first. If these are "
            "the same picture, the threshold is too narrow.",
            beyond[:NEAR_THRESHOLD],
        ),
        (
            "One shape, other colours",
            "Within the threshold, but not linked, since the colours differ.",
            np.flatnonzero(near.recoloured)[:_SPREAD],
        ),
        (
            "All that is linked, from near to far",
            "Evenly chosen by their distance.",
            _evenly(linked, _SPREAD),
        ),
    ]
    return [_Section(title=title, note=note, pairs=shown(at)) for title, note, at in chosen]


def _evenly(places: np.ndarray, most: int) -> np.ndarray:
    """Return at most so many of the places, evenly chosen."""
    if not len(places):
        return places
    chosen = np.unique(np.linspace(0, len(places) - 1, most).astype(int))
    return np.take(places, chosen)


def _same_section(page: Page) -> _Section:
    return _Section(
        title="The same pixels",
        note="Linked without looking at any threshold.",
        pairs=[_shown(a, b, f"same {kind}", is_linked=True) for a, b, kind in page.same[:_SAME]],
    )


def _shown(left: Side, right: Side, label: str, *, is_linked: bool) -> _Shown:
    return _Shown(
        left=left,
        right=right,
        thumbs=(_thumb(left.picture), _thumb(right.picture)),
        label=label,
        is_linked=is_linked,
    )


def _bars(near: Pairs, settings: DedupSettings) -> list[_Bar]:
    """Return the histogram of all distances, a bit beyond the threshold."""
    edge = near.threshold
    if settings.method == "phash":
        step = max(2, 2 * round(edge / 48))  # two hashes almost always differ in an even number
        edges = np.arange(-0.5, edge + PHASH_MARGIN + 0.5 + step, step)
        names = [f"{low + 0.5:.0f}–{low - 0.5 + step:.0f}" for low in edges[:-1]]
    else:
        edges = np.linspace(0, max(edge, 1e-6) * 1.5, 25)
        names = [f"{1 - low:.3f}" for low in edges[:-1]]
    counts, _ = np.histogram(near.all_distances, edges)
    most = max(1, int(counts.max()))
    return [
        _Bar(
            name=name,
            count=int(count),
            height=0 if count == 0 else max(2, round(90 * count / most)),
            is_beyond=bool(low >= edge),
        )
        for name, count, low in zip(names, counts.tolist(), edges, strict=False)
    ]


def _thumb(path: Path) -> str:
    small = decoded(io.BytesIO(read_picture(load_file(path)).data))
    small.thumbnail(_THUMB)
    data = io.BytesIO()
    small.save(data, "JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(data.getvalue()).decode()
