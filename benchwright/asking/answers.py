"""answers.sqlite: every attempt at every request, kept as it arrives.

One row an attempt, refusals and failures too, committed before anybody sees the answer. The
write-ahead log with synchronous NORMAL loses nothing when the process dies; a power cut may lose
the last moments, never what was written before.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchwright.asking.any_json import storable
from benchwright.asking.replies import Reply, ReplyStatus, Token, Usage
from benchwright.errors import WorkspaceError

_VERSION = 1
_WAIT = 60.0  # seconds that another process may hold the file
_SCHEMA = """
CREATE TABLE requests (
    key BLOB PRIMARY KEY,        -- sha256 of the description
    description TEXT NOT NULL    -- JSON; pictures by their hash and view
);
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    voter TEXT NOT NULL,
    at TEXT NOT NULL,            -- UTC
    status TEXT NOT NULL,
    text TEXT NOT NULL,
    refusal TEXT,
    finish_reason TEXT,
    tool_calls TEXT,             -- JSON
    tokens TEXT,                 -- JSON: logprobs
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    model TEXT,
    build TEXT,
    http_status INTEGER,
    error TEXT
);
CREATE INDEX attempts_by_key ON attempts (key, id);
"""
_READ = """
SELECT id, status, text, refusal, finish_reason, tool_calls, tokens, prompt_tokens,
    completion_tokens, cached_tokens, seconds, model, build, http_status, error
FROM attempts WHERE key = ? AND status != 'failed' ORDER BY id DESC LIMIT 1
"""
_WRITE = """
INSERT INTO attempts (key, voter, at, status, text, refusal, finish_reason, tool_calls, tokens,
    prompt_tokens, completion_tokens, cached_tokens, seconds, model, build, http_status, error)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


class AnswerStore:
    """The file of answers; use it as a context, in one thread."""

    def __init__(self, path: Path) -> None:
        """Open or make the file; raise WorkspaceError when it is none of ours or broken."""
        self.path = path
        with self._explained():
            self._connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise

    def _open(self) -> None:
        run = self._connection.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run("BEGIN IMMEDIATE")  # two processes that begin together must not both make it
        (version,) = run("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            raise WorkspaceError(
                f"{self.path}: was written by another version of benchwright (its form is"
                f" {version}, this one reads {_VERSION}); use that version, or move the file away"
            )
        if version == 0:
            for statement in _SCHEMA.split(";\n"):
                run(statement)
            run(f"PRAGMA user_version = {_VERSION}")
        run("COMMIT")
        (self._before,) = run("SELECT ifnull(max(id), 0) FROM attempts").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def final(self, key: str, again: frozenset[ReplyStatus] = frozenset()) -> Reply | None:
        """Return the newest final reply to a request, null where it is still to be asked.

        Replies whose status is in ``again`` do not count, unless they came since the store was
        opened: the user wants them asked anew, once.
        """
        with self._explained():
            row = self._connection.execute(_READ, (bytes.fromhex(key),)).fetchone()
        if row is None:
            return None
        number, *told = row
        if told[0] in again and number <= self._before:
            return None
        return _reply(key, told)

    def add(self, reply: Reply, description: str, voter: str) -> None:
        """Write an attempt; when this returns, a dying process cannot lose it.

        Raises WorkspaceError when the file cannot be written (a full disk among the causes).
        """
        key = bytes.fromhex(reply.key)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = (key, voter, at, *_row(reply))
        with self._explained():
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            try:
                run("INSERT OR IGNORE INTO requests VALUES (?, ?)", (key, storable(description)))
                run(_WRITE, row)
                run("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    run("ROLLBACK")
                raise

    def seconds_of(self, voter: str) -> list[float]:
        """Return what a voter's last good answers took, at most 1,000, the newest first."""
        with self._explained():
            rows = self._connection.execute(
                "SELECT seconds FROM attempts WHERE voter = ? AND status = 'ok'"
                " AND seconds > 0"  # those of a batch were not timed
                " ORDER BY id DESC LIMIT 1000",
                (voter,),
            ).fetchall()
        return [seconds for (seconds,) in rows]

    def with_connection(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        """Return what ``work`` returns; its errors of the database become WorkspaceError."""
        with self._explained():
            return work(self._connection)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise WorkspaceError(f"{self.path}: {error}; {_remedy(error)}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a file of answers holds: requests with a final answer, voters, batches under way."""

    answers: int
    voters: int
    under_way: int


def held(path: Path) -> Held:
    """Return what a file of answers holds, without changing it.

    Raises WorkspaceError when it is none of ours or broken.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            run = file.execute
            counted = "SELECT count(DISTINCT key), count(DISTINCT voter) FROM attempts"
            answers, voters = run(f"{counted} WHERE status != 'failed'").fetchone()
            has_batches = run("SELECT 1 FROM sqlite_master WHERE name = 'batches'").fetchone()
            under_way = 0
            if has_batches:
                open_ones = (
                    "SELECT count(*) FROM batches WHERE state NOT IN ('collected', 'failed')"
                )
                (under_way,) = run(open_ones).fetchone()
    except sqlite3.Error as error:
        raise WorkspaceError(f"{path}: {error}; {_remedy(error)}") from error
    return Held(answers=answers, voters=voters, under_way=under_way)


def _remedy(error: sqlite3.Error) -> str:
    said = str(error)
    if "locked" in said:
        return "another process holds it; wait until that is done and run it again"
    if "full" in said:
        return "make room and run it again; what was answered before is kept"
    if "open" in said or "readonly" in said:
        return "mend the rights, or choose another --workspace"
    return "bring the file back from a copy, or move it away; the answers in it are then lost"


def _row(reply: Reply) -> tuple[Any, ...]:
    tokens = None if reply.tokens is None else [asdict(token) for token in reply.tokens]
    return (
        reply.status,
        reply.text,
        reply.refusal,
        reply.finish_reason,
        _json(reply.tool_calls or None),
        _json(tokens),
        reply.usage.prompt,
        reply.usage.completion,
        reply.usage.cached,
        reply.seconds,
        reply.model,
        reply.build,
        reply.http_status,
        reply.error,
    )


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, separators=(",", ":"))


def _reply(key: str, row: Sequence[Any]) -> Reply:
    status, text, refusal, finish_reason, calls, tokens, prompt, completion, cached, *rest = row
    seconds, model, build, http_status, error = rest
    return Reply(
        key=key,
        status=status,
        text=text,
        refusal=refusal,
        finish_reason=finish_reason,
        tool_calls=tuple(json.loads(calls)) if calls else (),
        tokens=tuple(_token(entry) for entry in json.loads(tokens)) if tokens else None,
        usage=Usage(prompt=prompt, completion=completion, cached=cached),
        seconds=seconds,
        model=model,
        build=build,
        http_status=http_status,
        error=error,
        is_stored=True,
    )


def _token(entry: dict[str, Any]) -> Token:
    alternatives = tuple((text, value) for text, value in entry["alternatives"])
    return Token(text=entry["text"], logprob=entry["logprob"], alternatives=alternatives)
