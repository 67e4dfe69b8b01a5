"""Parquet shards of a config: the same rows give the same bytes, and memory stays flat."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchwright import files
from benchwright.release_loading import SPLIT
from benchwright.rows import ContentDigest
from exports.features import IMAGE, shard_schema
from exports.names import checked_config

SHARD_BYTES = 400 << 20  # of Arrow data; the Hub likes files under half a gigabyte
GROUP_BYTES = 32 << 20  # of Arrow data: what a reader that streams holds at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written of a config; ``digest`` is that of its rows, ``size`` bytes in Arrow.

    ``paths`` are from the root of the release, ``sha256`` those of their bytes.
    """

    config: str
    paths: tuple[str, ...]
    sha256: tuple[str, ...]
    rows: int
    size: int
    digest: str


def write_shards(
    folder: Path,
    config: str,
    schema: pa.Schema,
    tables: Iterable[pa.Table],
    shard_bytes: int = SHARD_BYTES,
) -> Written:
    """Write ``data/CONFIG/test-00000-of-00002.parquet`` and on.

    No shard holds more than ``shard_bytes``, unless one row does. Raises ValueError for a name that
    is none of a config, for no rows at all, and for a table of another schema or with a null where
    none may be.
    """
    place = folder / "data" / checked_config(config)
    place.mkdir(parents=True, exist_ok=True)
    shards = _Shards(place, schema, shard_bytes)
    try:
        for table in tables:
            _check(config, table, schema)
            shards.write(table)
    finally:
        shards.close()
    return shards.finished(config)


class _Shards:
    """Writes one shard after the other; how many there are stands in their names at the end."""

    def __init__(self, place: Path, schema: pa.Schema, most: int) -> None:
        self._place, self._schema, self._most = place, shard_schema(schema), most
        self._has_pictures = any(field.type == IMAGE for field in schema)
        self._digest = ContentDigest()
        self._paths: list[Path] = []
        self._rows = self._size = self._held = 0
        self._writer: pq.ParquetWriter | None = None

    def write(self, table: pa.Table) -> None:
        self._digest.update(without_pictures(table))
        self._rows += table.num_rows
        for group in _groups(table.cast(self._schema), min(GROUP_BYTES, self._most)):
            writer = self._writer
            if writer is None or self._held + group.nbytes > self._most:
                writer = self._begin()
            writer.write_table(group, row_group_size=group.num_rows)
            self._size += group.nbytes
            self._held += group.nbytes

    def _begin(self) -> pq.ParquetWriter:
        self.close()
        path = self._place / f"{len(self._paths):05d}.partial"
        self._paths.append(path)
        self._held = 0
        self._writer = pq.ParquetWriter(
            path,
            self._schema,
            # pictures are compressed already, and no two of them are the same
            compression="none" if self._has_pictures else "zstd",
            use_dictionary=not self._has_pictures,
            write_statistics=not self._has_pictures,
        )
        return self._writer

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def finished(self, config: str) -> Written:
        """Give the shards their names."""
        if not self._rows:
            raise ValueError(f"{config}: has no rows, and datasets loads no table without any")
        names = []
        for number, path in enumerate(self._paths):
            name = f"{SPLIT}-{number:05d}-of-{len(self._paths):05d}.parquet"
            path.rename(self._place / name)
            names.append(f"data/{config}/{name}")
        files.sync([self._place / Path(name).name for name in names])
        return Written(
            config=config,
            paths=tuple(names),
            sha256=tuple(files.sha256_of(self._place / Path(name).name) for name in names),
            rows=self._rows,
            size=self._size,
            digest=self._digest.hexdigest(),
        )


def without_pictures(table: pa.Table) -> pa.Table:
    """Return what of a table its digest is made of: of pictures their hashes stand beside them."""
    pictures = [field.name for field in table.schema if field.type == IMAGE]
    return table.drop_columns(pictures) if pictures else table


def _groups(table: pa.Table, most: int) -> Iterator[pa.Table]:
    """Yield a table in parts of about so many bytes, at least one row each."""
    rows = max(1, table.num_rows * most // max(1, table.nbytes))
    for start in range(0, table.num_rows, rows):
        yield table.slice(start, rows)


def _check(config: str, table: pa.Table, schema: pa.Schema) -> None:
    """Raise ValueError for what could not be loaded as the card says; Arrow itself lets it be."""
    if not table.schema.equals(schema):
        raise ValueError(f"{config}: a table of another schema: {table.schema}")
    for field in schema:
        column = table.column(field.name)
        if not field.nullable and column.null_count:
            raise ValueError(f"{config}.{field.name} is required and is null")
        if field.type == IMAGE and pc.struct_field(column, "bytes").null_count:
            raise ValueError(f"{config}.{field.name}: a picture without bytes")
