"""Which requests are in which batch: two tables of answers.sqlite.

prepared   its requests are noted; at most its file is at the server
uploaded   the server's id of its file is noted; the batch may have been created
created    the server's id of the batch is noted: its answers are to be fetched
collected  what the server had of it is stored
failed     the server ran nothing of it

The requests of a batch are held until it is collected or failed: while one holds a request,
no other takes it.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from benchwright.asking.answers import IF_BROKEN, AnswerStore
from benchwright.asking.any_json import storable
from benchwright.plain_text import excerpt
from benchwright.sqlite_file import read_only

BatchState = Literal["prepared", "uploaded", "created"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (
    id INTEGER PRIMARY KEY,
    voter TEXT NOT NULL,
    base_url TEXT NOT NULL,
    name TEXT NOT NULL,          -- what the server knows it by: digest of its keys, number
    state TEXT NOT NULL,
    requests INTEGER NOT NULL,
    highest REAL NOT NULL,       -- money that it may cost
    last_attempt INTEGER NOT NULL,  -- the last in the store when it was prepared
    file_id TEXT,
    batch_id TEXT,
    error TEXT
);
CREATE TABLE IF NOT EXISTS batch_requests (
    key BLOB PRIMARY KEY,        -- in one batch at most
    batch INTEGER NOT NULL,
    is_answered INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS requests_by_batch ON batch_requests (batch, is_answered)
"""
_OPEN = f"state IN {get_args(BatchState)}"  # neither end is reached
_READ = "id, name, state, base_url, requests, highest, file_id, batch_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A batch that is neither collected nor failed; ``highest`` is the money it may cost."""

    id: int
    name: str
    state: BatchState
    base_url: str
    requests: int
    highest: float
    file_id: str | None = None
    batch_id: str | None = None

    @property
    def shown_id(self) -> str:
        """What the server calls it, as it may stand in a message."""
        return excerpt(self.batch_id or "")


class BatchLedger:
    """The batches of one voter, in the file of answers; every change is one transaction."""

    def __init__(self, store: AnswerStore, voter: str, base_url: str) -> None:
        """Make the tables where they are missing; raise WorkspaceError as the store does."""
        self._store, self._voter, self._base_url = store, voter, base_url
        with store.transaction() as run:
            for statement in _SCHEMA.split(";\n"):
                run(statement)

    def open(self) -> list[Batch]:
        """Return the batches that are neither collected nor failed, the oldest first."""
        with self._store.explained():
            rows = self._store.run(
                f"SELECT {_READ} FROM batches"  # noqa: S608  # columns and states stand above
                f" WHERE voter = ? AND {_OPEN} ORDER BY id",
                (self._voter,),
            ).fetchall()
        names = _READ.split(", ")
        return [Batch(**dict(zip(names, row, strict=True))) for row in rows]

    def holder(self, key: str) -> str | None:
        """Return the voter whose batch holds a request, null where none does."""
        voter: str | None = self._one(
            "SELECT voter FROM batch_requests JOIN batches ON batch = id WHERE key = ?",
            bytes.fromhex(key),
        )
        return voter

    def is_waiting(self, batch: Batch, key: str) -> bool | None:
        """Tell whether a request of a batch still lacks its answer; null: it is not in it."""
        answered = self._one(
            "SELECT is_answered FROM batch_requests WHERE key = ? AND batch = ?",
            bytes.fromhex(key),
            batch.id,
        )
        return None if answered is None else not answered

    def waiting(self, batch: Batch) -> int:
        """Return how many requests of a batch still lack their answers."""
        sql = "SELECT count(*) FROM batch_requests WHERE batch = ? AND is_answered = 0"
        return int(self._one(sql, batch.id))

    def description(self, key: str) -> str:
        """Return the description of a request that is in a batch."""
        return str(self._one("SELECT description FROM requests WHERE key = ?", bytes.fromhex(key)))

    def prepare(self, described: Mapping[str, str], highest: float) -> Batch:
        """Note a new batch of these requests: descriptions by their keys."""
        keys = [bytes.fromhex(key) for key in described]
        digest = hashlib.sha256(b"".join(sorted(keys))).hexdigest()

        with self._store.transaction() as run:
            pattern = f"{digest}-*"
            (before,) = run("SELECT count(*) FROM batches WHERE name GLOB ?", (pattern,)).fetchone()
            name = f"{digest}-{before + 1}"
            number = run(
                "INSERT INTO batches (voter, base_url, name, state, requests, highest,"
                " last_attempt) SELECT ?, ?, ?, 'prepared', ?, ?, coalesce(max(id), 0)"
                " FROM attempts",
                (self._voter, self._base_url, name, len(keys), highest),
            ).lastrowid
            for key, text in zip(keys, described.values(), strict=True):
                run("INSERT OR IGNORE INTO requests VALUES (?, ?)", (key, storable(text)))
                run("INSERT INTO batch_requests (key, batch) VALUES (?, ?)", (key, number))
        return Batch(
            id=number or 0,
            name=name,
            state="prepared",
            base_url=self._base_url,
            requests=len(keys),
            highest=highest,
        )

    def uploaded(self, batch: Batch, file_id: str) -> None:
        """Note that the file of a batch is at the server and no batch was created from it."""
        self._set(batch, "state = 'uploaded', file_id = ?, batch_id = NULL", file_id)

    def created(self, batch: Batch, batch_id: str) -> None:
        """Note that the server has the batch."""
        self._set(batch, "state = 'created', batch_id = ?", batch_id)

    def catch_up(self, batch: Batch) -> None:
        """Note the answers that were stored since, without a note: that run was killed."""
        sql = (
            "UPDATE batch_requests SET is_answered = 1 WHERE batch = :batch AND EXISTS (SELECT 1"
            " FROM attempts WHERE attempts.key = batch_requests.key AND status != 'failed'"
            " AND id > (SELECT last_attempt FROM batches WHERE id = :batch))"
        )
        self._run(sql, {"batch": batch.id})

    def answered(self, key: str) -> None:
        """Note that what came back for a request is stored."""
        sql = "UPDATE batch_requests SET is_answered = 1 WHERE key = ?"
        self._run(sql, (bytes.fromhex(key),))

    def close(self, batch: Batch, state: Literal["collected", "failed"], error: str | None) -> None:
        """Note the end of a batch; those of its requests that have no answer are free again."""
        with self._store.transaction() as run:
            run("DELETE FROM batch_requests WHERE batch = ?", (batch.id,))
            run("UPDATE batches SET state = ?, error = ? WHERE id = ?", (state, error, batch.id))

    def forget(self, batch: Batch) -> None:
        """Undo ``prepare``: the server never had this batch."""
        with self._store.transaction() as run:
            run("DELETE FROM batch_requests WHERE batch = ?", (batch.id,))
            run("DELETE FROM batches WHERE id = ?", (batch.id,))

    def _set(self, batch: Batch, what: str, value: str) -> None:
        sql = f"UPDATE batches SET {what} WHERE id = ?"  # noqa: S608  # what is ours
        self._run(sql, (value, batch.id))

    def _run(self, sql: str, values: Any) -> None:
        with self._store.transaction() as run:
            run(sql, values)

    def _one(self, sql: str, *values: Any) -> Any:
        with self._store.explained():
            row = self._store.run(sql, values).fetchone()
        return None if row is None else row[0]


def under_way(path: Path) -> int:
    """Return how many batches of a file of answers have not ended, without changing it.

    Raises WorkspaceError when the file is none of ours or broken.
    """
    with read_only(path, if_broken=IF_BROKEN) as run:
        if run("SELECT 1 FROM sqlite_master WHERE name = 'batches'").fetchone() is None:
            return 0
        (number,) = run(f"SELECT count(*) FROM batches WHERE {_OPEN}").fetchone()  # noqa: S608
    return int(number)
