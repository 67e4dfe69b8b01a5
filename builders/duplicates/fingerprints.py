"""The fingerprints of a catalog's pictures, each computed once and kept with the stage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright import store
from benchwright.errors import CorruptShard, WorkspaceError
from benchwright.progress import Progress
from benchwright.workers import Workers
from builders.duplicates.hashes import Fingerprint, decoder, fingerprint_stored

FINGERPRINTS = "fingerprints"
_PART = 2_000
_FIELDS = tuple(field.name for field in fields(Fingerprint))
SCHEMA = pa.schema(
    [
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("pixels", pa.string(), nullable=False),
        pa.field("phash", pa.string()),
        pa.field("mirrored", pa.string()),
        pa.field("chroma", pa.string(), nullable=False),
        pa.field("decoder", pa.string(), nullable=False),
    ]
)

Keep = Callable[[str, Callable[[], pa.Table]], pa.Table]


def known_fingerprints(folder: Path) -> Mapping[str, Fingerprint]:
    """Return what an earlier run with the same packages found, by the hash of the stored bytes."""
    try:
        rows = store.read_table(folder, f"{FINGERPRINTS}.parquet").to_pylist()
    except (WorkspaceError, CorruptShard):
        return {}
    return {
        row["sha256"]: Fingerprint(**{name: row[name] for name in _FIELDS})
        for row in rows
        if row["decoder"] == decoder()
    }


def fingerprint_all(
    pictures: Mapping[str, Path],
    known: Mapping[str, Fingerprint],
    keep: Keep,
    workers: Workers,
    progress: Progress,
) -> Mapping[str, Fingerprint]:
    """Return the fingerprint of each picture, given by the hash of its bytes.

    ``keep`` is ``StageWriter.part``: what a killed run has done is not done again. Raises
    WorkspaceError when a picture is missing or broken.
    """
    found = {sha256: known[sha256] for sha256 in pictures if sha256 in known}
    missing = [(sha256, path) for sha256, path in sorted(pictures.items()) if sha256 not in known]
    starts = range(0, len(missing), _PART)
    for number, start in enumerate(starts):
        block = missing[start : start + _PART]
        shown = progress(f"fingerprints, part {number + 1} of {len(starts)}", len(block))

        def compute(block: Sequence[tuple[str, Path]] = block, shown: Any = shown) -> pa.Table:
            made = shown(workers.map_ordered(fingerprint_stored, block, batch=4))
            return as_table(made)

        table = keep(f"fingerprints-{number:05d}", compute)
        found |= {
            row["sha256"]: Fingerprint(**{name: row[name] for name in _FIELDS})
            for row in table.to_pylist()
        }
    return found


def as_table(fingerprints: Any) -> pa.Table:
    """Return fingerprints as a table, by the hash of the stored bytes."""
    version = decoder()
    rows = [
        {name: getattr(one, name) for name in _FIELDS} | {"decoder": version}
        for one in sorted(fingerprints, key=lambda one: one.sha256)
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)
