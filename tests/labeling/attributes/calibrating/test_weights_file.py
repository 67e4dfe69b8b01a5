"""weights.json: what calibration found goes there and comes back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.knowledge import Value
from labeling.attributes.calibrating.weights_file import WeightsFile, read_weights, save_weights
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Calibration, Known, calibrate
from labeling.attributes.deciding.codes import SAID_NO, SAID_YES
from labeling.attributes.deciding.log_odds import log_odds
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import Question, share_weights

VALUES = (Value(type="cloth", value="navy"), Value(type="cloth", value="teal"))
PICTURES = 200


@pytest.fixture(scope="module")
def voted() -> tuple[Ballots, Known]:
    """Two voters, right in nine and in seven of ten answers, on two values; a third is unknown."""
    random = np.random.default_rng(0)
    truth = np.where(random.random(2 * PICTURES) < 0.4, 1, -1).astype(np.int8)
    right = np.array([random.random(2 * PICTURES) < share for share in (0.9, 0.7)])
    answers = np.where((truth == 1) == right, SAID_YES, SAID_NO).astype(np.uint8)
    at = np.arange(2 * PICTURES)
    ballots = Ballots(
        image_ids=pa.array([f"{each:016x}" for each in range(PICTURES)], pa.string()),
        object_ids=pa.nulls(PICTURES, pa.string()),
        values=VALUES,
        questions=tuple(Question(voter=name, template="1", view="v") for name in ("a", "b")),
        subjects=(at // 2).astype(np.int32),
        columns=(at % 2).astype(np.int32),
        answers=answers,
    )
    known = Known(truth=truth, counts=at < PICTURES, weights=np.ones(2 * PICTURES))
    return ballots, known


@pytest.fixture(scope="module")
def found(voted: tuple[Ballots, Known]) -> Calibration:
    return calibrate(*voted)


def test_a_round_trip(tmp_path: Path, voted: Any, found: Calibration) -> None:
    written = WeightsFile.of(VALUES, found, votes="c0de")
    path = tmp_path / "w.json"
    save_weights(path, written)
    first = path.read_bytes()
    save_weights(path, WeightsFile.of(VALUES, found, votes="c0de"))
    assert path.read_bytes() == first
    read = read_weights(path)
    assert read == written
    assert read.votes == "c0de"
    own = {"a": 1, "b": 1}
    assert read.by_value(VALUES, own) == found.weights()
    skills = read.skills(VALUES)
    assert skills.voters == ("a", "b")
    assert np.array_equal(skills.sensitivity, found.skills.sensitivity)
    assert np.array_equal(skills.specificity, found.skills.specificity)
    ballots, _ = voted
    ours, theirs = (log_odds(ballots, each, Rule()).answer for each in (skills, found.skills))
    assert np.array_equal(ours, theirs)
    entry = read.values[0].voters["a"]
    assert entry.weight == 100
    assert entry.sensitivity.low < (entry.sensitivity.share or 0) < entry.sensitivity.high
    assert entry.sensitivity.size == pytest.approx(40, abs=15)


def test_values_that_are_new_or_in_another_order(found: Calibration) -> None:
    weights = WeightsFile.of(VALUES, found, votes="c0de")
    new = Value(type="trim", value="bow")
    by_value = weights.by_value((new, *reversed(VALUES)), {"a": 3, "b": 2})
    assert by_value == [{"a": 3, "b": 2}, *reversed(found.weights())]
    skills = weights.skills((new, *reversed(VALUES)))
    assert skills.sensitivity[:, 1:].tolist() == found.skills.sensitivity[:, ::-1].tolist()
    assert skills.sensitivity[0, 0] == pytest.approx(found.skills.sensitivity[0].mean())


def test_a_value_whose_good_voters_left_is_weighed_as_the_ensemble_says(
    found: Calibration,
) -> None:
    said = WeightsFile.of(VALUES, found, votes="c0de").model_dump(mode="json")
    said["values"][0]["voters"]["b"]["weight"] = 0  # no better than chance
    weights = WeightsFile.model_validate(said)
    first, *rest = weights.by_value(VALUES, {"b": 3})
    assert first == {"b": 3}
    assert [row["b"] for row in rest] == [row["b"] for row in found.weights()[1:]]
    questions = [Question(voter="b", template="1", view="whole")]
    assert share_weights(questions, [first, *rest]).min() > 0


def test_a_voter_that_is_not_in_the_file(found: Calibration) -> None:
    with pytest.raises(UsageError, match="say nothing of voter c; run label-attributes calibrate"):
        WeightsFile.of(VALUES, found, votes="c0de").by_value(VALUES, {"a": 1, "b": 1, "c": 1})


def edited(found: Calibration, **changes: Any) -> dict[str, Any]:
    said = WeightsFile.of(VALUES, found, votes="c0de").model_dump(mode="json")
    return said | changes


@pytest.mark.parametrize(
    "spoil",
    [
        lambda said: "",
        lambda said: "{",
        lambda said: "[]",
        lambda said: "\udcff",
        lambda said: json.dumps(said | {"more": 1}),
        lambda said: json.dumps(said | {"values": []}),
        lambda said: json.dumps(said | {"voters": ["a", "b", "c"]}),  # one without skills
        lambda said: json.dumps(said | {"voters": []}),
        lambda said: json.dumps(said | {"voters": ["a", "b", "b"]}),
        lambda said: json.dumps(said | {"values": [*said["values"], said["values"][0]]}),
        lambda said: json.dumps({key: said[key] for key in said if key != "votes"}),
        lambda said: json.dumps(said | {"votes": ""}),
        lambda said: json.dumps(said).replace('"weight": 100', '"weight": -1'),
        lambda said: json.dumps(said).replace('"weight": 100', '"weight": 0.5'),
        lambda said: json.dumps(said).replace('"used": 0.', '"used": 1.', 1),
        lambda said: json.dumps(said).replace('"used": 0.', '"used": NaN, "x": 0.', 1),
    ],
)
def test_what_is_no_file_of_weights(tmp_path: Path, found: Calibration, spoil: Any) -> None:
    path = tmp_path / "w.json"
    path.write_bytes(spoil(edited(found)).encode("utf-8", "surrogateescape"))
    with pytest.raises(
        UsageError, match=r"w\.json: (at .+: |is no JSON ).+; label-attributes calibrate writes"
    ):
        read_weights(path)


def test_a_value_that_stands_twice_is_named(tmp_path: Path, found: Calibration) -> None:
    said = edited(found)
    path = tmp_path / "w.json"
    path.write_text(json.dumps(said | {"values": [*said["values"], said["values"][1]]}), "utf-8")
    with pytest.raises(UsageError, match="cloth: teal stands twice"):
        read_weights(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"none\.json: cannot be read \(No such .*\); label-attributes calibrate"
    ):
        read_weights(tmp_path / "none.json")


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["a", "b", "cloth"]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(["voters", "values", "type", "value", "weight", "a"]), part, max_size=4
        )
    ),
    max_leaves=10,
)


@given(said=ANY, where=st.sampled_from(["top", "values", "value", "voters", "skill", "rate"]))
def test_any_json_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, found: Calibration, said: Any, where: str
) -> None:
    whole = edited(found)
    match where:
        case "top":
            whole = said
        case "values" | "voters":
            whole[where] = said
        case "value":
            whole["values"][0] = said
        case "skill":
            whole["values"][0]["voters"] = said
        case "rate":
            whole["values"][0]["voters"]["a"]["specificity"] = said
    path = tmp_path_factory.getbasetemp() / "any-weights.json"
    path.write_text(json.dumps(whole), "utf-8")
    try:
        weights = read_weights(path)
    except UsageError:
        return
    # what is read can be used
    weights.by_value(VALUES, dict.fromkeys(weights.voters, 1))
    assert np.isfinite(weights.skills(VALUES).log_yes).all()
