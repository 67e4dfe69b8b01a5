"""From InViG in any layout to a catalog: one item for each picture, with its dialogues."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.records import Reject
from benchwright.store import Plan
from benchwright.workspace import Workspace
from builders.catalog import (
    STAGE,
    Built,
    Harvest,
    empty_catalog,
    input_digests,
    standing,
    write_catalog,
)
from builders.invig.draft import BoxOrder, Embedded, Language, PictureName
from builders.invig.finding import Place, find_pictures, make_picture
from builders.invig.gathering import Gathered, SourceRead, gather, read_source
from builders.invig.report import account, describe
from builders.invig.rows import Rows
from builders.invig.settling import Settler
from builders.invig.sources import open_sources
from builders.invig.spill import Slice, spilled
from builders.invig.told_boxes import check_corners, has_bad_boxes
from builders.links import Link
from builders.local import PICTURES, Missing, pictures_digest
from builders.outcomes import Entry
from builders.rules import DEFAULT_RULES, PictureRules

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict


@dataclass(frozen=True, slots=True, kw_only=True)
class InvigOptions:
    """What is read, and where pictures come from.

    ``images`` is the folder of pictures; without it names are taken as relative to the source
    file. ``split`` picks one of several splits, or names that of a file. ``boxes`` are corners or
    x, y, width, height; null are corners, and sources whose boxes are the other are refused.
    ``fetch`` allows links to be fetched. Without ``pictures`` items have none, and boxes that are
    shares of the picture need the width and height that a row states.
    """

    images: Path | None = None
    language: Language = "en"
    source: str = "invig"
    split: str | None = None
    boxes: BoxOrder | None = None
    fetch: bool = False
    pictures: bool = True


def build_invig(
    sources: "Sequence[Path | str | Dataset | DatasetDict]",
    workspace: Workspace,
    *,
    options: InvigOptions | None = None,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    rules: PictureRules = DEFAULT_RULES,
    progress: Progress = no_progress,
    report: Callable[[str], None] = lambda _line: None,
) -> Built:
    """Build the catalog of a workspace from dialogues of InViG.

    A source is a Parquet file, JSON Lines, JSON, a folder of Parquet shards or of ``save_to_disk``,
    a ``Dataset`` or ``DatasetDict``, or, where no such path exists, ``ORG/NAME`` or
    ``ORG/NAME@REVISION`` on the Hugging Face Hub. ``report`` gets lines for the user.

    Raises UsageError (SourceError among them) for what is wrong with sources and folders, and
    when no dialogue is left.
    """
    options = options or InvigOptions()
    if not sources:
        raise UsageError("no source given; give a file, a folder, or ORG/NAME of the Hub")
    if options.images is not None and not options.images.is_dir():
        raise UsageError(f"{options.images}: no such folder of pictures; name it by --images")
    opened = open_sources(sources, options.split)
    reads = []
    for number, rows in enumerate(opened):
        read = _read(rows, number, options)
        reads.append(read)
        report(describe(rows, read))
    rejects = [reject for read in reads for reject in read.rejects]
    gathered = gather((one for read in reads for one in read.placed), options.source)
    if not gathered.entries:
        raise _nothing(opened, rejects)
    places = _places(gathered, options)
    _check_sizes(gathered, options)
    plan = _plan(_digests(opened, reads), places, options)
    stands = None if force else standing(workspace, plan, rules)
    if stands is not None:  # before the pictures of the rows are copied out
        for line in account(workspace, stands.manifest):
            report(line)
        return stands
    with spilled(opened, _embedded(gathered, options), workspace.root) as slices:
        harvest: Harvest[Path | Slice | Missing] = Harvest(
            entries=[_with_picture(entry, places, slices) for entry in gathered.entries],
            make=make_picture,
            rejects=[*rejects, *gathered.rejects],
            changes=gathered.changes,
            settle=Settler(gathered.held),
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
    for line in account(workspace, built.manifest):
        report(line)
    return built


def _read(rows: Rows, number: int, options: InvigOptions) -> SourceRead:
    """Read a source; raises UsageError where its boxes are in another order than was said."""
    order: BoxOrder = options.boxes or "corners"
    read = read_source(rows, number, options.language, options.source, order)
    if options.boxes is None and has_bad_boxes(read):
        other = read_source(rows, number, options.language, options.source, "xywh")
        wanted = [(one.draft.picture, one.folder) for one in other.placed]
        check_corners(rows, read, other, find_pictures(wanted, options.images, fetch=False))
    return read


def _nothing(opened: Sequence[Rows], rejects: Sequence[Reject]) -> UsageError:
    if rejects:
        return empty_catalog(rejects)
    return UsageError(f"the catalog would be empty: no rows in {', '.join(r.name for r in opened)}")


def _digests(opened: Sequence[Rows], reads: Sequence[SourceRead]) -> dict[str, str]:
    """Return the digest of each source: of the file's bytes, or of the rows of a dataset."""
    found = input_digests([rows.path for rows in opened if rows.path is not None])
    for rows, read in zip(opened, reads, strict=True):
        if read.digest is None:
            continue
        if rows.name in found:
            raise UsageError(f"{rows.name}: given twice; give each dataset once")
        found[rows.name] = read.digest
    return found


def _plan(inputs: dict[str, str], places: Mapping[str, Place], options: InvigOptions) -> Plan:
    sizes = [
        (name, place.stat().st_size if isinstance(place, Path) else None)
        for name, place in places.items()
        if not isinstance(place, Link)
    ]
    settings = {name: value for name, value in asdict(options).items() if name != "images"}
    settings["boxes"] = options.boxes or "corners"
    return Plan(
        stage=STAGE,
        inputs=inputs | ({PICTURES: pictures_digest(sizes)} if sizes else {}),
        settings={"from": "invig", **settings},
    )


def _places(gathered: Gathered, options: InvigOptions) -> dict[str, Place]:
    """Return where the pictures are that do not stand in their rows, by the source's id.

    Raises UsageError where no picture at all is to be had, before anything is replaced.
    """
    if not options.pictures:
        return {}
    wanted = []
    for entry in gathered.entries:
        if entry.picture is not None and entry.picture.embedded is None:
            held = gathered.held[entry.item.image_id]
            wanted.append((entry.picture, next((one.folder for one in held if one.folder), None)))
    places = find_pictures(wanted, options.images, fetch=options.fetch)
    missing = [place for place in places.values() if isinstance(place, Missing)]
    if len(missing) == len(gathered.entries):
        other = (
            "--images DIR" if options.images is None else f"another folder than {options.images}"
        )
        without = "or --no-pictures for a catalog of dialogues alone"
        if not _has_sizes(gathered):
            without = (
                "for --no-pictures will not do: all boxes are shares of their pictures, and no row "
                "states a width and height"
            )
        raise UsageError(
            f"none of the {len(missing)} pictures was found ({missing[0].message}); give {other}, "
            f"{without}"
        )
    return places


def _has_sizes(gathered: Gathered) -> bool:
    """Tell whether any box can be had in pixels without the pictures."""
    drafts = (one.draft for held in gathered.held.values() for one in held)
    return not all(one.is_relative and one.size is None for one in drafts)


def _check_sizes(gathered: Gathered, options: InvigOptions) -> None:
    """Raise UsageError where no box at all can be had, before anything is replaced."""
    if not options.pictures and not _has_sizes(gathered):
        drafts = [one for held in gathered.held.values() for one in held]
        raise UsageError(
            f"the boxes of all {len(drafts)} dialogues are shares of their pictures, and no row "
            "states a width and height; give --images DIR in place of --no-pictures"
        )


def _embedded(gathered: Gathered, options: InvigOptions) -> list[Embedded]:
    names = [entry.picture for entry in gathered.entries if options.pictures]
    return [name.embedded for name in names if name is not None and name.embedded is not None]


def _with_picture(
    entry: Entry[PictureName], places: Mapping[str, Place], slices: Mapping[str, Slice]
) -> Entry[Path | Slice | Missing | Link]:
    name = entry.picture
    source: Path | Slice | Missing | Link | None = None
    if name is not None:
        digest = None if name.embedded is None else name.embedded.sha256
        source = slices.get(digest or "") or places.get(name.source_id)
    return Entry(item=entry.item, picture=source, row=entry.row, path=entry.path, where=entry.where)
