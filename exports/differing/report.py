"""A diff of two releases as lines for a person and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from exports.differing.changes import Changes, Id
from exports.differing.diff import Diff

_SHOWN = 5  # of each kind in each config


def diff_lines(diff: Diff) -> Iterator[str]:
    """Yield what changed, config by config, and which version that asks for."""
    for change in diff.changes:
        if change.is_empty:
            continue
        yield f"{change.config}: {_counted(change)}"
        for name, columns in (("new", change.added_columns), ("gone", change.removed_columns)):
            if columns:
                yield f"  {name} columns: {', '.join(columns)}"
        yield from _examples(change, diff)
    if all(change.is_empty for change in diff.changes):
        yield "no row differs"
    yield _asked_for(diff)


def diff_json(diff: Diff) -> dict[str, Any]:
    """Return all of a diff: every id with why it changed."""
    return {
        "old": {"name": diff.old_name, "version": str(diff.old)},
        "new": {"name": diff.new_name, "version": str(diff.new)},
        "bump": diff.bump,
        "asks_for": str(diff.asks_for),
        "configs": {
            change.config: {
                "same": change.same,
                "added": [list(key) for key in change.added],
                "removed": [
                    {"id": list(key), "why": diff.why[change.config, key]} for key in change.removed
                ],
                "changed": [
                    {
                        "id": list(one.id),
                        "fields": {name: list(pair) for name, pair in one.fields.items()},
                        "why": diff.why[change.config, one.id],
                    }
                    for one in change.changed
                ],
                "added_columns": list(change.added_columns),
                "removed_columns": list(change.removed_columns),
            }
            for change in diff.changes
        },
    }


def _counted(change: Changes) -> str:
    counts = (
        ("added", len(change.added)),
        ("removed", len(change.removed)),
        ("changed", len(change.changed)),
        ("the same", change.same),
    )
    return ", ".join(f"{count:,} {name}" for name, count in counts if count)


def _examples(change: Changes, diff: Diff) -> Iterator[str]:
    """Yield why, each reason with how often it holds and a row of it."""
    by_why: dict[str, list[Id]] = {}
    for key in (*change.removed, *(one.id for one in change.changed)):
        by_why.setdefault(diff.why[change.config, key], []).append(key)
    counts = Counter({why: len(keys) for why, keys in by_why.items()})
    for why, count in counts.most_common(_SHOWN):
        yield f"  {count:,}: {why}, such as {_named(by_why[why][0])}"
    left = sum(counts.values()) - sum(count for _, count in counts.most_common(_SHOWN))
    if left:
        yield f"  {left:,}: for other reasons (--json FILE has all of them)"
    if change.fields:
        yield f"  fields: {', '.join(f'{name} {n:,}' for name, n in change.fields.most_common())}"


def _named(key: Sequence[Any]) -> str:
    return " ".join(str(part) for part in key if part is not None)


def _asked_for(diff: Diff) -> str:
    if diff.bump == "none":
        return f"{diff.new_name} {diff.new} holds what {diff.old} holds: no version is asked for"
    said = f"that asks for a {diff.bump} version: {diff.asks_for} or later"
    if diff.old_name == diff.new_name and diff.new < diff.asks_for:
        return f"{said}; {diff.new} is too small a step from {diff.old}"
    return said
