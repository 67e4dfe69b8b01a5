"""How boxes are read from a response, and what they are worth."""

from typing import Any, get_args

import pytest

from benchwright.protocols.candidate_set import (
    Box,
    BoxFormat,
    Instruction,
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
        # written in another way than asked for
        ("<ref>cup</ref><box>(0,0),(100,200)</box>", [(0, 0, 20, 20)]),
        ("[0, 0, 0.1, 0.2]", [(0, 0, 20, 20)]),
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


def test_formats_differ_in_the_boxes_alone() -> None:
    """And all of the words are the same for all models."""
    said = {name: prompt(ROW, name, size=(640, 480)) for name in get_args(BoxFormat)}
    heads = {text.partition("Give a box")[0] for text in said.values()}
    assert len(heads) == 1
    assert "640 wide and 480 high" in said["pixels"]
    assert "from 0 to 1000" in said["thousandths"]
    assert "from 0 to 1." in said["fractions"]
    assert "<box>(x1,y1),(x2,y2)</box>" in said["tagged"]


def test_instructions_add_to_the_base_prompt() -> None:
    base, aware, stepwise = (prompt(ROW, instruction=name) for name in get_args(Instruction))
    head, end = base.split(" Give a box")
    assert aware.startswith(f"{head} ")
    assert aware.endswith(f" Give a box{end}")
    assert stepwise.startswith(f"{head} ")
    assert "Answer:" in stepwise
    assert "nothing else" not in stepwise
    assert len({base, aware, stepwise}) == 3


def test_given_boxes_are_listed_by_number() -> None:
    text = prompt(ROW, given=("[1, 2, 3, 4]", "[5, 6, 7, 8]"))
    assert "1. [1, 2, 3, 4]\n2. [5, 6, 7, 8]\n" in text
    assert "Give the numbers" in text
    assert "Give a box" not in text
