"""Comparing two tables row by row, of which millions may be the same.

Both are in the order of their ids. What is the same in both is found by Arrow, in halves of halves;
only what is left is looked at as Python objects.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_BLOCK = 500  # rows that are looked at one by one
Id = tuple[Any, ...]
Row = Mapping[str, Any]
Range = tuple[int, int]


@dataclass(slots=True)
class Compared:
    """What was found of two tables: places of rows in them, ascending by id.

    ``before`` and ``after`` are the places of rows that are in both and differ, pair by pair;
    ``fields`` counts which of their fields do.
    """

    added: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    same: int = 0
    fields: Counter[str] = field(default_factory=Counter)


def in_order(table: pa.Table, ids: Sequence[str]) -> pa.Table:
    """Return a table in the order of its ids; rows of one id stay in theirs."""
    keys = pa.table([_key(table, name) for name in ids], names=list(ids))
    order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in ids])
    is_sorted = np.array_equal(order.to_numpy(), np.arange(table.num_rows))
    return table if is_sorted else table.take(order)


def compared(old: pa.Table, new: pa.Table, ids: Sequence[str]) -> Compared:
    """Return what differs between two tables of the same columns, each in the order of its ids."""
    found = Compared()
    one, other = (_Side(table, _key(table, ids[0]).combine_chunks()) for table in (old, new))
    for (start, end), (new_start, new_end) in _unlike(one, other, found):
        before = _placed(old, start, end, ids)
        after = _placed(new, new_start, new_end, ids)
        found.removed += [at for key, (at, _) in before.items() if key not in after]
        found.added += [at for key, (at, _) in after.items() if key not in before]
        for key, (at, was) in before.items():
            if key in after:
                _compare(at, was, *after[key], found)
    return found


def with_ids(ids: Sequence[str], rows: Iterable[Row]) -> Iterator[tuple[Id, Row]]:
    """Yield rows, which come by id, with their ids; of several with one each has a number too."""
    seen: Counter[Id] = Counter()
    last: Any = None
    for row in rows:
        key = tuple(row[name] for name in ids)
        if key[0] != last:  # what was seen does not come again
            seen.clear()
            last = key[0]
        seen[key] += 1
        yield (key if seen[key] == 1 else (*key, seen[key])), row


def differing(before: Row, after: Row) -> dict[str, tuple[Any, Any]]:
    """Return the fields that differ, with the value before and after."""
    return {name: (was, after[name]) for name, was in before.items() if was != after[name]}


@dataclass(frozen=True, slots=True)
class _Side:
    """A table with the first part of its ids."""

    table: pa.Table
    first: pa.Array

    def place(self, key: str, within: Range) -> int:
        """Return where rows begin whose id begins with a text, or with one after it."""
        return bisect_left(range(within[1]), key, within[0], key=lambda at: self.first[at].as_py())


def _unlike(old: _Side, new: _Side, found: Compared) -> Iterator[tuple[Range, Range]]:
    """Yield ranges of rows that differ somewhere; rows of one id are in one pair of ranges."""
    left: list[tuple[Range, Range]] = [((0, old.table.num_rows), (0, new.table.num_rows))]
    while left:
        one, other = left.pop()
        if _slice(old, one).equals(_slice(new, other)):
            found.same += one[1] - one[0]
            continue
        halves = list(_halves(old, new, one, other))
        if len(halves) == 1:
            yield halves[0]
        else:
            left += reversed(halves)


def _halves(old: _Side, new: _Side, one: Range, other: Range) -> Iterator[tuple[Range, Range]]:
    """Yield ranges cut in two at the middle of the longer, or as they are where they are short."""
    side, longer = max((old, one), (new, other), key=lambda pair: pair[1][1] - pair[1][0])
    middle = (longer[0] + longer[1]) // 2
    if longer[1] - longer[0] > _BLOCK:
        cut = side.first[middle].as_py()
        at, there = old.place(cut, one), new.place(cut, other)
        if (at, there) != (one[0], other[0]):
            yield (one[0], at), (other[0], there)
            yield (at, one[1]), (there, other[1])
            return
    yield one, other


def _slice(side: _Side, within: Range) -> pa.Table:
    return side.table.slice(within[0], within[1] - within[0])


def _placed(table: pa.Table, start: int, end: int, ids: Sequence[str]) -> dict[Id, tuple[int, Row]]:
    rows = with_ids(ids, table.slice(start, end - start).to_pylist())
    return {key: (at, row) for at, (key, row) in enumerate(rows, start)}


def _compare(at: int, was: Row, now_at: int, now: Row, found: Compared) -> None:
    fields = differing(was, now)
    if not fields:
        found.same += 1
        return
    found.before.append(at)
    found.after.append(now_at)
    found.fields.update(fields.keys())


def _key(table: pa.Table, name: str) -> pa.ChunkedArray:
    return pc.fill_null(table.column(name).cast(pa.string()), "")
