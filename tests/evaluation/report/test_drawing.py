"""Charts: what is drawn where, whatever texts stand in them."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.report.drawing import mark_of, svg_of
from evaluation.report.kinds.sheet import Chart, Form, Line
from evaluation.scoring.figures import Figure, Key


def point(value: float | None, low: float | None = None, high: float | None = None) -> Figure:
    return Figure(key=Key("m"), value=value, low=low, high=high, n=3)


def chart(
    *points: Figure | None, form: Form = "share", name: str = "ana", is_joined: bool = True
) -> Chart:
    return Chart(
        title="A chart",
        axis="turn",
        places=tuple(f"{at}" for at in range(len(points))),
        lines=(Line(name=name, points=points),),
        form=form,
        is_joined=is_joined,
    )


def test_points_have_intervals_lines_and_words() -> None:
    found = svg_of(chart(point(0.5, 0.25, 0.75), point(0.75)))
    assert found.count('class="spread"') == 1
    assert found.count('class="join"') == 1
    assert "<title>ana, 0: 50.0% (25.0 to 75.0), n 3</title>" in found
    assert "<title>ana, 1: 75.0%, n 3</title>" in found


def test_nothing_is_drawn_where_nothing_was_measured() -> None:
    found = svg_of(chart(point(0.5), None, point(0.75)))
    assert found.count("<circle") == 2
    assert 'class="join"' not in found  # no line over the gap


@pytest.mark.parametrize(
    ("form", "values", "ticks"),
    [
        ("share", (0.1, 0.9), ["0%", "25%", "50%", "75%", "100%"]),
        ("number", (0.0, 7.5), ["0", "2", "4", "6", "8"]),
        ("number", (0.0, 0.0), ["0", "1"]),  # an axis has a length
        ("share", (-0.5, 1.5), ["-50%", "0%", "50%", "100%", "150%"]),  # a gain may be anything
    ],
)
def test_ticks(form: Form, values: tuple[float, ...], ticks: list[str]) -> None:
    found = svg_of(chart(*map(point, values), form=form))
    assert re.findall(r'text-anchor="end">([^<]*)<', found) == ticks


@given(st.text(max_size=40), st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), max_size=4))
def test_any_name_and_number_make_well_formed_svg(name: str, values: list[float | None]) -> None:
    drawn = chart(*(None if v is None else point(v) for v in values), form="number", name=name)
    ElementTree.fromstring(svg_of(drawn))
    assert svg_of(drawn) == svg_of(drawn)


@pytest.mark.parametrize("at", [0, 2])  # the first stands nearest to the edge
def test_the_longest_cell_of_the_grid_is_written_whole(at: int) -> None:
    places = ["a", "b", "c"]
    places[at] = "multi-target overlapping"
    found = svg_of(replace(chart(*[point(0.5)] * 3), places=tuple(places)))
    assert ">multi-target overlapping</text>" in found
    (start,) = re.findall(r'viewBox="(-?\d+) ', found)
    (x,) = re.findall(r'<text x="([\d.]+)"[^>]*>multi-target overlapping', found)
    assert float(x) - int(start) >= 24 * 4.9  # as wide as a browser draws it


def test_marks_of_many_players_differ() -> None:
    assert len({re.sub(r"^<svg[^>]*>", "", mark_of(at, "player")) for at in range(32)}) == 32
