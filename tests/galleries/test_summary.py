"""The figures of a run, counted by hand."""

import io
import json
from typing import Any

import pytest
from matplotlib.figure import Figure
from PIL import Image

from benchwright.records import Episode
from benchwright.rows import to_table
from galleries.summary import Totals, draw_sizes, summarise

TOTALS = Totals(
    not_asked=["colour"],
    pictures=50,
    qualifying=9,
    dropped={"no_attributes": 2, "small_gallery": 39, "below_size": 0},
    not_identifiable=3,
    mean_whole_gallery=7.123456,
)


@pytest.fixture
def summary(make_episode: Any) -> dict[str, Any]:
    pars: list[tuple[int, int | None, int | None, bool, bool]] = [
        # pictures, par, par under the protocol, identifiable, under the protocol
        (6, 2, 3, True, True),
        (6, 4, None, True, True),
        (9, None, None, False, False),
        (10, 3, None, True, False),
    ]
    episodes = [
        make_episode(
            [f"{at:016x}" for at in range(size)],
            par=free,
            par_protocol=protocol,
            identifiable=solvable,
            identifiable_protocol=by_protocol,
        )
        for size, free, protocol, solvable, by_protocol in pars
    ]
    return summarise(to_table(episodes, Episode), TOTALS, "0.6")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tau", "0.6"),
        ("pictures", 50),
        ("targets", 48),  # a picture without attributes is none
        ("qualifying_targets", 9),
        ("dropped", {"no_attributes": 2, "small_gallery": 39, "below_size": 0}),
        ("not_identifiable", 3),
        ("mean_whole_gallery", 7.1235),
        ("episodes", 4),
        (
            "gallery_size",
            {"mean": 7.75, "min": 6, "max": 10, "histogram": {"6": 2, "9": 1, "10": 1}},
        ),
        ("identifiable", {"count": 3, "share": 0.75}),
        ("identifiable_protocol", {"count": 2, "share": 0.5}),
        # over those that have one; how many have none is said
        (
            "par",
            {"mean": 3.0, "median": 3, "max": 4, "none": 1, "histogram": {"2": 1, "3": 1, "4": 1}},
        ),
        ("par_protocol", {"mean": 3.0, "median": 3, "max": 3, "none": 3, "histogram": {"3": 1}}),
    ],
)
def test_each_figure(summary: dict[str, Any], name: str, expected: object) -> None:
    assert summary[name] == expected


def test_sizes_stand_in_the_order_of_numbers(summary: dict[str, Any]) -> None:
    assert list(summary["gallery_size"]["histogram"]) == ["6", "9", "10"]


def test_it_can_be_written_as_json_and_read_back(summary: dict[str, Any]) -> None:
    assert json.loads(json.dumps(summary)) == summary


def test_without_a_par_the_figures_are_null(make_episode: Any) -> None:
    one = make_episode(["0" * 16, "1" * 16], par=None, par_protocol=None)
    assert summarise(to_table([one], Episode), TOTALS, "1")["par"] == {
        "mean": None,
        "median": None,
        "max": None,
        "none": 1,
        "histogram": {},
    }


def test_the_histogram_is_a_picture_and_always_the_same(summary: dict[str, Any]) -> None:
    data = draw_sizes(summary)
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "PNG"
        assert min(picture.size) > 300
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 2
    assert draw_sizes(summary) == data
    other = {**summary, "gallery_size": {**summary["gallery_size"], "histogram": {"6": 4}}}
    assert draw_sizes(other) != data


@pytest.mark.parametrize(
    "histogram",
    [
        {"7": 1},
        {"7": 3},
        {"6": 1, "7": 1},
        {"5": 2, "15": 1},
        {"3": 400, "90": 250},
    ],
)
def test_nothing_is_counted_in_halves(
    histogram: dict[str, int], summary: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Figure] = []
    save = Figure.savefig

    def keep(figure: Figure, *given: Any, **more: Any) -> None:
        drawn.append(figure)
        save(figure, *given, **more)

    monkeypatch.setattr(Figure, "savefig", keep)
    sizes = {"histogram": histogram, "mean": float(next(iter(histogram)))}
    draw_sizes({**summary, "gallery_size": sizes})
    (axes,) = drawn[0].axes
    ticks = [*axes.get_xticks(), *axes.get_yticks()]
    assert len(ticks) > 2
    assert all(tick == round(tick) for tick in ticks)
