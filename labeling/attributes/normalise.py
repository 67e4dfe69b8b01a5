"""Labels from what a catalog states, by rule: spellings become values of the vocabulary.

Where there is no vocabulary.yaml, one is made (guess.py). Once the file is there, it is the only
truth, and the user's.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright import files, store
from benchwright.errors import UsageError
from benchwright.records import SCHEMAS, AttributeValue, Label
from benchwright.workspace import Workspace
from benchwright.yaml_files import text_digest, yaml_digest
from labeling.attributes.guess import guess_vocabulary
from labeling.attributes.spelling import fold
from labeling.attributes.stated import Stated, read_stated
from labeling.attributes.suggestions import Suggestion, accept, suggest
from labeling.attributes.vocabulary import (
    Vocabulary,
    load_vocabulary,
    save_vocabulary,
    vocabulary_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """What a normalisation did."""

    vocabulary: Vocabulary
    manifest: store.Manifest
    made_vocabulary: bool  # there was none, so one was written
    done_before: bool
    merged: Sequence[tuple[AttributeValue, Sequence[str]]]  # value, spellings it stands for
    left_out: Mapping[tuple[str, str], int]  # (type, value) in no entry: pictures
    pictures: Mapping[tuple[str, str], int]  # how many have each (type, value), about

    def suggestions(self) -> Sequence[Suggestion]:
        """Return what a person may want to merge."""
        return suggest(self.vocabulary, self.pictures)


def normalise(
    workspace: Workspace,
    *,
    vocabulary_file: Path | None = None,
    accepted: str | None = None,
    force: bool = False,
) -> Normalised:
    """Write labels.parquet with origin ``catalog``, and vocabulary.yaml where there is none.

    ``vocabulary_file`` replaces vocabulary.yaml first. ``accepted`` names suggestions to take:
    ``all``, or their values with commas between them.

    Raises WorkspaceError without a catalog, UsageError for a vocabulary that cannot be used or
    for a name that is no suggestion.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    items = catalog.content["items"]  # what was refused does not matter here
    stated = read_stated(workspace)
    counts = stated.pictures()
    made = vocabulary_file is None and _guess_anew(workspace, items)
    if made:
        vocabulary = guess_vocabulary(stated)
    else:
        vocabulary = load_vocabulary(vocabulary_file or workspace.vocabulary)
    left_out = _left_out(counts, vocabulary)
    if vocabulary_file is None and sum(left_out.values()) * 2 > sum(counts.values()):
        raise UsageError(_of_another(workspace, left_out, counts))
    if accepted is not None:
        chosen = _chosen(suggest(vocabulary, _canonical(counts, vocabulary)), accepted)
        vocabulary = reduce(accept, chosen, vocabulary)
        left_out = _left_out(counts, vocabulary)
    workspace.labels.mkdir(parents=True, exist_ok=True)
    files.remove_leftovers(workspace.labels)
    if made:  # the note first: a vocabulary without one is taken for a person's
        digest = text_digest(vocabulary_text(vocabulary))
        files.write_json(_guess_note(workspace), {"items": items, "vocabulary": digest})
    if made or vocabulary_file is not None or accepted is not None:
        save_vocabulary(vocabulary, workspace.vocabulary)
    digest = yaml_digest(workspace.vocabulary)
    plan = store.Plan(
        stage="labels",
        inputs={"catalog": catalog.digest(), "vocabulary": digest},
        settings={"method": "catalog"},
    )
    manifest = None if force else store.finished(workspace.labels, plan)
    done_before = manifest is not None
    manifest = manifest or _write(workspace, plan, stated, vocabulary)
    return Normalised(
        vocabulary=vocabulary,
        manifest=manifest,
        made_vocabulary=made,
        done_before=done_before,
        merged=_merged(counts, vocabulary),
        left_out=left_out,
        pictures=_canonical(counts, vocabulary),
    )


def _guess_note(workspace: Workspace) -> Path:
    """Where it is noted which vocabulary was guessed, and for which catalog."""
    return workspace.labels / ".guess.json"


def _guess_anew(workspace: Workspace, items: str) -> bool:
    """Tell whether to make a vocabulary: there is none, or one guessed for another catalog.

    One that a person has edited is never guessed over.
    """
    if not workspace.vocabulary.is_file():
        return True
    try:
        note = json.loads(_guess_note(workspace).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    unedited = note.get("vocabulary") == yaml_digest(workspace.vocabulary)
    return bool(unedited and note.get("items") != items)


def _of_another(
    workspace: Workspace, left_out: Mapping[tuple[str, str], int], counts: Mapping[Any, int]
) -> str:
    (type_name, value), *_ = left_out
    return (
        f"{workspace.vocabulary} leaves out {sum(left_out.values()):,} of {sum(counts.values()):,} "
        f"values that the catalog states (such as {type_name}: {value!r}), so it was made for "
        "another catalog; remove it to have a new one made, or name one with "
        "label-attributes normalise --vocabulary FILE"
    )


def _canonical(
    counts: Mapping[tuple[str, str], int], vocabulary: Vocabulary
) -> Mapping[tuple[str, str], int]:
    """Return about how many pictures each value of the vocabulary has, aliases included."""
    lookup = vocabulary.lookup()
    found: Counter[tuple[str, str]] = Counter()
    for (type_name, value), count in counts.items():
        entry = lookup.get((fold(type_name), fold(value)))
        if entry is not None:
            found[entry.type, entry.value] += count
    return found


def _chosen(suggestions: Sequence[Suggestion], accepted: str) -> Sequence[Suggestion]:
    """Return the suggestions that are named: ``all``, or values with commas between them.

    Names, not numbers: the same command run twice must not accept what nobody has seen.
    """
    if accepted.strip() == "all":
        return suggestions
    chosen = []
    for name in filter(None, map(str.strip, accepted.split(","))):
        found = [one for one in suggestions if name in (one.value, f"{one.type}: {one.value}")]
        if not found:
            some = ", ".join(one.value for one in suggestions[:5]) or "none is left"
            raise UsageError(f"--accept: {name!r} is no suggestion; there are: {some}")
        if len(found) > 1:
            names = ", ".join(f"{one.type}: {one.value}" for one in found)
            raise UsageError(f"--accept: {name!r} is suggested more than once; say which: {names}")
        chosen += found
    return chosen


def _merged(
    counts: Mapping[tuple[str, str], int], vocabulary: Vocabulary
) -> Sequence[tuple[AttributeValue, Sequence[str]]]:
    lookup = vocabulary.lookup()
    found: dict[AttributeValue, list[str]] = defaultdict(list)
    for type_name, value in counts:
        entry = lookup.get((fold(type_name), fold(value)))
        if entry is not None:
            elsewhere = fold(type_name) != fold(entry.type)
            found[entry].append(f"{type_name}: {value}" if elsewhere else value)
    return [(entry, sorted(found[entry])) for entry in vocabulary.values if len(found[entry]) > 1]


def _left_out(
    counts: Mapping[tuple[str, str], int], vocabulary: Vocabulary
) -> Mapping[tuple[str, str], int]:
    lookup = vocabulary.lookup()
    return {
        pair: count
        for pair, count in sorted(counts.items())
        if (fold(pair[0]), fold(pair[1])) not in lookup
    }


def _write(
    workspace: Workspace, plan: store.Plan, stated: Stated, vocabulary: Vocabulary
) -> store.Manifest:
    with store.writing(
        workspace.labels, plan, configs={"labels": "labels.parquet"}, owns=("labels.parquet",)
    ) as out:
        labels = _labels(stated, vocabulary)
        out.table("labels", labels)
        out.counts.update(
            labels=labels.num_rows,
            pictures=len(stated.image_ids),
            types=len(vocabulary.types),
            values=len(vocabulary.values),
        )
        left_out = _left_out(stated.pictures(), vocabulary)
        if left_out:
            out.reasons["not_in_vocabulary"] = sum(left_out.values())
    return store.require(workspace.labels, "label-attributes normalise")


def _labels(stated: Stated, vocabulary: Vocabulary) -> pa.Table:
    """Return one label yes for each value that the catalog states of a picture."""
    lookup = vocabulary.lookup()
    column_of = {value: at for at, value in enumerate(vocabulary.values)}
    entries = [lookup.get((fold(type_name), fold(value))) for type_name, value in stated.pairs]
    columns = np.array([-1 if entry is None else column_of[entry] for entry in entries], np.int64)
    column = columns[stated.which] if len(stated.which) else np.zeros(0, np.int64)
    width = max(1, len(vocabulary.values))
    cells = np.unique(stated.rows[column >= 0].astype(np.int64) * width + column[column >= 0])
    rows, held = np.divmod(cells, width)
    return _as_labels(
        stated.image_ids.take(pa.array(rows)),
        pa.array([value.type for value in vocabulary.values], pa.string()).take(pa.array(held)),
        pa.array([value.value for value in vocabulary.values], pa.string()).take(pa.array(held)),
    )


def _as_labels(image_ids: pa.Array, types: pa.Array, values: pa.Array) -> pa.Table:
    count = len(image_ids)
    stated = {
        "image_id": image_ids,
        "type": types,
        "value": values,
        "answer": pa.repeat(pa.scalar("yes"), count),
        "votes_counted": pa.repeat(pa.scalar(0, pa.int32()), count),
        "votes_saved": pa.repeat(pa.scalar(0, pa.int32()), count),
        "origin": pa.repeat(pa.scalar("catalog"), count),
    }
    schema = SCHEMAS[Label]
    columns = [stated.get(field.name, pa.nulls(count, field.type)) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)
