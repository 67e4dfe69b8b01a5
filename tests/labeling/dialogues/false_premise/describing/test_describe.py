"""Describing, over a real HTTP server, good answers and bad ones."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchwright.asking.jobs import JobSettings
from benchwright.asking.session import Spending
from benchwright.errors import BudgetSpent, WorkspaceError
from benchwright.records import Described
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import (
    describe,
    estimate_describing,
    read_described,
)
from labeling.dialogues.false_premise.describing.question_rules import question_faults
from labeling.dialogues.false_premise.rules.turns import Schedule
from stand_ins.false_premise_author import Asked, Author, Authors, serving
from stand_ins.false_premise_plan import CLASSES, planned, store_plan
from stand_ins.models import Fault, Turn

Said = dict[str, Any]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)


def made(
    workspace: Workspace, authors: Authors, *, max_retries: int = 2, **more: Any
) -> list[Described]:
    settings = JobSettings(max_retries=max_retries, **more)
    describe(workspace, authors.voters, Spending(), settings)
    return read_described(workspace)


def test_each_target_is_described_with_its_questions(pictures: Workspace) -> None:
    rows = planned(pictures)
    store_plan(pictures, rows)
    with serving({"ann": (ann := Author())}) as authors:
        found = made(pictures, authors)
    assert [row.dialogue_id for row in found] == [row.dialogue_id for row in rows]
    for row in found:
        assert row.true_description is not None
        assert row.model == "ann"
        assert (row.faults, row.is_failed) == ((), False)
        assert question_faults(row.questions, row.true_description, 10) == []
    assert {one.label for one in ann.asked} == {"dog", "bicycle", "donut", "boat", "person"}
    for asked in ann.asked:  # it is not told what is to be false
        assert not any(name in asked.text for name in CLASSES)


def test_it_is_there_and_asked_for_once(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": Author()}) as authors:
        first, was_there = describe(pictures, authors.voters, Spending())
        calls = authors.calls()
        again, is_there = describe(pictures, authors.voters, Spending())
        assert (was_there, is_there, again) == (False, True, first)
        forced, is_there = describe(pictures, authors.voters, Spending(), force=True)
        assert (is_there, forced.content) == (False, first.content)
        assert authors.calls() == calls
        assert authors.most_alike() == 1


def test_two_voters_take_turns_and_the_rows_say_who(pictures: Workspace) -> None:
    rows = planned(pictures)
    store_plan(pictures, rows)
    with serving({"ann": Author(), "ben": Author()}) as authors:
        found = made(pictures, authors)
    assert [row.model for row in found] == ["ann", "ben"] * 3


def test_dialogues_of_one_target_share_what_is_written(pictures: Workspace) -> None:
    rows = planned(pictures, "dog", "boat", "woman", classes=CLASSES)
    store_plan(pictures, rows)
    with serving({"ann": (ann := Author()), "ben": (ben := Author())}) as authors:
        found = made(pictures, authors)
    assert len(found) == 9
    assert len({(row.true_description, row.questions) for row in found}) == 3
    assert len(ann.asked) + len(ben.asked) == 3
    of_class = {row.dialogue_id: row.model for row in found}
    for row in rows:  # a class is not at the same time a model
        assert of_class[row.dialogue_id] == of_class[f"{row.image_id}-identity"]


def without_it_in_7(asked: Asked, said: Said) -> Said:
    questions = list(said["questions"])
    questions[6] = "Which thing is closest to it?"
    return {**said, "questions": questions}


def test_what_breaks_a_rule_goes_back_with_the_reason(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    author = Author(
        spoil=lambda asked, said: said if asked.attempt else without_it_in_7(asked, said)
    )
    with serving({"ann": author}) as authors:
        (row,) = made(pictures, authors)
    assert row.true_description is not None
    assert row.faults == ("the description is missing from question 7",)
    assert [one.attempt for one in author.asked] == [0, 1]
    assert "- the description is missing from question 7" in author.asked[1].text


def test_after_the_last_attempt_the_row_says_why(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))
    author = Author(
        spoil=lambda asked, said: without_it_in_7(asked, said) if asked.label == "dog" else said
    )
    with serving({"ann": author}) as authors:
        dog, boat = sorted(made(pictures, authors), key=lambda row: row.true_description or "")
        manifest, is_there = describe(pictures, authors.voters, Spending())
    assert (dog.true_description, dog.questions, dog.is_failed) == (None, (), False)
    assert dog.faults == ("the description is missing from question 7",) * 3
    assert boat.true_description is not None
    assert is_there  # nothing is left to ask
    counts = {name: manifest.counts[name] for name in ("described", "given_up", "failed", "faults")}
    assert counts == {"described": 1, "given_up": 1, "failed": 0, "faults": 3}


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (lambda said: "I would rather write a poem.", "holds no complete JSON value"),
        (lambda said: json.dumps(said)[:-40], "holds no complete JSON value"),
        (lambda said: {**said, "description": "the " * 200}, "at description"),
        (lambda said: {**said, "description": "the dog \x1b[2J"}, "cannot be printed"),
        (lambda said: {**said, "description": "le chien brun sur le tapis"}, "begin with the word"),
        (lambda said: {**said, "description": "<b>the dog</b>"}, "holds '<'"),
        (lambda said: {**said, "description": ["the dog"]}, "at description"),
        (lambda said: {**said, "questions": said["questions"] * 20}, "200 questions, wanted are"),
        (lambda said: {**said, "questions": ["a?"] * 300}, "at questions"),
        (lambda said: {**said, "questions": said["questions"][:1] * 10}, "and 2 are the same"),
        (lambda said: {**said, "questions": ["x" * 5_000]}, "at questions > 0"),
        (lambda said: {**said, "class": "identity"}, "at class"),  # more than was wanted
        (lambda said: Turn(text=None, refusal="I cannot help with people."), "refused"),
        (lambda said: Turn(text="{", finish_reason="length"), "cut off"),
    ],
)
def test_hostile_answers_are_survived(
    pictures: Workspace, answer: Callable[[Said], Any], fault: str
) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": Author(spoil=lambda _, said: answer(said))}) as authors:
        (row,) = made(pictures, authors, max_retries=0)
    assert row.true_description is None
    assert len(row.faults) == 1
    assert fault in row.faults[0]
    assert row.faults[0].isprintable()
    assert len(row.faults[0]) < 2_000


def test_a_server_that_fails_for_one_picture_leaves_a_row_and_is_asked_again(
    pictures: Workspace,
) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat", "woman"))
    with serving({"ann": Author()}) as authors:
        (estimate,) = estimate_describing(pictures, authors.voters, Spending())
    tries = range(estimate.looks, estimate.looks + 5)  # all those at the first picture
    broken = Fault(kind="server_error", ordinals=tries)
    with serving({"ann": (ann := Author())}, faults=(broken,), concurrency=1) as authors:
        first, _ = describe(pictures, authors.voters, Spending())
        before = read_described(pictures)
        assert [row.is_failed for row in before] == [True, False, False]
        assert (first.counts["failed"], len(ann.asked)) == (1, 2)
        last, was_there = describe(pictures, authors.voters, Spending())
        assert (last.counts["failed"], was_there, len(ann.asked)) == (0, False, 3)
    after = read_described(pictures)
    assert [row.is_failed for row in after] == [False, False, False]
    assert after[1:] == before[1:]


@pytest.mark.parametrize("structured", ["json_object", "json_schema"])
def test_servers_that_hold_to_a_form(pictures: Workspace, structured: Any) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": Author()}, structured=structured) as authors:
        (row,) = made(pictures, authors)
    assert row.true_description is not None


def test_the_schedule_of_the_plan_says_how_many_questions(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"), Schedule(correct=2, turns=12))
    with serving({"ann": Author()}) as authors:
        (row,) = made(pictures, authors)
    assert len(row.questions) == 12


def test_an_estimate_asks_nothing_and_counts_what_is_asked(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": Author(), "ben": Author()}) as authors:
        looks, asked = 0, 0
        for estimate in estimate_describing(pictures, authors.voters, Spending()):
            asked += estimate.calls
            looks += estimate.looks
        assert authors.calls() == 0
        assert asked - looks == 6
        made(pictures, authors)
        assert authors.calls() == asked
        after = estimate_describing(pictures, authors.voters, Spending())
        assert [(one.calls, one.answered) for one in after] == [(0, 3), (0, 3)]


def test_where_the_money_ends_the_run_goes_on_later(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": (ann := Author())}) as authors:
        with pytest.raises(BudgetSpent):
            describe(pictures, authors.voters, Spending(max_calls=5))
        with pytest.raises(WorkspaceError, match="run build-dialogues false-premise describe"):
            read_described(pictures)
        assert len(made(pictures, authors)) == 6
    assert len(ann.asked) == 6


def test_without_a_plan_it_says_what_to_run(pictures: Workspace) -> None:
    with (
        serving({"ann": Author()}) as authors,
        pytest.raises(WorkspaceError, match="run build-dialogues false-premise plan first"),
    ):
        describe(pictures, authors.voters, Spending())


def test_an_object_that_the_catalog_lost_is_named(pictures: Workspace) -> None:
    (row,) = planned(pictures, "dog")
    store_plan(pictures, [replace(row, object_id="gone")])
    with (
        serving({"ann": Author()}) as authors,
        pytest.raises(WorkspaceError, match="has no object gone in a picture"),
    ):
        describe(pictures, authors.voters, Spending())
