"""A database is opened when it is ours, left alone when it is not, and changed whole or not."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.answers import AnswerStore
from benchwright.clip.store import EmbeddingStore
from benchwright.errors import WorkspaceError
from benchwright.sqlite_file import SqliteFile, read_only

SCHEMA = """
CREATE TABLE plants (
    name TEXT PRIMARY KEY  -- as it is sold
);
CREATE TABLE IF NOT EXISTS pots (size INTEGER)
"""
IF_BROKEN = "sow anew"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "garden.sqlite"


def garden(path: Path, version: int = 3) -> SqliteFile:
    return SqliteFile(path, SCHEMA, version, if_broken=IF_BROKEN)


def made(path: Path, *statements: str) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path.read_bytes()


def sow_and_stumble(file: SqliteFile) -> None:
    with file.transaction() as run:
        run("INSERT INTO plants VALUES ('fern')")
        raise ZeroDivisionError


def names(path: Path) -> list[str]:
    with read_only(path, if_broken=IF_BROKEN) as run:
        return [name for (name,) in run("SELECT name FROM plants ORDER BY name")]


def test_it_is_made_once_and_found_again(path: Path) -> None:
    for name in ("fern", "moss"):
        with garden(path) as file, file.transaction() as run:
            run("INSERT INTO plants VALUES (?)", (name,))
    assert names(path) == ["fern", "moss"]


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    garden(path).close()
    assert names(path) == []


STRANGERS = [
    # no version is set, as most programs leave it
    (("CREATE TABLE bookmarks (url TEXT)",), "holds bookmarks"),
    # by chance the same version, without our tables
    (("CREATE TABLE bookmarks (url TEXT)", "PRAGMA user_version = 1"), "holds bookmarks"),
    (("PRAGMA user_version = 1",), "holds no table"),
    (tuple(f"CREATE TABLE t{at} (a)" for at in range(5)), r"holds t0, t1, t2\)"),
]


@pytest.mark.parametrize(("statements", "said"), STRANGERS)
@pytest.mark.parametrize(
    "store",
    [
        lambda path: garden(path, version=1),
        AnswerStore,
        lambda path: EmbeddingStore(path, "a" * 64, "one"),
    ],
)
def test_a_database_of_something_else_is_left_as_it_is(
    path: Path, store: Callable[[Path], Any], statements: tuple[str, ...], said: str
) -> None:
    before = made(path, *statements)
    with pytest.raises(WorkspaceError, match=f"garden.sqlite: is a database of .*{said}") as raised:
        store(path)
    assert "move it away" in str(raised.value)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_our_files_are_not_taken_for_each_other(path: Path) -> None:
    AnswerStore(path).close()
    with pytest.raises(WorkspaceError, match="is a database of something else"):
        EmbeddingStore(path, "a" * 64, "one")


def test_a_file_of_another_version_is_left_as_it_is(path: Path) -> None:
    garden(path, version=2).close()
    before = path.read_bytes()
    with pytest.raises(
        WorkspaceError, match=r"its form is 2, this one reads 3\); use that version"
    ):
        garden(path)
    assert path.read_bytes() == before


def test_more_tables_than_ours_are_fine(path: Path) -> None:
    with garden(path) as file, file.transaction() as run:
        run("INSERT INTO plants VALUES ('moss')")
        run("CREATE TABLE pests (name TEXT)")  # as the ledger of batches adds its own
    garden(path).close()
    assert names(path) == ["moss"]


def test_a_change_is_whole_or_not_at_all(path: Path) -> None:
    with garden(path) as file:
        with pytest.raises(ZeroDivisionError):
            sow_and_stumble(file)
        assert names(path) == []
        with file.transaction() as run:  # and it can be changed all the same
            run("INSERT INTO plants VALUES ('moss')")
    assert names(path) == ["moss"]


def test_what_to_do_hangs_on_the_cause(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.sqlite_file._WAIT", 0.01)
    with garden(path) as file:
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(WorkspaceError, match="locked; another process holds it"):
                garden(path)
            with pytest.raises(WorkspaceError, match="locked; another"), file.transaction():
                pass
        (pages,) = file.run("PRAGMA page_count").fetchone()
        file.run(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(WorkspaceError, match="full; make room"), file.transaction() as run:
            run("INSERT INTO plants VALUES (?)", ("x" * 100_000,))
        file.run("PRAGMA query_only = 1")
        with pytest.raises(WorkspaceError, match=r"readonly .*; mend the rights"), file.explained():
            file.run("DELETE FROM plants")
    with pytest.raises(WorkspaceError, match=r"unable to open .*; mend the rights"):
        garden(path.parent / "none" / path.name)
    path.write_bytes(b"no database, whatever its name says" * 40)
    with pytest.raises(WorkspaceError, match="not a database; sow anew"):
        garden(path)
    with pytest.raises(WorkspaceError, match="sow anew"):
        names(path)


# as versions 0.1 made them, before there was a class for both
OLD_ANSWERS = (
    "CREATE TABLE requests (key BLOB PRIMARY KEY, description TEXT NOT NULL)",
    "CREATE TABLE attempts (id INTEGER PRIMARY KEY, key BLOB NOT NULL, voter TEXT NOT NULL,"
    " at TEXT NOT NULL, status TEXT NOT NULL, text TEXT NOT NULL, refusal TEXT,"
    " finish_reason TEXT, tool_calls TEXT, tokens TEXT, prompt_tokens INTEGER NOT NULL,"
    " completion_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL, seconds REAL NOT NULL,"
    " model TEXT, build TEXT, http_status INTEGER, error TEXT)",
    "CREATE INDEX attempts_by_key ON attempts (key, id)",
    f"INSERT INTO attempts VALUES (1, x'{'ab' * 32}', 'v', '2026', 'ok', 'Yes.', NULL, 'stop',"
    ' NULL, \'[{"text":"Yes","logprob":-0.5,"alternatives":[["No",-2.0]]}]\', 1, 1, 0, 0.5,'
    " NULL, NULL, 200, NULL)",
    "PRAGMA user_version = 1",
)
OLD_EMBEDDINGS = (
    "CREATE TABLE models (id INTEGER PRIMARY KEY, identity TEXT UNIQUE, name TEXT)",
    "CREATE TABLE embeddings (model INTEGER NOT NULL, picture BLOB NOT NULL, view TEXT NOT NULL,"
    " vector BLOB NOT NULL, PRIMARY KEY (model, picture, view))",
    f"INSERT INTO models VALUES (1, '{'a' * 64}', 'one')",
    f"INSERT INTO embeddings VALUES (1, x'{'ab' * 32}', '{{}}', x'0000803f')",
    "PRAGMA user_version = 1",
)


def test_files_of_earlier_versions_are_read(path: Path) -> None:
    made(path, *OLD_ANSWERS)
    with AnswerStore(path) as store:
        reply = store.final("ab" * 32)
        assert reply is not None
        assert reply.tokens is not None
        assert (reply.text, reply.tokens[0].alternatives) == ("Yes.", (("No", -2.0),))
    other = path.with_name("embeddings.sqlite")
    made(other, *OLD_EMBEDDINGS)
    with EmbeddingStore(other, "a" * 64, "one") as embeddings:
        (found,) = embeddings.found([("ab" * 32, "{}")]).values()
    assert found.tolist() == [1.0]
