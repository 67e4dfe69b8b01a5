"""report.html: one page with the figures and a sample of galleries, that needs nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchwright.knowledge import NO, YES, Knowledge
from benchwright.records import Episode
from benchwright.report_page import render_page
from benchwright.thumbnails import thumbnail_uri
from benchwright.workspace import Workspace
from builders.catalog import load_items

SAMPLE = 24  # galleries on the page
_THUMB = (150, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the page tells of a picture of the catalog; ``picture`` is null where it has none."""

    picture: Path | None
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    number: int
    is_target: bool
    title: str
    thumb: str | None  # data URI
    similarity: float
    overlap: str
    values: tuple[tuple[str, bool], ...]  # Attr(x) in words, and whether the target shares it
    told_by: tuple[str, ...]  # askable values with the picture's own answer


def shown_in(workspace: Workspace, episodes: Sequence[Episode]) -> dict[str, Shown]:
    """Return what the page tells of each picture of the galleries on it, by image id."""
    wanted = {image_id for one in episodes[:SAMPLE] for image_id in one.image_ids}
    items = load_items(workspace, ["image_id", "image", "title", "source_id"])
    chosen = items.filter(pc.is_in(items.column("image_id"), pa.array(sorted(wanted))))
    return {
        row["image_id"]: Shown(
            picture=None if row["image"] is None else workspace.images / row["image"],
            title=row["title"] or row["source_id"],
        )
        for row in chosen.to_pylist()
    }


def render(
    episodes: Sequence[Episode],
    summary: Mapping[str, Any],
    knowledge: Knowledge,
    shown: Mapping[str, Shown],
    baselines: Sequence[str] = (),
) -> bytes:
    """Return the page; texts from the catalog are escaped, pictures are embedded.

    ``baselines`` are the lines on guesses without a question, where they were measured.
    """
    row_of = {knowledge.image_id(row): row for row in range(len(knowledge.ids))}
    thumb = cache(partial(thumbnail_uri, size=_THUMB))  # a picture stands in several galleries
    galleries = [
        (episode, list(_figures(episode, knowledge, row_of, shown, thumb)))
        for episode in episodes[:SAMPLE]
    ]
    counts = {int(size): count for size, count in summary["gallery_size"]["histogram"].items()}
    histogram = {size: counts.get(size, 0) for size in range(min(counts), max(counts) + 1)}
    return render_page(
        "galleries",
        "report.html.j2",
        summary=summary,
        galleries=galleries,
        histogram=histogram,
        most=max(histogram.values()),
        baselines=baselines,
    )


def _figures(
    episode: Episode,
    knowledge: Knowledge,
    row_of: Mapping[str, int],
    shown: Mapping[str, Shown],
    thumb: Any,
) -> Iterator[_Figure]:
    rows = [row_of[image_id] for image_id in episode.image_ids]
    target = episode.target_index - 1
    answers = knowledge.answers(rows)
    target_values = set(knowledge.attributes(rows[target]).tolist())
    for at, image_id in enumerate(episode.image_ids):
        own = knowledge.attributes(rows[at]).tolist()
        told = (answers[at] * answers[target] == YES * NO).nonzero()[0]
        item = shown[image_id]
        yield _Figure(
            number=at + 1,
            is_target=at == target,
            title=item.title,
            thumb=None if item.picture is None else thumb(item.picture),
            similarity=episode.similarities[at],
            overlap=f"{len(target_values.intersection(own))} of {len(target_values)}",
            values=tuple((_words(knowledge, column), column in target_values) for column in own),
            told_by=tuple(
                f"{_words(knowledge, column)} ({'yes' if answers[at, column] == YES else 'no'})"
                for column in told
                if knowledge.values[column].askable
            ),
        )


def _words(knowledge: Knowledge, column: int) -> str:
    value = knowledge.values[column]
    return f"{value.type} {value.value}"
