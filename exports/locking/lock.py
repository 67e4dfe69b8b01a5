"""Writing and reading the lock of a release."""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import ConfigDict, Field

from benchwright import __version__, files, store
from benchwright.asking.answers import requests_digest, server_builds
from benchwright.decisions.journal import journal_path
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from exports.building.making import Making
from exports.card.own_text import block_digest
from exports.contents.private_answers import without_traces
from exports.names import CARD, LOCK
from exports.provenance.declared import DECLARED

# what the bytes of a release hang on
_PACKAGES = ("datasets", "huggingface_hub", "matplotlib", "numpy", "pandas", "pillow", "pyarrow")

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
# a file within the release, by no way round
_SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]*"
FileName = Annotated[str, Field(pattern=f"^{_SEGMENT}(/{_SEGMENT})*$")]
Count = Annotated[int, Field(ge=0)]
_NUMBER = "(0|[1-9][0-9]{0,5})"
VersionText = Annotated[str, Field(pattern=rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}$")]


class _Part(pydantic.BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LockedFile(_Part):
    """One file of a release; ``size`` in bytes."""

    sha256: Sha256
    size: Count


NOTHING = LockedFile(sha256=hashlib.sha256().hexdigest(), size=0)


class LockedConfig(_Part):
    """The rows of one config: how many, their logical digest, the shards that hold them."""

    rows: Count
    digest: Sha256
    paths: tuple[FileName, ...]


class LockedStage(_Part):
    """A stage of the workspace: how it was made, and a digest of each of its tables."""

    version: str
    inputs: Mapping[str, str]
    settings: Mapping[str, Any]
    seed: int | None
    content: Mapping[str, Sha256]
    counts: Mapping[str, int]
    reasons: Mapping[str, int]


class LockedBuild(_Part):
    """A build of a model server that answered."""

    voter: str
    model: str | None
    build: str | None
    answers: Count


class LockedAnswers(_Part):
    """What models were asked: one digest of all requests, and which builds answered."""

    requests: Sha256
    builds: tuple[LockedBuild, ...]


class Lock(_Part):
    """release.lock.json; ``plan`` is a digest of all that decided what was written.

    ``card`` is a digest of the generated block of the card alone: what people write round it may
    change, on the Hub too. ``files`` are all others. ``journal`` is what stood in the file of
    people's decisions, which is only ever added to; it is null where it could tell answers that are
    held back. ``audit_plan`` is the hash of audits/plan.json. ``declared`` is what stood in the
    files of takedowns and errata, by their names; they are only ever added to as well.
    """

    format: Literal[1] = 1
    name: str
    version: VersionText
    plan: Sha256
    canary: str
    benchwright: str
    python: str
    packages: Mapping[str, str]
    settings: Mapping[str, Any]
    stages: Mapping[str, LockedStage]
    answers: LockedAnswers | None
    journal: LockedFile | None
    audit_plan: Sha256 | None
    declared: Mapping[str, LockedFile] = {}
    left_out: Mapping[str, Mapping[str, int]]
    configs: Mapping[str, LockedConfig]
    card: Sha256
    files: Mapping[FileName, LockedFile]


def write_lock(making: Making, plan: str, canary: str) -> Lock:
    """Write the lock over all files that stand in the folder; the last step of a release."""
    plan_file = making.workspace.audits / "plan.json"
    lock = Lock(
        name=making.name,
        version=str(making.version),
        plan=plan,
        canary=canary,
        benchwright=__version__,
        python=python_version(),
        packages=package_versions(),
        settings=asdict(making.settings),
        stages=dict(_stages(making)),
        answers=_answers(making.workspace),
        journal=_journal(making),
        audit_plan=files.sha256_of(plan_file) if plan_file.is_file() else None,
        declared=dict(_declared(making)),
        left_out=making.gathered.left_out,
        configs={
            one.config: LockedConfig(rows=one.rows, digest=one.digest, paths=one.paths)
            for one in making.written
        },
        card=block_digest((making.folder / CARD).read_text("utf-8")) or "",
        files=dict(_files(making)),
    )
    files.write_json(making.folder / LOCK, lock.model_dump(mode="json"))
    return lock


def read_lock(folder: Path) -> Lock | None:
    """Return the lock of a release, null where there is none.

    Raises WorkspaceError for one that cannot be read.
    """
    path = folder / LOCK
    if not path.is_file():
        return None
    try:
        return Lock.model_validate_json(path.read_bytes())
    except (pydantic.ValidationError, UnicodeDecodeError) as error:
        first = error.errors()[0] if isinstance(error, pydantic.ValidationError) else None
        where = "" if first is None else f" ({'.'.join(map(str, first['loc']))}: {first['msg']})"
        raise WorkspaceError(
            f"{path}: is no lock that this version reads{where}; bring the file back, or load the"
            " release from where it was published"
        ) from error


def python_version() -> str:
    """Return the version of Python without its patch."""
    return ".".join(platform.python_version_tuple()[:2])


def package_versions() -> dict[str, str]:
    """Return the installed versions of the packages that the bytes of a release hang on."""
    return dict(_installed())


def _installed() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _stages(making: Making) -> Iterator[tuple[str, LockedStage]]:
    """Yield the stages that a release was made of, with those that came before them."""
    workspace, inputs = making.workspace, making.gathered.inputs
    before = {
        "labels/votes": workspace.votes,
        **{f"{name}/drafts": workspace.root / name / "drafts" for name in inputs},
    }
    found = {name: store.load_manifest(folder) for name, folder in before.items()}
    there = {name: one for name, one in found.items() if one is not None}
    if making.settings.private_answers:  # drafts hold the answers that dialogues hold
        there = {name: without_traces(one) for name, one in there.items()}
    for name, manifest in sorted({**inputs, **there}.items()):
        yield (
            name,
            LockedStage(
                version=manifest.version,
                # where the digests of its tables are not told those of its drafts would tell them
                inputs=manifest.plan.inputs if manifest.content else {},
                settings=manifest.plan.settings,
                seed=manifest.plan.seed,
                content=manifest.content,
                counts=manifest.counts,
                reasons=manifest.reasons,
            ),
        )


def _answers(workspace: Workspace) -> LockedAnswers | None:
    if not workspace.answers.is_file():
        return None
    builds = tuple(LockedBuild(**asdict(build)) for build in server_builds(workspace.answers))
    return LockedAnswers(requests=requests_digest(workspace.answers), builds=builds)


def _journal(making: Making) -> LockedFile | None:
    if making.settings.private_answers:
        return None
    path = journal_path(making.workspace)
    return _locked(path) if path.is_file() else NOTHING


def _declared(making: Making) -> Iterator[tuple[str, LockedFile]]:
    for name in DECLARED:
        path = making.workspace.releases / making.name / name
        if path.is_file():
            yield name, _locked(path)


def _locked(path: Path) -> LockedFile:
    return LockedFile(sha256=files.sha256_of(path), size=path.stat().st_size)


def _files(making: Making) -> Iterator[tuple[str, LockedFile]]:
    known = {
        name: sha256
        for one in making.written
        for name, sha256 in zip(one.paths, one.sha256, strict=True)
    }
    for path in sorted(making.folder.rglob("*")):
        name = path.relative_to(making.folder).as_posix()
        if path.is_file() and name not in (CARD, LOCK):
            sha256 = known.get(name) or files.sha256_of(path)
            yield name, LockedFile(sha256=sha256, size=path.stat().st_size)
