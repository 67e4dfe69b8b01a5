"""The vocabulary of a catalog by rule: the file that is there, or one made of what is stated."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright import files, store
from benchwright.errors import UsageError
from benchwright.vocabulary_digest import vocabulary_digest, vocabulary_text_digest
from benchwright.workspace import Workspace
from labeling.attributes.vocabulary.guess import guess_vocabulary
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.stated import Stated, read_stated
from labeling.attributes.vocabulary.vocabulary import (
    Vocabulary,
    load_vocabulary,
    save_vocabulary,
    vocabulary_text,
)

Counts = Mapping[tuple[str, str], int]  # (type, value): pictures


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a catalog states and the vocabulary that stands for it."""

    catalog: str  # digest of the catalog
    items: str  # and of its items alone
    stated: Stated
    counts: Counts  # as the catalog spells them
    vocabulary: Vocabulary
    made: bool  # there was none, so one was made of what is stated


def find_vocabulary(workspace: Workspace, vocabulary_file: Path | None = None) -> Found:
    """Return the vocabulary of a workspace, or of ``vocabulary_file``, or one that is made.

    Nothing is written. Raises WorkspaceError without a catalog, UsageError for a vocabulary that
    cannot be used.
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
    forgotten = left_out(counts, vocabulary)
    if vocabulary_file is None and sum(forgotten.values()) * 2 > sum(counts.values()):
        raise UsageError(_of_another(workspace, forgotten, counts))
    return Found(
        catalog=catalog.digest(),
        items=items,
        stated=stated,
        counts=counts,
        vocabulary=vocabulary,
        made=made,
    )


def keep_vocabulary(workspace: Workspace, found: Found, vocabulary: Vocabulary) -> None:
    """Write vocabulary.yaml, and note where it was made rather than written by a person."""
    if found.made:  # the note first: a vocabulary without one is taken for a person's
        digest = vocabulary_text_digest(vocabulary_text(vocabulary))
        files.write_json(_guess_note(workspace), {"items": found.items, "vocabulary": digest})
    save_vocabulary(vocabulary, workspace.vocabulary)


def pictures_of(counts: Counts, vocabulary: Vocabulary) -> Counts:
    """Return about how many pictures each value of the vocabulary has, aliases included."""
    lookup = vocabulary.lookup()
    found: Counter[tuple[str, str]] = Counter()
    for (type_name, value), count in counts.items():
        entry = lookup.get((fold(type_name), fold(value)))
        if entry is not None:
            found[entry.type, entry.value] += count
    return found


def left_out(counts: Counts, vocabulary: Vocabulary) -> Counts:
    """Return what is stated and neither stands in the vocabulary nor is set aside there."""
    known = vocabulary.lookup().keys() | vocabulary.aside().keys()
    return {
        pair: count
        for pair, count in sorted(counts.items())
        if (fold(pair[0]), fold(pair[1])) not in known
    }


def _guess_note(workspace: Workspace) -> Path:
    """Where it is noted which vocabulary was guessed, and for which catalog."""
    return workspace.labels / ".guess.json"


def _guess_anew(workspace: Workspace, items: str) -> bool:
    """Tell whether to make a vocabulary: there is none, or one guessed for another catalog.

    One that a person has edited is never guessed over.
    """
    if not workspace.vocabulary.is_file():
        return True
    note = files.read_json_object(_guess_note(workspace))
    unedited = note.get("vocabulary") == vocabulary_digest(workspace.vocabulary)
    return bool(unedited and note.get("items") != items)


def _of_another(workspace: Workspace, forgotten: Counts, counts: Counts) -> str:
    (type_name, value), *_ = forgotten
    return (
        f"{workspace.vocabulary} leaves out {sum(forgotten.values()):,} of "
        f"{sum(counts.values()):,} values that the catalog states (such as {type_name}: "
        f"{value!r}), so it was made for another catalog; remove it to have a new one made, or "
        "name one with label-attributes normalise --vocabulary FILE"
    )
