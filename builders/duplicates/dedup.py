"""``build-catalog dedup``: groups of near-duplicates beside the catalog, with a report.

The catalog itself is left as it is: the groups are a stage of their own under it, which the
galleries read through ``groups_of``. Nothing is removed.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchwright import store
from benchwright.clip.embedder import Embedder
from benchwright.clip.picture_files import embed_pictures
from benchwright.engines.engine import LOCAL, Engine
from benchwright.engines.engine_workers import workers_of
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from builders.catalog import load_items
from builders.duplicates.chosen_clip import chosen_clip
from builders.duplicates.clusters import cluster_ids
from builders.duplicates.fingerprints import (
    FINGERPRINTS,
    as_table,
    fingerprint_all,
    known_fingerprints,
)
from builders.duplicates.groups import FOLDER, GROUPS
from builders.duplicates.hashes import Fingerprint
from builders.duplicates.pairs import Pairs, phash_pairs, vector_pairs
from builders.duplicates.report import Page, Side, render
from builders.duplicates.settings import DedupSettings

STAGE = f"catalog/{FOLDER}"
REPORT = "report.html"
_PAIRS = pa.schema(
    [
        pa.field("one", pa.string(), nullable=False),
        pa.field("other", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("distance", pa.float64(), nullable=False),
    ]
)
_GROUPS = pa.schema(
    [pa.field("image_id", pa.string(), nullable=False), pa.field("group_id", pa.string())]
)
_SPANS = pa.schema(
    [pa.field(name, pa.string(), nullable=False) for name in ("group_id", "image_id", "split")]
)
_COLUMNS = ["image_id", "image", "sha256", "split", "group_id", "title", "source_id"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduped:
    """The finished stage and its folder; ``is_new`` is false where it stood there already."""

    folder: Path
    manifest: store.Manifest
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictured:
    """The pictures of a catalog: one row for each item that has one, in the order of their ids.

    ``files`` are their paths by the hash of their bytes.
    """

    rows: Sequence[Mapping[str, str | None]]
    files: Mapping[str, Path]

    def side(self, row: int) -> Side:
        """Return what a report shows of a picture."""
        item = self.rows[row]
        title = item["title"] or str(item["source_id"])
        facts = [item["source_id"] if item["title"] else None, item["split"], item["group_id"]]
        return Side(
            picture=self.files[str(item["sha256"])],
            title=title,
            facts=" · ".join(fact for fact in facts if fact),
        )


def pictured(workspace: Workspace) -> Pictured:
    """Return the pictures of the catalog; raises WorkspaceError where there is none."""
    rows = [row for row in load_items(workspace, _COLUMNS).to_pylist() if row["image"]]
    return Pictured(
        rows=rows, files={row["sha256"]: workspace.images / row["image"] for row in rows}
    )


def dedup(
    workspace: Workspace,
    settings: DedupSettings | None = None,
    *,
    embedder: Embedder | None = None,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    progress: Progress = no_progress,
) -> Deduped:
    """Find the near-duplicates of a catalog and write the groups, the pairs and the report.

    ``embedder`` replaces the model of open_clip for the method clip.

    Raises WorkspaceError when there is no catalog or a picture of it is broken, UsageError when
    the settings mean nothing, the method needs what is not installed or the engine cannot be used.
    """
    chosen = (settings or DedupSettings()).checked()
    catalog = store.require(workspace.catalog, "build-catalog table FILE").digest()
    plan = store.Plan(stage=STAGE, inputs={"catalog": catalog}, settings=chosen.plan())
    folder = workspace.catalog / FOLDER
    if not force and (manifest := store.finished(folder, plan)) is not None:
        return Deduped(folder=folder, manifest=manifest, is_new=False)
    clip = chosen_clip(chosen, embedder)
    pictures = pictured(workspace)
    known = {} if force else known_fingerprints(folder)
    configs = {name: f"{name}.parquet" for name in (GROUPS, "pairs", "spans")}
    owned = ("*.parquet", REPORT)
    with store.writing(folder, plan, configs=configs, owns=owned) as writer:
        with workers_of(engine, workspace, workers) as some:
            prints = fingerprint_all(pictures.files, known, writer.part, some, progress)
            vectors = None
            if clip is not None:
                spread = clip.spread(some)
                vectors = embed_pictures(pictures.files, clip.embedder, workspace, progress, spread)
        _write(writer, workspace, pictures, _look(pictures, prints, vectors, chosen), chosen)
        writer.table(FINGERPRINTS, as_table(prints.values()))
    return Deduped(
        folder=folder, manifest=store.require(folder, "build-catalog dedup"), is_new=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """What was found: links between rows by kind, near pairs (rows), plain pictures."""

    same: Sequence[tuple[int, int, str]]
    near: Pairs
    plain: int


def _look(
    pictures: Pictured,
    prints: Mapping[str, Fingerprint],
    vectors: Mapping[str, np.ndarray] | None,
    settings: DedupSettings,
) -> _Looked:
    """Compare all pictures; of those with the same pixels only the first with others."""
    own = [prints[str(row["sha256"])] for row in pictures.rows]
    first: dict[str, int] = {}
    first_bytes: dict[str, int] = {}
    same = []
    for row, one in enumerate(own):
        twin = first_bytes.setdefault(one.sha256, row)
        before = first.setdefault(one.pixels, row)
        if twin != row:
            same.append((twin, row, "bytes"))
        elif before != row:
            same.append((before, row, "pixels"))
    rows = np.array(sorted(first.values()), np.int64)
    chosen = [own[row] for row in rows]
    if vectors is None:
        found = phash_pairs(chosen, None, int(settings.reach), any_colour=settings.any_colour)
    else:
        found = vector_pairs(stacked(chosen, vectors), None, settings.reach)
    return _Looked(
        same=same,
        near=found.renumbered(rows, rows),
        plain=sum(one.phash is None for one in chosen) if vectors is None else 0,
    )


def stacked(prints: Sequence[Fingerprint], vectors: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the embeddings of some pictures as float32 of shape (n, d)."""
    rows = [vectors[one.sha256] for one in prints]
    return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


def _write(
    writer: store.StageWriter,
    workspace: Workspace,
    pictures: Pictured,
    looked: _Looked,
    settings: DedupSettings,
) -> None:
    near = looked.near
    ids = [str(row["image_id"]) for row in pictures.rows]
    links = [(one, other, kind, 0.0) for one, other, kind in looked.same]
    links += [
        (one, other, "mirrored" if flipped else "near", distance)
        for one, other, distance, flipped in near.linked_rows()
    ]
    groups = _groups(workspace, [(ids[one], ids[other]) for one, other, _, _ in links])
    spans = _spans(pictures, groups)
    rows = sorted((ids[one], ids[other], kind, distance) for one, other, kind, distance in links)
    writer.table("pairs", table_of(rows, _PAIRS))
    writer.table(GROUPS, table_of(sorted(groups.items()), _GROUPS))
    writer.table("spans", table_of(spans, _SPANS))
    linked = {ids[row] for one, other, _, _ in links for row in (one, other)}
    kinds = Counter(kind for _, _, kind, _ in links)
    writer.counts.update(pictures=len(ids))
    writer.counts.update({f"pairs_{kind}": count for kind, count in sorted(kinds.items())})
    writer.counts.update(
        duplicates=len(linked),
        clusters=len({groups[image_id] for image_id in linked}),
        other_colours=int(near.recoloured.sum()),
        too_plain=looked.plain,
        groups_across_splits=len({group for group, _, _ in spans}),
        pictures_across_splits=len(spans),
    )
    page = Page(
        title="Near-duplicates",
        lead="Pictures that are linked become one group: no gallery shows two of a group. Look at "
        "the pairs on both sides of the threshold and move it where they stop being the same.",
        settings=settings,
        counts=writer.counts,
        same=[(pictures.side(one), pictures.side(other), kind) for one, other, kind in looked.same],
    )
    writer.file(REPORT, render(page, near, pictures.side, pictures.side))


def _groups(workspace: Workspace, links: Sequence[tuple[str, str]]) -> Mapping[str, str | None]:
    """Return the group of every item, also of those without a picture."""
    items = load_items(workspace, ["image_id", "group_id"])
    ids = items.column("image_id").to_pylist()
    row_of = {image_id: row for row, image_id in enumerate(ids)}
    numbered = [(row_of[one], row_of[other]) for one, other in links]
    return dict(
        zip(ids, cluster_ids(ids, items.column("group_id").to_pylist(), numbered), strict=True)
    )


def _spans(pictures: Pictured, groups: Mapping[str, str | None]) -> list[tuple[str, str, str]]:
    """Return (group, picture, split) of the groups that lie in several splits."""
    members: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for row in pictures.rows:
        group, split = groups[str(row["image_id"])], row["split"]
        if group is not None and split is not None:
            members[group].append((group, str(row["image_id"]), split))
    return sorted(
        one for some in members.values() if len({split for _, _, split in some}) > 1 for one in some
    )


def table_of(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    """Return rows, whose cells are in the order of the schema, as a table."""
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.Table.from_arrays(
        [pa.array(list(column), field.type) for column, field in zip(columns, schema, strict=True)],
        schema=schema,
    )


def duplicate_lines(counts: Mapping[str, int], settings: DedupSettings) -> list[str]:
    """Return what was found as lines of text."""
    alike = [
        f"{counts[f'pairs_{kind}']:,} {words}"
        for kind, words in (
            ("bytes", "of the same bytes"),
            ("pixels", "of the same pixels"),
            ("near", f"within {settings.show_reach()}"),
            ("mirrored", "mirrored"),
        )
        if counts.get(f"pairs_{kind}")
    ]
    lines = [
        f"{counts['pictures']:,} pictures: {counts['duplicates']:,} in {counts['clusters']:,} "
        f"clusters of near-duplicates (pairs: {', '.join(alike) or 'none'})"
    ]
    if counts["other_colours"]:
        lines.append(
            f"{counts['other_colours']:,} pairs of one shape in other colours are not linked "
            "(--any-colour links them)"
        )
    if counts["too_plain"]:
        lines.append(
            f"{counts['too_plain']:,} pictures are of one tone; they were compared by their pixels"
        )
    if counts["groups_across_splits"]:
        lines.append(
            f"leak: {counts['groups_across_splits']:,} groups with "
            f"{counts['pictures_across_splits']:,} pictures lie in several splits (spans.parquet)"
        )
    return lines
