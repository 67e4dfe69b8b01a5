"""Writing and reading the lock of a release."""

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
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from exports.building.making import Making
from exports.card.own_text import block_digest
from exports.names import CARD, LOCK

# what the bytes of a release hang on
_PACKAGES = ("datasets", "huggingface_hub", "matplotlib", "numpy", "pandas", "pillow", "pyarrow")

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
# a file within the release, by no way round
_SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]*"
FileName = Annotated[str, Field(pattern=f"^{_SEGMENT}(/{_SEGMENT})*$")]
Count = Annotated[int, Field(ge=0)]


class _Part(pydantic.BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LockedFile(_Part):
    """One file of a release; ``size`` in bytes."""

    sha256: Sha256
    size: Count


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
    change, on the Hub too. ``files`` are all others.
    """

    format: Literal[1] = 1
    name: str
    version: str
    plan: Sha256
    canary: str
    benchwright: str
    python: str
    packages: Mapping[str, str]
    settings: Mapping[str, Any]
    stages: Mapping[str, LockedStage]
    answers: LockedAnswers | None
    left_out: Mapping[str, Mapping[str, int]]
    configs: Mapping[str, LockedConfig]
    card: Sha256
    files: Mapping[FileName, LockedFile]


def write_lock(making: Making, plan: str, canary: str) -> Lock:
    """Write the lock over all files that stand in the folder; the last step of a release."""
    lock = Lock(
        name=making.name,
        version=str(making.version),
        plan=plan,
        canary=canary,
        benchwright=__version__,
        python=".".join(platform.python_version_tuple()[:2]),
        packages=dict(_packages()),
        settings=asdict(making.settings),
        stages=dict(_stages(making.workspace, making.gathered.inputs)),
        answers=_answers(making.workspace),
        left_out=making.gathered.left_out,
        configs={
            one.config: LockedConfig(rows=one.rows, digest=one.digest, paths=one.paths)
            for one in making.written
        },
        card=block_digest((making.folder / CARD).read_text("utf-8")) or "",
        files=dict(_files(making.folder)),
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


def _packages() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _stages(
    workspace: Workspace, inputs: Mapping[str, store.Manifest]
) -> Iterator[tuple[str, LockedStage]]:
    """Yield the stages that a release was made of, with those that came before them."""
    before = {
        "labels/votes": workspace.votes,
        **{f"{name}/drafts": workspace.root / name / "drafts" for name in inputs},
    }
    found = {name: store.load_manifest(folder) for name, folder in before.items()}
    every = {**inputs, **{name: one for name, one in found.items() if one is not None}}
    for name, manifest in sorted(every.items()):
        yield (
            name,
            LockedStage(
                version=manifest.version,
                inputs=manifest.plan.inputs,
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


def _files(folder: Path) -> Iterator[tuple[str, LockedFile]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in (CARD, LOCK):
            yield name, LockedFile(sha256=files.sha256_of(path), size=path.stat().st_size)
