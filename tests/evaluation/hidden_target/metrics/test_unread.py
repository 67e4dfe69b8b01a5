"""Warnings where much could not be read or mapped."""

from dataclasses import replace

import pytest

from benchwright.records import Turn
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.metrics.unread import unread_lines
from stand_ins.trajectories import asks, played, skips

LONG = asks("hem long", "no")
UNMAPPED = asks("", "unsure")


def unread(*parts: str) -> Turn:
    return replace(LONG, unread=parts)


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ((), []),
        ((LONG, skips("index", "hem long")), []),
        # what was skipped was not answered: three of four answers, not of five
        (
            (UNMAPPED, UNMAPPED, UNMAPPED, LONG, skips("compound")),
            ["unmapped: 75.0% of 4 answered questions could not be mapped"],
        ),
        # one of five is much, one of six is not
        ((UNMAPPED, *[LONG] * 4), ["unmapped: 20.0% of 5 answered questions"]),
        ((UNMAPPED, *[LONG] * 5), []),
        ((skips("no_question"), LONG), ["unread: 50.0% of 2 turns held nothing"]),
        # a guess of no picture was read
        ((skips("bad_guess"), LONG), []),
        (
            (unread("oracle", "detector"), unread("verifier"), LONG),
            [
                "unread: in 33.3% of 3 answered questions the detector's model",
                "unread: in 33.3% of 3 answered questions the oracle's model",
                "unread: in 33.3% of 3 answered questions the verifier's model",
            ],
        ),
    ],
)
def test_it_warns_of_a_fifth(plain_game: Game, turns: tuple[Turn, ...], said: list[str]) -> None:
    found = list(unread_lines([played(plain_game.gallery, *turns)]))
    assert len(found) == len(said)
    for line, start in zip(found, said, strict=True):
        assert line.startswith(start)
