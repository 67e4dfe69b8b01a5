"""What a run says before its first call, and what it then takes."""

import re
from collections.abc import Callable
from typing import Any

Play = Callable[..., Any]


def calls(said: str, voter: str) -> tuple[int, int]:
    """Return the fewest calls of a row of the table, and how many are answered."""
    found = re.search(rf"^{voter} +([\d,]+)(?: to [\d,]+)? +([\d,]+) ", said, re.MULTILINE)
    assert found is not None, said
    return int(found[1]), int(found[2])


def test_an_estimate_asks_nothing_and_leaves_nothing(play: Play, behind: Any) -> None:
    served = behind()
    said = play(served, "weary", "--detectors", "keen", "--estimate", "--no-probe")
    assert served.chats == 0
    assert not said.folder.parent.exists()
    assert calls(said.said, "weary") == (40, 0)
    assert calls(said.said, "keen") == (40, 0)
    assert "4 dialogues about 4 pictures (attribute 1, identity 2, location 1)" in said.said
    assert "40 questions, 28 of them with a false premise" in said.said


def test_a_run_takes_what_was_estimated(play: Play, behind: Any) -> None:
    served = behind()
    said = play(served, "weary", "--detectors", "keen,careless", "--no-probe").said
    named = sum(calls(said, name)[0] for name in ("weary", "keen", "careless"))
    assert served.chats == named == 120


def test_what_is_answered_is_told_apart(play: Play, behind: Any) -> None:
    served = behind()
    play(served, "weary", "--no-probe", "--max-calls", "22", code=1)
    said = play(served, "weary", "--detectors", "keen", "--estimate", "--no-probe").said
    assert calls(said, "weary") == (18, 22)
    assert calls(said, "keen") == (40, 0)


def test_fewer_dialogues_are_drawn_whole(play: Play, behind: Any) -> None:
    two = play(behind(), "weary", "--episodes", "2", place="two")
    assert "2 dialogues about 2 pictures" in two.said
    assert len(two.rows) == 20
    three = play(behind(), "weary", "--episodes", "3", place="three")
    assert {row["dialogue_id"] for row in two.rows} < {row["dialogue_id"] for row in three.rows}


def test_the_tokens_of_the_picture_are_in_every_call(play: Play, behind: Any) -> None:
    """The history is sent each time, and with it the picture."""
    tokens = {"picture_tokens": {"fixed": 1_000}}
    said = play(behind(), "weary", "--estimate", "--no-probe", **tokens).said
    found = re.search(r"^weary +40 +0 +(\d+)k to (\d+)k", said, re.MULTILINE)
    assert found is not None, said
    assert 40 <= int(found[1]) < 80
