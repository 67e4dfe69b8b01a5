"""The command funnel: the table, the reasons, what comes next."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

COMMAND = ("build-dialogues", "false-premise", "funnel", "--workspace")
A, B = "a-attribute", "b-attribute"
Said = Callable[[Any], list[str]]
OPEN = "review-labels open --audit false-premise --auditor NAME"


@pytest.fixture
def said(run: Callable[..., Any]) -> Said:
    """Run the command where some steps are and return what it prints."""

    def lines(steps: Any) -> list[str]:
        ran = run(*COMMAND, steps.workspace.root)
        assert ran.code == 0, ran.err
        return list(ran.out.splitlines())

    return lines


def test_it_prints_the_table_and_the_reasons(said: Said, steps: Any, kit: SimpleNamespace) -> None:
    steps.plan(kit.planned("a"), kit.planned("b"), wanted=1200)
    steps.describe(kit.described(A), kit.described(B))
    steps.falsify(kit.falsified(A), kit.falsified(B, *["gone"], false=None))
    lines = said(steps)
    assert lines[:5] == [
        "                                        wanted  planned  described  falsified  passed"
        "  people first  approved",
        "all                                      3,600        2          2          1       -"
        "             -         -",
        "single-target clean, animal, identity    1,200        0          0          0       -"
        "             -         -",
        "single-target clean, animal, attribute   1,200        2          2          1       -"
        "             -         -",
        "single-target clean, animal, location    1,200        0          0          0       -"
        "             -         -",
    ]
    assert lines[5:7] == [
        "lost, not planned: too few pictures (3,598)",
        "lost, not falsified: gone (1)",
    ]
    assert lines[7].startswith(
        "next: build-dialogues false-premise check --voters FILE --workspace "
    )
    assert len(lines) == 8


def test_it_names_the_most_frequent_reasons(said: Said, steps: Any, kit: SimpleNamespace) -> None:
    names = [f"{letter}-attribute" for letter in "abcdefgh"]
    steps.plan(*(kit.planned(letter) for letter in "abcdefgh"), wanted=8)
    kinds = ["f", "f", "a", "b", "c", "d", "e", "g"]
    steps.describe(
        *(
            kit.described(name, f"is {kind}", true=None)
            for name, kind in zip(names, kinds, strict=True)
        )
    )
    assert (
        "lost, not described: is f (2), is a (1), is b (1), is c (1), is d (1), other reasons (2)"
        in said(steps)
    )


def test_it_says_what_comes_next(said: Said, steps: Any, kit: SimpleNamespace) -> None:
    draft = kit.draft(A)
    steps.plan(kit.planned("a"))
    assert said(steps)[-1].startswith("next: build-dialogues false-premise describe --voters FILE")
    steps.describe(kit.described(A))
    assert said(steps)[-1].startswith("next: build-dialogues false-premise falsify --voters FILE")
    steps.falsify(kit.falsified(A))
    assert said(steps)[-1].startswith("next: build-dialogues false-premise check --voters FILE")
    steps.check(draft)
    assert said(steps)[-1].startswith(f"next: {OPEN}")
    steps.decide(not_judged_yet=1)
    assert said(steps)[-1].startswith(f"next: {OPEN}")
    steps.decide(undecided=1)
    assert said(steps)[-1].startswith(f"next: {OPEN}")
    steps.decide(draft)
    assert said(steps)[-1] == "nothing waits: people judged every draft"


def test_variants_have_lines_of_their_own(said: Said, steps: Any, kit: SimpleNamespace) -> None:
    steps.plan(kit.planned("a"))
    steps.describe(kit.described(A))
    steps.falsify(kit.falsified(A), kit.falsified(A, "gone", false=None, variant=2))
    lines = said(steps)
    assert [line.split()[:5] for line in lines[2:4]] == [
        ["variant", "1", "1", "1", "1"],
        ["variant", "2", "1", "1", "0"],
    ]


def test_without_a_plan_it_fails_in_one_line(run: Callable[..., Any], steps: Any) -> None:
    ran = run(*COMMAND, steps.workspace.root)
    assert (ran.code, ran.out) == (1, "")
    assert "run build-dialogues false-premise plan first" in ran.err
    assert ran.err.count("\n") == 1
