"""Runs over a workspace that holds something already: estimates, kept options, judged drafts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.asking.batch import BatchSettings
from benchwright.decisions.taking_in import take_in
from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder
from labeling.dialogues.false_premise.planning.plan import plan_folder
from labeling.dialogues.stored import read_dialogues, read_drafts
from stand_ins.false_premises import said_of

Said = dict[str, Any]
PRICED = {"price": {"input": 1, "output": 1}}


@pytest.fixture
def build(run: Callable[..., Any], pictures: Workspace) -> Callable[..., Any]:
    """Run a command of the kind in the workspace of the pictures."""

    def command(name: str, *arguments: Any) -> Any:
        where = ("--workspace", pictures.root)
        return run("build-dialogues", "false-premise", name, *arguments, *where)

    return command


@pytest.fixture
def approve(run: Callable[..., Any], pictures: Workspace) -> Callable[[], list[FalsePremise]]:
    """Let a person approve all drafts that stand; return them."""

    def approved() -> list[FalsePremise]:
        drafts = read_drafts(pictures, "false-premise")
        take_in(pictures, [said_of(draft) for draft in drafts])
        assert run("review-labels", "sync", "--workspace", pictures.root).code == 0
        return drafts

    return approved


def bytes_of(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b""
        for path in sorted(root.rglob("*"))
    }


def settings_of(folder: Path) -> Said:
    return dict(store.require(folder, "").plan.settings)


@pytest.mark.parametrize(
    "arguments",
    [
        ("run",),
        ("run", "--per-cell", "2", "--seed", "5"),  # another plan
        ("run", "--variants", "2", "--force"),
        ("describe",),
        ("falsify", "--variants", "2"),
        ("check", "--boxes", "3"),
    ],
)
def test_an_estimate_writes_nothing_at_all(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    approve: Callable[..., Any],
    arguments: tuple[str, ...],
) -> None:
    name, *more = arguments
    panel = rehearsal("m1", "m2")
    assert build("run", "--voters", panel.voters, "--per-cell", "1").code == 0
    approve()
    before, calls = bytes_of(pictures.root), panel.calls()
    ran = build(name, "--voters", panel.voters, *more, "--estimate")
    assert (ran.code, ran.err) == (0, "")
    assert "total" in ran.out
    assert bytes_of(pictures.root) == before
    assert panel.calls() == calls


def test_the_first_run_after_an_estimate_finds_nothing_done(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    before = bytes_of(pictures.root)
    run = ("run", "--voters", panel.voters, "--per-cell", "1")
    assert "6 dialogues are planned" in build(*run, "--estimate").out
    assert bytes_of(pictures.root) == before
    ran = build(*run)
    assert ran.code == 0
    assert "nothing to do" not in ran.out


def test_an_estimate_is_of_the_plan_that_is_named(
    build: Callable[..., Any], rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    voters = ("--voters", panel.voters)
    assert build("run", *voters, "--per-cell", "1").code == 0
    crossed = build("run", *voters, "--crossed", "--estimate").out
    assert "--crossed (was without)" in crossed
    assert "15 dialogues are planned" in crossed
    assert "falsify, if all are described:" in crossed
    # and what is planned already is all bought
    rows = [line.split() for line in build("run", *voters, "--estimate").out.splitlines()]
    assert {row[1] for row in rows if row and row[0] == "m1"} == {"0"}


def test_options_that_are_not_given_are_those_of_what_stands(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    voters = ("--voters", panel.voters)
    first = ("--per-cell", "1", "--seed", "3", "--turns", "8", "--variants", "2", "--boxes", "5")
    assert build("run", *voters, *first).code == 0
    drafts = read_drafts(pictures, "false-premise")
    plan = settings_of(plan_folder(pictures))
    ran = build("run", *voters)
    assert ran.code == 0
    assert read_drafts(pictures, "false-premise") == drafts
    assert (
        "kept from what stands: --per-cell 1, --turns 8, --seed 3, --variants 2, --boxes 5\n"
        in ran.out
    )
    ran = build("run", *voters, "--correct-turns", "5")
    assert ran.code == 0
    assert "other options than those of what stands: --correct-turns 5 (was 3)\n" in ran.out
    changed = {"schedule": {"correct": 5, "turns": 8}}
    assert settings_of(plan_folder(pictures)) == plan | changed
    assert store.require(plan_folder(pictures), "").plan.seed == 3
    assert settings_of(falsified_folder(pictures))["variants"] == 2
    assert len(read_drafts(pictures, "false-premise")) == len(drafts)


def test_rules_of_a_file_are_kept_or_asked_for(
    build: Callable[..., Any], pictures: Workspace, rehearsal: Callable[..., Any], tmp_path: Path
) -> None:
    panel = rehearsal("m1")
    run = ("run", "--voters", panel.voters, "--per-cell", "1")
    grid = tmp_path / "grid.yaml"
    grid.write_text("target_area: 0.02\n", "utf-8")
    assert build(*run, "--grid", grid).code == 0
    assert build(*run, "--turns", "9").code == 0
    assert settings_of(plan_folder(pictures))["rules"]["target_area"] == 0.02
    grid.write_text("categories: {dog: none}\n", "utf-8")
    assert build(*run, "--grid", grid).code == 0
    assert build("run", "--voters", panel.voters).code == 0  # it is the same plan
    before = bytes_of(pictures.root)
    ran = build(*run, "--turns", "8")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "was planned with the categories of a file; name it again by --grid" in ran.err
    assert bytes_of(pictures.root) == before


@pytest.mark.parametrize(
    "more",
    [
        ("--variants", "1"),  # fewer
        ("--correct-turns", "5"),
        ("--seed", "7"),  # other pictures, or other targets
        ("--only", "m1"),  # others look
        ("--author", "m2"),  # another one writes
    ],
)
def test_what_people_judged_is_refused_before_anything_is_written(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    approve: Callable[..., Any],
    more: tuple[str, ...],
) -> None:
    panel = rehearsal("m1", "m2")
    voters = ("--voters", panel.voters)
    assert build("run", *voters, "--per-cell", "1", "--variants", "2").code == 0
    approve()
    before, calls = bytes_of(pictures.root), panel.calls()
    ran = build("run", *voters, *more)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "that would be other ones now, or none" in ran.err
    assert bytes_of(pictures.root) == before
    assert panel.calls() == calls


def test_check_by_others_is_refused_before_they_are_asked(
    build: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    approve: Callable[..., Any],
) -> None:
    panel = rehearsal("m1", "m2")
    voters = ("--voters", panel.voters)
    assert build("run", *voters, "--per-cell", "1", "--only", "m1").code == 0
    approve()
    before, calls = bytes_of(pictures.root), panel.calls()
    ran = build("check", *voters)
    assert ran.code == 1
    assert "people judged 6 drafts" in ran.err
    assert bytes_of(pictures.root) == before
    assert panel.calls() == calls


@pytest.mark.parametrize("command", ["check", "run"])
def test_force_says_what_it_costs(
    build: Callable[..., Any],
    run: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    approve: Callable[..., Any],
    command: str,
) -> None:
    panel = rehearsal("m1", "m2")
    voters = ("--voters", panel.voters)
    assert build("run", *voters, "--per-cell", "1").code == 0
    drafts = approve()
    warned = (
        "--force: people judged 6 of the drafts that stand; those that come out otherwise lose"
        " their judgement"
    )
    # the same again comes to the same, and is judged as it was
    ran = build(command, *voters, "--force")
    assert ran.code == 0
    assert warned in ran.out.split("sightings")[0].splitlines()
    assert "of 6 drafts that people judged 0 are others now" in ran.out
    assert "; 6 stay as they were judged\n" in ran.out
    run("review-labels", "sync", "--workspace", pictures.root)
    assert len(read_dialogues(pictures, "false-premise")) == 6
    ran = build(command, *voters, "--only", "m1", "--force")
    assert ran.code == 0
    assert warned in ran.out.split("sightings")[0].splitlines()
    lost = f"of 6 drafts that people judged 6 (such as {drafts[0].dialogue_id}) are others now"
    assert lost in ran.out
    run("review-labels", "sync", "--workspace", pictures.root)
    assert read_dialogues(pictures, "false-premise") == []


def test_a_sheet_is_not_made_of_drafts_of_an_earlier_step(
    build: Callable[..., Any],
    run: Callable[..., Any],
    pictures: Workspace,
    rehearsal: Callable[..., Any],
    tmp_path: Path,
) -> None:
    panel = rehearsal("m1")
    voters = ("--voters", panel.voters)
    assert build("run", *voters, "--per-cell", "1", "--variants", "2").code == 0
    assert build("falsify", *voters, "--variants", "1").code == 0
    sheet = ("review-labels", "sheet", "--audit", "false-premise", "--auditor", "ana")
    where = ("--out", tmp_path / "sheet", "--workspace", pictures.root)
    ran = run(*sheet, *where)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "falsified changed since these drafts were made; run build-dialogues" in ran.err
    assert build("run", *voters).code == 0
    assert run(*sheet, *where).code == 0


def test_a_run_shows_the_cells_that_lost_something(
    build: Callable[..., Any], rehearsal: Callable[..., Any]
) -> None:
    panel = rehearsal("m1")
    run = ("run", "--voters", panel.voters, "--per-cell", "1")
    short = build(*run).out
    assert "single-target clean, " not in short
    assert "cells not shown: 6 that lost nothing, 30 without a dialogue" in short
    for whole in (build(*run, "--cells").out, build("funnel").out):
        assert whole.count("single-target clean, ") == 12
        assert "cells not shown" not in whole


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (("--max-calls", "9"), "--max-calls 9 is reached"),
        (("--max-cost", "0.012"), "--max-cost 0.012 would be passed"),
    ],
)
def test_a_batch_that_the_budget_stops_says_so(
    build: Callable[..., Any],
    rehearsal: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    bound: tuple[str, str],
    said: str,
) -> None:
    monkeypatch.setattr(
        "benchwright.asking.rounds.BATCH_SETTINGS", BatchSettings(poll_seconds=0.001)
    )
    panel = rehearsal("m1", voter=PRICED)
    run = ("run", "--voters", panel.voters, "--per-cell", "1", "--batch")
    ran = build(*run, *bound)
    assert ran.code == 1
    assert said in ran.err
    assert "failed to answer" not in ran.out
    assert build(*run).code == 0
