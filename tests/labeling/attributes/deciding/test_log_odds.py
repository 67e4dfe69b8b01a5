"""Log-odds: one answer for each voter, then the sum of what each says."""

from itertools import product
from math import exp, log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import UsageError
from labeling.attributes.deciding.codes import NO, NOT_ASKED, UNSURE, YES
from labeling.attributes.deciding.dawid_skene import dawid_skene
from labeling.attributes.deciding.log_odds import log_odds
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.skills import Skills
from labeling.attributes.deciding.standing import Outcome


def skills(*pairs: tuple[float, float], values: int = 1) -> Skills:
    return Skills(
        voters=tuple(f"v{at}" for at in range(len(pairs))),
        sensitivity=np.array([[pair[0]] * values for pair in pairs]),
        specificity=np.array([[pair[1]] * values for pair in pairs]),
    )


@pytest.mark.parametrize(
    ("cell", "margin", "label", "sums"),
    [
        ("yyn" "nnn" "n--", "0", YES, log(0.9 / 0.1) + 2 * log(0.4 / 0.6)),  # the good one wins
        ("yny" "yyy" "nnn", "0", YES, log(0.9 / 0.1)),  # two equal ones cancel
        ("yn-" "yyy" "nnn", "0", UNSURE, 0.0),  # a tie within a voter says nothing
        ("---" "---" "---", "0", UNSURE, 0.0),
        ("nnn" "nnn" "nnn", "0", NO, log(0.1 / 0.9) + 2 * log(0.4 / 0.6)),
        ("---" "yyy" "---", "0.05", YES, log(0.6 / 0.4)),  # 0.6 is over 0.55
        ("---" "yyy" "---", "0.2", UNSURE, log(0.6 / 0.4)),  # and under 0.7
        ("yyy" "yyy" "yyy", "0.5", UNSURE, log(0.9 / 0.1) + 2 * log(0.6 / 0.4)),  # never certain
    ],
)  # fmt: skip
def test_three_voters(
    small: SimpleNamespace, cell: str, margin: str, label: int, sums: float
) -> None:
    ballots = small.ballots(small.spelled(cell), small.questions(3, 3))
    decision = log_odds(ballots, skills((0.9, 0.9), (0.6, 0.6), (0.6, 0.6)), Rule.parse(margin))
    assert decision.answer.tolist() == [label]
    assert decision.score[0] == pytest.approx(1 / (1 + exp(-sums)))
    assert decision.settled.all()


def test_yes_and_no_of_one_voter_may_say_unlike_things(small: SimpleNamespace) -> None:
    # who rarely says yes is believed when he does, and little when he does not
    ballots = small.ballots(small.spelled("y", "n"), small.questions(1, 1))
    decision = log_odds(ballots, skills((0.3, 0.99)), Rule())
    assert decision.score.tolist() == pytest.approx([0.3 / 0.31, 0.7 / 1.69])


@settings(max_examples=150)
@given(st.data())
def test_settled_is_what_no_answers_change(small: SimpleNamespace, data: st.DataObject) -> None:
    values = data.draw(st.integers(1, 2))
    exclusive = data.draw(st.booleans())
    known = np.array(
        [[data.draw(st.integers(0, 3)) for _ in range(values)] for _ in range(4)], np.uint8
    )
    share = st.sampled_from([0.3, 0.6, 0.8, 0.95])
    skill = skills(*[(data.draw(share), data.draw(share)) for _ in range(2)], values=values)
    rule = Rule.parse(data.draw(st.sampled_from(["0", "0.1", "0.3"])))

    def decide(answers: np.ndarray, p_yes: np.ndarray) -> Outcome:
        asked = small.questions(2, 2)
        return log_odds(
            small.ballots(answers, asked, values=values, exclusive=exclusive, p_yes=p_yes),
            skill,
            rule,
        )

    open_ = list(zip(*np.nonzero(known == NOT_ASKED), strict=True))
    if len(open_) > 4:
        return
    labels = set()
    for said in product((1, 2, 3), repeat=len(open_)):
        answers = known.copy()
        for place, answer in zip(open_, said, strict=True):
            answers[place] = answer
        for sure in product((0.0, 1.0), repeat=values):
            p_yes = np.where(known == NOT_ASKED, sure, 0.5)
            labels.add(tuple(decide(answers, p_yes).answer.tolist()))
    settled = [len({each[at] for each in labels}) == 1 for at in range(values)]
    found = decide(known, np.where(known == NOT_ASKED, np.nan, 0.5))
    assert found.settled.tolist() == settled


def test_equal_sums_in_an_exclusive_type_go_by_p_yes(small: SimpleNamespace) -> None:
    ballots = small.ballots(
        small.spelled("yy", "yy", "yn"),
        small.questions(1, 2),
        values=3,
        exclusive=True,
        p_yes=np.array([[0.7, 0.7], [0.7, 0.8], [1.0, 1.0]]).T,
    )
    assert log_odds(ballots, skills((0.9, 0.9), values=3), Rule()).answer.tolist() == [NO, YES, NO]
    assert dawid_skene(ballots, Rule())[0].answer.tolist() == [NO, YES, NO]


def test_a_quorum_and_unknown_voters_are_refused(small: SimpleNamespace) -> None:
    ballots = small.ballots(small.spelled("yy"), small.questions(2, 1))
    with pytest.raises(UsageError, match="--quorum"):
        log_odds(ballots, skills((0.9, 0.9), (0.9, 0.9)), Rule.parse(quorum="0.1"))
    with pytest.raises(UsageError, match="v1"):
        log_odds(ballots, skills((0.9, 0.9)), Rule())


def test_known_skills_make_better_labels_than_equal_votes(small: SimpleNamespace) -> None:
    random = np.random.default_rng(3)
    truth = random.random(20_000) < 0.4
    right = np.array([random.random(20_000) < share for share in (0.95, 0.6, 0.6)])
    ballots = small.ballots(np.where(right == truth, 1, 2), small.questions(3, 1))
    decision = log_odds(ballots, skills((0.95, 0.95), (0.6, 0.6), (0.6, 0.6)), Rule())
    expected = 0.95  # the best voter outweighs both others
    assert (decision.answer == np.where(truth, YES, NO)).mean() == pytest.approx(expected, abs=0.01)
