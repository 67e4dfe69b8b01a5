"""Everything that a release holds, after what may not be shared was left out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.errors import UsageError
from benchwright.records import Item
from benchwright.rows import content_digest, to_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.canary import with_canary
from exports.contents.auditors import numbered_auditors, without_names
from exports.contents.decisions import decisions_table
from exports.contents.images import image_tables
from exports.contents.labels import label_tables
from exports.contents.private_answers import held_fields, hold_back
from exports.contents.records import IMAGES, LABELS
from exports.contents.responses import responses_table
from exports.contents.samples import Samples, all_samples
from exports.contents.vocabulary import vocabulary_table
from labeling.attributes.vocabulary.vocabulary import load_vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """One config: its rows come table by table; ``tables`` may be called again.

    ``identity`` is a digest of all that decides the rows.
    """

    config: str
    schema: pa.Schema
    identity: str
    tables: Callable[[], Iterable[pa.Table]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms things are released.

    ``why_not`` says of pictures that may not be shared why (a licence, a takedown): no sample that
    shows one of them is kept. ``withdrawn`` are ids of samples that were found wrong. With an
    ``answer_key`` the answers of samples are held back, with ``keep_metadata`` pictures keep their
    EXIF and the like.
    """

    canary: str
    why_not: Mapping[str, str] = field(default_factory=dict)
    withdrawn: frozenset[str] = frozenset()
    answer_key: bytes | None = None
    keep_metadata: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What a release is made of.

    ``records`` are those of the samples that are kept, by config; ``items`` the pictures that they
    show. ``held`` are answers that do not go out, by config. ``left_out`` counts by config and
    reason; ``inputs`` are the manifests of the stages, by their folder.
    """

    contents: tuple[Content, ...]
    records: Mapping[str, Sequence[Any]]
    items: tuple[Item, ...]
    held: Mapping[str, pa.Table]
    left_out: Mapping[str, Mapping[str, int]]
    inputs: Mapping[str, store.Manifest]


@dataclass(slots=True)
class _Kept:
    records: dict[str, list[Any]] = field(default_factory=dict)
    left_out: dict[str, Counter[str]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


def gather(workspace: Workspace, terms: Terms) -> Gathered:
    """Return what a release of the workspace holds.

    Pictures that no sample shows are not part of a release; where there are labels and no samples
    at all, all pictures are. Raises WorkspaceError for stages that are stale, UsageError where
    nothing is left.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    samples = all_samples(workspace)
    items = {item.image_id: item for item in iterate_items(workspace) if item.image}
    kept = _Kept()
    for one in samples:
        _keep(one, items, terms, kept)
    labels = store.load_manifest(workspace.labels)
    if not samples and labels is not None:
        kept.shown = {name for name in items if name not in terms.why_not}
        kept.left_out["images"] = Counter(terms.why_not.values())
    if not kept.shown:
        raise UsageError(_nothing(workspace, kept))
    inputs = {"catalog": catalog} | {one.stage: one.manifest for one in samples}
    if labels is not None:
        inputs["labels"] = labels
    return _gathered(
        workspace, samples, kept, [items[name] for name in sorted(kept.shown)], inputs, terms
    )


def _keep(samples: Samples, items: Mapping[str, Item], terms: Terms, kept: _Kept) -> None:
    records, left_out = [], Counter[str]()
    for record in samples.records:
        pictures = tuple(samples.pictures(record))
        reason = next((terms.why_not[name] for name in pictures if name in terms.why_not), None)
        if samples.name(record) in terms.withdrawn:
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


def _gathered(
    workspace: Workspace,
    samples: Sequence[Samples],
    kept: _Kept,
    shown: Sequence[Item],
    inputs: Mapping[str, store.Manifest],
    terms: Terms,
) -> Gathered:
    journal = read_journal(workspace).decisions
    numbers = numbered_auditors(journal)
    contents: list[Content] = []
    held: dict[str, pa.Table] = {}
    for one in samples:
        records = [without_names(record, numbers) for record in kept.records[one.config]]
        if not records:
            continue
        table = to_table(records, one.kind)
        if terms.answer_key is not None and held_fields(one.config):
            ids = [one.name(record) for record in records]
            table, held[one.config] = hold_back(one.config, table, ids, terms.answer_key)
        contents.append(_at_once(one.config, with_canary(table, terms.canary)))
    contents += _shared(workspace, shown, inputs, terms)
    people = decisions_table(journal, numbers, kept.shown, kept.names)
    models = responses_table(workspace, kept.names)
    contents += [
        _at_once(config, table)
        for config, table in (("decisions", people), ("responses", models))
        if table.num_rows
    ]
    return Gathered(
        contents=tuple(contents),
        records=kept.records,
        items=tuple(shown),
        held=held,
        left_out={name: dict(sorted(some.items())) for name, some in kept.left_out.items()},
        inputs=dict(sorted(inputs.items())),
    )


def _shared(
    workspace: Workspace,
    shown: Sequence[Item],
    inputs: Mapping[str, store.Manifest],
    terms: Terms,
) -> Iterator[Content]:
    """Yield what several kinds of samples need."""
    names = [item.image_id for item in shown]
    yield Content(
        config="images",
        schema=IMAGES,
        identity=store.digest_of([names, inputs["catalog"].digest(), terms.keep_metadata]),
        tables=lambda: image_tables(workspace, shown, keep_metadata=terms.keep_metadata),
    )
    if "labels" in inputs:
        vocabulary = vocabulary_table(load_vocabulary(workspace.vocabulary))
        yield _at_once("vocabulary", vocabulary)
        made_of = [inputs[stage].digest() for stage in ("catalog", "labels")]
        yield Content(
            config="labels",
            schema=LABELS,
            identity=store.digest_of([names, content_digest([vocabulary]), *made_of]),
            tables=lambda: label_tables(workspace, names),
        )


def _at_once(config: str, table: pa.Table) -> Content:
    identity = content_digest([table])
    return Content(config=config, schema=table.schema, identity=identity, tables=lambda: [table])


def _nothing(workspace: Workspace, kept: _Kept) -> str:
    if not kept.records and not kept.left_out:
        return (
            f"{workspace.root}: nothing to release: no galleries, no dialogues that people let"
            " stand, and no labelled pictures; run build-galleries first"
        )
    reasons = sum(kept.left_out.values(), Counter[str]())
    said = ", ".join(f"{reason} {count:,}" for reason, count in sorted(reasons.items()))
    return f"{workspace.root}: everything is left out ({said or 'there are none'})"
