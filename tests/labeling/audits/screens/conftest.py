"""What tests of screens share: a browser with one page, keys, and pictures of what it shows.

``open_task(opened)`` goes to a task of an audit that ``open_app`` opened, ``press(key)`` presses a
key and waits for the next task, ``press_at_once(keys)`` presses some between which nothing can
happen, ``shot(name)`` saves a picture where BENCHWRIGHT_SCREENSHOTS names a folder, else where
pytest keeps what is temporary. A screen that logs an error fails its test.

Tests of a file may run on several workers, each with an audit of its own: each test meets the audit
as it was opened, whatever others did. None may count on the time between two calls: what is to be
seen is waited for.
"""

import asyncio
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

CHROMIUM = "/usr/bin/chromium"
_NO_BROWSER = "playwright or chromium IS NOT INSTALLED: NO SCREEN WAS LOOKED AT IN THIS RUN"
_ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
_READY = ".bw-panel[data-ready]"
_IS_READY = """
    sample => {
        const ready = document.querySelector('.bw-panel')?.dataset.ready;
        return ready && ready === new URL(location.href).searchParams.get('id')
            && ready !== sample;
    }
"""
# in one task of the browser: no timer runs out and no answer comes in between
_AT_ONCE = """
    async ([keys, shown]) => {
        for (const key of keys) {
            const how = { key, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", how));
            for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        }
        return document.querySelector(shown).innerText;
    }
"""


def _fixtures_of_the_app() -> Any:
    path = Path(__file__).parents[1] / "app" / "conftest.py"
    spec = importlib.util.spec_from_file_location("app_fixtures", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_app = _fixtures_of_the_app()
_audit_workspace = _app._audit_workspace
audit_workspace = _app.audit_workspace
mongo_uri = _app.mongo_uri
open_app = _app.open_app


@pytest.fixture(scope="session")
def run(run: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command as elsewhere, although the browser's event loop waits in this thread."""

    def run_beside(*arguments: Any) -> Any:
        waiting = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        try:
            return run(*arguments)
        finally:
            asyncio._set_running_loop(waiting)

    return run_beside


@pytest.fixture(scope="module")
def _problems() -> list[str]:
    return []


# of the module: once it is closed, tests elsewhere can run event loops again
@pytest.fixture(scope="module")
def _page(_problems: list[str]) -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason=_NO_BROWSER)
    if shutil.which(CHROMIUM) is None:
        pytest.skip(_NO_BROWSER)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: _fault(str(error), _problems))
        page.on("console", lambda said: _note(said, _problems))
        yield page
        browser.close()


def _fault(text: str, problems: list[str]) -> None:
    # the App's own viewer says it of a picture that is left before it has loaded
    if "resetZoomPan" not in text:
        problems.append(text)


def _note(said: Any, problems: list[str]) -> None:
    is_blocked = "ERR_NAME_NOT_RESOLVED" in said.text  # the App asks for fonts of the internet
    if said.type == "error" and not is_blocked:
        problems.append(said.text)


@pytest.fixture
def page(_page: Any, _problems: list[str]) -> Iterator[Any]:
    """A page of Chromium, the same for all tests, 1400 x 900."""
    _problems.clear()
    yield _page
    assert not _problems


@pytest.fixture
def _put_back(mongo_uri: str) -> Iterator[Callable[[Any], None]]:
    """Remember what the samples of an OpenAudit hold; it is put back after the test."""
    from pymongo import MongoClient  # noqa: PLC0415  # of an extra

    held: dict[str, tuple[Any, list[Any]]] = {}
    with MongoClient(mongo_uri) as client:

        def remember(opened: Any) -> None:
            if opened.url not in held:
                samples = _samples_of(client, opened)
                held[opened.url] = samples, list(samples.find())

        yield remember
        for samples, before in held.values():
            for each in before:
                samples.replace_one({"_id": each["_id"]}, each)


def _samples_of(client: Any, opened: Any) -> Any:
    from bson import ObjectId  # noqa: PLC0415  # of an extra

    (first,) = parse_qs(urlsplit(opened.url).query)["id"]
    for name in client.list_database_names():
        for each in client[name].datasets.find({"name": opened.what.dataset}):
            samples = client[name][each["sample_collection_name"]]
            if samples.find_one({"_id": ObjectId(first)}):
                return samples
    raise AssertionError(f"no database holds {opened.url}")


@pytest.fixture
def open_task(page: Any, _put_back: Callable[[Any], None]) -> Callable[..., str]:
    """Go to a task: the next of an OpenAudit, or a sample of it; return the sample's id.

    Keys work when it returns. What the test stores is taken out of the audit after it.
    """

    def go(opened: Any, sample_id: str | None = None) -> str:
        _put_back(opened)
        url = opened.url
        if sample_id is not None:
            url = re.sub(r"\?id=.*", "", url) + f"?id={sample_id}"
        page.goto(url)
        page.wait_for_function(_IS_READY, arg=None)
        return str(page.locator(_READY).get_attribute("data-ready"))

    return go


@pytest.fixture
def press(page: Any) -> Callable[..., str]:
    """Press a key and wait for another task; return its sample's id.

    ``moves=False`` does not wait: the key stays at its task.
    """

    def press_key(key: str, *, moves: bool = True) -> str:
        before = page.locator(_READY).get_attribute("data-ready")
        page.keyboard.press(key)
        if moves:
            page.wait_for_function(_IS_READY, arg=before)
        return str(page.locator(_READY).get_attribute("data-ready"))

    return press_key


@pytest.fixture
def press_at_once(page: Any) -> Callable[..., str]:
    """Press keys faster than anybody can, on however slow a machine.

    Return what an element says right after the last.
    """

    def press_keys(keys: str, shown: str = ".bw-panel") -> str:
        return str(page.evaluate(_AT_ONCE, [list(keys), shown]))

    return press_keys


@pytest.fixture
def shot(page: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], None]:
    """Save what the page shows as NAME.png in the folder that BENCHWRIGHT_SCREENSHOTS names.

    Without one it is ``screenshots`` among pytest's temporary folders.
    """
    chosen = os.environ.get("BENCHWRIGHT_SCREENSHOTS")
    folder = Path(chosen) if chosen else tmp_path_factory.getbasetemp() / "screenshots"

    def save(name: str) -> None:
        page.wait_for_timeout(800)  # the App fades pictures in
        page.screenshot(path=folder / f"{name}.png")  # which makes the folder

    return save
