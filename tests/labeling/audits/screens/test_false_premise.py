"""A dialogue with a false premise is judged and mended in the browser."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from labeling.audits.tasks.task import AuditSettings
from stand_ins.false_premises import false_premise, store_false_premises, written

COCO = Path(__file__).parents[3] / "data" / "coco"
SEED = 0
LONG = written(  # as long as they come: all must still be seen at once
    "the brown dog with the curled tail on the worn blue carpet",
    "the black dog with the curled tail on the worn blue carpet",
    [
        f"{start} the brown dog with the curled tail on the worn blue carpet {end}?"
        for start, end in (
            ("What do you think that", "is looking for between the table and the wall"),
            ("Would you say from its posture that", "feels at home in this living room"),
        )
        * 5
    ],
    dialogue_id="fp-long",
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, run: Any, open_app: Any) -> Any:
    root = tmp_path_factory.mktemp("premises") / "workspace"
    annotations = sorted((COCO / "annotations").glob("*.json"))
    ran = run("build-catalog", "coco", *annotations, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    workspace = Workspace(root)
    drafts = [false_premise(name) for name in ("dog", "woman", "boat", "donut")]
    store_false_premises(workspace, [*drafts, LONG])
    return open_app(workspace, "false-premise", "ana", settings=AuditSettings(seed=SEED))


@pytest.fixture
def samples(mongo_uri: str, opened: Any) -> Iterator[Mapping[str, Any]]:
    """Look up the sample of a dialogue in the database."""
    from pymongo import MongoClient  # noqa: PLC0415  # of an extra

    class Samples(dict[str, Any]):
        def __missing__(self, dialogue_id: str) -> Any:
            for name in client.list_database_names():
                for each in client[name].datasets.find({"name": opened.what.dataset}):
                    found = client[name][each["sample_collection_name"]].find_one(
                        {"task_id": dialogue_id}
                    )
                    if found is not None:
                        return found
            raise KeyError(dialogue_id)

    with MongoClient(mongo_uri) as client:
        yield Samples()


@pytest.fixture
def go(opened: Any, samples: Any, open_task: Callable[..., str]) -> Callable[[str], str]:
    return lambda dialogue_id: open_task(opened, str(samples[dialogue_id]["_id"]))


def tick_all(page: Any, but: str = "") -> None:
    for key in "1234":
        if key not in but:
            page.keyboard.press(key)


def edit(page: Any, text: str) -> None:
    """Write another false description, and wait until the rules have looked."""
    page.keyboard.press("e")
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".bw-fp-checks[data-checking=false]")


def approve_button(page: Any) -> Any:
    return page.get_by_role("button", name=re.compile("^Approve"))


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_a_dialogue_is_mended_and_approved(
    go: Any, page: Any, press: Any, samples: Any, shot: Callable[[str], None]
) -> None:
    go("fp-woman")
    shot("false-premise")
    questions = page.locator(".bw-fp-turn")
    assert questions.count() == 10
    assert page.locator(".bw-fp-turns mark").all_inner_texts() == ["man"] * 7
    assert "what she is doing" in questions.nth(1).inner_text()
    assert "on his hands" in questions.nth(3).inner_text()

    edit(page, "the girl in the white hat")
    said = page.locator(".bw-fp-checks").inner_text()
    assert "another kind: woman and girl differ in age" in said
    assert approve_button(page).is_disabled()
    tick_all(page)
    press("a", moves=False)
    page.wait_for_timeout(300)
    assert samples["fp-woman"]["slot_1"] is None
    shot("false-premise-refused")

    edit(page, "the waiter in the white hat")
    assert "on his hands" in questions.nth(3).inner_text()
    assert page.locator(".bw-fp-turns mark").all_inner_texts() == ["waiter"] * 7
    assert approve_button(page).is_enabled()
    press("a")
    slot = samples["fp-woman"]["slot_1"]
    assert slot["auditor"] == "ana"
    assert slot["verdict"] == "corrected"
    assert json.loads(slot["text"]) == {"false_description": "the waiter in the white hat"}
    go("fp-woman")
    page.locator(".bw-fp-said mark", has_text="waiter").wait_for()  # it shows what ana wrote
    assert page.locator("[data-state=holds]").count() == 4


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_nothing_is_approved_before_the_checklist_is_ticked(
    go: Any, page: Any, press: Any, samples: Any
) -> None:
    go("fp-dog")
    tick_all(page, but="3")
    press("a", moves=False)
    page.wait_for_selector(".bw-error")
    assert "not ticked: naturalness" in page.locator(".bw-error").inner_text()
    assert samples["fp-dog"]["slot_1"] is None
    page.keyboard.press("3")
    press("a")
    slot = samples["fp-dog"]["slot_1"]
    assert (slot["verdict"], slot["text"]) == ("confirmed", None)


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_rejecting_says_what_failed(go: Any, page: Any, press: Any, samples: Any) -> None:
    go("fp-boat")
    press("j", moves=False)
    page.wait_for_selector(".bw-error")
    assert "mark what failed" in page.locator(".bw-error").inner_text()
    page.keyboard.press("1")
    page.keyboard.press("1")  # twice: it fails
    press("j")
    slot = samples["fp-boat"]["slot_1"]
    assert (slot["verdict"], list(slot["failed"])) == ("rejected", ["grounding"])


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_another_draft_is_refused_in_a_line_and_unsure_is_stored(
    go: Any, page: Any, press: Any, samples: Any
) -> None:
    go("fp-donut")
    page.keyboard.press("d")
    page.wait_for_selector(".bw-error")
    assert "no model was named" in page.locator(".bw-error").inner_text()
    press("u")
    assert samples["fp-donut"]["slot_1"]["verdict"] == "unsure"


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_the_longest_dialogue_is_seen_without_scrolling(
    go: Any, page: Any, shot: Callable[[str], None]
) -> None:
    go("fp-long")
    shot("false-premise-long")
    height = "element => element.scrollHeight - element.clientHeight"
    assert page.locator(".bw-screen").evaluate(height) <= 0
    page.keyboard.press("e")
    page.keyboard.type("<img src=x onerror=alert(1)>")  # a text, and only a text
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".bw-fp-checks[data-checking=false]")
    assert page.locator(".bw-fp img").count() == 0
    assert approve_button(page).is_disabled()
