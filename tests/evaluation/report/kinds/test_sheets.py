"""What each kind shows: columns, baselines, figures per axis, findings over the players."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.records import Build
from benchwright.workspace import Workspace
from evaluation.report.boards import boards_of
from evaluation.report.entries import Entry, read_entries
from evaluation.report.kinds import false_premise, question_chain
from evaluation.scoring.figures import Key

WHOLE = "CorrTP@10"


@pytest.mark.heavy
def test_sheets_of_played_runs(dialogues: Path) -> None:
    runs = ("weary", "garbler", "first-turn", "strayer", "mistaken")
    entries = read_entries(runs, Workspace(dialogues), release=None, seed=0)
    premise, scenes, chains = boards_of(entries)
    # all columns and baselines are figures that a score has
    for board in (premise, scenes, chains):
        keys = {key for entry in board.entries for key in entry.figures}
        assert {column.key for column in board.sheet.columns} <= keys
        for beside in board.sheet.beside:
            assert beside.is_own or set(beside.keys.values()) & keys
        assert all(
            len(line.points) == len(one.places) for one in board.sheet.charts for line in one.lines
        )
    assert [column.heading for column in premise.sheet.columns[:4]] == [
        *(WHOLE, "identity", "attribute", "location")
    ]
    titles = {
        board.kind: [one.title for one in board.sheet.charts] for board in (premise, scenes, chains)
    }
    assert "TurnCorr@K by turn" in titles["false-premise"]
    assert f"{WHOLE} by premise class" in titles["false-premise"]
    assert titles["candidate-set"][:2] == [
        "Boxes in the set by turn, in the dialogues that have all these turns",
        "Precision by turn",
    ]
    assert {"Planning and following", "Planning, by category", "Planning by step"} <= set(
        titles["question-chain"]
    )
    sizes = scenes.sheet.charts[0]
    true = [point.value for point in sizes.lines[-1].points if point]
    assert (sizes.lines[-1].name, true) == ("the true set", [3, 2, 1])


def test_falls_and_means(make_entry: Callable[..., Entry]) -> None:
    def entry(name: str, change: float) -> Entry:
        turns = {Key(f"TurnCorr@{turn}"): 0.5 for turn in (4, 10)}
        return make_entry(
            name,
            {Key(WHOLE): 0.5, Key("TurnCorr change"): change, **turns},
            config="false-premise",
        )

    sheet = false_premise.sheet_of([entry("a", -0.06), entry("b", -0.05), entry("c", -0.2)])
    assert sheet.findings == [
        "Mean over the players: CorrTP@10 50.0% (n 3).",
        "Falls by more than 5 points from turn 4 to turn 10: c (-20.0 pt), a (-6.0 pt).",
    ]


def test_a_judge_that_judges_itself(make_entry: Callable[..., Entry]) -> None:
    """Two of three detectors are a: one by the name of its server, one by its own."""

    def entry(name: str, own: float, also: float, other: float) -> Entry:
        builds = tuple(
            Build(part=part, voter=voter, model=model, build=None, answers=1)
            for part, voter, model in (
                ("player", name, f"{name}-model"),
                ("detector", "judge", "a-model"),
                ("detector", "a", None),
                ("detector", "second", "other"),
            )
        )
        figures = {
            Key("TurnCorr@10"): 0.5,
            Key(WHOLE): (own + also + other) / 3,
            Key(WHOLE, "detector", "judge"): own,
            Key(WHOLE, "detector", "a"): also,
            Key(WHOLE, "detector", "second"): other,
        }
        return make_entry(name, figures, config="false-premise", builds=builds)

    sheet = false_premise.sheet_of([entry("a", 0.9, 0.7, 0.5), entry("b", 0.6, 0.6, 0.6)])
    assert sheet.findings[1:] == [
        "a is one of its own detectors: by the others alone it has 50.0% instead of 70.0%, place 2"
        " instead of 1.",
        "Where no model judges itself the order of the players is not the same.",
    ]


def test_a_run_without_false_premises_has_an_empty_sheet(
    make_entry: Callable[..., Entry],
) -> None:
    assert not false_premise.sheet_of([make_entry(config="false-premise")]).columns


def test_correlation_over_the_models(make_entry: Callable[..., Entry]) -> None:
    entries = [
        make_entry(
            f"m{at}",
            {Key("planning"): at / 10, Key("following"): 0.5, Key("final"): at / 8 + at % 2 / 9},
            config="question-chain",
        )
        for at in range(5)
    ]
    person = make_entry("ana", {Key("planning"): 0.0, Key("final"): 1.0}, model="human:ana")
    (finding,) = question_chain.sheet_of([*entries, person]).findings
    assert finding.startswith("Over the models planning goes with the last answer with r 0.9")
    assert finding.endswith("n 5).")
