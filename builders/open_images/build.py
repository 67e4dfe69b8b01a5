"""From a folder of Open Images files to a catalog."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.records import Reject
from benchwright.store import Manifest, Plan
from benchwright.workspace import Workspace
from builders.catalog import STAGE, Built, Harvest, write_catalog
from builders.local import PICTURES, pictures_digest
from builders.open_images.accounts import Account
from builders.open_images.choosing import Choice, Wanted, choose
from builders.open_images.classes import Names, asked_for, read_names
from builders.open_images.collecting import Collected, collect, lost_pictures
from builders.open_images.entries import EntryMaker, Made
from builders.open_images.finding import PictureIndex, index_pictures
from builders.open_images.headers import Kind
from builders.open_images.hierarchy import NO_HIERARCHY, Hierarchy, load_hierarchy, merge
from builders.open_images.reading import Sheet, Survey, shown_name, survey
from builders.open_images.settling import Settler
from builders.open_images.turning import read_stored
from builders.rules import DEFAULT_RULES, PictureRules

_ABSENT: dict[Kind, str] = {
    "images": "no image lists: pictures are those that any file names; no licences, no rotation",
    "boxes": "no boxes",
    "labels": "no labels of whole pictures",
    "relations": "no relationships, no attributes of objects",
    "masks": "no masks",
    "classes": "no class list: classes are called by their codes",
}
_MOST_IGNORED = 20

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenImagesOptions:
    """What to build of a folder.

    ``images``: the folder of the pictures, by default the folder itself. ``fetch``: pictures
    without a file come from their OriginalURL. ``without_pictures``: items have none.
    ``classes``: pictures that show one of them (names or codes, with all kinds of them).
    ``limit``: so many pictures, chosen by a hash with ``seed``.
    """

    images: Path | None = None
    fetch: bool = False
    without_pictures: bool = False
    classes: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    source: str = "open-images"


def build_open_images(
    folder: Path,
    workspace: Workspace,
    *,
    options: OpenImagesOptions | None = None,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    rules: PictureRules = DEFAULT_RULES,
    progress: Progress = no_progress,
    report: Report = lambda _line: None,
) -> Built:
    """Build the catalog of a workspace from the CSV files in a folder, of any version.

    ``report`` gets lines for the user: what each file is, and an account of its records. Where
    the same files with the same options were built already nothing is done, unless ``force``.

    Raises UsageError (SourceError among them) for what is wrong with files, folders or options.
    """
    options = options or OpenImagesOptions()
    if not options.source.strip():
        raise UsageError("the name of the source is empty; give one with --source NAME")
    if options.fetch and options.without_pictures:
        raise UsageError("pictures to fetch and no pictures: these two cannot go together")
    found = survey(folder, skip=workspace.root)
    sheets = found.sheets
    hierarchy, hierarchies, other_json = _hierarchy(found.json_files, folder)
    _report_survey(found, other_json, report)
    if not any(sheet.layout.kind not in ("classes", "relation names") for sheet in sheets):
        raise UsageError(
            f"{folder}: no CSV file in it names a picture; give the folder with the image lists, "
            "boxes, labels, relationships or masks of Open Images"
        )
    named = [one for one in sheets if one.layout.kind in ("classes", "relation names")]
    names, named_accounts, name_rejects = read_names(named, options.source)
    index = None if options.without_pictures else index_pictures([options.images or folder])
    choice = _choose(sheets, names, hierarchy, index, options, report)
    collected = collect(sheets, choice, options.source, _watched(progress))
    made = _made(folder, collected, choice, names, index, options)
    _settle_accounts(collected, made.rejects)
    for sheet, account in [*named_accounts, *collected.accounts.values()]:
        report(account.line(sheet))
    _report_names(names, hierarchy, hierarchies, report)
    where = f"in {(options.images or folder).name}" + (", and no link" if options.fetch else "")
    lost = lost_pictures(collected, choice, options.source, where)
    rejects = [*name_rejects, *collected.rejects, *made.rejects, *lost]
    if not made.entries:
        raise _empty(choice, rejects, options)
    inputs = {_input_name(sheet.name): sheet.sha256 for sheet in sheets}
    inputs |= {_input_name(shown_name(one, folder)): files.sha256_of(one) for one in hierarchies}
    plan = _plan(inputs | {PICTURES: pictures_digest(made.sizes)}, options)
    settler = Settler(masks=made.masks, changes=made.changes)
    harvest = Harvest(entries=made.entries, make=read_stored, rejects=rejects, settle=settler)
    return write_catalog(
        workspace,
        plan,
        harvest,
        workers=workers,
        engine=engine,
        force=force,
        rules=rules,
        progress=progress,
    )


def _plan(inputs: Mapping[str, str], options: OpenImagesOptions) -> Plan:
    return Plan(
        stage=STAGE,
        inputs=inputs,
        settings={
            "from": "open-images",
            "source": options.source,
            "fetch": options.fetch,
            "without_pictures": options.without_pictures,
            "classes": sorted(options.classes),
            "limit": options.limit,
        },
        seed=None if options.limit is None else options.seed,
    )


def _input_name(name: str) -> str:
    return name.replace("/", ":")  # a slash is for what is no file: the pictures


def describe_objects(manifest: Manifest) -> list[str]:
    """Return lines on the objects of a catalog and on what entered it otherwise than it stood."""
    counts = manifest.counts
    kept, refused = counts.get("objects", 0), counts.get("objects_refused", 0)
    lines = [f"objects: {kept + refused} = {kept} kept + {refused} refused"]
    if changes := counts.get("changes", 0):
        lines.append(f"changes: {changes}, each with its reason in changes.parquet")
    return lines


def _hierarchy(json_files: Sequence[Path], folder: Path) -> tuple[Hierarchy, list[Path], list[str]]:
    loaded = {path: load_hierarchy(path) for path in json_files}
    known = {path: one for path, one in loaded.items() if one is not None}
    others = [shown_name(path, folder) for path in json_files if path not in known]
    return (merge(list(known.values())) if known else NO_HIERARCHY), list(known), others


def _report_survey(found: Survey, other_json: Sequence[str], report: Report) -> None:
    ignored = [
        *found.ignored,
        *((name, "JSON, and no hierarchy of classes") for name in other_json),
    ]
    for name, why in ignored[:_MOST_IGNORED]:
        report(f"ignored {name}: {why}")
    if len(ignored) > _MOST_IGNORED:
        report(f"ignored {len(ignored) - _MOST_IGNORED} more files")
    kinds = {sheet.layout.kind for sheet in found.sheets}
    for kind, what in _ABSENT.items():
        if kind not in kinds:
            report(f"notice: {what}")


def _choose(
    sheets: Sequence[Sheet],
    names: Names,
    hierarchy: Hierarchy,
    index: PictureIndex | None,
    options: OpenImagesOptions,
    report: Report,
) -> Choice:
    codes = None
    if options.classes:
        codes, lines = asked_for(options.classes, names, hierarchy)
        for line in lines:
            report(line)
    wanted = Wanted(
        index=index,
        by_link=options.fetch,
        limit=options.limit,
        codes=codes,
        seed=options.seed,
    )
    return choose(sheets, wanted)


def _watched(progress: Progress) -> Callable[[str, Iterable[Any]], Iterable[Any]]:
    return lambda name, records: progress(name)(records)


def _made(
    folder: Path,
    collected: Collected,
    choice: Choice,
    names: Names,
    index: PictureIndex | None,
    options: OpenImagesOptions,
) -> Made:
    has_masks = any(notes.masks for notes in collected.notes.values())
    mask_folders: list[PictureIndex] = [] if index is None else [index]
    if has_masks and index is not None and options.images is not None:
        mask_folders.append(index_pictures([folder]))
    maker = EntryMaker(
        source=options.source,
        names=names,
        pictures=index,
        mask_folders=mask_folders,
        by_link=options.fetch,
    )
    made = Made()
    for image_id in sorted(choice.ids & collected.notes.keys()):
        maker.add(made, image_id, collected.notes.pop(image_id))
    return made


def _settle_accounts(collected: Collected, rejects: Iterable[Reject]) -> None:
    """Count records as refused that were read well and turned out to be duplicates."""
    for reject in rejects:
        if reject.reason in ("duplicate_box", "duplicate_mask") and reject.path is not None:
            account: Account = collected.accounts[reject.path][1]
            account.kept -= 1
            account.refused += 1


def _report_names(
    names: Names, hierarchy: Hierarchy, hierarchies: Sequence[Path], report: Report
) -> None:
    if hierarchies:
        several = sum(len(above) > 1 for above in hierarchy.parents.values())
        report(f"hierarchy: {len(hierarchy.nodes)} classes, {several} with more than one parent")
    if names.several:
        example = names.several[0]
        report(
            f"notice: {len(names.several)} classes have another name in another list; "
            f"taken for {example}: {names.of(example)}"
        )


def _empty(choice: Choice, rejects: Sequence[Reject], options: OpenImagesOptions) -> UsageError:
    """Return the error for a folder of which no picture becomes an item."""
    if choice.missing or (options.limit is not None and not choice.ids):
        count = f"none of {len(choice.missing)}" if choice.missing else "none of the pictures"
        asked = " asked for" if choice.is_narrowed else ""
        return UsageError(
            f"the catalog would be empty: {count}{asked} has a file named by its id; give "
            "--images DIR, or --fetch to get them from their OriginalURL, or --no-pictures for "
            "items without pictures"
        )
    if choice.is_narrowed:
        return UsageError("the catalog would be empty: no picture shows the classes asked for")
    counts = Counter(reject.reason for reject in rejects)
    shown = ", ".join(f"{count} {reason}" for reason, count in counts.most_common(3))
    return UsageError(
        f"the catalog would be empty: no picture could be read ({shown or 'no rows'})"
    )
