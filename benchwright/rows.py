"""Records to Arrow tables and back, and the digest of a table's content."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.records import SCHEMAS

R = TypeVar("R")
_Convert = Callable[[Any], Any]
_DIGEST_ROWS = 65_536  # part of what the digest is: another number gives other digests


def to_table(records: Iterable[R], kind: type[R]) -> pa.Table:
    """Return the records as one table with the schema of their kind.

    Raises ValueError when a field that is required is null.
    """
    rows = list(records)
    schema = SCHEMAS[kind]
    columns = [pa.array(_column(rows, field), type=field.type) for field in schema]
    for field, column in zip(schema, columns, strict=True):
        if column.null_count and not field.nullable:  # Arrow itself does not look
            raise ValueError(f"{kind.__name__}.{field.name} is required and is null")
    return pa.Table.from_arrays(columns, schema=schema)


def from_table(table: pa.Table, kind: type[R]) -> Iterator[R]:
    """Yield the rows of a table as records."""
    build: Callable[[Any], R] = _builder(kind)  # type: ignore[arg-type]  # a class is hashable
    for batch in table.to_batches():
        yield from map(build, batch.to_pylist())


def _column(rows: list[Any], field: pa.Field) -> list[Any]:
    values = list(map(attrgetter(field.name), rows))
    return [_plain(value) for value in values] if pa.types.is_nested(field.type) else values


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if type(value) in SCHEMAS:
        kind: Any = type(value)
        return {name: _plain(getattr(value, name)) for name in _names(kind)}
    return value


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _builder(kind: type[Any]) -> _Convert:
    hints = get_type_hints(kind)
    parts = [(field.name, _converter(hints[field.name])) for field in fields(kind)]
    return lambda row: kind(**{name: convert(row[name]) for name, convert in parts})


def _converter(hint: Any) -> _Convert:
    if hint in SCHEMAS:
        return _builder(hint)
    if get_origin(hint) is tuple:
        entry = _converter(get_args(hint)[0])
        return lambda values: tuple(map(entry, values))
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (part for part in get_args(hint) if part is not type(None))
        convert = _converter(inner)
        return lambda value: None if value is None else convert(value)
    return lambda value: value


class ContentDigest:
    """The sha256 of the rows of tables of one schema, as if they were one; fed table by table.

    It depends on names, types and values alone: not on compression, row groups, chunks or the
    versions of the libraries that wrote them.
    """

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._waiting: list[pa.Table] = []
        self._began = False

    def update(self, table: pa.Table) -> None:
        """Take the next rows; less than a block of them is held."""
        self._waiting.append(table)
        whole = pa.concat_tables(self._waiting)
        full = whole.num_rows - whole.num_rows % _DIGEST_ROWS
        for start in range(0, full, _DIGEST_ROWS):
            self._block(whole.slice(start, _DIGEST_ROWS))
        self._waiting = [whole.slice(full)]

    def hexdigest(self) -> str:
        """Return the digest of all rows; nothing can be added after it."""
        rest = pa.concat_tables(self._waiting)
        if rest.num_rows or not self._began:
            self._block(rest)
        return self._digest.hexdigest()

    def _block(self, rows: pa.Table) -> None:
        """Take one block: a chunk of text cannot hold more than two gigabytes."""
        self._began = True
        block = rows.combine_chunks()
        for field in block.schema:
            column = block.column(field.name)
            array = column.chunk(0) if column.num_chunks else pa.array([], field.type)
            self._digest.update(f"{field.name}\0{_shape(field.type)}\0{len(array)}\0".encode())
            _digest_array(array, self._digest)


def content_digest(tables: Sequence[pa.Table]) -> str:
    """Return the ``ContentDigest`` of one or more tables."""
    digest = ContentDigest()
    for table in tables:
        digest.update(table)
    return digest.hexdigest()


def _shape(kind: pa.DataType) -> str:
    """Name a type without what Parquet does not keep: the name of a list's entries, say."""
    if pa.types.is_struct(kind):
        return f"{{{','.join(f'{field.name}:{_shape(field.type)}' for field in kind)}}}"
    if pa.types.is_fixed_size_list(kind):
        return f"[{_shape(kind.value_type)}]*{kind.list_size}"
    return f"[{_shape(kind.value_type)}]" if pa.types.is_list(kind) else str(kind)


def _digest_array(array: pa.Array, digest: "hashlib._Hash") -> None:
    valid = array.is_valid()
    digest.update(np.packbits(valid.to_numpy(zero_copy_only=False)).tobytes())
    kind = array.type
    if pa.types.is_struct(kind):
        for child in array.flatten():
            _digest_array(child, digest)
    elif pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        lengths = pc.fill_null(pc.cast(pc.list_value_length(array), pa.int64()), 0)
        digest.update(lengths.to_numpy(zero_copy_only=False).tobytes())
        _digest_array(pc.list_flatten(array), digest)
    elif pa.types.is_string(kind):
        filled = pc.cast(pc.fill_null(array, ""), pa.binary())
        lengths = pc.cast(pc.binary_length(filled), pa.int64())
        digest.update(lengths.to_numpy(zero_copy_only=False).tobytes())
        digest.update(_text_of(filled))
    else:
        filled = pc.fill_null(array, False if pa.types.is_boolean(kind) else 0)
        digest.update(np.ascontiguousarray(filled.to_numpy(zero_copy_only=False)).tobytes())


def _text_of(texts: pa.BinaryArray) -> memoryview:
    """Return the bytes of all texts, one after the other; none of them is null."""
    _, offsets, data = texts.buffers()
    if data is None:
        return memoryview(b"")
    ends = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset)
    return memoryview(data)[ends[0] : ends[-1]]
