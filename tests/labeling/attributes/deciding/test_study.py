"""Three scripted voters: the ensemble beats the best of them, and calibrated weights equal ones.

The voters are right in 0.95, 0.75 and 0.70 of their answers on average. Each is blind on some
attributes, where it says no more than a coin would; the errors of a voter go together by
template: on a picture it misreads a wording, all views of it go wrong.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known, calibrate
from labeling.attributes.deciding.codes import NO, YES
from labeling.attributes.deciding.dawid_skene import dawid_skene
from labeling.attributes.deciding.log_odds import log_odds
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import Question, share_weights

PICTURES, AUDITED, VALUES = 3000, 400, 20
VOTERS, TEMPLATES, VIEWS = ("best", "middle", "weak"), 3, 3
AVERAGE = {"best": 0.95, "middle": 0.75, "weak": 0.70}
# no value is blind for all; elsewhere a voter is so good that its average comes out
BLIND = {"best": (3, 11), "middle": (0, 4, 5, 8, 12, 17), "weak": (1, 2, 7, 9, 13, 16, 18)}
# shares of a voter's errors: those that all its answers on a cell have in common, and those that
# a template's answers have, over all its views; the others come one by one
ON_CELL, ON_TEMPLATE = 0.3, 0.4
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    ballots: Ballots
    truth: npt.NDArray[np.int8]
    audited: npt.NDArray[np.bool_]


def skill(voter: str) -> Shares:
    """How often the voter's answers are right, by value; 0.5 where it is blind."""
    shares = np.full(VALUES, np.nan)
    shares[list(BLIND[voter])] = 0.5
    blind = len(BLIND[voter])
    shares[np.isnan(shares)] = (AVERAGE[voter] * VALUES - 0.5 * blind) / (VALUES - blind)
    return shares


def simulate(small: SimpleNamespace, seed: int) -> Study:
    random = np.random.default_rng(seed)
    prevalence = np.tile(random.uniform(0.1, 0.5, VALUES), PICTURES)
    truth = random.random(PICTURES * VALUES) < prevalence
    questions, rows = [], []
    for voter in VOTERS:
        errs = 1 - np.tile(skill(voter), PICTURES)
        misseen = random.random(len(truth)) < ON_CELL * errs
        for template in range(TEMPLATES):
            misread = random.random(len(truth)) < ON_TEMPLATE * errs
            rest = 1 - (1 - errs) / ((1 - ON_CELL * errs) * (1 - ON_TEMPLATE * errs))
            for view in range(VIEWS):
                wrong = misseen | misread | (random.random(len(truth)) < rest)
                questions.append(Question(voter=voter, template=f"t{template}", view=f"{view}"))
                rows.append(np.where(truth != wrong, 1, 2))
    order = sorted(range(len(questions)), key=questions.__getitem__)
    ballots = small.ballots(
        [rows[at] for at in order], [questions[at] for at in order], values=VALUES
    )
    audited = np.repeat(random.permutation(PICTURES) < AUDITED, VALUES)
    return Study(ballots=ballots, truth=np.where(truth, YES, NO).astype(np.int8), audited=audited)


def right(study: Study, answer: npt.NDArray[np.int8]) -> Shares:
    """Which labels are right, (pictures not audited, values); an unsure one is not."""
    hits = (answer == study.truth).reshape(PICTURES, VALUES)
    return hits[~study.audited[::VALUES]].astype(float)


def gain(better: Shares, worse: Shares, seed: int = 0) -> tuple[float, float]:
    """The interval of the gain in accuracy, by bootstrap over pictures."""
    by_picture = (better - worse).mean(axis=1)
    random = np.random.default_rng(seed)
    means = [random.choice(by_picture, len(by_picture)).mean() for _ in range(1000)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


@pytest.fixture(scope="module")
def methods(small: SimpleNamespace) -> dict[str, Shares]:
    study = simulate(small, seed=1)
    questions, rule = study.ballots.questions, Rule()
    found = calibrate(
        study.ballots,
        Known(truth=study.truth, counts=study.audited, weights=np.ones(len(study.truth))),
    )

    def by(weights: list[dict[str, int]]) -> Shares:
        table = share_weights(questions, weights)
        return right(study, majority(study.ballots, table, rule).answer)

    single = {name: [{each: int(each == name) for each in VOTERS}] * VALUES for name in VOTERS}
    return {
        **{name: by(weights) for name, weights in single.items()},
        "equal": by([dict.fromkeys(VOTERS, 1)] * VALUES),
        "calibrated": by([dict(weights) for weights in found.weights()]),
        "log-odds": right(study, log_odds(study.ballots, found.skills, rule).answer),
        "dawid-skene": right(study, dawid_skene(study.ballots, rule)[0].answer),
    }


def test_report(methods) -> None:
    for name, hits in methods.items():
        print(name, round(hits.mean(), 4), np.round(hits.mean(axis=0), 3))
    assert 0
