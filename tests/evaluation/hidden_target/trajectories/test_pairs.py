"""Pairs of questions in one state, of episodes played by hand."""

from collections.abc import Callable
from dataclasses import replace

from benchwright.records import ChatMessage, Pair, Step, Trajectory, Turn
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.trajectories.pairs import pairs_of
from stand_ins.trajectories import asks, played, skips

StepsOf = Callable[..., list[Step]]
LONG = "Does the thing have a long hem?"


def run_of(game: Game, name: str, *turns: Turn) -> Trajectory:
    return replace(played(game.gallery, *turns, guess=3), run=name)


def said(messages: tuple[ChatMessage, ...]) -> str:
    (message,) = messages
    (part,) = message.content
    assert (message.role, part.type) == ("assistant", "text")
    return part.text or ""


def words(pairs: list[Pair]) -> list[tuple[str, int, str, str, str | None]]:
    return [
        (one.run, one.step, said(one.chosen), said(one.rejected), one.source_run) for one in pairs
    ]


def test_the_reference_question_against_a_skip_and_a_worse_one(
    steps: StepsOf, plain_game: Game
) -> None:
    turns = skips("index", "neck v"), asks("trim bow", "unsure"), asks("hem long", "no")
    found = steps(run_of(plain_game, "a", *turns))
    first, second = pairs_of(found)
    assert words([first, second]) == [
        ("a", 1, LONG, "Is it neck v?", None),
        ("a", 2, LONG, "Is it trim bow?", None),
    ]
    assert (first.source, first.reason, first.margin) == ("reference", "index", 1.0)
    assert (first.chosen_gain, first.rejected_gain) == (1.0, 0.0)
    assert (second.reason, second.margin) == (None, round(1 - second.rejected_gain, 6))
    assert first.prompt == found[0].messages
    assert second.prompt == found[1].messages
    assert (first.release, first.image_ids) == ("things/1.0.0", plain_game.gallery.image_ids)


def test_what_a_player_asked_in_another_run(steps: StepsOf, plain_game: Game) -> None:
    """With the same pictures left; of two the better, of two alike that of the first name."""
    worse = run_of(plain_game, "a", asks("trim bow", "unsure"), asks("neck v", "yes"))
    better = asks("hem long", "no"), asks("neck v", "yes")
    both = [
        *steps(worse),
        *steps(run_of(plain_game, "c", *better)),
        *steps(run_of(plain_game, "b", *better)),
    ]
    found = [one for one in pairs_of(both) if one.source == "player"]
    assert words(found) == [("a", 1, "Is it hem long?", "Is it trim bow?", "b")]


def test_what_was_skipped_elsewhere_is_not_chosen(steps: StepsOf, plain_game: Game) -> None:
    worse = run_of(plain_game, "a", asks("trim bow", "unsure"))
    skipped = run_of(plain_game, "b", skips("compound", "hem long"))
    found = list(pairs_of([*steps(worse), *steps(skipped)]))
    assert [(one.run, one.source) for one in found] == [
        ("a", "reference"),
        ("b", "reference"),
        ("b", "player"),  # what was asked in a, for it was answered
    ]


def test_what_was_asked_about_already_is_not_chosen(steps: StepsOf, plain_game: Game) -> None:
    """In the run a the hem is spent when the bow is asked for, with the same pictures left."""
    spent = run_of(plain_game, "a", asks("hem long", "unsure"), asks("trim bow", "unsure"))
    other = run_of(plain_game, "b", asks("hem long", "no"))
    found = list(pairs_of([*steps(spent), *steps(other)]))
    assert [one.source for one in found] == ["reference"]
    assert (found[0].step, said(found[0].chosen)) == (2, "Does the thing have a boat neck?")


def test_no_pair_of_what_is_no_question_or_tells_nobody_knows_what(
    steps: StepsOf, plain_game: Game
) -> None:
    turns = skips("no_question"), skips("bad_guess"), asks("", "unsure")
    assert list(pairs_of(steps(run_of(plain_game, "a", *turns)))) == []
    # nor of a question that a contradiction left open
    empty = asks("hem long", "no"), asks("neck v", "yes"), asks("trim bow", "no")
    again = [*empty, asks("trim bow", "yes"), skips("index", "neck v")]
    found = list(pairs_of(steps(run_of(plain_game, "a", *again))))
    assert [one.step for one in found] == []


def test_the_best_question_is_in_no_pair(steps: StepsOf, plain_game: Game) -> None:
    turns = asks("hem long", "no"), asks("neck v", "yes")
    assert list(pairs_of(steps(run_of(plain_game, "a", *turns)))) == []
    # also where somebody thought it against the rules
    skipped = replace(skips("compound", "hem long"), text=LONG)
    assert list(pairs_of(steps(run_of(plain_game, "a", skipped)))) == []


def test_what_several_runs_give_stands_once(steps: StepsOf, plain_game: Game) -> None:
    same = [
        step
        for name in "ab"
        for step in steps(run_of(plain_game, name, asks("trim bow", "unsure")))
    ]
    assert [(one.run, one.source) for one in pairs_of(same)] == [("a", "reference")]


def test_thoughts_are_in_no_pair(steps: StepsOf, plain_game: Game) -> None:
    thought = replace(asks("trim bow", "unsure"), text="<think>bows!</think>Is there a bow?")
    (found,) = pairs_of(steps(run_of(plain_game, "a", thought)))
    assert said(found.rejected) == "Is there a bow?"
