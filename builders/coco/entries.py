"""Merged pictures as entries of the catalog, with the objects and captions that belong to them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchwright.identity import image_id_of
from benchwright.records import Attribute, Change, Item, Reject, RejectKind, SceneObject
from builders.coco.annotations import (
    ORIGIN_LABELS,
    CaptionText,
    DrawnObject,
    PictureLabel,
    once,
)
from builders.coco.merging import Merged, MergedPicture
from builders.coco.reading import CocoFile
from builders.coco.values import id_order

_NO_BOX = (0.0, 0.0, 0.0, 0.0)  # until the picture is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The items without their pictures, and by source id the objects of each and its changes.

    The objects of an item are by their object ids. What was changed counts only when the picture
    is kept.
    """

    items: tuple[Item, ...]
    drawn: Mapping[str, Mapping[str, DrawnObject]]
    rejects: tuple[Reject, ...]
    changes: Mapping[str, Sequence[Change]]


@dataclass(slots=True)
class _Held:
    """What a picture holds, each with the label of its file."""

    objects: list[tuple[str, DrawnObject]] = field(default_factory=list)
    captions: list[tuple[str, CaptionText]] = field(default_factory=list)
    labels: list[tuple[str, PictureLabel]] = field(default_factory=list)


def gather(files: Sequence[CocoFile], merged: Merged, source: str) -> Gathered:
    """Give each picture its objects, captions and labels; what has no picture is a reject."""
    ledger = _Ledger(source=source, changes={k: list(v) for k, v in merged.changes.items()})
    held: dict[str, _Held] = defaultdict(_Held)
    for file in files:
        sizes = {(one.file, one.picture_id): one.size for one in file.pictures}
        for drawn in file.objects:
            owner = ledger.owner(file, merged, "object", drawn.object_id, drawn.picture)
            if owner is not None:
                sized = replace(drawn, size=sizes[file.label, drawn.picture], file=file.label)
                held[owner].objects.append((file.label, sized))
        for caption in file.captions:
            owner = ledger.owner(file, merged, "caption", caption.caption_id, caption.picture)
            if owner is not None:
                held[owner].captions.append((file.label, caption))
        for label in file.labels:
            owner = ledger.owner(file, merged, "attribute", label.label_id, label.picture)
            if owner is not None:
                held[owner].labels.append((file.label, label))
    repeated = {file.label: file.repeated_ids for file in files}
    items: list[Item] = []
    drawn_of: dict[str, Mapping[str, DrawnObject]] = {}
    for picture in merged.pictures:
        mine = held[picture.source_id]
        objects = ledger.objects(mine.objects, repeated)
        captions = ledger.captions(picture.source_id, mine.captions)
        drawn_of[picture.source_id] = objects
        items.append(_item(picture, source, objects, captions, ledger.labels(mine.labels)))
    return Gathered(
        items=tuple(items),
        drawn=drawn_of,
        rejects=tuple(ledger.rejects),
        changes=ledger.changes,
    )


@dataclass(slots=True)
class _Ledger:
    """Writes down what is refused and changed while pictures get what belongs to them."""

    source: str
    rejects: list[Reject] = field(default_factory=list)
    changes: dict[str, list[Change]] = field(default_factory=dict)  # by source id

    def owner(
        self, file: CocoFile, merged: Merged, kind: RejectKind, own: str, picture: str
    ) -> str | None:
        """Return the source id of an annotation's picture; refuse the annotation without one."""
        key = file.label, picture
        if key in merged.ambiguous:
            message = f"its picture {picture!r} is one of several with that id"
            self._reject(kind, own, file.label, "ambiguous_picture", message)
            return None
        owner = merged.owners.get(key)
        if owner is None:
            message = f"the file has no picture {picture!r}"
            self._reject(kind, own, file.label, "unknown_picture", message)
        return owner

    def objects(
        self,
        found: Iterable[tuple[str, DrawnObject]],
        repeated: Mapping[str, frozenset[str]],
    ) -> dict[str, DrawnObject]:
        """Return the objects of one picture by their ids: each once, each under an id of its own.

        The same category, box and shape is one object, whatever its ids and files; its attributes
        are joined. Different objects of one id get the start of the hash of their shape.
        """
        alike: dict[str, list[tuple[str, DrawnObject]]] = defaultdict(list)
        for label, one in found:
            alike[one.shape].append((label, one))
        by_id: dict[str, list[tuple[str, str, DrawnObject]]] = defaultdict(list)
        for digest, same in alike.items():
            (label, kept), *others = sorted(same, key=_object_order)
            joined = once([attribute for _, one in same for attribute in one.attributes])
            kept = replace(kept, attributes=joined)
            by_id[kept.object_id].append((digest, label, kept))
            for other_label, other in others:
                message = f"the same object as {kept.object_id} of {label}"
                self._reject("object", other.object_id, other_label, "duplicate_object", message)
        objects: dict[str, DrawnObject] = {}
        for key in sorted(by_id, key=id_order):
            for digest, label, one in sorted(by_id[key], key=lambda entry: entry[0]):
                own = key if len(by_id[key]) == 1 else f"{key}~{digest[:8]}"
                if own != key or key in repeated[label]:
                    note = "repeated_id", f"the id {key} is used more than once; here it is {own}"
                    objects[own] = replace(one, notes=(note, *one.notes))
                else:
                    objects[own] = one
        return objects

    def captions(self, owner: str, found: Iterable[tuple[str, CaptionText]]) -> tuple[str, ...]:
        """Return the captions of one picture in the order of their ids, each annotation once."""
        kept: dict[tuple[str, str], str] = {}
        for label, one in sorted(
            found, key=lambda pair: (id_order(pair[1].caption_id), pair[1].text, pair[0])
        ):
            key = one.caption_id, one.text
            if key in kept:
                message = f"the same caption as {one.caption_id} of {kept[key]}"
                self._reject("caption", one.caption_id, label, "duplicate_caption", message)
                continue
            kept[key] = label
            if one.is_cleaned:
                message = f"{label}, annotation {one.caption_id}: blanks or broken characters"
                change = Change(
                    source=self.source,
                    kind="caption",
                    source_id=one.caption_id,
                    reason="text_cleaned",
                    message=message,
                )
                self.changes.setdefault(owner, []).append(change)
        return tuple(text for _, text in kept)

    def labels(self, found: Iterable[tuple[str, PictureLabel]]) -> tuple[str, ...]:
        """Return the categories that are stated of one picture, each once."""
        kept: dict[str, str] = {}
        for label, one in sorted(found, key=lambda pair: (id_order(pair[1].label_id), pair[0])):
            if one.category in kept:
                message = f"the picture has the label {one.category!r} already"
                self._reject("attribute", one.label_id, label, "duplicate_label", message)
            else:
                kept[one.category] = label
        return tuple(kept)

    def _reject(self, kind: RejectKind, own: str, label: str, reason: str, message: str) -> None:
        self.rejects.append(
            Reject(
                source=self.source,
                kind=kind,
                source_id=own,
                row=None,
                path=label,
                reason=reason,
                message=f"{label}, annotation {own}: {message}",
            )
        )


def _object_order(pair: tuple[str, DrawnObject]) -> tuple[tuple[int, int, str], str]:
    return id_order(pair[1].object_id), pair[0]


def _item(
    picture: MergedPicture,
    source: str,
    objects: Mapping[str, DrawnObject],
    captions: tuple[str, ...],
    labels: Sequence[str],
) -> Item:
    records = picture.records
    stated = [Attribute(type="label", value=one, raw=one, origin=ORIGIN_LABELS) for one in labels]
    keyed = [
        value
        for one in records
        for value in one.attributes
        if value.type != "label" or value.value not in labels  # those are counted as labels
    ]
    return Item(
        image_id=image_id_of(source, picture.source_id),
        image=None,
        sha256=None,
        width=None,
        height=None,
        source=source,
        source_id=picture.source_id,
        split=picture.split,
        group_id=None,
        title=None,
        category=None,
        url=next((one.url for one in records if one.url), None),
        licence=next((one.licence for one in records if one.licence), None),
        author=next((one.author for one in records if one.author), None),
        attributes=once([*stated, *keyed]),
        objects=tuple(
            SceneObject(
                object_id=key,
                category=one.category,
                bbox=one.box or _NO_BOX,
                area=0.0,
                is_crowd=one.is_crowd,
                is_occluded=one.is_occluded,
                is_truncated=one.is_truncated,
                attributes=one.attributes,
                mask=None,
            )
            for key, one in objects.items()
        ),
        captions=captions,
        dialogues=(),
    )
