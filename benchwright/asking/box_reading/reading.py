"""What boxes an answer gives, and by which route they were read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.asking.box_reading.corners import Corners
from benchwright.asking.box_reading.in_json import boxes_in_json
from benchwright.asking.box_reading.in_text import bracketed, on_lines, tagged
from benchwright.asking.box_reading.units import SentPicture, Unit
from benchwright.asking.reading.json_text import json_values
from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.reading.words import folded, words
from benchwright.boxes import Box

# boxes between tags, as JSON, in brackets among words, as numbers on a line; none: it says that
# there is none; declined: it would or could not look; unread: anything else without a box
Route = Literal["tags", "json", "brackets", "lines", "none", "declined", "unread"]

_FENCED = re.compile(r"```\w{0,20}(.*?)(?:```|\Z)", re.DOTALL)
_ANSWER = re.compile(
    r"<answer>|\b(?:final\s+)?answers?(?:\s+is)?[\"'*_` ]{0,4}[:：][*_]{0,3}", re.IGNORECASE
)
# not: nothing else; none of them is ruled out
_NONE = re.compile(
    r"\b(?:(?:none|nothing)(?!\s+(?:else|other|(?:\w+\s+){0,4}?(?:rule[sd]?|exclude[sd]?)))\b"
    r"|no\s+(?!other|more|further)(?:\w+\s+){0,3}?(?:objects?|box(?:es)?|match(?:es)?|candidates?)"
    r"|not\s+(?:visible|present|in\s+the\s+(?:picture|image)))\b|没有|不存在",
    re.IGNORECASE,
)
_DRESS = " \n\t*_`\"'.:-"  # around the first word
_SHORT = 300  # characters of a text that may say that there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxReading:
    """Boxes in pixels of the upright picture, in the order given, however many they are.

    ``read_by`` is the route, and behind it, after a comma, the unit where that was not the one
    asked for.
    """

    boxes: tuple[Box, ...]
    read_by: str


def read_boxes(text: str, unit: Unit, sent: SentPicture) -> BoxReading:
    """Return the boxes that an answer gives, in time linear in its length.

    ``unit`` is the one asked for. Reasoning is left out. Where an answer is announced, what stands
    behind the last announcement counts, else what stands in fences, else all of it.
    """
    route, found = corners_in(text)
    written = sent.unit_of(found, unit)
    return BoxReading(
        boxes=tuple(sent.placed(corners, written) for corners in found),
        read_by=route if written == unit else f"{route}, {written}",
    )


def corners_in(text: str) -> tuple[Route, tuple[Corners, ...]]:
    """Return the corners of the boxes of an answer as they are written, and the route."""
    said = without_reasoning(text)
    for part in answers_in(said):
        route, found = found_in(part)
        if route != "unread":
            return route, found
    return _without_boxes(said), ()


def answers_in(said: str) -> Iterator[str]:
    """Yield what may be the answer itself within all that was said, the likeliest first."""
    announced = list(_ANSWER.finditer(said))
    if announced:
        yield said[announced[-1].end() :]
    fenced = _FENCED.findall(said)
    if fenced:
        yield "\n".join(fenced)
    yield said


def found_in(part: str) -> tuple[Route, tuple[Corners, ...]]:
    """Return what ``corners_in`` does, of what may be the answer itself; unread where it is not."""
    if found := tuple(tagged(part)):
        return "tags", found
    values = [one.value for one in json_values(part) if _is_structured(part, one.start, one.end)]
    if found := tuple(corners for value in values for corners in boxes_in_json(value)):
        return "json", found
    if found := tuple(bracketed(part)):
        return "brackets", found
    if found := tuple(on_lines(part)):
        return "lines", found
    is_empty = bool(values) and all(_is_empty(value) for value in values)
    return ("none" if is_empty or _NONE.match(part.lstrip(_DRESS)) else "unread"), ()


def _is_structured(part: str, start: int, end: int) -> bool:
    """Tell a value that is JSON from four numbers in brackets among words."""
    inner = part[start + 1 : end - 1]
    is_whole = not part[:start].strip() and not part[end:].strip()
    return is_whole or part[start] == "{" or "[" in inner or "{" in inner


def _is_empty(value: Any) -> bool:
    """Tell whether a value is a list of nothing, or holds just such lists."""
    if isinstance(value, dict):
        lists = [one for one in value.values() if isinstance(one, list)]
        return bool(lists) and all(map(_is_empty, lists))
    return isinstance(value, list) and all(map(_is_empty, value))


def _without_boxes(said: str) -> Route:
    plain = folded(said)
    if words().blind.search(plain) or words().declined.search(plain):
        return "declined"
    return "none" if len(said) < _SHORT and _NONE.search(said) else "unread"
