"""Steps of episodes played by hand: four pictures, of which the third is the target."""

from collections.abc import Callable
from dataclasses import replace
from math import log2
from typing import Any

import pytest

from benchwright.records import MessagePart, Step, Upload
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.trajectories.dialogue import dialogues
from stand_ins.trajectories import asks, played, skips

StepsOf = Callable[..., list[Step]]
LONG = "Does the thing have a long hem?"


def texts(step: Step) -> list[str]:
    """Return the messages of a step as texts, a picture as its place."""
    return [
        f"{one.role}: {''.join('[]' if part.text is None else part.text for part in one.content)}"
        for one in step.messages
    ]


def test_state_action_observation_and_reward(steps: StepsOf, plain_game: Game) -> None:
    turns = asks("hem long", "no"), skips("index"), asks("neck boat", "yes")
    first, second, third, last = steps(played(plain_game.gallery, *turns, guess=3))
    assert first.feasible == (1, 2, 3, 4)
    assert (first.types_asked, first.kind, first.action) == ((), "question", "Is it hem long?")
    assert (first.told, first.next_feasible, first.next_feasible_size) == ("no", (3, 4), 2)
    assert (first.information_gain, first.reward) == (1.0, 1.0)
    # a skip changes nothing, costs, and uses up no type
    assert (second.told, second.reason, second.kind) == ("skip", "index", "nothing")
    assert (second.feasible, second.next_feasible) == ((3, 4), (3, 4))
    assert (second.skip_reward, second.information_gain, second.reward) == (-0.25, 0.0, -0.25)
    assert (third.step, third.types_asked, third.feasible_size) == (3, ("hem",), 2)
    assert (third.next_feasible, third.reward) == ((3,), 1.0)
    # the guess sees all of it
    assert (last.kind, last.guess, last.told, last.action) == ("guess", 3, None, "My guess: #3")
    assert (last.feasible, last.types_asked) == ((3,), ("hem", "neck"))
    assert (last.terminal_reward, last.reward, last.is_terminal) == (1.0, 1.0, True)
    assert [one.is_terminal for one in (first, second, third)] == [False] * 3
    assert {one.is_truncated for one in (first, second, third, last)} == {False}


def test_the_dialogue_so_far_stands_in_words(steps: StepsOf, plain_game: Game) -> None:
    turns = asks("hem long", "no"), replace(skips("index"), text="<think>why?</think>Number 2?")
    found = steps(played(plain_game.gallery, *turns, guess=3))
    shown, *rest = texts(found[2])
    assert shown.startswith("user: One of the pictures")
    assert shown.count("[]") == len(found[2].image_ids) == 4
    assert rest == ["assistant: Is it hem long?", "user: No", "assistant: Number 2?", "user: Skip"]
    # each state begins as the one before it
    assert [len(one.messages) for one in found] == [1, 3, 5]
    assert found[1].messages == found[2].messages[:3]
    # what was thought aloud belongs to the action, and not to what is sent back
    assert found[1].action == "<think>why?</think>Number 2?"


def test_what_was_said_to_each_batch_stands_there(
    plain_game: Game, make_terms: Callable[..., Any]
) -> None:
    gallery, terms = plain_game.gallery, make_terms(plain_game.gallery.values)
    one = played(gallery, asks("hem long", "no"), uploads=["acknowledged"])
    rules = Rules(noun="thing", batch_size=3)
    first, second = dialogues(gallery, terms, rules, one)
    roles = [message.role for message in second]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert first == second[:3]
    assert sum(part.type == "image" for part in first[0].content) == 3
    # of a run that does not say it all pictures stand in one message
    silent = replace(one, uploads=())
    (shown,) = dialogues(gallery, terms, rules, silent)[0]
    assert [part for part in shown.content if part.type == "image"] == [
        MessagePart(type="image", text=None)
    ] * 4
    several = replace(one, uploads=(*one.uploads, Upload(batch=2, text="a", kind="acknowledged")))
    assert dialogues(gallery, terms, rules, several)[0] == (shown,)


def test_an_episode_without_a_guess_ends_truncated(steps: StepsOf, plain_game: Game) -> None:
    found = steps(played(plain_game.gallery, asks("hem long", "no"), asks("trim bow", "unsure")))
    assert [(one.is_terminal, one.is_truncated) for one in found] == [(False, False), (False, True)]
    assert [one.terminal_reward for one in found] == [0.0, 0.0]
    assert steps(played(plain_game.gallery)) == []


# turns, the gains in bits: the latest answer to a question counts
@pytest.mark.parametrize(
    ("told", "gains"),
    [
        # contradicted by a flip: what was known is lost; mended by asking again
        ([("hem long", "no"), ("neck boat", "yes"), ("trim bow", "no"), ("trim bow", "yes")],
         [1.0, 1.0, -2.0, 2.0]),
        # taken back by unsure
        ([("hem long", "yes"), ("neck v", "yes"), ("hem long", "unsure")], [1.0, 1.0, -1.0]),
    ],
)  # fmt: skip
def test_gains_may_be_negative(
    steps: StepsOf, plain_game: Game, told: list[tuple[str, Any]], gains: list[float]
) -> None:
    found = steps(played(plain_game.gallery, *(asks(*each) for each in told)))
    assert [one.information_gain for one in found] == gains


def test_an_empty_set_counts_as_all_pictures(steps: StepsOf, plain_game: Game) -> None:
    turns = (
        asks("hem long", "no"),
        asks("neck boat", "yes"),  # the third alone
        asks("trim bow", "no", truth="yes", noise="flip"),  # none
        asks("trim bow", "yes"),  # the third again
    )
    found = steps(played(plain_game.gallery, *turns, guess=3))
    assert [one.next_feasible for one in found] == [(3, 4), (3,), (), (3,), (3,)]
    assert [one.information_gain for one in found] == [1.0, 1.0, -2.0, 2.0, 0.0]
    assert [one.is_noisy for one in found] == [False, False, True, False, False]
    # of an empty set nobody knows what a question would tell
    assert (found[3].feasible, found[3].expected_gain, found[3].most_gain) == ((), None, None)


def test_regret_is_what_could_have_been_gained(steps: StepsOf, plain_game: Game) -> None:
    turns = (
        asks("trim bow", "unsure"),
        skips("forbidden", "neck v"),
        asks("", "unsure"),
        asks("hem long", "no"),
    )
    found = steps(played(plain_game.gallery, *turns, guess=4))
    # known of two pictures of four
    gain = log2(4 / 3) / 2
    assert found[0].expected_gain == pytest.approx(gain, abs=1e-6)
    assert found[0].regret == pytest.approx(1 - gain, abs=1e-6)
    # a skip tells nothing; what could not be mapped tells nobody knows what
    assert (found[1].expected_gain, found[1].regret) == (0.0, 1.0)
    assert (found[2].expected_gain, found[2].most_gain, found[2].regret) == (None, 1.0, None)
    assert (found[3].expected_gain, found[3].regret) == (1.0, 0.0)
    assert [one.reference for one in found[:4]] == [LONG] * 4
    # before a guess too early: there was something left to ask
    assert (found[4].reference is not None, found[4].most_gain, found[4].regret) == (
        True,
        1.0,
        None,
    )
    assert found[4].reward == -1.0


def test_a_lucky_guess_pays_nothing(steps: StepsOf, plain_game: Game) -> None:
    (only,) = steps(played(plain_game.gallery, guess=3))
    assert (only.step, only.feasible_size, only.reward) == (1, 4, 0.0)


def test_a_guess_of_no_picture_is_a_skipped_guess(steps: StepsOf, plain_game: Game) -> None:
    found = steps(played(plain_game.gallery, skips("bad_guess"), guess=1))
    assert [(one.kind, one.is_terminal, one.guess) for one in found] == [
        ("guess", False, None),
        ("guess", True, 1),
    ]


def test_what_a_model_verified_is_believed(steps: StepsOf, plain_game: Game) -> None:
    one = played(plain_game.gallery, asks("", "yes", fits="ynyn"), guess=3, is_by_labels=False)
    (first, _) = steps(one, is_by_labels=False)
    assert first.next_feasible == (1, 3)
    (first, _) = steps(one)
    assert first.next_feasible == (1, 2, 3, 4)
