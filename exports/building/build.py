"""Making a release: it appears under its version when it is whole, and never changes after."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import __version__, files, store
from benchwright.errors import UsageError
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
from exports.names import Version, release_folder
from exports.provenance.attribution import write_attribution
from exports.provenance.croissant import write_croissant
from exports.provenance.errata import (
    PublishedErratum,
    published,
    read_errata,
    withdrawn_samples,
    write_errata,
)
from exports.provenance.permissions import why_not
from exports.provenance.takedowns import read_takedowns


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
    if settings.private_answers and not gathered.held:
        raise UsageError(
            "--private-answers: no sample here has answers to hold back (false premises have none);"
            " leave it away"
        )
    errata = published(workspace, name, version)
    evidence = evidence_digest(workspace)
    plan = _plan(name, version, settings, gathered, errata, evidence)
    partial = Partial(folder)
    standing = _standing(folder, plan)
    if standing is not None and partial.is_gone and has_answers(folder, gathered.held):
        return standing  # to find that out needs no right to write
    folder.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(folder.parent, "making a release"):
        standing = _standing(folder, plan)  # another process may have made it meanwhile
        if standing is not None:
            write_answers(folder, gathered.held)
            partial.remove()
            return standing
        files.remove_leftovers(folder.parent)
        partial.begin(plan)
        shown = progress("writing", len(gathered.contents))(gathered.contents)
        making = Making(
            workspace=workspace,
            name=name,
            version=version,
            settings=settings,
            folder=partial.release,
            gathered=gathered,
            written=[partial.written(content) for content in shown],
            schemas={content.config: content.schema for content in gathered.contents},
        )
        write_errata(partial.release, errata)
        lock = _finish(making, plan)
        write_answers(folder, gathered.held)
        partial.finish()
    return Built(folder=folder, is_new=True, lock=lock)


def _terms(workspace: Workspace, name: str, settings: ReleaseSettings) -> Terms:
    """Return on what terms a release is made: what was declared of it, and what its maker chose."""
    store.require(workspace.catalog, "build-catalog")
    takedowns = read_takedowns(workspace, name)
    return Terms(
        canary=canary_of(name),
        why_not=why_not(iterate_items(workspace), settings, takedowns),
        withdrawn=withdrawn_samples(read_errata(workspace, name)),
        answer_key=key_from_environment(name) if settings.private_answers else None,
        keep_metadata=settings.keep_metadata,
    )


def _finish(making: Making, plan: str) -> Lock:
    """Write what hangs on the configs, the lock last."""
    write_card(making, run_gate(making))
    write_attribution(making)
    write_croissant(making)
    return write_lock(making, plan, canary_of(making.name))


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
            " changes: choose the next --version (push-release diff says which)"
        )
    return Built(folder=folder, is_new=False, lock=lock)


def _plan(
    name: str,
    version: Version,
    settings: ReleaseSettings,
    gathered: Gathered,
    errata: Sequence[PublishedErratum],
    evidence: str,
) -> str:
    """Return a digest of all that decides what is written."""
    contents = {content.config: content.identity for content in gathered.contents}
    faults = [one.model_dump(mode="json") for one in errata]
    return store.digest_of(
        [__version__, name, str(version), asdict(settings), contents, faults, evidence]
    )
