"""Referring expressions about COCO pictures: RefCOCOg and gRefCOCO.

Both come as a list of references (RefCOCOg's is a pickle, gRefCOCO's JSON) beside COCO's
``instances.json``. A reference has ref_id, image_id, split, sentences (sent_id, sent, raw) and
ann_id: one id, or in gRefCOCO a list, which is [-1] where nothing in the picture is meant.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchwright.boxes import as_box
from benchwright.errors import SourceError, UsageError
from evaluation.candidate_set.comparison.expressions import Expression, Marked, Unused
from evaluation.candidate_set.comparison.plain_pickle import NotPlainError, plain_values

Id = int | str
Finite = Annotated[float, Field(allow_inf_nan=False)]
M = TypeVar("M", bound=BaseModel)

_NOTHING = "-1"
_COCO_2014 = re.compile(r"COCO_(?:train|val)2014_(\d{12}\.jpg)")


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Image(_Lenient):
    id: Id
    file_name: str
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]


class _Annotation(_Lenient):
    id: Id
    image_id: Id
    category_id: Id | None = None
    bbox: Annotated[list[Finite], Field(min_length=4, max_length=4)]
    iscrowd: int = 0


class _Category(_Lenient):
    id: Id
    name: str


class _Sentence(_Lenient):
    sent_id: Id
    sent: str = ""
    raw: str = ""


class _Reference(_Lenient):
    ref_id: Id
    ann_id: Id | list[Id]
    image_id: Id
    split: str
    sentences: list[_Sentence]

    def objects(self) -> list[str]:
        """Return the ids of the annotations that are meant."""
        named = self.ann_id if isinstance(self.ann_id, list) else [self.ann_id]
        return [str(one) for one in named if str(one) != _NOTHING]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Instances:
    """Pictures by id, and the boxes of each in the order of the file, with ids of crowds."""

    images: dict[str, _Image]
    boxes: dict[str, list[Marked]]
    crowds: frozenset[str]


def refcocog(refs: Path, instances: Path, split: str) -> Iterator[Expression | Unused]:
    """Yield the expressions of a split of RefCOCOg, each of which means one object.

    Raises SourceError for a file that is none of the set's, UsageError for a split that it has not.
    """
    return _expressions(refs, instances, split, is_set=False)


def grefcoco(refs: Path, instances: Path, split: str) -> Iterator[Expression | Unused]:
    """Yield the expressions of a split of gRefCOCO: they mean one object, several or none.

    All are sets, whatever their size, as its own figures take them. Raises as ``refcocog`` does.
    """
    return _expressions(refs, instances, split, is_set=True)


def _expressions(
    refs: Path, instances: Path, split: str, *, is_set: bool
) -> Iterator[Expression | Unused]:
    rows = _references(refs)
    splits = sorted({str(row.get("split")) for row in rows if isinstance(row, dict)})
    if split not in splits:
        raise UsageError(f"{refs}: has no split {split}, only {', '.join(splits) or 'none at all'}")
    known = _read_instances(instances)
    for number, row in enumerate(rows):
        reference = _valid(_Reference, row)
        if reference is None:
            yield Unused(name=f"row {number + 1}", reason="it is no reference")
        elif reference.split == split:
            yield from _of_reference(reference, known, is_set=is_set)


def _of_reference(
    reference: _Reference, known: _Instances, *, is_set: bool
) -> Iterator[Expression | Unused]:
    picture, objects = str(reference.image_id), reference.objects()
    image = known.images.get(picture)
    boxes = known.boxes.get(picture, [])
    fault = None
    if image is None:
        fault = "instances.json lacks its picture"
    elif not set(objects) <= {one.box_id for one in boxes}:
        fault = "instances.json lacks an object that it means"
    elif not is_set and len(objects) != 1:
        fault = "it does not mean one object"
    for sentence in reference.sentences:
        name = f"{reference.ref_id}-{sentence.sent_id}"
        words = " ".join((sentence.sent or sentence.raw).split())
        if image is None or fault or not words:
            yield Unused(name=name, reason=fault or "it says nothing")
            continue
        yield Expression(
            name=name,
            picture=picture,
            files=_files(image.file_name),
            size=(image.width, image.height),
            context=words,
            words=words,
            boxes=tuple(
                one for one in boxes if one.box_id in objects or one.box_id not in known.crowds
            ),
            true=tuple(dict.fromkeys(objects)),
            kind="set" if is_set else "single",
        )


def _files(name: str) -> tuple[str, ...]:
    """Return the names that a picture of COCO has: that of 2014, and that of the same in 2017."""
    newer = _COCO_2014.fullmatch(name)
    return (name, newer[1]) if newer else (name,)


def _references(path: Path) -> list[Any]:
    data = _bytes_of(path)
    is_json = data.lstrip()[:1] in (b"[", b"{")
    try:
        rows = json.loads(data) if is_json else plain_values(data)
    except NotPlainError as error:
        raise SourceError(
            f"{path}: wanted a list of references, as JSON or as a pickle of plain values, but"
            f" {error}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: is broken JSON ({error})") from error
    if not isinstance(rows, list):
        raise SourceError(f"{path}: wanted a list of references, got {type(rows).__name__}")
    return rows


def _read_instances(path: Path) -> _Instances:
    try:
        said = json.loads(_bytes_of(path))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: wanted COCO's instances.json, got broken JSON") from error
    if not isinstance(said, dict) or not {"images", "annotations"} <= said.keys():
        raise SourceError(f"{path}: wanted COCO's instances.json, with images and annotations")
    names = {str(one.id): one.name for one in _all(_Category, said.get("categories"))}
    boxes: dict[str, list[Marked]] = defaultdict(list)
    crowds = set()
    for one in _all(_Annotation, said["annotations"]):
        if one.iscrowd:
            crowds.add(str(one.id))
        boxes[str(one.image_id)].append(
            Marked(
                box_id=str(one.id),
                category=names.get(str(one.category_id)),
                box=as_box(one.bbox),
            )
        )
    images = {str(one.id): one for one in _all(_Image, said["images"])}
    return _Instances(images=images, boxes=boxes, crowds=frozenset(crowds))


def _all(model: type[M], rows: Any) -> Iterator[M]:
    """Yield the rows that the model takes; what refers to another finds it missing."""
    values: Sequence[Any] = rows if isinstance(rows, list) else []
    for row in values:
        if (one := _valid(model, row)) is not None:
            yield one


def _valid(model: type[M], row: Any) -> M | None:
    try:
        return model.model_validate(row)
    except ValidationError:
        return None


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from error
