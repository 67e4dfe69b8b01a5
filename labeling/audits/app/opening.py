"""Opens an audit in the FiftyOne App: database, dataset, server, and a link to the next task."""

import html
import logging
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from benchwright.decisions.auditors import auditor_name, warn_if_spelled_otherwise
from benchwright.decisions.journal import read_journal
from benchwright.errors import BenchwrightError, UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app.database import Address, database_folder, opened, revive, served
from labeling.audits.app.environment import (
    Drafter,
    check_fiftyone,
    fiftyone_environment,
)
from labeling.audits.app.server import AppServer, check_port, reachable
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.names import DISAGREEMENTS, AuditName, ThirdLook
from labeling.audits.tasks.task import AuditSettings

if TYPE_CHECKING:
    from labeling.audits.app.filling import AuditTasks, Filled

Audit = AuditName | ThirdLook
LOOPBACK = ("127.0.0.1", "::1", "localhost")

_log = logging.getLogger(__name__)
_PULSE = 1.0  # seconds between looks at server and database
_FRAME_HEIGHT = 900  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What was opened where, for whom."""

    dataset: str
    auditor: str
    url: str
    added: int
    changed: int
    closed: int
    kept: int
    left: int  # tasks that somebody still has to judge
    has_next: bool  # whether one of them is for this auditor


class OpenAudit:
    """An audit that is open until ``close``; use it as a context, or show it in a notebook."""

    def __init__(self, what: Opening, server: AppServer, stack: ExitStack) -> None:
        self.what = what
        self.server = server
        self._stack = stack

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the next task of the auditor."""
        return self.what.url

    def close(self) -> None:
        """Stop the server, then the database unless another process uses it."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{html.escape(self.url)}" width="100%" height="{_FRAME_HEIGHT}"'
            ' style="border: 0" allow="clipboard-write"></iframe>'
        )


def open_audit(
    workspace: Workspace,
    audit: Audit,
    auditor: str,
    *,
    port: int = 5151,
    address: str = "127.0.0.1",
    settings: AuditSettings | None = None,
    drafter: Drafter | None = None,
) -> OpenAudit:
    """Open an audit for an auditor; it stays open until it is closed or this process ends.

    ``audit`` is a kind of audit, or ``disagreements``: all that two auditors differ on.
    ``drafter`` writes another draft of a false premise where the auditor asks for one. Server and
    mongod are started again when they die. On any other address than the loopback everybody who
    reaches it can judge in the auditor's name.

    Raises UsageError and WorkspaceError, each with the remedy: FiftyOne or mongod is missing, the
    port is in use, the database is locked or holds another dataset of the name, pictures are
    gone, there is nothing to judge.
    """
    name = auditor_name(auditor)
    settings = settings or AuditSettings()
    _check_options(audit, settings, drafter)
    warn_if_spelled_otherwise([name], read_journal(workspace).decisions)
    check_fiftyone()
    check_port(address, port)
    with ExitStack() as stack:
        where = stack.enter_context(served(workspace))
        database = stack.enter_context(opened(where))
        from labeling.audits.app.filling import fill_audit  # noqa: PLC0415  # of an extra

        tasks = _tasks(workspace, database, audit, settings)
        filled = fill_audit(workspace, where, database, tasks, name)
        server = AppServer(
            address,
            port,
            fiftyone_environment(
                where, workspace, name, dataset=filled.audit.name, drafter=drafter
            ),
            database_folder(workspace) / f"server-{port}.log",
        )
        stack.callback(server.stop)
        server.start()
        server.wait()
        stack.enter_context(_Watch(workspace, where, server))
        what = _opening(filled, name, server)
        return OpenAudit(what, server, stack.pop_all())


def _tasks(
    workspace: Workspace, database: Any, audit: Audit, settings: AuditSettings
) -> "AuditTasks":
    from labeling.audits.app.disagreements import third_looks  # noqa: PLC0415
    from labeling.audits.app.filling import AuditTasks  # noqa: PLC0415

    if audit == DISAGREEMENTS:
        return third_looks(workspace, database, settings.run)
    tasks = kind_of(audit).tasks(workspace, settings)
    if not tasks:
        raise WorkspaceError(f"{workspace.root}: holds nothing to judge in an audit of {audit}")
    return AuditTasks(
        name=_dataset_name(audit, settings),
        kind=audit,
        blind=settings.blind,
        tasks=tasks,
        judged_by={},
    )


def _dataset_name(audit: AuditName, settings: AuditSettings) -> str:
    name: str = audit
    if settings.run is not None:
        from labeling.audits.tasks.responses import run_name  # noqa: PLC0415  # imports pyarrow

        name = f"{audit}-{run_name(settings.run)}"
    return f"{name}-blind" if settings.blind else name


def _check_options(audit: Audit, settings: AuditSettings, drafter: Drafter | None) -> None:
    """Raise UsageError for an option that would change nothing of an audit."""
    is_third = audit == DISAGREEMENTS  # how it is judged the audits before have said
    odd = {
        "--run": settings.run is not None and audit != "responses" and not is_third,
        "--voters": drafter is not None and audit != "false-premise" and not is_third,
        "--blind": settings.blind and is_third,
        "--limit": settings.limit is not None and is_third,
    }
    for option in (name for name, is_odd in odd.items() if is_odd):
        raise UsageError(f"{option} changes nothing of an audit of {audit}; leave it away")


def _opening(filled: "Filled", auditor: str, server: AppServer) -> Opening:
    from labeling.audits.app.judging import next_task, progress  # noqa: PLC0415

    sample = next_task(filled.audit, auditor)
    done = progress(filled.audit, auditor)
    return Opening(
        dataset=filled.audit.name,
        auditor=auditor,
        url=_url(server, filled.audit.name, sample),
        added=filled.added,
        changed=filled.changed,
        closed=filled.closed,
        kept=filled.kept,
        left=done.total - done.done,
        has_next=sample is not None,
    )


def _url(server: AppServer, dataset: str, sample: str | None) -> str:
    host = reachable(server.address)
    host = f"[{host}]" if ":" in host else host
    task = f"?id={sample}&next=1" if sample else ""
    return f"http://{host}:{server.port}/datasets/{quote(dataset)}{task}"


class _Watch:
    """A thread that starts server and mongod again when they die, while a block lasts."""

    def __init__(self, workspace: Workspace, address: Address, server: AppServer) -> None:
        self._workspace = workspace
        self._address = address
        self._server = server
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        told = ""
        while not self._is_over.wait(_PULSE):
            try:
                if revive(self._workspace, self._address):
                    _log.warning("mongod died; it is started again, all decisions are there")
                self._server.mend()
                told = ""
            except BenchwrightError as error:
                if str(error) != told:
                    told = str(error)
                    _log.warning("%s", told)
            except Exception as error:  # noqa: BLE001  # a bug must not end the watch
                if repr(error) != told:
                    told = repr(error)
                    _log.exception("the watch over App server and mongod goes on after a bug")
