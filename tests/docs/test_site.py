"""The site builds without a warning, shows what lies outside docs/, and loads nothing of others."""

import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytest.importorskip("mkdocs")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.heavy
def test_what_lies_outside_the_folder_of_pages_is_shown(site: Path) -> None:
    home = (site / "index.html").read_text("utf-8")
    assert '<a href="tutorials/hidden-target/">' in home
    assert 'src="images/gallery.jpg"' in home
    assert "Unreleased" in (site / "changelog" / "index.html").read_text("utf-8")
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        assert (site / "notebooks" / notebook.stem / "index.html").is_file()


@pytest.mark.heavy
def test_no_page_loads_anything_of_another_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    loaded = re.compile(
        r"<(?:script|img|iframe|source|video)\b[^>]*\bsrc=[\"']?(?:https?:)?//[^\"'> ]+"
        r"|<link\b(?=[^>]*stylesheet)[^>]*\bhref=[\"']?(?:https?:)?//[^\"'> ]+"
        r"|@import[^;]*//|url\([\"']?(?:https?:)?//"
    )
    found = {
        (path.relative_to(site).as_posix(), hit)
        for path in [*pages, *site.rglob("*.css")]
        for hit in loaded.findall(path.read_text("utf-8"))
    }
    assert found == set()


# a link, the file that it stands in, the page of that file, and what it is on the site
LINKS = (
    # README names pages by their place in the repository
    ("[a](docs/labels.md)", "README.md", "index.md", "[a](labels.md)"),
    ("![a](docs/images/x.png)", "README.md", "index.md", "![a](images/x.png)"),
    ("[a](docs/labels.md#views)", "README.md", "index.md", "[a](labels.md#views)"),
    # pages that are made of files outside docs/, from a page within it
    ("[a](../CONTRIBUTING.md)", "docs/x.md", "x.md", "[a](contributing.md)"),
    ("[a](../../README.md)", "docs/design/x.md", "design/x.md", "[a](../index.md)"),
    ("[a](../notebooks/x.ipynb)", "docs/y.md", "y.md", "[a](notebooks/x.md)"),
    # a folder of pages is its first page
    ("[a](docs/design)", "README.md", "index.md", "[a](design/index.md)"),
    # a file that is no page: the words stay, and where it lies
    ("[a](../Makefile)", "docs/x.md", "x.md", "a (`Makefile`)"),
    # of others, and within the page
    ("[a](https://a.org/x.md)", "docs/x.md", "x.md", "[a](https://a.org/x.md)"),
    ("[a](#views)", "docs/x.md", "x.md", "[a](#views)"),
    # what is shown as code is no link
    ("```\n[a](../Makefile)\n```", "docs/x.md", "x.md", "```\n[a](../Makefile)\n```"),
)


@pytest.mark.parametrize(("link", "path", "uri", "wanted"), LINKS)
def test_a_link_is_mended_for_the_site(link: str, path: str, uri: str, wanted: str) -> None:
    for_site: Callable[[str, str, str], str] = runpy.run_path(str(ROOT / "docs" / "hooks.py"))[
        "for_site"
    ]
    assert for_site(link, path, uri) == wanted
