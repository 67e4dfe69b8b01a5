"""report.html: one page that needs nothing else, whatever the catalog's texts are."""

import hashlib
import html.parser
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchwright.knowledge import Knowledge, Value
from benchwright.records import Episode
from benchwright.rows import to_table
from galleries.report import SAMPLE, Shown, render
from galleries.summary import Totals, summarise

HOSTILE = (
    "</b><script src=https://evil.example/x.js></script>\"'><img src=x onerror=alert(1)>&{{7*7}}"
)
IDS = [f"{number:016x}" for number in range(1, 8)]
TOTALS = Totals(
    not_asked=[], pictures=7, qualifying=1, dropped={}, not_identifiable=0, mean_whole_gallery=7.0
)


class Page(html.parser.HTMLParser):
    """What a browser makes of the page: tags with their attributes, and the text."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def named(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [
            attributes
            for name, attributes in self.tags
            if name == tag
            and all(value in (attributes.get(key) or "") for key, value in wanted.items())
        ]


def knowledge(*names: str) -> Knowledge:
    """Seven pictures that all have the first value; the first picture has the second as well."""
    values = tuple(
        Value(type=name.split(" ", 1)[0], value=name.split(" ", 1)[1], complete=True)
        for name in names
    )
    rows = [[0, 1], *([[0]] * 6)]
    return Knowledge(
        ids=np.array([int(image_id, 16) for image_id in IDS], np.uint64),
        groups=np.arange(7),
        values=values,
        indptr=np.cumsum([0, *map(len, rows)]),
        yes=np.array([column for row in rows for column in row], np.int32),
        no_indptr=np.zeros(8, np.int64),
        no=np.zeros(0, np.int32),
    )


@pytest.fixture
def page(make_episode: Any) -> Any:
    def make(
        names: tuple[str, str] = ("cut wide", "hem long"),
        title: str = "A dress",
        picture: Path | None = None,
        episodes: int = 1,
    ) -> Page:
        made = [make_episode(IDS, similarities=(1.0, *[0.5] * 6)) for _ in range(episodes)]
        shown = {image_id: Shown(picture=picture, title=title) for image_id in IDS}
        return Page(
            render(
                made, summarise(to_table(made, Episode), TOTALS, "0.6"), knowledge(*names), shown
            )
        )

    return make


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    made = tmp_path / "picture.png"
    Image.new("RGB", (600, 900), "teal").save(made)
    return made.rename(tmp_path / f"{hashlib.sha256(made.read_bytes()).hexdigest()}.png")


def references(page: Page) -> list[str]:
    """Return all that a browser would fetch."""
    return [
        value or ""
        for _, attributes in page.tags
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "data", "action", "poster", "background")
    ]


def test_it_needs_nothing_but_itself(page: Any, picture: Path) -> None:
    made = page(picture=picture)
    assert len(references(made)) == 7
    assert all(value.startswith("data:image/jpeg;base64,") for value in references(made))
    assert not made.named("link")
    assert not re.search(r"url\(|@import|https?://", made.text)
    (policy,) = made.named("meta", **{"http-equiv": "Content-Security-Policy"})
    assert "default-src 'none'" in (policy["content"] or "")


@pytest.mark.parametrize("with_picture", [False, True])
def test_hostile_texts_are_shown_and_do_nothing(
    page: Any, picture: Path, with_picture: bool
) -> None:
    shown = picture if with_picture else None
    plain, hostile = page(picture=shown), page(("cut wide", f"hem {HOSTILE}"), HOSTILE, shown)
    # the same tags, whatever the texts are: none was opened or closed by one
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    assert [sorted(attributes) for _, attributes in hostile.tags] == [
        sorted(attributes) for _, attributes in plain.tags
    ]
    assert references(hostile) == references(plain)
    assert hostile.text.count(HOSTILE) >= 7 + 1


def test_pictures_are_small(page: Any, picture: Path) -> None:
    assert max(map(len, references(page(picture=picture)))) < 20_000


def test_without_pictures_the_values_tell(page: Any) -> None:
    made = page()
    assert not made.named("img")
    assert not made.named("figure", **{"class": "pictured"})
    assert len(made.named("figure")) == 7


def test_the_target_is_marked(page: Any) -> None:
    made = page()
    figures = made.named("figure")
    assert ["target" in (figure["class"] or "") for figure in figures] == [True] + [False] * 6


def test_what_is_shared_and_what_tells_apart(page: Any) -> None:
    text = re.sub(r"\s+", " ", page().text)
    assert text.count("shares 1 of 2 (Sim 0.50)") == 6
    # the answer is that of the picture, not of the target
    assert text.count("Told apart by hem long (no)") == 6


def test_a_value_that_may_not_be_asked_tells_nothing(make_episode: Any) -> None:
    episode = make_episode(IDS, identifiable=False, identifiable_protocol=False, par=None)
    known = knowledge("cut wide", "hem long")
    silent = Knowledge(
        ids=known.ids,
        groups=known.groups,
        values=tuple(
            Value(type=value.type, value=value.value, complete=True, askable=False)
            for value in known.values
        ),
        indptr=known.indptr,
        yes=known.yes,
        no_indptr=known.no_indptr,
        no=known.no,
    )
    shown = {image_id: Shown(picture=None, title=image_id) for image_id in IDS}
    text = Page(
        render([episode], summarise(to_table([episode], Episode), TOTALS, "0.6"), silent, shown)
    ).text
    assert text.count("No allowed question tells it apart") == 6
    assert "Told apart" not in text
    assert "cannot be solved" in text
    assert re.search(r"par\s+none", text)


def test_a_sample_is_shown_of_many(page: Any) -> None:
    made = page(episodes=SAMPLE + 5)
    assert len(made.named("section", **{"class": "gallery"})) == SAMPLE
    assert len(made.named("section", **{"class": "now"})) == 1
    assert f"{SAMPLE + 5}" in made.text


def test_baselines_stand_on_the_page_where_they_were_measured(make_episode: Any) -> None:
    episode = make_episode(IDS, similarities=(1.0, *[0.5] * 6))
    shown = {image_id: Shown(picture=None, title="A dress") for image_id in IDS}
    given = (
        [episode],
        summarise(to_table([episode], Episode), TOTALS, "0.6"),
        knowledge("cut wide", "hem long"),
    )
    plain = Page(render(*given, shown))
    assert "guessed without a question" not in plain.text
    measured = Page(render(*given, shown, [f"by pictures ({HOSTILE}): 9 %", "by labels: 8 %"]))
    assert "guessed without a question" in measured.text
    assert f"by pictures ({HOSTILE}): 9 %" in measured.text
    assert len(measured.named("script")) == len(plain.named("script"))
    assert references(measured) == references(plain)
