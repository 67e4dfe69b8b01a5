"""A run as it is named on the command line: found, with its kind and the release of it."""

from dataclasses import dataclass, replace
from pathlib import Path

from benchwright import store
from benchwright.errors import UsageError
from benchwright.run_path import run_path
from benchwright.workspace import Workspace
from evaluation.kinds import KINDS, chosen_config, kind_of
from evaluation.releases.release import Release, open_release
from evaluation.running.about import About, read_about
from evaluation.running.kind import Kind
from evaluation.scoring.protocol import ForeignRun, KeptRun, Scoring, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredOn:
    """What a run was scored on; ``digest`` is that of the rows of the release that it takes."""

    release: str
    commit: str | None
    digest: str
    config: str

    @classmethod
    def of(cls, release: Release, config: str, scoring: Scoring) -> "ScoredOn":
        """Return what runs of a config are scored on."""
        digest = release.digest(config, *scoring.reads)
        return cls(release=release.name, commit=release.commit, digest=digest, config=config)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRun:
    """A run and what it was of; ``run`` lies in a folder or is a file made elsewhere."""

    run: KeptRun | ForeignRun
    on: ScoredOn
    kind: Kind
    scoring: Scoring

    @property
    def folder(self) -> Path | None:
        """The folder of the run, null for one made elsewhere."""
        return self.run.folder if isinstance(self.run, KeptRun) else None

    def tally(self) -> Tally:
        """Return what the run comes to; raise UsageError for a file that its kind cannot read."""
        if isinstance(self.run, KeptRun):
            return self.scoring.tally(self.run)
        if self.scoring.tally_of_file is None:
            takers = ", ".join(kind.name for kind in KINDS if kind.scoring().tally_of_file)
            raise UsageError(
                f"{self.run.path}: runs made elsewhere are scored of {takers} alone, and"
                f" {self.on.config} is of {self.kind.name}"
            )
        return self.scoring.tally_of_file(self.run)


def open_run(
    run: str,
    workspace: Workspace,
    *,
    release: str | None = None,
    config: str | None = None,
    noun: str | None = None,
    detectors: tuple[str, ...] = (),
) -> OpenedRun:
    """Return a run: a folder runs/NAME, NAME alone, or a JSON Lines file.

    ``release`` and ``config`` are null where the run says them, ``noun`` where the release does.
    ``detectors`` are those by which it is to be scored, empty for all that it has.
    Raises UsageError where there is no such run, it has no detectors to choose among, or the
    release is another than was played; WorkspaceError where nothing was played to an end,
    CorruptShard for files that are not those of the manifest.
    """
    path = run_path(run, workspace)
    if not path.is_dir():
        opened = _of_file(path, release, config, noun)
    else:
        opened = _of_folder(path, release, config, detectors)
    if detectors and not opened.scoring.has_detectors:
        raise UsageError(
            f"--detectors {','.join(detectors)}: {path} is a run of {opened.kind.name}, whose score"
            " takes none; leave it out"
        )
    return opened


def _of_folder(
    folder: Path, named: str | None, config: str | None, detectors: tuple[str, ...]
) -> OpenedRun:
    manifest, about = store.require(folder, "run-benchmark"), read_about(folder)
    if config not in (None, about.config):
        raise UsageError(f"{folder}: was played on {about.config}, not on {config}")
    kind = kind_of(about.config)
    if kind is None:
        raise UsageError(f"{folder}: was played on {about.config}, which this version cannot score")
    scoring = kind.scoring()
    release = open_release(named) if named else _release_of(folder, about)
    on = ScoredOn.of(release, about.config, scoring)
    if on.digest != manifest.plan.inputs["release"]:
        raise UsageError(
            f"{folder}: was played on other {scoring.noun}s, labels or words than those of"
            f" {release.path}; name the release that was played by --release"
        )
    run = KeptRun(
        folder=folder, about=about, manifest=manifest, release=release, detectors=detectors
    )
    return OpenedRun(run=run, on=on, kind=kind, scoring=scoring)


def _of_file(path: Path, named: str | None, config: str | None, noun: str | None) -> OpenedRun:
    if named is None:
        raise UsageError(f"{path}: a run made elsewhere wants the --release that was played")
    release = open_release(named)
    config, kind = chosen_config(release, config)
    scoring = kind.scoring()
    run = ForeignRun(path=path, release=release, config=config, noun=noun)
    on = ScoredOn.of(release, config, scoring)
    return OpenedRun(run=run, on=on, kind=kind, scoring=scoring)


def _release_of(folder: Path, about: About) -> Release:
    """Open the release that a run was of, where the run says that it is.

    Raises UsageError where it does not say so or no release is there.
    """
    place = about.release.place
    if place is None:
        raise UsageError(
            f"{folder}: does not say where its release {about.release.name} lies; name it by"
            " --release"
        )
    if about.release.commit is not None:  # opened by its commit, and called as the run calls it
        return replace(open_release(place), name=about.release.name)
    found = folder.parent.parent / place  # from the root of the workspace
    if not found.is_dir():
        raise UsageError(
            f"{found}: the release that was played is no longer there; name it by --release"
        )
    return open_release(str(found))
