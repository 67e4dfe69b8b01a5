"""embeddings.sqlite: embeddings of pictures, kept as they are made.

The key is what changes an embedding: the model by its identity, the picture by the hash of its
bytes, the view. Where a file lies, which voter asked, the batch and the device are not part of it.
A batch is committed before anybody uses it, so a killed run goes on where it was.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchwright.asking.requests import View, described_view
from benchwright.clip.embedder import Vectors
from benchwright.sqlite_file import SqliteFile

Key = tuple[str, str]  # sha256 of a picture in hex, its view as text
_VERSION = 1
_SCHEMA = """
CREATE TABLE models (id INTEGER PRIMARY KEY, identity TEXT UNIQUE, name TEXT);
CREATE TABLE embeddings (
    model INTEGER NOT NULL, picture BLOB NOT NULL, view TEXT NOT NULL,
    vector BLOB NOT NULL,  -- float32, little endian
    PRIMARY KEY (model, picture, view)
)
"""


def key_of(sha256: str, view: View) -> Key:
    """Return the key of what a view shows of a picture."""
    return sha256, json.dumps(described_view(view), sort_keys=True, separators=(",", ":"))


class EmbeddingStore(SqliteFile):
    """The embeddings that one model made; use it as a context, in one thread at a time."""

    def __init__(self, path: Path, identity: str, name: str) -> None:
        """Open or make the file; raise WorkspaceError as ``SqliteFile`` does."""
        super().__init__(
            path,
            _SCHEMA,
            _VERSION,
            if_broken="move it away, it is made again",
            is_of_one_thread=False,
        )
        with self.transaction() as run:
            run("INSERT OR IGNORE INTO models (identity, name) VALUES (?, ?)", (identity, name))
            (self._model,) = run("SELECT id FROM models WHERE identity = ?", (identity,)).fetchone()

    def found(self, keys: Sequence[Key]) -> Mapping[Key, Vectors]:
        """Return the embeddings that are there, each of shape (d,)."""
        found: dict[Key, Vectors] = {}
        with self.explained():
            for key in keys:
                row = self.run(
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
        with self.transaction() as run:
            for row in rows:
                run("INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?, ?)", row)
