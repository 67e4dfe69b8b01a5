"""Judging galleries in the real App, drawn dresses that are alike."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.workspace import Workspace
from labeling.audits.app.database import connected
from labeling.audits.app.stored import stored_audit
from labeling.audits.tasks.galleries import CHECKLIST, KIND
from labeling.audits.tasks.task import AuditSettings

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(300)]  # an App is opened first

SETTINGS = AuditSettings(overlap=0, limit=4)


@pytest.fixture(scope="module")
def dressed(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]) -> Workspace:
    """A workspace with galleries of 120 drawn dresses, of more and of less similar ones."""
    root = tmp_path_factory.mktemp("dressed") / "workspace"
    for command in (
        ("build-catalog", "sample", "--n", "120", "--workers", "1"),
        ("label-attributes", "normalise"),
        ("build-galleries", "--tau", "0.4,0.5", "--episodes", "6"),
    ):
        ran = run(*command, "--workspace", root)
        assert ran.code == 0, ran.err
    return Workspace(root)


@pytest.fixture(scope="module")
def opened(dressed: Workspace, open_app: Callable[..., Any]) -> Any:
    return open_app(dressed, "galleries", "ana", settings=SETTINGS)


@pytest.fixture
def slots(
    dressed: Workspace, mongo_uri: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], dict[str, Any]]:
    """Return what the database holds of ana's: verdict and what failed, by task."""
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    monkeypatch.delenv("FIFTYONE_DATABASE_NAME", raising=False)

    def read() -> dict[str, Any]:
        with connected(dressed) as database:
            samples = list(stored_audit(database, "galleries").samples.find())
        return {
            each["task_id"]: (each["slot_1"]["verdict"], each["slot_1"]["failed"])
            for each in samples
            if each["slot_1"] is not None
        }

    return read


def test_galleries_are_judged_by_keys(
    page: Any,
    dressed: Workspace,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
    slots: Callable[[], dict[str, Any]],
) -> None:
    one, two, three, _ = tasks = KIND.tasks(dressed, SETTINGS)
    open_task(opened)
    assert page.locator(".bw-gl-cell").count() == len(one.shown["pictures"])
    assert page.locator(".bw-gl-cell[data-target=true] .bw-gl-number").inner_text() == str(
        one.shown["target"]
    )

    # a picture is large under the pointer, with what tells it; then the next by its key
    other = next(each for each in one.shown["pictures"] if each["told_by"])
    page.locator(".bw-gl-cell").nth(other["number"] - 1).hover()
    large = page.locator(".bw-gl-large")
    large.locator("b", has_text=f"{other['number']} ").wait_for()
    for value in other["told_by"]:
        assert {value["type"], value["value"]} <= set(large.locator("span").all_inner_texts())
    page.wait_for_function(
        "() => [...document.querySelectorAll('.bw-gl-cell img')].every(i => i.complete)"
    )
    shot("galleries")
    press("n", moves=False)
    after = other["number"] % len(one.shown["pictures"]) + 1
    large.locator("b", has_text=f"{after} ").wait_for()
    press("b", moves=False)
    press("0", moves=False)
    large.wait_for(state="hidden")

    # a telling value dims the pictures that it does not tell
    press("t", moves=False)
    telling = one.shown["telling"][0]
    page.wait_for_function("() => document.querySelector('.bw-gl-value[aria-pressed=true]')")
    dim = page.locator(".bw-gl-cell[data-dim=true]").count()
    assert dim == len(one.shown["pictures"]) - 1 - telling["distractors"]

    # rejecting wants a reason, approving none
    press("j", moves=False)
    page.locator(".bw-error", has_text="say what is wrong first").wait_for()
    press("2", moves=False)
    press("a", moves=False)
    page.locator(".bw-error", has_text="cannot be approved").wait_for()
    assert slots() == {}
    press("4", moves=False)
    press("j")
    assert slots() == {one.task_id: ("rejected", [CHECKLIST[1], CHECKLIST[3]])}
    assert page.locator(".bw-gl-check input:checked").count() == 0
    press("a")
    press("u")
    assert slots()[two.task_id] == ("confirmed", [])
    assert slots()[three.task_id] == ("unsure", [])
    assert len(slots()) == len(tasks) - 1


def test_forty_pictures_fit_the_panel(
    page: Any, opened: Any, open_task: Callable[..., str], shot: Callable[[str], None]
) -> None:
    """The largest gallery of an audit, made of the pictures of a smaller one."""

    def enlarge(route: Any) -> None:
        answer = route.fetch()
        body = answer.json()
        shown = (body.get("result") or {}).get("shown")
        if shown:
            pictures = shown["pictures"] * 40
            shown["pictures"] = [
                {**each, "number": at + 1} for at, each in enumerate(pictures[:40])
            ]
        route.fulfill(response=answer, json=body)

    page.route("**/operators/execute", enlarge)
    try:
        open_task(opened)
        cells = page.locator(".bw-gl-cell")
        assert cells.count() == 40
        scrolls = page.evaluate(
            "() => { const at = document.querySelector('.bw-screen'); return"
            " at.scrollHeight > at.clientHeight + 1 || at.scrollWidth > at.clientWidth + 1; }"
        )
        assert not scrolls
        panel = page.locator(".bw-panel").bounding_box()
        for box in (cells.first.bounding_box(), cells.last.bounding_box()):
            assert min(box["width"], box["height"]) > 50
            assert panel["x"] <= box["x"]
            assert box["x"] + box["width"] <= panel["x"] + panel["width"]
            assert box["y"] + box["height"] <= panel["y"] + panel["height"]
        shot("galleries-of-forty")
    finally:
        page.unroute("**/operators/execute")
