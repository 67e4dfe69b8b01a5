"""The command run-benchmark score."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.commands import say, seed_option, workspace_option
from benchwright.workspace import Workspace

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from evaluation.scoring.comparing import Comparison
    from evaluation.scoring.scored import Scored


@click.command("score")
@click.argument("run")
@click.argument("other", required=False)
@click.option("--release", help="The release that was played: a folder, or USER/NAME@TAG.")
@click.option("--config", help="The config that was played, such as hidden-target-tau-0.6.")
@click.option(
    "--noun",
    help="What a picture shows, as the questions of a run made elsewhere call it; by default the"
    " category of the pictures.",
)
@click.option(
    "--detectors",
    metavar="NAME,NAME",
    default="",
    help="Score false premises by these of the run's detectors alone.  [default: all]",
)
@click.option(
    "--partial",
    is_flag=True,
    help="Score what is there although episodes are missing; the coverage is said.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the scores into this folder instead of the run's; of two runs the comparison.",
)
@seed_option
@workspace_option
def score_command(  # noqa: PLR0913, PLR0917  # one argument for each option
    run: str,
    other: str | None,
    release: str | None,
    config: str | None,
    noun: str | None,
    detectors: str,
    partial: bool,
    out: Path | None,
    seed: int,
    workspace: Workspace,
) -> None:
    """Score a run without any model, or compare it with another one.

    RUN is runs/NAME, its name in the workspace, or a JSON Lines file with a hidden-target run made
    elsewhere, which wants --release. A line names the page that explains the figures.
    """
    from evaluation.scoring.comparing import compare, comparison_files  # noqa: PLC0415
    from evaluation.scoring.scored import Wanted, check_same, scored  # noqa: PLC0415

    wanted = Wanted(
        release=release,
        config=config,
        noun=noun,
        seed=seed,
        is_partial=partial,
        detectors=tuple(name for part in detectors.split(",") if (name := part.strip())),
    )
    first = scored(run, wanted, workspace)
    if other is None:
        _show(first)
        _write(first, out, wanted.detectors)
        if out is None and first.folder is not None:
            _say_next(first.folder, workspace)
        return
    second = scored(other, wanted, workspace)
    check_same(first, second)
    found = compare(first, second, seed, is_partial=partial)
    _show_comparison(first, second, found)
    if out is None:
        _say_kept_nowhere(first.scoring.page)
    else:
        _write_into(out, comparison_files(first, second, found), first.scoring.page)


def _show_comparison(first: "Scored", second: "Scored", found: "Comparison") -> None:
    from evaluation.scoring.comparing import common_line, comparison_lines  # noqa: PLC0415
    from evaluation.scoring.conditions import condition_lines  # noqa: PLC0415

    say(f"first:  {first.title}\nsecond: {second.title}")
    say(common_line(first, second, found))
    for line in condition_lines(first, second):
        say(line)
    say("\n".join(comparison_lines(found, first.tally.compared)))


def _show(found: "Scored") -> None:
    say(found.title)
    say(found.counts)
    say("\n".join(found.tally.lines(found.figures)))


def _write(found: "Scored", out: Path | None, detectors: tuple[str, ...]) -> None:
    from benchwright import store  # noqa: PLC0415

    made, page = found.files(), found.scoring.page
    if out is not None:
        _write_into(out, made, page)
    elif found.folder is not None:
        store.add_files(found.folder, store.require(found.folder, "run-benchmark"), made)
        by = f": the run's score from now on is that by {', '.join(detectors)} alone"
        _say_written(made, found.folder, page, by if detectors else "")
    else:
        _say_kept_nowhere(page)


def _say_next(folder: Path, workspace: Workspace) -> None:
    """Say how a run that holds its score is looked at, and set beside others."""
    from benchwright.next_step import workspace_text  # noqa: PLC0415  # imports pyarrow

    is_here = folder.resolve().parent == workspace.runs.resolve()
    run = shlex.quote(folder.name if is_here else str(folder))
    command = f"run-benchmark report {run}{workspace_text(workspace)}"
    say(f"next: {command} (with names of other runs, it sets them beside each other)")


def _write_into(folder: Path, made: Mapping[str, bytes], page: str) -> None:
    from benchwright import files  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        files.write_bytes(folder / name, data)
    _say_written(made, folder, page)


def _say_written(made: Mapping[str, bytes], folder: Path, page: str, by: str = "") -> None:
    say(f"Wrote {' and '.join(made)} to {folder}{by}; {page} explains the figures")


def _say_kept_nowhere(page: str) -> None:
    say(f"Not kept (--out FOLDER would); {page} explains the figures")
