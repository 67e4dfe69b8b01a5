"""Reading which of the listed boxes an answer selects, by their numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.asking.box_reading.reading import answers_in, corners_in, found_in
from benchwright.asking.reading.json_text import json_values
from benchwright.asking.reading.reasoning import without_reasoning

_KEYS = frozenset(("number", "id", "box", "box_id", "index", "object"))
_WORDS = r"box(?:es)?|objects?|numbers?|candidates?|items?|nos?\."
_PLAIN = re.compile(
    rf"(?:\s|[#,;.:*_`()\[\]{{}}$&、，；。第个和或]|-(?!\d)|\\boxed|\b(?:and|or|{_WORDS})|\d){{1,500}}",
    re.IGNORECASE,
)
_BOX = re.compile(r"\[(?: {0,4}[\d.]{1,12} {0,4},){3} {0,4}[\d.]{1,12} {0,4}\]")
_NUMBER = re.compile(r"(?<![\d.])\d{1,4}(?![\d]|\.\d)")
_NAMED = re.compile(
    rf"(?:#|\b(?:{_WORDS}))\s{{0,3}}#?(\d{{1,4}}(?:\s{{0,3}}(?:,|;|&|and|or)"
    rf"\s{{0,3}}(?:and\s{{1,3}})?(?:(?:{_WORDS})\s{{0,3}})?#?\d{{1,4}}){{0,99}})(?!\d|\.\d)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no|nor|neither|never|cannot|except|without|ruled|rules?|excluded?|dropped)\b|n't",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Places, from 0, of the boxes that were selected, in the order given, each once.

    ``read_by``: json, numbers (nothing but numbers), words (box 2), boxes (a listed one was
    written again); without a selection none, declined or unread, as for boxes.
    """

    places: tuple[int, ...]
    read_by: str


def read_selection(text: str, listed: Sequence[str]) -> Selection:
    """Return which of the boxes an answer selects; ``listed`` are they as they were shown.

    A number that no box has is left out; one in a sentence that denies something is not certain.
    """
    said = without_reasoning(text)
    for part in answers_in(said):
        for route, numbers in _by_route(part, len(listed)):
            places = tuple(dict.fromkeys(at - 1 for at in numbers if 1 <= at <= len(listed)))
            if places:
                return Selection(places=places, read_by=route)
        if found_in(part)[0] == "none":
            return Selection(places=(), read_by="none")
    route, corners = corners_in(said)
    by_box = {shown: at for at, shown in reversed(list(enumerate(map(_corners, listed))))}
    places = tuple(dict.fromkeys(by_box[one] for one in corners if one in by_box))
    if places:
        return Selection(places=places, read_by="boxes")
    return Selection(places=(), read_by="unread" if corners else route)


def _by_route(part: str, most: int) -> Iterator[tuple[str, list[int]]]:
    lists = [list(_numbers(one.value, most)) for one in json_values(part)]
    yield "json", next(filter(None, reversed(lists)), [])  # drafts come first
    unboxed = _BOX.sub(" ", part)
    if _PLAIN.fullmatch(unboxed):
        yield "numbers", [int(found) for found in _NUMBER.findall(unboxed)]
    said = {one: _NAMED.findall(one) for one in re.split(r"[.;!?\n]", part)}
    if not any(named and _DENIED.search(one) for one, named in said.items()):
        found = " ".join(" ".join(named) for named in said.values())
        yield "words", [int(number) for number in re.findall(r"\d+", found)]


def _numbers(value: Any, most: int) -> Iterator[int]:
    """Yield the whole numbers of JSON that are numbers of boxes; four of which one is none are one
    box, written out.
    """
    if isinstance(value, dict):
        for key, one in value.items():
            number = _whole(one) if str(key).lower() in _KEYS else None
            yield from _numbers(one, most) if number is None else (number,)
    elif isinstance(value, list):
        found = [number for one in value if (number := _whole(one)) is not None]
        if len(value) != 4 or all(1 <= number <= most for number in found):
            yield from found
        for one in value:
            yield from _numbers(one, most)


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip().lstrip("#")):
        return int(value.strip().lstrip("#"))
    return None


def _corners(shown: str) -> tuple[float, ...]:
    return corners_in(shown)[1][0]
