"""What shows a picture: episodes, dialogues, releases."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from benchwright.plain_text import excerpt
from benchwright.trace.naming import TABLES
from benchwright.trace.shelves import Shelves, is_id
from benchwright.trace.way import Node, Way

_NAMED = 3  # records that are named of a place


def add_uses(way: Way, shelves: Shelves, image_id: str) -> str | None:
    """Add where a picture is shown; return the key, null where it is nowhere."""
    found = dict([*_episodes(shelves, image_id), *_dialogues(shelves, image_id)])
    where = is_id("image_id", image_id)
    releases = [
        one.name
        for one in shelves.releases
        if any(shelves.tables(one, "data/images/*.parquet", where, ["image_id"]))
    ]
    lines = [f"{what}: {_names(names)}" for what, names in found.items() if names]
    if releases:
        lines.append(f"in {', '.join(releases)}")
    if not lines:
        return None
    return way.add(
        Node(
            key=f"uses:{image_id}",
            step="uses",
            says=tuple(lines),
            facts={"records": found, "releases": releases},
        )
    )


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(excerpt, names[:_NAMED])) + more


def _episodes(shelves: Shelves, image_id: str) -> Iterator[tuple[str, list[str]]]:
    columns = ["episode_id", "target_id", "image_ids"]
    for gallery in shelves.stages("galleries/*"):
        target: list[str] = []
        other: list[str] = []
        for _, table in shelves.tables(gallery, "episodes.parquet", None, columns):
            shown = table.filter(_holds(table.column("image_ids"), image_id))
            for row in shown.select(columns[:2]).to_pylist():
                (target if row["target_id"] == image_id else other).append(row["episode_id"])
        yield f"target in {gallery.name}", target
        yield f"look-alike in {gallery.name}", other


def _holds(lists: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Tell of each list whether it holds a name."""
    chunks = []
    for chunk in lists.chunks:
        held = pc.equal(chunk.flatten(), name)
        rows = pc.list_parent_indices(chunk).filter(held)
        chunks.append(pc.is_in(pa.array(range(len(chunk)), rows.type), value_set=rows))
    return pa.chunked_array(chunks, pa.bool_())


def _dialogues(shelves: Shelves, image_id: str) -> Iterator[tuple[str, list[str]]]:
    for kind, (_, column) in TABLES.items():
        stage = shelves.stage(f"dialogues/{kind}")
        if stage is None:
            continue
        where = is_id("image_id", image_id)
        for file, table in shelves.tables(stage, "*.parquet", where, [column]):
            stands = "" if file.startswith("dialogues") else ", withheld"
            yield f"{kind}{stands}", table.column(0).unique().to_pylist()
