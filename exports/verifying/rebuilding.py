"""Making a release anew from what its workspace recorded, and comparing what comes out.

No model is asked: votes, drafts and what CLIP made of pictures are recorded answers. Labels are
decided from the votes and from what people decided, galleries built with their settings and seeds,
dialogues made of drafts and decisions, and the release of them all.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pydantic

from benchwright import store
from benchwright.errors import BenchwrightError, WorkspaceError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.locking.lock import Lock, LockedStage
from exports.names import Version
from exports.verifying.finding import Finding, finding
from exports.verifying.recorded import check_recorded, is_recorded
from exports.verifying.released import open_release
from exports.verifying.scratch import scratch_workspace
from galleries.build import build_galleries
from galleries.settings import Settings, Sizes
from galleries.tau import Tau
from labeling.audits.syncing.redeciding import decide_by

_LABELS, _GALLERIES, _DIALOGUES = "labels", "galleries/", "dialogues/"


def rebuild_release(
    folder: Path, workspace: Workspace, *, progress: Progress = no_progress
) -> list[Finding]:
    """Return what each stage of a release gives when it is made anew; the first fault ends it.

    Nothing in ``workspace`` is changed. Raises UsageError for a folder that holds no release.
    """
    lock = open_release(folder).lock
    found: list[Finding] = []
    with scratch_workspace(workspace, lock) as scratch:
        for each in _stages(workspace, scratch, lock, progress):
            found.append(each)
            if not each.holds:
                break
    return found


def _stages(
    workspace: Workspace, scratch: Workspace, lock: Lock, progress: Progress
) -> Iterator[Finding]:
    yield from check_recorded(workspace, lock)
    try:
        for name, stage in lock.stages.items():
            if name == _LABELS:
                yield _labels(workspace, scratch, stage)
        for name, stage in lock.stages.items():
            if name.startswith(_GALLERIES):
                yield _galleries(workspace, scratch, name, stage, progress)
        version = Version.of(lock.version)
        built = build_release(scratch, lock.name, version, _settings(lock), progress=progress)
    except BenchwrightError as error:
        yield finding("making it anew", "stopped", [str(error)])
        return
    for name, stage in lock.stages.items():
        if name.startswith(_DIALOGUES) and not is_recorded(name):
            yield _same_stage(scratch, name, stage, "made anew of drafts and decisions")
    yield _configs(built.lock, lock)
    yield _bytes(built.lock, lock)


def _labels(workspace: Workspace, scratch: Workspace, stage: LockedStage) -> Finding:
    plan = _plan(workspace, _LABELS, stage)
    if "weights_file" in plan.inputs:  # nothing says where it lies
        for name in (*store.require(workspace.labels, "label-attributes").files, store.MANIFEST):
            (scratch.labels / name).symlink_to((workspace.labels / name).absolute())
        return _same_stage(scratch, _LABELS, stage, "as they are: weighed by a file elsewhere")
    decide_by(scratch, plan)
    return _same_stage(scratch, _LABELS, stage, "decided anew of votes, catalog and decisions")


def _galleries(
    workspace: Workspace, scratch: Workspace, name: str, stage: LockedStage, progress: Progress
) -> Finding:
    plan = _plan(workspace, name, stage)
    said = dict(plan.settings)
    tau, paired, sizes = said.pop("tau"), said.pop("paired"), Sizes.parse(said.pop("sizes"))
    settings = Settings(**said, sizes=sizes, paired=bool(paired), seed=plan.seed or 0)
    build_galleries(
        scratch, [Tau.parse(one) for one in paired or [tau]], settings, progress=progress
    )
    return _same_stage(scratch, name, stage, "built anew with their settings and seed")


def _plan(workspace: Workspace, name: str, stage: LockedStage) -> store.Plan:
    """Return the plan of a stage; what could tell answers stands in the workspace alone."""
    if stage.content:
        return store.Plan(stage=name, inputs=stage.inputs, settings=stage.settings, seed=stage.seed)
    return store.require(workspace.root / name, f"the command that makes {name}").plan


def _settings(lock: Lock) -> ReleaseSettings:
    unknown = sorted(lock.settings.keys() - {one.name for one in fields(ReleaseSettings)})
    if unknown:
        raise WorkspaceError(
            f"{lock.name} {lock.version} was made with settings that this version does not know"
            f" ({', '.join(unknown)}); verify it with benchwright {lock.benchwright}"
        )
    return pydantic.TypeAdapter(ReleaseSettings).validate_python(dict(lock.settings))


def _same_stage(scratch: Workspace, name: str, stage: LockedStage, how: str) -> Finding:
    if not stage.content:
        return finding(name, f"{how}; not compared, as its digests would tell answers", [])
    made = store.require(scratch.root / name, "the step before")
    tables = stage.content.keys() | made.content.keys()
    others = (
        f"{name}: other rows in {table} than were released"
        for table in sorted(tables)
        if stage.content.get(table) != made.content.get(table)
    )
    return finding(name, how, others)


def _configs(made: Lock, lock: Lock) -> Finding:
    names = [*lock.configs, *(name for name in made.configs if name not in lock.configs)]
    others = (
        f"{name}: other rows than were released"
        for name in names
        if name not in made.configs
        or name not in lock.configs
        or made.configs[name].digest != lock.configs[name].digest
    )
    return finding("configs", f"{len(lock.configs)} made anew, by their digests", others)


def _bytes(made: Lock, lock: Lock) -> Finding:
    differing = [
        f"{name} {theirs} (here {ours or 'none'})"
        for name, theirs, ours in (
            ("benchwright", lock.benchwright, made.benchwright),
            ("python", lock.python, made.python),
            *((name, said, made.packages.get(name)) for name, said in lock.packages.items()),
        )
        if theirs != ours
    ]
    if differing:
        return finding("bytes", f"not compared: made with {', '.join(differing)}", [])
    names = sorted(lock.files.keys() | made.files.keys())
    others = (
        f"{name}: other bytes than were released"
        for name in names
        if lock.files.get(name) != made.files.get(name)
    )
    card = ["README.md: another generated block"] if made.card != lock.card else []
    return finding(
        "bytes", f"{len(names) + 1:,} files made anew, by their sha256", [*others, *card]
    )
