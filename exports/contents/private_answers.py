"""Samples whose answers are held back: a commitment stands in their place.

A commitment is the sha256 of a salt and of the answers as JSON. Whoever holds the answers can show
them later, and everybody can see that they were these from the beginning; without the salt nobody
can try answers until one fits. The salt of a sample is made of a key and its id, so that the same
key gives the same bytes.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pyarrow as pa

from benchwright.errors import UsageError

KEY = "BENCHWRIGHT_ANSWER_KEY"
COLUMN = "commitment"
_SHORTEST = 32  # characters of a key
_HELD: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hidden-target": (
            "target_id",
            "target_index",
            "similarities",
            "telling_values",
            "par",
            "par_protocol",
        ),
        "candidate-set": ("candidate_ids", "marks", "kind"),
        "question-chain": ("steps",),
    }
)


def key_from_environment() -> bytes:
    """Return the key of the salts; raises UsageError where the environment has none of use."""
    key = os.environ.get(KEY, "")
    if len(key) < _SHORTEST:
        raise UsageError(
            f"--private-answers wants a key of {_SHORTEST} characters or more in the environment"
            f" variable {KEY} ({'nothing' if not key else f'{len(key)} characters'} there); make"
            " one with openssl rand -hex 32 and keep it: the answers are shown with it later"
        )
    return key.encode()


def held_fields(config: str) -> tuple[str, ...]:
    """Return the columns of a config that hold answers; none for a false premise.

    What is false in a false premise stands in the question itself.
    """
    kind = "hidden-target" if config.startswith("hidden-target") else config
    return _HELD.get(kind, ())


def hold_back(
    config: str, table: pa.Table, ids: Sequence[str], key: bytes
) -> tuple[pa.Table, pa.Table]:
    """Return the table as it goes out, and what is held back of it.

    In the first the answers are null and ``commitment`` stands behind them; the second has id,
    salt and the answers as JSON.
    """
    fields = held_fields(config)
    rows = table.select(fields).to_pylist()
    salts = [hmac.digest(key, f"{config}\0{name}".encode(), "sha256").hex() for name in ids]
    answers = [json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows]
    commitments = [commitment(salt, said) for salt, said in zip(salts, answers, strict=True)]
    out = table
    for name in fields:
        kind = table.schema.field(name).type
        place = out.schema.get_field_index(name)
        out = out.set_column(place, pa.field(name, kind), pa.nulls(table.num_rows, kind))
    out = out.append_column(pa.field(COLUMN, pa.string(), nullable=False), [commitments])
    held = pa.table({"id": list(ids), "salt": salts, "answers": answers}, schema=_HELD_SCHEMA)
    return out, held


def commitment(salt: str, answers: str) -> str:
    """Return what stands in a release for answers, given as the JSON that is shown later."""
    return hashlib.sha256(f"{salt}\0{answers}".encode()).hexdigest()


_HELD_SCHEMA = pa.schema([("id", pa.string()), ("salt", pa.string()), ("answers", pa.string())])
