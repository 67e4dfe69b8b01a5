"""The command push-release build."""

import logging
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from benchwright.commands import progress_bar, say, workspace_option
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from exports.building.build import Built
    from exports.gating.report import GateReport

_MB = 1_000_000

_log = logging.getLogger(__name__)


@click.command("build")
@click.argument("name")
@click.option("--version", "version_text", required=True, help="Three numbers, such as 1.0.0.")
@click.option(
    "--title", help="What the card calls it.  [default: as in the version before, else NAME]"
)
@click.option(
    "--author",
    "authors",
    multiple=True,
    help="For the citation; may be repeated.  [default: those of the version before]",
)
@click.option(
    "--licences",
    metavar="A,B",
    help="Keep only pictures under these, such as cc-by-4.0,cc0-1.0, and samples of no others.",
)
@click.option(
    "--private-answers", is_flag=True, help="Hold answers back, with commitments to them."
)
@click.option("--keep-metadata", is_flag=True, help="Leave EXIF, GPS and the like in the pictures.")
@click.option("--clip-model", metavar="MODEL", help="The gate looks at pictures with it as well.")
@click.option("--waive", metavar="CHECK", multiple=True, help="Let a check of the gate fail.")
@click.option("--reason", "reasons", multiple=True, help="Why, one for each --waive; on the card.")
@click.option(
    "--without-run",
    "without_runs",
    metavar="NAME",
    multiple=True,
    help="Leave out what this run answered or played, such as a trial; may be repeated.",
)
@workspace_option
def build_command(
    *,
    name: str,
    version_text: str,
    workspace: Workspace,
    licences: str | None,
    waive: tuple[str, ...],
    reasons: tuple[str, ...],
    without_runs: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Make releases/NAME/VERSION of the galleries, dialogues and labels of a workspace.

    A version that stands is never changed; a run that was stopped goes on when it is run again.
    """
    from exports.building.build import build_release  # noqa: PLC0415  # imports pyarrow
    from exports.building.carried import carried  # noqa: PLC0415
    from exports.building.settings import ReleaseSettings  # noqa: PLC0415
    from exports.gating.report import read_gate  # noqa: PLC0415
    from exports.gating.waivers import waivers_of  # noqa: PLC0415
    from exports.names import Version  # noqa: PLC0415

    version = Version.of(version_text)
    given = ReleaseSettings(
        licences=_licences(licences),
        waived=waivers_of(waive, reasons),
        without_runs=_runs(without_runs, workspace),
        **chosen,
    )
    settings, taken = carried(workspace, name, version, given)
    built = build_release(workspace, name, version, settings, progress=progress_bar)
    for line in _lines(built, read_gate(built.folder), workspace, taken):
        say(line)


def _licences(text: str | None) -> tuple[str, ...]:
    """Return the licences of a list with commas; raises UsageError where it names none."""
    if text is None:
        return ()
    named = tuple(part.strip() for part in text.split(",") if part.strip())
    if not named:
        raise UsageError(
            "--licences wants names such as cc-by-4.0,cc0-1.0, got none; leave it away to keep all"
        )
    return named


def _runs(names: tuple[str, ...], workspace: Workspace) -> tuple[str, ...]:
    """Return the names of runs, sorted, and warn of one of which nothing goes out anyway.

    Raises UsageError for one that is not in the workspace.
    """
    from exports.contents.trajectories import FILES as TRAJECTORIES  # noqa: PLC0415
    from labeling.audits.tasks.responses import FILES as RESPONSES  # noqa: PLC0415

    there = {path.name for path in workspace.runs.glob("*")}
    for name in names:
        if name not in there:
            raise UsageError(f"--without-run {excerpt(name)}: {workspace.runs} has no such run")
        folder = workspace.runs / name
        if not any(path for files in (RESPONSES, TRAJECTORIES) for path in folder.rglob(files)):
            _log.warning(
                f"--without-run {excerpt(name)}: holds no responses or trajectories, and a release"
                " takes nothing else of a run"
            )
    return tuple(sorted(set(names)))


def _lines(
    built: "Built", gate: "GateReport", workspace: Workspace, taken: str | None
) -> Iterator[str]:
    from benchwright.next_step import workspace_text  # noqa: PLC0415
    from exports.building.answers import answers_path  # noqa: PLC0415
    from exports.contents.private_answers import held_back_lines  # noqa: PLC0415
    from exports.gating.waivers import unneeded  # noqa: PLC0415

    lock = built.lock
    called = f"{lock.name} {lock.version}"
    size = sum(one.size for one in lock.files.values()) / _MB
    state = "made" if built.is_new else "stands already; nothing to do"
    yield f"{called}: {state} ({len(lock.files) + 2} files, {size:,.1f} MB, in {built.folder})"
    width = max(map(len, lock.configs))
    for config, held in lock.configs.items():
        yield f"  {config:<{width}}  {held.rows:>9,} {'row' if held.rows == 1 else 'rows'}"
        yield from _by_run(built, config)
    for config, reasons in lock.left_out.items():
        said = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items())
        yield f"  left out of {config}: {said}"
    if taken is not None:
        yield f"  {taken}"
    yield from _unwritten(built, workspace)
    answers = answers_path(built.folder)
    if answers.is_file():
        yield from (f"  {line}" for line in held_back_lines(lock.configs, answers))
    outcomes = [check.outcome for check in gate.checks]
    counted = ", ".join(f"{outcomes.count(one)} {one}" for one in dict.fromkeys(outcomes))
    yield f"  gate: {counted}"
    for check in gate.failing:
        yield f"    {check.name} of {check.of} fails"
    for name in unneeded(lock.settings["waived"], gate.checks):
        yield f"    --waive {name} let nothing pass: that check does not fail, or was not made"
    of = f"{lock.name} --version {lock.version}"
    step = f"gate {of}" if gate.failing else f"push {of} --repo USER/NAME"
    yield f"prove it: push-release verify {shlex.quote(str(built.folder))}"
    yield f"next: push-release {step}{workspace_text(workspace)}"


def _by_run(built: "Built", config: str) -> Iterator[str]:
    """Yield the runs that rows of a config come from: all go out that nobody leaves out."""
    from exports.contents.by_run import OF_RUNS, rows_by  # noqa: PLC0415  # imports pyarrow

    if config in OF_RUNS:
        paths = [built.folder / path for path in built.lock.configs[config].paths]
        for (run,), count in sorted(rows_by(paths, ("run",)).items()):
            yield f"    {count:,} of the run {excerpt(run)}"


def _unwritten(built: "Built", workspace: Workspace) -> Iterator[str]:
    """Yield where a person is to write, where the card still asks for it."""
    from exports.card.own_text import is_untouched  # noqa: PLC0415
    from exports.names import CARD  # noqa: PLC0415

    if is_untouched((built.folder / CARD).read_text("utf-8")):
        later = workspace.releases / built.lock.name / CARD
        yield (
            "  the card's own text is the one it came with: write what the dataset is for and a"
            f" contact outside the markers of {built.folder / CARD} before you push, and of {later}"
            " for later versions"
        )
