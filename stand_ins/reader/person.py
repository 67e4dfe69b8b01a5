"""A person at the screens that commands open: judges all there is to judge, answers all questions.

Nothing is looked at: what the machine holds is let stand, and every question gets one answer.
"""

import csv
import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from benchwright.decisions.journal import append_decisions
from benchwright.workspace import Workspace
from labeling.audits.app.opening import open_audit
from labeling.audits.differing import differing
from labeling.audits.sheets.answers import slot_of
from labeling.audits.sheets.asking import box_ids, form_of
from labeling.audits.sheets.keys import key_of
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.names import DISAGREEMENTS, AuditName, ThirdLook
from labeling.audits.tasks.task import AuditSettings, Task
from labeling.audits.third_look import tasks_about

_AT = "2026-03-01T12:00:00+00:00"
_LOOK = 0.02  # seconds between looks at a page


def judge_all(workspace: Workspace, audit: AuditName, auditor: str, settings: AuditSettings) -> int:
    """Let stand what an audit asks of an auditor, and return how many tasks that were."""
    made = kind_of(audit).tasks(workspace, settings)
    return _judge([one for one in made if auditor not in one.barred], workspace, auditor)


def differ(workspace: Workspace, auditor: str) -> None:
    """Have an auditor say no to every label that a plan drew."""
    tasks = kind_of("attributes").tasks(workspace, AuditSettings())
    _judge(tasks, workspace, auditor, verdict="no")


def judge_what_differs(workspace: Workspace, auditor: str) -> int:
    """Let stand what other auditors differ on, and return how many tasks that were."""
    return _judge(
        tasks_about(workspace, set(differing(workspace).undecided), None), workspace, auditor
    )


def _judge(
    tasks: Iterable[Task], workspace: Workspace, auditor: str, verdict: str | None = None
) -> int:
    many = 0
    for task in tasks:
        key = key_of(task)
        cells = _cells(task) if verdict is None else {**_cells(task), "verdict": verdict}
        slot = slot_of(key, cells, auditor, _AT, 1.0)
        append_decisions(workspace, list(kind_of(task.kind).decisions(key.task, slot)))
        many += 1
    return many


def _cells(task: Task) -> dict[str, str]:
    proposed = task.shown.get("proposed") or box_ids(task.shown)[:1]
    is_answer = form_of(task.kind) == "answer"
    return {
        "verdict": (task.before or "yes") if is_answer else "confirmed",
        "value": "",
        "failed": "",
        "boxes": ", ".join(proposed),
        "note": "",
    }


@contextmanager
def audit_without_app(
    workspace: Workspace, audit: AuditName | ThirdLook, auditor: str, **options: Any
) -> Iterator[Any]:
    """Stand in for ``open_audit``: the auditor judges everything, and no App is started.

    Raises as ``open_audit`` where there is nothing to judge.
    """
    if audit == DISAGREEMENTS:
        many = judge_what_differs(workspace, auditor)
    else:
        many = judge_all(workspace, audit, auditor, options["settings"])
    assert many, f"{audit} holds nothing to judge"
    counts = {"added": many, "changed": 0, "closed": 0, "kept": 0, "left": 0}
    server = SimpleNamespace(port=options["port"])
    url = f"http://{options['address']}:{server.port}/"
    what = SimpleNamespace(dataset=audit, auditor=auditor, url=url, has_next=False, **counts)
    yield SimpleNamespace(what=what, server=server)


@contextmanager
def audit_in_app(*what: Any, **options: Any) -> Iterator[Any]:
    """Open an audit in the App as ``open_audit`` does, and ask for its page as a browser does."""
    with open_audit(*what, **options) as opened:
        with urlopen(opened.url) as page:
            assert b"FiftyOne" in page.read()
        yield opened


def fill_sheet(path: Path, verdict: str, marks: Mapping[str, Sequence[str]]) -> None:
    """Write a verdict into each row of a sheet, and ``marks``, by the task's id, as its boxes."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row["verdict"] = verdict
        row["boxes"] = ", ".join(marks.get(row["task_id"], ()))
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


class Answering:
    """Answers what the page of ``run-benchmark human`` asks, until the run is over."""

    def __init__(self, page: str, answers: Sequence[str] = ("A",)) -> None:
        self._page, self._answers = page.rstrip("/"), answers
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._answer_all, daemon=True)

    def __enter__(self) -> "Answering":
        """Begin to look at the page."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()

    def _answer_all(self) -> None:
        at = 0
        while not self._over.is_set():
            time.sleep(_LOOK)
            try:
                with urlopen(f"{self._page}/current") as response:
                    current = json.load(response)
                if current["sheet"] is not None:
                    self._post(current["sheet"]["number"], self._answers[at % len(self._answers)])
                    at += 1
            except (URLError, ConnectionError):
                continue  # not open yet, or closed

    def _post(self, number: int, text: str) -> None:
        body = json.dumps({"number": number, "text": text}).encode()
        asked = Request(f"{self._page}/answer", data=body)
        asked.add_header("Content-Type", "application/json")
        with urlopen(asked):
            pass
