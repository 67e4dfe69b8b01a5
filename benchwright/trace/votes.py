"""The votes behind labels, and the answers of models behind votes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow.compute as pc

from benchwright.asking.answers import IF_BROKEN
from benchwright.plain_text import counted, excerpt
from benchwright.sqlite_file import read_only
from benchwright.trace.counting import counts_text
from benchwright.trace.shelves import Row, Shelves
from benchwright.trace.way import Node, Way

_COLUMNS = (
    "image_id",
    "object_id",
    "type",
    "value",
    "voter",
    "template",
    "view",
    "answer",
    "status",
    "answer_key",
)
_LINES = 12  # of voters with their wordings and views
_KEYS = 3  # that are shown of a voter's
_DIGITS = 12  # of a key that are shown
_AT_ONCE = 500  # keys of one query
_ATTEMPTS = (
    "SELECT key, voter, status, model, build FROM attempts WHERE key IN ({}) ORDER BY key, id"
)


def votes_of(shelves: Shelves, where: pc.Expression) -> list[Row]:
    """Return votes that fit, in their order."""
    shelf = shelves.stage("labels/votes")
    return [] if shelf is None else [*shelves.rows(shelf, "votes-*.parquet", where, _COLUMNS)]


def add_votes(
    way: Way, shelves: Shelves, where: pc.Expression, key: str, after: str | None
) -> None:
    """Add votes and the answers that they were read from; nothing where there are none."""
    rows = votes_of(shelves, where)
    if not rows:
        return
    votes = [row.values for row in rows]
    shelf = rows[0].shelf
    told: dict[tuple[str, str, str], Counter[str]] = {}
    for vote in votes:
        cell = told.setdefault((vote["voter"], vote["template"], vote["view"]), Counter())
        cell[vote["answer"] or vote["status"]] += 1
    lines = [
        f"{excerpt(voter)}, template {template}, {view}: {counts_text(counts)}"
        for (voter, template, view), counts in sorted(told.items())
    ]
    more = [f"and {len(lines) - _LINES:,} more"] if len(lines) > _LINES else []
    voters = len({vote["voter"] for vote in votes})
    way.add(
        Node(
            key=key,
            step="votes",
            says=(
                f"{counted(len(votes), 'vote')} of {counted(voters, 'voter')}",
                *lines[:_LINES],
                *more,
            ),
            facts={"votes": votes},
            files=shelves.check(shelf, *(row.file for row in rows)),
            warnings=shelves.stale(shelf),
        ),
        after,
    )
    keys = sorted({str(vote["answer_key"]) for vote in votes if vote["answer_key"]})
    add_answers(way, shelves, keys, f"answers of {key}", key)


def add_answers(
    way: Way, shelves: Shelves, keys: Sequence[str], key: str, after: str | None
) -> None:
    """Add what models were asked by these keys: who was, and what came of it; no text of theirs."""
    if not keys:
        return
    rows = _attempts(shelves, keys)
    missing = len(set(keys) - {row["key"] for row in rows})
    by_voter: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_voter.setdefault(row["voter"], []).append(row)
    lines = [
        f"{excerpt(voter)}: {counts_text(Counter(one['status'] for one in some))};"
        f" keys {_keys(some)}"
        for voter, some in sorted(by_voter.items())
    ]
    warnings = (f"{counted(missing, 'answer')} not in answers.sqlite",) if missing else ()
    way.add(
        Node(
            key=key,
            step="answers",
            says=tuple(lines) or (counted(len(keys), "key"),),
            facts={"answers": rows},
            files={shelves.workspace.answers.name: "unrecorded"} if rows else {},
            warnings=warnings,
        ),
        after,
    )


def _attempts(shelves: Shelves, keys: Sequence[str]) -> list[dict[str, Any]]:
    path = shelves.workspace.answers
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = []
    with read_only(path, if_broken=IF_BROKEN) as run:
        for start in range(0, len(keys), _AT_ONCE):
            some = [bytes.fromhex(key) for key in keys[start : start + _AT_ONCE]]
            for key, voter, status, model, build in run(
                _ATTEMPTS.format(",".join("?" * len(some))), some
            ):
                found.append(
                    {
                        "key": key.hex(),
                        "voter": voter,
                        "status": status,
                        "model": model,
                        "build": build,
                    }
                )
    return found


def _keys(rows: Sequence[Mapping[str, Any]]) -> str:
    keys = list(dict.fromkeys(f"{row['key'][:_DIGITS]}…" for row in rows))
    more = f" and {len(keys) - _KEYS:,} more" if len(keys) > _KEYS else ""
    return ", ".join(keys[:_KEYS]) + more
