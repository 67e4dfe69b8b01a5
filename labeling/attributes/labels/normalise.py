"""Labels from what a catalog states, by rule: spellings become values of the vocabulary.

Where there is no vocabulary.yaml, one is made (guess.py). Once the file is there, it is the only
truth, and the user's.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from benchwright import files, store
from benchwright.errors import UsageError
from benchwright.records import AttributeValue
from benchwright.vocabulary_digest import vocabulary_digest
from benchwright.workspace import Workspace
from labeling.attributes.gathering.by_rule import (
    find_vocabulary,
    keep_vocabulary,
    left_out,
    pictures_of,
)
from labeling.attributes.labels.audited import audited, write_audited
from labeling.attributes.labels.rulings import Rulings, read_rulings
from labeling.attributes.labels.stated_labels import stated_labels
from labeling.attributes.labels.writing import CATALOG
from labeling.attributes.vocabulary.accepting import chosen
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.stated import Stated
from labeling.attributes.vocabulary.suggestions import Suggestion, accept, suggest
from labeling.attributes.vocabulary.vocabulary import Vocabulary


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

    Raises WorkspaceError without a catalog, UsageError where votes stand there, for a vocabulary
    that cannot be used or for a name that is no suggestion; nothing is written then.
    """
    if store.load_manifest(workspace.votes) is not None:
        raise UsageError(
            f"{workspace.votes} holds votes, of which labels are made: run label-attributes decide"
            " (label-attributes vocabulary --accept takes suggestions)"
        )
    found = find_vocabulary(workspace, vocabulary_file)
    vocabulary, counts = found.vocabulary, found.counts
    if accepted is not None:
        suggestions = suggest(vocabulary, pictures_of(counts, vocabulary))
        vocabulary = reduce(accept, chosen(suggestions, accepted, _names), vocabulary)
    workspace.labels.mkdir(parents=True, exist_ok=True)
    files.remove_leftovers(workspace.labels)
    if found.made or vocabulary_file is not None or accepted is not None:
        keep_vocabulary(workspace, found, vocabulary)
    rulings = read_rulings(workspace, vocabulary, found.stated.image_ids)
    inputs = {"catalog": found.catalog, "vocabulary": vocabulary_digest(workspace.vocabulary)}
    if rulings.digest is not None:
        inputs["decisions"] = rulings.digest
    plan = store.Plan(stage="labels", inputs=inputs, settings=CATALOG)
    manifest = None if force else store.finished(workspace.labels, plan)
    done_before = manifest is not None
    manifest = manifest or _write(workspace, plan, found.stated, vocabulary, rulings)
    return Normalised(
        vocabulary=vocabulary,
        manifest=manifest,
        made_vocabulary=found.made,
        done_before=done_before,
        merged=_merged(counts, vocabulary),
        left_out=left_out(counts, vocabulary),
        pictures=pictures_of(counts, vocabulary),
    )


def _names(suggestion: Suggestion) -> tuple[str, str]:
    return suggestion.value, f"{suggestion.type}: {suggestion.value}"


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


def _set_aside(counts: Mapping[tuple[str, str], int], vocabulary: Vocabulary) -> int:
    aside = vocabulary.aside()
    return sum(n for (name, value), n in counts.items() if (fold(name), fold(value)) in aside)


def _write(
    workspace: Workspace,
    plan: store.Plan,
    stated: Stated,
    vocabulary: Vocabulary,
    rulings: Rulings,
) -> store.Manifest:
    counts = stated.pictures()
    reasons = {
        "not_in_vocabulary": sum(left_out(counts, vocabulary).values()),
        "set_aside": _set_aside(counts, vocabulary),
    }
    labels = stated_labels(stated, vocabulary)
    return write_audited(
        workspace,
        plan,
        audited(labels, labels, rulings),
        rulings,
        counts={
            "pictures": len(stated.image_ids),
            "types": len(vocabulary.types),
            "values": len(vocabulary.values),
        },
        reasons={reason: count for reason, count in reasons.items() if count},
    )
