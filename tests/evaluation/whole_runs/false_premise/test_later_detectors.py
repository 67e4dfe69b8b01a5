"""Detectors that come later label what stands, and nothing is asked of the model again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Play = Callable[..., Any]


def test_a_detector_that_comes_later_asks_the_model_nothing(
    play: Play, calm: Play, behind: Any
) -> None:
    served = behind()
    bare = play(served, "weary")
    assert "nobody reads it" in bare.said
    assert "next: the same command with --detectors" in bare.said
    asked = len(served.brain.heard)
    labelled = play(served, "weary", "--detectors", "keen")
    assert len(served.brain.heard) == asked
    assert [row["response"] for row in labelled.rows] == [row["response"] for row in bare.rows]
    both = play(served, "weary", "--detectors", "careless,keen")
    assert len(served.brain.heard) == asked
    assert len(served.brain.read) == 80
    assert both.labels("keen") == labelled.labels("keen")
    at_once = calm("weary", "--detectors", "keen,careless")
    assert both.contents() == at_once.contents()


def test_labels_that_stand_are_not_dropped(play: Play, behind: Any) -> None:
    served = behind()
    first = play(served, "weary", "--detectors", "keen")
    refused = play(served, "weary", "--detectors", "careless", code=1)
    assert "holds labels of keen; name all of --detectors careless,keen" in refused.said
    assert "--force, which asks for no answer or label that this workspace has" in refused.said
    assert refused.rows == first.rows
    play(served, "weary", "--detectors", "careless,keen")
    calls = served.chats
    forced = play(served, "weary", "--detectors", "careless", "--force")
    assert served.chats == calls
    assert set(forced.labels("careless").values()) == {"yes", "no"}
    assert not forced.labels("keen")


def test_another_model_is_no_later_detector(play: Play, behind: Any) -> None:
    served = behind()
    play(served, "weary")
    refused = play(served, "prose", "--detectors", "keen", code=1)
    assert "holds a run with other" in refused.said
    assert "--force" in refused.said


def test_the_order_of_detectors_is_that_of_their_names(play: Play, calm: Play, behind: Any) -> None:
    first = calm("weary", "--detectors", "keen,careless")
    other = play(behind(), "weary", "--detectors", "careless,keen")
    assert first.contents() == other.contents()


def test_a_labelling_that_is_stopped_goes_on(play: Play, behind: Any) -> None:
    served = behind()
    bare = play(served, "weary", "--no-probe")
    options = ("--detectors", "keen", "--no-probe")
    stopped = play(served, "weary", *options, "--max-calls", "25", code=1)
    assert len(served.brain.read) == 25
    assert 0 < len(stopped.rows) < 40
    whole = play(served, "weary", *options)
    assert len(whole.rows) == len(bare.rows) == 40
    assert (len(served.brain.read), served.asked_again()) == (40, 0)


def test_a_model_by_its_address_is_read_by_detectors_of_a_file(
    release: Path, run: Callable[..., Any], arguments: Any, behind: Any, tmp_path: Path
) -> None:
    served = behind()
    said = arguments(served, "weary", tmp_path / "w", "--detectors", "keen")
    at = said.index("--only")
    said[at : at + 2] = ["--model", "weary", "--base-url", served.server.base_url]
    ran = run("run-benchmark", *said)
    assert ran.code == 0, ran.err
    assert "corrections by keen: 12 of 28 false premises (42.9%)" in ran.out


def test_a_model_may_read_its_own_answers(play: Play, behind: Any) -> None:
    """What it is asked as a detector are calls of its own."""
    both = play(behind(), "weary", "--detectors", "weary", "--estimate", "--no-probe").said
    assert re.search(r"^weary +80 +0 ", both, re.MULTILINE)
