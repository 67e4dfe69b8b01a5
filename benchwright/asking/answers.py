"""answers.sqlite: every attempt at every request, kept as it arrives.

One row an attempt, refusals and failures too, committed before anybody sees the answer.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchwright.asking.any_json import storable
from benchwright.asking.replies import Reply, ReplyStatus, Token, Usage
from benchwright.sqlite_file import SqliteFile, read_only

IF_BROKEN = "bring the file back from a copy, or move it away; the answers in it are then lost"
_VERSION = 1
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


class AnswerStore(SqliteFile):
    """The file of answers; use it as a context, in one thread."""

    def __init__(self, path: Path) -> None:
        """Open or make the file; raise WorkspaceError as ``SqliteFile`` does."""
        super().__init__(path, _SCHEMA, _VERSION, if_broken=IF_BROKEN)
        with self.explained():
            (self._before,) = self.run("SELECT ifnull(max(id), 0) FROM attempts").fetchone()

    def final(self, key: str, again: frozenset[ReplyStatus] = frozenset()) -> Reply | None:
        """Return the newest final reply to a request, null where it is still to be asked.

        Replies whose status is in ``again`` do not count, unless they came since the store was
        opened: the user wants them asked anew, once.
        """
        with self.explained():
            row = self.run(_READ, (bytes.fromhex(key),)).fetchone()
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
        with self.transaction() as run:
            run("INSERT OR IGNORE INTO requests VALUES (?, ?)", (key, storable(description)))
            run(_WRITE, row)

    def seconds_of(self, voter: str) -> list[float]:
        """Return what a voter's last good answers took, at most 1,000, the newest first."""
        with self.explained():
            rows = self.run(
                "SELECT seconds FROM attempts WHERE voter = ? AND status = 'ok'"
                " AND seconds > 0"  # those of a batch were not timed
                " ORDER BY id DESC LIMIT 1000",
                (voter,),
            ).fetchall()
        return [seconds for (seconds,) in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a file of answers holds: requests with a final answer, and voters that gave one."""

    answers: int
    voters: int


def held(path: Path) -> Held:
    """Return what a file of answers holds, without changing it.

    Raises WorkspaceError when it is none of ours or broken.
    """
    with read_only(path, if_broken=IF_BROKEN) as run:
        # the keys as the index has them, in order: to sort those of final attempts takes minutes
        (keys,) = run("SELECT count(DISTINCT key) FROM attempts").fetchone()
        (failed,) = run(
            "SELECT count(DISTINCT key) FROM attempts AS one WHERE status = 'failed' AND NOT EXISTS"
            " (SELECT 1 FROM attempts WHERE key = one.key AND status != 'failed')"
        ).fetchone()
        finals = "SELECT count(DISTINCT voter) FROM attempts WHERE status != 'failed'"
        (voters,) = run(finals).fetchone()
    return Held(answers=keys - failed, voters=voters)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerBuild:
    """How many final answers a voter has of one build of its server.

    ``model`` and ``build`` are what the server says of itself, null where it says nothing.
    """

    voter: str
    model: str | None
    build: str | None
    answers: int


def server_builds(path: Path) -> list[ServerBuild]:
    """Return the builds that answered, by voter, model and build, without changing the file.

    Raises WorkspaceError when it is none of ours or broken.
    """
    with read_only(path, if_broken=IF_BROKEN) as run:
        rows = run(
            "SELECT voter, model, build, count(DISTINCT key) FROM attempts"
            " WHERE status != 'failed' GROUP BY voter, model, build"
            " ORDER BY voter, ifnull(model, ''), ifnull(build, '')"
        ).fetchall()
    return [
        ServerBuild(voter=voter, model=model, build=build, answers=answers)
        for voter, model, build, answers in rows
    ]


def requests_digest(path: Path) -> str:
    """Return one sha256 of all requests that have a final answer: prompts, pictures, parameters.

    Raises WorkspaceError when the file is none of ours or broken.
    """
    digest = hashlib.sha256()
    with read_only(path, if_broken=IF_BROKEN) as run:
        wanted = "SELECT DISTINCT key FROM attempts WHERE status != 'failed' ORDER BY key"
        for (key,) in run(wanted):
            digest.update(key)
    return digest.hexdigest()


def _row(reply: Reply) -> tuple[Any, ...]:
    tokens = None if reply.tokens is None else [_written(token) for token in reply.tokens]
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


def _written(token: Token) -> dict[str, Any]:
    # by hand: asdict copies every number, which holds up all calls under way
    return {"text": token.text, "logprob": token.logprob, "alternatives": token.alternatives}


def _token(entry: dict[str, Any]) -> Token:
    alternatives = tuple((text, value) for text, value in entry["alternatives"])
    return Token(text=entry["text"], logprob=entry["logprob"], alternatives=alternatives)
