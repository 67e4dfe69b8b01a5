"""What the user is told: how each file was read, how files were merged, and the final account."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.records import Item, Reject, RejectKind
from builders.coco.annotations import ORIGIN_LABELS
from builders.coco.merging import Merged
from builders.coco.reading import CocoFile


def describe_file(file: CocoFile) -> list[str]:
    """Return the lines that say what a file holds."""
    refused = Counter(reject.kind for reject in file.rejects)
    parts = [_count(len(file.pictures) + refused["picture"], "picture")]
    parts += [_count(len(file.objects) + refused["object"], "object")] if file.objects else []
    parts += [_count(len(file.captions) + refused["caption"], "caption")] if file.captions else []
    parts += [_count(len(file.labels) + refused["attribute"], "label")] if file.labels else []
    if not (file.objects or file.captions or file.labels):
        parts.append("no usable annotations" if refused else "no annotations")
    split = f"; split {file.split.name}" if file.split else "; no split"
    return [f"read {file.label}: {', '.join(parts)}{split}", *file.notices]


def describe_merged(files: Sequence[CocoFile], merged: Merged) -> list[str]:
    """Return the lines that say what the merging found."""
    lines = list(merged.notices)
    with_objects: dict[str, set[str]] = {}
    for file in files:
        if file.objects:
            ids = {merged.owners.get((file.label, one.picture)) for one in file.objects}
            with_objects[file.label] = {one for one in ids if one is not None}
    times = Counter(one for ids in with_objects.values() for one in ids)
    shared = {one for one, number in times.items() if number > 1}
    several = [label for label, ids in sorted(with_objects.items()) if ids & shared]
    if several:
        lines.append(
            f"{' and '.join(several)} have objects of the same {_count(len(shared), 'picture')}: "
            "what is drawn alike is taken once, the rest is all kept"
        )
    return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many records of one kind were read, and what became of them.

    ``gone`` are labels of whole pictures that went with their pictures.
    """

    kind: str
    read: int
    kept: int
    refused: int
    gone: int = 0

    def line(self) -> str:
        """Return the account in words; raises AssertionError when it does not add up."""
        if self.read != self.kept + self.refused + self.gone:
            raise AssertionError(f"not all {self.kind} are accounted for: {self}")
        gone = f" + {self.gone} of refused pictures" if self.gone else ""
        return f"{self.kind}: {self.read} read = {self.kept} kept + {self.refused} refused{gone}"


def tallies(
    files: Sequence[CocoFile],
    items: Sequence[Item],
    counts: Mapping[str, int],
    rejects: Sequence[Reject],
) -> list[Tally]:
    """Return the account of objects, captions and labels; ``items`` are those before pictures."""
    refused = Counter(reject.kind for reject in rejects)
    early = Counter(reject.kind for file in files for reject in file.rejects)
    lost = {reject.source_id for reject in rejects if reject.kind == "picture"}
    stated = {
        item.source_id: sum(one.origin == ORIGIN_LABELS for one in item.attributes)
        for item in items
    }
    gone = sum(number for source_id, number in stated.items() if source_id in lost)
    return [
        Tally(
            kind="objects",
            read=sum(len(file.objects) for file in files) + early["object"],
            kept=counts.get("objects", 0),
            refused=refused["object"],
        ),
        Tally(
            kind="captions",
            read=sum(len(file.captions) for file in files) + early["caption"],
            kept=counts.get("captions", 0),
            refused=refused["caption"],
        ),
        Tally(
            kind="labels",
            read=sum(len(file.labels) for file in files) + early["attribute"],
            kept=sum(stated.values()) - gone,
            refused=refused["attribute"],
            gone=gone,
        ),
    ]


def account(
    files: Sequence[CocoFile],
    items: Sequence[Item],
    counts: Mapping[str, int],
    rejects: Sequence[Reject],
    changes: Mapping[tuple[RejectKind, str], int],
) -> list[str]:
    """Return the lines that account for every record read, and say what was changed."""
    unnamed = sum(reject.kind == "picture" for file in files for reject in file.rejects)
    records = sum(len(file.pictures) for file in files) + unnamed
    lines = [
        f"pictures: {_count(records, 'record')} in {_count(len(files), 'file')} are "
        f"{counts['rows']} = {counts['items']} kept + {counts['rejects']} refused"
    ]
    lines += [one.line() for one in tallies(files, items, counts, rejects) if one.read]
    lines += [
        f"  {number:>7} {kind if number == 1 else f'{kind}s'} changed: {reason}"
        for (kind, reason), number in sorted(changes.items())
    ]
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
