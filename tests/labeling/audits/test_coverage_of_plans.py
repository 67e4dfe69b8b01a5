"""How often intervals hold the truth when whole plans are judged bit by bit, as people do.

Plans are made again while they are judged in part; some labels nobody can tell; and whoever finds
a label of yes wrong names the value that holds, of which the machine said no: each named value is
a wrong label.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

from benchwright.decisions.fields import label_field
from benchwright.decisions.standing import standing
from benchwright.records import Decision
from labeling.audits.accuracy import Accuracy, label_accuracy
from labeling.audits.planning.plan import make_plan
from labeling.audits.planning.plan_file import PlannedItem, PlanSettings
from labeling.audits.planning.population import Population
from stand_ins.auditors import judged

PICTURES, VALUES, RUNS = 300, ("black", "blue", "red"), 300
PARTS = (0.4, 1.0, 0.5, 0.6)  # how much of what a plan wants is judged before the next


@dataclass(frozen=True)
class World:
    """A population, what is true of its labels, and of which nobody can tell."""

    population: Population
    truth: dict[tuple[str, str], str]
    dark: frozenset[tuple[str, str]]
    colours: dict[str, str]

    def share(self) -> float:
        """Return the share of right labels among those that can be told."""
        answers = self.population.labels.column("answer").to_pylist()
        told = [
            self.truth[image_id, value] == answer
            for (image_id, _, _, value), answer in zip(
                self.population.cells(), answers, strict=True
            )
            if (image_id, value) not in self.dark
        ]
        return sum(told) / len(told)


def make_world() -> World:
    """Return pictures of one colour each, of which the votes say yes to one that may be wrong.

    The closer the votes, the likelier it is, and the likelier that nobody can tell.
    """
    random = np.random.default_rng(11)
    rows, truth, dark, colours = [], {}, set(), {}
    for number in range(PICTURES):
        image_id = f"{number:016x}"
        margin_class = int(random.choice(3, p=[0.2, 0.3, 0.5]))
        colour, guess = (str(VALUES[at]) for at in random.choice(3, 2, replace=False))
        said = guess if random.random() < (0.4, 0.15, 0.02)[margin_class] else colour
        colours[image_id] = colour
        for value in VALUES:
            margin = (0.1, 0.3, 0.5)[margin_class]
            rows.append((image_id, value, "yes" if value == said else "no", margin))
            truth[image_id, value] = "yes" if value == colour else "no"
            if random.random() < (0.2, 0.1, 0.05)[margin_class]:
                dark.add((image_id, value))
    image_ids, values, answers, margins = zip(*rows, strict=True)
    labels = pa.table(
        {
            "image_id": pa.array(image_ids, pa.string()),
            "object_id": pa.nulls(len(rows), pa.string()),
            "type": pa.array(["colour"] * len(rows), pa.string()),
            "value": pa.array(values, pa.string()),
            "answer": pa.array(answers, pa.string()),
            "margin": pa.array(margins, pa.float64()),
        }
    )
    hundredths = np.array([round(100 * margin) for margin in margins], np.int64)
    population = Population(labels=labels, margins=hundredths, digest="x", left_out={})
    return World(population=population, truth=truth, dark=frozenset(dark), colours=colours)


def words(world: World, item: PlannedItem, auditor: str) -> list[Decision]:
    """Return what an auditor says of an item, and the value that is named in its place."""
    if (item.image_id, item.value) in world.dark:
        return [judged(item, None, auditor)]
    held = world.truth[item.image_id, item.value]
    said = [judged(item, held, auditor)]
    if held == "no" and item.answer == "yes":
        colour = world.colours[item.image_id]
        more = {"field": label_field("colour", colour), "named_for": said[0].field}
        said.append(judged(item, "yes", auditor, stratum=None, probability=None, **more))
    return said


def audit(world: World, seed: int) -> list[Accuracy]:
    """Return what an audit finds after each of its sittings."""
    random = np.random.default_rng(seed)
    settings = PlanSettings(half_width=0.02, pilot=240, overlap=0.1, seed=seed)
    decisions: list[Decision] = []
    seen: set[tuple[str, str]] = set()
    found = []
    for part in PARTS:
        plan = make_plan(world.population, standing(decisions), settings)
        wanted = [item for item in plan.items if (item.image_id, item.value) not in seen]
        for at in sorted(random.permutation(len(wanted))[: round(part * len(wanted))].tolist()):
            item = wanted[at]
            seen.add((item.image_id, item.value))
            for auditor in ("ana", "bo") if item.twice else ("ana",):
                decisions += words(world, item, auditor)
        found.append(label_accuracy(plan, standing(decisions)))
    return found


@dataclass(frozen=True)
class Sitting:
    """What 300 audits, each of which draws otherwise, find after one of their sittings."""

    off: np.ndarray  # by how much the share is too high
    holds: np.ndarray  # whether the interval holds the truth
    left: np.ndarray  # planned and not judged
    unsure: np.ndarray


@pytest.fixture(scope="module")
def sittings() -> list[Sitting]:
    world = make_world()
    truth = world.share()
    audits = [audit(world, seed) for seed in range(RUNS)]
    found = []
    for sitting in range(len(PARTS)):
        shares = [audited[sitting].overall for audited in audits]
        known = [share.estimate for share in shares if share.estimate is not None]
        assert len(known) == RUNS
        found.append(
            Sitting(
                off=np.array([each.share - truth for each in known]),
                holds=np.array([each.low <= truth <= each.high for each in known]),
                left=np.array([each.planned - each.told - each.unsure for each in shares]),
                unsure=np.array([each.unsure for each in shares]),
            )
        )
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("sitting", [0, 1])
def test_the_share_is_unbiased(sittings: list[Sitting], sitting: int) -> None:
    off = sittings[sitting].off
    assert abs(off.mean()) <= 2 * off.std(ddof=1) / np.sqrt(RUNS)


@pytest.mark.heavy
@pytest.mark.parametrize("sitting", [2, 3])
def test_sizes_that_follow_from_results_bias_it_little(
    sittings: list[Sitting], sitting: int
) -> None:
    off = sittings[sitting].off
    assert abs(off.mean()) <= 0.25 * off.std(ddof=1)


@pytest.mark.heavy
@pytest.mark.parametrize("sitting", range(len(PARTS)))
def test_intervals_hold_the_truth(sittings: list[Sitting], sitting: int) -> None:
    # of 300 runs at 95 % two standard errors are 0.025
    assert 0.925 <= sittings[sitting].holds.mean() <= 0.975


@pytest.mark.heavy
def test_plans_were_judged_in_part(sittings: list[Sitting]) -> None:
    assert [(each.left > 0).mean() > 0.5 for each in sittings] == [True, False, True, True]
    assert (sittings[-1].unsure > 10).all()
