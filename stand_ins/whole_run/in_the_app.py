"""Labels judged in the FiftyOne App: a real server, database and browser, and keys pressed."""

import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from benchwright.workspace import Workspace
from labeling.audits.app.database import connected
from labeling.audits.app.stored import TASKS, stored_audit
from stand_ins.whole_run.steps import StepFailed, Steps, told

if TYPE_CHECKING:
    from playwright.sync_api import Page

AUDIT = "attributes"
# no name but that of this machine leads anywhere
_ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
_PATIENCE = 120_000  # milliseconds for anything that the App shows
_READY = ".bw-panel[data-ready]"
_IS_READY = """
    sample => {
        const ready = document.querySelector('.bw-panel')?.dataset.ready;
        return ready && ready === new URL(location.href).searchParams.get('id')
            && ready !== sample;
    }
"""

IsTrue = Callable[[str, str], bool]  # of a picture and the field of a label


def has_app() -> bool:
    """Tell whether labels can be judged in the App here."""
    packages = all(find_spec(name) for name in ("fiftyone", "pymongo", "playwright"))
    return packages and shutil.which("chromium") is not None


def judge_in_the_app(steps: Steps, workspace: Workspace, auditor: str, is_true: IsTrue) -> int:
    """Judge all labels that an auditor is to judge; return how many that were."""
    with _open(steps, workspace, auditor) as (link, left):
        if not left or link is None:
            return 0
        with connected(workspace) as database, _page() as page:
            audit = stored_audit(database, AUDIT)
            page.goto(link)
            here: str | None = None
            for _ in range(left):
                page.wait_for_function(_IS_READY, arg=here)
                here = page.locator(_READY).get_attribute("data-ready")
                sample = audit.samples.find_one({"_id": _object_id(here)})
                assert sample is not None
                task = database[TASKS].find_one({"_id": f"{AUDIT}/{sample['task_id']}"})
                assert task is not None
                page.keyboard.press("y" if is_true(task["image_id"], task["field"]) else "n")
            last = here  # after which no other comes
            _wait_for(lambda: _is_judged(audit.samples, last, auditor), page)
    return left


@contextmanager
def _open(steps: Steps, workspace: Workspace, auditor: str) -> Iterator[tuple[str | None, int]]:
    """Have the command open while the block lasts; yield its link and how many are left."""
    arguments = ("--audit", AUDIT, "--auditor", auditor, "--port", str(_port()))
    where = ("--workspace", str(workspace.root))
    with steps.started("review-labels", "open", *arguments, *where) as process:
        try:
            yield _said(process)
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=120)
            told(rest.rstrip())


def _said(process: "subprocess.Popen[str]") -> tuple[str | None, int]:
    """Read what the command prints until it can be used."""
    assert process.stdout is not None
    link, left = None, 0
    for line in process.stdout:
        told(line.rstrip())
        if " are to be judged" in line:
            left = int(line.rpartition("; ")[2].partition(" ")[0].replace(",", ""))
        if " judges at " in line:
            link = line.rpartition(" ")[2].strip()
        if line.startswith("Ctrl-C"):
            return link, left
    raise StepFailed("review-labels open ended")


@contextmanager
def _page() -> "Iterator[Page]":
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # of an extra

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(_PATIENCE)
        yield page
        browser.close()


def _is_judged(samples: Any, sample_id: str | None, auditor: str) -> bool:
    found = samples.find_one({"_id": _object_id(sample_id)}) or {}
    slots = (found.get(name) or {} for name in ("slot_1", "slot_2"))
    return any(slot.get("auditor") == auditor for slot in slots)


def _wait_for(is_so: Callable[[], bool], page: "Page") -> None:
    for _ in range(_PATIENCE // 100):
        if is_so():
            return
        page.wait_for_timeout(100)
    raise StepFailed("the last judgement was not stored")


def _object_id(text: str | None) -> Any:
    from bson import ObjectId  # noqa: PLC0415  # of an extra

    return ObjectId(text)


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
