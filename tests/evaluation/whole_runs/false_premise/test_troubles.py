"""Runs over servers in trouble: what passes leaves no trace, what stays is told."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from stand_ins.models import Fault

Play = Callable[..., Any]
DETECTORS = ("--detectors", "keen")

# what the server does to some of its requests; all of it is asked again
PASSING: dict[str, tuple[Fault, ...]] = {
    "429 with Retry-After": (Fault(kind="rate_limit", rate=0.1, retry_after=0.05),),
    "429 with a date": (
        Fault(kind="rate_limit", ordinals=(9,), retry_after=1, retry_after_as="date"),
    ),
    "500": (Fault(kind="server_error", rate=0.1),),
    "503": (Fault(kind="unavailable", ordinals=(8, 20), retry_after=0.05),),
    "a reset": (Fault(kind="reset", rate=0.1),),
    "a reset in the body": (Fault(kind="reset_in_body", rate=0.1),),
    "half of the JSON": (Fault(kind="broken_json", rate=0.1),),
    "no choices": (Fault(kind="no_choices", rate=0.1),),
    "cut to nothing": (Fault(kind="truncated_null", ordinals=(5, 30), models=("weary",)),),
}


def spoken(rows: list[Mapping[str, Any]]) -> list[Any]:
    """Return responses without how many replies they took."""
    return [{**row, "builds": None} for row in rows]


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_leaves_no_trace(name: str, play: Play, calm: Play, behind: Any) -> None:
    quiet, served = calm("weary", *DETECTORS), behind(PASSING[name])
    rough = play(served, "weary", *DETECTORS)
    assert spoken(rough.rows) == spoken(quiet.rows)
    assert served.chats > quiet.calls  # the trouble was there


def test_what_a_filter_withholds_is_a_response(play: Play, behind: Any) -> None:
    fault = Fault(kind="content_filter", rate=0.2, models=("correcting",))
    played = play(behind((fault,)), "correcting", *DETECTORS)
    withheld = [row for row in played.rows if row["status"] == "refused"]
    assert withheld
    assert len(played.rows) == 40


def test_a_detector_whose_answers_are_filtered_gives_no_label(play: Play, behind: Any) -> None:
    fault = Fault(kind="content_filter", rate=0.3, models=("keen",))
    served = behind((fault,))
    played = play(served, "correcting", *DETECTORS, code=1)
    assert "next: the same command with --again refused" in played.said
    assert None in played.labels("keen").values()
    # it is final: asked anew where that is wished for alone
    calls = served.chats
    again = play(served, "correcting", *DETECTORS, code=1)
    assert "nothing to do" in again.said
    assert "of keen missing" in again.said
    assert served.chats == calls
    mended = behind()
    again = play(mended, "correcting", *DETECTORS, "--again", "refused")
    assert set(again.labels("keen").values()) == {"yes", "no"}
    assert (mended.chats, len(mended.brain.heard)) == (len(mended.brain.read), 0)


def test_a_context_that_is_too_small_ends_a_dialogue_as_incomplete(play: Play, behind: Any) -> None:
    served = behind(context=900)
    played = play(served, "prose", "--no-probe", code=1)
    turns = {row["turn"] for row in played.rows}
    assert 1 in turns
    assert 10 not in turns
    assert "played: 0 of 4 dialogues; 4 failed for want of a server's answer" in played.said
    calls = served.chats
    again = play(served, "prose", "--no-probe", code=1)
    assert (served.chats, again.rows) == (calls, played.rows)  # what it never takes is not asked


def test_a_detector_without_credit_leaves_the_answers(play: Play, behind: Any) -> None:
    broken = behind((Fault(kind="quota", rate=1, models=("keen",)),))
    stopped = play(broken, "correcting", *DETECTORS, code=1)
    assert "keen" in stopped.said
    assert "quota" in stopped.said
    mended = behind()
    whole = play(mended, "correcting", *DETECTORS)
    assert set(whole.labels("keen").values()) == {"yes", "no"}
    assert len(broken.brain.heard) + len(mended.brain.heard) == 40  # none of them is asked again
