"""The stage store: a folder of Parquet files with a manifest that is written last.

A folder without a manifest is not done, whatever it holds. The manifest says what went in
(digests, settings, seed), what came out (files with their hashes, counts, reasons) and how long
it took; everything but the seconds is the same when the same inputs are run again.

Work that takes long is cut into parts. A part is kept under ``.parts`` until the stage is done,
so that a killed run, started again with the same plan, computes only the parts that are missing.
"""

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright import __version__, files
from benchwright.errors import CorruptShard, UsageError, WorkspaceError
from benchwright.rows import ContentDigest, content_digest

MANIFEST = "manifest.json"
ROWS_PER_SHARD = 50_000
_ROWS_PER_GROUP = 10_000
PARTS = ".parts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that decides what a stage writes: name, digests of the inputs, settings, seed."""

    stage: str
    inputs: Mapping[str, str]
    settings: Mapping[str, Any]
    seed: int | None = None

    def digest(self) -> str:
        """Return one sha256 of the plan and of the version of the code."""
        return digest_of([asdict(self), __version__])


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """One file of a finished stage; ``rows`` is null for what is no table."""

    sha256: str
    size: int
    rows: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a finished stage says of itself."""

    plan: Plan
    version: str
    files: Mapping[str, DataFile]
    content: Mapping[str, str]  # logical digest of each table (all its shards)
    counts: Mapping[str, int]
    reasons: Mapping[str, int]
    seconds: float

    def digest(self) -> str:
        """Return one digest of the content of all tables: the identity of this output."""
        return digest_of(dict(self.content))


def digest_of(value: Any) -> str:
    """Return the sha256 of a value that JSON can hold, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def load_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a finished stage, or None where the stage is not done.

    Raises CorruptShard when there is a manifest that cannot be read.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text("utf-8"))
        return Manifest(
            plan=Plan(**data.pop("plan")),
            files={name: DataFile(**entry) for name, entry in data.pop("files").items()},
            **data,
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CorruptShard(path, f"is no manifest ({error})") from error


def finished(folder: Path, plan: Plan) -> Manifest | None:
    """Return the manifest when the stage was made by just this plan and its files stand there."""
    manifest = load_manifest(folder)
    if manifest is None or digest_of(asdict(manifest.plan)) != digest_of(asdict(plan)):
        return None
    for name, entry in manifest.files.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != entry.size:
            return None
    return manifest


def require(folder: Path, command: str) -> Manifest:
    """Return the manifest of a stage; raise WorkspaceError that names the command to run."""
    manifest = load_manifest(folder)
    if manifest is None:
        raise WorkspaceError(
            f"{folder}: nothing finished here; run {command} first (a run that was stopped goes on)"
        )
    return manifest


def read_table(folder: Path, pattern: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the table whose shards match a pattern such as ``items-*.parquet``.

    With ``columns`` only those are decoded; every shard is hashed all the same.

    Raises WorkspaceError when the stage is not done and CorruptShard when a shard is not, byte
    for byte, what the manifest says.
    """
    manifest = require(folder, "the command that makes it")
    names = sorted(name for name in manifest.files if fnmatch(name, pattern))
    if not names:
        raise CorruptShard(folder / MANIFEST, f"names no file like {pattern}")
    return pa.concat_tables(
        _read_verified(folder / name, manifest.files[name].sha256, columns) for name in names
    )


def _read_verified(path: Path, sha256: str, columns: Sequence[str] | None) -> pa.Table:
    try:
        if files.sha256_of(path) != sha256:
            raise CorruptShard(path, "is not the file that the manifest describes")
        return pq.read_table(path, columns=None if columns is None else list(columns))
    except FileNotFoundError as error:
        raise CorruptShard(path, "is missing") from error
    except pa.ArrowInvalid as error:
        raise CorruptShard(path, f"cannot be read ({error})") from error


@dataclass(slots=True)
class StageWriter:
    """Writes the files of one stage; ``writing`` makes it and closes it with the manifest."""

    folder: Path
    owns: tuple[str, ...]
    counts: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    _files: dict[str, DataFile] = field(default_factory=dict)
    _content: dict[str, str] = field(default_factory=dict)

    def part(self, name: str, compute: Callable[[], pa.Table]) -> pa.Table:
        """Return a part of the work, from the disk when an earlier, killed run finished it."""
        kept = self.kept(name)
        return self.keep(name, compute()) if kept is None else kept

    def kept(self, name: str) -> pa.Table | None:
        """Return a part that an earlier, killed run finished; null where there is none."""
        path = self._part(name)
        if path.is_file():
            try:
                return pq.read_table(path, page_checksum_verification=True)
            except (pa.ArrowException, OSError):
                path.unlink()
        return None

    def keep(self, name: str, table: pa.Table) -> pa.Table:
        """Write a part for a later run, should this one be killed; return it."""
        _write_parquet(self._part(name), table)
        return table

    def _part(self, name: str) -> Path:
        return self.folder / PARTS / f"{name}.parquet"

    def table(self, name: str, table: pa.Table) -> None:
        """Write ``NAME.parquet``."""
        self._write_shard(f"{name}.parquet", table)
        self._content[name] = content_digest([table])

    def shards(self, name: str, table: pa.Table) -> None:
        """Write ``NAME-00000.parquet`` and on, at most 50,000 rows a shard."""
        for number, start in enumerate(range(0, max(1, table.num_rows), ROWS_PER_SHARD)):
            shard = table.slice(start, ROWS_PER_SHARD)
            self._write_shard(f"{name}-{number:05d}.parquet", shard)
        self._content[name] = content_digest([table])

    def shards_of(self, name: str, tables: Iterable[pa.Table]) -> None:
        """Write ``NAME-00000.parquet`` and on, a shard for each table; one is held at a time."""
        digest = ContentDigest()
        for number, table in enumerate(tables):
            self._write_shard(f"{name}-{number:05d}.parquet", table)
            digest.update(table)
        self._content[name] = digest.hexdigest()

    def file(self, name: str, data: bytes) -> None:
        """Write a file that is no table."""
        self._clear()
        files.write_bytes(self.folder / name, data)
        self._note(name, rows=None)

    def json(self, name: str, value: Any) -> None:
        """Write a JSON file with sorted keys."""
        self._clear()
        files.write_json(self.folder / name, value)
        self._note(name, rows=None)

    def with_rows(self, configs: Mapping[str, str]) -> Mapping[str, str]:
        """Return the configs that have rows: ``datasets`` cannot load a table without any."""
        filled = [name for name, entry in self._files.items() if entry.rows]
        return {
            config: pattern
            for config, pattern in configs.items()
            if any(fnmatch(name, pattern) for name in filled)
        }

    def _clear(self) -> None:
        """Before the first file: remove what stood there.

        The manifest goes first, so that nothing half is taken for done.
        """
        if self._files:
            return
        (self.folder / MANIFEST).unlink(missing_ok=True)
        for pattern in self.owns:
            for path in self.folder.glob(pattern):
                path.unlink()

    def _write_shard(self, name: str, table: pa.Table) -> None:
        self._clear()
        _write_parquet(self.folder / name, table)
        self._note(name, rows=table.num_rows)

    def _note(self, name: str, rows: int | None) -> None:
        path = self.folder / name
        size = path.stat().st_size
        self._files[name] = DataFile(sha256=files.sha256_of(path), size=size, rows=rows)

    def _manifest(self, plan: Plan, seconds: float) -> Manifest:
        return Manifest(
            plan=plan,
            version=__version__,
            files=self._files,
            content=self._content,
            counts=self.counts,
            reasons=self.reasons,
            seconds=round(seconds, 3),
        )


@contextmanager
def writing(
    folder: Path, plan: Plan, *, configs: Mapping[str, str], owns: tuple[str, ...] = ("*.parquet",)
) -> Iterator[StageWriter]:
    """Make a stage: yield its writer, and write README.md and the manifest when all went well.

    ``configs`` maps a config name of ``datasets.load_dataset`` to a file pattern, the default
    one first; ``owns`` are the patterns of files that a new run of the stage replaces. What stood
    there goes when the first new file is written, so that a run that finds nothing to write
    (UsageError) leaves it as it was.

    Raises WorkspaceError when another process is making the same stage.
    """
    started = time.monotonic()
    parts = folder / PARTS
    folder.mkdir(parents=True, exist_ok=True)
    with files.locked(folder, "making this stage"):
        files.remove_leftovers(folder)
        _keep_parts_of(parts, plan)
        writer = StageWriter(folder, owns)
        try:
            yield writer
        except UsageError:  # it cannot be done as asked, so there is nothing to go on with
            shutil.rmtree(parts)
            raise
        except BaseException:
            if finished(folder, plan) is not None:  # what was to be redone still stands
                shutil.rmtree(parts)
            raise
        content = digest_of(writer._content)
        writer.file("README.md", _readme(plan.stage, writer.with_rows(configs), content))
        shutil.rmtree(parts)  # before the manifest: what is done is not gone over again
        manifest = writer._manifest(plan, time.monotonic() - started)
        files.write_json(folder / MANIFEST, asdict(manifest))


def add_files(folder: Path, made: Manifest, added: Mapping[str, bytes]) -> Manifest:
    """Write files that are no tables beside those of a finished stage, or in their place.

    They are for what can be worked out of a stage later on, and change neither its identity nor
    its plan. Files that stand there with the same bytes are left alone.

    Raises WorkspaceError when the stage is no longer the one that ``made`` describes, or another
    process is making it.
    """
    with files.locked(folder, "making this stage"):
        manifest = load_manifest(folder)
        if manifest is None or (manifest.plan, manifest.content) != (made.plan, made.content):
            raise WorkspaceError(f"{folder}: was made anew meanwhile; run the command again")
        entries = dict(manifest.files)
        for name, data in added.items():
            if _entry_of(data) != entries.get(name) or not (folder / name).is_file():
                files.write_bytes(folder / name, data)
                entries[name] = _entry_of(data)
        if entries != manifest.files:
            manifest = replace(manifest, files=entries)
            files.write_json(folder / MANIFEST, asdict(manifest))
        return manifest


def _entry_of(data: bytes) -> DataFile:
    return DataFile(sha256=hashlib.sha256(data).hexdigest(), size=len(data), rows=None)


def _keep_parts_of(parts: Path, plan: Plan) -> None:
    marker, digest = parts / "plan", plan.digest().encode()
    if not marker.is_file() or marker.read_bytes() != digest:
        if parts.exists():
            shutil.rmtree(parts)
        parts.mkdir()
        files.write_bytes(marker, digest)
    files.remove_leftovers(parts)


def _write_parquet(path: Path, table: pa.Table) -> None:
    with files.atomic(path) as stream:
        pq.write_table(
            table,
            stream,
            compression="zstd",
            row_group_size=_ROWS_PER_GROUP,
            write_page_checksum=True,
        )


def _readme(stage: str, configs: Mapping[str, str], content: str) -> bytes:
    """Return the page that ``datasets.load_dataset`` reads.

    It keeps what it loaded under the name of the folder and what stands here: the digest of the
    content is among it, so that another build is not taken for the one that it knows.
    """
    lines = ["---", "configs:"]
    for number, (name, pattern) in enumerate(configs.items()):
        lines += [f"- config_name: {name}", f'  data_files: "{pattern}"']
        lines += [f"  description: content {content}"]
        lines += ["  default: true"] if number == 0 else []
    lines += ["---", "", f"# {stage}", "", "Written by benchwright; manifest.json says how.", ""]
    return "\n".join(lines).encode()
