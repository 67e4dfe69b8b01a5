"""The catalog as COCO files, for tools that read that format.

Numbers are given anew, in the order of the pictures' files: COCO wants whole numbers. The
catalog's own ids stand beside them (``source``, ``source_id``, ``object_id``). Captions go to a
file of their own, since pycocotools cannot index one that mixes them with objects. Attributes are
written in Fashionpedia's way; an object without a mask has no ``segmentation``. Dialogues, origins
and raw spellings of attributes have no place in the format and are left out, as are items without
a picture.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchwright import files
from benchwright.records import Attribute, Item, SceneObject

_INFO = {"description": "written by benchwright", "version": "1"}
_Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCoco:
    """What was written: the files, and how many records of each kind are in them."""

    paths: tuple[Path, ...]
    pictures: int
    objects: int
    captions: int
    without_picture: int  # items that were left out


def write_coco(items: Iterable[Item], path: Path) -> WrittenCoco:
    """Write items as a COCO file of objects, and captions beside it where there are any.

    ``instances_val.json`` gets ``captions_val.json``, any other ``x.json`` ``captions_x.json``.
    The same items in any order give the same bytes. File names are paths under
    ``catalog/images``. Raises OSError as the file system does.
    """
    given = list(items)
    chosen = [item for item in given if item.image is not None]
    objects = instances_of(chosen)
    files.write_bytes(path, as_bytes(objects))
    paths = [path]
    captions = captions_of(chosen)
    if captions["annotations"]:
        paths.append(path.with_name(_captions_name(path.name)))
        files.write_bytes(paths[-1], as_bytes(captions))
    return WrittenCoco(
        paths=tuple(paths),
        pictures=len(chosen),
        objects=len(objects["annotations"]),
        captions=len(captions["annotations"]),
        without_picture=len(given) - len(chosen),
    )


def instances_of(items: Iterable[Item]) -> _Json:
    """Return the COCO object with the pictures of items and their objects."""
    ordered = _ordered(items)
    names = sorted({one.category for item in ordered for one in item.objects})
    categories = {name: number for number, name in enumerate(names, 1)}
    attributes = _attribute_ids(ordered)
    numbers = count(1)
    return {
        **_frame(ordered, attributes),
        "annotations": [
            _annotation(item, one, next(numbers), picture, categories, attributes)
            for picture, item in enumerate(ordered, 1)
            for one in item.objects
        ],
        "categories": [
            {"id": number, "name": name, "supercategory": ""} for name, number in categories.items()
        ],
        "attributes": [
            {"id": number, "name": value, "supercategory": kind, "level": 1}
            for (kind, value), number in attributes.items()
        ],
    }


def captions_of(items: Iterable[Item]) -> _Json:
    """Return the COCO object with the pictures of items and their captions."""
    ordered = _ordered(items)
    numbers = count(1)
    return {
        **_frame(ordered, {}),
        "annotations": [
            {"id": next(numbers), "image_id": picture, "caption": caption}
            for picture, item in enumerate(ordered, 1)
            for caption in item.captions
        ],
    }


def _ordered(items: Iterable[Item]) -> list[Item]:
    return sorted(
        (item for item in items if item.image is not None),
        key=lambda item: (item.image or "", item.split or "", item.image_id),
    )


def _frame(ordered: Sequence[Item], attributes: dict[tuple[str, str], int]) -> _Json:
    """Return what all kinds of files begin with."""
    texts = sorted({item.licence for item in ordered if item.licence is not None})
    licences = {text: number for number, text in enumerate(texts, 1)}
    return {
        "info": _INFO,
        "licenses": [
            {"id": number, "name": text, "url": text if is_link(text) else ""}
            for text, number in licences.items()
        ],
        "images": [
            _picture(item, number, licences, attributes) for number, item in enumerate(ordered, 1)
        ],
    }


def _picture(
    item: Item, number: int, licences: dict[str, int], attributes: dict[tuple[str, str], int]
) -> _Json:
    record: _Json = {
        "id": number,
        "file_name": item.image,
        "width": item.width,
        "height": item.height,
        "source": item.source,
        "source_id": item.source_id,
    }
    if item.licence is not None:
        record["license"] = licences[item.licence]
    if item.url is not None:
        record["flickr_url" if _is_flickr(item.url) else "url"] = item.url
    stated = {"author": item.author, "split": item.split}
    record |= {name: value for name, value in stated.items() if value is not None}
    if attributes and item.attributes:
        record["attribute_ids"] = _ids(item.attributes, attributes)
    return record


def _annotation(
    item: Item,
    one: SceneObject,
    number: int,
    picture: int,
    categories: dict[str, int],
    attributes: dict[tuple[str, str], int],
) -> _Json:
    record: _Json = {
        "id": number,
        "image_id": picture,
        "category_id": categories[one.category],
        "bbox": list(one.bbox),
        "area": one.area,
        "iscrowd": int(one.is_crowd),
        "object_id": one.object_id,
    }
    if one.mask is not None:
        record["segmentation"] = {"size": [item.height, item.width], "counts": one.mask}
    stated = {"occluded": one.is_occluded, "truncated": one.is_truncated}
    record |= {name: value for name, value in stated.items() if value is not None}
    if attributes:
        record["attribute_ids"] = _ids(one.attributes, attributes)
    return record


def _attribute_ids(items: Sequence[Item]) -> dict[tuple[str, str], int]:
    found = {
        (attribute.type, attribute.value)
        for item in items
        for attribute in [*item.attributes, *(a for one in item.objects for a in one.attributes)]
    }
    return {pair: number for number, pair in enumerate(sorted(found))}


def _ids(attributes: Sequence[Attribute], known: dict[tuple[str, str], int]) -> list[int]:
    return sorted({known[one.type, one.value] for one in attributes})


def _is_flickr(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host.endswith(("flickr.com", "staticflickr.com"))


def _captions_name(name: str) -> str:
    rest = name.removeprefix("instances_")
    return f"captions_{rest}"


def is_link(text: str) -> bool:
    """Tell whether a licence is named by its address."""
    return text.startswith(("http://", "https://"))


def as_bytes(whole: _Json) -> bytes:
    """Return JSON with one record on each line, which a diff can be read of."""
    return "".join(_lines(whole)).encode()


def _lines(whole: _Json) -> Iterator[str]:
    yield "{\n"
    for place, (key, value) in enumerate(whole.items()):
        yield ",\n" if place else ""
        if isinstance(value, list):
            records = ",\n".join(_compact(one) for one in value)
            yield f'"{key}": [\n{records}\n]' if value else f'"{key}": []'
        else:
            yield f'"{key}": {_compact(value)}'
    yield "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
