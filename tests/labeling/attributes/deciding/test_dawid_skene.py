"""Dawid-Skene recovers known skills, and agrees with what crowd-kit says."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchwright.errors import UsageError
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.by_voter import voter_answers
from labeling.attributes.deciding.codes import NO, NOT_ASKED, YES
from labeling.attributes.deciding.dawid_skene import dawid_skene, fit
from labeling.attributes.deciding.rule import Rule

SENSITIVITY = np.array([0.95, 0.8, 0.7, 0.9, 0.6])
SPECIFICITY = np.array([0.9, 0.85, 0.95, 0.7, 0.65])


def simulated(
    small: SimpleNamespace, cells: int, prevalence: float, missing: float, seed: int
) -> tuple[Ballots, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.random(cells) < prevalence
    says_yes = random.random((5, cells)) < np.where(
        truth, SENSITIVITY[:, None], 1 - SPECIFICITY[:, None]
    )
    answers = np.where(says_yes, 1, 2)
    answers[random.random((5, cells)) < missing] = NOT_ASKED
    return small.ballots(answers, small.questions(5, 1)), truth


@pytest.mark.parametrize(
    ("prevalence", "missing"),
    [
        (0.5, 0.0),
        (0.2, 0.0),  # few yes
        (0.3, 0.3),  # a third of the votes is missing
    ],
)
def test_skills_and_prevalence_are_recovered(
    small: SimpleNamespace, prevalence: float, missing: float
) -> None:
    ballots, truth = simulated(small, 30_000, prevalence, missing, seed=11)
    fitted = fit(ballots)
    assert fitted.has_converged
    np.testing.assert_allclose(fitted.skills.sensitivity[:, 0], SENSITIVITY, atol=0.03)
    np.testing.assert_allclose(fitted.skills.specificity[:, 0], SPECIFICITY, atol=0.03)
    assert fitted.prevalence[0] == pytest.approx(prevalence, abs=0.02)
    decision, _ = dawid_skene(ballots, Rule())
    right = decision.answer == np.where(truth, YES, NO)
    equal = np.sign(voter_answers(ballots).sum(axis=0)) == np.where(truth, YES, NO)
    assert right.mean() > equal.mean()
    # a probability is one: of cells with about 0.9 about nine tenths are yes
    sure = np.abs(decision.score - 0.9) < 0.05
    assert truth[sure].mean() == pytest.approx(decision.score[sure].mean(), abs=0.03)


def test_the_steps_do_not_depend_on_the_order_of_cells(small: SimpleNamespace) -> None:
    ballots, _ = simulated(small, 2000, 0.3, 0.2, seed=2)
    turned = small.ballots(ballots.answers[:, ::-1], ballots.questions)
    first, second = fit(ballots), fit(turned)
    np.testing.assert_array_equal(first.log_odds, second.log_odds[::-1])
    assert first.steps == second.steps


@pytest.mark.parametrize(
    ("skill", "prevalence", "share"),
    [
        ((0.98, 0.97, 0.45, 0.45, 0.45), 0.5, 0.95),  # most voters are worse than chance
        ((0.98, 0.97, 0.45, 0.45, 0.45), 0.1, 0.95),
        ((0.9, 0.8, 0.7, 0.2, 0.2), 0.3, 0.9),  # two nearly always say the opposite
        ((0.6, 0.6, 0.55, 0.55, 0.55), 0.5, 0.55),  # hardly anything is known
    ],
)
def test_yes_and_no_do_not_change_places(
    small: SimpleNamespace, skill: tuple[float, ...], prevalence: float, share: float
) -> None:
    random = np.random.default_rng(4)
    truth = random.random(5000) < prevalence
    right = random.random((5, 5000)) < np.array(skill)[:, None]
    ballots = small.ballots(np.where(right == truth, 1, 2), small.questions(5, 1))
    decision, fitted = dawid_skene(ballots, Rule())
    assert (fitted.skills.sensitivity + fitted.skills.specificity)[0].mean() > 1
    assert (decision.answer == np.where(truth, YES, NO)).mean() > share


def test_each_value_has_skills_of_its_own_drawn_toward_those_of_its_type(
    small: SimpleNamespace,
) -> None:
    ballots, _ = simulated(small, 6000, 0.3, 0.0, seed=6)
    pair = small.ballots(ballots.answers, ballots.questions, values=2)
    fitted = fit(pair)
    first, second = fitted.skills.sensitivity.T
    assert (first != second).all()
    assert fitted.prevalence[0] != fitted.prevalence[1]
    # what nobody was asked about is taken for what the voters are on the other value
    alone = fit(pair.take(pair.columns == 0))
    np.testing.assert_allclose(*alone.skills.sensitivity.T, atol=0.005)
    assert alone.prevalence.tolist() == [pytest.approx(0.3, abs=0.03), 0.5]


def test_a_voter_that_is_blind_on_one_value_is_found_out(small: SimpleNamespace) -> None:
    random = np.random.default_rng(5)
    truth = random.random(9000) < 0.4
    right = random.random((3, 9000)) < np.array([0.95, 0.9, 0.85])[:, None]
    blind = np.arange(9000) % 3 == 1
    right[0, blind] = random.random(blind.sum()) < 0.5
    ballots = small.ballots(np.where(right == truth, 1, 2), small.questions(3, 1), values=3)
    fitted = fit(ballots)
    assert fitted.skills.sensitivity[0].tolist() == pytest.approx([0.95, 0.5, 0.95], abs=0.06)
    assert fitted.skills.specificity[0].tolist() == pytest.approx([0.95, 0.5, 0.95], abs=0.06)


def test_few_votes_leave_the_prior(small: SimpleNamespace) -> None:
    fitted = fit(small.ballots(small.spelled("y."), small.questions(2, 1)))
    assert 0.5 < fitted.skills.sensitivity[0, 0] < 0.8
    assert fitted.skills.sensitivity[1, 0] == pytest.approx(2 / 3)  # who never answered
    empty = fit(small.ballots(np.zeros((2, 0), np.uint8), small.questions(2, 1)))
    assert (len(empty.log_odds), empty.has_converged) == (0, True)


def test_it_has_no_early_stop(small: SimpleNamespace) -> None:
    cells = small.spelled("yyy", "yy.", "yyy", "nnn")
    single, _ = dawid_skene(small.ballots(cells, small.questions(3, 1)), Rule())
    assert single.settled.tolist() == [True, False, True, True]
    pairs = small.ballots(cells, small.questions(3, 1), values=2, exclusive=True)
    together, _ = dawid_skene(pairs, Rule())
    assert together.settled.tolist() == [False, False, True, True]
    assert (together.answer == YES).sum() == 2  # one of each type
    with pytest.raises(UsageError, match="--quorum"):
        dawid_skene(pairs, Rule.parse(quorum="0.5"))


# what four voters said of 2,000 simulated cells, of how many, and P(yes) by crowd-kit 1.4.2
# (DawidSkene(n_iter=1000, tol=0)); the last voter was not asked everything
CROWD_KIT = (
    ("nnn.", 242, 0.0023),
    ("nnnn", 445, 0.0004),
    ("nnny", 199, 0.0064),
    ("nny.", 14, 0.1198),
    ("nnyn", 18, 0.0240),
    ("nnyy", 12, 0.2769),
    ("nyn.", 55, 0.0517),
    ("nynn", 80, 0.0098),
    ("nyny", 33, 0.1330),
    ("nyy.", 9, 0.7638),
    ("nyyn", 5, 0.3689),
    ("nyyy", 15, 0.9009),
    ("ynn.", 49, 0.2867),
    ("ynnn", 45, 0.0678),
    ("ynny", 58, 0.5307),
    ("yny.", 31, 0.9597),
    ("ynyn", 10, 0.8117),
    ("ynyy", 59, 0.9853),
    ("yyn.", 46, 0.9052),
    ("yynn", 17, 0.6332),
    ("yyny", 115, 0.9641),
    ("yyy.", 138, 0.9982),
    ("yyyn", 44, 0.9903),
    ("yyyy", 261, 0.9994),
)


def test_crowd_kit_says_the_same(small: SimpleNamespace) -> None:
    cells = [said for said, count, _ in CROWD_KIT for _ in range(count)]
    theirs = np.array([p_yes for _, count, p_yes in CROWD_KIT for _ in range(count)])
    ballots = small.ballots(small.spelled(*cells), small.questions(4, 1))
    decision, _ = dawid_skene(ballots, Rule())
    assert len(theirs) == 2000
    np.testing.assert_array_equal(decision.answer, np.where(theirs > 0.5, YES, NO))
    np.testing.assert_allclose(decision.score, theirs, atol=0.002)
