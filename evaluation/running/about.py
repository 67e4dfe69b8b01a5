"""run.json: what a run was of, who played, and what answered; nothing of where it lay."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchwright.errors import CorruptShard
from benchwright.records import Build
from benchwright.workspace import Workspace
from evaluation.releases.release import Release

ABOUT = "run.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRelease:
    """Which release was played: its name, the commit of its tag, and where it can be found again.

    ``place`` is a folder relative to the workspace, or REPO@COMMIT on the Hub; null where neither
    can be said.
    """

    name: str
    commit: str | None
    place: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a run says of itself.

    ``parts`` are those who took part by the part that they played, each a voter's name or the
    name of what is no model. ``prompts`` is the digest of all that the player was told.
    ``builds`` are the servers that answered, over all records.
    """

    run: str
    release: PlayedRelease
    config: str
    player: str
    parts: Mapping[str, str]
    prompts: str
    builds: tuple[Build, ...] = ()

    def with_builds(self, builds: Iterable[Build]) -> "About":
        """Return the same with what answered."""
        return replace(self, builds=tuple(builds))

    def as_json(self) -> dict[str, Any]:
        """Return what run.json holds."""
        return asdict(self)


def read_about(folder: Path) -> About:
    """Return what a run says of itself; raise CorruptShard where it does not say it."""
    path = folder / ABOUT
    try:
        return TypeAdapter(About).validate_python(json.loads(path.read_text("utf-8")))
    except FileNotFoundError as error:
        raise CorruptShard(path, "is missing") from error
    except (ValidationError, ValueError) as error:
        raise CorruptShard(path, "does not say what the run was of") from error


def played_release(release: Release, workspace: Workspace) -> PlayedRelease:
    """Return how a run names its release."""
    return PlayedRelease(name=release.name, commit=release.commit, place=_place(release, workspace))


def _place(release: Release, workspace: Workspace) -> str | None:
    if release.commit is not None:
        return f"{release.path}@{release.commit}"
    folder, root = Path(release.path).resolve(), workspace.root.resolve()
    return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else None


def summed(builds: Iterable[Build]) -> list[Build]:
    """Return builds with their answers summed, sorted."""
    found: Counter[Build] = Counter()
    for build in builds:
        found[replace(build, answers=0)] += build.answers
    ordered = sorted(found, key=lambda one: (one.part, one.voter, one.model or "", one.build or ""))
    return [replace(one, answers=found[one]) for one in ordered]
