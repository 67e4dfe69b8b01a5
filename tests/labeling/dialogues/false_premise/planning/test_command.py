"""The command plan: the grid, what is missing, what comes next."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.workspace import Workspace
from builders.complexity import CATEGORIES, LEVELS
from labeling.dialogues.false_premise.planning.plan import (
    PlanSettings,
    make_plan,
    read_cells,
    read_plan,
    schedule_of,
)
from labeling.dialogues.false_premise.planning.report import plan_lines
from labeling.dialogues.false_premise.rules.turns import Schedule

WithCatalog = Callable[[str], Workspace]
Planned = Callable[..., Any]


@pytest.fixture
def planned(run: Callable[..., Any]) -> Callable[..., Any]:
    """Run the command in a workspace."""
    return lambda workspace, *options: run(
        "build-dialogues", "false-premise", "plan", *options, "--workspace", workspace.root
    )


def test_it_prints_the_grid_of_real_pictures(planned: Planned, with_catalog: WithCatalog) -> None:
    workspace = with_catalog("w")
    lines = planned(workspace, "--per-cell", "1").out.splitlines()
    assert lines == [
        "                                   identity  attribute  location  missing  candidates",
        "single-target clean       person        1/1        1/1       1/1        0          10",
        "single-target clean       vehicle       1/1        1/1       1/1        0           8",
        "single-target clean       animal        1/1        1/1       1/1        0           8",
        "single-target clean       food          1/1        1/1       1/1        0           3",
        "multi-target separated    person        1/1        1/1       1/1        0           7",
        "multi-target separated    vehicle       0/1        0/1       0/1        3           0",
        lines[7],  # two of three, the seed chooses which
        "multi-target separated    food          0/1        0/1       0/1        3           0",
        "multi-target overlapping  person        1/1        1/1       1/1        0           9",
        "multi-target overlapping  vehicle       1/1        1/1       1/1        0           4",
        "multi-target overlapping  animal        0/1        0/1       0/1        3           0",
        "multi-target overlapping  food          1/1        1/1       1/1        0           4",
        "26 of 36 dialogues planned, about 26 of the 43 pictures that fill a cell",
        "10 are missing, in 10 of 36 cells, of which 10 are empty: there are too few pictures for"
        " them",
        f"next: build-dialogues false-premise describe --voters FILE --workspace {workspace.root}",
    ]
    assert sorted(lines[7].split()[3:6]) == ["0/1", "1/1", "1/1"]


def test_its_options_are_those_of_the_plan(
    planned: Planned, with_catalog: WithCatalog, tmp_path: Path
) -> None:
    workspace, rules = with_catalog("w"), tmp_path / "rules.yaml"
    rules.write_text("target_area: 0.2\n", "utf-8")
    options = (
        "--crossed",
        "--correct-turns",
        "2",
        "--turns",
        "6",
        "--seed",
        "4",
        "--per-cell",
        "1",
    )
    first = planned(workspace, *options, "--grid", rules)
    assert first.code == 0, first.out
    assert schedule_of(workspace) == Schedule(correct=2, turns=6)
    assert len(read_plan(workspace)) == 3 * len({one.image_id for one in read_plan(workspace)})
    assert sum(cell.candidates for cell in read_cells(workspace)) / 3 < 55  # of the built-in rules
    again = planned(workspace, *options, "--grid", rules)
    assert again.out.splitlines() == [
        "nothing to do: this plan was made of the same catalog (--force redoes it)",
        *first.out.splitlines(),
    ]
    assert planned(workspace, *options, "--grid", rules, "--force").out == first.out


def test_a_grid_that_is_full_lacks_nothing(kit: SimpleNamespace) -> None:
    cells = [(category, level) for category in CATEGORIES for level in LEVELS]
    groups = {
        f"{number:02}": [kit.fitting(f"{number:02}", [cells[number % 12]])] for number in range(36)
    }
    dialogues, found = make_plan(groups, PlanSettings(per_cell=1))
    counts = {"dialogues": len(dialogues), "pictures": 36, "fitting": 36, "missing": 0}
    lines = plan_lines(counts, found)
    assert lines[-1] == "36 of 36 dialogues planned, about 36 of the 36 pictures that fill a cell"
    assert len(lines) == 14


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--turns", "3"], "--correct-turns 3 of --turns 3"),
        (["--grid", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_cannot_be_planned_is_one_line(
    options: list[str], words: str, planned: Planned, with_catalog: WithCatalog
) -> None:
    found = planned(with_catalog("w"), *options)
    assert found.code == 1
    assert words in found.err
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    "options", [["--per-cell", "0"], ["--turns", "1"], ["--correct-turns", "0"], ["--seed", "-1"]]
)
def test_numbers_out_of_range_are_refused(
    options: list[str], planned: Planned, with_catalog: WithCatalog
) -> None:
    assert planned(with_catalog("w"), *options).code == 2
