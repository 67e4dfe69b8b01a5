"""How boxes are read from a response, and what they are worth."""

from typing import Any

import pytest

from benchwright.protocols.candidate_set import (
    Box,
    boxes_in,
    of_kind,
    prompt,
    score_several,
    score_single,
    true_boxes,
)

ROW: dict[str, Any] = {
    "width": 200,
    "height": 100,
    "context": [{"speaker": "human", "text": "the cup"}, {"speaker": "agent", "text": "which?"}],
    "first_utterance": "the cup",
    "boxes": [
        {"box_id": "1", "bbox": [0.0, 0.0, 20.0, 20.0]},
        {"box_id": "2", "bbox": [100.0, 50.0, 20.0, 20.0]},
        {"box_id": "3", "bbox": [160.0, 0.0, 20.0, 20.0]},
    ],
    "candidate_ids": ["1", "2"],
    "kind": "set",
}
FIRST, SECOND = "[0, 0, 100, 200]", "[500, 500, 600, 700]"


@pytest.mark.parametrize(
    ("response", "boxes"),
    [
        # a list, fenced, in objects, in prose, with decimals
        (f"[{FIRST}]", [(0, 0, 20, 20)]),
        (f"```json\n[{FIRST}, {SECOND}]\n```", [(0, 0, 20, 20), (100, 50, 20, 20)]),
        ('[{"bbox_2d": [0, 0, 100, 200], "label": "cup"}]', [(0, 0, 20, 20)]),
        ("It is at [0.0,0.0,100.0,200.0].", [(0, 0, 20, 20)]),
        # corners the other way round
        ("[100, 200, 0, 0]", [(0, 0, 20, 20)]),
        # what was only thought of
        (f"<think>{SECOND}</think>{FIRST}", [(0, 0, 20, 20)]),
        # none, three numbers, numbers of no end
        ("[]", []),
        ("[1, 2, 3]", []),
        ("There is no such object.", []),
        (f"[0, 0, {'9' * 400}, 1]", []),
    ],
)
def test_reads_boxes(response: str, boxes: list[Box]) -> None:
    assert boxes_in(response, 200, 100) == [pytest.approx(box) for box in boxes]


def test_counts_the_first_fifteen() -> None:
    assert len(boxes_in(FIRST * 20, 200, 100)) == 15


@pytest.mark.parametrize(
    ("response", "precision", "recall", "f1"),
    [
        (FIRST + SECOND, 1, 1, 1),
        (FIRST, 1, 1 / 2, 2 / 3),
        # a box given twice is a pair once
        (FIRST + FIRST, 1 / 2, 1 / 2, 1 / 2),
        ("none", 0, 0, 0),
    ],
)
def test_scores_a_set(response: str, precision: float, recall: float, f1: float) -> None:
    wanted = {"precision": precision, "recall": recall, "f1": f1}
    assert score_several(ROW, response) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("response", "accuracy"),
    [
        (FIRST, 1.0),
        # duplicates apart there is one box
        (FIRST + FIRST, 1.0),
        (FIRST + SECOND, 0.0),
        (SECOND, 0.0),
        ("", 0.0),
    ],
)
def test_scores_a_single_box(response: str, accuracy: float) -> None:
    row = {**ROW, "candidate_ids": ["1"], "kind": "single"}
    assert score_single(row, response) == {"accuracy": accuracy}


def test_the_prompt_tells_what_was_said_and_not_how_many_are_left() -> None:
    single = {**ROW, "candidate_ids": ["1"], "kind": "single"}
    assert "human: the cup\nagent: which?" in prompt(ROW)
    assert prompt(single) == prompt(ROW)
    assert true_boxes(single) == [(0.0, 0.0, 20.0, 20.0)]
    assert of_kind([ROW, single], "single") == [single]
