"""``review-labels open``: an audit in the FiftyOne App."""

import platform
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from benchwright.commands import say, seed_option, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.audits.options import task_options

if TYPE_CHECKING:
    from labeling.audits.app.opening import Audit, OpenAudit

_ENDS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@click.command("open")
@task_options
@click.option("--auditor", required=True, help="Who judges; every decision bears this name.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=5151, show_default=True, help="Of the App."
)
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    help="Where the App listens; nothing but the loopback address is safe.",
)
@click.option(
    "--voters",
    type=click.Path(path_type=Path, dir_okay=False),
    help="YAML file of models; one writes another draft of a false premise when asked to.",
)
@click.option("--only", metavar="NAME", help="Which of these models.  [default: the first]")
@seed_option
@workspace_option
def open_command(
    *,
    audit: str,
    auditor: str,
    port: int,
    address: str,
    voters: Path | None,
    only: str | None,
    run: str | None,
    workspace: Workspace,
    **drawn: Any,
) -> None:
    """Open an audit in the FiftyOne App and print the link to it.

    What an auditor decides is on the disk at once; review-labels sync brings it into the labels.
    Ctrl-C closes the App. Several auditors open the same workspace, each on a port of their own.
    """
    from benchwright.run_path import run_path  # noqa: PLC0415
    from labeling.audits.app.environment import Drafter  # noqa: PLC0415
    from labeling.audits.app.opening import LOOPBACK, open_audit  # noqa: PLC0415
    from labeling.audits.tasks.task import AuditSettings  # noqa: PLC0415  # imports pyarrow

    if only is not None and voters is None:
        raise UsageError("--only names a model of --voters FILE; give both, or leave it away")
    if address not in LOOPBACK:
        say(
            f"warning: the App has no password: whoever reaches {address} can see all pictures and"
            f" judge in the name of {auditor.strip()}; --address 127.0.0.1 keeps it here",
            err=True,
        )
    with open_audit(
        workspace,
        cast("Audit", audit),
        auditor,
        port=port,
        address=address,
        settings=AuditSettings(run=None if run is None else run_path(run, workspace), **drawn),
        drafter=None if voters is None else Drafter.chosen(voters, only),
    ) as opened:
        _tell(opened)
        _wait_for_the_end()
    say("closed; every decision is stored; next: review-labels sync")


def _tell(opened: "OpenAudit") -> None:
    what = opened.what
    counts = f"{what.added:,} tasks are new, {what.kept:,} were there"
    counts += f", {what.changed:,} were brought up to date" if what.changed else ""
    counts += f", {what.closed:,} are no longer planned" if what.closed else ""
    say(f"{what.dataset}: {counts}; {what.left:,} are to be judged")
    if not what.has_next:
        say(f"nothing is left for {what.auditor}; what was judged can be looked at")
    say(f"{what.auditor} judges at {what.url}")
    port = opened.server.port
    say(f"from another machine: ssh -L {port}:127.0.0.1:{port} {platform.node()}, then the link")
    say("Ctrl-C closes it")


def _wait_for_the_end() -> None:
    is_over = threading.Event()
    before = {number: signal.signal(number, lambda *_: is_over.set()) for number in _ENDS}
    try:
        is_over.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
