"""Runs of run-benchmark, as they stand in runs/NAME."""

from dataclasses import dataclass
from pathlib import Path

from benchwright import store
from benchwright.errors import UsageError
from benchwright.rows import from_table
from benchwright.run_records import Trajectory
from evaluation.releases.release import Release, open_release
from evaluation.running.about import About, read_about
from evaluation.scoring.played import Played

_TABLE = "trajectories-*.parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run as it lies in a folder; ``digest`` is that of the rows of the release it was made of.

    ``about`` is what it says of itself.
    """

    folder: Path
    about: About
    digest: str
    played: Played


def read_run(folder: Path) -> StoredRun:
    """Return a run with its episodes.

    Raises WorkspaceError where nothing was played to an end, CorruptShard for files that are not
    those of the manifest.
    """
    manifest = store.require(folder, "run-benchmark")
    about = read_about(folder)
    found = list(from_table(store.read_table(folder, _TABLE), Trajectory))
    played = Played(
        name=about.run,
        player=about.player,
        prompt=about.prompts,
        detector=about.parts.get("detector"),
        oracle=about.parts.get("oracle"),
        verifier=about.parts["verifier"],
        planned=manifest.counts["episodes"],
        settings=manifest.plan.settings,
        seed=manifest.plan.seed,
        trajectories=sorted(found, key=lambda one: one.episode_id),
    )
    return StoredRun(
        folder=folder, about=about, digest=manifest.plan.inputs["release"], played=played
    )


def release_of(run: StoredRun) -> Release:
    """Open the release that a run was of, where the run says that it is.

    Raises UsageError where it does not say so or no release is there.
    """
    place = run.about.release.place
    if place is None:
        raise UsageError(
            f"{run.folder}: does not say where its release {run.about.release.name} lies; name it"
            " by --release"
        )
    if run.about.release.commit is not None:
        return open_release(place)
    folder = run.folder.parent.parent / place  # from the root of the workspace
    if not folder.is_dir():
        raise UsageError(
            f"{folder}: the release that was played is no longer there; name it by --release"
        )
    return open_release(str(folder))
