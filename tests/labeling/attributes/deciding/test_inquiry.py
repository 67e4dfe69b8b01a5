"""Votes that stop when they are settled give the labels of the full vote, and stop no later."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.attributes.deciding.codes import ABSTAINED, NOT_ASKED, SAID_NO, SAID_YES, YES
from labeling.attributes.deciding.inquiry import Inquiry, is_asked_in_full, order_of
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule, Share
from labeling.attributes.deciding.weights import Question

ANSWERS = (SAID_YES, SAID_NO, ABSTAINED)


@dataclass(frozen=True)
class Case:
    """All that decides a vote: answers and weights are one row for each value."""

    answers: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    rule: Rule
    exclusive: bool

    def inquiry(self, orders: list[list[int]] | None = None) -> Inquiry:
        given_order = [[at for at, weight in enumerate(row) if weight] for row in self.weights]
        return Inquiry(
            orders=orders or given_order,
            weights=self.weights,
            rule=self.rule,
            exclusive=self.exclusive,
        )


@st.composite
def cases(draw: st.DrawFn, most_values: int = 4, most_questions: int = 6) -> Case:
    values = draw(st.integers(1, most_values))
    asked = draw(st.integers(1, most_questions))
    # few different weights make many ties, and a hundred no tie at all
    weight = st.integers(0, draw(st.sampled_from([1, 2, 5, 100])))
    row = st.tuples(*[weight] * asked).filter(any)
    shared = draw(st.booleans())
    first = draw(row)
    bias = draw(st.sampled_from([ANSWERS, (SAID_YES, SAID_YES, SAID_YES, SAID_NO, ABSTAINED)]))
    answer = st.tuples(*[st.sampled_from(bias)] * asked)
    return Case(
        answers=tuple(draw(answer) for _ in range(values)),
        weights=tuple(first if shared else draw(row) for _ in range(values)),
        rule=Rule.parse(
            draw(st.sampled_from(["0", "0.05", "0.1", "0.166666667", "0.25", "0.5"])),
            draw(st.sampled_from(["0", "0", "0.1", "0.5", "0.75", "1"])),
        ),
        exclusive=draw(st.booleans()),
    )


def is_settled(inquiry: Inquiry, case: Case) -> bool:
    return not any(map(inquiry.is_open, range(len(case.weights))))


@settings(max_examples=600)
@given(cases(), st.data())
def test_any_order_that_stops_when_settled_gives_the_labels_of_the_full_vote(
    small: SimpleNamespace, case: Case, data: st.DataObject
) -> None:
    full = small.fractions(case.rule).labels(case.answers, case.weights, exclusive=case.exclusive)
    inquiry = case.inquiry()
    left = [(value, at) for value, row in enumerate(case.weights) for at in range(len(row))]
    while not is_settled(inquiry, case):
        # whatever comes next, also questions of other values or of no weight, in any order
        value, question = left.pop(data.draw(st.integers(0, len(left) - 1)))
        if inquiry.is_open(value):
            inquiry.record(value, question, case.answers[value][question])
    assert inquiry.labels() == full


@settings(max_examples=600)
@given(cases(), st.randoms(use_true_random=False))
def test_the_order_proposed_gives_the_labels_of_the_full_vote(
    small: SimpleNamespace, case: Case, random: object
) -> None:
    full = small.fractions(case.rule).labels(case.answers, case.weights, exclusive=case.exclusive)
    orders = [random.sample(range(len(row)), len(row)) for row in case.weights]  # type: ignore[attr-defined]
    inquiry = case.inquiry(orders)
    asked: Counter[tuple[int, int]] = Counter()
    while (place := inquiry.next_question()) is not None:
        assert inquiry.is_open(place[0])
        asked[place] += 1
        inquiry.record(*place, case.answers[place[0]][place[1]])
    assert is_settled(inquiry, case)
    assert inquiry.labels() == full
    assert set(asked.values()) <= {1}


def completions(case: Case, known: list[list[int]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield all answers that may still come; what weighs nothing is taken for asked."""
    spaces = [
        ANSWERS if said == NOT_ASKED and weight else (said,)
        for row, weights in zip(known, case.weights, strict=True)
        for said, weight in zip(row, weights, strict=True)
    ]
    width = len(known[0])
    for flat in product(*spaces):
        yield tuple(flat[at : at + width] for at in range(0, len(flat), width))


@settings(max_examples=400)
@given(cases(most_values=3, most_questions=3), st.data())
def test_settled_is_what_no_answers_change_and_nothing_less(
    small: SimpleNamespace, case: Case, data: st.DataObject
) -> None:
    known = [list(row) for row in case.answers]
    places = [(value, at) for value, row in enumerate(known) for at in range(len(row))]
    for value, at in data.draw(st.lists(st.sampled_from(places), max_size=6, unique=True)):
        known[value][at] = NOT_ASKED
    reference = small.fractions(case.rule)
    inquiry = case.inquiry()
    for value, row in enumerate(known):
        for at, said in enumerate(row):
            if said != NOT_ASKED:
                inquiry.record(value, at, said)
    possible = {
        full: tuple(reference.labels(full, case.weights, exclusive=case.exclusive))
        for full in completions(case, known)
    }
    settled = [len({labels[at] for labels in possible.values()}) == 1 for at in range(len(known))]
    ballots = small.ballots(
        np.array(known, np.uint8).T,
        small.questions(1, len(known[0])),
        values=len(known),
        exclusive=case.exclusive,
    )
    decision = majority(ballots, np.array(case.weights, np.int64), case.rule)
    assert decision.settled.tolist() == settled
    assert decision.answer.tolist() == inquiry.labels()
    assert is_settled(inquiry, case) == all(settled)
    for value in range(len(known)):
        if settled[value]:
            assert not inquiry.is_open(value)
        elif not inquiry.is_open(value):  # it waits for the others: its own answers change nothing
            others = {full[:value] + full[value + 1 :]: labels for full, labels in possible.items()}
            for full, labels in possible.items():
                assert others[full[:value] + full[value + 1 :]] == labels


@pytest.mark.parametrize(
    ("answers", "margin", "quorum", "asked"),
    [
        ("yyyyyyyyy", "0", "0", 5),  # more than half of nine
        ("nnnnnnnnn", "0", "0", 5),
        ("ynynynyny", "0", "0", 9),  # close to the end
        ("yyyyyyyyy", "0.25", "0", 7),  # three quarters of nine are 6.75
        ("yyyyyyyyy", "0.5", "0", 9),  # one no would spoil it
        ("ynyyyyyyy", "0.5", "0", 2),  # one of each: neither can be unanimous
        ("---------", "0", "0", 9),  # the last could still decide alone
        ("---------", "0", "0.5", 5),  # half of the weight can no longer answer
        ("yyy------", "0", "0", 7),  # three of yes, and two that are open
        ("yyyyyyyyy", "0", "1", 9),  # the quorum is all of them
        ("-yyyyyyyy", "0", "1", 1),  # which one abstention ends
    ],
)
def test_a_vote_of_nine_equal_questions_stops_as_soon_as_it_may(
    small: SimpleNamespace, answers: str, margin: str, quorum: str, asked: int
) -> None:
    cell = tuple(small.spelled(answers)[:, 0])
    case = Case(
        answers=(cell,), weights=((1,) * 9,), rule=Rule.parse(margin, quorum), exclusive=False
    )
    inquiry, count = case.inquiry(), 0
    while (place := inquiry.next_question()) is not None:
        inquiry.record(*place, int(cell[place[1]]))
        count += 1
    assert count == asked


def test_in_an_exclusive_type_a_sure_value_rules_out_the_others_unasked() -> None:
    case = Case(answers=(), weights=((1,) * 9,) * 5, rule=Rule(), exclusive=True)
    inquiry = case.inquiry()
    for question in range(9):
        inquiry.record(0, question, SAID_YES)
    # nine of nine and the first name: no other can have more
    assert is_settled(inquiry, case)
    assert inquiry.labels() == [YES, -1, -1, -1, -1]


def test_in_an_exclusive_type_the_value_that_leads_is_asked_on() -> None:
    case = Case(answers=(), weights=((1,) * 3,) * 3, rule=Rule(), exclusive=True)
    inquiry = case.inquiry()
    asked = []
    for said in (SAID_NO, SAID_YES, SAID_YES, SAID_NO, SAID_NO):
        place = inquiry.next_question()
        assert place is not None
        asked.append(place)
        inquiry.record(*place, said)
    # the first says no and the second leads to its end with two of three; of the third one no
    # is not enough to rule out that it gets as many, but the second has the earlier name
    assert asked == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)]
    # the first may still have two of three, which would be enough for the earlier name
    assert inquiry.next_question() == (0, 1)
    assert not inquiry.is_open(2)


def test_a_question_that_was_passed_over_stays_open() -> None:
    case = Case(answers=(), weights=((1, 1, 1),), rule=Rule(), exclusive=False)
    inquiry = case.inquiry()
    inquiry.pass_over(0, 0)
    assert inquiry.next_question() == (0, 1)
    inquiry.record(0, 1, SAID_YES)
    inquiry.record(0, 2, SAID_NO)
    assert inquiry.next_question() is None
    assert not is_settled(inquiry, case)
    inquiry.record(0, 0, SAID_NO)  # it came after all
    assert is_settled(inquiry, case)


@pytest.mark.parametrize("answer", [NOT_ASKED, 4, -1])
def test_what_is_no_answer_is_refused(answer: int) -> None:
    case = Case(answers=(), weights=((1,),), rule=Rule(), exclusive=False)
    with pytest.raises(ValueError, match="first answer"):
        case.inquiry().record(0, 0, answer)


def test_a_second_answer_is_refused() -> None:
    inquiry = Case(answers=(), weights=((1, 1),), rule=Rule(), exclusive=False).inquiry()
    inquiry.record(0, 0, SAID_YES)
    with pytest.raises(ValueError, match="first answer"):
        inquiry.record(0, 0, SAID_YES)


def test_the_order_is_by_weight_and_then_by_hash(small: SimpleNamespace) -> None:
    questions = small.questions(3, 3)
    weights = [1, 1, 1, 5, 5, 5, 0, 2, 2]
    first = order_of(questions, weights, 7, "a", "", "colour", "red")
    assert [weights[at] for at in first] == [5, 5, 5, 2, 2, 1, 1, 1]  # what weighs 0 is not asked
    assert first == order_of(questions, weights, 7, "a", "", "colour", "red")
    # not the order of the file: over many pictures each comes first about as often
    firsts = Counter(
        order_of(questions, weights, 7, f"{at}", "", "colour", "red")[0] for at in range(900)
    )
    assert set(firsts) == {3, 4, 5}
    assert min(firsts.values()) > 240
    # and not the places: the same question comes first when the questions stand otherwise
    turned: tuple[Question, ...] = questions[::-1]
    second = order_of(turned, weights[::-1], 7, "a", "", "colour", "red")
    assert [turned[at] for at in second] == [questions[at] for at in first]


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [
        ("0", 0, 0),
        ("1", 2000, 2000),
        ("0.05", 70, 130),  # 100 are expected, with a deviation of 10
    ],
)
def test_a_seeded_share_of_the_pictures_is_asked_in_full(share: str, low: int, high: int) -> None:
    wanted = Share.parse(share, "--full")
    chosen = [is_asked_in_full(wanted, 0, f"{at:016x}") for at in range(2000)]
    assert low <= sum(chosen) <= high
