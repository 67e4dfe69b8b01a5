"""What tests of screens share: a browser with one page, keys, and pictures of what it shows.

``open_task(opened)`` goes to a task of an audit that ``open_app`` opened, ``press(key)`` presses a
key and waits for the next task, ``shot(name)`` saves a picture where BENCHWRIGHT_SCREENSHOTS
names a folder, else where pytest keeps what is temporary. A screen that logs an error fails its
test.
"""

import asyncio
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
def open_task(page: Any) -> Callable[..., str]:
    """Go to a task: the next of an OpenAudit, or a sample of it; return the sample's id.

    Keys work when it returns.
    """

    def go(opened: Any, sample_id: str | None = None) -> str:
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
