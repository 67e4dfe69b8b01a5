"""Making a release: it appears under its version when it is whole, and never changes after."""

import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import __version__, files, store
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.building.making import Making
from exports.building.settings import ReleaseSettings
from exports.building.shards import Written, write_shards
from exports.canary import canary_of
from exports.card.card import write_card
from exports.contents.gathering import Content, Gathered, Terms, gather
from exports.contents.private_answers import key_from_environment
from exports.locking.lock import Lock, read_lock, write_lock
from exports.names import Version, release_folder
from exports.provenance.attribution import write_attribution
from exports.provenance.croissant import write_croissant
from exports.provenance.errata import (
    PublishedErratum,
    published,
    read_errata,
    withdrawn_ids,
    write_errata,
)
from exports.provenance.permissions import why_not
from exports.provenance.takedowns import read_takedowns

_PLAN, _KEPT = "plan", "written"  # in a release that is not whole yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A release that stands in ``folder``; ``is_new`` is false where it stood there already."""

    folder: Path
    is_new: bool
    lock: Lock


def build_release(
    workspace: Workspace,
    name: str,
    version: Version,
    settings: ReleaseSettings,
    *,
    progress: Progress = no_progress,
) -> Built:
    """Write releases/NAME/VERSION from what the workspace holds.

    The same inputs and settings give the same bytes, and a run that was killed goes on. A release
    that stands is never changed: of the same inputs nothing is done, of others UsageError is
    raised. Raises what ``gather`` raises.
    """
    folder = release_folder(workspace, name, version)
    gathered = gather(workspace, _terms(workspace, name, settings))
    errata = published(workspace, name, version)
    plan = _plan(name, version, settings, gathered, errata)
    standing = read_lock(folder)
    if standing is not None:
        _check_same(folder, standing, plan)
        return Built(folder=folder, is_new=False, lock=standing)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(folder.parent, "making a release"):
        partial = _begun(folder, plan)
        written = _all_written(partial, gathered.contents, progress)
        making = Making(
            workspace=workspace,
            name=name,
            version=version,
            settings=settings,
            folder=partial,
            gathered=gathered,
            written=written,
            schemas={content.config: content.schema for content in gathered.contents},
        )
        write_errata(partial, errata)
        lock = _finish(making, plan, folder)
    return Built(folder=folder, is_new=True, lock=lock)


def _terms(workspace: Workspace, name: str, settings: ReleaseSettings) -> Terms:
    """Return on what terms a release is made: what was declared of it, and what its maker chose."""
    store.require(workspace.catalog, "build-catalog")
    takedowns = read_takedowns(workspace, name)
    return Terms(
        canary=canary_of(name),
        why_not=why_not(iterate_items(workspace), settings, takedowns),
        withdrawn=withdrawn_ids(read_errata(workspace, name)),
        answer_key=key_from_environment() if settings.private_answers else None,
        keep_metadata=settings.keep_metadata,
    )


def _finish(making: Making, plan: str, folder: Path) -> Lock:
    """Write what hangs on the configs, the lock last, and give the folder its name."""
    write_card(making)
    shutil.rmtree(making.folder / _KEPT)
    (making.folder / _PLAN).unlink()
    write_attribution(making)
    write_croissant(making)
    lock = write_lock(making, plan, canary_of(making.name))
    making.folder.rename(folder)
    files.sync([folder.parent])
    return lock


def _check_same(folder: Path, standing: Lock, plan: str) -> None:
    if standing.plan != plan:
        raise UsageError(
            f"{folder}: stands already and was made of other inputs or settings; a version never"
            " changes: choose the next --version (push-release diff says which)"
        )


def _plan(
    name: str,
    version: Version,
    settings: ReleaseSettings,
    gathered: Gathered,
    errata: Sequence[PublishedErratum],
) -> str:
    """Return a digest of all that decides what is written."""
    contents = {content.config: content.identity for content in gathered.contents}
    faults = [one.model_dump(mode="json") for one in errata]
    return store.digest_of([__version__, name, str(version), asdict(settings), contents, faults])


def _begun(folder: Path, plan: str) -> Path:
    """Return the folder where a release is made; what a killed run of this plan wrote stays."""
    partial = folder.with_name(f".{folder.name}.partial")
    marker = partial / _PLAN
    if not marker.is_file() or marker.read_text("utf-8") != plan:
        if partial.exists():
            shutil.rmtree(partial)
        (partial / _KEPT).mkdir(parents=True)
        files.write_bytes(marker, plan.encode())
    return partial


def _all_written(partial: Path, contents: Sequence[Content], progress: Progress) -> list[Written]:
    shown = progress("writing", len(contents))(contents)
    return [_written(partial, content) for content in shown]


def _written(partial: Path, content: Content) -> Written:
    """Return what was written of a config, by this run or by the one before that was killed."""
    note = partial / _KEPT / f"{content.config}.json"
    said = files.read_json_object(note)
    if said:
        return Written(**{**said, "paths": tuple(said["paths"])})
    shutil.rmtree(partial / "data" / content.config, ignore_errors=True)
    made = write_shards(partial, content.config, content.schema, content.tables())
    files.write_json(note, asdict(made))
    return made
