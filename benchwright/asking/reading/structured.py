"""Reading an answer that was to be JSON of a given shape."""

import json
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pydantic

from benchwright.asking.reading.json_text import json_in, json_values
from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.reading.words import folded, words
from benchwright.asking.reading.yes_no import ReadingStatus
from benchwright.asking.replies import Reply

M = TypeVar("M", bound=pydantic.BaseModel)

_NAMED = 3  # faults that one repair request names
_SHOWN = 60  # characters of a wrong value
_LINE = 400  # characters of a fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Structured(Generic[M]):
    """An answer as a pydantic model.

    ``value`` is null exactly where ``status`` is not ok; ``fault`` is then one line that says what
    is wrong. Of an unparsed answer it can be sent back to the model as it stands.
    """

    status: ReadingStatus
    value: M | None = None
    fault: str | None = None


def read_structured(reply: Reply, model: type[M]) -> Structured[M]:
    """Return the JSON of an answer as a model, whether or not the server held it to a schema.

    JSON is found as ``json_in`` finds it; of several values the last that the model takes counts,
    for drafts come first. One value in a list of its own is taken out of it.
    """
    if reply.status in ("failed", "rejected", "refused"):
        status: ReadingStatus = "failed" if reply.status == "failed" else "refused"
        said = reply.refusal or reply.error or reply.finish_reason or "no answer came"
        return Structured(status=status, fault=_line(f"{reply.status}: {said}"))
    text = without_reasoning(reply.text)
    value, fault = _fitting(text, model)
    if value is not None:
        return Structured(status="ok", value=value)
    if reply.status == "truncated":
        return Structured(status="truncated", fault="the answer was cut off before its JSON ended")
    plain = folded(text)
    if words().blind.search(plain) or words().declined.search(plain):
        return Structured(status="refused", fault=_line(f"declined: {text}"))
    return Structured(status="unparsed", fault=fault)


def _fitting(text: str, model: type[M]) -> tuple[M | None, str]:
    """Return the last JSON value that the model takes, or null and the fault of the last one."""
    values = [found.value for found in json_values(text)]
    if not values and (plain := json_in(text)) is not None:
        values = [plain]
    faults = []
    for value in reversed(values):
        for tried in (value, value[0]) if isinstance(value, list) and len(value) == 1 else (value,):
            try:
                # as JSON, so that a strict model takes a list for a tuple and a text for a date
                return model.model_validate_json(json.dumps(tried)), ""
            except pydantic.ValidationError as error:
                faults.append(_fault(error))
    empty = "the answer holds no complete JSON value" if text else "the answer is empty"
    return None, faults[0] if faults else empty


def _fault(error: pydantic.ValidationError) -> str:
    """Return what is wrong in one line: where, what was wanted, what came."""
    found = error.errors(include_url=False, include_context=False)
    lines = [
        _one_fault(fault["loc"], fault["type"], fault["msg"], fault["input"]) for fault in found
    ]
    more = f"; and {len(lines) - _NAMED} more" if len(lines) > _NAMED else ""
    return _line("; ".join(lines[:_NAMED]) + more)


def _one_fault(place: tuple[int | str, ...], kind: str, wanted: str, came: Any) -> str:
    where = " > ".join(map(str, place)) or "the top"
    if kind == "missing":
        return f"at {where}: is missing"
    shown = json.dumps(came, ensure_ascii=False, default=str)
    cut = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
    return f"at {where}: {wanted}, got {cut}"


def _line(text: str) -> str:
    said = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    return said if len(said) <= _LINE else f"{said[:_LINE]}..."
