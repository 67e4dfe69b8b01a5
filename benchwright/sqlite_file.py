"""A file of SQLite that is ours: opened or made once, changed in transactions, errors explained.

The write-ahead log with synchronous NORMAL loses nothing when the process dies; a power cut may
lose the last moments, never what was written before.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from benchwright.errors import WorkspaceError

Run = Callable[..., sqlite3.Cursor]

_WAIT = 60.0  # seconds that another process may hold the file
_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?(\w+)")
_NAMED = 3  # of a stranger's tables
_HELD = "another process holds it; wait until that is done and run it again"
_RIGHTS = "mend the rights, or choose another --workspace"
# by the primary code of SQLite; of all else the file itself is taken to be broken
_REMEDIES = {
    sqlite3.SQLITE_BUSY: _HELD,
    sqlite3.SQLITE_LOCKED: _HELD,
    sqlite3.SQLITE_FULL: "make room and run it again; what was written before is kept",
    sqlite3.SQLITE_CANTOPEN: _RIGHTS,
    sqlite3.SQLITE_READONLY: _RIGHTS,
    sqlite3.SQLITE_PERM: _RIGHTS,
}


class SqliteFile:
    """An open file; use it as a context. ``run`` executes one statement."""

    def __init__(
        self,
        path: Path,
        schema: str,
        version: int,
        *,
        if_broken: str,
        is_of_one_thread: bool = True,
    ) -> None:
        """Open or make the file; ``schema`` are the statements that make it, ``;`` between lines.

        ``if_broken`` says what to do with a file that is spoilt. One that is not
        ``is_of_one_thread`` may be used by several, at different times.

        Raises WorkspaceError when the file is none of ours, of another version or broken; such a
        file is left as it is.
        """
        self.path = path
        self._if_broken = if_broken
        with self.explained():
            self._connection = sqlite3.connect(
                path, timeout=_WAIT, isolation_level=None, check_same_thread=is_of_one_thread
            )
            try:
                self._open(schema, version)
            except BaseException:
                self._connection.close()
                raise

    def _open(self, schema: str, version: int) -> None:
        self.run("BEGIN")  # another process may be making it
        self._check(schema, version)  # before the mode of a stranger's file is changed
        self.run("ROLLBACK")
        self.run("PRAGMA journal_mode = WAL")
        self.run("PRAGMA synchronous = NORMAL")
        with self.transaction() as run:  # two processes that begin together must not both make it
            if self._check(schema, version) == 0:
                for statement in schema.split(";\n"):
                    run(statement)
                run(f"PRAGMA user_version = {version}")

    def _check(self, schema: str, version: int) -> int:
        """Return the version of the file, 0 where it is new; raise where it is not ours."""
        (found,) = self.run("PRAGMA user_version").fetchone()
        if found not in (0, version):
            raise WorkspaceError(
                f"{self.path}: was written by another version of benchwright (its form is {found},"
                f" this one reads {version}); use that version, or move the file away"
            )
        rows = self.run("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        tables = [name for (name,) in rows]
        is_ours = not tables if found == 0 else set(_TABLE.findall(schema)) <= set(tables)
        if not is_ours:
            shown = ", ".join(tables[:_NAMED]) or "no table"
            raise WorkspaceError(
                f"{self.path}: is a database of something else (it holds {shown}); move it away, or"
                " choose another --workspace"
            )
        return int(found)

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

    @property
    def run(self) -> Run:
        """Execute one statement with its values; raises sqlite3.Error, see ``explained``."""
        return self._connection.execute

    @contextmanager
    def transaction(self) -> Iterator[Run]:
        """Do all of what is run within, or nothing of it; errors are ``explained``.

        When it ends, a dying process cannot lose what was written.
        """
        with self.explained():
            self.run("BEGIN IMMEDIATE")
            try:
                yield self.run
                self.run("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self.run("ROLLBACK")
                raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn errors of the database into WorkspaceError with what to do about each."""
        with _explained(self.path, self._if_broken):
            yield


@contextmanager
def read_only(path: Path, *, if_broken: str) -> Iterator[Run]:
    """Read a file that is there without changing it; errors become WorkspaceError."""
    with (
        _explained(path, if_broken),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        yield connection.execute


@contextmanager
def _explained(path: Path, if_broken: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest is detail
        raise WorkspaceError(f"{path}: {error}; {_REMEDIES.get(code, if_broken)}") from error
