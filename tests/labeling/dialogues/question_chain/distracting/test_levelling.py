from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import seeds
from benchwright.records import ChainStep, QuestionChain, QuestionOption
from labeling.dialogues.question_chain.distracting.integrating import integrated
from labeling.dialogues.question_chain.distracting.levelling import (
    Candidate,
    Position,
    Weights,
    level,
    levelling_weights,
    reachable_places,
)
from labeling.dialogues.question_chain.distracting.pools import IntegrateSettings
from labeling.dialogues.question_chain.shortcuts.choices import choices_of
from labeling.dialogues.question_chain.shortcuts.looks import guessed, longest, shortest
from stand_ins.chains import chain


def expected(reachable: list[frozenset[int]], weights: Weights) -> dict[int, float]:
    found: Counter[int] = Counter()
    for some in reachable:
        total = sum(weights[place] for place in some)
        for place in some:
            found[place] += weights[place] / total  # type: ignore[assignment]
    return {place: round(share, 2) for place, share in found.items()}


ALL = frozenset(range(4))


@pytest.mark.parametrize(
    ("reachable", "wanted"),
    [
        ([ALL] * 40, {0: 10, 1: 10, 2: 10, 3: 10}),
        # the true one can be the longest in 12 of 40 positions, and is in 10
        ([ALL] * 12 + [frozenset({0, 1, 2})] * 28, {0: 10, 1: 10, 2: 10, 3: 10}),
        # in two alone: then it is in both, and the rest is level
        ([ALL] * 2 + [frozenset({0, 1, 2})] * 38, {0: 12.67, 1: 12.67, 2: 12.67, 3: 2}),
        ([frozenset({0})] * 5, {0: 5}),
        ([], {}),
    ],
)
def test_weights_make_places_as_frequent_as_they_can_be(
    reachable: list[frozenset[int]], wanted: dict[int, float]
) -> None:
    found = expected(reachable, levelling_weights(reachable))
    assert found == pytest.approx(wanted, abs=0.06)


@given(st.lists(st.frozensets(st.integers(0, 4), min_size=1), max_size=20))
def test_weights_are_numbers_above_naught_and_of_no_order(reachable: list[frozenset[int]]) -> None:
    weights = levelling_weights(reachable)
    assert all(0 < weight < 1e7 for weight in weights.values())
    assert levelling_weights(reachable[::-1]) == pytest.approx(weights, rel=1e-3, abs=1e-4)


def at(true: str, wanted: int = 3, name: str = "p") -> Position:
    return Position(true=true, wanted=wanted, seed=0, ids=(name,), counts_form=True)


def test_the_drawn_place_is_taken_where_it_can_be() -> None:
    texts = ["Who?", "Who runs?", "Who sleeps on it?", "Who sleeps under the old tree?"]
    candidates = [Candidate(text=text, key=text) for text in texts]
    position = at("Who stands?", 2)
    assert reachable_places(candidates, position) == {0, 1, 2}
    assert reachable_places(candidates[:1], position) is None
    for place in range(3):
        weights = {other: 1.0 if other == place else 1e-12 for other in range(3)}
        chosen = level(candidates, position, weights)
        assert sum(len(one.text) < len(position.true) for one in chosen) == place


def test_form_and_length_decide_among_what_is_level() -> None:
    texts = ["Is it wet now?", "What is wet?", "What is on the far side of all this?", "Who ran?"]
    candidates = [Candidate(text=text, key=text) for text in texts]
    # of those that are longer the one of the same form and closest in length
    (one,) = level(candidates, at("What runs?", 1), {0: 1.0, 1: 1e-12})
    assert one.text == "What is wet?"


def drafted(number: int, longer: float) -> QuestionChain:
    """A chain whose distractors are, on the whole, so many times as long as the true questions."""

    def words(times: float, *ids: str) -> str:
        count = round((4 + seeds.below(6, 0, "words", str(number), *ids)) * times)
        return " ".join(
            f"w{seeds.below(10**6, 0, 'w', str(number), str(n), *ids)}" for n in range(count)
        )

    steps = tuple(
        ChainStep(
            question=words(1, str(step)),
            answer="x",
            uses=(),
            question_options=tuple(
                QuestionOption(
                    text=words(longer, str(step), str(each)),
                    answer="y",
                    origin="chain" if each > 2 else "step",
                    generator=("gpt-5", "qwen3")[each % 2],
                )
                for each in range(5)
            ),
            answer_options=("x",),
        )
        for step in range(3)
    )
    return replace(chain(), chain_id=f"c{number}", steps=steps)


def test_models_that_write_longer_than_people_are_levelled() -> None:
    chains = [drafted(number, 1.15) for number in range(60)]
    true = [
        [
            QuestionOption(text=s.question, answer="x", origin="true", generator=None)
            for s in c.steps
        ]
        for c in chains
    ]
    as_they_came = [
        replace(
            one,
            steps=tuple(
                replace(step, question_options=(first, *step.question_options[:3]))
                for step, first in zip(one.steps, firsts, strict=True)
            ),
        )
        for one, firsts in zip(chains, true, strict=True)
    ]
    levelled = integrated(chains, IntegrateSettings(), {}, Counter())
    for guess in (longest, shortest):
        assert guessed(choices_of(as_they_came, "planning"), guess).verdict != "as chance"
        assert guessed(choices_of(levelled, "planning"), guess).verdict == "as chance"


def test_another_chain_changes_little() -> None:
    chains = [drafted(number, 1.15) for number in range(61)]
    before = integrated(chains[:-1], IntegrateSettings(), {}, Counter())
    after = integrated(chains, IntegrateSettings(), {}, Counter())
    assert sum(one != other for one, other in zip(before, after[:-1], strict=True)) <= 6
    assert integrated(chains[::-1], IntegrateSettings(), {}, Counter()) == after[::-1]
