"""What episodes played by hand add to each figure."""

from dataclasses import replace
from typing import Any

import pytest

from benchwright.records import Trajectory
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.metrics.amounts import BANDS, REASONS, amounts_of, band_of
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.scoring.figures import NOTHING, Amount, Amounts, Key
from stand_ins.trajectories import asks, played, skips

LONG_NO = asks("hem long", "no")  # leaves 3 and 4 of plain_game, whose target is 3
BOAT_YES = asks("neck boat", "yes")
LONG_FLIPPED = asks("hem long", "yes", truth="no", noise="flip")


def amounts(game: Game, *turns: Any, **said: Any) -> Amounts:
    """Return what an episode adds."""
    return of(game, played(game.gallery, *turns, **said))


def of(game: Game, trajectory: Trajectory) -> Amounts:
    found = replayed(game.gallery, trajectory, is_by_labels=True)
    return amounts_of(found)


def test_a_verified_episode(plain_game: Game) -> None:
    found = amounts(
        plain_game,
        skips("index"),
        LONG_NO,  # 1 and 2 go
        asks("not hem long", "yes"),  # tells the same again
        BOAT_YES,  # 4 goes
        guess=3,
        uploads=("acknowledged", "question", "echo", "guess"),
    )
    expected = {
        "overall": (1, 1),
        "verified": (1, 1),
        "random_guess": (0, 1),
        "contradicted": (0, 1),
        "incorrect": (0, 1),
        "no_guess": (0, 1),
        "turns": (4, 1),
        "skip_rate": (1 / 4, 1),
        # a question and a guess of four batches
        "premature": (2 / 4, 1),
        "echo": (1 / 4, 1),
        # 0, 2, 0 and 1 pictures in four turns
        "eliminated": (3, 4),
        # of three answers one changed nothing; skips are no answers
        "stall": (1, 3),
        # the first turn alone, the third alone
        "longest_idle": (1, 1),
        "unmapped": (0, 3),
        "unsure": (0, 3),
        "contradiction": (0, 1),
        "conflict": (0, 1),
        "hit": (0, 1),
        "oracle_agrees": (3, 3),
        # par 2 (hem long, then neck boat), the same with each type once; three turns without skips
        "par_ratio": (3 / 2, 1),
        "par_protocol_ratio": (3 / 2, 1),
    }
    assert {key.metric: found[key] for key in found if key.by == "all"} == expected
    assert found[Key("turns", "outcome", "verified")] == (4, 1)
    assert found[Key("skip_rate", "outcome", "verified")] == (1 / 4, 1)
    assert found[Key("turns", "outcome", "incorrect")] == NOTHING
    assert found[Key("skips", "reason", "index")] == (1, 1)
    assert found[Key("skips", "reason", "repeated")] == (0, 1)
    assert found[Key("verified", "size", "2-9")] == (1, 1)
    assert found[Key("verified", "size", "10-19")] == NOTHING
    assert found[Key("overall", "noise", "spared")] == (1, 1)
    assert found[Key("overall", "noise", "hit")] == NOTHING


def test_an_episode_without_a_turn(plain_game: Game) -> None:
    found = amounts(plain_game, guess=1)
    # no turn of which a share could be skipped, no batch before the last
    unmeasured = {key.metric for key, amount in found.items() if key.by == "all" and not amount[1]}
    assert unmeasured == {
        *("skip_rate", "premature", "echo", "eliminated", "stall", "longest_idle", "unmapped"),
        *("unsure", "oracle_agrees", "par_ratio", "par_protocol_ratio"),
    }
    assert found[Key("turns")] == (0, 1)
    assert found[Key("turns", "outcome", "incorrect")] == (0, 1)
    assert found[Key("no_guess")] == (0, 1)


def test_an_episode_that_ends_without_a_guess(plain_game: Game) -> None:
    found = amounts(plain_game, skips("no_question"), skips("Rule 4: colour"))
    assert found[Key("no_guess")] == (1, 1)
    assert found[Key("incorrect")] == (1, 1)
    assert found[Key("skip_rate", "outcome", "incorrect")] == (1, 1)
    # the words of another harness are no reason of ours
    assert found[Key("skips", "reason", "no_question")] == (1, 2)
    assert found[Key("skips", "reason", "other")] == (1, 2)
    assert found[Key("longest_idle")] == (2, 1)


def test_an_episode_that_noise_hit(plain_game: Game) -> None:
    turns = (LONG_FLIPPED, BOAT_YES, asks("neck v", "yes", truth="no", noise="flip"))
    found = amounts(plain_game, *turns, LONG_NO, guess=3)
    assert found[Key("hit")] == (1, 1)
    assert found[Key("conflict")] == (0, 1)
    assert found[Key("contradiction")] == (1, 1)
    assert found[Key("overall", "noise", "hit")] == (1, 1)
    assert found[Key("contradicted", "noise", "hit")] == (1, 1)
    assert found[Key("overall", "noise", "spared")] == NOTHING
    assert found[Key("after_contradiction", "move", "repeats")] == (1, 1)
    assert found[Key("after_contradiction", "move", "guesses")] == (0, 1)
    # 3 and 4, then 2, then 1; the hem asked again brings pictures back and takes none
    assert found[Key("eliminated")] == (4, 4)
    # what the oracle said before the noise is what the labels say
    assert found[Key("oracle_agrees")] == (4, 4)


def test_an_oracle_that_sees_other_things_than_the_labels(plain_game: Game) -> None:
    turns = (
        asks("hem long", "yes"),  # the label says no
        asks("trim bow", "unsure"),  # the label says yes
        asks("neck boat", "yes"),
        asks("", "no"),  # nothing is known of a question that was not mapped
    )
    found = amounts(plain_game, *turns, guess=3)
    assert found[Key("oracle_agrees")] == (1, 3)
    assert found[Key("unmapped")] == (1, 4)
    assert found[Key("unsure")] == (1, 4)
    assert found[Key("conflict")] == (1, 1)


def test_what_could_not_be_read_of_a_judge_is_counted_by_judge(plain_game: Game) -> None:
    heard = replace(LONG_NO, unread=("oracle", "verifier"))
    found = amounts(plain_game, heard, BOAT_YES, skips("index"))
    assert found[Key("unread", "part", "oracle")] == (1, 2)
    assert found[Key("unread", "part", "verifier")] == (1, 2)
    assert found[Key("unread", "part", "detector")] == (0, 2)


def test_baselines_need_nobody_to_play(plain_game: Game) -> None:
    found = amounts(plain_game)
    assert found[Key("overall", "baseline", "never_asking")] == (1 / 4, 1)
    # hem long, then neck boat
    assert found[Key("overall", "baseline", "reference")] == (1, 1)
    assert found[Key("verified", "baseline", "reference")] == (1, 1)
    assert found[Key("turns", "baseline", "reference")] == (2, 1)


def test_a_dead_end_of_the_reference_is_a_guess(plain_game: Game, make_game: Any) -> None:
    board = plain_game.gallery.board
    # without the necks, 3 and 4 are told apart by the bow alone
    few = replace(board, values=board.values[:1], answers=board.answers[:, :1])
    found = amounts(make_game(few))
    assert found[Key("overall", "baseline", "reference")] == (1 / 2, 1)
    assert found[Key("verified", "baseline", "reference")] == (0, 1)


def test_what_was_guessed_is_not_measured_against_par(plain_game: Game) -> None:
    assert amounts(plain_game, LONG_NO, guess=3)[Key("par_ratio")] == NOTHING


def test_no_par_no_ratio(plain_game: Game) -> None:
    stuck = replace(plain_game, gallery=replace(plain_game.gallery, par_protocol=None))
    found = amounts(stuck, LONG_NO, BOAT_YES, guess=3)
    assert found[Key("par_ratio")] == (1, 1)
    assert found[Key("par_protocol_ratio")] == NOTHING


@pytest.mark.parametrize(
    ("pictures", "band"),
    [
        *((1, "2-9"), (9, "2-9"), (10, "10-19"), (19, "10-19")),
        *((20, "20-39"), (39, "20-39"), (40, "40+"), (4000, "40+")),
    ],
)
def test_bands(pictures: int, band: str) -> None:
    assert band_of(pictures) == band


def test_every_episode_has_the_same_keys(plain_game: Game) -> None:
    first = amounts(plain_game, LONG_NO, guess=3)
    second = amounts(plain_game)
    assert list(first) == list(second)
    assert len({key.of for key in first if key.by == "size"}) == len(BANDS)
    assert len({key.of for key in first if key.by == "reason"}) == len(REASONS)
    assert all(isinstance(amount, Amount) for amount in first.values())
