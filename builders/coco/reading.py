"""The records of one COCO file, each read, counted, and refused with a reason where it must be.

``info``, ``licenses``, ``categories`` and ``annotations`` may all be missing. Ids are compared in
one spelling and never used as positions. Of the file itself three things are wrong enough to stop
(``faults``): ids used twice, and categories that are not there; joining on them would be guessing.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchwright.errors import SourceError
from benchwright.records import Attribute, Reject
from builders.attribute_types import attribute_type
from builders.coco.annotations import (
    UNTYPED,
    AnnotationReader,
    CaptionText,
    DrawnObject,
    PictureLabel,
    Unusable,
    has_shape,
    keyed_attributes,
    once,
)
from builders.coco.names import PictureName, picture_name, split_of_file
from builders.coco.values import (
    id_of,
    link_of,
    load_json,
    records_of,
    shown,
    text_of,
    whole_of,
)
from builders.splits import Split, canonical_split, split_in

_MOST_PIXELS = 2**31 - 1  # of a side; more is no size


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRecord:
    """A picture as one file lists it; ``links`` are where it may be fetched, best first."""

    file: str
    folder: Path
    picture_id: str
    name: PictureName | None
    split: Split | None
    size: tuple[int, int] | None
    licence: str | None
    author: str | None
    url: str | None
    links: tuple[str, ...]
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CocoFile:
    """A COCO file that has been read; ``label`` names it in messages, without a folder.

    ``rejects`` are records of it that became nothing; ``faults`` are lines that say what is wrong
    with the file; ``repeated_ids`` are annotation ids that several annotations have.
    """

    label: str
    path: Path
    split: Split | None
    pictures: tuple[PictureRecord, ...]
    objects: tuple[DrawnObject, ...]
    captions: tuple[CaptionText, ...]
    labels: tuple[PictureLabel, ...]
    rejects: tuple[Reject, ...]
    faults: tuple[str, ...]
    notices: tuple[str, ...]
    repeated_ids: frozenset[str] = field(default_factory=frozenset)


def read_coco(path: Path, label: str, source: str, split: str | None = None) -> CocoFile:
    """Read a COCO file; ``split`` is that of all its pictures; else each may state
    its own, or the names of files and folders say it.

    Raises SourceError when it is no COCO file: no JSON, no object, no list of pictures.
    """
    data = _whole(path, load_json(path))
    given = Split(spelled=split, name=canonical_split(split)) if split else None
    own_split = given or split_of_file(path)
    reader = _reader(data)
    pictures, refused = _pictures(data, path, label, own_split, reader)
    if given is not None:
        pictures = [replace(picture, split=given) for picture in pictures]
    read = [one for record in records_of(data.get("annotations")) for one in reader.read(record)]
    unusable = [*(one for one in read if isinstance(one, Unusable)), *refused]
    counts = Counter(_own_ids(data))
    repeated = frozenset(key for key, count in counts.items() if count > 1)
    return CocoFile(
        label=label,
        path=path,
        split=own_split,
        pictures=tuple(pictures),
        objects=tuple(one for one in read if isinstance(one, DrawnObject)),
        captions=tuple(one for one in read if isinstance(one, CaptionText)),
        labels=tuple(one for one in read if isinstance(one, PictureLabel)),
        rejects=tuple(_reject(one, label, source) for one in unusable),
        faults=tuple(_faults(label, data, read, repeated)),
        notices=tuple(_notices(label, data)),
        repeated_ids=repeated,
    )


def _reject(one: Unusable, label: str, source: str) -> Reject:
    what = "picture" if one.kind == "picture" else "annotation"
    return Reject(
        source=source,
        kind=one.kind,
        source_id=one.annotation_id,
        row=None,
        path=label,
        reason=one.reason,
        message=f"{label}, {what} {one.annotation_id}: {one.message}",
    )


def _whole(path: Path, data: Any) -> dict[str, Any]:
    if isinstance(data, list):
        raise SourceError(
            f"{path}: a list, as results of a detector are; a COCO file is an object with "
            "'images' and 'annotations'"
        )
    if not isinstance(data, dict):
        raise SourceError(f"{path}: no JSON object; a COCO file has 'images' and 'annotations'")
    if not isinstance(data.get("images"), list):
        found = ", ".join(sorted(data)[:8]) or "none"
        raise SourceError(
            f"{path}: no list 'images' (its keys: {found:.200}); give a file in COCO's format"
        )
    for key in ("annotations", "categories", "licenses", "attributes"):
        if not isinstance(data.get(key), list | None):
            raise SourceError(f"{path}: '{key}' is no list; in COCO's format it is one")
    return data


def _reader(data: dict[str, Any]) -> AnnotationReader:
    records = [one for one in records_of(data.get("annotations")) if isinstance(one, dict)]
    drawn = any(
        one.get("bbox") or "caption" in one or "segments_info" in one
        or "keypoints" in one or has_shape(one.get("segmentation"))
        for one in records
    )  # fmt: skip
    attributes: dict[str, tuple[str, str]] = {}
    for record in _dicts(data.get("attributes")):
        key, name = id_of(record.get("id")), text_of(record.get("name"))
        if key is not None and name is not None:
            kind = attribute_type(text_of(record.get("supercategory")) or "") or UNTYPED
            attributes.setdefault(key, (kind, name))
    return AnnotationReader(
        categories={key: min(names) for key, names in _categories(data).items()},
        attributes=attributes,
        has_labels=bool(records) and not drawn,
    )


def _categories(data: dict[str, Any]) -> dict[str, set[str]]:
    """Return the names of each category id: one, in a sound file."""
    found: dict[str, set[str]] = {}
    for record in _dicts(data.get("categories")):
        key, name = id_of(record.get("id")), text_of(record.get("name"))
        if key is not None and name is not None:
            found.setdefault(key, set()).add(name)
    return found


def _dicts(value: Any) -> Iterable[dict[str, Any]]:
    return (one for one in records_of(value) if isinstance(one, dict))


def _licences(data: dict[str, Any]) -> dict[str, str]:
    """Return a licence for each id: its link, which says the version, else its name."""
    found: dict[str, str] = {}
    for record in _dicts(data.get("licenses")):
        key = id_of(record.get("id"))
        licence = text_of(record.get("url")) or text_of(record.get("name"))
        if key is not None and licence is not None:
            found.setdefault(key, licence)
    return found


def _pictures(
    data: dict[str, Any], path: Path, label: str, split: Split | None, reader: AnnotationReader
) -> tuple[list[PictureRecord], list[Unusable]]:
    licences = _licences(data)
    pictures: list[PictureRecord] = []
    refused: list[Unusable] = []
    for place, record in enumerate(data["images"], 1):
        key = id_of(record.get("id")) if isinstance(record, dict) else None
        if key is None:
            refused.append(
                Unusable(
                    kind="picture",
                    annotation_id=None,
                    reason="no_id",
                    message=f"number {place} of 'images' has no id",
                )
            )
            continue
        pictures.append(_picture(record, key, path.parent, label, split, licences, reader))
    return pictures, refused


def _picture(
    record: dict[str, Any],
    key: str,
    folder: Path,
    label: str,
    split: Split | None,
    licences: dict[str, str],
    reader: AnnotationReader,
) -> PictureRecord:
    coco, flickr = link_of(record.get("coco_url")), link_of(record.get("flickr_url"))
    given = record.get("file_name")
    name = picture_name(given) or picture_name(coco) or picture_name(flickr)
    stated = text_of(record.get("split"))
    own_split = Split(spelled=stated, name=canonical_split(stated)) if stated else split
    if own_split is None and name is not None and len(name.parts) > 1:
        own_split = split_in(name.parts[0])
    named, _ = reader.by_ids(records_of(record.get("attribute_ids")))
    licence_id = record.get("license")
    licence = licences.get(id_of(licence_id) or "")
    if licence is None and isinstance(licence_id, str) and not licence_id.strip().isdigit():
        licence = text_of(licence_id)
    return PictureRecord(
        file=label,
        folder=folder,
        picture_id=key,
        name=name,
        split=own_split,
        size=_size(record),
        licence=licence,
        author=text_of(record.get("author")),
        url=flickr or link_of(record.get("url")) or coco or link_of(given),
        links=tuple(dict.fromkeys(link for link in (coco, link_of(given), flickr) if link)),
        attributes=once([*named, *keyed_attributes(record.get("attributes"))]),
    )


def _size(record: dict[str, Any]) -> tuple[int, int] | None:
    width, height = whole_of(record.get("width")), whole_of(record.get("height"))
    if width is None or height is None:
        return None
    return (width, height) if 0 < width <= _MOST_PIXELS and 0 < height <= _MOST_PIXELS else None


def _own_ids(data: dict[str, Any]) -> Iterable[str]:
    for record in _dicts(data.get("annotations")):
        key = id_of(record.get("id"))
        if key is not None:
            yield key


def _faults(
    label: str, data: dict[str, Any], read: list[Any], repeated: frozenset[str]
) -> Iterable[str]:
    if repeated:
        yield f"{label}: annotation ids that are used twice: {shown(list(repeated))}"
    several = [key for key, names in _categories(data).items() if len(names) > 1]
    if several:
        yield f"{label}: category ids with several names: {shown(several)}"
    unknown = [
        one for one in read if isinstance(one, Unusable) and one.reason == "unknown_category"
    ]
    if unknown:
        known = _categories(data).keys()
        ids = {
            id_of(record.get("category_id"))
            for annotation in _dicts(data.get("annotations"))
            for record in [annotation, *_dicts(annotation.get("segments_info"))]
        }
        missing = [key for key in ids if key is not None and key not in known]
        without = "" if known else " (the file has no 'categories')"
        yield (
            f"{label}: category ids that no category has: {shown(missing)}, in {len(unknown)} of "
            f"the annotations{without}"
        )


def _notices(label: str, data: dict[str, Any]) -> Iterable[str]:
    """Say what the file holds that a catalog has no place for."""
    annotations = list(_dicts(data.get("annotations")))
    points = sum("keypoints" in one for one in annotations)
    if points:
        yield f"{label}: keypoints of {points} annotations are left out"
    panoptic = sum(isinstance(one.get("segments_info"), list) for one in annotations)
    if panoptic:
        yield (
            f"{label}: the PNGs of {panoptic} panoptic annotations are not read: their segments "
            "have boxes and no masks"
        )
    for key in ("neg_category_ids", "not_exhaustive_category_ids"):
        number = sum(bool(one.get(key)) for one in _dicts(data["images"]))
        if number:
            yield f"{label}: {key} of {number} pictures are left out"
