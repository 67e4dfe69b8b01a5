"""What models drafted and no rule let pass, one row each with its reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from benchwright.arrow_fields import TEXT, required

Kind = Literal["step", "chain", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A draft that cannot stand; ``text`` is null where an answer could not be read at all.

    ``step`` counts from 1 and is null for a whole chain. ``fault`` is short, the same for all
    drafts that broke the same rule: the manifest counts by it. ``reason`` says it in words.
    """

    chain_id: str
    kind: Kind
    step: int | None
    voter: str
    text: str | None
    fault: str
    reason: str


DROPPED_SCHEMA = pa.schema(
    [
        required("chain_id", TEXT),
        required("kind", TEXT),
        pa.field("step", pa.int32()),
        required("voter", TEXT),
        pa.field("text", TEXT),
        required("fault", TEXT),
        required("reason", TEXT),
    ]
)


def dropped_table(rows: Iterable[Dropped]) -> pa.Table:
    """Return dropped drafts as a table, in the order given."""
    return pa.Table.from_pylist(
        [{name: getattr(row, name) for name in DROPPED_SCHEMA.names} for row in rows],
        schema=DROPPED_SCHEMA,
    )
