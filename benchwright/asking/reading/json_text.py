"""Finding JSON in an answer: fenced, with text around it, spelled as Python or by hand."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchwright.asking.reading.reasoning import without_reasoning

_DEPTH = 40  # deeper nesting is no answer
_LONGEST = 200_000  # characters of one value
_BUDGET = 300_000  # characters read in vain before the search is given up: it stays linear

_OPENING = re.compile(r"[{\[]")
_PART = re.compile(
    r'(?P<double>"[^"\\]*(?:\\.[^"\\]*)*")'
    r"|(?P<single>'[^'\\]*(?:\\.[^'\\]*)*')"
    r"|(?P<curly>“[^”]*”)"
    r"|(?P<sign>[{}\[\]:,：，])"
    r"|(?P<word>[\w.+-]+)"
    r"|(?P<nothing>\s+|//[^\n]*)",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\Z")
_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_PAIRS = {"}": "{", "]": "["}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonValue:
    """An object or a list in a text, from ``start`` to ``end``."""

    value: Any
    start: int
    end: int


def json_in(text: str) -> Any | None:
    """Return the first complete JSON value of an answer; null where there is none.

    Reasoning is left out. An object, or a list that holds one, goes before a list of plain values
    (a footnote, a box); a plain value counts only as the whole text. Single quotes, trailing
    commas, names without quotes, comments to the end of a line and Python's True, False and None
    are read too. Nothing is ever evaluated.
    """
    text = without_reasoning(text)
    first: Any = None
    for found in json_values(text):
        if isinstance(found.value, dict) or any(isinstance(part, dict) for part in found.value):
            return found.value
        first = found.value if first is None else first
    return first if first is not None else _plain_value(text)


def json_values(text: str) -> Iterator[JsonValue]:
    """Yield the outermost objects and lists of a text in order, in time linear in its length."""
    at, left = 0, _BUDGET
    while left > 0 and (opening := _OPENING.search(text, at)):
        start = opening.start()
        spelled, end = _strict(text, start)
        try:
            value = json.loads(spelled, strict=False) if spelled else None
        except ValueError:  # no JSON, or a number with thousands of digits
            value = None
        if value is None:
            left -= end - start + 20
            at = start + 1
        else:
            yield JsonValue(value=value, start=start, end=end)
            at = end


def _plain_value(text: str) -> Any | None:
    try:
        return None if not text or text[0] in "{[" else json.loads(text)
    except ValueError:
        return None


def _strict(text: str, start: int) -> tuple[str, int]:
    """Return the value that begins at ``start`` in strict spelling, '' if it does not end, and
    where reading it stopped.
    """
    parts: list[str] = []
    opened: list[str] = []
    at = start
    while at - start < _LONGEST and (part := _PART.match(text, at)):
        at = part.end()
        kind, said = part.lastgroup, part[0]
        if kind == "nothing":
            continue
        if said in ("{", "["):
            opened.append(said)
        elif said in _PAIRS:
            if opened.pop() != _PAIRS[said]:
                return "", at
            if parts[-1] == ",":  # a trailing one
                parts.pop()
        parts.append(_spelled(kind, said))
        if not opened:
            return "".join(parts), at
        if len(opened) > _DEPTH:
            return "", at
    return "", at


def _spelled(kind: str | None, said: str) -> str:
    if kind == "sign":
        return {"：": ":", "，": ","}.get(said, said)
    if kind == "word":
        literal = _LITERALS.get(said.lower())
        return literal or (said if _NUMBER.match(said) else json.dumps(said))
    return f'"{_ESCAPE.sub(_escape, said[1:-1]) if kind == "double" else _requoted(said[1:-1])}"'


def _requoted(body: str) -> str:
    unquoted = body.replace("\\'", "'").replace('\\"', '"')
    return _ESCAPE.sub(_escape, unquoted).replace('"', '\\"')


def _escape(found: re.Match[str]) -> str:
    if found[1] == "'":
        return "'"
    return found[0] if found[1] in '"\\/bfnrtu' else "\\" + found[0]
