"""The baselines: what they see, what they expect, and how the greedy one plays the whole game."""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.records import Asked, Told, Trajectory, Turn
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.metrics.outcomes import outcome_of
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.noise import NoiseSettings
from evaluation.hidden_target.oracle.labels import LabelOracle
from evaluation.hidden_target.parts import Player
from evaluation.hidden_target.players.at_random import RandomPlayer
from evaluation.hidden_target.players.greedy import GreedyPlayer
from evaluation.hidden_target.players.never_asking import NeverAskingPlayer
from evaluation.hidden_target.referee import Parts, play
from evaluation.hidden_target.verifier.labels import LabelVerifier
from evaluation.hidden_target.wording import guess_text
from evaluation.releases.galleries import Term, read_galleries, read_terms
from evaluation.releases.release import open_release
from stand_ins.small_games import turn

NOUN = "thing"


def playing(
    game: Game, player: Player, terms: Sequence[Term], noise: NoiseSettings | None = None
) -> Trajectory:
    noun = game.rules.noun
    parts = Parts(
        player=player,
        mapper=Mapper(terms, noun),
        detector=RuleDetector(terms, noun),
        oracle=LabelOracle(),
        verifier=LabelVerifier(),
        noise=noise or NoiseSettings(),
    )
    return asyncio.run(play(game, parts, run="run", config="config"))


def spoken(player: Player, game: Game, turns: Sequence[Turn] = ()) -> str:
    return asyncio.run(player.speak(game, (), turns)).text


def left(game: Game, played: Trajectory) -> tuple[int, ...]:
    everything = tuple(range(1, len(game.gallery) + 1))
    return played.turns[-1].feasible if played.turns else everything


def check_greedy(game: Game, played: Trajectory) -> None:
    """Assert that the greedy player did what its name says in one game."""
    gallery = game.gallery
    assert played.end == "guess"
    assert not [turn.reason for turn in played.turns if turn.told == "skip"]
    if gallery.par_protocol is None:  # a dead end: any of those that are left
        assert len(left(game, played)) > 1
        assert played.guess in left(game, played)
    else:
        assert (played.guess, left(game, played)) == (gallery.target, (gallery.target,))
        assert len(played.turns) == gallery.par_protocol


@given(data=st.data())
def test_greedy_is_verified_wherever_there_is_a_par(
    boards: Any, make_game: Any, make_terms: Any, data: st.DataObject
) -> None:
    board = data.draw(boards)
    game, terms = make_game(board), make_terms(board.values)
    check_greedy(game, playing(game, GreedyPlayer(terms, NOUN, seed=0), terms))


@pytest.fixture(scope="module")
def dresses(dresses_folder: Path) -> tuple[list[Game], tuple[Term, ...]]:
    """The games of a release, with its vocabulary."""
    release = open_release(str(dresses_folder))
    terms = read_terms(release)
    galleries = read_galleries(release, "hidden-target-tau-0.6", terms)
    rules = Rules(noun="dress")
    return [Game(gallery=one, rules=rules, pictures={}) for one in galleries], terms


def test_greedy_is_verified_on_a_release(dresses: tuple[list[Game], tuple[Term, ...]]) -> None:
    games, terms = dresses
    player = GreedyPlayer(terms, "dress", seed=0)
    for game in games:
        check_greedy(game, playing(game, player, terms))
    assert any(game.gallery.par_protocol for game in games)


def check_share(right: int, chances: Sequence[float]) -> None:
    """Assert that so many of independent draws are right, five standard deviations to a side."""
    spread = math.sqrt(sum(chance * (1 - chance) for chance in chances))
    assert abs(right - sum(chances)) < 5 * spread


SEEDS = range(100)


def test_greedy_is_right_by_chance_on_dead_ends(
    dresses: tuple[list[Game], tuple[Term, ...]],
) -> None:
    games, terms = dresses
    players = [GreedyPlayer(terms, "dress", seed=seed) for seed in SEEDS]
    right, chances = 0, []
    for game in games:
        if game.gallery.par_protocol is None:
            played = playing(game, players[0], terms)
            chances += [1 / len(left(game, played))] * len(players)
            wanted = guess_text(game.gallery.target)
            right += sum(spoken(player, game, played.turns) == wanted for player in players)
    assert chances
    check_share(right, chances)


def test_never_asking_is_right_by_chance(dresses: tuple[list[Game], tuple[Term, ...]]) -> None:
    games, _ = dresses
    right, chances = 0, []
    for game in games:
        chances += [1 / len(game.gallery)] * len(SEEDS)
        wanted = guess_text(game.gallery.target)
        players = (NeverAskingPlayer(seed=seed) for seed in SEEDS)
        right += sum(spoken(player, game) == wanted for player in players)
    check_share(right, chances)


@pytest.mark.parametrize("kind", [GreedyPlayer, RandomPlayer])
@given(data=st.data())
def test_a_right_guess_has_one_outcome_whatever_was_told(
    boards: Any, make_game: Any, make_terms: Any, kind: type[GreedyPlayer], data: st.DataObject
) -> None:
    board = data.draw(boards)
    game, terms = make_game(board), make_terms(board.values)
    flipped = NoiseSettings(flip=data.draw(st.sampled_from([0.0, 0.5, 1.0])))
    played = playing(game, kind(terms, NOUN, seed=data.draw(st.integers(0, 9))), terms, flipped)
    assert played.end == "guess"
    outcome = outcome_of(replayed(game.gallery, played, is_by_labels=True))
    assert (outcome in ("verified", "random_guess", "contradicted")) == (
        played.guess == game.gallery.target
    )
    if left(game, played) and played.guess == game.gallery.target:
        assert (outcome == "contradicted") == (game.gallery.target not in left(game, played))
    asked = Counter(asked for turn in played.turns for asked in turn.asked)
    assert asked.total() == len(played.turns)
    assert len({one.type for one in asked}) == len(asked)  # each type once
    assert max(asked.values(), default=0) <= 2
    assert not [turn.reason for turn in played.turns if turn.told == "skip"]
    again = [at for at, turn in enumerate(played.turns) if turn.asked in seen_before(played, at)]
    assert all(not played.turns[at - 1].feasible for at in again)  # when nothing fits


def seen_before(played: Trajectory, at: int) -> list[tuple[Asked, ...]]:
    return [turn.asked for turn in played.turns[:at]]


@pytest.mark.parametrize(
    "make",
    [
        lambda terms: GreedyPlayer(terms, NOUN, seed=3),
        lambda terms: RandomPlayer(terms, NOUN, seed=3),
        lambda _: NeverAskingPlayer(seed=3),
    ],
    ids=["greedy", "random", "never-asking"],
)
@given(data=st.data())
def test_another_target_changes_nothing_that_a_player_was_not_told(
    boards: Any, make_game: Any, make_terms: Any, make: Any, data: st.DataObject
) -> None:
    board = data.draw(boards)
    player, terms = make(make_terms(board.values)), make_terms(board.values)
    game = make_game(board)
    turns = playing(game, player, terms).turns
    for target in range(len(board.answers)):
        other = make_game(replace(board, target=target))
        for count in range(len(turns) + 1):  # as long as it is told the same
            assert spoken(player, other, turns[:count]) == spoken(player, game, turns[:count])


def told(text: str, word: Told) -> Turn:
    return turn(word, text=text)


@pytest.fixture
def greedy(plain_game: Game, make_terms: Any) -> GreedyPlayer:
    return GreedyPlayer(make_terms(plain_game.gallery.values), NOUN, seed=1)


LONG, BOAT = "Does the thing have a long hem?", "Does the thing have a boat neck?"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), LONG),
        # it believes what it is told, also what is not true
        (("yes",), BOAT),
        (("yes", "yes"), "My guess: #1"),
        (("yes", "no"), "My guess: #2"),
        (("no", "yes"), "My guess: #3"),
    ],
)
def test_greedy_follows_what_it_is_told(
    plain_game: Game, greedy: GreedyPlayer, words: Sequence[Told], says: str
) -> None:
    turns = [told(text, word) for text, word in zip((LONG, BOAT), words, strict=False)]
    assert spoken(greedy, plain_game, turns) == says


def test_a_skipped_question_is_given_up(plain_game: Game, greedy: GreedyPlayer) -> None:
    assert spoken(greedy, plain_game, [told(LONG, "skip")]) == BOAT
    bow = "Does the thing have a bow trim?"
    assert spoken(greedy, plain_game, [told(LONG, "skip"), told(BOAT, "unsure")]) == bow


def test_the_last_word_is_a_guess(plain_game: Game, greedy: GreedyPlayer) -> None:
    game = replace(plain_game, rules=Rules(noun=NOUN, turns=1))
    guesses = {spoken(greedy, game, [told(LONG, "no")])}
    assert guesses <= {"My guess: #3", "My guess: #4"}


ASKED: Sequence[tuple[str, Told]] = (("Is it a?", "yes"), ("Is it b?", "no"), ("Is it c?", "no"))


@pytest.mark.parametrize("kind", [GreedyPlayer, RandomPlayer])
@pytest.mark.parametrize(
    ("again", "says"),
    [
        # without the answer to b the first fits, without that to another nothing does
        ((), "Is it b?"),
        ((("Is it b?", "yes"),), "My guess: #1"),  # the latest answer counts
        ((("Is it b?", "unsure"),), "My guess: #1"),  # which takes the earlier one back
        # each of the others once more
        ((("Is it b?", "no"),), "Is it a?"),
        ((("Is it b?", "skip"),), "Is it a?"),  # which tells nothing
        ((("Is it b?", "no"), ("Is it a?", "yes")), "Is it c?"),
        # against the first one answer, the second two, the third two
        ((("Is it b?", "no"), ("Is it a?", "yes"), ("Is it c?", "no")), "My guess: #1"),
    ],
)
def test_where_nothing_fits_it_asks_again_and_guesses_by_the_fewest_contradictions(
    kind: type[GreedyPlayer],
    again: Sequence[tuple[str, Told]],
    says: str,
    make_board: Any,
    make_game: Any,
) -> None:
    board = make_board(["a x", "b x", "c x"], [[1, 1, -1], [-1, -1, 1], [-1, 1, -1]])
    game = make_game(board)
    terms = tuple(
        Term(value=value, type_aliases=(), aliases=(), templates=(f"Is it {value.type}?",))
        for value in board.values
    )
    # a yes: the first; b no: against the first and the third; c no: against the second
    turns = [told(text, word) for text, word in (*ASKED, *again)]
    assert spoken(kind(terms, NOUN, seed=0), game, turns) == says


def test_greedy_is_never_contradicted(dresses: tuple[list[Game], tuple[Term, ...]]) -> None:
    games, terms = dresses
    player, flipped = GreedyPlayer(terms, "dress", seed=0), NoiseSettings(flip=0.5)
    played = [playing(game, player, terms, flipped) for game in games]
    # it asks what has a yes and a no among what is left, so that either answer leaves something
    assert all(turn.feasible for one in played for turn in one.turns)
    assert any(turn.noise for one in played for turn in one.turns)


def test_one_flip_is_found_by_asking_again(dresses: tuple[list[Game], tuple[Term, ...]]) -> None:
    games, terms = dresses
    player, flipped = RandomPlayer(terms, "dress", seed=0), NoiseSettings(flips=1)
    played = [playing(game, player, terms, flipped) for game in games]
    emptied = [
        (game, one)
        for game, one in zip(games, played, strict=True)
        if any(not turn.feasible for turn in one.turns)
    ]
    assert emptied
    assert all(one.turns[-1].feasible for _, one in emptied)
    assert any(one.guess == game.gallery.target for game, one in emptied)


def game_of(pictures: int, make_game: Any, episode: str) -> Game:
    board = Board(target=1, values=(), answers=np.zeros((pictures, 0), np.int8))
    game: Game = make_game(board, Rules(noun=NOUN), episode)
    return game


@pytest.mark.parametrize("make", [GreedyPlayer, NeverAskingPlayer])
def test_a_guess_among_equals_is_uniform(make_game: Any, make: Any) -> None:
    found: Counter[str] = Counter()
    for episode in range(100):
        game = game_of(5, make_game, f"episode {episode}")
        for seed in range(10):
            player = make(seed=seed) if make is NeverAskingPlayer else make((), NOUN, seed=seed)
            found[spoken(player, game)] += 1
    # 1,000 draws of 5: 200 each, five standard deviations of 12.6 to either side
    assert set(found) == {f"My guess: #{number}" for number in range(1, 6)}
    assert max(abs(count - 200) for count in found.values()) < 5 * math.sqrt(1000 * 0.2 * 0.8)


def test_random_asks_for_any_value(make_board: Any, make_game: Any, make_terms: Any) -> None:
    names = ["a x", "a y", "b x", "b y"]
    board = make_board(names, [[1, -1, 1, -1], [-1, 1, -1, 1]])
    terms = make_terms(board.values)
    found: Counter[str] = Counter()
    for episode in range(400):
        game = make_game(board, Rules(noun=NOUN), f"episode {episode}")
        found[spoken(RandomPlayer(terms, NOUN, seed=0), game)] += 1
    assert len(found) == 4
    assert max(abs(count - 100) for count in found.values()) < 5 * math.sqrt(400 * 0.25 * 0.75)


def test_the_same_seed_plays_the_same_game(plain_game: Game, make_terms: Any) -> None:
    terms = make_terms(plain_game.gallery.values)
    first, again = (playing(plain_game, RandomPlayer(terms, NOUN, seed=5), terms) for _ in range(2))
    assert first == again
