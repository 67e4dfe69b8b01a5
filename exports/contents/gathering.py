"""Everything that a release holds, after what may not be shared was left out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.errors import UsageError
from benchwright.records import Item
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.contents.auditors import numbered_auditors, without_names
from exports.contents.decisions import decisions_table
from exports.contents.images import image_tables
from exports.contents.labels import label_tables
from exports.contents.records import IMAGES, LABELS
from exports.contents.responses import responses_table
from exports.contents.samples import Samples, all_samples
from exports.contents.vocabulary import vocabulary_table
from labeling.attributes.vocabulary.vocabulary import load_vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """One config: its rows come table by table; ``tables`` may be called again."""

    config: str
    schema: pa.Schema
    tables: Callable[[], Iterable[pa.Table]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What a release is made of.

    ``records`` are those of the samples that are kept, by config; ``items`` the pictures that they
    show. ``left_out`` counts by config and reason; ``inputs`` are digests of the stages.
    """

    contents: tuple[Content, ...]
    records: Mapping[str, Sequence[Any]]
    items: tuple[Item, ...]
    left_out: Mapping[str, Mapping[str, int]]
    inputs: Mapping[str, str]


@dataclass(slots=True)
class _Kept:
    records: dict[str, list[Any]] = field(default_factory=dict)
    left_out: dict[str, Counter[str]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


def gather(
    workspace: Workspace, why_not: Mapping[str, str], withdrawn: Collection[str]
) -> Gathered:
    """Return what a release of the workspace holds.

    ``why_not`` says of pictures that may not be shared why (a licence, a takedown): no sample that
    shows one of them is kept. ``withdrawn`` are ids of samples that were found wrong. Pictures that
    no sample shows are not part of a release; where there are labels and no samples at all, all
    pictures are.

    Raises WorkspaceError for stages that are stale, UsageError where nothing is left.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    samples = all_samples(workspace)
    items = {item.image_id: item for item in iterate_items(workspace) if item.image}
    kept = _Kept()
    for one in samples:
        _keep(one, items, why_not, withdrawn, kept)
    if not samples:
        kept.shown = {name for name in items if name not in why_not}
    if not kept.shown:
        raise UsageError(_nothing(workspace, samples, kept))
    shown = tuple(items[name] for name in sorted(kept.shown))
    inputs = {"catalog": catalog.digest()} | {one.stage: one.manifest.digest() for one in samples}
    labels = store.load_manifest(workspace.labels)
    if labels is not None:
        inputs["labels"] = labels.digest()
    return Gathered(
        contents=tuple(_contents(workspace, samples, kept, shown, has_labels=labels is not None)),
        records=kept.records,
        items=shown,
        left_out={name: dict(sorted(some.items())) for name, some in kept.left_out.items()},
        inputs=dict(sorted(inputs.items())),
    )


def _keep(
    samples: Samples,
    items: Mapping[str, Item],
    why_not: Mapping[str, str],
    withdrawn: Collection[str],
    kept: _Kept,
) -> None:
    records, left_out = [], Counter[str]()
    for record in samples.records:
        pictures = tuple(samples.pictures(record))
        reason = next((why_not[name] for name in pictures if name in why_not), None)
        if samples.name(record) in withdrawn:
            reason = "withdrawn"
        elif any(name not in items for name in pictures):
            reason = "no picture"
        if reason is not None:
            left_out[reason] += 1
            continue
        records.append(record)
        kept.shown.update(pictures)
        kept.names.add(samples.name(record))
    kept.records[samples.config] = records
    kept.left_out[samples.config] = left_out


def _contents(
    workspace: Workspace,
    samples: Sequence[Samples],
    kept: _Kept,
    shown: Sequence[Item],
    *,
    has_labels: bool,
) -> Iterator[Content]:
    journal = read_journal(workspace).decisions
    numbers = numbered_auditors(journal)
    for one in samples:
        records = [without_names(record, numbers) for record in kept.records[one.config]]
        if records:
            yield _at_once(one.config, to_table(records, one.kind))
    yield Content(config="images", schema=IMAGES, tables=lambda: image_tables(workspace, shown))
    if has_labels:
        names = [item.image_id for item in shown]
        yield _at_once("vocabulary", vocabulary_table(load_vocabulary(workspace.vocabulary)))
        yield Content(config="labels", schema=LABELS, tables=lambda: label_tables(workspace, names))
    decisions = decisions_table(journal, numbers, kept.shown, kept.names)
    responses = responses_table(workspace, kept.names)
    yield from (
        _at_once(config, table)
        for config, table in (("decisions", decisions), ("responses", responses))
        if table.num_rows
    )


def _at_once(config: str, table: pa.Table) -> Content:
    return Content(config=config, schema=table.schema, tables=lambda: [table])


def _nothing(workspace: Workspace, samples: Sequence[Samples], kept: _Kept) -> str:
    reasons = sum(kept.left_out.values(), Counter[str]())
    if not samples:
        return (
            f"{workspace.root}: nothing to release: no galleries, no dialogues that people let"
            " stand, and no labelled pictures; run build-galleries first"
        )
    said = ", ".join(f"{reason} {count:,}" for reason, count in sorted(reasons.items()))
    return f"{workspace.root}: every sample is left out ({said or 'there are none'})"
