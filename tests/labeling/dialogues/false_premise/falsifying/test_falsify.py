"""Falsifying, over a real HTTP server, good answers and bad ones."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking import rounds
from benchwright.asking.batch import BatchSettings
from benchwright.asking.jobs import JobSettings
from benchwright.asking.session import Spending
from benchwright.errors import BudgetSpent, WorkspaceError
from benchwright.records import Falsified
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import describe, read_described
from labeling.dialogues.false_premise.falsifying.draft import draft_of
from labeling.dialogues.false_premise.falsifying.falsified import read_falsified
from labeling.dialogues.false_premise.falsifying.falsify import estimate_falsifying, falsify
from labeling.dialogues.false_premise.planning.plan import read_plan
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE, Schedule
from stand_ins.false_premise_author import Asked, Author, Authors, serving
from stand_ins.false_premise_plan import CLASSES, planned, store_plan
from stand_ins.models import Fault, Turn

Said = dict[str, Any]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)


def made(
    workspace: Workspace, authors: Authors, variants: int = 1, max_retries: int = 2
) -> list[Falsified]:
    describe(workspace, authors.voters, Spending())
    settings = JobSettings(max_retries=max_retries)
    falsify(workspace, authors.voters, Spending(), settings, variants=variants)
    return read_falsified(workspace)


def says(*texts: str) -> Author:
    """Return an author whose false descriptions are these, attempt by attempt; {} is the true."""

    def spoil(asked: Asked, said: Said) -> Said:
        if asked.task == "describe":
            return said
        return {"false_description": texts[min(asked.attempt, len(texts) - 1)].format(asked.true)}

    return Author(spoil=spoil)


def test_each_description_is_made_false_and_keeps_the_rules(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": Author(), "ben": Author()}) as authors:
        rows = made(pictures, authors)
    described = {row.dialogue_id: row for row in read_described(pictures)}
    plan = {row.dialogue_id: row for row in read_plan(pictures)}
    assert [row.dialogue_id for row in rows] == sorted(plan)
    for row in rows:
        assert (row.variant, row.faults, row.refused, row.is_failed) == (1, (), (), False)
        assert row.model == described[row.dialogue_id].model  # who described it
        draft = draft_of(plan[row.dialogue_id], described[row.dialogue_id], row, DEFAULT_SCHEDULE)
        assert [check.reason for check in draft.checks if not check.passed] == []


def test_it_is_there_and_asked_for_once(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": (ann := Author())}) as authors:
        first = made(pictures, authors, variants=2)
        asked = len(ann.asked)
        manifest, is_there = falsify(pictures, authors.voters, Spending(), variants=2)
        assert is_there
        forced, is_there = falsify(pictures, authors.voters, Spending(), variants=2, force=True)
        assert (is_there, forced.content) == (False, manifest.content)
        assert read_falsified(pictures) == first
        assert (asked, len(ann.asked)) == (18, 18)


def test_dialogues_of_one_target_are_made_false_in_each_class(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat", classes=CLASSES))
    with serving({"ann": Author(), "ben": Author()}) as authors:
        rows = made(pictures, authors)
    described = {row.dialogue_id: row.true_description for row in read_described(pictures)}
    assert len(set(described.values())) == 2
    assert len({row.false_description for row in rows}) == 6
    assert [row.model for row in rows] == ["ann"] * 3 + ["ben"] * 3


@pytest.mark.parametrize(
    ("name", "false", "fault"),
    [
        # the description of the dog is: the COLOUR dog on the SIDE side
        ("identity", "the wet cat on the far side", "edits"),
        ("identity", "{} of the wide room", "words, the true one"),  # longer
        ("identity", "the brown hound on the left side", "words for one thing"),
    ],
)
def test_what_breaks_a_rule_goes_back_with_the_reason(
    pictures: Workspace, name: Any, false: str, fault: str
) -> None:
    store_plan(pictures, planned(pictures, "dog", classes=[name]))

    def spoil(asked: Asked, said: Said) -> Said:
        if asked.task == "describe" or asked.attempt:
            return said
        colour, side = asked.true.split()[1], asked.true.split()[-2]
        text = false.replace("brown", colour).replace("left", side)
        return {"false_description": text.format(asked.true)}

    with serving({"ann": (ann := Author(spoil=spoil))}) as authors:
        (row,) = made(pictures, authors)
    assert row.false_description is not None
    assert len(row.faults) == 1
    assert fault in row.faults[0]
    again = ann.asked[-1].text.partition("not taken")[2]
    assert f"\n- {row.faults[0]}" in again


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("no JSON at all", "holds no complete JSON value"),
        ({"false_description": "x" * 400}, "at false_description"),
        ({"false_description": None}, "at false_description"),
        (Turn(text=None, refusal="I do not lie."), "refused"),
        (Turn(text='{"false_desc', finish_reason="length"), "cut off"),
    ],
)
def test_hostile_answers_are_survived(pictures: Workspace, answer: Any, fault: str) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    author = Author(spoil=lambda asked, said: said if asked.task == "describe" else answer)
    with serving({"ann": author}) as authors:
        (row,) = made(pictures, authors, max_retries=1)
    assert row.false_description is None
    assert len(row.faults) == 2
    assert all(fault in one and one.isprintable() for one in row.faults)


def test_what_is_not_described_has_no_row(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))
    author = Author(spoil=lambda asked, said: "never" if asked.label == "dog" else said)
    with serving({"ann": author}) as authors:
        rows = made(pictures, authors)
    dog = next(row for row in read_described(pictures) if row.true_description is None)
    assert dog.dialogue_id not in {row.dialogue_id for row in rows}
    assert len(rows) == 1


def test_a_server_that_fails_leaves_rows_and_is_asked_again(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))
    with serving({"ann": Author()}) as authors:
        describe(pictures, authors.voters, Spending())
        voters = authors.voters
        fault = Fault(kind="server_error", ordinals=range(5))
        settings = JobSettings(probe=False)
    with serving({"ann": (ann := Author())}, faults=(fault,), concurrency=1) as authors:
        first, _ = falsify(pictures, authors.voters, Spending(), settings, variants=2)
        rows = read_falsified(pictures)
        assert [(row.is_failed, row.false_description is None) for row in rows] == [
            *[(True, True)] * 2,  # the second variant waits for the first
            *[(False, False)] * 2,
        ]
        assert (first.counts["failed"], len(ann.asked)) == (2, 2)
        last, is_there = falsify(pictures, authors.voters, Spending(), settings, variants=2)
        assert (last.counts["failed"], is_there, len(ann.asked)) == (0, False, 4)
    assert voters[0].model == "ann"
    assert read_falsified(pictures)[2:] == rows[2:]


def test_an_estimate_asks_nothing_and_counts_what_is_asked(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": Author(), "ben": Author()}) as authors:
        with pytest.raises(WorkspaceError, match="run build-dialogues false-premise describe"):
            estimate_falsifying(pictures, authors.voters, Spending())
        describe(pictures, authors.voters, Spending())
        calls = authors.calls()
        found = estimate_falsifying(pictures, authors.voters, Spending(), variants=2)
        expected = sum(one.calls for one in found)
        assert authors.calls() == calls
        assert expected - sum(one.looks for one in found) == 12
        falsify(pictures, authors.voters, Spending(), variants=2)
        assert authors.calls() - calls <= expected  # a voter that was looked at is not again
        after = estimate_falsifying(pictures, authors.voters, Spending(), variants=2)
        assert [(one.calls, one.answered) for one in after] == [(0, 6), (0, 6)]
        (more, other) = estimate_falsifying(pictures, authors.voters, Spending(), variants=3)
        assert (more.calls - more.looks, other.calls - other.looks) == (3, 3)


def test_of_another_plan_it_wants_new_descriptions(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": Author()}) as authors:
        made(pictures, authors)
        for rows, schedule in (
            (planned(pictures, "boat"), DEFAULT_SCHEDULE),
            (planned(pictures, "dog"), Schedule(correct=3, turns=9)),
        ):
            store_plan(pictures, rows, schedule)
            with pytest.raises(WorkspaceError, match="was described for another plan; run build"):
                falsify(pictures, authors.voters, Spending())


def test_an_allowance_is_for_all_variants_together(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog", classes=["attribute"]))
    with serving({"ann": Author()}) as authors:
        describe(pictures, authors.voters, Spending())
        calls = authors.calls()
        with pytest.raises(BudgetSpent, match="--max-calls 2 is reached"):
            falsify(pictures, authors.voters, Spending(max_calls=2), variants=3)
        assert authors.calls() == calls + 2


def of_variants(rows: list[Falsified]) -> Callable[[int], list[Falsified]]:
    return lambda variant: [row for row in rows if row.variant == variant]


def test_variants_put_in_other_words(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, classes=CLASSES))
    with serving({"ann": (ann := Author())}) as authors:
        rows = made(pictures, authors, variants=3)
    texts: dict[str, set[str | None]] = {}
    for row in rows:
        texts.setdefault(row.dialogue_id, set()).add(row.false_description)
    assert {len(each) for each in texts.values()} == {3}
    assert [(row.dialogue_id, row.variant) for row in rows] == [
        (name, variant) for name in sorted(texts) for variant in (1, 2, 3)
    ]
    third = [asked for asked in ann.asked if len(asked.others) == 2]
    assert len(third) == 18
    for asked in third:  # it is told of those before it
        of_it = next(each for each in texts.values() if set(asked.others) <= each)
        assert len(of_it) == 3


def test_a_variant_with_the_words_of_another_goes_back(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog", classes=["identity"]))

    def spoil(asked: Asked, said: Said) -> Said:
        if asked.task == "falsify" and asked.others and not asked.attempt:
            return {"false_description": asked.others[0]}
        return said

    with serving({"ann": Author(spoil=spoil)}) as authors:
        one, two = made(pictures, authors, variants=2)
    assert two.false_description not in (None, one.false_description)
    assert f"puts in the same words as {one.false_description}" in two.faults[0]


def test_without_the_first_variant_there_is_no_second(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": (ann := says("{}"))}) as authors:
        one, two = made(pictures, authors, variants=2)
    assert (one.false_description, len(one.faults), one.is_failed) == (None, 3, False)
    assert (two.false_description, two.variant, two.is_failed) == (None, 2, False)
    assert two.faults == ("the variant before it has no false description",)
    assert len(ann.asked) == 4


def test_more_variants_later_buy_only_those(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": (ann := Author())}) as authors:
        first = made(pictures, authors)
        asked = len(ann.asked)
        rows = made(pictures, authors, variants=2)
    assert of_variants(rows)(1) == first
    assert len(ann.asked) == asked + 6


def test_by_batch_the_same_comes_out(pictures: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))
    monkeypatch.setattr(rounds, "BATCH_SETTINGS", BatchSettings(poll_seconds=0.005))

    def spoil(asked: Asked, said: Said) -> Any:
        return said if asked.attempt else "never"

    with serving({"ann": Author(spoil=spoil)}) as authors:
        direct = made(pictures, authors, variants=2)
    (pictures.answers).unlink()
    settings = JobSettings(batch=True)
    with serving({"ann": (ann := Author(spoil=spoil))}) as authors:
        describe(pictures, authors.voters, Spending(), settings, force=True)
        falsify(pictures, authors.voters, Spending(), settings, variants=2, force=True)
    assert read_falsified(pictures) == direct
    assert len(ann.asked) == 3 * (2 + 4)  # each first answer is asked for again, then sent back
