"""Score rows: what each names, and by which routes replies were read."""

import json
from dataclasses import replace
from io import BytesIO

import pyarrow.parquet as pq

from benchwright.rows import from_table
from benchwright.run_records import Build, ScoreRow, Trajectory
from evaluation.hidden_target.running.material import Material
from evaluation.scoring.figures import Figure, Key
from evaluation.scoring.played import Played
from evaluation.scoring.score_rows import ScoredOn, parse_route, score_files, score_rows
from stand_ins.trajectories import asks, played, skips

ON = ScoredOn(release="me/things@v1.0.0", commit="c0ffee", digest="d1", config="c")
FIGURE = Figure(key=Key("turns", "outcome", "verified"), value=None, low=None, high=None, n=0)


def build(part: str, model: str | None, fingerprint: str, answers: int) -> Build:
    return Build(part=part, voter="v", model=model, build=fingerprint, answers=answers)


def run_of(episodes: list[Trajectory], planned: int) -> Played:
    return Played(
        name="run",
        player="v",
        prompt="p1",
        detector="rules",
        oracle="judge",
        verifier="labels",
        planned=planned,
        trajectories=episodes,
    )


def episodes_of(material: Material) -> list[Trajectory]:
    one, other, failed = material.galleries[:3]
    return [
        played(one, asks("", "no"), skips("index"), builds=[build("player", "m", "b1", 3)]),
        played(
            other,
            skips("no_question"),
            guess=1,
            builds=[build("player", "m", "b1", 2), build("oracle", "judge", "b2", 1)],
        ),
        # what failed is in no figure, and so is who answered there
        played(failed, end="failed", builds=[build("player", "other", "b9", 9)]),
    ]


def test_a_row_names_all_that_was_measured(material: Material) -> None:
    (row,) = score_rows(run_of(episodes_of(material), 4), ON, [FIGURE])
    assert row == ScoreRow(
        run="run",
        release="me/things@v1.0.0",
        release_commit="c0ffee",
        release_digest="d1",
        config="c",
        player="v",
        model="m",
        builds=(build("oracle", "judge", "b2", 1), build("player", "m", "b1", 5)),
        prompt="p1",
        detector="rules",
        oracle="judge",
        verifier="labels",
        parse_route=(
            "read: statement 66.7%, question_mark 33.3%; mapped: none 100.0%;"
            " guess: announced 100.0%"
        ),
        metric="turns",
        by="outcome",
        of="verified",
        value=None,
        low=None,
        high=None,
        n=0,
        coverage=2 / 4,
    )


def test_a_run_without_a_word_has_no_route(material: Material) -> None:
    assert parse_route([played(material.galleries[0])]) == ""


def test_files_hold_the_same_rows(material: Material) -> None:
    rows = score_rows(run_of(episodes_of(material), 4), ON, [FIGURE, replace(FIGURE, value=2.5)])
    made = score_files(rows, {"coverage": 0.5})
    assert list(from_table(pq.read_table(BytesIO(made["scores.parquet"])), ScoreRow)) == rows
    whole = json.loads(made["scores.json"])
    assert whole["coverage"] == 0.5
    assert [row["value"] for row in whole["rows"]] == [None, 2.5]
