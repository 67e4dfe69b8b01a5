"""What run-benchmark does with a config of hidden-target episodes."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchwright.asking.pieces import How
from benchwright.asking.session import Spending
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from evaluation.hidden_target.running.cast import Cast, name_of
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.running.report import (
    difference_lines,
    estimated_lines,
    material_lines,
    ran_lines,
)
from evaluation.hidden_target.running.running import HowPlayed, hidden_target_run
from evaluation.running.naming import run_name
from evaluation.running.run import estimate_run, play_run, standing_run

_PICTURES = ".pictures"  # in the folder of the runs: no run can be called so

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be run: by whom, with what, how, and under which name, null for one made up."""

    material: Material
    cast: Cast
    how: HowPlayed
    name: str | None = None

    def called(self) -> str:
        """Return the name of the run."""
        if self.name is not None:
            return self.name
        drawn = f"{len(self.material.galleries)}-episodes"
        return run_name(
            name_of(self.cast.player),
            self.material.config,
            self.material.release.name,
            "" if self.material.is_all else drawn,
            f"sample-{self.how.sample}" if self.how.sample else "",
        )


def run_episodes(
    workspace: Workspace,
    wanted: Wanted,
    spending: Spending,
    how: How,
    *,
    force: bool = False,
    say: Say,
    progress: Progress = no_progress,
) -> bool:
    """Say what a run takes, play it, say what became of it; return whether all was played.

    Raises what ends it early once what was played is written, and what ``play_run`` raises.
    """
    material, cast, name = wanted.material, wanted.cast, wanted.called()
    pictures = workspace.runs / _PICTURES
    one = hidden_target_run(workspace, name, material, cast, wanted.how, pictures)
    if force or spending.again or standing_run(workspace, name, one.plan) is None:
        for line in material_lines(material, cast):
            say(line)
        for line in estimated_lines(estimate_run(workspace, one, spending, how)):
            say(line)
        for line in difference_lines(material):
            say(line)
    ran = play_run(workspace, one, spending, how, force=force, progress=progress)
    for line in ran_lines(ran, material, cast, workspace):
        say(line)
    if ran.fault is not None:
        raise ran.fault
    return ran.is_whole


def say_estimates(
    workspace: Workspace, wanted: Wanted, spending: Spending, how: How, *, say: Say
) -> None:
    """Say what a run would take and what it can show, without asking anybody."""
    material, cast, name = wanted.material, wanted.cast, wanted.called()
    with _pictures_to_measure(workspace) as pictures:
        one = hidden_target_run(workspace, name, material, cast, wanted.how, pictures)
        estimates = estimate_run(workspace, one, spending, how)
    for line in (
        *material_lines(material, cast),
        *estimated_lines(estimates),
        *difference_lines(material),
    ):
        say(line)


@contextmanager
def _pictures_to_measure(workspace: Workspace) -> Iterator[Path]:
    """Yield where pictures lie, or a folder that goes: an estimate leaves nothing behind."""
    kept = workspace.runs / _PICTURES
    if kept.is_dir():
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="benchwright-") as folder:
        yield Path(folder)
