"""Arrow schemas as ``datasets`` has them: nothing is inferred from the first rows."""

from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:  # it takes seconds
    from datasets import Features

IMAGE = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])


def features_of(schema: pa.Schema) -> "Features":
    """Return the features of a schema; a column of the type ``IMAGE`` is an ``Image``."""
    from datasets import Features, Image  # noqa: PLC0415

    features = Features.from_arrow_schema(schema.remove_metadata())
    for field in schema:
        if field.type == IMAGE:
            features[field.name] = Image()
    return features


def shard_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the shards: what ``datasets`` would write of these features.

    Nothing in it is required: ``datasets`` passes over the features of a column that is. What may
    not be null is checked before it is written.
    """
    return features_of(schema).arrow_schema


def card_features(schema: pa.Schema) -> list[dict[str, Any]]:
    """Return the features as the YAML of a card has them."""
    said: list[dict[str, Any]] = features_of(schema)._to_yaml_list()
    return said
