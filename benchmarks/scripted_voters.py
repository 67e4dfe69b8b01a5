"""Three scripted voters of unlike skill, for tests and for benchmarks.votes.

The voters are right in 0.95, 0.75 and 0.70 of their answers on average. Each is blind on some
values, where it says what a coin would; elsewhere its skill varies from value to value. Errors go
together: some are of all its answers about a cell, some of all views of a template, and the
third template misleads twice as often as the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchwright.knowledge import Value
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known, calibrate
from labeling.attributes.deciding.codes import NO, SAID_NO, SAID_YES, YES
from labeling.attributes.deciding.dawid_skene import dawid_skene
from labeling.attributes.deciding.log_odds import log_odds
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import Question, share_weights

PICTURES, AUDITED, VALUES = 3000, 400, 20
AVERAGE = {"best": 0.95, "middle": 0.75, "weak": 0.70}
BLIND = {"best": (3,), "middle": (0, 4, 5, 8, 12, 17), "weak": (1, 2, 7, 9, 13, 16, 18)}
TEMPLATES, VIEWS = (1.0, 1.0, 2.0), 3  # how misleading each template is
ON_CELL, ON_TEMPLATE = 0.3, 0.4  # shares of the errors that go together

Shares = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """Full votes on pictures whose truth is known; ``audited`` marks cells of audited pictures."""

    ballots: Ballots
    truth: npt.NDArray[np.int8]
    audited: npt.NDArray[np.bool_]


def skill(voter: str, random: np.random.Generator) -> Shares:
    """Return how often the voter's answers are right, by value; ½ where it is blind."""
    blind = list(BLIND[voter])
    others = (AVERAGE[voter] * VALUES - 0.5 * len(blind)) / (VALUES - len(blind))
    room = min(0.05, 0.995 - others)
    shares = others + room * np.linspace(-1, 1, VALUES)[random.permutation(VALUES)]
    shares += others - np.delete(shares, blind).mean()
    shares[blind] = 0.5
    return shares


def simulate(seed: int) -> Study:
    random = np.random.default_rng(seed)
    cells = PICTURES * VALUES
    truth = random.random(cells) < np.tile(random.uniform(0.1, 0.5, VALUES), PICTURES)
    answers = {}
    for voter in AVERAGE:
        errs = np.tile(1 - skill(voter, random), PICTURES)
        misseen = random.random(cells) < ON_CELL * errs
        for template, misleads in enumerate(TEMPLATES):
            part = misleads / np.mean(TEMPLATES)
            misread = random.random(cells) < ON_TEMPLATE * errs * part
            rest = 1 - (1 - errs) / ((1 - ON_CELL * errs) * (1 - ON_TEMPLATE * errs))
            for view in range(VIEWS):
                wrong = misseen | misread | (random.random(cells) < rest)
                question = Question(voter=voter, template=f"{template + 1}", view=f"{view}")
                answers[question] = np.where(truth != wrong, SAID_YES, SAID_NO)
    questions = tuple(sorted(answers))
    at = np.arange(cells)
    ballots = Ballots(
        image_ids=pa.array([f"{picture:016x}" for picture in range(PICTURES)], pa.string()),
        object_ids=pa.nulls(PICTURES, pa.string()),
        values=tuple(Value(type=f"t{each // 5}", value=f"v{each:02}") for each in range(VALUES)),
        questions=questions,
        subjects=(at // VALUES).astype(np.int32),
        columns=(at % VALUES).astype(np.int32),
        answers=np.array([answers[question] for question in questions], np.uint8),
    )
    audited = np.repeat(random.permutation(PICTURES) < AUDITED, VALUES)
    labels = np.where(truth, YES, NO).astype(np.int8)
    return Study(ballots=ballots, truth=labels, audited=audited)


def compare(study: Study) -> dict[str, Shares]:
    """Return which labels each method gets right, (pictures, values), the audited left away.

    A label that is unsure is not right.
    """
    ballots, rule = study.ballots, Rule()
    found = calibrate(
        ballots, Known(truth=study.truth, counts=study.audited, weights=np.ones(len(study.truth)))
    )

    def by(*weights: Mapping[str, int]) -> npt.NDArray[np.int8]:
        table = weights if len(weights) > 1 else weights * VALUES
        return majority(ballots, share_weights(ballots.questions, table), rule).answer

    answers = {name: by({each: int(each == name) for each in AVERAGE}) for name in AVERAGE}
    answers["equal weights"] = by(dict.fromkeys(AVERAGE, 1))
    answers["calibrated weights"] = by(*found.weights())
    answers["log-odds"] = log_odds(ballots, found.skills, rule).answer
    answers["Dawid-Skene"] = dawid_skene(ballots, rule)[0].answer
    others = ~study.audited[::VALUES]
    return {
        name: (answer == study.truth).reshape(PICTURES, VALUES)[others].astype(float)
        for name, answer in answers.items()
    }


def gain(better: Shares, worse: Shares) -> tuple[Shares, Shares]:
    """Return the 95 % interval of a gain in accuracy by bootstrap over pictures.

    The first entry is that over all values, then one for each value.
    """
    apart = better - worse
    table = np.column_stack([apart.mean(axis=1), apart])
    random = np.random.default_rng(0)
    drawn = random.multinomial(len(table), np.full(len(table), 1 / len(table)), 1000)
    low, high = np.quantile(drawn @ table / len(table), [0.025, 0.975], axis=0)
    return low, high
