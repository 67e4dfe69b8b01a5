"""The schema of an answer in the form that servers want which hold a model to it strictly.

OpenAI and Azure take a part of JSON Schema where ``strict`` is true: every object is closed and
wants all its fields, and few other keywords are known. What is left away here (bounds, patterns,
defaults) only lets a server be less strict than the pydantic model, which checks every answer.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pydantic

_LEFT_AWAY = frozenset(
    {
        *("title", "default", "examples", "deprecated", "readOnly", "writeOnly", "discriminator"),
        *("minLength", "maxLength", "pattern", "format", "contentMediaType", "contentEncoding"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "required", "additionalProperties", "$defs"),
    }
)
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64


def json_schema_format(model: type[pydantic.BaseModel]) -> dict[str, Any]:
    """Return the response_format that asks for JSON of a pydantic model.

    It is strict where ``strict_schema`` can say the model; else the model's own schema stands in
    it and ``strict`` is false.
    """
    strict = strict_schema(model)
    return {
        "type": "json_schema",
        "json_schema": {
            "name": _NAME.sub("_", model.__name__)[:_LONGEST_NAME] or "answer",
            "schema": model.model_json_schema() if strict is None else strict,
            "strict": strict is not None,
        },
    }


def strict_schema(model: type[pydantic.BaseModel]) -> dict[str, Any] | None:
    """Return the schema of a model as strict servers take it, null where they cannot say it.

    Whatever fits it fits the model but for bounds, patterns and formats; fields with defaults are
    wanted like all others. Properties keep their order. Free dicts, tuples with a type for each
    place, fields of any type and models that are no object cannot be said.
    """
    schema = model.model_json_schema()
    defined: dict[str, Any] = schema.get("$defs", {})
    root: Any = schema
    if "$ref" in schema:  # a model that holds itself
        root = defined.get(str(schema["$ref"]).rpartition("/")[2])
    try:
        said = _strict(root)
        if said.get("type") != "object":
            return None
        if defined:
            said["$defs"] = {name: _strict(part) for name, part in defined.items()}
    except _Unsayable:
        return None
    return said


class _Unsayable(Exception):
    """A part of a schema that strict mode has no word for."""


def _strict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, dict):
        raise _Unsayable
    if "$ref" in schema:  # nothing may stand beside it
        return {"$ref": schema["$ref"]}
    if "allOf" in schema and len(schema["allOf"]) == 1:
        return _strict(schema["allOf"][0])
    said = dict(_keyword(name, value) for name, value in schema.items() if name not in _LEFT_AWAY)
    return _completed(said, schema)


def _keyword(name: str, value: Any) -> tuple[str, Any]:
    match name:
        case "type" | "description" | "enum":
            return name, value
        case "const":
            return "enum", [value]
        case "properties":
            return name, {field: _strict(part) for field, part in value.items()}
        case "items":
            return name, _strict(value)
        case "anyOf" | "oneOf":
            return "anyOf", [_strict(part) for part in value]
    raise _Unsayable


def _completed(said: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part with what strict mode wants of its kind."""
    if "enum" in said:
        said.setdefault("type", _type_of(said["enum"]))
    kind = said.get("type")
    if kind is None and "anyOf" not in said:
        raise _Unsayable  # anything at all
    if kind == "array" and "items" not in said:
        raise _Unsayable
    if kind == "object":
        is_free = schema.get("additionalProperties", "properties" not in schema) is not False
        fields = said.setdefault("properties", {})
        if is_free and not fields:
            raise _Unsayable
        said["required"] = list(fields)
        said["additionalProperties"] = False
    return said


def _type_of(values: Iterable[Any]) -> str | list[str]:
    kinds = list(dict.fromkeys(_TYPES.get(type(value), "") for value in values))
    if "" in kinds:
        raise _Unsayable
    return kinds[0] if len(kinds) == 1 else kinds
