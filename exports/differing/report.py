"""A diff of two releases as lines for a person, and row by row for a program."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchwright.plain_text import excerpt
from exports.differing.changes import Changes
from exports.differing.comparing import Id
from exports.differing.diff import Diff
from exports.names import Version

_SHOWN = 5  # reasons of each config
_LONGEST = 60  # characters of an id


def diff_lines(diff: Diff) -> Iterator[str]:
    """Yield what changed, config by config, and which version that asks for.

    Of two datasets the first line says that they are two; none asks a version of the other.
    """
    if diff.asks_for is None:
        yield (
            f"two datasets, {diff.old_name} {diff.old} and {diff.new_name} {diff.new}: what differs"
            " is no change of either"
        )
    for change in diff.changes:
        if change.is_empty:
            continue
        yield f"{change.config}: {_counted(change)}"
        for name, columns in (("new", change.added_columns), ("gone", change.removed_columns)):
            if columns:
                yield f"  {name} columns: {', '.join(columns)}"
        if change.fields:
            fields = ", ".join(f"{name} {count:,}" for name, count in change.fields.most_common())
            yield f"  fields: {fields}"
        yield from _reasons(change, diff)
    if all(change.is_empty for change in diff.changes):
        yield "no row differs"
    if diff.asks_for is not None:
        yield _asked_for(diff, diff.asks_for)


def diff_rows(diff: Diff) -> Iterator[str]:
    """Yield each row that differs as a line of JSON: config, id, change, why and, of one that is
    in both, its fields before and after.
    """
    for change in diff.changes:
        for kind, key, why, fields in _all(change, diff):
            said: dict[str, Any] = {
                "config": change.config,
                "id": list(key),
                "change": kind,
                "why": why,
            }
            if fields is not None:
                said["fields"] = {name: list(pair) for name, pair in fields.items()}
            yield f"{json.dumps(said, ensure_ascii=False)}\n"


def _all(change: Changes, diff: Diff) -> Iterator[tuple[str, Id, str, Any]]:
    grounds, config = diff.grounds, change.config
    for key, row in change.removed_rows():
        yield "removed", key, grounds.of_removed(config, key, row), None
    for one in change.changed_rows():
        yield "changed", one.id, grounds.of_change(config, one), one.fields
    for key, row in change.added_rows():
        yield "added", key, grounds.of_added(config, key, row), None


def _counted(change: Changes) -> str:
    counts = (
        ("added", change.added.num_rows),
        ("removed", change.removed.num_rows),
        ("changed", change.after.num_rows),
        ("the same", change.same),
    )
    return ", ".join(f"{count:,} {name}" for name, count in counts if count)


def _reasons(change: Changes, diff: Diff) -> Iterator[str]:
    """Yield why, each reason with how often it holds and a row of it."""
    counts: Counter[tuple[str, str]] = Counter()
    such: dict[tuple[str, str], Id] = {}
    for kind, key, why, _ in _all(change, diff):
        counts[kind, why] += 1
        such.setdefault((kind, why), key)
    for (kind, why), count in counts.most_common(_SHOWN):
        yield f"  {count:,} {kind}: {excerpt(why)}, such as {_named(such[kind, why])}"
    left = counts.total() - sum(count for _, count in counts.most_common(_SHOWN))
    if left:
        yield f"  {left:,} for other reasons (--rows FILE has all of them)"


def _named(key: Id) -> str:
    return excerpt(" ".join(str(part) for part in key if part is not None), _LONGEST)


def _asked_for(diff: Diff, version: Version) -> str:
    if diff.bump == "none":
        return f"{diff.new_name} {diff.new} holds what {diff.old} holds: no version is asked for"
    said = f"that asks for a {diff.bump} version: {version} or later"
    if diff.new < version:
        return f"{said}; {diff.new} is too small a step from {diff.old}"
    return said
