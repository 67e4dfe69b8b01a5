"""The release that a record went out in, and the stages that it was made of."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow.compute as pc

from benchwright.plain_text import counted
from benchwright.releases import LOCK
from benchwright.trace.shelves import Row, Shelf, Shelves
from benchwright.trace.source_files import add_source_files
from benchwright.trace.way import Node, Way

_DIGITS = 8  # of a digest that are shown


def rows_of(shelves: Shelves, released: Shelf, config: str, where: pc.Expression) -> list[Row]:
    """Return the rows of a config that fit; none where the release has no such config."""
    pattern = f"data/{config}/*.parquet"
    return [*shelves.rows(released, pattern, where)] if released.holds(pattern) else []


def add_release(
    way: Way,
    shelves: Shelves,
    released: Shelf,
    config: str,
    records: Sequence[Row],
    warnings: Sequence[str],
    after: str | None,
) -> str:
    """Add a release with the rows of a record in it; return its key."""
    lock = released.lock or {}
    digest = lock.get("configs", {}).get(config, {}).get("digest")
    rows = counted(len(records), "row") if records else "no row"
    by = f", content {digest[:_DIGITS]}…" if digest else ""
    private = ["its answers are held back"] if _holds_back(records) else []
    return way.add(
        Node(
            key=f"release:{released.name}",
            step="release",
            says=(
                f"{lock.get('name')} {lock.get('version')}: {rows} of {config}{by}",
                *private,
            ),
            facts={
                "name": lock.get("name"),
                "version": lock.get("version"),
                "config": config,
                "digest": digest,
                "rows": len(records),
            },
            files={
                **shelves.check(released, *(row.file for row in records)),
                f"{released.name}/{LOCK}": "unrecorded",
            },
            warnings=(*warnings, *_changed(shelves, released)),
        ),
        after,
    )


def configs_of(released: Shelf, kind: str) -> list[str]:
    """Return the configs of a release that hold records of a kind, sorted."""
    configs = (released.lock or {}).get("configs", {})
    return sorted(name for name in configs if name.startswith(kind))


def add_whole_release(
    way: Way, shelves: Shelves, released: Shelf, after: str | None, warnings: Sequence[str] = ()
) -> None:
    """Add a release with all of its files, and the source files that it was made of."""
    lock = released.lock or {}
    configs = {name: one["rows"] for name, one in sorted(lock.get("configs", {}).items())}
    checks = shelves.check(released, *released.recorded)
    changed = {name: check for name, check in checks.items() if check != "as recorded"}
    key = way.add(
        Node(
            key=f"release:{released.name}",
            step="release",
            says=(
                f"{lock.get('name')} {lock.get('version')}: "
                + ", ".join(f"{name} {rows:,}" for name, rows in configs.items()),
                f"{counted(len(checks) - len(changed), 'file')} as its lock says",
            ),
            facts={"name": lock.get("name"), "version": lock.get("version"), "configs": configs},
            files={f"{released.name}/{LOCK}": "unrecorded", **changed},
            warnings=(*warnings, *_changed(shelves, released)),
        ),
        after,
    )
    catalog = lock.get("stages", {}).get("catalog", {})
    add_source_files(way, catalog.get("inputs", {}), catalog.get("settings", {}), key)


def _holds_back(records: Sequence[Any]) -> bool:
    return any("commitment" in row.values for row in records)


def _changed(shelves: Shelves, released: Shelf) -> Iterator[str]:
    """Yield what became of the stages of the workspace since the release was made."""
    if released not in shelves.releases:
        return  # made of another workspace
    stages = (released.lock or {}).get("stages", {})
    changed, gone = [], []
    for name, locked in sorted(stages.items()):
        now = shelves.stage(name)
        if now is None or now.manifest is None:
            gone.append(name)
        elif dict(now.manifest.content) != locked.get("content"):
            changed.append(name)
    if changed:
        yield f"stale: {' and '.join(changed)} changed since"
    if gone:
        yield f"no longer in the workspace: {', '.join(gone)}"
