"""What run-benchmark score says of whole runs of candidate sets."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright import store
from benchwright.records import Grounding, ScoreRow
from benchwright.rows import from_table, to_table

Run = Callable[..., Any]
Play = Callable[..., Any]
Behind = Callable[..., Any]


def values_in(folder: Path) -> dict[tuple[str, str, str], float | None]:
    rows = from_table(pq.read_table(folder / "scores.parquet"), ScoreRow)
    return {(row.metric, row.by, row.of): row.value for row in rows}


# Six dialogues of three turns: three of four boxes are plausible, then two, then one; the three of
# the first turn are the cups. A model with its options, and figures that are not 0 or those of all.
MODELS: dict[str, tuple[str, tuple[str, ...], dict[str, float]]] = {
    "says what is true": ("thousandths", (), {"Acc@0.5": 1, "precision": 1, "recall": 1, "F1": 1}),
    "selects what is true": (
        "selecting",
        ("--given-candidates",),
        {"Acc@0.5": 1, "precision": 1, "recall": 1, "F1": 1},
    ),
    # at the turns with sets precision 1 and 2/3, F1 1 and 4/5; at the last one three boxes
    "never rules anything out": (
        "first-turn",
        (),
        {"precision": 5 / 6, "recall": 1, "F1": 9 / 10, "several": 1, "any_box": 1},
    ),
    # twenty small boxes before the true ones
    "says all sorts of things": ("many", (), {"several": 1, "over_limit": 1}),
    "sees nothing": ("none", (), {"nothing": 1}),
    "declines": ("declining", (), {"refused": 1}),
}
METRICS = (
    *("Acc@0.5", "precision", "recall", "F1", "several"),
    *("over_limit", "nothing", "refused", "unreadable"),
)


@pytest.mark.parametrize("case", MODELS)
def test_a_model_is_scored(
    case: str, copied: Play, run: Run, scenes: Path, verify: Callable[..., None]
) -> None:
    model, options, wanted = MODELS[case]
    played = copied(model, *options)
    assert played.code == 0, played.said
    scored = run("run-benchmark", "score", played.folder, "--release", scenes)
    assert scored.code == 0, scored.err
    assert scored.out.splitlines()[:2] == [
        f"{model} on things/1.0.0, candidate-set (tried)",
        "18 of 18 samples",
    ]
    *table, _written, told = scored.out.splitlines()
    assert max(map(len, table)) <= 80
    assert told.startswith("next: run-benchmark report ")
    verify(played.folder)  # the manifest knows the files of the score
    found = values_in(played.folder)
    for metric in METRICS:
        assert found[metric, "all", "all"] == pytest.approx(wanted.get(metric, 0)), metric
    # beside it, and the same for all: three cups of four boxes at the first turns
    assert found["precision", "baseline", "all_boxes"] == pytest.approx((3 / 4 + 2 / 4) / 2)
    assert found["precision", "baseline", "category"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["precision", "baseline", "first_turn"] == pytest.approx(2 / 3)
    sizes = [found["true_size", "tracked_turn", turn] for turn in "123"]
    assert sizes == [3, 2, 1]
    whole = json.loads((played.folder / "scores.json").read_text("utf-8"))
    assert whole["tracked"] == {"turns": 3, "dialogues": 6}
    assert whole["items"]["noun"] == "sample"


def test_junk_is_no_answer_and_no_end(copied: Play, run: Run, scenes: Path) -> None:
    played = copied("junk")
    scored = run("run-benchmark", "score", played.folder, "--release", scenes)
    assert scored.code == 0, scored.err
    assert values_in(played.folder)["unreadable", "all", "all"] not in (None, 0)


def test_other_instructions_are_compared(
    play: Play, behind: Behind, run: Run, scenes: Path
) -> None:
    server = behind()
    aware = play(server, "first-turn", "--instruction", "aware", place="one").folder
    base = play(server, "none", place="other").folder
    compared = run("run-benchmark", "score", aware, base, "--release", scenes)
    assert compared.code == 0, compared.err
    lines = compared.out.splitlines()
    assert lines[2] == "on 18 samples"
    assert lines[4] == "  --instruction aware / base"
    assert max(map(len, lines)) <= 80
    cells = {name: rest for name, *rest in (re.split(" {2,}", line) for line in lines[6:])}
    assert cells["precision"] == ["83.3%", "0.0%", "+83.3 pt", "-"]
    assert cells["recall"] == ["100.0%", "0.0%", "+100.0 pt", "-"]
    name = "predicted size, tracked turn 3"  # as long a name as there is
    assert next(line for line in lines if line.startswith(name))[len(name) :].split() == [
        *("3.0", "0.0", "+3.0", "-")
    ]
    # nothing is measured of samples without a target where there is none
    assert "no target" not in cells


def test_missing_answers_are_no_score(copied: Play, run: Run, scenes: Path) -> None:
    folder = copied("thousandths").folder
    rows = list(from_table(store.read_table(folder, "groundings-*.parquet"), Grounding))
    manifest, about = store.require(folder, ""), (folder / "run.json").read_bytes()
    owns = ("*.parquet", "*.json")
    with store.writing(
        folder, manifest.plan, configs={"groundings": "groundings-*.parquet"}, owns=owns
    ) as writer:
        writer.shards("groundings", to_table(rows[:-2], Grounding))
        writer.file("run.json", about)
        writer.counts = {"episodes": 18, "played": 16, "failed": 0}
    refused = run("run-benchmark", "score", folder, "--release", scenes)
    assert refused.code == 1
    assert "of 18 samples 2 are missing; run it again to go on" in refused.err
    partial = run("run-benchmark", "score", folder, "--release", scenes, "--partial")
    assert partial.code == 0
    assert "16 of 18 samples, 88.9% covered" in partial.out
    # the dialogue that is not whole is followed no more
    assert "in the 5 dialogues with all turns" in partial.out


def test_the_same_run_has_the_same_score(
    copied: Play, run: Run, scenes: Path, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    folder = copied("first-turn").folder
    assert run("run-benchmark", "score", folder, "--release", scenes).code == 0
    first = holdings(folder)
    assert run("run-benchmark", "score", folder, "--release", scenes).code == 0
    assert holdings(folder) == first


def test_a_run_made_elsewhere_is_of_hidden_target(run: Run, scenes: Path, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.jsonl"
    path.write_text("{}\n", "utf-8")
    named = ("--release", scenes, "--config", "candidate-set")
    scored = run("run-benchmark", "score", path, *named)
    assert scored.code == 1
    assert "runs made elsewhere are scored of hidden-target alone" in scored.err
