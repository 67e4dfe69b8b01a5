"""A temporary workspace with what was recorded, in which all that follows is made anew."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwright import files
from benchwright.decisions.journal import journal_path
from benchwright.workspace import Workspace
from exports.contents.trajectories import FILES as TRAJECTORIES
from exports.locking.lock import NOTHING, Lock, LockedFile
from exports.names import CARD, Version, versions_of
from exports.provenance.declared import DECLARED
from labeling.attributes.labels.writing import CATALOG


@contextmanager
def scratch_workspace(workspace: Workspace, lock: Lock) -> Iterator[Workspace]:
    """Yield a workspace of what a release was made of and no model need be asked for again.

    Catalog, votes, drafts, answers and runs are links to those of ``workspace``, of which nothing
    is changed; what else lies there is small, or is a store that reading could touch, and is
    copied. Earlier versions are there as links, since a version tells of the errata of those
    before it.
    """
    with tempfile.TemporaryDirectory(prefix="benchwright-verify-") as place:
        made = Workspace(Path(place))
        for path in (workspace.catalog, workspace.answers):
            _link(made.root / path.name, path)
        _runs(workspace, made, lock)
        _labels(workspace, made, lock)
        for name in lock.stages:
            if name.endswith("/drafts"):
                _link(made.root / name, workspace.root / name)
        _audits(workspace, made, lock)
        if lock.settings.get("clip_model") is not None:
            _copy(made.embeddings, workspace.embeddings)
        _releases(workspace, made, lock)
        yield made


def _runs(workspace: Workspace, made: Workspace, lock: Lock) -> None:
    """Link the runs but for those that played episodes after this was released."""
    for path in sorted(workspace.runs.glob("*")):
        name = workspace.relative(path)
        if name in lock.stages or not any(path.glob(TRAJECTORIES)):
            _link(made.root / name, path)


def _labels(workspace: Workspace, made: Workspace, lock: Lock) -> None:
    for path in (workspace.vocabulary, workspace.weights, workspace.labels / ".guess.json"):
        _copy(made.root / workspace.relative(path), path)
    labels = lock.stages.get("labels")
    if labels is not None and labels.settings != CATALOG:
        _link(made.votes, workspace.votes)


def _audits(workspace: Workspace, made: Workspace, lock: Lock) -> None:
    """Copy the plan of the audit, and of the decisions those that stood when it was released."""
    if lock.audit_plan is not None:
        _copy(made.audits / "plan.json", workspace.audits / "plan.json")
    _copy_as_it_stood(journal_path(made), journal_path(workspace), lock.journal)


def _releases(workspace: Workspace, made: Workspace, lock: Lock) -> None:
    folder = workspace.releases / lock.name
    _copy(made.releases / lock.name / CARD, folder / CARD)
    for name in DECLARED:
        held = lock.declared.get(name, NOTHING)
        _copy_as_it_stood(made.releases / lock.name / name, folder / name, held)
    own = Version.of(lock.version)
    for version in versions_of(workspace, lock.name):
        if version < own:
            _link(made.releases / lock.name / str(version), folder / str(version))


def _link(link: Path, path: Path) -> None:
    if path.exists():
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.absolute())


def _copy(copy: Path, path: Path) -> None:
    if path.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def _copy_as_it_stood(copy: Path, path: Path, held: LockedFile | None) -> None:
    """Copy what a file held to which lines are added; all of it where ``held`` is null."""
    if held == NOTHING or not path.is_file():
        return
    with path.open("rb") as stream:
        data = stream.read(-1 if held is None else held.size)
    copy.parent.mkdir(parents=True, exist_ok=True)
    files.write_bytes(copy, data)
