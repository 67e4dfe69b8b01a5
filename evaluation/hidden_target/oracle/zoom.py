"""The zoom of the oracle: the tool as a server is told of it, calls of it, and what they show.

A call may hold anything. What goes back to the server is made anew from what was understood, for
servers refuse a whole conversation over a name or arguments that they once gave themselves.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from benchwright.asking.any_json import mapping_of
from benchwright.asking.reading import json_in, without_reasoning
from benchwright.asking.requests import Message, PicturePart, View
from benchwright.asking.tokens import Size
from benchwright.boxes import Box
from benchwright.plain_text import excerpt
from evaluation.releases.pictures import Shown

NAME = "zoom"
_SIDES = ("left", "top", "right", "bottom")
_WHOLE = 1000  # thousandths of width or height
_LEAST = 10  # of them that a side has: less shows nothing
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

_SHOWN = "The part is shown below."
_NO_TOOL = f"There is no such tool. The only one is {NAME}."
_NO_BOX = f"Not shown: {NAME} takes left, top, right and bottom as numbers from 0 to {_WHOLE}."
_NO_PART = (
    f"Not shown: right must be over left, and bottom over top, by {_LEAST} or more within 0 to"
    f" {_WHOLE}."
)
_PARTS = "\nThe first picture is the whole, what follows are parts of it."
_BELOW = "\nThe parts that you asked for."
_AGAIN = "\nAnswer with one word: yes, no or unsure. Or look at another part."
_LONGEST = 2000  # characters of what a model said that are kept in the conversation


def _side(what: str) -> dict[str, Any]:
    described = f"{what}, in thousandths"
    return {"type": "integer", "minimum": 0, "maximum": _WHOLE, "description": described}


TOOLS: tuple[Mapping[str, Any], ...] = (
    {
        "type": "function",
        "function": {
            "name": NAME,
            "description": "Shows a part of the picture by itself, to look at it more closely.",
            "parameters": {
                "type": "object",
                "properties": {
                    "left": _side("left edge of the part, of the width"),
                    "top": _side("upper edge, of the height"),
                    "right": _side("right edge, of the width"),
                    "bottom": _side("lower edge, of the height"),
                },
                "required": list(_SIDES),
                "additionalProperties": False,
            },
        },
    },
)

_SAID_OF_ZOOM = MappingProxyType({1: "once", 2: "twice"})


def offer_of(zooms: int) -> str:
    """Return how a model is told of the zoom."""
    times = _SAID_OF_ZOOM.get(zooms, f"{zooms} times")
    return (
        f"\nBefore you answer you may look more closely at parts of the picture, {times} at most:"
        f" call {NAME}."
    )


def said_of_zoom(zooms: int) -> list[Any]:
    """Return all that a model is told of the zoom, besides numbers, as JSON, for digests."""
    outcomes = [_SHOWN, _NO_TOOL, _NO_BOX, _NO_PART]
    return [offer_of(zooms), *TOOLS, *outcomes, _BELOW, _AGAIN, _PARTS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool as it was understood: a box in thousandths, or why there is none."""

    name: str
    box: tuple[int, int, int, int] | None
    fault: str | None


def read_call(said: Mapping[str, Any]) -> Call:
    """Return what a tool call of a reply wants, whatever it holds.

    Arguments may come as an object too, numbers as fractions or in quotes; a box is cut off at the
    edges of the picture.
    """
    function = mapping_of(said.get("function"))
    named, arguments = function.get("name"), function.get("arguments")
    name = named if isinstance(named, str) and _PLAIN_NAME.fullmatch(named) else "unknown"
    if name != NAME:
        return Call(name=name, box=None, fault=_NO_TOOL)
    held = mapping_of(json_in(arguments) if isinstance(arguments, str) else arguments)
    sides = [_number(held.get(side)) for side in _SIDES]
    left, top, right, bottom = (side if side is not None else math.nan for side in sides)
    if None in sides:
        return Call(name=name, box=None, fault=_NO_BOX)
    box = round(left), round(top), round(right), round(bottom)
    if box[2] - box[0] < _LEAST or box[3] - box[1] < _LEAST:
        return Call(name=name, box=None, fault=_NO_PART)
    return Call(name=name, box=box, fault=None)


def _number(said: Any) -> float | None:
    """Return a number within the picture; null for what is none."""
    if isinstance(said, bool) or not isinstance(said, int | float | str):
        return None
    try:
        number = float(said)
    except (ValueError, OverflowError):
        return None
    return min(max(number, 0.0), float(_WHOLE)) if math.isfinite(number) else None


def turn_of(text: str, calls: Sequence[Call], first: int) -> tuple[Message, ...]:
    """Return what a model said with its calls, and what each call came to.

    ``first`` is the number of the first call, from 0, among those of the conversation.
    """
    ids = [f"{NAME}{first + at:05d}" for at in range(len(calls))]  # Mistral wants nine
    made = [_written(call, name) for call, name in zip(calls, ids, strict=True)]
    said = excerpt(without_reasoning(text), _LONGEST)
    content = {} if said else {"content": None}  # as OpenAI gives it; some refuse an empty text
    return (
        Message(role="assistant", parts=(said,), fields={**content, "tool_calls": made}),
        *(
            Message(role="tool", parts=(call.fault or _SHOWN,), fields={"tool_call_id": name})
            for call, name in zip(calls, ids, strict=True)
        ),
    )


def _written(call: Call, name: str) -> dict[str, Any]:
    held = {} if call.box is None else dict(zip(_SIDES, call.box, strict=True))
    function = {"name": call.name, "arguments": json.dumps(held)}
    return {"id": name, "type": "function", "function": function}


def shown_below(crops: Sequence[PicturePart]) -> tuple[Message, ...]:
    """Return the message that shows what was zoomed to; tool messages take text alone."""
    return (Message(role="user", parts=(*crops, _BELOW, _AGAIN)),) if crops else ()


def shown_beside(crops: Sequence[PicturePart]) -> tuple[str | PicturePart, ...]:
    """Return parts of a picture that is shown before them, each once; nothing for none."""
    return (*dict.fromkeys(crops), _PARTS) if crops else ()


def crop_of(shown: Shown, call: Call) -> PicturePart | None:
    """Return the part of a picture that a call wants to see, in all its pixels."""
    return (
        None
        if call.box is None
        else replace(shown.part, view=View(crop=_in_pixels(call.box, shown.size)))
    )


def _in_pixels(box: tuple[int, int, int, int], size: Size) -> Box:
    """Return [x, y, w, h] of all the pixels that a box touches."""
    left, top, right, bottom = box
    width, height = size
    x, y = left * width // _WHOLE, top * height // _WHOLE
    return (x, y, -(-right * width // _WHOLE) - x, -(-bottom * height // _WHOLE) - y)
