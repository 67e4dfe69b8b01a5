"""The command run-benchmark human."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.asking.options import Paying
from benchwright.commands import force_option, say, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from evaluation.kinds import RunCommand, chosen_config, given_to, options_of_kinds
from evaluation.running.cli import run_options
from evaluation.running.kind import RunOptions, Wish

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from benchwright.asking.voters import Voter

_TOOLS = {"question-chain": "options", "candidate-set": "boxes", "hidden-target": "guess"}
_DRAWN = "thousandths"  # in which the page writes boxes
_FAREWELL = 5.0  # seconds
_WEEK = 7 * 24 * 3600.0  # seconds: a person may go home between two answers


@click.command("human", cls=RunCommand, params=options_of_kinds())
@click.argument("release")
@click.option("--config", help="What is played of it.  [default: the only one that can be]")
@click.option(
    "--person", required=True, metavar="NAME", help="Who answers, as runs and scores name it."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=5252,
    show_default=True,
    help="Where the page is served, on this machine alone; 0 takes any free one.",
)
@click.option(
    "--voters",
    "voters_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="YAML file that names the models which judge or answer the person, such as --detectors.",
)
@run_options
@force_option
@workspace_option
@click.pass_context
def human_command(
    ctx: click.Context,
    /,
    *,
    release: str,
    config: str | None,
    person: str,
    port: int,
    voters_path: Path | None,
    options: RunOptions,
    force: bool,
    workspace: Workspace,
    **of_kinds: Any,
) -> int:
    """Have a person play what RELEASE holds, in the browser, under the rules of the models.

    The page shows what a model would be sent, one request at a time, and takes what it would have
    answered. Every answer is kept at once: stopped with Ctrl-C, the same command goes on. The run
    is scored like any other, for a human line beside the models.
    """
    from evaluation.human.serving import open_office  # noqa: PLC0415
    from evaluation.releases.release import open_release  # noqa: PLC0415
    from evaluation.running.naming import Named  # noqa: PLC0415

    opened = open_release(release)
    config, kind = chosen_config(opened, config)
    own = given_to(kind, config, ctx, of_kinds)
    _check_for_people(own)
    with open_office(port, _TOOLS.get(kind.name, ""), f"{opened.name}, {config}") as office:
        wish = Wish(
            release=opened,
            config=config,
            named=Named(person=_voter(person, office.base_url), path=voters_path),
            options=options,
            paying=Paying(estimate=False, batch=False, max_calls=None, max_cost=None, again=()),
            is_probing=False,
            is_forced=force,
            workspace=workspace,
        )
        say(f"{person} answers at {office.page} (over SSH: ssh -L {_there(office.page)} HOST)")
        is_whole = ctx.invoke(kind.command, wish=wish, **own)
        office.desk.close(_FAREWELL)
    return 0 if is_whole else 1


def _check_for_people(own: Mapping[str, Any]) -> None:
    """Raise UsageError for options of a kind that are for those who are no people."""
    if (player := own.get("player")) is not None:
        raise UsageError(f"--player {player}: a person plays here; leave it away")
    _check_modes(own)
    if (box_format := own.get("box_format", _DRAWN)) != _DRAWN:
        raise UsageError(
            f"--box-format {box_format}: is for models; a person draws boxes, which the page writes"
            f" in {_DRAWN}"
        )


def _check_modes(own: Mapping[str, Any]) -> None:
    if "modes" not in own:
        return
    from evaluation.question_chain.settings import named_modes  # noqa: PLC0415  # imports pydantic

    modes = named_modes(own["modes"])
    if "planning" in modes and not {"following", "final"}.isdisjoint(modes):
        raise UsageError(
            f"--modes {','.join(modes)}: whoever planned a chain has read its answers, and whoever"
            " followed it its questions; name alone,planning or alone,following,final, and leave"
            " the others to another person"
        )


def _there(page: str) -> str:
    port = page.rstrip("/").rpartition(":")[2]
    return f"{port}:localhost:{port}"


def _voter(person: str, base_url: str) -> "Voter":
    """Return a person as a voter; raises UsageError for a name that is none."""
    from benchwright.asking.voters import Voter  # noqa: PLC0415
    from benchwright.yaml_files import as_settings  # noqa: PLC0415

    said = {
        "name": person,
        "model": f"human:{person}",
        "base_url": base_url,
        "concurrency": 1,
        "timeout": _WEEK,
        "pictures": {"max_side": 2048},
    }
    return as_settings(said, Voter, Path(f"--person {person}"))
