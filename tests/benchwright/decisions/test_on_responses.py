"""What people decided of the responses of a run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.on_responses import judged_responses, run_called
from benchwright.records import Decision
from stand_ins.auditors import decision
from stand_ins.responses_of_a_run import response

RUN = "talker-0123abcd"


def said(auditor: str, after: str | None = "yes", minute: int = 0, **more: Any) -> Decision:
    told: dict[str, Any] = {
        "image_id": None,
        "record_id": f"{RUN}/talker/fp-1/4",
        "field": "corrected",
        "auditor": auditor,
        "at": f"2026-03-01T12:{minute:02}:00+00:00",
        "probability": 0.5,
    }
    return decision(after=after, **{**told, **more})


def test_a_run_is_called_by_its_folder_and_its_answers() -> None:
    rows = [response(0), response(1)]
    called = run_called(Path("runs/My Model.v2"), rows)
    assert called.startswith("my-model-v2-")
    assert run_called(Path("elsewhere/my model v2"), rows[::-1]) == called
    assert run_called(Path("runs/My Model.v2"), [replace(rows[0], detectors=()), rows[1]]) == called
    assert (
        run_called(Path("runs/My Model.v2"), [replace(rows[0], response="No."), rows[1]]) != called
    )
    assert run_called(Path("runs/é"), rows).startswith("run-")


def test_two_who_agree_and_a_check_that_is_none() -> None:
    found = judged_responses(
        [
            said("ana"),
            said("bo", minute=1),
            said("ana", record_id=f"{RUN}-2/talker/fp-1/4"),  # another run
            said("ana", field="dialogue"),
            decision(),  # on a label
        ],
        RUN,
    )
    assert list(found) == ["talker/fp-1/4"]
    one = found["talker/fp-1/4"]
    assert (dict(one.by_person), one.answer, one.is_drawn) == (
        {"ana": "yes", "bo": "yes"},
        "yes",
        True,
    )


@pytest.mark.parametrize(
    ("decisions", "by_person", "answer"),
    [
        # they differ, and nobody has settled it
        ([said("ana"), said("bo", "no", 1)], {"ana": "yes", "bo": "no"}, None),
        # a third settles it, and is not counted where agreement is
        (
            [said("ana"), said("bo", "no", 1), said("cyd", "no", 2)],
            {"ana": "yes", "bo": "no"},
            "no",
        ),
        # who looked first counts, whatever was decided again later and in whatever order it stands
        (
            [said("cyd", "no", 2), said("bo", "no", 1), said("ana"), said("ana", "no", 9)],
            {"ana": "no", "bo": "no"},
            "no",
        ),
        # one cannot tell
        ([said("ana", None), said("bo", "no", 1)], {"bo": "no"}, "no"),
        ([said("ana", None)], {}, None),
        # a text of somebody else's making
        ([said("ana", "perhaps")], {}, None),
    ],
)
def test_who_says_what(
    decisions: list[Decision], by_person: dict[str, str], answer: str | None
) -> None:
    one = judged_responses(decisions, RUN)["talker/fp-1/4"]
    assert (dict(one.by_person), one.answer) == (by_person, answer)


def test_what_was_withdrawn_is_gone() -> None:
    withdrawn = said("ana", None, 1, verdict="withdrawn")
    assert judged_responses([said("ana"), withdrawn], RUN) == {}


def test_what_no_plan_drew_is_told_apart() -> None:
    decisions = [said("ana"), said("bo", minute=1, probability=None)]
    assert not judged_responses(decisions, RUN)["talker/fp-1/4"].is_drawn
