"""What a voter is shown: geometry, and what arrives at a server."""

from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.boxes import Box
from labeling.attributes.voting.ensemble import ViewSettings
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.views import shown, tiles
from stand_ins.models import Question, Turn


def subject(bbox: Box | None = None, size: tuple[int, int] = (400, 300)) -> Subject:
    return Subject(
        image_id="i",
        object_id=None if bbox is None else "1",
        path=Path("p.png"),
        sha256="0" * 64,
        width=size[0],
        height=size[1],
        bbox=bbox,
        noun="dress",
    )


@pytest.mark.parametrize(
    ("bbox", "context", "crop"),
    [
        # a picture is shown whole: there is nothing around it
        (None, 0.2, None),
        # an object with a fifth of its sides around it, on each side
        ((100, 100, 50, 20), 0.2, (90, 96, 70, 28)),
        ((100, 100, 50, 20), 0.0, (100, 100, 50, 20)),
        # as far as the picture goes
        ((5, 290, 50, 10), 1.0, (0, 280, 105, 20)),
        ((380, 0, 20, 300), 0.5, (370, 0, 30, 300)),
    ],
)
def test_an_object_is_shown_with_its_context(
    bbox: Box | None, context: float, crop: Box | None
) -> None:
    (part,) = shown(subject(bbox), ViewSettings(long_side=99), context)
    # a bound that bounds nothing is left away: views that show the same are one call
    longest = max(subject(bbox).width, subject(bbox).height) if crop is None else max(crop[2:])
    assert part.view.long_side == (99 if longest > 99 else None)
    assert part.view.crop == (None if crop is None else pytest.approx(crop))
    assert part.sha256 == "0" * 64


def test_tiles_are_in_reading_order_and_of_the_object_where_there_is_one() -> None:
    settings = ViewSettings(tiles=2, overlap=0.0, long_side=64)
    crops = [part.view.crop for part in shown(subject(), settings, 0.2)]
    assert crops == [(0, 0, 200, 150), (200, 0, 200, 150), (0, 150, 200, 150), (200, 150, 200, 150)]
    crops = [part.view.crop for part in shown(subject((100, 100, 40, 20)), settings, 0.0)]
    assert crops == [(100, 100, 20, 10), (120, 100, 20, 10), (100, 110, 20, 10), (120, 110, 20, 10)]


@given(
    region=st.tuples(*[st.floats(0, 500)] * 2, *[st.floats(1, 2000)] * 2),
    across=st.integers(2, 8),
    overlap=st.floats(0, 0.5),
)
def test_tiles_cover_a_region_and_stay_in_it(region: Box, across: int, overlap: float) -> None:
    left, top, width, height = region
    parts = tiles(region, across, overlap)
    assert len(parts) == across**2
    assert len({(round(wide, 6), round(high, 6)) for _, _, wide, high in parts}) == 1
    columns = [part[0] for part in parts[:across]]
    rows = [part[1] for part in parts[::across]]
    assert [(x, y) for x, y, _, _ in parts] == [(x, y) for y, x in product(rows, columns)]
    _, _, wide, high = parts[0]
    for starts, side, start, whole in ((columns, wide, left, width), (rows, high, top, height)):
        assert starts[0] == pytest.approx(start)
        assert starts[-1] + side == pytest.approx(start + whole)
        for one, after in pairwise(starts):
            assert one + side - after == pytest.approx(overlap * side, abs=1e-6 * whole)


class Watching:
    """A brain that says no and keeps the sizes of the pictures of each question."""

    def __init__(self) -> None:
        self.sizes: list[tuple[tuple[int, int], ...]] = []
        self.texts: list[str] = []

    def __call__(self, question: Question) -> Turn:
        self.sizes.append(tuple((each.width, each.height) for each in question.pictures))
        self.texts.append(question.text)
        return Turn(text="no")


Serve = Callable[..., Any]


@pytest.mark.parametrize(
    ("view", "limits", "sizes"),
    [
        # pictures of 176 x 208
        ({}, {}, ((176, 208),)),
        ({"long_side": 104}, {}, ((88, 104),)),
        ({"long_side": 1344}, {}, ((176, 208),)),  # never enlarged
        ({"long_side": 20}, {"min_side": 28}, ((28, 28),)),  # padded to what the voter takes
        ({"tiles": 2, "overlap": 0}, {}, ((88, 104),) * 4),
        ({"tiles": 2, "overlap": 0, "long_side": 52}, {"at_once": 4}, ((44, 52),) * 4),
        ({"tiles": 3, "overlap": 0.5}, {}, ((88, 104),) * 9),
    ],
)
def test_pictures_arrive_as_their_view_says(
    shop: Any,
    kit: Any,
    serve: Serve,
    view: dict[str, Any],
    limits: dict[str, Any],
    sizes: tuple[tuple[int, int], ...],
) -> None:
    brain = Watching()
    voter = kit.model(serve(kit.script(), brain=brain), pictures=limits)
    shop.ask(shop.ensemble(voter, views={"v": view}, templates=1))
    assert set(brain.sizes) == {sizes}
    is_told = "overlapping parts of one picture, row by row" in brain.texts[0]
    assert is_told == (len(sizes) > 1)
    assert "garment" in brain.texts[0]


def test_too_many_tiles_for_a_voter_are_refused_before_anything_is_paid(
    shop: Any, kit: Any, serve: Serve
) -> None:
    server = serve(kit.script())
    voter = kit.model(server, pictures={"at_once": 3})
    views = {"whole": {}, "parts": {"tiles": 2}}
    for option in ((), ("--estimate",)):
        ran = shop.ask(shop.ensemble(voter, views=views), *option, code=1)
        assert "view 'parts' shows 4" in ran.err
    assert server.counts.chats == 0


@pytest.mark.parametrize(
    "views",
    [
        {"whole": {}},
        {"low": {"long_side": 150}, "high": {"long_side": 1344}},
    ],
)
def test_objects_are_cut_out_rightly(
    scenes: Any, kit: Any, serve: Serve, views: dict[str, Any]
) -> None:
    # each scene says other values than its objects: a wrong crop gives wrong labels
    path = scenes.ensemble(kit.model(serve(kit.script())), views=views)
    scenes.ask(path, "--subjects", "objects", noun=None)
    scenes.do("decide")
    assert scenes.wrong() == []
    assert len(scenes.labels()) == 16 * len(kit.values)


def test_objects_are_called_by_their_category(scenes: Any, kit: Any, serve: Serve) -> None:
    brain = Watching()
    path = scenes.ensemble(kit.model(serve(kit.script(), brain=brain)), templates=1)
    scenes.ask(path, "--subjects", "objects", noun=None)
    assert all("summer garment" in text for text in brain.texts)
    # 106 x 178 or so, with a fifth of it on each side
    brain.sizes.clear()
    named = scenes.ensemble(kit.model(serve(kit.script(), brain=brain)), context=1, templates=1)
    scenes.ask(named, "--subjects", "objects", noun="coat")
    assert "coat" in brain.texts[-1]


def test_without_a_category_a_noun_is_wanted(shop: Any, kit: Any, serve: Serve) -> None:
    server = serve(kit.script())
    ran = shop.ask(shop.ensemble(kit.model(server)), noun=None, code=1)
    assert "has no category to ask about" in ran.err
    assert "--noun" in ran.err
    assert server.counts.chats == 0
