"""Outcomes, conflicts and replays of episodes played by hand."""

from dataclasses import replace

import pytest

from benchwright.records import Trajectory, Turn
from evaluation.hidden_target.by_labels import fits_by_labels
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.metrics.after_contradiction import moves_after_contradictions
from evaluation.hidden_target.metrics.outcomes import is_conflict, is_ever_hit, outcome_of
from evaluation.hidden_target.metrics.replaying import Replayed, replayed
from stand_ins.trajectories import asks, played, skips

# plain_game:  hem long  neck boat  neck v  trim bow
#   1             y         y         n        u
#   2             y         n         y        u
#   3, target     n         y         n        y
#   4             n         n         y        n
LONG_NO = asks("hem long", "no")  # leaves 3 and 4
BOAT_YES = asks("neck boat", "yes")  # leaves 1 and 3
LONG_FLIPPED = asks("hem long", "yes", truth="no", noise="flip")  # leaves 1 and 2
V_YES = asks("neck v", "yes", truth="no", noise="flip")  # leaves 2 and 4

OUTCOMES = [
    # F = {3} before the guess of 3
    ((LONG_NO, BOAT_YES), 3, "verified", (3,)),
    # F = {3, 4}
    ((LONG_NO,), 3, "random_guess", (3, 4)),
    # nothing asked at all
    ((), 3, "random_guess", (1, 2, 3, 4)),
    # what was skipped or unsure leaves F as it is
    ((skips("index"), asks("trim bow", "unsure"), LONG_NO), 3, "random_guess", (3, 4)),
    # the target is gone
    ((LONG_FLIPPED,), 3, "contradicted", (1, 2)),
    # so is everything: 1 or 2 by the hem, 1 by the neck, then nothing
    ((LONG_FLIPPED, BOAT_YES, V_YES), 3, "contradicted", ()),
    # F = {3}, and yet another guess
    ((LONG_NO, BOAT_YES), 4, "incorrect", (3,)),
    ((LONG_NO, BOAT_YES), None, "incorrect", (3,)),
    # a number that no picture has
    ((), 99, "incorrect", (1, 2, 3, 4)),
    # the latest answer to a question counts: the flipped one is taken back
    ((LONG_FLIPPED, BOAT_YES, V_YES, LONG_NO, asks("neck v", "no")), 3, "verified", (3,)),
    # asked against: not long, which the target is
    ((asks("not hem long", "yes"), BOAT_YES), 3, "verified", (3,)),
    # what could not be mapped excludes nothing
    ((asks("", "yes"),), 3, "random_guess", (1, 2, 3, 4)),
]


@pytest.mark.parametrize(("turns", "guess", "outcome", "feasible"), OUTCOMES)
def test_an_outcome_goes_by_the_guess_and_the_feasible_set(
    plain_game: Game,
    turns: tuple[Turn, ...],
    guess: int | None,
    outcome: str,
    feasible: tuple[int, ...],
) -> None:
    gallery = plain_game.gallery
    found = replayed(gallery, played(gallery, *turns, guess=guess), is_by_labels=True)
    assert (outcome_of(found), found.feasible) == (outcome, feasible)


def test_what_was_recorded_of_labels_is_not_believed(plain_game: Game) -> None:
    gallery = plain_game.gallery
    true = played(gallery, LONG_NO, BOAT_YES, guess=3)
    false = replace(
        true, turns=tuple(replace(turn, fits="uuuu", feasible=(1, 2)) for turn in true.turns)
    )
    found = replayed(gallery, false, is_by_labels=True)
    assert found.trajectory == true
    assert found.differing == 2
    assert replayed(gallery, true, is_by_labels=True).differing == 0


def test_constraints_of_a_model_are_taken_as_it_gave_them(plain_game: Game) -> None:
    # the labels would leave 3 and 4; the model sees a long hem on 3 alone as absent
    turn = replace(asks("hem long", "no"), fits="yyny")
    whole = played(plain_game.gallery, turn, guess=3, is_by_labels=False)
    found = replayed(plain_game.gallery, whole, is_by_labels=False)
    assert (outcome_of(found), found.feasible, found.differing) == ("verified", (3,), 0)


def test_a_skip_has_no_constraint_whatever_it_says(plain_game: Game) -> None:
    turn = replace(skips("index", "hem long"), fits="nnnn")
    whole = played(plain_game.gallery, turn, is_by_labels=False)
    assert whole.turns[0].fits == ""
    assert whole.turns[0].feasible == (1, 2, 3, 4)


def test_letters_are_those_of_the_labels(plain_game: Game) -> None:
    assert fits_by_labels(plain_game.gallery, asks("trim bow", "yes").asked) == "uuyn"
    assert fits_by_labels(plain_game.gallery, asks("not trim bow", "yes").asked) == "uuny"
    assert fits_by_labels(plain_game.gallery, ()) == "uuuu"


CONFLICTS = [
    ((LONG_NO, BOAT_YES), False, False),
    # an oracle that sees another thing than the labels say
    ((asks("hem long", "yes"),), True, False),
    # noise explains it
    ((LONG_FLIPPED,), False, True),
    # the conflict came first
    ((asks("hem long", "yes"), V_YES), True, True),
    # a flip that was drawn and changed nothing, for the truth was unsure, explains nothing
    (
        (asks("trim bow", "unsure", noise="flip"), asks("hem long", "yes")),
        True,
        False,
    ),
]


@pytest.mark.parametrize(("turns", "conflict", "hit"), CONFLICTS)
def test_a_target_eliminated_without_noise_is_a_conflict(
    plain_game: Game, turns: tuple[Turn, ...], conflict: bool, hit: bool
) -> None:
    found = _replayed(plain_game, played(plain_game.gallery, *turns, guess=3))
    assert (is_conflict(found), is_ever_hit(found)) == (conflict, hit)


EMPTYING = (LONG_FLIPPED, BOAT_YES, V_YES)  # F is empty after the third
MOVES = [
    ((LONG_NO,), 3, []),
    (EMPTYING, 3, ["guesses"]),
    (EMPTYING, 99, ["guesses"]),
    (EMPTYING, None, ["stops"]),
    ((*EMPTYING, LONG_NO), 3, ["repeats"]),
    # the same value asked against is the same question
    ((*EMPTYING, asks("not hem long", "yes")), 3, ["repeats"]),
    # also where the detector does not let it pass
    ((*EMPTYING, skips("repeated", "neck v")), 3, ["repeats"]),
    ((*EMPTYING, asks("trim bow", "yes")), 3, ["asks"]),
    ((*EMPTYING, skips("no_question")), 3, ["nothing"]),
    # 3 fits after the first question is asked again and the second flip is taken back; then
    # another answer empties F once more
    (
        (*EMPTYING, LONG_NO, asks("neck v", "no"), asks("trim bow", "no")),
        None,
        ["repeats", "stops"],
    ),
]


@pytest.mark.parametrize(("turns", "guess", "moves"), MOVES)
def test_what_follows_a_contradiction(
    plain_game: Game, turns: tuple[Turn, ...], guess: int | None, moves: list[str]
) -> None:
    found = _replayed(plain_game, played(plain_game.gallery, *turns, guess=guess))
    assert list(moves_after_contradictions(found)) == moves


def _replayed(game: Game, trajectory: Trajectory) -> Replayed:
    return replayed(game.gallery, trajectory, is_by_labels=True)
