"""Files of COCO merged by picture: which records mean one picture, and what it then holds.

A picture's source id is its split and its file name: ``validation/000000062554.jpg``. Of a
relative name those folders are left out that all of a file begin with; of a link or an absolute
path, which is some machine's, all that are not needed to tell it from another. Numbers would not
do: exports number their pictures anew, and files of two splits may use one number for two pictures.

- Records of one split and one name are one picture, whatever their numbers and files.
- A name that ends like just one other of the same number and split means that one
  (``a.jpg`` in one file, ``cam1/a.jpg`` in the other).
- A record without a split joins the picture of its number and name where just one split has it.
- The same name in two splits is two pictures: a leak between splits must stay to be seen.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.errors import SourceError
from benchwright.records import Change, Reject
from builders.coco.names import common_folders
from builders.coco.reading import CocoFile, PictureRecord
from builders.coco.values import id_order, shown

Key = tuple[str, str]  # a file's label and a picture id in it


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPicture:
    """A picture with the records that mean it, in the order of files and ids.

    ``tail`` are the folders and the base name that the source id is made of.
    """

    source_id: str
    split: str | None
    tail: tuple[str, ...]
    records: tuple[PictureRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The pictures of all files, and where the annotations of each file belong."""

    pictures: tuple[MergedPicture, ...]
    owners: dict[Key, str]  # source ids
    ambiguous: frozenset[Key]  # picture ids that different pictures of one file have
    rejects: tuple[Reject, ...]
    changes: Mapping[str, Sequence[Change]]  # by source id
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    record: PictureRecord
    split: str | None
    tail: tuple[str, ...]

    @property
    def source_id(self) -> str:
        return "/".join([*([] if self.split is None else [self.split]), *self.tail])

    @property
    def key(self) -> Key:
        return self.record.file, self.record.picture_id


def merge(files: Sequence[CocoFile], source: str, *, keep_going: bool) -> Merged:
    """Merge files, given in an order that their contents decide.

    Raises SourceError for faults of the files unless ``keep_going``; then what they concern is
    rejected, or changed, and the faults are notices.
    """
    named = [one for file in files for one in _named(file)]
    ambiguous = _ambiguous(named)
    faults = [fault for file in files for fault in file.faults]
    for file in files:
        ids = [key for label, key in ambiguous if label == file.label]
        if ids:
            what = "picture ids that different pictures have"
            faults.append(f"{file.label}: {what}: {shown(ids)}")
    if faults and not keep_going:
        raise SourceError(
            f"{'; '.join(faults)}. Mend the file, or give --keep-going: what cannot be told apart "
            "is then left out, row by row"
        )
    clear = [one for one in named if one.key not in ambiguous]
    joined = _joined(clear)
    groups: dict[str, list[_Named]] = defaultdict(list)
    for one in joined:
        groups[one.source_id].append(one)
    pictures = tuple(_picture(source_id, group) for source_id, group in sorted(groups.items()))
    return Merged(
        pictures=pictures,
        owners={one.key: one.source_id for one in joined},
        ambiguous=frozenset(ambiguous),
        rejects=tuple(_refuse(one, source) for one in named if one.key in ambiguous),
        changes={one.source_id: tuple(_renumbered(one, source)) for one in pictures},
        notices=(*faults, *_in_several_splits(pictures)),
    )


def _named(file: CocoFile) -> Iterable[_Named]:
    """Yield the pictures of a file under the names that tell them apart."""
    names = [one.name for one in file.pictures if one.name is not None]
    cut = common_folders([name for name in names if not name.is_absolute])
    alike: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for name in names:
        alike[name.parts[-1]].add(name.parts)
    for record in file.pictures:
        split = None if record.split is None else record.split.name
        if record.name is None:
            yield _Named(record=record, split=split, tail=(record.picture_id,))
            continue
        parts = record.name.parts
        tail = _shortest(parts, alike[parts[-1]]) if record.name.is_absolute else parts[cut:]
        if record.split is not None and len(tail) > 1 and tail[0] == record.split.spelled:
            tail = tail[1:]
        yield _Named(record=record, split=split, tail=tail)


def _shortest(parts: tuple[str, ...], alike: set[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the base name, with as many folders before it as tell it from names like it."""
    for length in range(1, len(parts)):
        tail = parts[-length:]
        if sum(other[-length:] == tail for other in alike) == 1:
            return tail
    return parts


def _ambiguous(named: Sequence[_Named]) -> set[Key]:
    seen: dict[Key, tuple[str, tuple[int, int] | None]] = {}
    twice: set[Key] = set()
    for one in named:
        content = one.source_id, one.record.size
        if seen.setdefault(one.key, content) != content:
            twice.add(one.key)
    return twice


def _joined(named: Sequence[_Named]) -> list[_Named]:
    """Return the records with the split and the name of the picture that they mean."""
    by_id: dict[str, list[_Named]] = defaultdict(list)
    for one in named:
        by_id[one.record.picture_id].append(one)
    return [_meant(one, by_id[one.record.picture_id]) for one in named]


def _meant(one: _Named, alike: Sequence[_Named]) -> _Named:
    tails = {
        other.tail
        for other in alike
        if len(other.tail) > len(one.tail)
        and other.tail[-len(one.tail) :] == one.tail
        and (one.split is None or one.split == other.split)
    }
    tail = tails.pop() if len(tails) == 1 else one.tail
    split = one.split
    if split is None:
        splits = {other.split for other in alike if other.tail == tail and other.split is not None}
        split = splits.pop() if len(splits) == 1 else None
    return _Named(record=one.record, split=split, tail=tail)


def _picture(source_id: str, group: Sequence[_Named]) -> MergedPicture:
    ordered = sorted(group, key=lambda one: (one.record.file, id_order(one.record.picture_id)))
    distinct: list[PictureRecord] = []
    for one in ordered:
        if one.record not in distinct:
            distinct.append(one.record)
    first = ordered[0]
    return MergedPicture(
        source_id=source_id, split=first.split, tail=first.tail, records=tuple(distinct)
    )


def _refuse(one: _Named, source: str) -> Reject:
    record = one.record
    return Reject(
        source=source,
        source_id=one.source_id,
        row=None,
        path=record.file,
        reason="duplicate_id",
        message=f"{record.file}: several pictures have the id {record.picture_id!r}; "
        "which of them an annotation means cannot be known",
    )


def _renumbered(picture: MergedPicture, source: str) -> Iterable[Change]:
    """Tell of a picture that one file lists under several ids."""
    ids: dict[str, set[str]] = defaultdict(set)
    for record in picture.records:
        ids[record.file].add(record.picture_id)
    for label, keys in sorted(ids.items()):
        if len(keys) > 1:
            yield Change(
                source=source,
                kind="picture",
                source_id=picture.source_id,
                reason="several_ids",
                message=f"{label}: the ids {shown(list(keys))} name one file; taken as one picture",
            )


def _in_several_splits(pictures: Sequence[MergedPicture]) -> Iterable[str]:
    splits: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
    for picture in pictures:
        for record in picture.records:
            splits[record.picture_id, picture.tail].add(picture.split or "none")
    several = [found for found in splits.values() if len(found) > 1]
    if several:
        names = ", ".join(sorted(set.union(*several)))
        yield (
            f"{len(several)} pictures have the same id and file name in several splits ({names}): "
            "kept apart; they may be one picture in both"
        )
