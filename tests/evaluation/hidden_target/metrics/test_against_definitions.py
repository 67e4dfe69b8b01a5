"""Scores of any runs against a second implementation, straight from definitions 7 and 13 to 15.

It knows nothing of records but their fields, keeps no constraint by letters, and averages by hand.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.records import Told, Trajectory, Turn, UploadKind
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.metrics.score import Score, score_of
from evaluation.hidden_target.scoring.played import Played
from evaluation.releases.galleries import Gallery
from evaluation.scoring.figures import Figure, Key, by_key, figures
from stand_ins.trajectories import asks, played, skips

TOLD: tuple[Told, ...] = ("yes", "no", "unsure")
KINDS: tuple[UploadKind, ...] = ("acknowledged", "echo", "question", "guess", "nothing")
WORD = {1: "yes", -1: "no", 0: "unsure"}


def allowed(gallery: Gallery, turns: tuple[Turn, ...]) -> set[int]:
    """Definition 7: who agrees with the latest answer to each question, or is not known."""
    latest: dict[Any, Turn] = {}
    for turn in turns:
        if turn.told != "skip":
            about = (turn.asked[0].type, turn.asked[0].value) if turn.asked else turn.question
            latest[about] = turn
    left = set()
    for number in range(1, len(gallery) + 1):
        fits = True
        for turn in latest.values():
            if not turn.asked or turn.told == "unsure":
                continue
            (asked,) = turn.asked
            column = [(v.type, v.value) for v in gallery.values].index((asked.type, asked.value))
            known = int(gallery.answers[number - 1, column]) * (-1 if asked.is_negated else 1)
            fits = fits and (known == 0 or WORD[known] == turn.told)
        if fits:
            left.add(number)
    return left


@dataclass
class Facts:
    """What an episode is by the definitions."""

    outcome: str
    turns: int
    skips: int
    premature: Fraction | None
    emptied: bool
    conflict: bool
    hit: bool
    gone: int
    stalls: int


def facts_of(gallery: Gallery, one: Trajectory) -> Facts:
    sets = [allowed(gallery, one.turns[:count]) for count in range(len(one.turns) + 1)]
    before = sets[-1]
    if one.guess != gallery.target:
        outcome = "incorrect"  # definition 14, no guess among it
    elif before == {gallery.target}:
        outcome = "verified"
    elif gallery.target in before:
        outcome = "random_guess"
    else:
        outcome = "contradicted"
    hits = [t.told != t.truth for t in one.turns if t.told != "skip"]
    first_hit = next((at for at, t in enumerate(one.turns) if t.told not in ("skip", t.truth)), 999)
    kinds = [upload.kind for upload in one.uploads]
    return Facts(
        outcome=outcome,
        turns=len(one.turns),
        skips=sum(turn.told == "skip" for turn in one.turns),
        premature=Fraction(kinds.count("question") + kinds.count("guess"), len(kinds))
        if kinds
        else None,
        emptied=any(not left for left in sets),
        conflict=any(
            gallery.target not in left for at, left in enumerate(sets[1:]) if at < first_hit
        ),
        hit=any(hits),
        gone=sum(len(was - now) for was, now in pairwise(sets)),
        stalls=sum(
            turn.told != "skip" and was == now
            for turn, was, now in zip(one.turns, sets, sets[1:], strict=False)
        ),
    )


def mean(values: list[Any]) -> float | None:
    return float(sum(map(Fraction, values)) / len(values)) if values else None


@st.composite
def _episodes(draw: st.DrawFn, board: Board, make_game: Callable[..., Game], name: str) -> Any:
    gallery = make_game(board, episode_id=name).gallery
    names = [f"{value.type} {value.value}" for value in board.values]
    turns = []
    for _ in range(draw(st.integers(0, 6))):
        named = draw(st.sampled_from(["", *names, *(f"not {each}" for each in names)]))
        if draw(st.booleans()) and named:
            turns.append(skips(draw(st.sampled_from(["index", "forbidden"])), named))
            continue
        told = draw(st.sampled_from(TOLD))
        truth = draw(st.sampled_from([told, *TOLD[:2]]))
        turns.append(asks(named, told, truth=truth, noise="flip" if truth != told else None))
    guess = draw(st.sampled_from([None, gallery.target, *range(1, len(gallery) + 2)]))
    uploads = draw(st.lists(st.sampled_from(KINDS)))
    return gallery, played(gallery, *turns, guess=guess, uploads=uploads)


def run_of(episodes: list[Trajectory]) -> Played:
    return Played(
        name="run",
        player="hand",
        prompt=None,
        detector="rules",
        oracle="labels",
        verifier="labels",
        planned=len(episodes),
        trajectories=episodes,
    )


def scored(pairs: list[tuple[Gallery, Trajectory]]) -> Score:
    return score_of(run_of([one for _, one in pairs]), [gallery for gallery, _ in pairs])


def figures_of(score: Score) -> list[Figure]:
    return figures(list(score.amounts.values()), list(score.targets.values()), 0)


@given(data=st.data())
@settings(max_examples=40)
def test_scores_are_those_of_the_definitions(
    boards: st.SearchStrategy[Board], make_game: Callable[..., Game], data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, 5))
    pairs = [
        data.draw(_episodes(data.draw(boards), make_game, f"e{number}")) for number in range(count)
    ]
    facts = [facts_of(*pair) for pair in pairs]
    found = {key: figure.value for key, figure in by_key(figures_of(scored(pairs))).items()}
    for outcome in ("verified", "random_guess", "contradicted", "incorrect"):
        those = [each for each in facts if each.outcome == outcome]
        assert found[Key(outcome)] == len(those) / count
        assert found[Key("turns", "outcome", outcome)] == mean([each.turns for each in those])
        rates = [Fraction(each.skips, each.turns) for each in those if each.turns]
        assert close(found[Key("skip_rate", "outcome", outcome)], mean(rates))
    assert found[Key("overall")] == sum(each.outcome != "incorrect" for each in facts) / count
    rates = [Fraction(each.skips, each.turns) for each in facts if each.turns]
    assert close(found[Key("skip_rate")], mean(rates))
    premature = [each.premature for each in facts if each.premature is not None]
    assert close(found[Key("premature")], mean(premature))
    assert found[Key("contradiction")] == mean([each.emptied for each in facts])
    assert found[Key("conflict")] == mean([each.conflict for each in facts])
    assert found[Key("hit")] == mean([each.hit for each in facts])
    hit = [each.outcome == "verified" for each in facts if each.hit]
    assert found[Key("verified", "noise", "hit")] == mean(hit)
    turns = sum(each.turns for each in facts)
    assert found[Key("eliminated")] == (sum(each.gone for each in facts) / turns if turns else None)
    answered = turns - sum(each.skips for each in facts)
    stalls = sum(each.stalls for each in facts)
    assert found[Key("stall")] == (stalls / answered if answered else None)


@given(data=st.data())
@settings(max_examples=40)
def test_overall_is_the_sum_of_its_three_parts(
    boards: st.SearchStrategy[Board], make_game: Callable[..., Game], data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, 4))
    pairs = [
        data.draw(_episodes(data.draw(boards), make_game, f"e{number}")) for number in range(count)
    ]
    for amounts in scored(pairs).amounts.values():
        for by, of in {(key.by, key.of) for key in amounts if key.metric == "contradicted"}:
            parts = ("verified", "random_guess", "contradicted")
            total = sum(amounts[Key(name, by, of)].above for name in parts)
            overall = amounts[Key("overall", by, of)]
            assert total == overall.above
            assert total + amounts[Key("incorrect", by, of)].above == overall.below


@given(data=st.data())
@settings(max_examples=20)
def test_neither_order_nor_what_was_recorded_changes_a_digit(
    boards: st.SearchStrategy[Board], make_game: Callable[..., Game], data: st.DataObject
) -> None:
    pairs = [
        data.draw(_episodes(data.draw(boards), make_game, f"e{number}")) for number in range(4)
    ]
    first = scored(pairs)
    second = scored(data.draw(st.permutations(pairs)))
    assert first == second
    spoilt = [
        (gallery, replace(one, turns=tuple(replace(turn, feasible=(1,)) for turn in one.turns)))
        for gallery, one in pairs
    ]
    assert scored(spoilt).amounts == first.amounts


def close(one: float | None, other: float | None) -> bool:
    """Whether two figures are the same but for the last digit of a sum of thirds."""
    if one is None or other is None:
        return one is other
    return abs(one - other) < 1e-12
