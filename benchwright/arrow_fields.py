"""Kinds of columns that the schemas of records share."""

import pyarrow as pa

TEXT = pa.string()
TEXTS = pa.list_(pa.string())
BOX = pa.list_(pa.float64(), 4)  # [x, y, width, height] in pixels


def required(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column without nulls."""
    return pa.field(name, kind, nullable=False)


def struct_of(schema: pa.Schema) -> pa.DataType:
    """Return the columns of a schema as one column."""
    return pa.struct(list(schema))
