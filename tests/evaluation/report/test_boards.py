"""Which runs share a table, in which order, and how each was played."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.records import Part
from evaluation.report.boards import boards_of, standings_of
from evaluation.report.entries import Entry
from evaluation.scoring.figures import Key

VERIFIED = Key("verified")
F1, ACC = Key("F1"), Key("Acc@0.5")


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([0.5, 0.7, 0.6], "b1 c2 a3"),
        ([0.5, 0.7, 0.5], "b1 a2= c2="),  # a tie is named as one
        ([0.7, 0.7, 0.5], "a1= b1= c3"),  # and takes the place after it
        ([None, 0.1, 0.2], "c1 b2 a-"),  # nothing measured, no place
        ([None, None, 0.0], "c1 a- b-"),  # two of those are not tied
        ([0.1 + 0.2, 0.3, 0.0], "a1= b1= c3"),  # the last bit makes no order
    ],
)
def test_places(make_entry: Callable[..., Entry], values: list[Any], places: str) -> None:
    entries = [
        make_entry(name, {VERIFIED: value}) for name, value in zip("abc", values, strict=True)
    ]
    found = standings_of(entries, [VERIFIED])
    said = [f"{one.entry.name}{one.place or '-'}{'=' * one.is_tied}" for one in found]
    assert " ".join(said) == places


def test_the_second_figure_decides_between_equals(make_entry: Callable[..., Entry]) -> None:
    entries = [make_entry("a", {F1: 0.5, ACC: 0.1}), make_entry("b", {F1: 0.5, ACC: 0.2})]
    found = standings_of(entries, [F1, ACC])
    assert [(one.entry.name, one.place, one.is_tied) for one in found] == [
        ("b", 1, False),
        ("a", 2, False),
    ]


def test_runs_share_a_table_by_digest_and_config(make_entry: Callable[..., Entry]) -> None:
    boards = boards_of(
        [
            make_entry("chains", config="question-chain"),
            make_entry("a"),
            make_entry("other-rows", digest="d2"),
            make_entry("other-tau", config="hidden-target-tau-0.3"),
            make_entry("same-rows", release="elsewhere@v1.0.0"),  # by another name
        ]
    )
    assert [[entry.name for entry in board.entries] for board in boards] == [
        ["other-tau"],
        ["a", "same-rows"],
        ["other-rows"],
        ["chains"],
    ]
    assert boards[1].release == "things/1.0.0, elsewhere@v1.0.0"


def test_runs_of_one_player_are_told_apart(make_entry: Callable[..., Entry]) -> None:
    (board,) = boards_of([make_entry("a", run="r1"), make_entry("a", run="r2"), make_entry("b")])
    assert [entry.name for entry in board.entries] == ["b", "a (r1)", "a (r2)"]


def test_a_row_says_in_what_its_run_differs(make_entry: Callable[..., Entry]) -> None:
    oracle = (Part(part="oracle", name="labels"),)
    one = make_entry("a", config="candidate-set", settings={"given": True}, parts=oracle)
    other = make_entry("b", config="candidate-set", settings={"given": False}, parts=oracle)
    (board,) = boards_of([one, other])
    assert board.shared == {"oracle": "labels"}
    assert [board.played_under(entry) for entry in board.entries] == [{"given": ""}, {}]


def test_a_config_of_no_kind_is_refused(make_entry: Callable[..., Entry]) -> None:
    with pytest.raises(UsageError, match="labels: holds nothing of which"):
        boards_of([make_entry(config="labels")])
