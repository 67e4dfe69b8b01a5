"""From what was written back to pixels of the upright picture."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.box_reading import SentPicture, Unit
from benchwright.asking.box_reading.corners import Corners
from benchwright.asking.requests import View
from benchwright.asking.views import layout_of
from benchwright.asking.voters import PictureLimits

UNITS: tuple[Unit, ...] = get_args(Unit)
SMALL = SentPicture.unchanged((400, 300))
LARGE = SentPicture.unchanged((2000, 1500))


def sent_of(width: int, height: int, limits: PictureLimits) -> SentPicture:
    layout = layout_of(width, height, View(), limits)
    return SentPicture(upright=(width, height), scaled=layout.scaled, size=layout.size)


@given(
    st.integers(30, 4000),
    st.integers(30, 4000),
    st.sampled_from([PictureLimits(), PictureLimits(max_side=300), PictureLimits(min_side=500)]),
    st.sampled_from(UNITS),
    st.tuples(*[st.floats(0, 1)] * 4),
)
def test_what_is_shown_comes_back(
    width: int, height: int, limits: PictureLimits, unit: Unit, shares: tuple[float, ...]
) -> None:
    sent = sent_of(width, height, limits)
    (x1, x2), (y1, y2) = sorted(shares[:2]), sorted(shares[2:])
    box = (x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height)
    assert sent.placed(sent.written(box, unit), unit) == pytest.approx(box, abs=1e-6)


@pytest.mark.parametrize(
    ("corners", "unit", "box"),
    [
        # a picture of 800 x 400 that was brought down to 400 x 200
        ((100, 50, 200, 100), "pixels", (200, 100, 200, 100)),
        ((500, 500, 1000, 1000), "thousandths", (400, 200, 400, 200)),
        ((0.5, 0.5, 1, 1), "fractions", (400, 200, 400, 200)),
        # corners in another order
        ((200, 100, 100, 50), "pixels", (200, 100, 200, 100)),
        ((200, 50, 100, 100), "pixels", (200, 100, 200, 100)),
        # over the edge: cut there; beyond it: as it was given
        ((300, 150, 500, 300), "pixels", (600, 300, 200, 100)),
        ((-100, -50, 100, 50), "pixels", (0, 0, 200, 100)),
        ((500, 50, 600, 100), "pixels", (1000, 100, 200, 100)),
        # no area
        ((100, 50, 100, 50), "pixels", (200, 100, 0, 0)),
    ],
)
def test_places(corners: Corners, unit: Unit, box: Corners) -> None:
    sent = SentPicture(upright=(800, 400), scaled=(400, 200), size=(400, 200))
    assert sent.placed(corners, unit) == pytest.approx(box)


def test_what_was_laid_around_a_picture_is_no_part_of_it() -> None:
    sent = sent_of(20, 40, PictureLimits(min_side=28))
    assert (sent.scaled, sent.size) == ((20, 40), (28, 40))
    assert sent.placed((4, 0, 24, 40), "pixels") == pytest.approx((0, 0, 20, 40))
    assert sent.placed((0, 0, 1000, 1000), "thousandths") == pytest.approx((0, 0, 20, 40))


@pytest.mark.parametrize(
    ("sent", "asked", "found", "unit"),
    [
        # as asked
        (SMALL, "thousandths", [(100, 200, 900, 800)], "thousandths"),
        (SMALL, "pixels", [(10, 20, 390, 280)], "pixels"),
        (SMALL, "fractions", [(0.1, 0.2, 0.5, 1)], "fractions"),
        # a little over the edge is still what was asked for
        (LARGE, "thousandths", [(100, 200, 1003, 800)], "thousandths"),
        (SMALL, "fractions", [(0.1, 0.2, 1.01, 0.9)], "fractions"),
        # all smaller than one of the unit: fractions, whatever was asked for
        (SMALL, "thousandths", [(0.1, 0.2, 0.5, 1), (0, 0, 1, 1)], "fractions"),
        (SMALL, "pixels", [(0.1, 0.2, 0.5, 1)], "fractions"),
        # one of them is not, so they are what was asked for
        (SMALL, "thousandths", [(0.1, 0.2, 0.5, 1), (100, 200, 300, 400)], "thousandths"),
        # beyond the picture, and within it in pixels alone, or in thousandths alone
        (LARGE, "thousandths", [(1200, 100, 1400, 300)], "pixels"),
        (SMALL, "pixels", [(500, 500, 900, 900)], "thousandths"),
        (LARGE, "fractions", [(1200, 100, 1400, 300)], "pixels"),
        (SMALL, "fractions", [(500, 500, 900, 900)], "thousandths"),
        # pixels or thousandths: nobody can tell, so it stays as asked
        (SMALL, "fractions", [(100, 100, 300, 200)], "fractions"),
        # beyond it in every unit
        (SMALL, "thousandths", [(5000, 5000, 6000, 6000)], "thousandths"),
        (SMALL, "thousandths", [(-5, -5, -1, -1)], "thousandths"),
        # nothing
        (SMALL, "pixels", [], "pixels"),
    ],
)
def test_another_unit_is_taken_where_it_is_certain(
    sent: SentPicture, asked: Unit, found: list[Corners], unit: Unit
) -> None:
    assert sent.unit_of(found, asked) == unit
