"""The screen of responses in the real App: yes, no and unsure, and nothing of who answered."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from labeling.audits.app.database import connected
from labeling.audits.app.stored import stored_audit
from labeling.audits.tasks.task import AuditSettings
from stand_ins.chains import chain, drafted_chains
from stand_ins.responses_of_a_run import response, write_run

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(300)]  # an App is opened first

CAT = Path(__file__).parents[3] / "data" / "coco" / "val2017" / "000000404484.jpg"  # a brown dog
SAID = (
    "There is no cat in this picture.\n\nWhat stands on the carpet is a brown dog: it looks at"
    " something on the floor while a person bends down behind it.",
    "Yes, the brown cat is awake, and it is about to eat.",
    "<b>I cannot tell.</b>",
)


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Three responses about one picture, in a run beside the workspace."""
    workspace = Workspace(tmp_path_factory.mktemp("answered") / "workspace")
    drafted_chains(workspace, chain())
    (workspace.images / "aa").mkdir(parents=True)
    shutil.copy(CAT, workspace.images / "aa" / "d0.png")
    rows = [
        response(number, response=said, question="Is the brown cat awake or asleep?")
        for number, said in enumerate(SAID)
    ]
    write_run(workspace.root / "run", rows)
    return workspace


@pytest.fixture(scope="module")
def opened(answered: Workspace, open_app: Callable[..., Any]) -> Any:
    settings = AuditSettings(run=answered.root / "run", overlap=0.0)
    return open_app(answered, "responses", "ana", settings=settings)


@pytest.fixture
def slots(
    answered: Workspace, opened: Any, mongo_uri: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], dict[str, Any]]:
    """Return verdict and value of ana's in the database, by sample."""
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    monkeypatch.delenv("FIFTYONE_DATABASE_NAME", raising=False)

    def read() -> dict[str, Any]:
        with connected(answered) as database:
            samples = list(stored_audit(database, opened.what.dataset).samples.find())
        assert "secret" not in str(samples)  # neither model nor detector is where the App looks
        return {
            str(each["_id"]): (each["slot_1"]["verdict"], each["slot_1"]["value"])
            for each in samples
            if each["slot_1"] is not None
        }

    return read


def test_responses_are_judged_with_three_keys(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
    slots: Callable[[], dict[str, Any]],
) -> None:
    assert re.fullmatch(r"responses-run-[0-9a-f]{8}", opened.what.dataset)
    sample, expected = open_task(opened), {}
    for last in (False, False, True):
        assert page.locator(".bw-rs-false").inner_text() == "the brown cat"
        said = page.locator(".bw-rs-response").inner_text()
        assert said in SAID  # markup too is text
        key, stored = {
            SAID[0]: ("y", ("confirmed", "yes")),
            SAID[1]: ("n", ("confirmed", "no")),
            SAID[2]: ("u", ("unsure", None)),
        }[said]
        if key == "y":
            shot("responses")
        expected[sample] = stored
        sample = press(key, moves=not last)
    page.locator(".bw-done").wait_for()
    assert slots() == expected
    assert len(expected) == 3

    # what was said is seen, and can be taken back
    first = next(iter(expected))
    open_task(opened, first)
    assert page.locator(".bw-chosen").count() == 1
    press("z")
    assert sorted(verdict for verdict, _ in slots().values()).count("withdrawn") == 1
