"""A string by which a model that was trained on a release gives itself away."""

import uuid

import pyarrow as pa

_SPACE = uuid.uuid5(uuid.NAMESPACE_OID, "benchwright canary")
COLUMN = "canary"


def canary_of(name: str) -> str:
    """Return the canary of a release, the same for all of its versions.

    Whoever gathers training data can leave out what holds it; whoever evaluates can ask a model to
    go on after its first half.
    """
    return f"benchwright canary {uuid.uuid5(_SPACE, name)}"


def with_canary(table: pa.Table, canary: str) -> pa.Table:
    """Return a table with the canary in each row."""
    column = pa.repeat(pa.scalar(canary), table.num_rows)
    return table.append_column(pa.field(COLUMN, pa.string(), nullable=False), column)
