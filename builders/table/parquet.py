"""Parquet files as rows of text."""

import json
import math
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import SourceError
from builders.table.row import Cell, Row


def read_parquet(path: Path) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the columns and the rows; a struct is one column for each of its fields.

    Numbers are decimal text, a float that is whole without a point, so that an id is the same in
    CSV; lists stay lists, null and NaN are no value, columns with bytes are left out.

    Raises SourceError when the file is broken or two columns have one name.
    """
    try:
        table = pq.read_table(path, use_threads=False)
        while any(pa.types.is_struct(field.type) for field in table.schema):
            table = table.flatten()
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path}: a broken Parquet file ({error})") from error
    kept = [field.name for field in table.schema if not _has_bytes(field.type)]
    twice = sorted({name for name in table.column_names if table.column_names.count(name) > 1})
    if twice:
        raise SourceError(f"{path}: two columns are called {twice[0]!r}; rename one")
    if not kept:
        raise SourceError(f"{path}: no column of text, numbers or lists")
    return tuple(kept), _rows(path, table.select(kept))


def _has_bytes(kind: pa.DataType) -> bool:
    """Tell whether a type is of bytes, or a list, struct or map with bytes anywhere in it."""
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
        or any(_has_bytes(kind.field(place).type) for place in range(kind.num_fields))
    )


def _rows(path: Path, table: pa.Table) -> Iterator[Row]:
    number = 0
    try:
        for batch in table.to_batches(max_chunksize=10_000):
            columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
            for cells in zip(*columns, strict=True):
                number += 1
                yield Row(line=number, cells=cells)
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: near row {number + 1}, text is not UTF-8 ({error})") from error


def _cell(value: Any) -> Cell:
    if isinstance(value, list):
        return [text for text in map(_text, value) if text is not None]
    return _text(value)


def _text(value: Any) -> str | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    if isinstance(value, float) and math.isfinite(value):
        return f"{Decimal(repr(value)):f}".removesuffix(".0")
    return str(value)
