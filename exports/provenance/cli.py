"""The commands push-release takedown and push-release erratum."""

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace

_NAMED = 6  # pictures in a line
_FOUND_IN_HELP = "The version in which it was found.  [default: the latest that stands]"


@click.command("takedown")
@click.argument("name")
@click.argument("image_id")
@click.option("--reason", required=True, help="Why; it stays in the workspace.")
@workspace_option
def takedown_command(name: str, image_id: str, reason: str, workspace: Workspace) -> None:
    """Leave a picture, and every sample that shows it, out of all versions made from now on."""
    from exports.provenance.takedowns import take_down  # noqa: PLC0415  # imports pyarrow

    done = take_down(workspace, name, image_id, reason)
    if done is None:
        say(f"{image_id} was taken down of {name} before; nothing to do")
        return
    say(f"{image_id} is taken down of {name}, with all pictures of the same bytes")
    if done.alike:
        some = ", ".join(done.alike[:_NAMED])
        more = f" and {len(done.alike) - _NAMED:,} more" if len(done.alike) > _NAMED else ""
        say(f"  of its group are also {some}{more}: take down those that show the same")
    if done.versions:
        verb = "holds" if len(done.versions) == 1 else "hold"
        say(f"  {', '.join(map(str, done.versions))} {verb} it still: a version never changes;")
        say("  remove it from the Hub where the picture must not stay public")
    for other, versions in done.elsewhere.items():
        say(f"  also in {other} {', '.join(map(str, versions))}: take it down there too")
    _say_next(name, workspace)


@click.command("erratum")
@click.argument("name")
@click.option("--config", required=True, help="The config with the fault, such as false-premise.")
@click.option("--id", "sample_id", required=True, help="The sample, or the picture.")
@click.option("--reason", required=True, help="What is wrong; it is published.")
@click.option("--withdraw", is_flag=True, help="Leave the sample out of later versions.")
@click.option("--found-in", metavar="VERSION", help=_FOUND_IN_HELP)
@workspace_option
def erratum_command(
    name: str,
    config: str,
    sample_id: str,
    reason: str,
    withdraw: bool,
    found_in: str | None,
    workspace: Workspace,
) -> None:
    """Note a fault of a released sample; with --withdraw the next version has it no more.

    Labels and dialogues are corrected by a decision in review-labels, never here.
    """
    from exports.names import Version  # noqa: PLC0415  # imports pyarrow
    from exports.provenance.errata import note_erratum  # noqa: PLC0415

    entry, is_new = note_erratum(
        workspace,
        name,
        config=config,
        sample_id=sample_id,
        reason=reason,
        withdrawn=withdraw,
        found_in=None if found_in is None else Version.of(found_in),
    )
    if not is_new:
        say(f"this fault of {sample_id} was declared before; nothing to do")
        return
    done = "no later version has it" if withdraw else "later versions say so"
    say(f"{config} {sample_id}: a fault of {entry.found_in}; {done}")
    _say_next(name, workspace)


def _say_next(name: str, workspace: Workspace) -> None:
    """Name the next build: what is only left out, and said, asks for a patch."""
    from benchwright.next_step import workspace_text  # noqa: PLC0415
    from exports.differing.bump import next_version  # noqa: PLC0415
    from exports.names import Version, versions_of  # noqa: PLC0415

    latest = max(versions_of(workspace, name), default=None)
    version = Version(1, 0, 0) if latest is None else next_version(latest, "patch")
    say(f"next: push-release build {name} --version {version}{workspace_text(workspace)}")
