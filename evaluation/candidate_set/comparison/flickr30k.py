"""Phrases of captions: Flickr30k Entities.

Sentences/ID.txt has a caption a line, in which phrases stand as [/EN#CHAIN/TYPE words]; chain 0 is
of what cannot be seen. Annotations/ID.xml has the boxes of the chains, or says of a chain that it
is the whole scene or has no box.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.boxes import Box, from_corners
from benchwright.errors import SourceError, UsageError
from evaluation.candidate_set.comparison.expressions import Expression, Marked, Unused

_PHRASE = re.compile(
    r"\[/EN#(?P<chain>\d{1,12})(?P<types>(?:/\w{1,30}){1,9})\s(?P<words>[^\[\]]*)\]"
)
_NOT_SEEN = "0"
_NAME = re.compile(r"\d{1,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Annotated:
    """Width and height of a picture, its boxes with the chains of each, chains without a box."""

    size: tuple[int, int]
    boxes: tuple[tuple[Box, tuple[str, ...]], ...]
    scenes: frozenset[str]


def flickr30k(folder: Path, only: Path) -> Iterator[Expression | Unused]:
    """Yield the phrases of the captions of Flickr30k Entities that have a box.

    ``folder`` holds Annotations and Sentences; ``only`` is a file with the ids of the pictures
    to take, such as test.txt. A phrase of several boxes means the smallest box around them.

    Raises SourceError where the folders are not there, UsageError for a list without an id.
    """
    annotations, sentences = folder / "Annotations", folder / "Sentences"
    for one in (annotations, sentences):
        if not one.is_dir():
            raise SourceError(f"{one}: wanted it of Flickr30k Entities, and it is not there")
    unrelated = _unrelated(folder / "UNRELATED_CAPTIONS")
    for name in _names(only):
        try:
            annotated = _annotated(annotations / f"{name}.xml")
            captions = (sentences / f"{name}.txt").read_text("utf-8", "replace").split("\n")
        except FileNotFoundError:
            yield Unused(name=name, reason="Annotations or Sentences lacks its picture")
        except (ValueError, ET.ParseError):
            yield Unused(name=name, reason="its annotations cannot be read")
        else:
            yield from _of_picture(name, annotated, captions, unrelated)


def _of_picture(
    name: str, annotated: _Annotated, captions: Sequence[str], unrelated: frozenset[tuple[str, int]]
) -> Iterator[Expression | Unused]:
    types = _types(captions)
    for line, caption in enumerate(captions, 1):
        for place, phrase in enumerate(_PHRASE.finditer(caption), 1):
            whole = f"{name}-{line}-{place}"
            chain, words = phrase["chain"], " ".join(phrase["words"].split())
            fault = _fault(chain, words, annotated)
            if (name, line) in unrelated:
                fault = "its caption is of another picture"
            if fault is not None:
                yield Unused(name=whole, reason=fault)
                continue
            boxes, true = _boxes(annotated, chain, types)
            yield Expression(
                name=whole,
                picture=name,
                files=(f"{name}.jpg",),
                size=annotated.size,
                context=_plain(caption),
                words=words,
                boxes=boxes,
                true=(true,),
                kind="single",
            )


def _fault(chain: str, words: str, annotated: _Annotated) -> str | None:
    if not words:
        return "it says nothing"
    if chain == _NOT_SEEN:
        return "it names nothing that can be seen"
    if any(chain in chains for _, chains in annotated.boxes):
        return None
    return "it is the whole scene" if chain in annotated.scenes else "it has no box"


def _boxes(
    annotated: _Annotated, chain: str, types: Mapping[str, str]
) -> tuple[tuple[Marked, ...], str]:
    """Return all boxes of a picture and the id of the one that a chain means.

    Where it has several it is the one around them, which is added.
    """
    marked = [
        Marked(box_id=str(number), category=types.get(chains[0]), box=box)
        for number, (box, chains) in enumerate(annotated.boxes, 1)
    ]
    own = [one for one, (_, chains) in zip(marked, annotated.boxes, strict=True) if chain in chains]
    if len(own) == 1:
        return tuple(marked), own[0].box_id
    around = Marked(
        box_id=f"chain-{chain}", category=types.get(chain), box=_around([one.box for one in own])
    )
    return (*marked, around), around.box_id


def _around(boxes: Sequence[Box]) -> Box:
    left, top = (min(box[side] for box in boxes) for side in (0, 1))
    right, below = (max(box[side] + box[side + 2] for box in boxes) for side in (0, 1))
    return from_corners(left, top, right, below)


def _types(captions: Sequence[str]) -> dict[str, str]:
    """Return the type of each chain: that of the first phrase of it."""
    found: dict[str, str] = {}
    for caption in captions:
        for phrase in _PHRASE.finditer(caption):
            found.setdefault(phrase["chain"], phrase["types"].split("/")[1])
    return found


def _plain(caption: str) -> str:
    return " ".join(_PHRASE.sub(lambda phrase: phrase["words"], caption).split())


def _annotated(path: Path) -> _Annotated:
    """Return what an XML file says of a picture.

    Raises ValueError for one that says something else, ET.ParseError for what is no XML.
    """
    data = path.read_bytes()
    if b"<!" in data.replace(b"<!--", b""):  # entities; those of the set have none
        raise ValueError("it declares a document type")
    root = ET.fromstring(data)  # noqa: S314  # without a document type there is nothing to expand
    size = _number(root, "size/width"), _number(root, "size/height")
    boxes: list[tuple[Box, tuple[str, ...]]] = []
    scenes: set[str] = set()
    for one in root.findall("object"):
        chains = tuple(name.text.strip() for name in one.findall("name") if name.text)
        box = one.find("bndbox")
        if box is not None and chains:
            # pixels are counted from 1 there
            sides = (_number(box, side) - 1 for side in ("xmin", "ymin", "xmax", "ymax"))
            boxes.append((from_corners(*sides), chains))
        elif (one.findtext("scene") or "").strip() == "1":
            scenes.update(chains)
    return _Annotated(size=size, boxes=tuple(boxes), scenes=frozenset(scenes))


def _number(element: ET.Element, path: str) -> int:
    text = (element.findtext(path) or "").strip()
    if not re.fullmatch(r"\d{1,6}", text):
        raise ValueError(f"{path}: wanted a whole number, got {text[:20]!r}")
    return int(text)


def _names(only: Path) -> list[str]:
    try:
        said = only.read_text("utf-8", "replace").split()
    except OSError as error:
        raise SourceError(
            f"{only}: cannot be read ({error.strerror}); name a list of pictures by --only"
        ) from error
    names = [name for name in dict.fromkeys(said) if _NAME.fullmatch(name)]
    if not names:
        raise UsageError(f"{only}: wanted the ids of pictures, one a line, and holds none")
    return names


def _unrelated(path: Path) -> frozenset[tuple[str, int]]:
    """Return picture and line of the captions that the set itself calls unrelated."""
    if not path.is_file():
        return frozenset()
    text = path.read_text("utf-8", "replace")
    found = re.findall(r"^(\d{1,20})\s+(\d{1,3})\s*$", text, re.MULTILINE)
    return frozenset((name, int(line)) for name, line in found)
