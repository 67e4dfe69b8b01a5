"""Labels are judged in the browser, with keys alone, and the database holds what was pressed."""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from typing import Any

import pytest

from benchwright.workspace import Workspace

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO SCREEN WAS ANSWERED")

from bson import ObjectId
from pymongo import MongoClient

from labeling.audits.app.database import workspace_digest
from labeling.audits.app.stored import stored_audit

LABELS = 80
ENSEMBLE = """
views: {low: {long_side: 336}, high: {long_side: 1344}}
templates: 3
voters:
  - {name: large, kind: scripted, labels: TRUTH, accuracy: 0.92, seed: 1}
  - {name: medium, kind: scripted, labels: TRUTH, accuracy: 0.85, seed: 2}
  - {name: small, kind: scripted, labels: TRUTH, accuracy: 0.75, seed: 3}
"""


@pytest.fixture(scope="module")
def voted(tmp_path_factory: pytest.TempPathFactory, run: Any) -> Workspace:
    """A workspace of drawn dresses that three scripted voters labelled, and a plan of 80 labels."""
    root = tmp_path_factory.mktemp("voted") / "workspace"
    truth, ensemble = root.parent / "truth.parquet", root.parent / "ensemble.yaml"
    ensemble.write_text(ENSEMBLE.replace("TRUTH", json.dumps(str(truth))))

    def done(*arguments: Any) -> None:
        ran = run(*map(str, arguments), "--workspace", root)
        assert ran.code == 0, ran.err

    done("build-catalog", "sample", "--n", 60, "--workers", 1)
    done("label-attributes", "normalise")
    shutil.copy(root / "labels" / "labels.parquet", truth)
    done("label-attributes", "run", "--ensemble", ensemble)
    done("review-labels", "plan", "--pilot", LABELS)
    return Workspace(root)


class Audit:
    """An audit that is open, and what its database holds."""

    def __init__(self, opened: Any, samples: Any) -> None:
        self.opened = opened
        self.samples = samples

    def slot(self, sample_id: str) -> Mapping[str, Any]:
        """Return the first slot of a sample."""
        found = self.samples.find_one({"_id": ObjectId(sample_id)})
        assert found is not None
        return found["slot_1"] or {}

    def fresh(self) -> str:
        """Return a sample of a type with other values that nobody judged or looks at."""
        wanted = {"slot_1": None, "claim": None, "task": {"$regex": '"key": "'}}
        found = self.samples.find_one(wanted, sort=[("rank", 1)])
        assert found is not None
        return str(found["_id"])

    def standing(self) -> int:
        """Return how many decisions stand."""
        said = ["confirmed", "corrected", "rejected", "unsure"]
        return int(self.samples.count_documents({"slot_1.verdict": {"$in": said}}))


@pytest.fixture(scope="module")
def audit(open_app: Callable[..., Any], voted: Workspace, mongo_uri: str) -> Iterator[Audit]:
    """The audit of those labels, open for ana."""
    opened = open_app(voted, "attributes", "ana")
    with MongoClient(mongo_uri) as client:
        database = client[f"benchwright-{workspace_digest(voted)[:12]}"]
        yield Audit(opened, stored_audit(database, "attributes").samples)


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_fifty_labels_with_keys(
    audit: Audit,
    page: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
) -> None:
    here = open_task(audit.opened)
    shot("attributes")
    keys = {"y": ("confirmed", "yes"), "n": ("confirmed", "no"), "u": ("unsure", None)}
    pressed = {}
    for _, key in zip(range(50), cycle("yynyuny"), strict=False):
        pressed[here] = keys[key]
        here = press(key)
    assert len(pressed) == 50  # nothing was offered twice
    held = {each: (audit.slot(each)["verdict"], audit.slot(each)["value"]) for each in pressed}
    assert held == pressed
    assert audit.standing() == 50
    assert {audit.slot(each)["auditor"] for each in pressed} == {"ana"}
    assert all(audit.slot(each)["seconds"] < 60 for each in pressed)
    assert "50 by you" in page.locator(".bw-header").inner_text()


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_the_link_goes_on_where_it_was_left(
    audit: Audit, page: Any, open_task: Callable[..., str], press: Callable[..., str]
) -> None:
    # after a reload, or when the App server came back, no key may meet a task that was judged
    first = open_task(audit.opened)
    assert audit.slot(first).get("verdict") in (None, "withdrawn")
    press("y")
    again = open_task(audit.opened)
    assert again != first
    assert audit.slot(again).get("verdict") in (None, "withdrawn")


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_second_thoughts(
    audit: Audit,
    page: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    press_at_once: Callable[..., str],
) -> None:
    first = open_task(audit.opened, audit.fresh())
    key, value = _alternative(page)
    second = press(key)
    assert audit.slot(first)["value"] == "no"
    assert json.loads(audit.slot(first)["text"]) == {"value": value}

    assert press(",") == first
    assert f"You said: no, {value}" in page.locator(".bw-panel").inner_text()
    assert press(".") == second
    assert press("z") == first  # it is taken back, and is here again
    assert audit.slot(first)["verdict"] == "withdrawn"

    press("/", moves=False)  # what is typed into the note judges nothing
    page.keyboard.type("sunny, no?")
    page.keyboard.press("Escape")  # leaves the note, not the picture
    assert audit.slot(first)["verdict"] == "withdrawn"
    assert press("y") == second
    held = audit.slot(first)
    assert (held["verdict"], held["value"], held["note"]) == ("confirmed", "yes", "sunny, no?")
    assert json.loads(held["text"]) == {"no_longer": [value]}

    assert press(",") == first
    assert "You said: yes" in page.locator(".bw-panel").inner_text()
    assert press(".") == second

    standing = audit.standing()
    press_at_once("yn")  # the second before anything else can be on the screen
    page.locator(f".bw-panel:not([data-ready='{second}'])").wait_for()
    assert (audit.slot(second)["value"], audit.standing()) == ("yes", standing + 1)


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_undo_waits_for_what_is_being_stored(
    audit: Audit, page: Any, open_task: Callable[..., str], press: Callable[..., str]
) -> None:
    """A click while a judgement is on its way would take back the one before it."""
    before = open_task(audit.opened, audit.fresh())
    here = press("y")
    standing = audit.standing()
    undo = page.locator(".bw-frame-row .bw-button").first
    page.route("**/operators/execute", lambda route: (time.sleep(1), route.continue_()))
    page.evaluate(
        """key => {
            window.dispatchEvent(new KeyboardEvent("keydown", { key }));
            document.querySelector(".bw-frame-row .bw-button").click();
        }""",
        "y",
    )
    page.locator(f".bw-panel:not([data-ready='{here}'])").wait_for()
    page.unroute("**/operators/execute")
    assert undo.inner_text().startswith("undo")
    assert (audit.slot(before)["verdict"], audit.slot(here)["verdict"]) == ("confirmed",) * 2
    assert audit.standing() == standing + 1


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_a_key_held_down_judges_once(
    audit: Audit, page: Any, open_task: Callable[..., str]
) -> None:
    here = open_task(audit.opened, audit.fresh())
    standing = audit.standing()
    page.keyboard.down("y")
    for _ in range(5):
        page.keyboard.down("y")  # held down: the key repeats
    page.keyboard.up("y")
    page.locator(f".bw-panel:not([data-ready='{here}'])").wait_for()
    page.wait_for_timeout(500)
    assert audit.standing() == standing + 1


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_the_picture_is_zoomed_by_keys(
    audit: Audit, page: Any, open_task: Callable[..., str]
) -> None:
    open_task(audit.opened, audit.fresh())
    page.wait_for_timeout(1000)  # the App fades pictures in
    picture = page.locator("#modal canvas").first
    whole = picture.screenshot()
    for _ in range(20):
        page.keyboard.press("+")
        page.wait_for_timeout(500)
        if picture.screenshot() != whole:
            break
    else:
        pytest.fail("the picture stays as it was")
    # nor does the App show all that a sample holds, with what another auditor said
    picture.hover()
    page.keyboard.press("j")
    page.wait_for_timeout(500)
    assert "slot_1" not in page.content()
    assert not page.get_by_title("JSON (j)").is_visible()


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_what_is_refused_is_said_and_nothing_moves(
    audit: Audit, page: Any, open_task: Callable[..., str], press: Callable[..., str]
) -> None:
    here = open_task(audit.opened, audit.fresh())
    others = {
        name: {"auditor": auditor, "verdict": "confirmed", "value": "yes"}
        for name, auditor in (("slot_1", "bo"), ("slot_2", "<b>cy</b>"))
    }
    audit.samples.update_one({"_id": ObjectId(here)}, {"$set": others})
    assert press("n", moves=False) == here
    said = page.locator(".bw-error")
    said.wait_for()
    assert "bo and <b>cy</b> judged this already" in said.inner_text()  # as text, not as HTML
    assert press("?", moves=False) == here
    assert "zoom" in page.locator(".bw-help").inner_text()


def _alternative(page: Any) -> tuple[str, str]:
    """Return the key and the name of the first other value that the screen offers."""
    button = page.locator(".bw-alternatives .bw-button").first
    value, key = button.inner_text().split("\n")
    return key, value
