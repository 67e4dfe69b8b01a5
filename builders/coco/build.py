"""From COCO files to a catalog: pictures with their objects and captions, all accounted for."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.records import Change, Reject
from benchwright.rows import from_table
from benchwright.store import Plan, read_table
from benchwright.workspace import Workspace
from builders.catalog import STAGE, Built, Harvest, empty_catalog, input_digests, write_catalog
from builders.coco.entries import Gathered, gather
from builders.coco.locating import Finder
from builders.coco.merging import Merged, merge
from builders.coco.reading import CocoFile, read_coco
from builders.coco.report import account, describe_file, describe_merged
from builders.coco.settling import Settler
from builders.links import Link
from builders.local import PICTURES, Missing, pictures_digest, read_found
from builders.outcomes import Entry, refuse
from builders.rules import DEFAULT_RULES, PictureRules


@dataclass(frozen=True, slots=True, kw_only=True)
class CocoOptions:
    """How COCO files are read.

    ``split`` is that of all pictures, else names say it; ``fetch``: pictures without a file come
    from their links; ``keep_going``: ids used twice and categories without a name cost rows, not
    the run.
    """

    source: str = "coco"
    split: str | None = None
    fetch: bool = False
    keep_going: bool = False


def build_coco(  # noqa: PLR0913  # one parameter for each option
    paths: Sequence[Path],
    workspace: Workspace,
    *,
    options: CocoOptions | None = None,
    images: Path | None = None,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    rules: PictureRules = DEFAULT_RULES,
    progress: Progress = no_progress,
    report: Callable[[str], None] = lambda _line: None,
) -> Built:
    """Build the catalog of a workspace from COCO files that are merged by picture.

    Pictures are looked for under ``images``, else beside the files. ``report`` gets lines for
    the user while the work goes on.

    Raises UsageError (SourceError among them) for what is wrong with files and folders.
    """
    if not paths:
        raise UsageError("no file given; give one COCO file (JSON) or more")
    if images is not None and not images.is_dir():
        raise UsageError(f"{images}: no such folder of pictures; name it by --images")
    options = options or CocoOptions()
    files, digests = read_files(paths, options)
    for file in files:
        for line in describe_file(file):
            report(line)
    merged = merge(files, options.source, keep_going=options.keep_going)
    gathered = gather(files, merged, options.source)
    for line in describe_merged(files, merged):
        report(line)
    finder = Finder(images=images, fetch=options.fetch, pictures=merged.pictures)
    entries, sizes = _entries(merged, gathered, finder)
    harvest = harvest_of(files, merged, gathered, entries)
    _check_pictures(entries, harvest.rejects)
    plan = Plan(
        stage=STAGE,
        inputs=digests | {PICTURES: pictures_digest(sizes)},
        settings={
            "from": "coco",
            "source": options.source,
            "split": options.split,
            "fetch": options.fetch,
            "keep_going": options.keep_going,
        },
    )
    built = write_catalog(
        workspace,
        plan,
        harvest,
        workers=workers,
        engine=engine,
        force=force,
        rules=rules,
        progress=progress,
    )
    for line in _account(workspace, files, gathered, built):
        report(line)
    if built.manifest.counts.get("changes"):
        report(f"each change: {workspace.catalog / 'changes.parquet'}")
    return built


def read_files(
    paths: Sequence[Path], options: CocoOptions
) -> tuple[list[CocoFile], dict[str, str]]:
    """Return the files in an order of their own, whatever that of the paths, and their digests."""
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise UsageError(f"{missing[0]}: no such file; a COCO file (JSON) was wanted")
    digests = input_digests(paths)
    labelled = sorted(zip(_labels(paths, list(digests)), paths, strict=True))
    return (
        [read_coco(path, label, options.source, options.split) for label, path in labelled],
        digests,
    )


def _labels(paths: Sequence[Path], named: Sequence[str]) -> list[str]:
    """Return what the files are called: with their folder where their names are the same."""
    names = [path.name for path in paths]
    longer = [
        path.name if names.count(path.name) == 1 else f"{path.absolute().parent.name}/{path.name}"
        for path in paths
    ]
    return longer if len(set(longer)) == len(paths) else list(named)


def harvest_of(
    files: Sequence[CocoFile],
    merged: Merged,
    gathered: Gathered,
    entries: Sequence[Entry[Path | Missing | Link]],
) -> Harvest[Path | Missing]:
    """Return all that the files give."""
    rejects = [*(reject for file in files for reject in file.rejects), *merged.rejects]
    return Harvest(
        entries=entries,
        make=read_found,
        # by message: what has no id must not keep the order that it has in a file
        rejects=sorted([*rejects, *gathered.rejects], key=lambda one: one.message),
        settle=Settler(drawn=gathered.drawn, changes=gathered.changes),
    )


def _entries(
    merged: Merged, gathered: Gathered, finder: Finder
) -> tuple[list[Entry[Path | Missing | Link]], list[tuple[str, int | None]]]:
    entries: list[Entry[Path | Missing | Link]] = []
    sizes: list[tuple[str, int | None]] = []
    for picture, item in zip(merged.pictures, gathered.items, strict=True):
        found = finder.find(picture)
        size = found.stat().st_size if isinstance(found, Path) else None
        sizes.append((picture.source_id, size))
        file = picture.records[0].file
        entries.append(
            Entry(item=item, picture=found, path=file, where=f"{file}, {picture.source_id}")
        )
    return entries, sizes


def _check_pictures(
    entries: Sequence[Entry[Path | Missing | Link]], rejects: Sequence[Reject]
) -> None:
    """Raise UsageError when no picture is at hand: what stood in the workspace then stays."""
    lost = [
        refuse(entry, entry.picture.reason, entry.picture.message)
        for entry in entries
        if isinstance(entry.picture, Missing)
    ]
    if len(lost) == len(entries):
        raise empty_catalog([*lost, *(one for one in rejects if one.kind == "picture")])


def _account(
    workspace: Workspace, files: Sequence[CocoFile], gathered: Gathered, built: Built
) -> list[str]:
    rejects = list(from_table(read_table(workspace.catalog, "rejects.parquet"), Reject))
    changes = from_table(read_table(workspace.catalog, "changes.parquet"), Change)
    reasons = Counter((one.kind, one.reason) for one in changes)
    return account(files, gathered.items, built.manifest.counts, rejects, reasons)
