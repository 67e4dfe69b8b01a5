"""The page: what texts of models cannot do, and what a person can, in a real browser."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import store
from benchwright.records import PlayedResponse
from benchwright.rows import from_table, to_table
from evaluation.report.page import script_data

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
HOSTILE = (
    "</script><script>document.title='broken'</script>",
    "<img src=x onerror=\"document.title='broken'\">",
    "<!--<script>",
    "\x00\x07\x1b[31m\u202e\u2028\u2029\ufffe",
    "{{ 7 * 7 }} ${7 * 7} \\u003c",
    "A" * 3_000_000,
    "",
)


@given(st.recursive(st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_data_cannot_end_its_script_and_is_read_back(data: object) -> None:
    found = script_data(data)
    assert not set("<>&\u2028\u2029") & set(found)
    assert json.loads(found) == data


@pytest.fixture
def open_page() -> Iterator[Callable[..., Any]]:
    """Open a page of a report from disk; it must not fail in anything."""
    faults: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def opened(path: Path, **settings: Any) -> Any:
            page = browser.new_page(**settings)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda message: faults.append(message.text))
            page.on(
                "request",
                lambda asked: (
                    None if asked.url.startswith(("file:", "data:")) else faults.append(asked.url)
                ),
            )
            page.goto(path.as_uri())
            return page

        yield opened
        browser.close()
    assert faults == []


@pytest.fixture
def report(run: Callable[..., Any], tmp_path: Path) -> Callable[..., Path]:
    """Make the page of some runs of a workspace."""

    def made(workspace: Path, *arguments: str) -> Path:
        out = tmp_path / "out"
        ran = run("run-benchmark", "report", *arguments, "--out", out, "--workspace", workspace)
        assert ran.code == 0, ran.err
        return out / "leaderboard.html"

    return made


@in_browser
@pytest.mark.heavy
def test_hostile_answers_are_texts(
    dialogues: Path,
    report: Callable[..., Path],
    open_page: Callable[..., Any],
    tmp_path: Path,
) -> None:
    workspace = Path(shutil.copytree(dialogues, tmp_path / "hostile"))
    folder = workspace / "runs" / "weary"
    answers = list(from_table(store.read_table(folder, "responses-*.parquet"), PlayedResponse))
    manifest = store.require(folder, "run-benchmark")
    about = json.loads((folder / "run.json").read_text("utf-8"))
    about["player"] = HOSTILE[0]
    hostile = [
        replace(one, response=HOSTILE[at % len(HOSTILE)], question=HOSTILE[(at + 1) % 5])
        for at, one in enumerate(answers)
    ]
    shutil.rmtree(folder)
    configs = {"responses": "responses-*.parquet"}
    with store.writing(folder, manifest.plan, configs=configs) as writer:
        writer.shards("responses", to_table(hostile, PlayedResponse))
        writer.json("run.json", about)
        writer.counts = dict(manifest.counts)

    path = report(workspace, "weary", "garbler")
    assert path.stat().st_size < 1_000_000
    page = open_page(path)
    assert page.title() == "Leaderboard"
    page.locator("#run").select_option(label=f"{HOSTILE[0]}: false-premise, things/1.0.0")
    seen = set()
    while True:
        seen.update(page.locator("#steps p.player").all_inner_texts())
        if page.locator("#next").is_disabled():
            if page.locator("#after").is_disabled():
                break
            page.locator("#after").click()
        else:
            page.locator("#next").click()
    assert any(HOSTILE[0] in text for text in seen)
    assert any(HOSTILE[1] in text for text in seen)
    assert any("cut: 3,000,000 characters" in text for text in seen)
    assert page.title() == "Leaderboard"
    assert page.locator(".players th.who", has_text="</script>").count() == 1


@in_browser
@pytest.mark.heavy
def test_a_person_pages_by_keys(
    played: Path, report: Callable[..., Path], open_page: Callable[..., Any]
) -> None:
    page = open_page(report(played, "greedy", "random", "--pictures", "2"))
    page.locator("#viewer").scroll_into_view_if_needed()
    where = page.locator("#where")
    assert where.inner_text().startswith("episode 1 of 2, step 1 of ")
    page.keyboard.press("ArrowRight")
    assert "step 2 of " in where.inner_text()
    assert page.locator(".shot.gone").count() == 0 or page.locator("#steps li").count() == 2
    page.keyboard.press("End")
    assert page.locator(".shot.target").count() == 1
    assert page.locator(".shot.gone").count() > 0
    assert page.locator(".shot.guess").count() == 1
    page.keyboard.press("n")
    assert where.inner_text().startswith("episode 2 of 2, step 1 of ")
    title = page.locator("#item option:checked").inner_text()
    page.locator("#run").select_option(index=1)  # the same episode of the other run
    assert page.locator("#item option:checked").inner_text() == title
    assert page.evaluate("[...document.images].every(one => one.naturalWidth > 0)")


@in_browser
@pytest.mark.heavy
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out(
    dialogues: Path, report: Callable[..., Path], open_page: Callable[..., Any], width: int
) -> None:
    path = report(dialogues, "weary", "garbler", "first-turn", "strayer", "mistaken")
    page = open_page(path, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@in_browser
@pytest.mark.heavy
def test_boxes_and_options_are_shown(
    dialogues: Path, report: Callable[..., Path], open_page: Callable[..., Any]
) -> None:
    page = open_page(report(dialogues, "first-turn", "strayer"))
    page.locator("#next").click()
    # at the second turn three boxes are given, of which two are meant
    assert page.locator(".box.true").count() == 2
    assert page.locator(".box.predicted").count() == 3
    page.locator("#run").select_option(index=1)
    assert page.locator("#steps li.is-true").count() == 1
    assert page.locator("#steps li.picked").count() == 1
    assert page.locator("#steps li.picked.is-true").count() == 0  # its first step is wrong
