"""Rows of finished stages and releases by id: Parquet read by its statistics, bytes checked.

A row group whose statistics rule the id out is not decoded, so that what is sorted by the id, as
pictures and labels are, costs one group of thousands whatever its size.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyarrow.fs import LocalFileSystem

from benchwright import files, store
from benchwright.decisions.journal import read_journal
from benchwright.errors import CorruptShard
from benchwright.plain_text import excerpt
from benchwright.records import Decision
from benchwright.releases import LOCK
from benchwright.status import read_status
from benchwright.trace.way import Check
from benchwright.workspace import Workspace

_DISK = LocalFileSystem()
_FORMAT = ds.ParquetFileFormat()
_ABOVE = "\U0010ffff"  # no text that begins with a prefix comes after the prefix and this


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A folder whose files somebody recorded: a finished stage by its manifest, a release by lock.

    ``name`` is the folder from the root of the workspace, ``recorded`` the sha256 of each file.
    """

    name: str
    folder: Path
    recorded: Mapping[str, str]
    manifest: store.Manifest | None = None
    lock: Mapping[str, Any] | None = None

    def holds(self, pattern: str) -> bool:
        """Tell whether it has a file like this."""
        return any(fnmatch(name, pattern) for name in self.recorded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row, and the file of the shelf that it stands in."""

    shelf: Shelf
    file: str
    values: Mapping[str, Any]


@dataclass
class Shelves:
    """All that a workspace holds, read by id; ``rows_read`` counts the rows that were decoded."""

    workspace: Workspace
    rows_read: int = 0
    _checked: dict[Path, Check] = field(default_factory=dict)
    _fragments: dict[Path, ds.ParquetFileFragment] = field(default_factory=dict)
    _journal: tuple[Decision, ...] | None = None
    _stale: dict[str, tuple[str, ...]] | None = None

    def stage(self, name: str) -> Shelf | None:
        """Return a finished stage by its folder, null where there is none."""
        folder = self.workspace.root / name
        manifest = store.load_manifest(folder)
        if manifest is None:
            return None
        recorded = {file: entry.sha256 for file, entry in manifest.files.items()}
        return Shelf(name=name, folder=folder, recorded=recorded, manifest=manifest)

    def stages(self, pattern: str) -> list[Shelf]:
        """Return the finished stages whose folders are like ``pattern``, sorted."""
        folders = sorted(self.workspace.root.glob(f"{pattern}/{store.MANIFEST}"))
        found = (self.stage(self.workspace.relative(path.parent)) for path in folders)
        return [one for one in found if one is not None]

    def release(self, folder: Path) -> Shelf | None:
        """Return the release in a folder, null where there is none.

        One of the workspace is that of ``releases``, however its path is spelled; any other is
        called by the last two parts of its path.

        Raises CorruptShard for a lock that cannot be read.
        """
        if not (folder / LOCK).is_file():
            return None
        for one in self.releases:
            if one.folder.samefile(folder):
                return one
        return self._release(folder, "/".join(folder.resolve().parts[-2:]))

    def _release(self, folder: Path, name: str) -> Shelf:
        path = folder / LOCK
        try:
            lock = json.loads(path.read_text("utf-8"))
            recorded = {name: entry["sha256"] for name, entry in lock["files"].items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise CorruptShard(path, f"is no lock ({excerpt(str(error))})") from error
        return Shelf(name=name, folder=folder, recorded=recorded, lock=lock)

    @cached_property
    def releases(self) -> tuple[Shelf, ...]:
        """The releases of the workspace, by name and version."""
        folders = sorted(path.parent for path in self.workspace.releases.glob(f"*/*/{LOCK}"))
        return tuple(self._release(one, self.workspace.relative(one)) for one in folders)

    def rows(
        self,
        shelf: Shelf,
        pattern: str,
        where: pc.Expression,
        columns: Sequence[str] | None = None,
        *,
        having: str | None = None,
    ) -> Iterator[Row]:
        """Yield the rows of some files that fit; of ``columns`` those that there are.

        Files without the column ``having`` are passed over.

        Raises CorruptShard for a file that cannot be read.
        """
        for file, table in self.tables(shelf, pattern, where, columns, having=having):
            for values in table.to_pylist():
                yield Row(shelf=shelf, file=file, values=values)

    def tables(
        self,
        shelf: Shelf,
        pattern: str,
        where: pc.Expression | None,
        columns: Sequence[str] | None = None,
        *,
        having: str | None = None,
    ) -> Iterator[tuple[str, pa.Table]]:
        """Yield the rows that fit as a table for each file that has any; raises as ``rows``."""
        for file in sorted(name for name in shelf.recorded if fnmatch(name, pattern)):
            fragment = self._fragment(shelf, file)
            there = fragment.physical_schema.names
            if having is not None and having not in there:
                continue
            wanted = None if columns is None else [one for one in columns if one in there]
            with _explained(shelf.folder / file):
                if where is not None:
                    fragment = fragment.subset(filter=where)
                self.rows_read += sum(group.num_rows for group in fragment.row_groups)
                table = fragment.to_table(columns=wanted, filter=where)
            if table.num_rows:
                yield file, table

    def _fragment(self, shelf: Shelf, file: str) -> ds.ParquetFileFragment:
        path = shelf.folder / file
        if path not in self._fragments:
            with _explained(path):
                self._fragments[path] = _FORMAT.make_fragment(str(path), filesystem=_DISK)
                self._fragments[path].ensure_complete_metadata()
        return self._fragments[path]

    def has(self, shelf: Shelf, pattern: str, column: str) -> bool:
        """Tell whether a file like this has a column; raises as ``rows``."""
        return any(
            column in self._fragment(shelf, name).physical_schema.names
            for name in shelf.recorded
            if fnmatch(name, pattern)
        )

    def check(self, shelf: Shelf, *names: str) -> dict[str, Check]:
        """Return files of a shelf by their names in the workspace, with what their bytes are."""
        return {f"{shelf.name}/{name}": self._check(shelf, name) for name in dict.fromkeys(names)}

    def _check(self, shelf: Shelf, name: str) -> Check:
        path, wanted = shelf.folder / name, shelf.recorded.get(name)
        if wanted is None:
            return "unrecorded"
        if path not in self._checked:
            is_same = path.is_file() and files.sha256_of(path) == wanted
            self._checked[path] = "as recorded" if is_same else "changed"
        return self._checked[path]

    def journal(self) -> tuple[Decision, ...]:
        """Return all that people decided, in the order in which it was added."""
        if self._journal is None:
            self._journal = read_journal(self.workspace).decisions
        return self._journal

    def stale(self, shelf: Shelf) -> tuple[str, ...]:
        """Return what is to be said of a stage whose inputs changed since it was made."""
        if self._stale is None:
            self._stale = {one.name: one.stale for one in read_status(self.workspace)}
        changed = self._stale.get(shelf.name, ())
        return (f"stale: {' and '.join(changed)} changed since",) if changed else ()


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise CorruptShard(path, "is missing") from error
    except (pa.ArrowException, OSError) as error:
        raise CorruptShard(path, f"cannot be read ({excerpt(str(error))})") from error


def is_id(column: str, name: str | int | None) -> pc.Expression:
    """Return the filter of the rows whose id is just this."""
    return pc.field(column) == name


def begins(column: str, prefix: str) -> pc.Expression:
    """Return the filter of the rows whose id begins so; statistics serve it, too."""
    return (pc.field(column) >= prefix) & (pc.field(column) < prefix + _ABOVE)
