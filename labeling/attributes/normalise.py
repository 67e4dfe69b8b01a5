"""Labels from what a catalog states, by rule: spellings become values of the vocabulary.

Where there is no vocabulary.yaml, one is made (guess.py). Once the file is there, it is the only
truth, and the user's.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchwright import files, store
from benchwright.errors import UsageError
from benchwright.records import SCHEMAS, AttributeValue, Label
from benchwright.workspace import Workspace
from labeling.attributes.guess import guess_vocabulary
from labeling.attributes.spelling import fold
from labeling.attributes.stated import Stated, read_stated
from labeling.attributes.suggestions import Suggestion, accept, suggest
from labeling.attributes.vocabulary import (
    Vocabulary,
    load_vocabulary,
    save_vocabulary,
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
    suggestions: Sequence[Suggestion]


def normalise(
    workspace: Workspace,
    *,
    vocabulary_file: Path | None = None,
    accepted: str | None = None,
    force: bool = False,
) -> Normalised:
    """Write labels.parquet with origin ``catalog``, and vocabulary.yaml where there is none.

    ``vocabulary_file`` replaces vocabulary.yaml first. ``accepted`` names suggestions of the last
    run to take: ``all``, or numbers with commas between them.

    Raises WorkspaceError without a catalog, UsageError for a vocabulary that cannot be used or
    for a number that is no suggestion.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    stated = read_stated(workspace)
    counts = stated.pictures()
    made = vocabulary_file is None and not workspace.vocabulary.is_file()
    if vocabulary_file is not None:
        vocabulary = load_vocabulary(vocabulary_file)
    else:
        vocabulary = guess_vocabulary(stated) if made else load_vocabulary(workspace.vocabulary)
    if accepted is not None:
        chosen = _chosen(suggest(vocabulary, _canonical(counts, vocabulary)), accepted)
        vocabulary = reduce(accept, chosen, vocabulary)
    workspace.labels.mkdir(parents=True, exist_ok=True)
    files.remove_leftovers(workspace.labels)
    if made or vocabulary_file is not None or accepted is not None:
        save_vocabulary(vocabulary, workspace.vocabulary)
    plan = store.Plan(
        stage="labels",
        inputs={"catalog": catalog.digest(), "vocabulary": store.yaml_digest(workspace.vocabulary)},
        settings={"method": "catalog"},
    )
    manifest = None if force else store.finished(workspace.labels, plan)
    done_before = manifest is not None
    manifest = manifest or _write(workspace, plan, stated, vocabulary)
    canonical = _canonical(counts, vocabulary)
    return Normalised(
        vocabulary=vocabulary,
        manifest=manifest,
        made_vocabulary=made,
        done_before=done_before,
        merged=_merged(counts, vocabulary),
        left_out=_left_out(counts, vocabulary),
        suggestions=suggest(vocabulary, canonical),
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
    if accepted.strip() == "all":
        return suggestions
    chosen = []
    for part in accepted.split(","):
        number = int(part) if part.strip().isdecimal() else 0
        if not 1 <= number <= len(suggestions):
            raise UsageError(
                f"--accept takes all, or numbers from 1 to {len(suggestions)} with commas "
                f"between them; got {part.strip()!r}"
            )
        chosen.append(suggestions[number - 1])
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
