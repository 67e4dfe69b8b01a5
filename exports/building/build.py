"""Making a release: it appears under its version when it is whole, and never changes after."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import __version__, files, store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.building.answers import has_answers, write_answers
from exports.building.making import Making
from exports.building.partial import Partial
from exports.building.settings import ReleaseSettings
from exports.canary import canary_of
from exports.card.card import write_card
from exports.contents.gathering import Gathered, gather
from exports.contents.private_answers import key_from_environment
from exports.contents.terms import Terms
from exports.gating.evidence import evidence_digest
from exports.gating.gate import run_gate
from exports.locking.lock import Lock, read_lock, write_lock
from exports.names import LOCK, Version, release_folder, versions_of
from exports.provenance.attribution import write_attribution
from exports.provenance.croissant import write_croissant
from exports.provenance.errata import (
    PublishedErratum,
    published,
    withdrawn_samples,
    write_errata,
)
from exports.provenance.permissions import why_not
from exports.provenance.takedowns import Takedown, read_takedowns


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A release that stands in ``folder``; ``is_new`` is false where it stood there already."""

    folder: Path
    is_new: bool
    lock: Lock


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    """What is to be made; ``digest`` is one of all that decides what is written."""

    gathered: Gathered
    takedowns: Sequence[Takedown]
    errata: Sequence[PublishedErratum]
    digest: str


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
    raised, as for a version below one that stands, and where something else lies in its place.
    Raises what ``gather`` raises, and WorkspaceError while another process makes a version.
    """
    folder = release_folder(workspace, name, version)
    _check_next(workspace, name, version)
    _check_free(folder)
    planned = _planned(workspace, name, version, settings)
    partial, held = Partial(folder), planned.gathered.held
    standing = _standing(folder, planned.digest)
    if standing is not None and partial.is_gone and has_answers(folder, held):
        return standing  # to find that out needs no right to write
    folder.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(folder.parent, "making a release or declaring something of it"):
        _check_declared(workspace, name, version, planned)
        standing = _standing(folder, planned.digest)  # another process may have made it meanwhile
        if standing is not None:
            write_answers(folder, held)
            partial.remove()
            return standing
        files.remove_leftovers(folder.parent)
        partial.begin(planned.digest)
        shown = progress("writing", len(planned.gathered.contents))(planned.gathered.contents)
        making = Making(
            workspace=workspace,
            name=name,
            version=version,
            settings=settings,
            folder=partial.release,
            gathered=planned.gathered,
            written=[partial.written(content) for content in shown],
            schemas={content.config: content.schema for content in planned.gathered.contents},
        )
        lock = _finish(making, planned)
        write_answers(folder, held)
        partial.finish()
    return Built(folder=folder, is_new=True, lock=lock)


def _planned(
    workspace: Workspace, name: str, version: Version, settings: ReleaseSettings
) -> _Planned:
    store.require(workspace.catalog, "build-catalog")
    takedowns = read_takedowns(workspace, name)
    errata = published(workspace, name, version)
    terms = Terms(
        canary=canary_of(name),
        why_not=why_not(iterate_items(workspace), settings, takedowns),
        withdrawn=withdrawn_samples(errata),
        answer_key=key_from_environment(name) if settings.private_answers else None,
        keep_metadata=settings.keep_metadata,
        without_runs=frozenset(settings.without_runs),
    )
    gathered = gather(workspace, terms)
    if settings.private_answers and not gathered.held:
        raise UsageError(
            "--private-answers: no sample here has answers to hold back (false premises have none);"
            " leave it away"
        )
    contents = {content.config: content.identity for content in gathered.contents}
    faults = [one.model_dump(mode="json") for one in errata]
    made_of = [contents, faults, evidence_digest(workspace)]
    return _Planned(
        gathered=gathered,
        takedowns=takedowns,
        errata=errata,
        digest=store.digest_of([__version__, name, str(version), asdict(settings), *made_of]),
    )


def _check_next(workspace: Workspace, name: str, version: Version) -> None:
    """Raise UsageError for a new version that is not above all that stand."""
    standing = versions_of(workspace, name)
    if standing and version not in standing and version < standing[-1]:
        raise UsageError(
            f"{name} {version}: is below {standing[-1]}, which stands in {workspace.releases};"
            " choose a --version above it"
        )


def _check_free(folder: Path) -> None:
    """Raise UsageError where something else than a release lies in its place."""
    is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if not is_free and not (folder / LOCK).is_file():
        raise UsageError(f"{folder}: is there and is no release (it has no {LOCK}); move it away")


def _check_declared(workspace: Workspace, name: str, version: Version, planned: _Planned) -> None:
    """Raise WorkspaceError where a takedown or an erratum came after the plan was made."""
    declared = (read_takedowns(workspace, name), published(workspace, name, version))
    if declared != (planned.takedowns, planned.errata):
        raise WorkspaceError(
            f"{workspace.releases / name}: a takedown or an erratum was declared just now; run the"
            " command again"
        )


def _finish(making: Making, planned: _Planned) -> Lock:
    """Write what hangs on the configs, the lock last."""
    write_errata(making.folder, planned.errata)
    write_card(making, run_gate(making))
    write_attribution(making)
    write_croissant(making)
    return write_lock(making, planned.digest, canary_of(making.name))


def _standing(folder: Path, plan: str) -> Built | None:
    """Return the release that stands in a folder, null where none does.

    Raises UsageError for one that was not made by this plan.
    """
    lock = read_lock(folder)
    if lock is None:
        return None
    if lock.plan != plan:
        raise UsageError(
            f"{folder}: stands already and was made of other inputs or settings; a version never"
            " changes: choose the next --version (push-release diff says which); one that was never"
            " pushed may be removed by hand, its folder, and built again"
        )
    return Built(folder=folder, is_new=False, lock=lock)
