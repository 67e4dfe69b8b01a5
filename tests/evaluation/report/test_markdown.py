"""The Markdown table: the same figures, and texts that cannot break it."""

from collections.abc import Callable

from evaluation.report.boards import boards_of
from evaluation.report.entries import Entry
from evaluation.report.markdown import markdown_of
from evaluation.report.sections import sections_of
from evaluation.scoring.figures import Key

VERIFIED = Key("verified")
NEVER = Key("overall", "baseline", "never_asking")


def table(*entries: Entry) -> str:
    return markdown_of(sections_of(boards_of(entries), 0))


def test_a_table(make_entry: Callable[..., Entry]) -> None:
    found = table(
        make_entry("ana", {VERIFIED: (0.5, 0.4, 0.6)}, model="human:ana"),
        make_entry("bo", {VERIFIED: 0.25, NEVER: 0.1}, coverage=0.5),
    )
    rows = [line for line in found.splitlines() if line.startswith("|")]
    assert rows[2].startswith("| 1 | ana (a person) | 50.0% (40.0 to 60.0; n 10) | - |")
    assert rows[3].startswith("| 2 | bo | 25.0% (n 10) | - |")
    assert rows[3].endswith("| **50.0%** |")
    assert rows[4].startswith("|  | *never asking* | *-* | *10.0%* |")
    assert "Not whole: bo." in found
    assert "no human line" not in found


def test_a_name_stays_in_its_cell(make_entry: Callable[..., Entry]) -> None:
    found = table(make_entry("a|b\n| c <script>`*_[x](y)\x1b[31m"))
    (row,) = [line for line in found.splitlines() if "script" in line and line.startswith("| -")]
    assert r"a\|b \| c \<script\>\`\*\_\[x\](y) \[31m" in row


def test_who_is_no_model_is_marked(make_entry: Callable[..., Entry]) -> None:
    found = table(
        make_entry("named"),
        make_entry("nameless", model=None),  # its server does not say which model it serves
        make_entry("greedy", model=None, builds=()),  # nobody was asked
    )
    rows = [line.split("|")[2].strip() for line in found.splitlines() if line.startswith("| -")]
    assert rows == ["greedy (no model)", "named", "nameless"]


def test_headings_and_sums_of_others_break_nothing(make_entry: Callable[..., Entry]) -> None:
    """The names of detectors stand in headings."""
    whole, name = "CorrTP@10", "a|b\n# c"
    entries = [
        make_entry(
            player,
            {Key("TurnCorr@10"): 0.5, Key(whole): 0.5, Key(whole, "detector", name): 0.5},
            config="false-premise",
        )
        for player in ("x", "y")
    ]
    found = table(*entries)
    (heads,) = [line for line in found.splitlines() if line.startswith("|  | player")]
    assert r"| by a\|b \# c |" in heads


def test_baselines_that_runs_measured_differently_have_a_span(
    make_entry: Callable[..., Entry],
) -> None:
    found = table(make_entry("a", {NEVER: 0.1}), make_entry("b", {NEVER: 0.2}))
    assert "*10.0 to 20.0%*" in found


def test_other_rows_under_one_name_are_said(make_entry: Callable[..., Entry]) -> None:
    found = table(make_entry("a"), make_entry("b", digest="d2"))
    assert found.count("## ") == 2
    assert found.count("on other rows under the same name") == 2
