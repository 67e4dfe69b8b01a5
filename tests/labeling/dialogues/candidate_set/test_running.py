"""All steps on the real dialogues of InViG, with boxes laid over them by a seeded generator."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from datasets import Features, List, Value, load_dataset

from benchwright.decisions.journal import append_decisions
from benchwright.records import CandidateSet, Decision
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import choosing_folder, read_choices
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings
from labeling.dialogues.candidate_set.deciding import decision_of_marks
from labeling.dialogues.candidate_set.funnel import count_funnel
from labeling.dialogues.candidate_set.running import run_candidate_sets
from labeling.dialogues.stored import (
    decide_dialogues,
    dialogues_folder,
    drafts_folder,
    read_dialogues,
    read_drafts,
)
from stand_ins.dialogues import catalog_of, invig_items, with_objects_laid_over

DIALOGUES = Path(__file__).parents[3] / "data" / "invig" / "derived_test_dialogs.jsonl.gz"
AT = "2026-03-01T12:00:00+00:00"
DRAWN = 800

BOX_FEATURE = List(Value("float64"), length=4)
CANDIDATE_SET = Features(
    {
        "dialogue_id": Value("string"),
        "image_id": Value("string"),
        "turn": Value("int32"),
        "context": List({"speaker": Value("string"), "text": Value("string")}),
        "first_utterance": Value("string"),
        "boxes": List(
            {"box_id": Value("string"), "category": Value("string"), "bbox": BOX_FEATURE}
        ),
        "candidate_ids": List(Value("string")),
        "marks": List({"annotator": Value("string"), "box_ids": List(Value("string"))}),
        "kind": Value("string"),
    }
)


@pytest.fixture(scope="module")
def _catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("invig") / "w"
    catalog_of(root, *with_objects_laid_over(invig_items(DIALOGUES)))
    return root


@pytest.fixture
def workspace(_catalog: Path, tmp_path: Path) -> Workspace:
    """A workspace with the catalog of the 1,998 dialogues."""
    return Workspace(Path(shutil.copytree(_catalog, tmp_path / "w")))


def steps(workspace: Workspace) -> dict[str, int | None]:
    return {step.name: step.dialogues for step in count_funnel(workspace).steps}


def ran(workspace: Workspace) -> list[str]:
    """Return what a run of all steps says."""
    said: list[str] = []
    run_candidate_sets(workspace, FilterSettings(), DRAWN, say=said.append)
    return said


def test_all_dialogues_go_through(workspace: Workspace) -> None:
    said = ran(workspace)
    assert steps(workspace) == {
        "found": 1998, "filtered": 1274, "sampled": 800, "drafted": 800,
        "screened": None, "complete": None,
    }  # fmt: skip
    rows = read_choices(workspace, "filtered")
    assert Counter(one.reason for one in rows) == {
        None: 1274, "no_ambiguity": 217, "too_many_boxes": 299, "sizes_apart": 208
    }  # fmt: skip
    for one in rows:
        assert (one.of_category < 2) == (one.reason == "no_ambiguity")
        if one.reason in (None, "sizes_apart"):
            assert one.of_category <= one.boxes <= 15
            assert one.size_ratio is not None
            assert (one.size_ratio > 100) == (one.reason == "sizes_apart")
    drawn = [one for one in read_choices(workspace, "sampled") if one.reason is None]
    by_count = Counter(one.of_category for one in drawn)
    assert [by_count[count] for count in range(2, 16)] == [
        95, 96, 96, 96, 96, 96, 82, 61, 40, 17, 9, 6, 5, 5
    ]  # fmt: skip
    drafts = read_drafts(workspace, "candidate-set")
    assert {one.dialogue_id for one in drafts} == {one.dialogue_id for one in drawn}
    assert f"{len(drafts):,} turns of 800 dialogues (of those that were sampled)" in said
    assert "    2 boxes that may be of the target's category: 95 of 204" in said


def test_a_second_run_changes_nothing(
    workspace: Workspace, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    ran(workspace)
    before = holdings(workspace.root)
    said = ran(workspace)
    assert holdings(workspace.root) == before
    assert said[0] == "filter: 1,274 of 1,998 dialogues kept (done before)"


def annotated(turns: list[CandidateSet], place: int) -> Iterator[Decision]:
    """Yield what a scripted annotator, sometimes two, makes of a dialogue.

    The first ten call one dialogue unusable, one stays open, and one is marked differently by two.
    The others begin with all boxes, lose one in each turn and end with one box.
    """
    for turn in turns:
        ids = [box.box_id for box in turn.boxes]
        is_last = turn.turn == len(turns)
        marks = ids[:1] if is_last and place != 3 else ids[: max(2, len(ids) - turn.turn + 1)]
        first = decision_of_marks(turn, marks, annotator="ana", at=AT)
        if place == 2:
            yield Decision(**{**_fields(first), "after": None, "verdict": "rejected"})
            return
        yield first
        if place % 5 == 0:  # a part is annotated twice
            yield decision_of_marks(turn, marks, annotator="bo", at=AT)
        if place == 4 and is_last:
            yield decision_of_marks(turn, ids[1:2], annotator="bo", at=AT)


def _fields(decision: Decision) -> dict[str, Any]:
    return {name: getattr(decision, name) for name in decision.__slots__}


def test_annotators_bring_it_to_its_end(workspace: Workspace, tmp_path: Path) -> None:
    ran(workspace)
    drafts = read_drafts(workspace, "candidate-set")
    dialogues = [list(turns) for _, turns in groupby(drafts, key=lambda one: one.dialogue_id)]
    append_decisions(
        workspace,
        [one for place, turns in enumerate(dialogues) for one in annotated(turns, place)],
    )
    manifest = decide_dialogues(workspace, "candidate-set")
    stand = read_dialogues(workspace, "candidate-set")
    assert steps(workspace) == {
        "found": 1998, "filtered": 1274, "sampled": 800, "drafted": 800,
        "screened": 799, "complete": 798,
    }  # fmt: skip
    funnel = count_funnel(workspace)
    assert [dict(step.left_out) for step in funnel.steps[4:]] == [{"rejected": 1}, {"undecided": 1}]
    kinds = Counter(one.kind for one in stand)
    assert manifest.counts["dialogues"] == len(stand) == kinds.total()
    sizes = funnel.sizes
    assert sizes is not None
    assert (sizes.single, sizes.set) == (kinds["single"], kinds["set"])
    # all but the one that stays open end with one box, and none has one before
    assert (kinds["single"], sizes.open_at_the_end) == (797, 1)
    assert sizes.means == tuple(sorted(sizes.means, reverse=True))
    folder = str(dialogues_folder(workspace, "candidate-set"))
    rows = load_dataset(folder, "dialogues", split="train", cache_dir=str(tmp_path / "cache"))
    assert rows.features == CANDIDATE_SET
    assert Counter(rows["kind"]) == kinds


def test_what_people_marked_is_not_sampled_away(
    run: Any, tmp_path: Path, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    workspace = catalog_of(tmp_path / "w", *with_objects_laid_over(invig_items(DIALOGUES)[:60]))
    where = ("--workspace", workspace.root)
    assert run("build-dialogues", "candidate-set", "run", "--dialogues", 20, *where).code == 0
    drafts = read_drafts(workspace, "candidate-set")
    marked = {draft.dialogue_id for draft in drafts[:1] + drafts[-1:]}
    assert len(marked) == 2
    append_decisions(
        workspace,
        [
            decision_of_marks(draft, ["1"], annotator="ana", at=AT)
            for draft in drafts
            if draft.dialogue_id in marked
        ],
    )
    before = holdings(workspace.root)
    for step in ("run", "sample"):
        ran = run("build-dialogues", "candidate-set", step, "--dialogues", 1, *where)
        assert (ran.code, ran.err.count("\n")) == (1, 1)
        assert "of the 2 of which people marked boxes" in ran.err
        assert holdings(workspace.root) == before
    enough = ran.err.partition("--dialogues ")[2].split()[0]
    less = run("build-dialogues", "candidate-set", "run", "--dialogues", int(enough) - 1, *where)
    assert less.code == 1
    strict = ("run", "--dialogues", 20, "--most-boxes", 2)
    filtered = run("build-dialogues", "candidate-set", *strict, *where)
    assert filtered.code == 1
    assert "too many boxes" in filtered.err
    assert "the one of before was --fewest-of-category 2" in filtered.err
    assert "--most-boxes 15" in filtered.err
    assert holdings(workspace.root) == before
    assert run("build-dialogues", "candidate-set", "run", "--dialogues", enough, *where).code == 0
    assert marked <= {draft.dialogue_id for draft in read_drafts(workspace, "candidate-set")}


def test_each_step_loads_with_its_features(workspace: Workspace, tmp_path: Path) -> None:
    ran(workspace)
    cache = str(tmp_path / "cache")
    drafts = load_dataset(
        str(drafts_folder(workspace, "candidate-set")), split="train", cache_dir=cache
    )
    assert drafts.features == CANDIDATE_SET
    loaded = {
        step: load_dataset(str(choosing_folder(workspace, step)), split="train", cache_dir=cache)
        for step in ("filtered", "sampled")
    }
    assert loaded["filtered"].features == loaded["sampled"].features
    assert [rows.num_rows for rows in loaded.values()] == [1998, 1274]
    assert Counter(loaded["sampled"]["reason"]) == {None: 800, "not_sampled": 474}


# Runs the command in forks, each killed at the n-th time that it renames or removes something.
LAUNCHER = """
import json, os, shutil, signal, sys
import labeling.dialogues.candidate_set.running  # so that a fork need not
from labeling.dialogues.cli import main

template, folder, command = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
moment, seen = -1, 0

def hook(event, args):
    global seen
    if event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir"):
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        seen += 1

sys.addaudithook(hook)
killed = []
for number in range(1000):
    root = shutil.copytree(template, os.path.join(folder, str(number)))
    process = os.fork()
    if not process:
        moment, seen = number, 0
        sys.argv = [*command, "--workspace", root]
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        main()
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code != -signal.SIGKILL:
        print(json.dumps({"ended": code, "killed": number}))
        break
"""


def test_a_killed_run_goes_on_to_the_same_bytes(
    run: Any, tmp_path: Path, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    items = with_objects_laid_over(invig_items(DIALOGUES)[:60])
    template = catalog_of(tmp_path / "template", *items).root
    command = ["build-dialogues", "candidate-set", "run", "--dialogues", "20"]
    (tmp_path / "killed").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, template, tmp_path / "killed", json.dumps(command)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4],
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["ended"] == 0
    assert told["killed"] > 20
    whole = holdings(tmp_path / "killed" / str(told["killed"]))
    for number in range(told["killed"]):
        root = tmp_path / "killed" / str(number)
        assert run(*command, "--workspace", root).code == 0
        assert holdings(root) == whole, number
