"""Rows of every source as drafts, and the drafts of one picture as one entry of the catalog."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.identity import image_id_of
from benchwright.records import Change, Dialogue, Item, Reject
from builders.invig.box_order import as_corners
from builders.invig.draft import (
    BoxOrder,
    Draft,
    Embedded,
    Language,
    PictureName,
    Reading,
    Refused,
)
from builders.invig.layouts import read_row
from builders.invig.rows import Rows, Unreadable
from builders.outcomes import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A draft, where it stood, its split, and the folder that its file names are relative to."""

    draft: Draft
    dialogue_id: str
    row: int
    path: str
    where: str
    split: str | None
    folder: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one source held: its rows by layout, and the dialogues read and refused so far."""

    layouts: Counter[str]
    rows: int
    dialogues: int
    refused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRead:
    """All that one source holds.

    ``digest`` is of the content of its rows, in their order; None for a file, which has its own.
    """

    placed: Sequence[Placed]
    rejects: Sequence[Reject]
    tally: Tally
    digest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The pictures as entries; ``held`` are the drafts of each, by image id, in order of id."""

    entries: Sequence[Entry[PictureName]]
    held: dict[str, tuple[Placed, ...]]
    rejects: Sequence[Reject]
    changes: Sequence[Change]


def read_source(
    rows: Rows, number: int, language: Language, source: str, boxes: BoxOrder = "corners"
) -> SourceRead:
    """Read all rows of one source; ``number`` is its place among the sources."""
    placed: list[Placed] = []
    rejects: list[Reject] = []
    layouts: Counter[str] = Counter()
    digest = hashlib.sha256()
    for row_number, row in rows.rows():
        where = f"{rows.name}, {rows.noun} {row_number}"
        reading: Reading
        if isinstance(row, Unreadable):
            name, reading = "unreadable", _unread(row)
        else:
            _take_out_picture(row, number, row_number)
            name, reading = read_row(as_corners(row) if boxes == "xywh" else row, language)
        if rows.path is None:
            digest.update(_line(row))
        layouts[name] += 1
        for one in reading:
            if isinstance(one, Refused):
                rejects.append(_reject(one, row_number, rows.name, where, source))
                continue
            placed.append(
                Placed(
                    draft=one,
                    dialogue_id=one.dialogue_id or _derived_id(one),
                    row=row_number,
                    path=rows.name,
                    where=where,
                    split=rows.split,
                    folder=rows.folder,
                )
            )
    tally = Tally(
        layouts=layouts,
        rows=layouts.total(),
        dialogues=len(placed) + len(rejects),
        refused=len(rejects),
    )
    said = digest.hexdigest() if rows.path is None else None
    return SourceRead(placed=placed, rejects=rejects, tally=tally, digest=said)


def _unread(row: Unreadable) -> list[Refused]:
    return [Refused(dialogue_id=None, reason=row.reason, message=row.message)]


def _take_out_picture(row: dict[str, Any], source: int, number: int) -> None:
    """Leave the hash of a picture's bytes in their place: the bytes are read again when needed."""
    data, name = row.get("image"), row.pop("image_name", None)
    if isinstance(data, bytes):
        row["image"] = Embedded(
            source=source, row=number, sha256=hashlib.sha256(data).hexdigest(), name=name
        )


def _line(row: Any) -> bytes:
    text = json.dumps(row, sort_keys=True, ensure_ascii=True, default=_as_text)
    return f"{text}\n".encode()


def _as_text(value: Any) -> str:
    return value.sha256 if isinstance(value, Embedded) else str(value)


def _content(draft: Draft) -> str:
    """Return what a dialogue says, as text: what two writings of the same one share."""
    lines = [[one.speaker, one.text] for one in draft.utterances]
    return json.dumps([lines, draft.target, draft.candidates, draft.size], ensure_ascii=False)


def _derived_id(draft: Draft) -> str:
    """Return an id for a dialogue that its source gives none: its picture and its content."""
    digest = hashlib.sha256(_content(draft).encode()).hexdigest()
    return f"{draft.picture.source_id}#{digest[:12]}"


def gather(placed: Iterable[Placed], source: str) -> Gathered:
    """Return one entry for each picture, with its dialogues, whatever the order of the rows.

    Of several dialogues of one picture with one id the one with the most candidate boxes is kept
    (then the first by its content). An id that different pictures share is set behind the id of
    the picture.
    """
    by_picture: dict[str, list[Placed]] = defaultdict(list)
    named: dict[str, set[str]] = defaultdict(set)
    for one in placed:
        by_picture[one.draft.picture.source_id].append(one)
        named[one.dialogue_id].add(one.draft.picture.source_id)
    entries: list[Entry[PictureName]] = []
    held: dict[str, tuple[Placed, ...]] = {}
    rejects: list[Reject] = []
    changes: list[Change] = []
    for picture, all_of_it in sorted(by_picture.items()):
        kept, twice = _without_duplicates(all_of_it)
        rejects += [_duplicate(other, one, source) for other, one in twice]
        kept = [_qualified(one) if len(named[one.dialogue_id]) > 1 else one for one in kept]
        entry = _entry(picture, all_of_it, kept, source)
        entries.append(entry)
        held[entry.item.image_id] = tuple(kept)
        changes += _changes(picture, all_of_it, source)
    return Gathered(entries=entries, held=held, rejects=rejects, changes=changes)


def _qualified(one: Placed) -> Placed:
    name = f"{one.draft.picture.source_id}#{one.dialogue_id}"
    change = ("id_not_unique", f"dialogues of several pictures are called {one.dialogue_id!r}")
    draft = replace(one.draft, changes=(*one.draft.changes, change))
    return replace(one, dialogue_id=name, draft=draft)


def _without_duplicates(
    placed: Sequence[Placed],
) -> tuple[list[Placed], list[tuple[Placed, Placed]]]:
    by_id: dict[str, list[Placed]] = defaultdict(list)
    for one in placed:
        by_id[one.dialogue_id].append(one)
    kept: list[Placed] = []
    twice: list[tuple[Placed, Placed]] = []
    for _, same in sorted(by_id.items()):
        first, *others = same if len(same) == 1 else sorted(same, key=_worth)
        kept.append(first)
        twice += [(other, first) for other in others]
    return kept, twice


def _worth(one: Placed) -> tuple[int, str, str, int]:
    """Least for the one to keep; where it stood decides between equals only."""
    return -len(one.draft.candidates), _content(one.draft), one.path, one.row


def _duplicate(other: Placed, kept: Placed, source: str) -> Reject:
    same = _content(other.draft) == _content(kept.draft)
    message = f"{other.where}: the same as {kept.where}"
    if not same:
        message = f"{other.where}: {other.dialogue_id!r} is also in {kept.where}, which is kept"
    return Reject(
        source=source,
        kind="dialogue",
        source_id=other.dialogue_id,
        row=other.row,
        path=other.path,
        reason="duplicate_dialogue" if same else "duplicate_id",
        message=message,
    )


def _entry(
    picture: str, placed: Sequence[Placed], kept: Sequence[Placed], source: str
) -> Entry[PictureName]:
    first = min(placed, key=lambda one: (one.path, one.row))
    splits = _splits(placed)
    name = _merged(picture, placed)
    return Entry(
        item=Item(
            image_id=image_id_of(source, picture),
            image=None,
            sha256=None,
            width=None,
            height=None,
            source=source,
            source_id=picture,
            split=splits[0] if splits else None,
            group_id=None,
            title=None,
            category=None,
            url=name.url,
            licence=None,
            author=None,
            attributes=(),
            objects=(),
            captions=(),
            dialogues=tuple(_unsettled(one) for one in kept),
        ),
        picture=name,
        row=first.row,
        path=first.path,
        where=first.where,
    )


def _unsettled(one: Placed) -> Dialogue:
    """Return a dialogue without boxes, which are set when the picture's size is known."""
    return Dialogue(
        dialogue_id=one.dialogue_id,
        utterances=one.draft.utterances,
        candidate_boxes=(),
        target_box=None,
    )


def _merged(picture: str, placed: Sequence[Placed]) -> PictureName:
    """Return all names of a picture; of different embedded ones the least hash."""
    names = [one.draft.picture for one in placed]
    embedded = [name.embedded for name in names if name.embedded is not None]
    links = sorted(name.url for name in names if name.url is not None)
    return PictureName(
        source_id=picture,
        names=tuple(sorted({text for name in names for text in name.names})),
        url=links[0] if links else None,
        embedded=min(embedded, key=lambda one: (one.sha256, one.source, one.row), default=None),
    )


def _splits(placed: Sequence[Placed]) -> list[str]:
    """Return the splits of a picture; ``train`` first, so that no test set hides one of it."""
    splits = {one.split for one in placed if one.split is not None}
    return sorted(splits, key=lambda split: (split != "train", split))


def _changes(picture: str, placed: Sequence[Placed], source: str) -> Iterator[Change]:
    splits = _splits(placed)
    if len(splits) > 1:
        message = f"in the splits {', '.join(splits)}; {splits[0]} is kept"
        yield _change(picture, "split_conflict", message, source)
    hashes = {one.draft.picture.embedded.sha256 for one in placed if one.draft.picture.embedded}
    if len(hashes) > 1:
        message = f"{len(hashes)} different pictures under this id; the least hash is kept"
        yield _change(picture, "pictures_differ", message, source)


def _change(picture: str, reason: str, message: str, source: str) -> Change:
    return Change(source=source, kind="picture", source_id=picture, reason=reason, message=message)


def _reject(refused: Refused, row: int, path: str, where: str, source: str) -> Reject:
    return Reject(
        source=source,
        kind="dialogue",
        source_id=refused.dialogue_id,
        row=row,
        path=path,
        reason=refused.reason,
        message=f"{where}: {refused.message}",
    )
