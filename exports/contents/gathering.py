"""Everything that a release holds, after what may not be shared was left out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.errors import UsageError
from benchwright.next_step import workspace_text
from benchwright.records import Episode, Item
from benchwright.rows import content_digest, to_table
from benchwright.status import StageStatus, read_status
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.canary import with_canary
from exports.contents.auditors import numbered_auditors, without_names
from exports.contents.decisions import decisions_table
from exports.contents.images import image_tables
from exports.contents.keeping import Kept, kept_samples, untold_samples
from exports.contents.labels import label_tables
from exports.contents.private_answers import hold_back, holds_answers, without_traces
from exports.contents.records import IMAGES, LABELS
from exports.contents.responses import answered_questions
from exports.contents.samples import Samples, all_samples, check_fresh
from exports.contents.terms import Terms
from exports.contents.trajectories import played_episodes
from exports.contents.vocabulary import vocabulary_table
from labeling.attributes.vocabulary.vocabulary import load_vocabulary

_TELLS = "tells answers that are held back"

# why dialogues are withheld that people have not come to
_FOR_PEOPLE = ("not judged yet", "not approved yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """One config: its rows come table by table; ``tables`` may be called again.

    ``identity`` is a digest of all that decides the rows; ``rows`` is how many they are.
    """

    config: str
    schema: pa.Schema
    identity: str
    rows: int
    tables: Callable[[], Iterable[pa.Table]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What a release is made of.

    ``contents`` are its configs, each with rows (``datasets`` loads none without), in the order of
    the card: samples first. ``records`` are those of the samples, by config, as they go out but
    with their answers; ``items`` the pictures that they show. ``held`` are answers that do not go
    out, by config. ``left_out`` counts by config and reason; ``inputs`` are the manifests of the
    stages, by their folder.
    """

    contents: tuple[Content, ...]
    records: Mapping[str, Sequence[Any]]
    items: tuple[Item, ...]
    held: Mapping[str, pa.Table]
    left_out: Mapping[str, Mapping[str, int]]
    inputs: Mapping[str, store.Manifest]


def gather(workspace: Workspace, terms: Terms) -> Gathered:
    """Return what a release of the workspace holds.

    Pictures that no sample shows are not part of a release; where there are labels and no samples
    at all, all pictures are. Raises WorkspaceError for stages that are stale or broken, UsageError
    where nothing is left.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    stages = read_status(workspace)
    labels = _labels(workspace, stages)
    samples: Sequence[Samples] = all_samples(workspace, stages)
    if terms.answer_key is not None:
        samples = untold_samples(samples, terms.answer_key)
    items = {item.image_id: item for item in iterate_items(workspace) if item.image}
    kept = kept_samples(samples, items, terms)
    if labels is not None and not any(one.records for one in samples):
        kept.pictures = {name for name in items if name not in terms.why_not}
        kept.left_out["images"] = Counter(terms.why_not.values())
    if not kept.pictures:
        raise UsageError(_nothing(workspace, kept))
    inputs = {"catalog": catalog} | {one.stage: one.manifest for one in samples}
    if labels is not None:
        inputs["labels"] = labels
    shown = [items[name] for name in sorted(kept.pictures)]
    return _gathered(workspace, samples, kept, shown, inputs, terms)


def _labels(workspace: Workspace, stages: Iterable[StageStatus]) -> store.Manifest | None:
    """Return the manifest of the labels; raises WorkspaceError where they are stale."""
    stage = next((one for one in stages if one.name == "labels"), None)
    if stage is None or stage.manifest is None:
        return None
    check_fresh(workspace, stage)
    return stage.manifest


def _gathered(
    workspace: Workspace,
    samples: Sequence[Samples],
    kept: Kept,
    shown: Sequence[Item],
    inputs: Mapping[str, store.Manifest],
    terms: Terms,
) -> Gathered:
    journal = read_journal(workspace).decisions
    numbers = numbered_auditors(journal)
    contents: list[Content] = []
    held: dict[str, pa.Table] = {}
    records = {
        config: [without_names(record, numbers) for record in some]
        for config, some in kept.records.items()
    }
    for one in samples:
        table = to_table(records[one.config], one.kind)
        if terms.answer_key is not None and table.num_rows and holds_answers(one.config):
            table, held[one.config] = hold_back(one.config, table, terms.answer_key)
        contents.append(_at_once(one.config, with_canary(table, terms.canary)))
    contents.append(_images(workspace, shown, inputs["catalog"], terms))
    judged: set[str] = kept.pictures
    if "labels" in inputs:
        told = list(_labelled(workspace, shown, inputs))
        if any(config.startswith("hidden-target") for config in held):
            kept.left_out["labels"] = Counter({_TELLS: len(shown)})
            told, judged = told[:1], set()
            inputs = {**inputs, "labels": without_traces(inputs["labels"])}
        contents += told
    without = terms.without_runs
    answered = answered_questions(workspace, _questions(records), without)
    about = kept.audited_ids | answered.audited_ids
    decisions = decisions_table(journal, numbers, judged, about)
    contents.append(_at_once("decisions", decisions))
    contents.append(_at_once("responses", answered.table))
    kept.left_out["responses"] = answered.left_out
    played = played_episodes(workspace, _episodes(samples, records), held, without)
    contents.append(_at_once("trajectories", played.table))
    kept.left_out["trajectories"] = played.left_out
    inputs = {**inputs, **played.runs}
    return Gathered(
        contents=tuple(one for one in contents if one.rows),
        records=records,
        items=tuple(shown),
        held=held,
        left_out={name: dict(sorted(some.items())) for name, some in kept.left_out.items() if some},
        inputs=dict(sorted(inputs.items())),
    )


def _episodes(
    samples: Sequence[Samples], records: Mapping[str, Sequence[Any]]
) -> dict[str, frozenset[str]]:
    """Return the ids of the released episodes by config."""
    return {
        one.config: frozenset(record.episode_id for record in records[one.config])
        for one in samples
        if one.kind is Episode
    }


def _questions(records: Mapping[str, Sequence[Any]]) -> dict[tuple[str, int], str]:
    """Return the questions of the released false premises by dialogue and turn."""
    return {
        (record.dialogue_id, turn.index): turn.asked_question
        for record in records.get("false-premise", ())
        for turn in record.turns
    }


def _images(
    workspace: Workspace, shown: Sequence[Item], catalog: store.Manifest, terms: Terms
) -> Content:
    names = [item.image_id for item in shown]
    return Content(
        config="images",
        schema=IMAGES,
        identity=store.digest_of([names, catalog.digest(), terms.keep_metadata]),
        rows=len(names),
        tables=lambda: image_tables(workspace, shown, keep_metadata=terms.keep_metadata),
    )


def _labelled(
    workspace: Workspace, shown: Sequence[Item], inputs: Mapping[str, store.Manifest]
) -> Iterator[Content]:
    """Yield the vocabulary, then the labels."""
    names = [item.image_id for item in shown]
    vocabulary = vocabulary_table(load_vocabulary(workspace.vocabulary))
    yield _at_once("vocabulary", vocabulary)
    made_of = [inputs[stage].digest() for stage in ("catalog", "labels")]
    yield Content(
        config="labels",
        schema=LABELS,
        identity=store.digest_of([names, content_digest([vocabulary]), *made_of]),
        rows=len(names) * vocabulary.num_rows,
        tables=lambda: label_tables(workspace, names),
    )


def _at_once(config: str, table: pa.Table) -> Content:
    return Content(
        config=config,
        schema=table.schema,
        identity=content_digest([table]),
        rows=table.num_rows,
        tables=lambda: [table],
    )


def _nothing(workspace: Workspace, kept: Kept) -> str:
    reasons = sum(kept.left_out.values(), Counter[str]())
    if not reasons:
        return (
            f"{workspace.root}: nothing to release: no galleries, no dialogues that people let"
            " stand, and no labelled pictures; run build-galleries first"
        )
    said = ", ".join(f"{reason} {count:,}" for reason, count in sorted(reasons.items()))
    waits = any(reason in _FOR_PEOPLE for reason in reasons)
    status = f"benchwright status{workspace_text(workspace)}"
    return f"{workspace.root}: everything is left out ({said})" + (
        f"; people have to judge first: {status} says what" if waits else ""
    )
