"""The best that any order could have saved, against all sets of questions that could be asked."""

from itertools import combinations
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import ABSTAINED, NOT_ASKED, SAID_NO, SAID_YES, Longs
from labeling.attributes.deciding.hindsight import fewest_questions
from labeling.attributes.deciding.inquiry import Inquiry, order_of
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import share_weights


@pytest.mark.parametrize(
    ("cell", "margin", "quorum", "fewest"),
    [
        ("yyyyyyyyy", "0", "0", 5),
        ("yyyyynnnn", "0", "0", 5),  # the yes alone
        ("nnnnnyyyy", "0", "0", 5),
        ("yyyynnnn-", "0", "0", 9),  # a tie takes all of them
        ("yyy------", "0", "0", 7),  # three yes and four abstentions: two are left
        ("---------", "0", "0", 9),
        ("---------", "0", "0.5", 5),
        ("ynynynyny", "0.25", "0", 6),  # three of each: no side can have three quarters
        ("yyyyy----", "0", "0.5", 5),
        ("ynnnnnnnn", "0", "1", 9),
    ],
)
def test_nine_equal_questions(
    small: SimpleNamespace, cell: str, margin: str, quorum: str, fewest: int
) -> None:
    questions = small.questions(1, 9)
    ballots = small.ballots(small.spelled(cell), questions)
    weights = share_weights(questions, [{"v0": 1}])
    assert fewest_questions(ballots, weights, Rule.parse(margin, quorum)).tolist() == [fewest]


def fewest_by_trying(ballots: Ballots, weights: Longs, rule: Rule) -> int:
    asked, cells = ballots.answers.shape
    places = [(at, cell) for cell in range(cells) for at in range(asked) if weights[cell, at]]
    idle = weights[ballots.columns].T == 0
    for size in range(len(places) + 1):
        for chosen in combinations(places, size):
            answers = np.where(idle, ballots.answers, NOT_ASKED).astype(np.uint8)
            for place in chosen:
                answers[place] = ballots.answers[place]
            partial = Ballots(
                image_ids=ballots.image_ids,
                object_ids=ballots.object_ids,
                values=ballots.values,
                questions=ballots.questions,
                subjects=ballots.subjects,
                columns=ballots.columns,
                answers=answers,
            )
            if majority(partial, weights, rule).settled.all():
                return size
    raise AssertionError("a full vote is settled")


@settings(max_examples=60)
@given(st.data())
def test_no_set_of_questions_settles_with_fewer(
    small: SimpleNamespace, data: st.DataObject
) -> None:
    values = data.draw(st.integers(1, 3))
    asked = data.draw(st.integers(1, 6 // values + 1))
    bias = data.draw(st.sampled_from([(1, 2, 3), (1, 1, 1, 2, 3)]))
    cell = st.lists(st.sampled_from(bias), min_size=asked, max_size=asked)
    row = st.lists(
        st.integers(0, data.draw(st.sampled_from([1, 4]))), min_size=asked, max_size=asked
    )
    ballots = small.ballots(
        np.array([data.draw(cell) for _ in range(values)]).T,
        small.questions(1, asked),
        values=values,
        exclusive=data.draw(st.booleans()),
    )
    weights = np.array([data.draw(row.filter(any)) for _ in range(values)])
    rule = Rule.parse(
        data.draw(st.sampled_from(["0", "0", "0.1", "0.25", "0.5"])),
        data.draw(st.sampled_from(["0", "0", "0.4", "0.75"])),
    )
    fewest = fewest_questions(ballots, weights, rule)
    assert int(fewest.sum()) == fewest_by_trying(ballots, weights, rule)


def test_of_plans_with_as_many_questions_the_one_that_rules_out_most_counts(
    small: SimpleNamespace,
) -> None:
    # of the winner, yes of 6 and the abstention of 4 leave it 6 of 7 at least, so that one no of 2
    # rules the other out; both of its yes would leave 7 of 11
    ballots = small.ballots(
        small.spelled("nnny", "yy-n"), small.questions(1, 4), values=2, exclusive=True
    )
    weights = np.array([[2, 2, 1, 6], [6, 1, 4, 0]])
    assert fewest_questions(ballots, weights, Rule()).tolist() == [1, 2]
    assert fewest_by_trying(ballots, weights, Rule()) == 3


def test_a_vote_that_stopped_early_does_not_tell(small: SimpleNamespace) -> None:
    questions = small.questions(1, 3)
    ballots = small.ballots(small.spelled("yy."), questions)
    with pytest.raises(ValueError, match="in full"):
        fewest_questions(ballots, share_weights(questions, [{"v0": 1}]), Rule())


def test_about_42_per_cent_are_saved_at_27_questions_and_90_per_cent_agreement(
    small: SimpleNamespace,
) -> None:
    # the 14th equal answer settles: 14 / 0.9 questions on average, of 27
    cells, share = 4000, 0.9
    questions = small.questions(3, 9)
    random = np.random.default_rng(5)
    truth = random.random(cells) < 0.3
    agrees = random.random((27, cells)) < share
    answers = np.where(agrees == truth, SAID_YES, SAID_NO)
    ballots = small.ballots(answers, questions)
    weights = share_weights(questions, [{"v0": 1, "v1": 1, "v2": 1}])
    full = majority(ballots, weights, Rule())
    asked = 0
    for cell in range(cells):
        inquiry = Inquiry(
            orders=[order_of(questions, weights[0].tolist(), 0, str(cell))],
            weights=weights.tolist(),
            rule=Rule(),
            exclusive=False,
        )
        while (place := inquiry.next_question()) is not None:
            inquiry.record(*place, int(ballots.answers[place[1], cell]))
            asked += 1
        assert inquiry.labels() == [full.answer[cell]]
    # the number of the 14th answer of one kind, whichever kind it is
    expected = sum(
        at * comb(at - 1, 13) * (p**14 * (1 - p) ** (at - 14))
        for at in range(14, 28)
        for p in (share, 1 - share)
    )
    saved = 1 - asked / (27 * cells)
    assert saved == pytest.approx(1 - expected / 27, abs=0.003)
    assert saved == pytest.approx(0.42, abs=0.01)
    best = 1 - fewest_questions(ballots, weights, Rule()).sum() / (27 * cells)
    assert best == pytest.approx(13 / 27)  # 14 must agree
    assert ABSTAINED not in answers
