"""What people decided as labels that are known, each by how likely its plan was to draw it."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from benchwright.decisions.fields import label_field
from benchwright.decisions.journal import append_decisions
from benchwright.knowledge import Value
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.by_decisions import known_by_decisions
from labeling.attributes.calibrating.known import Unmatched
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import SAID_YES
from labeling.attributes.deciding.weights import Question
from labeling.audits.planning.plan_file import (
    AuditPlan,
    PlannedItem,
    PlannedStratum,
    PlanSettings,
    write_plan,
)
from stand_ins.auditors import decision

A, B = (f"{number:016x}" for number in (1, 2))
RED, BLUE = "colour/red", "colour/blue"
DRAWN: dict[str, Any] = {"stratum": "s", "probability": 0.25}
BO: dict[str, Any] = {"auditor": "bo"}
NAMED: dict[str, Any] = {"named_for": "colour/blue", "at": "2026-04-01T00:00:00Z"}


def known(tmp_path: Path, *said: dict[str, Any]) -> tuple[Known, Unmatched | None]:
    """Return what is known of four cells: blue and red of two pictures."""
    workspace = Workspace(tmp_path)
    append_decisions(workspace, [decision(**each) for each in said])
    ballots = Ballots(
        image_ids=pa.array([A, B], pa.string()),
        object_ids=pa.array([None, None], pa.string()),
        values=(Value(type="colour", value="blue"), Value(type="colour", value="red")),
        questions=(Question(voter="v", template="1", view="whole"),),
        subjects=np.array([0, 0, 1, 1], np.int32),
        columns=np.array([0, 1, 0, 1], np.int32),
        answers=np.full((1, 4), SAID_YES, np.uint8),
    )
    return known_by_decisions(workspace, ballots, np.ones(4, bool))


@pytest.mark.parametrize(
    ("said", "truth", "weight"),
    [
        ([DRAWN], 1, 4.0),
        ([DRAWN | {"after": "no"}], -1, 4.0),
        ([DRAWN, DRAWN | BO | {"after": "no"}], 0, None),  # undecided
        ([DRAWN | {"after": None}], 0, None),  # nobody could tell
        ([{}], 0, None),  # no plan drew it
        ([DRAWN, BO], 1, 4.0),  # a third look at what was drawn
        ([{"probability": 0.5}], 1, 2.0),  # of no stratum
        # the plan grew: what the pilot drew is drawn by it too
        ([DRAWN, DRAWN | {"number": 2, "field": BLUE, "probability": 0.5}], 1, 2.0),
        ([DRAWN, DRAWN | {"number": 2, "stratum": "t", "probability": 0.5}], 1, 4.0),
        ([DRAWN, {"after": None, "verdict": "withdrawn", "at": "2026-04-01T00:00:00Z"}], 0, None),
        # named in the place of another, before or after it was judged by itself
        ([DRAWN | {"after": "no"}, NAMED], -1, 4.0),
        ([NAMED | {"at": "2026-02-01T00:00:00Z"}, DRAWN | {"after": "no"}], -1, 4.0),
        ([NAMED], 0, None),
        ([DRAWN, NAMED | BO | {"after": "no"}], 1, 4.0),  # bo was asked of another value
    ],
)
def test_what_one_label_is_known_to_be(
    tmp_path: Path, said: list[dict[str, Any]], truth: int, weight: float | None
) -> None:
    found, _ = known(tmp_path, *said)
    assert found.truth[1] == truth
    assert bool(found.usable[1]) is (weight is not None)
    if weight is not None:
        assert found.weights[1] == weight


def test_labels_of_a_plan_that_is_judged_in_part_stand_for_their_strata(tmp_path: Path) -> None:
    """All 100 of A are judged; of B, which grew from 20 to 500, only 21."""
    workspace = Workspace(tmp_path)
    items = [*_items("A", range(100), 0.1), *_items("B", range(100, 600), 0.5)]
    _plan(workspace, items, A=100, B=500)
    judged = [
        decision(
            number,
            stratum=item.stratum,
            # what the pilot drew has its probability, and by strata of other labels
            **({"probability": 0.02} if 100 <= number < 120 else {"probability": item.probability}),
        )
        for number, item in enumerate(items[:121])
    ]
    append_decisions(workspace, judged)
    found = _known_reds(workspace, 600)
    assert found.weights[found.usable].tolist() == [10.0] * 100 + [pytest.approx(1000 / 21)] * 21
    assert found.weights[found.usable].sum() == pytest.approx(2000)


def test_a_plan_knows_better_than_the_journal_what_was_drawn(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    _plan(workspace, [*_items("A", range(20), 0.02), *_items("B", range(20, 60), 0.04)], A=20, B=40)
    append_decisions(
        workspace,
        [
            # by an earlier plan, whose A was of other labels
            *(decision(number, stratum="A", probability=1.0) for number in range(5)),
            *(decision(number) for number in range(20, 30)),  # by hand
            decision(30, None, stratum="B", probability=0.04),  # that nobody can tell
            *(decision(number, stratum="A", probability=0.5) for number in (70, 71)),
            decision(72),
        ],
    )
    found = _known_reds(workspace, 80)
    weights = {at: found.weights[at] for at in range(80) if found.usable[at]}
    assert weights == {
        **dict.fromkeys(range(5), 200.0),
        **dict.fromkeys(range(20, 30), pytest.approx(90.9)),  # 909 of 1,000 can be told
        70: 2.0,  # the plan does not hold these, and no stratum of its name has a say in them
        71: 2.0,
    }


def test_a_plan_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    append_decisions(workspace, [decision(0, stratum="A", probability=0.5)])
    for text in ("{", "[]", '{"items": 5}', '{"items": [7, {"stratum": []}], "strata": [{}]}'):
        (workspace.audits / "plan.json").write_text(text)
        assert _known_reds(workspace, 2).weights.tolist() == [2.0, 1.0]


def _items(stratum: str, numbers: range, probability: float) -> list[PlannedItem]:
    return [
        PlannedItem(
            image_id=f"{number:016x}",
            object_id=None,
            type="colour",
            value="red",
            answer="yes",
            margin=0.5,
            stratum=stratum,
            probability=probability,
            twice=False,
        )
        for number in numbers
    ]


def _plan(workspace: Workspace, items: list[PlannedItem], **planned: int) -> None:
    """Write a plan of strata of 1,000 labels each."""
    strata = [
        PlannedStratum(
            name=name, type="colour", value=None, low=0, high=50, size=1000, planned=count, twice=0
        )
        for name, count in planned.items()
    ]
    plan = AuditPlan(
        stage="main",
        labels="x",
        settings=PlanSettings(),
        strata=tuple(strata),
        items=tuple(items),
    )
    write_plan(workspace, plan)


def _known_reds(workspace: Workspace, pictures: int) -> Known:
    """Return what is known of red on so many pictures."""
    ballots = Ballots(
        image_ids=pa.array([f"{number:016x}" for number in range(pictures)], pa.string()),
        object_ids=pa.nulls(pictures, pa.string()),
        values=(Value(type="colour", value="red"),),
        questions=(Question(voter="v", template="1", view="whole"),),
        subjects=np.arange(pictures, dtype=np.int32),
        columns=np.zeros(pictures, np.int32),
        answers=np.full((1, pictures), SAID_YES, np.uint8),
    )
    return known_by_decisions(workspace, ballots, np.ones(pictures, bool))[0]


def test_what_is_of_no_use_is_counted(tmp_path: Path) -> None:
    found, unused = known(
        tmp_path,
        DRAWN,
        {"number": 2},
        DRAWN | {"number": 9},  # of no picture that was voted on
        DRAWN | {"field": "colour/green"},
        {"image_id": None, "record_id": "d", "field": "dialogue"},  # no label
    )
    assert found.truth.tolist() == [0, 1, 0, 0]
    assert unused is not None
    assert (unused.count, unused.of) == (3, 4)
    assert "3 of 4 labels that people decided were drawn by no plan, or are not" in str(unused)
    assert str(unused).endswith(f"such as {A} colour: green")
    assert known(tmp_path / "all", DRAWN)[1] is None


def test_calibration_by_decisions_weighs_as_a_file_of_them_does(
    shop: Any, kit: Any, serve: Any
) -> None:
    """The same labels with the same probabilities give the same weights.json, byte for byte."""
    server = serve(kit.script())
    shop.ask(shop.ensemble(kit.model(server), full=1, templates=2))
    shop.do("decide")
    rows, decisions = ["image_id,type,value,answer,probability"], []
    for number, ((image_id, _, kind, value), answer) in enumerate(sorted(shop.right().items())):
        probability = (0.5, 0.125)[number % 2]
        decisions.append(
            decision(
                image_id=image_id,
                field=label_field(kind, value),
                after=answer,
                verdict="confirmed",
                stratum=f"s{number % 2}",
                probability=probability,
            )
        )
        rows.append(f"{image_id},{kind},{value},{answer},{probability}")
    append_decisions(shop.workspace, decisions)
    path = shop.root / "known.csv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    found = []
    for known_labels in (path, "decisions"):
        shop.do("calibrate", "--known", known_labels)
        found.append(shop.workspace.weights.read_bytes())
    assert found[0] == found[1]
    ran = shop.do("measure", "--known", "decisions", code=1)  # no value has 8 yes and 8 no
    assert "decisions: knows 112 values" in ran.err


def test_without_decisions_there_is_nothing_to_calibrate_by(
    shop: Any, kit: Any, serve: Any
) -> None:
    shop.ask(shop.ensemble(kit.model(serve(kit.script())), full=1))
    append_decisions(shop.workspace, [decision(field="trim/bow")])
    refused = shop.do("calibrate", "--known", "decisions", code=1).err
    assert "decisions: knows nothing of the 112 values that were voted on: 1 of 1 labels" in refused
    assert refused.count("\n") == 1
