"""The catalog stage: what every source hands over, and how it gets to the disk.

A source gives entries (an item without its picture, and what its picture is made of) and rejects.
Here pictures are made and stored in parallel, a refused one turns its entry into a reject, and
the rows are counted: rows read = items + rejects, always.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from benchwright import files
from benchwright.engines.engine import LOCAL, Engine
from benchwright.engines.engine_workers import workers_of
from benchwright.errors import UsageError, WorkspaceError
from benchwright.pictures import Picture
from benchwright.progress import Progress, no_progress
from benchwright.records import Change, Item, Reject
from benchwright.rows import from_table, to_table
from benchwright.store import (
    ROWS_PER_SHARD,
    Manifest,
    Plan,
    StageWriter,
    finished,
    load_manifest,
    read_table,
    require,
    writing,
)
from benchwright.workers import Workers
from benchwright.workspace import Workspace
from builders.links import (
    TO_ASK_AGAIN,
    Answered,
    Link,
    ask,
    check_dead,
    link_counts,
    link_outcomes,
)
from builders.outcomes import Entry, Outcome, make_pictures
from builders.rules import DEFAULT_RULES, PictureRules
from builders.settling import (
    KINDS_HELD,
    Settle,
    Settled,
    as_it_is,
    held_by,
    refused_with_all,
    with_picture,
)

STAGE = "catalog"
_CONFIGS = {
    "items": "items-*.parquet",
    "rejects": "rejects.parquet",
    "changes": "changes.parquet",
}
S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A finished catalog; ``is_new`` is false where it stood there already.

    ``asked_again`` links were then asked once more, and none of them has a final answer yet.
    """

    manifest: Manifest
    is_new: bool
    asked_again: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest(Generic[S]):
    """What a source hands over: each of its records is an entry, or part of one, or a reject.

    ``make`` turns the ``picture`` of an entry into one. It runs in worker processes, maybe of
    other machines, so it must be a function of a module; a Link is fetched instead. ``settle``
    finishes an item when its picture is known: boxes that are relative, or of the picture before
    it was turned upright.
    """

    entries: Sequence[Entry[S | Link]]
    make: Callable[[S], Picture]
    rejects: Sequence[Reject] = ()
    changes: Sequence[Change] = ()
    settle: Settle = as_it_is


def standing(workspace: Workspace, plan: Plan, rules: PictureRules) -> Built | None:
    """Return the catalog where this very one stands already and no link is to be asked again.

    Raises UsageError where more of its links are dead than the rules allow.
    """
    manifest = finished(workspace.catalog, rules.within(plan))
    if manifest is None or manifest.counts.get(TO_ASK_AGAIN):
        return None
    check_dead(manifest.counts, rules.most_dead)
    return Built(manifest=manifest, is_new=False)


def write_catalog(
    workspace: Workspace,
    plan: Plan,
    harvest: Harvest[S],
    *,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    rules: PictureRules = DEFAULT_RULES,
    progress: Progress = no_progress,
) -> Built:
    """Write the catalog of a workspace, or do nothing where this very one stands already.

    A catalog with links that failed for a moment is not done: those links are asked again, and
    where one of them has a final answer now, the catalog is made again.

    The items come out in the order of their image ids, which must differ (ValueError: a fault of
    the source's code). When a picture is refused, so is all that its item held.

    Raises UsageError when no row becomes an item or too many links are dead (what stood there
    before stays then, unless pictures had to be made) or the engine cannot be used, and
    WorkspaceError when another process writes this catalog.
    """
    if not force and (built := standing(workspace, plan, rules)) is not None:
        return built
    ordered = sorted(harvest.entries, key=lambda entry: entry.item.image_id)
    for one, other in pairwise(ordered):
        if one.item.image_id == other.item.image_id:
            raise ValueError(f"two entries have the source id {one.item.source_id!r}")
    if not ordered:
        raise empty_catalog([one for one in harvest.rejects if one.kind == "picture"])
    plan = rules.within(plan)
    with workers_of(engine, workspace, workers) as some:
        answered = None
        if not force and (manifest := finished(workspace.catalog, plan)) is not None:
            links = [one.picture for one in ordered if isinstance(one.picture, Link)]
            answered = ask(links, workspace.catalog, workspace.images, some, progress)
            if not answered.news:
                check_dead(manifest.counts, rules.most_dead)
                return Built(manifest=manifest, is_new=False, asked_again=answered.asked)
        with writing(workspace.catalog, plan, configs=_CONFIGS) as writer:
            _write(workspace, writer, ordered, harvest, some, progress, rules, answered)
    return Built(manifest=require(workspace.catalog, "build-catalog"), is_new=True)


def _write(
    workspace: Workspace,
    writer: StageWriter,
    ordered: Sequence[Entry[S | Link]],
    harvest: Harvest[S],
    workers: Workers,
    progress: Progress,
    rules: PictureRules,
    answered: Answered | None,
) -> None:
    for folder in workspace.images.glob("*"):
        files.remove_leftovers(folder)
    outcomes = _outcomes(
        workspace, writer, ordered, harvest.make, workers, progress, rules, answered
    )
    settled = [
        _settled(entry, outcome, harvest.settle)
        for entry, outcome in zip(ordered, outcomes, strict=True)
    ]
    _finish(writer, settled, harvest, sum(one.is_animated for one in outcomes))
    _remove_pictures_of_others(workspace, settled)


def _remove_pictures_of_others(workspace: Workspace, settled: Sequence[Settled]) -> None:
    """Remove stored pictures that no item has: an earlier catalog's, and placeholders."""
    kept = {one.item.image for one in settled if one.item is not None}
    for path in workspace.images.glob("??/*"):
        if path.relative_to(workspace.images).as_posix() not in kept:
            path.unlink()


def _outcomes(
    workspace: Workspace,
    writer: StageWriter,
    entries: Sequence[Entry[S | Link]],
    make: Callable[[S], Picture],
    workers: Workers,
    progress: Progress,
    rules: PictureRules,
    answered: Answered | None,
) -> list[Outcome]:
    """Return the outcome of each entry, in their order; ``answered`` are links asked just now."""
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
    if answered is None:
        wanted = [link for link, _ in links.values()]
        answered = ask(wanted, workspace.catalog, workspace.images, workers, progress)
    fetched = link_outcomes(list(links.values()), answered.by_url, rules.placeholders)
    writer.counts.update(link_counts(list(links.values()), fetched))
    check_dead(writer.counts, rules.most_dead)
    made = make_pictures(
        writer,
        list(sources.values()),
        make,
        images=workspace.images,
        workers=workers,
        progress=progress,
        link=rules.link,
    )
    for places, outcomes in ((links, fetched), (sources, made)):
        for place, outcome in zip(places, outcomes, strict=True):
            found[place] = outcome
    return found


def _settled(entry: Entry[Any], outcome: Outcome, settle: Settle) -> Settled:
    """Return what becomes of an entry: an item, or nothing but rejects."""
    if outcome.reason is None:
        return settle(with_picture(entry.item, outcome), outcome)
    lost = refused_with_all(entry, outcome.reason, outcome.message)
    return Settled(item=None, rejects=tuple(lost))


def _finish(
    writer: StageWriter,
    settled: Sequence[Settled],
    harvest: Harvest[S],
    animated: int,
) -> None:
    items = [one.item for one in settled if one.item is not None]
    refused = [reject for one in settled for reject in one.rejects]
    all_rejects = sorted([*harvest.rejects, *refused], key=_reject_order)
    if not items:
        raise empty_catalog([reject for reject in all_rejects if reject.kind == "picture"])
    all_changes = sorted(
        [*harvest.changes, *(change for one in settled for change in one.changes)],
        key=_change_order,
    )
    blocks = range(0, len(items), ROWS_PER_SHARD)  # one at a time: as dicts, items are large
    tables = [to_table(items[start : start + ROWS_PER_SHARD], Item) for start in blocks]
    writer.shards("items", pa.concat_tables(tables))
    writer.table("rejects", to_table(all_rejects, Reject))
    writer.table("changes", to_table(all_changes, Change))
    by_kind = Counter(reject.kind for reject in all_rejects)
    read = len(settled) + sum(reject.kind == "picture" for reject in harvest.rejects)
    if read != len(items) + by_kind["picture"]:
        raise AssertionError(f"{read} rows became {len(items)} items, {by_kind['picture']} rejects")
    writer.counts.update(
        rows=read,
        items=len(items),
        rejects=by_kind["picture"],
        pictures=sum(item.image is not None for item in items),
        attributes=sum(len(item.attributes) for item in items),
        animated=animated,
    )
    if all_changes:
        writer.counts["changes"] = len(all_changes)
    if by_kind["attribute"]:
        writer.counts["attributes_refused"] = by_kind["attribute"]
    for kind in KINDS_HELD:
        kept = sum(len(held_by(item)[kind]) for item in items)
        if kept or by_kind[kind]:
            writer.counts |= {f"{kind}s": kept, f"{kind}s_refused": by_kind[kind]}
    reasons = Counter(reject.reason for reject in all_rejects)
    writer.reasons.update(sorted(reasons.items()))


def _reject_order(reject: Reject) -> tuple[str, int, str, str, str]:
    return (
        reject.path or "",
        reject.row or 0,
        reject.source_id or "",
        reject.kind,
        reject.reason,
    )


def _change_order(change: Change) -> tuple[str, str, str, str]:
    return change.kind, change.source_id or "", change.reason, change.message


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


def load_items(workspace: Workspace, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the items of the catalog, in the order of their image ids; all columns or some.

    Raises WorkspaceError when there is no catalog and CorruptShard when a file of it is broken.
    """
    if load_manifest(workspace.catalog) is None:
        raise WorkspaceError(
            f"no catalog in {workspace.root}; run build-catalog table FILE, or build-catalog "
            "sample, first"
        )
    return read_table(workspace.catalog, _CONFIGS["items"], columns)


def iterate_items(workspace: Workspace) -> Iterator[Item]:
    """Yield the items of the catalog as records; raises as ``load_items`` does."""
    yield from from_table(load_items(workspace), Item)
