"""What a workspace says of its stages: which are stale, of what, and which are broken."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from benchwright import files, store
from benchwright.decisions.journal import append_decisions
from benchwright.status import current_inputs, read_status, status_lines
from benchwright.workspace import Workspace
from stand_ins.auditors import decision

VOCABULARY = "types: {cloth: {values: {navy: {templates: ['Is the {noun} navy?']}}}}\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace whose votes and labels were made of all that lies there."""
    made = Workspace(tmp_path / "w")
    made.labels.mkdir(parents=True)
    made.vocabulary.write_text(VOCABULARY, "utf-8")
    made.weights.write_text('{"navy": 1}', "utf-8")
    stage(made.catalog, "catalog", {})
    groups = made.catalog / "duplicates"
    stage(groups, "duplicates", {}, table="groups")
    stage(made.votes, "votes", current_inputs(made))
    stage(made.labels, "labels", current_inputs(made))
    return made


def stage(
    folder: Path, name: str, inputs: Mapping[str, str], rows: int = 1, table: str = "rows"
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan = store.Plan(stage=name, inputs=inputs, settings={"method": "by hand"})
    owned = (f"{table}.parquet",)
    with store.writing(folder, plan, configs={table: owned[0]}, owns=owned) as out:
        out.table(table, pa.table({"n": range(rows)}))
        out.counts["rows"] = rows


def stale(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    return {one.name: one.stale for one in read_status(workspace) if one.stale}


def test_nothing_is_stale_that_was_just_made(workspace: Workspace) -> None:
    assert [one.name for one in read_status(workspace)] == [
        *("catalog", "catalog/duplicates", "labels/votes", "labels")
    ]
    assert stale(workspace) == {}


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        (lambda one: stage(one.catalog, "catalog", {}, rows=2), "catalog"),
        (lambda one: stage(one.votes, "votes", current_inputs(one), rows=2), "votes"),
        (
            lambda one: stage(one.catalog / "duplicates", "duplicates", {}, 2, table="groups"),
            "duplicates",
        ),
        (lambda one: one.weights.write_text('{"navy": 2}'), "weights"),  # calibrated again
        (lambda one: one.weights.unlink(), "weights"),
        # another wording of a question, and nothing else of the vocabulary
        (lambda one: one.vocabulary.write_text(VOCABULARY.replace("?", ", then?")), "wordings"),
        (lambda one: one.vocabulary.write_text(VOCABULARY.replace("navy:", "teal:")), "vocabulary"),
        (lambda one: one.vocabulary.write_text("types: ["), "vocabulary"),  # cannot be read
    ],
)
def test_what_was_read_and_is_no_longer_so_is_named(
    workspace: Workspace, changed: Callable[[Workspace], object], found: str
) -> None:
    changed(workspace)
    assert found in stale(workspace)["labels"]
    others = set(stale(workspace)["labels"]) - {found}
    assert others == ({"wordings"} if found == "vocabulary" else set())
    assert any(f"stale: {found}" in line for line in lines(workspace))


def test_an_input_that_no_workspace_holds_is_never_stale(workspace: Workspace) -> None:
    stage(workspace.galleries / "tau-0.3", "galleries", {"labels": "other", "table.csv": "any"})
    assert stale(workspace)["galleries/tau-0.3"] == ("duplicates", "labels")


def test_votes_that_came_after_the_labels(workspace: Workspace) -> None:
    inputs = {name: value for name, value in current_inputs(workspace).items() if name != "votes"}
    stage(workspace.labels, "labels", inputs)
    assert stale(workspace) == {"labels": ("votes",)}


def test_decisions_on_labels_that_came_after_the_labels(workspace: Workspace) -> None:
    append_decisions(workspace, [decision(image_id=None, record_id="d1", field="dialogue")])
    assert stale(workspace) == {}  # no decision on a label
    append_decisions(workspace, [decision()])
    assert stale(workspace) == {"labels": ("decisions",)}
    assert any("stale: decisions changed since" in line for line in lines(workspace))
    stage(workspace.labels, "labels", current_inputs(workspace))
    assert stale(workspace) == {}
    withdrawn = decision(after=None, verdict="withdrawn", at="2026-04-01T12:00:00+00:00")
    append_decisions(workspace, [withdrawn])
    assert stale(workspace) == {"labels": ("decisions",)}
    # what other stages call their decisions is of dialogues
    dialogues = workspace.root / "dialogues" / "candidate-set"
    stage(dialogues, "dialogues", {"drafts": "d", "decisions": "other"})
    assert set(stale(workspace)) == {"labels"}


def test_where_an_audit_stands(workspace: Workspace, tmp_path: Path) -> None:
    def said() -> str | None:
        return next((line.strip() for line in lines(workspace) if "judge" in line), None)

    assert said() is None
    items = [
        {"image_id": f"{at:016x}", "object_id": None, "type": "colour", "value": "red"}
        for at in range(3)
    ]
    plan = {"stage": "pilot", "items": [{**each, "twice": not at} for at, each in enumerate(items)]}
    workspace.audits.mkdir()
    files.write_json(workspace.audits / "plan.json", plan)
    assert said() == "audits              no label judged; pilot: 4 of 4 judgements to be made"
    append_decisions(workspace, [decision(0), decision(1), decision(1, auditor="bo")])
    assert said() == (
        "audits              2 labels judged by 2 auditors; pilot: 2 of 4 judgements to be made"
    )
    broken = [{"image_id": 7}, None, {**items[2], "type": None, "twice": True}]
    files.write_json(workspace.audits / "plan.json", {"stage": "main", "items": broken})
    assert said() == (
        "audits              2 labels judged by 2 auditors; plan: 0 of 0 judgements to be made"
    )
    alone = Workspace(tmp_path / "alone")
    append_decisions(alone, [decision()])
    assert lines(alone)[1] == "  audits   1 label judged by 1 auditor"


def test_releases_are_shown_with_rows_and_gate(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    check = {"name": "licences", "limit": 0, "passed": True, "waived": None}
    failed = {**check, "passed": False}
    for version, checks in (
        ("1.10.0", [check, {**check, "limit": None, "passed": False}]),  # one is information
        ("1.9.0", [failed, {**failed, "name": "duplicates", "waived": "known"}, failed]),
        ("1.2.0", None),  # by an earlier version
    ):
        folder = workspace.releases / "things" / version
        folder.mkdir(parents=True)
        configs = {f"c{at}": {"rows": 1_000 + at} for at in range(5)}
        files.write_json(folder / "release.lock.json", {"benchwright": "9.9", "configs": configs})
        if checks is not None:
            files.write_json(folder / "gate.json", {"checks": checks})
    (workspace.releases / "things" / ".1.11.0.partial").mkdir()
    broken = workspace.releases / "torn" / "1.0.0" / "release.lock.json"
    broken.parent.mkdir(parents=True)
    broken.write_text("{", "utf-8")
    other = workspace.releases / "torn" / "1.1.0" / "release.lock.json"
    other.parent.mkdir(parents=True)
    other.write_text("[]", "utf-8")
    torn = "release.lock.json or gate.json cannot be read: bring it back, or remove the folder"
    rows = "5,010 rows: c0 1,000, c1 1,001, c2 1,002, c3 1,003, 1 more; gate:"
    assert [line.strip() for line in lines(workspace)[1:]] == [
        f"releases/things/1.2.0   {rows} not run",
        "benchwright 9.9",
        f"releases/things/1.9.0   {rows} fails licences (1 waived)",
        "benchwright 9.9",
        f"releases/things/1.10.0  {rows} passes",
        "benchwright 9.9",
        f"releases/torn/1.0.0     {torn}",
        f"releases/torn/1.1.0     {torn}",
    ]


def test_a_release_that_was_built_is_shown(whole_once: Workspace) -> None:
    said = "\n".join(lines(whole_once))
    assert re.search(r"releases/things/1\.0\.0 +[0-9,]+ rows: .* more; gate: ", said)


def lines(workspace: Workspace) -> list[str]:
    return status_lines(workspace, read_status(workspace))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda one: (one.catalog / "rows.parquet").unlink(), "rows.parquet is missing or cut"),
        (lambda one: (one.catalog / "rows.parquet").write_bytes(b"x"), "is missing or cut"),
        (lambda one: (one.catalog / store.MANIFEST).write_text("["), "is no manifest"),
        (lambda one: (one.catalog / store.PARTS).mkdir(), "another run has begun to replace it"),
    ],
)
def test_what_is_broken_or_under_way(
    workspace: Workspace, harm: Callable[[Workspace], object], said: str
) -> None:
    assert not any(said in line for line in lines(workspace))
    harm(workspace)
    assert any(said in line for line in lines(workspace))


def test_a_stage_that_was_stopped_and_an_empty_workspace(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    assert lines(workspace) == [f"{workspace.root}: empty"]
    (workspace.catalog / store.PARTS).mkdir(parents=True)
    assert lines(workspace)[1].endswith("stopped half-way: run its command again and it goes on")


@pytest.mark.parametrize(
    ("settings", "seed", "said"),
    [({}, None, "benchwright "), ({}, 7, "seed 7; benchwright "), ({"n": 2}, 7, "n 2, seed 7; ")],
)
def test_a_stage_without_settings_has_no_gap_in_their_place(
    tmp_path: Path, settings: Mapping[str, int], seed: int | None, said: str
) -> None:
    workspace = Workspace(tmp_path)
    plan = store.Plan(stage="catalog", inputs={}, settings=settings, seed=seed)
    with store.writing(workspace.catalog, plan, configs={}) as out:
        out.table("rows", pa.table({"n": range(1)}))
    assert lines(workspace)[1].startswith(f"  catalog  {said}")


def test_of_a_run_it_is_said_who_played_and_what_is_unusual(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    settings = {
        "player": {"name": "qwen", "url": "http://a"},
        "config": "hidden-target-tau-0.6",
        "detector": "rules",
        "oracle": {"name": "gpt"},
        "rules": {"turns": 20, "noun": "dress"},
        "noise": {"flip": 0.1, "blur": 0.0, "flips": 0, "within": 0},
        "prompts": {"player": "17c89ceb" * 8},
        "sample": 0,
        "episodes": 40,
    }
    for name, noise in (("noisy", settings["noise"]), ("quiet", {"flip": 0.0})):
        plan = store.Plan(stage="run", inputs={}, settings={**settings, "noise": noise})
        with store.writing(workspace.runs / name, plan, configs={}) as out:
            out.table("rows", pa.table({"n": range(1)}))
            out.counts["played"] = 40
    _, _, noisy, _, quiet = (line.strip().partition("; ")[0] for line in lines(workspace))
    of_all = ("config hidden-target-tau-0.6, episodes 40", "oracle gpt, player qwen")
    assert (noisy, quiet) == (", noise flip=0.1, ".join(of_all), ", ".join(of_all))


@pytest.mark.parametrize(
    ("folder", "settings", "counts", "said"),
    [
        (
            "runs/a",
            {"config": "false-premise", "episodes": 4, "detectors": {"keen": {"prompt": "x"}}},
            {"episodes": 4, "played": 3},
            "4 dialogues, 3 played config false-premise, detectors keen, dialogues 4",
        ),
        ("runs/a", {"config": "candidate-set"}, {"episodes": 9}, "9 samples config candidate-set"),
        ("runs/a", {"config": "question-chain"}, {"episodes": 2}, "2 chains config question-chain"),
        ("runs/a", {"config": "hidden-target-tau-0.6"}, {"episodes": 2}, "2 episodes config hidde"),
        ("dialogues/candidate-set", {}, {"dialogues": 2}, "2 turns"),  # of one dialogue
        ("dialogues/question-chain", {}, {"dialogues": 2}, "2 chains"),
        ("dialogues/false-premise", {}, {"dialogues": 2}, "2 dialogues"),
    ],
)  # fmt: skip
def test_items_are_called_what_they_are(
    tmp_path: Path, folder: str, settings: dict[str, Any], counts: dict[str, int], said: str
) -> None:
    workspace = Workspace(tmp_path)
    plan = store.Plan(stage="x", inputs={}, settings=settings)
    with store.writing(tmp_path / folder, plan, configs={}) as out:
        out.table("rows", pa.table({"n": range(1)}))
        out.counts.update(counts)
    found = " ".join(line.strip() for line in lines(workspace)[1:])
    assert found.removeprefix(folder).strip().startswith(said)


def test_the_mapping_of_a_table_says_its_columns(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    mapping = {
        "attributes": ["hem", "sleeve"],
        "author": None,
        "id": "Dress_ID",
        "missing": ["", "null"],
        "source": "table",
        "value_separator": "|",
    }
    plan = store.Plan(stage="catalog", inputs={}, settings={"mapping": mapping})
    with store.writing(workspace.catalog, plan, configs={}) as out:
        out.table("rows", pa.table({"n": range(1)}))
    assert "mapping attributes=2 id=Dress_ID; benchwright" in "\n".join(lines(workspace))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (("m1", "m2"), "x m1+m2"),
        # one line, though a text has several
        (["Is it so?\n{}\n"], "x Is it so? {}"),
        ("a long text " * 9, "x a long text a long text a long text a l…"),
        # the first of a list says what the others are like
        (["a long text " * 9] * 3, "x a long text a long text a long text a l… and 2 more"),
        (["voter"] * 9, "x voter+voter+voter+voter+voter+voter and 3 more"),
        ("17c89ceb" * 8, "x 17c89ceb"),
        ({"name": "qwen", "url": "http://a"}, "x qwen"),
        ({"correct": 3, "turns": 10, "none": 0}, "x correct=3 turns=10"),
        # and one of maps, however short
        ({"keen": {"prompt": "17c89ceb" * 8}}, "x keen"),
        ({"keen": {"prompt": "17c89ceb" * 8}, "kind": {"n": 1}}, "x keen+kind"),
        # a map that is long goes by its keys
        ({"categories": "f" * 64, "overlap_contained": 0.25, "same_object_iou": 0.9},
         "x categories+overlap_contained and 1 more"),
    ],
)  # fmt: skip
def test_long_settings_are_cut_to_what_a_person_reads(
    tmp_path: Path, value: object, said: str
) -> None:
    workspace = Workspace(tmp_path)
    plan = store.Plan(stage="catalog", inputs={}, settings={"x": value})
    with store.writing(workspace.catalog, plan, configs={}) as out:
        out.table("rows", pa.table({"n": range(1)}))
        out.counts["rows"] = 1
        out.reasons["blurred"] = 2
    _, first, second = lines(workspace)
    assert first == "  catalog  1 rows; left out: 2 blurred"
    assert second.strip().startswith(f"{said}; benchwright ")
