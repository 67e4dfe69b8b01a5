"""Structured outputs: an answer said in the JSON of a schema."""

import json
from collections.abc import Mapping
from typing import Any

from stand_ins.models.question import Turn


def object_of(turn: Turn) -> str:
    """Return the answer as any JSON object."""
    said = turn.data
    if not isinstance(said, dict):
        said = {"answer": turn.answer} if turn.answer else {"text": turn.text}
    return json.dumps(said, ensure_ascii=False)


def fitted(schema: Any, turn: Turn) -> str:
    """Return the answer as JSON that keeps to a schema.

    What the brain gave as ``data`` is taken as it is. Else each string, choice and truth value
    says the answer as far as it can, numbers say P(yes), and the rest is the least that fits.
    """
    said = turn.data if turn.data is not None else _fill(schema, turn, schema)
    return json.dumps(said, ensure_ascii=False)


def _fill(schema: Any, turn: Turn, root: Any) -> Any:
    schema = _resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return _choice(schema["enum"], turn)
    for several in ("anyOf", "oneOf", "allOf"):
        if schema.get(several):
            return _fill(schema[several][0], turn, root)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object" or "properties" in schema:
        held = schema.get("properties", {})
        return {name: _fill(part, turn, root) for name, part in held.items()}
    if kind == "array":
        return [_fill(schema.get("items", {}), turn, root)] * schema.get("minItems", 0)
    return _plain(kind, schema, turn)


def _resolved(schema: Any, root: Any) -> Mapping[str, Any]:
    for _ in range(8):  # a reference may lead to another, or to itself
        if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
            break
        found: Any = root
        for name in schema["$ref"].removeprefix("#").strip("/").split("/"):
            found = found.get(name, {}) if name and isinstance(found, dict) else found
        schema = found
    return schema if isinstance(schema, dict) else {}


def _choice(choices: list[Any], turn: Turn) -> Any:
    for choice in choices:
        if isinstance(choice, str) and choice.casefold() == turn.answer:
            return choice
    return choices[-1]


def _plain(kind: Any, schema: Mapping[str, Any], turn: Turn) -> Any:
    if kind == "boolean":
        return turn.answer == "yes"
    if kind == "number":
        return turn.p_yes if turn.p_yes is not None else schema.get("minimum", 0)
    if kind == "integer":
        return schema.get("minimum", 0)
    if kind == "null":
        return None
    return turn.answer or turn.text or ""
