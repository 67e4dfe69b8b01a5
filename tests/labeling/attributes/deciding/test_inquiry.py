"""Votes that stop when they are settled give the labels of the full vote, and stop no later."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.attributes.deciding.codes import ABSTAINED, NOT_ASKED, SAID_NO, SAID_YES, YES
from labeling.attributes.deciding.inquiry import Inquiry, is_asked_in_full, order_of
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.standing import Outcome
from labeling.attributes.deciding.weights import Question

ANSWERS = (SAID_YES, SAID_NO, ABSTAINED)
P_YES: tuple[tuple[int | None, ...], ...] = (
    (None,),
    (None, 0, 5000, 10_000),
    (4999, 5000, 5001),
    (0, 3333, 6667, 9999, 10_000),
)


@dataclass(frozen=True)
class Case:
    """All that decides a vote: answers, p_yes and weights are one row for each value.

    p_yes is in ten-thousandths.
    """

    answers: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    rule: Rule
    exclusive: bool
    p_yes: tuple[tuple[int | None, ...], ...] = ()

    def inquiry(self, orders: list[list[int]] | None = None) -> Inquiry:
        given_order = [[at for at, weight in enumerate(row) if weight] for row in self.weights]
        return Inquiry(
            orders=orders or given_order,
            weights=self.weights,
            rule=self.rule,
            exclusive=self.exclusive,
        )

    def full(self, small: SimpleNamespace) -> list[int]:
        """Return the labels of all votes, by the definition."""
        sureness = [small.mean_p_yes(*row) for row in zip(self.p_yes, self.weights, strict=True)]
        found: list[int] = small.fractions(self.rule).labels(
            self.answers, self.weights, exclusive=self.exclusive, sureness=sureness
        )
        return found

    def decided(self, small: SimpleNamespace, known: Sequence[Sequence[int]]) -> Outcome:
        """Return what is decided of the answers that are known, with their p_yes."""
        p_yes = [
            [
                np.nan if p is None or said == NOT_ASKED else p / 10_000
                for p, said in zip(*row, strict=True)
            ]
            for row in zip(self.p_yes, known, strict=True)
        ]
        ballots = small.ballots(
            np.array(known, np.uint8).T,
            small.questions(1, len(known[0])),
            values=len(known),
            exclusive=self.exclusive,
            p_yes=np.array(p_yes).T,
        )
        return majority(ballots, np.array(self.weights, np.int64), self.rule)


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
    # none at all, of some votes, of all
    p = st.sampled_from(draw(st.sampled_from(P_YES)))
    p_yes = st.tuples(*[p] * asked)
    return Case(
        answers=tuple(draw(answer) for _ in range(values)),
        weights=tuple(first if shared else draw(row) for _ in range(values)),
        rule=Rule.parse(
            draw(st.sampled_from(["0", "0.05", "0.1", "0.166666667", "0.25", "0.5"])),
            draw(st.sampled_from(["0", "0", "0.1", "0.5", "0.75", "1"])),
        ),
        exclusive=draw(st.sampled_from([True, True, False])),
        p_yes=tuple(draw(p_yes) for _ in range(values)),
    )


def is_settled(inquiry: Inquiry, case: Case) -> bool:
    return not any(map(inquiry.is_open, range(len(case.weights))))


@settings(max_examples=600)
@given(cases(), st.data())
def test_any_order_that_stops_when_settled_gives_the_labels_of_the_full_vote(
    small: SimpleNamespace, case: Case, data: st.DataObject
) -> None:
    inquiry = case.inquiry()
    known = [[NOT_ASKED] * len(row) for row in case.answers]
    left = [(value, at) for value, row in enumerate(case.weights) for at in range(len(row))]
    while not is_settled(inquiry, case):
        # whatever comes next, also questions of other values or of no weight, in any order
        value, question = left.pop(data.draw(st.integers(0, len(left) - 1)))
        if inquiry.is_open(value):
            inquiry.record(value, question, case.answers[value][question])
            known[value][question] = case.answers[value][question]
    decision = case.decided(small, known)
    assert decision.settled.all()
    assert decision.answer.tolist() == case.full(small)


@settings(max_examples=600)
@given(cases(), st.randoms(use_true_random=False))
def test_the_order_proposed_gives_the_labels_of_the_full_vote(
    small: SimpleNamespace, case: Case, random: object
) -> None:
    known = [[NOT_ASKED] * len(row) for row in case.answers]
    orders = [random.sample(range(len(row)), len(row)) for row in case.weights]  # type: ignore[attr-defined]
    inquiry = case.inquiry(orders)
    asked: Counter[tuple[int, int]] = Counter()
    while (place := inquiry.next_question()) is not None:
        assert inquiry.is_open(place[0])
        asked[place] += 1
        known[place[0]][place[1]] = case.answers[place[0]][place[1]]
        inquiry.record(*place, known[place[0]][place[1]])
    assert is_settled(inquiry, case)
    decision = case.decided(small, known)
    assert decision.settled.all()
    assert decision.answer.tolist() == case.full(small)
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


ANY = (None, Fraction(-1), Fraction(10_001))  # a mean p_yes: none, less and more than all others


def labels_possible(
    small: SimpleNamespace, case: Case, known: list[list[int]], means: Sequence[Fraction | None]
) -> dict[tuple[Any, Any], tuple[int, ...]]:
    """Return the labels by all answers that may come and all means of p_yes with them.

    ``means`` are those of the values; that of one with a question open that weighs may be any.
    """
    is_open = [
        any(said == NOT_ASKED and weight for said, weight in zip(*row, strict=True))
        for row in zip(known, case.weights, strict=True)
    ]
    spaces = [ANY if open_ else (mean,) for open_, mean in zip(is_open, means, strict=True)]
    reference = small.fractions(case.rule)
    return {
        (full, sure): tuple(
            reference.labels(full, case.weights, exclusive=case.exclusive, sureness=sure)
        )
        for full in completions(case, known)
        for sure in product(*spaces)
    }


@settings(max_examples=400, deadline=None)
@given(cases(most_values=3, most_questions=3), st.data())
def test_settled_is_what_no_answers_change_and_nothing_less(
    small: SimpleNamespace, case: Case, data: st.DataObject
) -> None:
    known = [list(row) for row in case.answers]
    places = [(value, at) for value, row in enumerate(known) for at in range(len(row))]
    for value, at in data.draw(st.lists(st.sampled_from(places), max_size=5, unique=True)):
        known[value][at] = NOT_ASKED
    inquiry = case.inquiry()
    for value, row in enumerate(known):
        for at, said in enumerate(row):
            if said != NOT_ASKED:
                inquiry.record(value, at, said)
    means = [small.mean_p_yes(*row) for row in zip(case.p_yes, case.weights, strict=True)]
    possible = labels_possible(small, case, known, means)
    # what is asked next knows of no p_yes: that all are without one is no reason to stop
    supposed = [Fraction(5000) if mean is None else mean for mean in means]
    without = labels_possible(small, case, known, supposed)
    decision = case.decided(small, known)
    assert is_settled(inquiry, case) == bool(decision.settled.all())
    for value, is_sure in enumerate(decision.settled.tolist()):
        own = small.fractions(case.rule).label(known[value], case.weights[value])
        if is_sure:
            assert {labels[value] for labels in possible.values()} == {decision.answer[value]}
            assert not inquiry.is_open(value)
            continue
        # a yes that was asked in full and may tie is taken for settled with its rivals only
        waits = case.exclusive and own == YES
        assert waits or len({labels[value] for labels in without.values()}) > 1
        if not inquiry.is_open(value):  # it waits for the others: its own answers change nothing
            others: dict[object, tuple[int, ...]] = {}
            for (full, sure), labels in possible.items():
                rest = full[:value] + full[value + 1 :], sure[:value] + sure[value + 1 :]
                assert others.setdefault(rest, labels) == labels
    if not decision.settled.all():
        assert any(len({labels[at] for labels in without.values()}) > 1 for at in range(len(known)))


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


def test_in_an_exclusive_type_one_no_rules_out_each_other_value_beside_a_sure_one() -> None:
    case = Case(answers=(), weights=((1,) * 9,) * 5, rule=Rule(), exclusive=True)
    inquiry = case.inquiry()
    for question in range(9):
        inquiry.record(0, question, SAID_YES)
    # nine of nine: the others may have as many, and then the greater p_yes decides
    assert [inquiry.is_open(value) for value in range(5)] == [False, True, True, True, True]
    for value in range(1, 5):
        inquiry.record(value, 0, SAID_NO)
    assert is_settled(inquiry, case)
    assert inquiry.labels() == [YES, -1, -1, -1, -1]


def test_values_that_may_tie_are_asked_in_full() -> None:
    case = Case(answers=(), weights=((1,) * 3,) * 2, rule=Rule(), exclusive=True)
    inquiry = case.inquiry()
    asked = []
    while (place := inquiry.next_question()) is not None:
        asked.append(place)
        inquiry.record(*place, SAID_YES)
    assert sorted(asked) == [(value, question) for value in range(2) for question in range(3)]
    assert is_settled(inquiry, case)


def test_in_an_exclusive_type_the_value_that_leads_is_asked_on() -> None:
    case = Case(answers=(), weights=((1,) * 3,) * 3, rule=Rule(), exclusive=True)
    inquiry = case.inquiry()
    asked = []
    for said in (SAID_NO, SAID_YES, SAID_YES, SAID_NO, SAID_NO):
        place = inquiry.next_question()
        assert place is not None
        asked.append(place)
        inquiry.record(*place, said)
    # the first says no and the second leads to its end with two of three; of the others one no
    # each is not enough to rule out that they get as many
    assert asked == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)]
    for place in ((0, 1), (2, 1)):
        assert inquiry.next_question() == place
        inquiry.record(*place, SAID_NO)
    assert is_settled(inquiry, case)


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
    wanted = DecimalShare.parse(share, "--full")
    chosen = [is_asked_in_full(wanted, 0, f"{at:016x}") for at in range(2000)]
    assert low <= sum(chosen) <= high
