"""Hooks of mkdocs: pages of what lies outside docs/, and links to it (mkdocs.yml names this file).

README, CONTRIBUTING and CHANGELOG become pages as they stand, notebooks become pages with the
outputs that are committed in them. A link of any page is mended for the site: to a page where
there is one, else the words remain with the path of the file.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parents[1]
DOCS, NOTEBOOKS = "docs", "notebooks"
# from the root of the repository to the site
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "notebooks/README.md": "notebooks.md",
}
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<to>[^)\s]+)\)")
_PICTURE = re.compile(r"!\[(?P<text>[^\]]*)\]\((?P<to>[^)\s]+)\)")
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HOST = re.compile(r"[a-z][a-z0-9+.-]*:|#")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the notebooks that are there into the navigation."""
    for section in config.nav or ():
        for pages in section.values():
            for entry in pages:
                if isinstance(entry, dict) and entry.get("Notebooks") == "notebooks.md":
                    entry["Notebooks"] = ["notebooks.md", *(uri for _, uri in _notebooks())]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of what lies outside docs/."""
    for name, uri in PAGES.items():
        text = (ROOT / name).read_text("utf-8")
        files.append(File.generated(config, uri, content=for_site(text, name, uri)))
    for path in sorted((ROOT / NOTEBOOKS).glob("*.png")):
        files.append(File.generated(config, f"{NOTEBOOKS}/{path.name}", abs_src_path=str(path)))
    for path, uri in _notebooks():
        exporter = MarkdownExporter()  # type: ignore[no-untyped-call]
        text, resources = exporter.from_filename(
            str(path), {"output_files_dir": path.stem, "unique_key": path.stem}
        )
        files.append(
            File.generated(config, uri, content=for_site(text, f"{NOTEBOOKS}/{path.name}", uri))
        )
        for name, content in resources["outputs"].items():
            files.append(File.generated(config, f"{NOTEBOOKS}/{name}", content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Mend links that lead out of docs/."""
    if page.file.generated_by is not None:
        return markdown  # done when it was made
    return for_site(markdown, f"{DOCS}/{page.file.src_uri}", page.file.src_uri)


def for_site(text: str, path: str, uri: str) -> str:
    """Return the text of ``path`` in the repository with links as its page ``uri`` wants them."""

    def mended(found: re.Match[str]) -> str:
        words, to = found["text"], found["to"]
        if _HOST.match(to):
            return found[0]
        target, _, anchor = to.partition("#")
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        page = _page_of(wanted)
        if page is None:
            shown = f"`{wanted}`"
            return words if wanted in words else f"{words} ({shown})"
        link = posixpath.relpath(page, posixpath.dirname(uri) or ".")
        mark = "!" if found[0].startswith("!") else ""
        return f"{mark}[{words}]({link}{'#' + anchor if anchor else ''})"

    def outside_fences(part: str) -> str:
        return _LINK.sub(mended, _PICTURE.sub(mended, part))

    parts, last = [], 0
    for fence in _FENCED.finditer(text):
        parts += [outside_fences(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, outside_fences(text[last:])])


def _page_of(path: str) -> str | None:
    """Return where a file of the repository stands on the site, null where it does not."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith(f"{NOTEBOOKS}/") and path.endswith(".ipynb"):
        return f"{path.removesuffix('.ipynb')}.md"
    if path.startswith(f"{NOTEBOOKS}/"):
        return path  # an output of a notebook
    if not path.startswith(f"{DOCS}/"):
        return None
    inside = path.removeprefix(f"{DOCS}/")
    return f"{inside}/index.md" if (ROOT / path).is_dir() else inside


def _notebooks() -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / NOTEBOOKS).glob("*.ipynb")):
        yield path, f"{NOTEBOOKS}/{path.stem}.md"
