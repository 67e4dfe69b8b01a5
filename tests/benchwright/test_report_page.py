"""A report page: texts are escaped, the style that all pages share is in it as it is."""

from importlib import resources
from pathlib import Path

import pytest

from benchwright.report_page import render_page


def test_texts_are_escaped_and_the_style_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "page_for_a_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "page.html.j2").write_text("<style>{{ style|safe }}</style>{{ said }} τ", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    page = render_page("page_for_a_test", "page.html.j2", said="<b>{{ 7 * 7 }}").decode()
    style = resources.files("benchwright").joinpath("report_page.css").read_text("utf-8")
    assert page == f"<style>{style}</style>&lt;b&gt;{{{{ 7 * 7 }}}} τ"
