"""embeddings.sqlite: embeddings of pictures, kept as they are made.

The key is what changes an embedding: the model by its identity, the picture by the hash of its
bytes, the view. Where a file lies, which voter asked, the batch and the device are not part of it.
A batch is committed before anybody uses it, so a killed run goes on where it was.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from benchwright.asking.requests import View
from benchwright.clip.embedder import Vectors
from benchwright.errors import WorkspaceError

Key = tuple[str, str]  # sha256 of a picture in hex, its view as text
_VERSION = 1
_WAIT = 60.0  # seconds that another process may hold the file
_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, identity TEXT UNIQUE, name TEXT);
CREATE TABLE IF NOT EXISTS embeddings (
    model INTEGER NOT NULL, picture BLOB NOT NULL, view TEXT NOT NULL,
    vector BLOB NOT NULL,  -- float32, little endian
    PRIMARY KEY (model, picture, view)
)
"""


def key_of(sha256: str, view: View) -> Key:
    """Return the key of what a view shows of a picture."""
    said = {name: value for name, value in asdict(view).items() if value is not None}
    return sha256, json.dumps(said, sort_keys=True, separators=(",", ":"))


class EmbeddingStore:
    """The embeddings that one model made; use it as a context, in one thread at a time."""

    def __init__(self, path: Path, identity: str, name: str) -> None:
        """Open or make the file; raise WorkspaceError when it is none of ours or broken."""
        self.path = path
        with self._explained():
            self._connection = sqlite3.connect(
                path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                self._model = self._open(identity, name)
            except BaseException:
                self._connection.close()
                raise

    def _open(self, identity: str, name: str) -> int:
        run = self._connection.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        with self._transaction():
            (version,) = run("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise WorkspaceError(
                    f"{self.path}: was written by another version of benchwright (its form is"
                    f" {version}, this one reads {_VERSION}); move it away, it is made again"
                )
            for statement in _SCHEMA.split(";\n"):
                run(statement)
            run(f"PRAGMA user_version = {_VERSION}")
            run("INSERT OR IGNORE INTO models (identity, name) VALUES (?, ?)", (identity, name))
            (model,) = run("SELECT id FROM models WHERE identity = ?", (identity,)).fetchone()
        return int(model)

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

    def found(self, keys: Sequence[Key]) -> Mapping[Key, Vectors]:
        """Return the embeddings that are there, each of shape (d,)."""
        found: dict[Key, Vectors] = {}
        with self._explained():
            for key in keys:
                row = self._connection.execute(
                    "SELECT vector FROM embeddings WHERE model = ? AND picture = ? AND view = ?",
                    (self._model, bytes.fromhex(key[0]), key[1]),
                ).fetchone()
                if row is not None:
                    found[key] = np.frombuffer(row[0], "<f4").astype(np.float32)
        return found

    def add(self, keys: Sequence[Key], vectors: Vectors) -> None:
        """Write a batch, all of it or nothing; what is there already stays.

        Raises WorkspaceError when the file cannot be written (a full disk among the causes).
        """
        rows = [
            (self._model, bytes.fromhex(key[0]), key[1], vector.astype("<f4").tobytes())
            for key, vector in zip(keys, vectors, strict=True)
        ]
        with self._explained(), self._transaction():
            self._connection.executemany(
                "INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?, ?)", rows
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        try:
            yield
            run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                run("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise WorkspaceError(
                f"{self.path}: {error}; make room, mend the rights or wait for the other process,"
                " and run it again; a file that is broken can be moved away, it is made again"
            ) from error
