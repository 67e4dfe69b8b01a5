"""Whether a workspace still holds what a release was made of and cannot be made anew."""

import hashlib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from benchwright import store
from benchwright.decisions.journal import journal_path
from benchwright.errors import CorruptShard
from benchwright.files import sha256_of
from benchwright.rows import ContentDigest
from benchwright.vocabulary_digest import vocabulary_digest
from benchwright.workspace import Workspace
from exports.locking.lock import NOTHING, Lock, LockedFile, LockedStage
from exports.provenance.declared import DECLARED
from exports.verifying.finding import Finding, finding

_VOTES = "labels/votes"


def is_recorded(name: str) -> bool:
    """Tell whether a stage is read from a source, or was answered by models or people."""
    return name in ("catalog", _VOTES) or name.endswith("/drafts") or name.startswith("runs/")


def check_recorded(workspace: Workspace, lock: Lock) -> Iterator[Finding]:
    """Yield a finding of each recorded stage, and of what people wrote and decided."""
    for name, stage in lock.stages.items():
        if is_recorded(name):
            faults = _stage_faults(workspace.root / name, stage)
            yield finding(name, "recorded: its rows digested", faults)
    yield finding("words and decisions", "recorded: hashed", _other_faults(workspace, lock))


def _stage_faults(folder: Path, stage: LockedStage) -> Iterator[str]:
    try:
        manifest = store.load_manifest(folder)
        if manifest is None:
            yield f"{folder}: nothing finished here"
            return
        for table, digest in stage.content.items():
            if _digest(folder, manifest, table) != digest:
                yield f"{folder}: {table} holds other rows than it did"
    except CorruptShard as error:
        yield str(error)


def _digest(folder: Path, manifest: store.Manifest, table: str) -> str:
    """Return the digest of a table, worked out shard by shard."""
    found = ContentDigest()
    for name in sorted(manifest.files):
        if name == f"{table}.parquet" or fnmatch(name, f"{table}-[0-9]*.parquet"):
            found.update(store.read_table(folder, name))
    return found.hexdigest()


def _other_faults(workspace: Workspace, lock: Lock) -> Iterator[str]:
    labels = lock.stages.get("labels")
    inputs = dict(labels.inputs) if labels is not None else {}
    if lock.audit_plan is not None:
        inputs["audit"] = lock.audit_plan
    for name, path, digest in (
        ("audit", workspace.audits / "plan.json", sha256_of),
        ("vocabulary", workspace.vocabulary, vocabulary_digest),
        ("weights", workspace.weights, sha256_of),
    ):
        if name in inputs and not path.is_file():
            yield f"{path}: is not there"
        elif name in inputs and digest(path) != inputs[name]:
            yield f"{path}: is another than it was"
    if lock.journal is not None and not _begins_with(journal_path(workspace), lock.journal):
        yield f"{journal_path(workspace)}: does not begin with the decisions that it held"
    for name in DECLARED:
        path = workspace.releases / lock.name / name
        if not _begins_with(path, lock.declared.get(name, NOTHING)):
            yield f"{path}: does not begin with the lines that it held; bring them back"


def _begins_with(path: Path, held: LockedFile) -> bool:
    """Tell whether a file to which lines are added began as it is locked."""
    if held == NOTHING or not path.is_file():
        return held == NOTHING
    with path.open("rb") as stream:
        return hashlib.sha256(stream.read(held.size)).hexdigest() == held.sha256
