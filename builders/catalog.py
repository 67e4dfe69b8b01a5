"""The catalog stage: what every source hands over, and how it gets to the disk.

A source gives entries (an item without its picture, and what its picture is made of) and rejects.
Here pictures are made and stored in parallel, a refused one turns its entry into a reject, and
the rows are counted: rows read = items + rejects, always.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from benchwright import files
from benchwright.errors import UsageError, WorkspaceError
from benchwright.pictures import Picture
from benchwright.progress import Progress, no_progress
from benchwright.records import Item, Reject
from benchwright.rows import from_table, to_table
from benchwright.store import (
    ROWS_PER_SHARD,
    Manifest,
    Plan,
    StageWriter,
    load_manifest,
    read_table,
    writing,
)
from benchwright.workers import pool
from benchwright.workspace import Workspace
from builders.links import Link, fetch_pictures
from builders.outcomes import Entry, Outcome, make_pictures, refuse

STAGE = "catalog"
S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A finished catalog; ``is_new`` is false where it stood there already."""

    manifest: Manifest
    is_new: bool


def write_catalog(
    workspace: Workspace,
    plan: Plan,
    entries: Sequence[Entry[S | Link]],
    rejects: Sequence[Reject],
    *,
    make: Callable[[S], Picture],
    workers: int | None = None,
    progress: Progress = no_progress,
) -> Manifest:
    """Write the catalog of a workspace; every row read is an entry or a reject.

    ``make`` turns the ``picture`` of an entry into one. It runs in worker processes, so it must
    be a function of a module. A Link is fetched instead. The items come out in the order of their
    image ids, which must differ (ValueError: a fault of the source's code).

    Raises UsageError when no row becomes an item (what stood there before stays then, unless
    pictures had to be made), and WorkspaceError when another process writes this catalog.
    """
    ordered = sorted(entries, key=lambda entry: entry.item.image_id)
    for one, other in pairwise(ordered):
        if one.item.image_id == other.item.image_id:
            raise ValueError(f"two entries have the source id {one.item.source_id!r}")
    if not ordered:
        raise empty_catalog(rejects)
    with writing(
        workspace.catalog, plan, configs={"items": "items-*.parquet", "rejects": "rejects.parquet"}
    ) as writer:
        for folder in workspace.images.glob("*"):
            files.remove_leftovers(folder)
        outcomes = _outcomes(workspace, writer, ordered, make, workers, progress)
        _finish(writer, ordered, outcomes, rejects)
    manifest = load_manifest(workspace.catalog)
    if manifest is None:
        raise WorkspaceError(f"{workspace.catalog}: was removed while it was being written")
    return manifest


def _outcomes(
    workspace: Workspace,
    writer: StageWriter,
    entries: Sequence[Entry[S | Link]],
    make: Callable[[S], Picture],
    workers: int | None,
    progress: Progress,
) -> list[Outcome]:
    """Return the outcome of each entry, in their order."""
    links = {
        place: (entry.picture, entry.item.group_id)
        for place, entry in enumerate(entries)
        if isinstance(entry.picture, Link)
    }
    sources = {
        place: entry.picture
        for place, entry in enumerate(entries)
        if entry.picture is not None and not isinstance(entry.picture, Link)
    }
    found = [Outcome()] * len(entries)
    with pool(workers) as chosen:
        fetched = fetch_pictures(
            list(links.values()), workspace.catalog, workspace.images, chosen, progress
        )
        made = make_pictures(
            writer,
            list(sources.values()),
            make,
            images=workspace.images,
            workers=chosen,
            progress=progress,
        )
    for places, outcomes in ((links, fetched), (sources, made)):
        for place, outcome in zip(places, outcomes, strict=True):
            found[place] = outcome
    return found


def _finish(
    writer: StageWriter,
    entries: Sequence[Entry[S | Link]],
    outcomes: Sequence[Outcome],
    rejects: Sequence[Reject],
) -> None:
    items = [
        _with_picture(entry.item, outcome)
        for entry, outcome in zip(entries, outcomes, strict=True)
        if outcome.reason is None
    ]
    refused = [
        refuse(entry, outcome.reason, outcome.message)
        for entry, outcome in zip(entries, outcomes, strict=True)
        if outcome.reason is not None
    ]
    all_rejects = sorted([*rejects, *refused], key=_reject_order)
    rows = len(entries) + len(rejects)
    if rows != len(items) + len(all_rejects):
        raise AssertionError(
            f"{rows} rows became {len(items)} items and {len(all_rejects)} rejects"
        )
    if not items:
        raise empty_catalog(all_rejects)
    blocks = range(0, len(items), ROWS_PER_SHARD)  # one at a time: as dicts, items are large
    tables = [to_table(items[start : start + ROWS_PER_SHARD], Item) for start in blocks]
    writer.shards("items", pa.concat_tables(tables))
    writer.table("rejects", to_table(all_rejects, Reject))
    writer.counts.update(
        rows=rows,
        items=len(items),
        rejects=len(all_rejects),
        pictures=sum(item.image is not None for item in items),
        animated=sum(outcome.is_animated for outcome in outcomes),
    )
    writer.reasons.update(sorted(Counter(reject.reason for reject in all_rejects).items()))


def _with_picture(item: Item, outcome: Outcome) -> Item:
    if outcome.image is None:
        return item
    return replace(
        item,
        image=outcome.image,
        sha256=outcome.sha256,
        width=outcome.width,
        height=outcome.height,
    )


def _reject_order(reject: Reject) -> tuple[str, int, str, str]:
    return (reject.path or "", reject.row or 0, reject.source_id or "", reject.reason)


def empty_catalog(rejects: Sequence[Reject]) -> UsageError:
    """Return the error for a source of which no row becomes an item."""
    if not rejects:
        return UsageError("the catalog would be empty: the source has a header and no rows")
    (reason, count), *_ = Counter(reject.reason for reject in rejects).most_common(1)
    example = next(reject.message for reject in rejects if reject.reason == reason)
    return UsageError(
        f"the catalog would be empty: all {len(rejects)} rows were refused, {count} of them as "
        f"{reason} ({example})"
    )


def input_digests(paths: Sequence[Path]) -> dict[str, str]:
    """Return the sha256 of each source file under its base name, without any folder.

    Files of one base name are told apart by the start of their hash. Raises UsageError when two
    files hold the same bytes.
    """
    digests = [files.sha256_of(path) for path in paths]
    for place, digest in enumerate(digests):
        if digest in digests[:place]:
            raise UsageError(
                f"{paths[digests.index(digest)]} and {paths[place]} hold the same bytes; "
                "give the table once"
            )
    names = [path.name for path in paths]
    return {
        name if names.count(name) == 1 else f"{name} ({digest[:12]})": digest
        for name, digest in zip(names, digests, strict=True)
    }


def pictures_digest(sizes: Iterable[tuple[str, int | None]]) -> str:
    """Return one sha256 of the local pictures that a source names, and of their sizes in bytes.

    Reading them all just to see that nothing changed would cost what the build costs, and times
    of change are not the same on two machines; so a picture replaced by one of just the same size
    goes unnoticed here (``--force`` makes the catalog again). The hash of the bytes themselves
    stands in each item.
    """
    lines = "\n".join(sorted({f"{name}\0{size}" for name, size in sizes}))
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def load_items(workspace: Workspace) -> pa.Table:
    """Return the items of the catalog, in the order of their image ids.

    Raises WorkspaceError when there is no catalog and CorruptShard when a file of it is broken.
    """
    if load_manifest(workspace.catalog) is None:
        raise WorkspaceError(
            f"no catalog in {workspace.root}; run build-catalog table FILE, or build-catalog "
            "sample, first"
        )
    return read_table(workspace.catalog, "items-*.parquet")


def iterate_items(workspace: Workspace) -> Iterator[Item]:
    """Yield the items of the catalog as records; raises as ``load_items`` does."""
    yield from from_table(load_items(workspace), Item)
