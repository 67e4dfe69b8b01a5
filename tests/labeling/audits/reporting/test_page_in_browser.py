"""The page in a real browser: it opens without an error, wide and narrow."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from labeling.audits.reporting.report import make_report
from labeling.audits.reporting.writing import write_report

CHROMIUM = "/usr/bin/chromium"
_NO_BROWSER = "playwright or chromium IS NOT INSTALLED: THE PAGE WAS NOT LOOKED AT IN THIS RUN"


def test_it_opens_without_errors_and_fits(audited: Callable[..., Any]) -> None:
    pytest.importorskip("playwright", reason=_NO_BROWSER)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # may not be installed

    if shutil.which(CHROMIUM) is None:
        pytest.skip(_NO_BROWSER)
    shop = audited(good=0.9, poor=0.6)
    shop.judge(errs=lambda item, _: item.value == "gold")
    path = write_report(shop.workspace, make_report(shop.workspace, draws=50))["page"]
    problems: list[str] = []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text))
        page.on("requestfailed", lambda asked: problems.append(asked.url[:80]))
        for width in (1300, 700, 380):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(path.as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"at {width} pixels the page is {wide} wide"
        pictures = page.evaluate("[...document.images].map(each => each.naturalWidth)")
        browser.close()
    assert problems == []
    assert pictures
    assert min(pictures) > 0
