"""Whatever way a model writes boxes, they are the same boxes in the record."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.records import CandidateSet

Play = Callable[..., Any]

# model, options, settings of the voter, how its answers are read
WAYS: dict[str, tuple[str, tuple[str, ...], dict[str, Any], str]] = {
    "as asked": ("thousandths", (), {}, "json"),
    "pixels of what was sent": ("pixels", ("--box-format", "pixels"), {}, "json"),
    "pixels of a picture that was made smaller": (
        "pixels",
        ("--box-format", "pixels"),
        {"pictures": {"min_side": 1, "max_side": 16}},
        "json",
    ),
    "fractions": ("fractions", ("--box-format", "fractions"), {}, "json"),
    "fractions where thousandths were asked for": ("fractions", (), {}, "json, fractions"),
    "tags": ("tagged", ("--box-format", "tagged"), {}, "tags"),
    "tags where JSON was asked for": ("tagged", (), {}, "tags"),
    "special tokens": ("tokens", ("--box-format", "tagged"), {}, "tags"),
    "objects in a fence": ("objects", (), {}, "json"),
    "width and height": ("sizes", (), {}, "json"),
    "prose": ("prose", (), {}, "brackets"),
    "corners in the wrong order": ("swapped", (), {}, "json"),
    "reasoning before": ("thinking", (), {}, "json"),
    "steps before": ("steps", ("--instruction", "stepwise"), {}, "json"),
    "a model that was told more": ("thousandths", ("--instruction", "aware"), {}, "json"),
}


def true_boxes(sample: CandidateSet) -> list[tuple[float, ...]]:
    by_id = {box.box_id: box.bbox for box in sample.boxes}
    return [by_id[name] for name in sample.candidate_ids]


@pytest.mark.parametrize("way", WAYS)
def test_boxes_come_back(way: str, play: Play, behind: Any, samples: list[CandidateSet]) -> None:
    model, options, settings, read_by = WAYS[way]
    played = play(behind(), model, *options, **settings)
    assert played.code == 0, played.said
    assert len(played.rows) == len(samples) == 18
    for row, sample in zip(played.rows, samples, strict=True):
        assert (row["dialogue_id"], row["turn"]) == (sample.dialogue_id, sample.turn)
        assert row["read_by"] == read_by
        assert row["status"] == "ok"
        assert row["chosen"] == []
        assert row["boxes"] == [pytest.approx(box, abs=0.02) for box in true_boxes(sample)]
    assert f"read as: {read_by} 18" in played.said


def test_given_the_candidates_a_model_selects(calm: Play, samples: list[CandidateSet]) -> None:
    played = calm("selecting", "--given-candidates")
    assert played.code == 0, played.said
    for row, sample in zip(played.rows, samples, strict=True):
        assert row["chosen"] == list(sample.candidate_ids)
        assert row["boxes"] == [list(box) for box in true_boxes(sample)]
        assert row["read_by"] == "json"


def test_all_that_was_given_is_recorded(calm: Play) -> None:
    many = calm("many")
    assert [len(row["boxes"]) for row in many.rows[:3]] == [23, 22, 21]


@pytest.mark.parametrize(
    ("model", "read_by"),
    [("none", {"none"}), ("declining", {"declined"}), ("junk", {"unread", "json"})],
)
def test_what_is_no_box_is_an_answer(model: str, read_by: set[str], calm: Play) -> None:
    played = calm(model)
    assert played.code == 0, played.said
    assert {row["read_by"] for row in played.rows} == read_by
    inside = [box for row in played.rows for box in row["boxes"] if box[0] < 24 and box[1] < 32]
    assert inside == []


def test_a_baseline_gives_all_of_the_category(
    play: Play, behind: Any, samples: list[CandidateSet]
) -> None:
    played = play(behind(), "all-of-category")
    assert {len(row["boxes"]) for row in played.rows} == {3}
