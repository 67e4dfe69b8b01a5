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
from stand_ins.auditors import decision

A, B = (f"{number:016x}" for number in (1, 2))
RED, BLUE = "colour/red", "colour/blue"
DRAWN: dict[str, Any] = {"stratum": "s", "probability": 0.25}
BO: dict[str, Any] = {"auditor": "bo"}


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
