"""The whole pipeline over real HTTP and real pictures, with answers of every bad kind."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasets import Features, List, Value, load_dataset

from benchwright import store
from benchwright.decisions.taking_in import take_in
from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import described_folder, read_described
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder, read_falsified
from labeling.dialogues.false_premise.planning.plan import plan_folder
from labeling.dialogues.false_premise.seeing.see import read_sightings, seen_folder
from labeling.dialogues.stored import dialogues_folder, drafts_folder, read_dialogues, read_drafts
from stand_ins.false_premise_author import Asked
from stand_ins.false_premises import said_of
from stand_ins.models import Answer, Fault

Said = dict[str, Any]
DOG, WOMAN_IN_YELLOW, DONUT, WOMAN_IN_RED, WOMAN_IN_BLUE, OTHER_IN_YELLOW = (
    "06533fb8b6fef4e2-identity",
    "80aaf363b00ae167-location",
    "afa3ebc8664aecb1-attribute",
    "dbe3385664b99d34-location",
    "dc3320ff8c01cb52-identity",
    "df23dd96bf2980f4-attribute",
)
NAMES = ("m1", "m2", "m3")
TEXT, NUMBER = Value("string"), Value("int32")
CHECK = {"name": TEXT, "passed": Value("bool"), "reason": TEXT}
FEATURES = Features(
    {
        "dialogue_id": TEXT,
        "image_id": TEXT,
        "box": List(Value("float64"), length=4),
        "complexity": TEXT,
        "category": TEXT,
        "premise_class": TEXT,
        "true_description": TEXT,
        "false_description": TEXT,
        "edit": {"start": NUMBER, "before": TEXT, "after": TEXT},
        "variant": NUMBER,
        "turns": List(
            {
                "index": NUMBER,
                "true_question": TEXT,
                "asked_question": TEXT,
                "has_false_premise": Value("bool"),
            }
        ),
        "checks": List(CHECK),
        "models": List({"step": TEXT, "model": TEXT}),
        "approvals": List({"auditor": TEXT, "verdict": TEXT, "failed": List(TEXT), "note": TEXT}),
    }
)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)


@pytest.fixture
def build(run: Callable[..., Any], pictures: Workspace) -> Callable[..., Any]:
    """Run a command of the kind in the workspace of the pictures."""

    def command(name: str, *arguments: Any) -> Any:
        where = ("--workspace", pictures.root)
        return run("build-dialogues", "false-premise", name, *arguments, *where)

    return command


def badly(asked: Asked, said: Said) -> Said | str:
    """An author that sends bad answers at first, and one description that never becomes good."""
    if asked.task == "describe":
        is_lost = asked.label == "donut" or (asked.label == "dog" and asked.attempt == 0)
        questions = list(said["questions"])
        questions[6] = "Is it far away?" if is_lost else questions[6]
        return {**said, "questions": questions}
    if asked.attempt == 0 and asked.true == "the yellow dog on the right side":
        return {"false_description": "the green bird on the right side"}  # two edits
    if asked.attempt == 0 and asked.true == "the woman in the red shirt on the left side":
        return "I would rather not."
    return said


def voice(model: str, description: str) -> Answer | None:
    """What voters say of some descriptions, whatever the author holds true."""
    said: dict[str, dict[str, Answer]] = {
        # a false description that is true of the picture
        "the woman in the red shirt on the right side": dict.fromkeys(NAMES, "yes"),
        # a true description that is not
        "the woman in the blue shirt on the left side": dict.fromkeys(NAMES, "no"),
        # what is not settled
        "the woman in the yellow shirt on the left side": {"m2": "unsure", "m3": "yes"},
    }
    return said.get(description, {}).get(model)


BAD: Said = {"spoil": badly, "voice": voice}


def drafts_of(workspace: Workspace) -> dict[str, FalsePremise]:
    return {draft.dialogue_id: draft for draft in read_drafts(workspace, "false-premise")}


def failed(draft: FalsePremise) -> dict[str, str | None]:
    return {check.name: check.reason for check in draft.checks if not check.passed}


def reached(workspace: Workspace) -> Said:
    path = dialogues_folder(workspace, "false-premise") / "funnel.json"
    found: Said = json.loads(path.read_text("utf-8"))["all"]
    return found


def test_good_and_bad_answers_become_drafts_that_people_approve(
    build: Callable[..., Any],
    run: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
) -> None:
    panel = rehearsal("m1", "m2", "m3", **BAD)
    ran = build("run", "--voters", panel.voters, "--per-cell", "1")
    assert (ran.code, ran.err) == (0, "")

    described = {one.dialogue_id: one for one in read_described(pictures)}
    assert described[DONUT].true_description is None
    assert len(described[DOG].faults) == 1
    assert "question 7" in described[DOG].faults[0]
    falsified = {one.dialogue_id: one for one in read_falsified(pictures)}
    assert falsified[DOG].faults[0].startswith("the green bird on the right side: ")
    assert len(falsified[WOMAN_IN_RED].faults) == 1
    other = falsified[OTHER_IN_YELLOW]
    assert other.refused == ("the woman in the red shirt on the right side",)
    assert other.false_description == "the woman in the blue shirt on the right side"

    drafts = drafts_of(pictures)
    assert list(drafts) == [DOG, WOMAN_IN_YELLOW, WOMAN_IN_RED, OTHER_IN_YELLOW]
    assert {name for name, draft in drafts.items() if failed(draft)} == {WOMAN_IN_YELLOW}
    reason = failed(drafts[WOMAN_IN_YELLOW])["false by sight"]
    assert reason is not None
    assert reason.startswith("in the picture: unsure by m2, yes by m3; target at ")
    assert {use.step: use.model for use in drafts[DOG].models} == {
        "describe": "m1",
        "falsify": "m1",
        "see": "m3",
    }
    assert "next: review-labels open --audit false-premise" in ran.out.splitlines()[-1]

    approvals = [said_of(drafts[name]) for name in (DOG, WOMAN_IN_RED, OTHER_IN_YELLOW)]
    rejection = said_of(
        drafts[WOMAN_IN_YELLOW], verdict="rejected", after=None, failed=("grounding",)
    )
    take_in(pictures, [*approvals, rejection])
    assert run("review-labels", "sync", "--workspace", pictures.root).code == 0
    assert build("funnel").code == 0
    counted = {"planned": 6, "described": 5, "falsified": 5, "passed": 3, "approved": 3}
    assert {name: reached(pictures)[name] for name in counted} == counted
    standing = read_dialogues(pictures, "false-premise")
    assert [one.dialogue_id for one in standing] == [DOG, WOMAN_IN_RED, OTHER_IN_YELLOW]
    assert [one.approvals[0].auditor for one in standing] == ["ana"] * 3


def test_what_is_done_is_not_done_or_bought_again(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    holdings: Callable[[Path], Said],
) -> None:
    panel = rehearsal("m1", "m2", **BAD)
    assert build("run", "--voters", panel.voters, "--per-cell", "1").code == 0
    made, calls = holdings(pictures.root / "dialogues"), panel.calls()
    again = build("run", "--voters", panel.voters)  # the plan that stands is kept
    assert again.code == 0
    assert again.out.count("nothing to do") == 3
    assert holdings(pictures.root / "dialogues") == made
    forced = build("run", "--voters", panel.voters, "--per-cell", "1", "--force")
    assert forced.code == 0
    assert holdings(pictures.root / "dialogues") == made
    assert panel.calls() == calls
    with closing(sqlite3.connect(pictures.answers)) as answers:
        asked = answers.execute("SELECT count(*), count(DISTINCT key) FROM attempts").fetchone()
    assert asked == (calls, calls)


def test_the_steps_one_by_one_come_to_the_same(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    holdings: Callable[[Path], Said],
) -> None:
    panel = rehearsal("m1", "m2", **BAD)
    assert build("run", "--voters", panel.voters, "--per-cell", "1").code == 0
    at_once = holdings(pictures.root / "dialogues")
    pictures.answers.unlink()
    for path in sorted((pictures.root / "dialogues").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    voters = ("--voters", panel.voters)
    assert build("plan", "--per-cell", "1").code == 0
    for command in ("describe", "falsify", "check", "falsify", "check"):
        only = ("--only", "m1") if command != "check" else ()
        ran = build(command, *voters, *only)
        assert ran.code == 0, ran.err
    assert "next: review-labels open" in ran.out
    # what was seen again leads to nothing new, and the manifest says that it was taken in
    assert build("falsify", *voters, "--only", "m1").code == 0
    assert build("funnel").code == 0
    assert holdings(pictures.root / "dialogues") == at_once


def test_check_says_that_other_false_descriptions_are_wanted(
    build: Callable[..., Any], rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1", "m2", **BAD)
    build("plan", "--per-cell", "1")
    for command in ("describe", "falsify"):
        build(command, "--voters", panel.voters, "--only", "m1")
    ran = build("check", "--voters", panel.voters)
    assert "  no draft, voters find what the false description says: 1\n" in ran.out
    assert "  no draft, voters deny the true description: 1\n" in ran.out
    assert ran.out.splitlines()[-1].startswith("next: build-dialogues false-premise falsify ")


def test_all_that_is_kept_loads_with_its_features(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    tmp_path: Path,
) -> None:
    panel = rehearsal("m1", **BAD)
    assert build("run", "--voters", panel.voters, "--per-cell", "1").code == 0
    cache = str(tmp_path / "cache")
    drafts = load_dataset(
        str(drafts_folder(pictures, "false-premise")), split="train", cache_dir=cache
    )
    assert drafts.features == FEATURES  # approvals are a column without a single row
    assert drafts["dialogue_id"][:] == list(drafts_of(pictures))
    sighting = {
        "dialogue_id": TEXT,
        "variant": NUMBER,
        "description": TEXT,
        "is_true": Value("bool"),
        "box": List(Value("float64"), length=4),
        "voter": TEXT,
        "answer": TEXT,
        "status": TEXT,
    }
    seen = str(seen_folder(pictures))
    sightings = load_dataset(seen, "sightings", split="train", cache_dir=cache)
    assert sightings.features == Features(sighting)
    assert sightings.num_rows == len(read_sightings(pictures))
    verdicts = load_dataset(seen, "verdicts", split="train", cache_dir=cache)
    assert Counter(verdicts["ruling"]) == {"passed": 4, "not true": 1, "not false": 1}
    folders = (plan_folder(pictures), described_folder(pictures), falsified_folder(pictures))
    rows = [
        load_dataset(str(folder), split="train", cache_dir=cache).num_rows for folder in folders
    ]
    assert rows == [6, 6, 5]


def test_drafts_that_people_judged_stay_what_they_judged(
    build: Callable[..., Any],
    run: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
) -> None:
    panel = rehearsal("m1", "m2", **BAD)
    more = ("run", "--voters", panel.voters, "--per-cell", "1")
    build(*more)
    before = drafts_of(pictures)
    take_in(pictures, [said_of(before[DOG])])
    # further variants leave the first ones as they are
    assert build(*more, "--variants", "2").code == 0
    assert drafts_of(pictures).items() >= before.items()
    # another panel makes other drafts of all
    ran = build(*more, "--only", "m1")
    assert ran.code == 1
    assert f"people judged 1 drafts (such as {DOG}) that would be other ones now" in ran.err
    assert drafts_of(pictures).items() >= before.items()
    assert build(*more, "--only", "m1", "--force").code == 0
    assert drafts_of(pictures)[DOG] != before[DOG]
    run("review-labels", "sync", "--workspace", pictures.root)
    assert read_dialogues(pictures, "false-premise") == []


@pytest.mark.parametrize(
    ("arguments", "wrote", "looked"),
    [
        ((), {"m1"}, {"m1", "m2", "m3"}),
        (("--author", "m2"), {"m2"}, {"m1", "m3"}),
        (("--author", "m1", "--author", "m3"), {"m1", "m3"}, {"m2"}),
        (("--only", "m2", "--author", "m2"), {"m2"}, {"m2"}),
    ],
)
def test_who_writes_and_who_looks(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    arguments: tuple[str, ...],
    wrote: set[str],
    looked: set[str],
) -> None:
    panel = rehearsal("m1", "m2", "m3")
    ran = build("run", "--voters", panel.voters, "--per-cell", "1", *arguments)
    assert ran.code == 0, ran.err
    assert {one.model for one in read_described(pictures)} == wrote
    assert {one.voter for one in read_sightings(pictures)} == looked


def test_drafts_name_the_model_that_looked_where_another_says_the_same(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any], tmp_path: Path
) -> None:
    url = rehearsal("m1", "m2", "m3").server.base_url
    for model in ("m2", "m3"):
        rows = [
            {"name": name, "model": said, "base_url": url}
            for name, said in (("writer", "m1"), ("looker", model))
        ]
        voters = tmp_path / "two.yaml"
        voters.write_text(yaml.safe_dump({"voters": rows}), "utf-8")
        ran = build("run", "--voters", voters, "--author", "writer", "--per-cell", "1")
        assert ran.code == 0, ran.err
        seen = {use.model for one in drafts_of(pictures).values() for use in one.models[2:]}
        assert seen == {model}


def test_options_of_the_plan_make_another_one_and_without_any_it_is_kept(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    build("plan", "--per-cell", "1", "--turns", "4")
    kept, named = [False, False, False, True], [False, False, True, True, True]
    for options, flags in (((), kept), (("--turns", "5", "--correct-turns", "2"), named)):
        assert build("run", "--voters", panel.voters, *options).code == 0
        drafts = drafts_of(pictures)
        assert len(drafts) == 6
        for draft in drafts.values():
            assert [turn.has_false_premise for turn in draft.turns] == flags


def test_a_plan_of_another_catalog_is_neither_kept_nor_made_with_other_options(
    build: Callable[..., Any], run: Callable[..., Any], pictures: Workspace, rehearsal: Any
) -> None:
    panel = rehearsal("m1")
    build("plan", "--per-cell", "1", "--turns", "4")
    plan = store.require(plan_folder(pictures), "plan")
    # near-duplicates are looked for after it was planned
    assert run("build-catalog", "dedup", "--workspace", pictures.root).code == 0
    for more in ((), ("--force",), ("--estimate",)):
        ran = build("run", "--voters", panel.voters, *more)
        assert ran.code == 1
        assert "was made of another catalog, or of other near-duplicates; run build" in ran.err
    assert store.require(plan_folder(pictures), "plan") == plan
    assert panel.calls() == 0
    assert build("run", "--voters", panel.voters, "--per-cell", "1", "--turns", "4").code == 0


def test_address_and_pace_of_a_voter_are_nothing_that_is_kept(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    holdings: Callable[[Path], Said],
) -> None:
    found = []
    price = {"input": 1, "output": 1}
    for voter in ({"concurrency": 1}, {"concurrency": 7, "timeout": 50, "price": price}):
        panel = rehearsal("m1", "m2", voter=voter, **BAD)
        assert build("run", "--voters", panel.voters, "--per-cell", "1").code == 0
        found.append(holdings(pictures.root / "dialogues"))
        shutil.rmtree(pictures.root / "dialogues")
        pictures.answers.unlink()
    assert found[0] == found[1]


def test_another_schedule_makes_other_drafts_and_buys_nothing(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    voters = ("--voters", panel.voters)
    build("run", *voters, "--per-cell", "1")
    calls = panel.calls()
    assert build("plan", "--per-cell", "1", "--correct-turns", "2").code == 0
    ran = build("falsify", *voters)
    assert "was described for another plan; run build-dialogues false-premise describe" in ran.err
    for estimate in ((), ("--estimate",)):
        ran = build("check", *voters, *estimate)
        assert (ran.code, ran.err.count("\n")) == (1, 1)
        assert "run build-dialogues false-premise falsify again" in ran.err
    assert build("funnel").code == 0
    assert reached(pictures)["described"] is None
    for command in ("describe", "falsify", "check"):
        ran = build(command, *voters)
        assert (ran.code, ran.err) == (0, "")
        assert "nothing to do" not in ran.out
    flags = {
        tuple(turn.has_false_premise for turn in one.turns) for one in drafts_of(pictures).values()
    }
    assert flags == {(False,) * 2 + (True,) * 8}
    assert panel.calls() == calls
    build("run", *voters, "--correct-turns", "3")  # and back again
    flags = {
        tuple(turn.has_false_premise for turn in one.turns) for one in drafts_of(pictures).values()
    }
    assert flags == {(False,) * 3 + (True,) * 7}
    assert panel.calls() == calls


def test_what_was_made_of_another_plan_is_not_checked(
    build: Callable[..., Any], rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    voters = ("--voters", panel.voters)
    build("run", *voters, "--per-cell", "1")
    # fewer pictures, or more questions than there are
    for plan in (("--per-cell", "1", "--seed", "7"), ("--per-cell", "1", "--turns", "12")):
        assert build("plan", *plan).code == 0
        ran = build("check", *voters)
        assert (ran.code, ran.err.count("\n")) == (1, 1)
        assert "was made of another plan" in ran.err


def test_an_estimate_asks_nothing_and_bounds_what_a_run_takes(
    build: Callable[..., Any], rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1", "m2", **BAD)
    run = ("run", "--voters", panel.voters, "--per-cell", "1")
    told = build(*run, "--estimate").out
    assert panel.calls() == 0
    for step in ("describe:", "falsify, if all are described:", "check, if all are falsified:"):
        assert step in told
    most = sum(
        int(line.split()[2].replace(",", ""))
        for line in told.splitlines()
        if line.startswith("at most ")
    )
    build(*run)
    assert 0 < panel.calls() <= most
    # when all is done, nothing is to be asked
    rows = [line.split() for line in build(*run, "--estimate").out.splitlines()]
    assert {row[1] for row in rows if row and row[0] in ("m1", "m2", "total")} == {"0"}


def test_an_allowance_is_for_all_steps_together(
    build: Callable[..., Any], rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    run = ("run", "--voters", panel.voters, "--per-cell", "1")
    ran = build(*run, "--max-calls", "30")
    assert ran.code == 1
    assert "6 false descriptions of 6 dialogues" in ran.out
    assert "error: --max-calls 30 is reached; what was answered is kept" in ran.err
    assert panel.calls() == 30
    assert build(*run).code == 0


def test_a_server_that_fails_at_times_is_asked_again(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any]
) -> None:
    # after the look and the writing, the five tries of one sighting
    fails = Fault(kind="server_error", ordinals=tuple(range(20, 25)))
    panel = rehearsal("m1", script={"faults": [fails]}, voter={"concurrency": 1})
    run = ("run", "--voters", panel.voters, "--per-cell", "1")
    ran = build(*run)
    assert ran.code == 1
    assert "  no draft, voters have still to look: 1\n" in ran.out
    assert ran.out.splitlines()[-1].startswith("next: the same command again")
    assert len(drafts_of(pictures)) == 5
    ran = build(*run)
    assert ran.code == 0
    assert len(drafts_of(pictures)) == 6


def test_a_name_that_no_voter_has(build: Callable[..., Any], rehearsal: Callable[..., Any]) -> None:
    panel = rehearsal("m1", "m2")
    ran = build("run", "--voters", panel.voters, "--author", "m9")
    assert ran.code == 1
    assert "--author m9: no voter is named so; there are m1, m2" in ran.err
