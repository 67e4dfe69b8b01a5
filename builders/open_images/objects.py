"""The objects of a picture: its boxes, joined with the masks and relationships that repeat them.

Open Images numbers nothing but masks, so an object is known by its picture, its class and a hash
of class and box: ``000002b66c9c498e_m01g317_2f0c9b6a1e``. No order of rows changes it, and a file
that another program has saved again gives the same id.

Until the size of the picture is known its box is [x, y, width, height] in parts of a side.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from benchwright.records import Attribute, Change, Reject, SceneObject
from builders.open_images.classes import Names
from builders.open_images.numbers import Corners
from builders.open_images.rows import BoxRow, MaskRow, RelationRow

NEAR = 0.001  # two boxes are the same when no side is further off, in parts of the picture's side
_QUALIFIED = re.compile(r"\((?P<type>[^()]+)\)\s*(?P<value>\S.*)")


@dataclass(slots=True, kw_only=True)
class Scene:
    """The objects of one picture, and what happened to the records they were made of.

    ``masks`` gives the row of the mask of an object by its id.
    """

    objects: tuple[SceneObject, ...]
    masks: dict[str, MaskRow]
    rejects: list[Reject]
    changes: list[Change]


def scene_of(
    image_id: str,
    boxes: Sequence[BoxRow],
    masks: Sequence[MaskRow],
    relations: Iterable[RelationRow],
    names: Names,
    source: str,
) -> Scene:
    """Return the objects of a picture, ordered by class and place.

    A mask or a relationship whose box no row of boxes has makes an object of its own, since it
    carries class and box; that is a change ``implied_object``.
    """
    making = _Making(image_id, names, source)
    making.take_boxes(boxes)
    making.take_masks(masks)
    making.take_relations(relations)
    return Scene(
        objects=tuple(
            replace(one.record, attributes=_ordered(one.attributes))
            for one in sorted(making.all, key=lambda one: (one.label, one.corners))
        ),
        masks=making.masks,
        rejects=making.rejects,
        changes=making.changes,
    )


def object_id_of(image_id: str, label: str, corners: Corners) -> str:
    """Return the id of an object: picture, class, and a hash of class and box."""
    numbers = ",".join(f"{value:.6f}" for value in corners)
    digest = hashlib.sha256(f"{label}\0{numbers}".encode()).hexdigest()[:10]
    return f"{image_id}_{label.replace('/', '')}_{digest}"


@dataclass(slots=True)
class _Made:
    """An object in the making."""

    label: str
    corners: Corners
    record: SceneObject
    attributes: list[Attribute]


@dataclass(slots=True)
class _Making:
    image_id: str
    names: Names
    source: str
    all: list[_Made] = field(default_factory=list)
    masks: dict[str, MaskRow] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    _by_label: dict[str, list[_Made]] = field(default_factory=lambda: defaultdict(list))

    def take_boxes(self, boxes: Sequence[BoxRow]) -> None:
        """Make an object of each box; of several rows of one box the one that says most."""
        same: dict[tuple[str, Corners], list[BoxRow]] = defaultdict(list)
        for row in boxes:
            same[row.label, row.corners].append(row)
        for key in sorted(same):
            kept, *others = sorted(same[key], key=lambda row: row.worth)
            made = self._add(kept)
            for reason, message in kept.altered:
                self._change(made, reason, message)
            for other in others:
                message = f"{kept.path}, line {kept.line} has this box of {other.label} too"
                self._reject(other, made.record.object_id, "duplicate_box", message)

    def take_masks(self, masks: Sequence[MaskRow]) -> None:
        """Give each mask to the object of its box; of several the one predicted to fit best."""
        for row in sorted(masks, key=lambda one: (one.label, -one.predicted_iou, one.mask_path)):
            made = self._find(row.label, row.corners, "a mask")
            object_id = made.record.object_id
            taken = self.masks.setdefault(object_id, row)
            if taken is not row:
                message = f"the object has the mask {taken.mask_path} already"
                self._reject(row, object_id, "duplicate_mask", message)

    def take_relations(self, relations: Iterable[RelationRow]) -> None:
        """Give each relationship to the first object of it; ``is`` is an attribute."""
        for row in sorted(set(relations)):
            first = self._find(row.first, row.first_corners, "a relationship")
            if row.relation == "is":
                first.attributes.append(attribute_of(row.second, self.names))
                continue
            second = self._find(row.second, row.second_corners, "a relationship")
            first.attributes.append(
                Attribute(
                    type=self.names.relations.get(row.relation, row.relation),
                    value=self.names.of(row.second),
                    raw=second.record.object_id,
                    origin="relationship",
                )
            )

    def _add(self, row: BoxRow) -> _Made:
        x1, y1, x2, y2 = row.corners
        record = SceneObject(
            object_id=object_id_of(self.image_id, row.label, row.corners),
            category=self.names.of(row.label),
            bbox=(x1, y1, x2 - x1, y2 - y1),
            area=(x2 - x1) * (y2 - y1),
            is_crowd=row.is_group is True,
            is_occluded=row.is_occluded,
            is_truncated=row.is_truncated,
            attributes=(),
            mask=None,
        )
        flags = {"is depiction": row.is_depiction, "is inside": row.is_inside}
        made = _Made(
            label=row.label,
            corners=row.corners,
            record=record,
            attributes=[
                Attribute(type=name, value="yes", raw="1", origin="box")
                for name, value in flags.items()
                if value
            ],
        )
        self.all.append(made)
        self._by_label[row.label].append(made)
        return made

    def _find(self, label: str, corners: Corners, what: str) -> _Made:
        """Return the object of a class whose box is this one, or a new one where none is near."""
        near = [
            (distance, made.corners, made)
            for made in self._by_label[label]
            if (distance := _distance(made.corners, corners)) <= NEAR
        ]
        if near:
            return min(near, key=lambda one: one[:2])[2]
        made = self._add(BoxRow(label=label, corners=corners))
        self._change(made, "implied_object", f"no box has it; taken from {what}")
        return made

    def _change(self, made: _Made, reason: str, message: str) -> None:
        self.changes.append(
            Change(
                source=self.source,
                kind="object",
                source_id=made.record.object_id,
                reason=reason,
                message=message,
            )
        )

    def _reject(self, row: BoxRow | MaskRow, object_id: str, reason: str, message: str) -> None:
        self.rejects.append(
            Reject(
                source=self.source,
                kind="object",
                source_id=object_id,
                row=row.line,
                path=row.path,
                reason=reason,
                message=f"{row.path}, line {row.line}: {message}",
            )
        )


def attribute_of(code: str, names: Names) -> Attribute:
    """Return the attribute that an ``is`` states: "(made of)Leather" is leather of "made of"."""
    name = names.of(code)
    split = _QUALIFIED.fullmatch(name)
    kind, value = ("attribute", name) if split is None else (split["type"].strip(), split["value"])
    return Attribute(type=kind, value=value, raw=code, origin="relationship")


def _distance(one: Corners, other: Corners) -> float:
    return round(max(abs(a - b) for a, b in zip(one, other, strict=True)), 9)


def _ordered(attributes: Iterable[Attribute]) -> tuple[Attribute, ...]:
    return tuple(sorted(set(attributes), key=lambda one: (one.type, one.value, one.raw)))
