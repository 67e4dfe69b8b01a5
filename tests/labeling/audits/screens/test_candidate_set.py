"""Marking candidate sets in the real App: the picture is real, the dialogue about it is made up."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.records import Item, ProposedMarks, SceneObject
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.audits.app.database import connected
from labeling.audits.app.stored import stored_audit
from labeling.audits.tasks.task import AuditSettings
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.candidate_set.proposing.proposals import proposals_folder
from labeling.dialogues.stored import drafts_folder
from stand_ins.dialogues import spoken_about

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(300)]  # an App is opened first

COCO = Path(__file__).parents[3] / "data" / "coco"
BEACH = "000000159269.jpg"
LINES = (
    "let us sit under that umbrella.",
    "there are several. which one do you mean?",
    "a light one, on the right.",
    "the large one?",
    "no, the one behind it.",
)
UMBRELLAS = ["1", "2", "3", "4", "5"]
LEAST = 2200  # square pixels of a box that is shown


def scene() -> tuple[tuple[SceneObject, ...], int, int]:
    """Return the larger objects of the picture, its width and its height."""
    read = json.loads((COCO / "annotations" / "instances_train2017.json").read_text("utf-8"))
    names = {each["id"]: each["name"] for each in read["categories"]}
    image = next(each for each in read["images"] if each["file_name"] == BEACH)
    objects = tuple(
        SceneObject(
            object_id=str(each["id"]), category=names[each["category_id"]],
            bbox=tuple(each["bbox"]), area=each["area"], is_crowd=False,
            is_occluded=None, is_truncated=None, attributes=(), mask=None,
        )
        for each in read["annotations"]
        if each["image_id"] == image["id"]
        and not each["iscrowd"]
        and each["bbox"][2] * each["bbox"][3] >= LEAST
    )  # fmt: skip
    return objects, image["width"], image["height"]


@pytest.fixture(scope="module")
def beach(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with one dialogue of three turns."""
    workspace = Workspace(tmp_path_factory.mktemp("beach") / "workspace")
    (workspace.images / "aa").mkdir(parents=True)
    shutil.copy(COCO / "train2017" / BEACH, workspace.images / "aa" / BEACH)
    objects, width, height = scene()
    behind = sorted(each.bbox for each in objects if each.category == "umbrella")[3]
    item = spoken_about(
        "beach", LINES, candidates=(), target=behind, objects=objects, image=f"aa/{BEACH}",
        width=width, height=height,
    )  # fmt: skip
    plan = store.Plan(stage="catalog", inputs={}, settings={})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table([item], Item))
    draft_candidate_sets(workspace)
    propose_boxes(workspace, "4")
    return workspace


def propose_boxes(workspace: Workspace, *ids: str) -> None:
    """Write what a model proposed of the last turn."""
    drafts = store.require(drafts_folder(workspace, "candidate-set"), "draft").digest()
    plan = store.Plan(stage="proposals", inputs={"drafts": drafts}, settings={})
    row = ProposedMarks(
        dialogue_id="beach", turn=3, box_ids=ids, model="seer", advice=None, faults=(),
        is_failed=False,
    )  # fmt: skip
    with store.writing(proposals_folder(workspace), plan, configs={}) as out:
        out.table("proposals", to_table([row], ProposedMarks))


@pytest.fixture(scope="module")
def opened(beach: Workspace, open_app: Callable[..., Any]) -> Any:
    return open_app(beach, "candidate-set", "ana", settings=AuditSettings(overlap=0))


@pytest.fixture
def slots(
    beach: Workspace, mongo_uri: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], dict[int, Any]]:
    """Return what the database holds of ana's: verdict and boxes, by turn."""
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    monkeypatch.delenv("FIFTYONE_DATABASE_NAME", raising=False)

    def read() -> dict[int, Any]:
        with connected(beach) as database:
            samples = list(stored_audit(database, "candidate-set").samples.find())
        return {
            each["turn"]: (each["slot_1"]["verdict"], each["slot_1"]["boxes"])
            for each in samples
            if each["slot_1"] is not None
        }

    return read


def marked(page: Any) -> list[str]:
    chips = page.locator(".bw-cs-chip[aria-pressed=true]").all_inner_texts()
    return [text.split()[0] for text in chips]


def place_of(page: Any, x: float, y: float) -> tuple[float, float]:
    """Return where a point of the picture is in the window, however it is zoomed."""
    script = """([x, y]) => {
        const frame = document.querySelector('.bw-cs-stage svg > g').getScreenCTM();
        const at = new DOMPoint(x, y).matrixTransform(frame);
        return [at.x, at.y];
    }"""
    across, down = page.evaluate(script, [x, y])
    return across, down


def is_marked(page: Any, *ids: str) -> None:
    """Wait for marks; how many there are is said only until the rules answer."""
    script = """ids => ids === String(
        [...document.querySelectorAll('.bw-cs-chip[aria-pressed=true]')]
            .map(chip => chip.innerText.trim().split(/\\s/)[0])
    )"""
    page.wait_for_function(script, arg=",".join(ids))


def says(page: Any, text: str) -> None:
    page.locator(".bw-cs-says", has_text=text).wait_for()


def test_candidates_are_marked_turn_by_turn(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
    slots: Callable[[], dict[int, Any]],
) -> None:
    first = open_task(opened)
    assert marked(page) == []
    assert not page.get_by_text("seer's marks").count()  # it proposed nothing of this turn
    press("Enter", moves=False)
    page.locator(".bw-error", has_text="no box is marked").wait_for()
    for key in "23451":  # a one could begin a twelve: storing does not wait for it
        press(key, moves=False)
    second = press("Enter")
    assert slots() == {1: ("confirmed", UMBRELLAS)}

    # the last turn's marks are carried over; two are taken away, one with the pointer
    assert marked(page) == UMBRELLAS
    press("2", moves=False)
    page.mouse.click(*place_of(page, 120, 300))
    is_marked(page, "1", "3", "5")
    shot("candidate-set")
    press("Enter")
    assert slots()[2] == ("confirmed", ["1", "3", "5"])

    # a box of the first turn is added again: that is said, and can be stored
    press("2", moves=False)
    says(page, "adds 2 to the last turn's")
    # what a model proposed is there to be taken over, under its name
    page.get_by_role("button", name="seer's marks").wait_for()
    press("p", moves=False)
    is_marked(page, "4")
    for key in ("c", "3"):
        press(key, moves=False)
    press("Enter", moves=False)
    page.locator(".bw-done").wait_for()
    assert slots()[3] == ("confirmed", ["3"])

    # taken back, it is where it was
    press("z", moves=False)
    page.locator(".bw-done").wait_for(state="hidden")
    assert marked(page) == ["3"]
    assert slots()[3][0] == "withdrawn"
    press("u", moves=False)
    page.locator(".bw-done").wait_for()
    assert slots()[3][0] == "unsure"
    assert open_task(opened, second) != first
    assert marked(page) == ["1", "3", "5"]


def test_numbers_of_two_digits_zoom_and_hidden_boxes(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    press_at_once: Callable[..., str],
) -> None:
    open_task(opened)
    press("c", moves=False)
    press_at_once("12")
    assert marked(page) == ["12"]
    assert press_at_once("1", ".bw-cs-says") == "box 1…"
    page.wait_for_function("() => document.querySelectorAll('.bw-cs-on').length === 2")
    assert marked(page) == ["1", "12"]  # nothing followed the one

    # a click finds the same box when the picture is zoomed and moved; a drag is no click
    press("c", moves=False)
    across, down = place_of(page, 284, 300)
    page.mouse.move(across, down)
    page.mouse.wheel(0, -400)
    page.wait_for_function(
        "() => document.querySelector('.bw-cs-stage svg > g').getCTM().a > 1.5"
        " * document.querySelector('.bw-cs-stage svg').getCTM().a"
    )
    assert place_of(page, 284, 300) == pytest.approx((across, down), abs=2)
    page.mouse.down()
    page.mouse.move(across + 40, down + 10, steps=4)
    page.mouse.up()
    assert place_of(page, 284, 300) == pytest.approx((across + 40, down + 10), abs=2)
    assert marked(page) == []
    page.mouse.click(*place_of(page, 284, 300))
    is_marked(page, "3")

    press("b", moves=False)
    page.wait_for_function("() => !document.querySelector('.bw-cs-stage rect')")
    press("0", moves=False)
    press("b", moves=False)
    page.wait_for_function("() => document.querySelector('.bw-cs-stage rect')")
    page.mouse.click(*place_of(page, 200, 60))
    says(page, "no box there")
    assert marked(page) == ["3"]
