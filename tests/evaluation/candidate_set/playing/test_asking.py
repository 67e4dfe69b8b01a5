"""What a model is asked of a sample."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from benchwright.asking.views import part_of
from benchwright.asking.voters import PictureLimits
from evaluation.candidate_set.playing.asking import HowAsked, ask_for
from evaluation.releases.pictures import Shown
from stand_ins.dialogues import candidate_set

SAMPLE = candidate_set(turn=2, boxes=4)
WHOLE, SMALLER = PictureLimits(), PictureLimits(max_side=50)


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    path = tmp_path / "picture.png"
    Image.new("RGB", (100, 80), "teal").save(path)
    return Shown(part=part_of(path), size=(100, 80), category=None)


def test_the_picture_comes_first_and_once(shown: Shown) -> None:
    asked = ask_for(SAMPLE, shown, WHOLE, HowAsked())
    (message,) = asked.request.messages
    picture, text = message.parts
    assert picture == shown.part
    assert isinstance(text, str)
    assert "human: line 1\nagent: line 2\nhuman: line 3" in text
    assert "“line 1”" in text
    assert (asked.given, asked.listed) == ((), ())
    assert asked.request.parameters == {"temperature": 0}


def test_pixels_are_those_of_what_is_sent(shown: Shown) -> None:
    asked = ask_for(SAMPLE, shown, SMALLER, HowAsked(box_format="pixels"))
    assert "which is 50 wide and 40 high" in str(asked.request.messages[0].parts[1])
    assert asked.sent.placed((10, 5, 20, 20), "pixels") == (20, 10, 20, 30)


@pytest.mark.parametrize(
    ("how", "limits", "third"),
    [
        # the box [60, 10, 15, 30] of a picture of 100 x 80
        (HowAsked(is_given=True), WHOLE, "[600, 125, 750, 500]"),
        (HowAsked(is_given=True, box_format="tagged"), WHOLE, "[600, 125, 750, 500]"),
        (HowAsked(is_given=True, box_format="pixels"), SMALLER, "[30, 5, 38, 20]"),
        (
            HowAsked(is_given=True, box_format="fractions"),
            WHOLE,
            "[0.600, 0.125, 0.750, 0.500]",
        ),
    ],
)
def test_given_boxes_are_listed_in_the_unit(
    how: HowAsked, limits: PictureLimits, third: str, shown: Shown
) -> None:
    asked = ask_for(SAMPLE, shown, limits, how)
    by_id = {box.box_id: text for box, text in zip(asked.given, asked.listed, strict=True)}
    assert by_id["3"] == third


def test_the_order_of_given_boxes_is_drawn_and_tells_of_no_turn(shown: Shown) -> None:
    def order(turn: int, seed: int) -> list[str]:
        sample = candidate_set(turn=turn, boxes=9)
        sample = replace(sample, candidate_ids=tuple("123"[turn - 1 :]))
        asked = ask_for(sample, shown, WHOLE, HowAsked(is_given=True, seed=seed))
        return [box.box_id for box in asked.given]

    assert order(1, 0) == order(2, 0) == order(3, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != sorted(order(1, 0))


def test_settings_tell_apart_what_is_asked_otherwise() -> None:
    ways = [
        HowAsked(),
        HowAsked(box_format="pixels"),
        HowAsked(box_format="tagged"),
        HowAsked(instruction="aware"),
        HowAsked(instruction="stepwise"),
        HowAsked(is_given=True),
    ]
    assert len({way.digest() for way in ways}) == len(ways)
    assert HowAsked(sample=1).settings() != HowAsked().settings()


def test_a_repetition_is_asked_at_another_temperature(shown: Shown) -> None:
    asked = ask_for(SAMPLE, shown, WHOLE, HowAsked(sample=2))
    assert asked.request.sample == 2
    assert asked.request.parameters == {"temperature": 1}
