"""Columns of a config as Croissant describes them (Croissant 1.0, Fields and RecordSets)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from exports.features import IMAGE

_Json = dict[str, Any]
_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(  # of a row, by config
    {
        "false-premise": ("dialogue_id",),
        "candidate-set": ("dialogue_id", "turn"),
        "question-chain": ("chain_id",),
        "images": ("image_id",),
        "vocabulary": ("type", "value"),
        "labels": ("image_id", "type", "value"),
        "responses": ("response_id",),
        "trajectories": ("config", "run", "episode_id"),
    }
)
_NOT_SAID = "has further records within, which Croissant cannot say: {}"


def record_set(config: str, schema: pa.Schema, files: str, description: str) -> _Json:
    """Return the RecordSet of a config whose shards are the FileSet ``files``.

    Records within records cannot be said; they are named in the description of their field.
    """
    said: _Json = {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": description,
        "field": [_field(f"{config}/{one.name}", one, files, one.name, ()) for one in schema],
    }
    keys = ("episode_id",) if config.startswith("hidden-target-") else _KEYS.get(config, ())
    named = [{"@id": f"{config}/{key}"} for key in keys]
    return said | ({"key": named[0] if len(named) == 1 else named} if named else {})


def _field(name: str, column: pa.Field, files: str, root: str, path: tuple[str, ...]) -> _Json:
    """Return the Field of a column, or of what ``path`` leads to within the column ``root``."""
    kind, depth = _innermost(column.type)
    said: _Json = {"@type": "cr:Field", "@id": name, "name": column.name}
    if depth:
        said["repeated"] = True
    if kind == IMAGE:
        return said | {
            "dataType": "sc:ImageObject",
            "source": _source(files, root, (*path, "bytes")),
        }
    if not pa.types.is_struct(kind):
        return said | {"dataType": _type(kind), "source": _source(files, root, path)}
    untold = [child.name for child in kind if pa.types.is_struct(_innermost(child.type)[0])]
    said["subField"] = [
        _field(f"{name}/{child.name}", child, files, root, (*path, child.name))
        for child in kind
        if child.name not in untold
    ]
    if untold:
        said["description"] = _NOT_SAID.format(", ".join(untold))
    return said


def _innermost(kind: pa.DataType) -> tuple[pa.DataType, int]:
    """Return what a list holds, and how many lists stand around it."""
    depth = 0
    while pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        kind, depth = kind.value_type, depth + 1
    return kind, depth


def _source(files: str, column: str, path: tuple[str, ...]) -> _Json:
    said: _Json = {"fileSet": {"@id": files}, "extract": {"column": column}}
    return said | ({"transform": {"jsonPath": ".".join(path)}} if path else {})


def _type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(kind) else "sc:Text"
