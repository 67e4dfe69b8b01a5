"""Whole runs whose judges are models that know the truth come to what the labels come to."""

from collections.abc import Callable
from typing import Any

Play = Callable[..., Any]


def told(played: Any) -> list[Any]:
    """Return what was asked and told in each turn, and the guesses; not by whose word."""
    kept = ("text", "told", "feasible", "reason")
    return [
        [row["guess"], [[turn[name] for name in kept] for turn in row["turns"]]]
        for row in played.rows
    ]


def answers(played: Any, part: str) -> int:
    """Return how many replies a part gave in a run."""
    return sum(
        build["answers"] for row in played.rows for build in row["builds"] if build["part"] == part
    )


def test_an_oracle_that_zooms_says_what_the_labels_say(play: Play, behind: Any, calm: Play) -> None:
    by_labels = calm("reference")
    server = behind()
    by_model = play(server, "reference", "--oracle", "oracle")
    assert told(by_model) == told(by_labels)
    assert by_model.score("verified") == by_labels.score("verified")
    assert by_model.score("oracle_agrees") == 1
    turns = sum(len(row["turns"]) for row in by_model.rows)
    assert answers(by_model, "oracle") == 2 * turns  # a look at a part before each answer


def test_a_verifier_that_sees_keeps_the_same_pictures(play: Play, behind: Any, calm: Play) -> None:
    by_labels = calm("reference")
    server = behind()
    by_model = play(server, "reference", "--verifier", "verifier")
    assert told(by_model) == told(by_labels)
    assert max(server.counts.requests.values()) == 1  # the same of two galleries is asked once
    assert answers(by_model, "verifier") >= server.counts.chats / 2


def test_a_detector_finds_what_the_rules_let_pass(
    play: Play, behind: Any, calm: Play, galleries: list[Any]
) -> None:
    by_rules = calm("sly")
    by_model = play(behind(), "sly", "--detector", "detector")
    assert by_rules.score("skip_rate") == 0
    found = [turn for row in by_model.rows for turn in row["turns"] if turn["told"] == "skip"]
    assert len(found) == 2 * len(galleries)
    assert {(turn["reason"], turn["judged_by"]) for turn in found} == {("forbidden", "detector")}
    assert by_model.score("verified") == by_rules.score("verified")
    assert by_model.score("turns") == by_rules.score("turns")
