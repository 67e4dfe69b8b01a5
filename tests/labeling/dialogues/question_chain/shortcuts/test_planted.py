"""Shortcuts that were planted are found, and where there is none the report says so."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from benchwright import seeds
from labeling.dialogues.question_chain.shortcuts.chance import Verdict
from labeling.dialogues.question_chain.shortcuts.choices import Choice
from labeling.dialogues.question_chain.shortcuts.looks import guessed, longest, place, shortest
from labeling.dialogues.question_chain.shortcuts.shortcuts import standing_out
from labeling.dialogues.question_chain.shortcuts.words import bag_of_words, told_words

SPOKEN = (
    "car bus dog lamp sign man woman road wet red left right near under old how many what where is"
    " does stand wear hold colour number open closed first last behind front"
)
WORDS = SPOKEN.split()
CHAINS, STEPS, OPTIONS = 40, 3, 4
Plant = Callable[[Choice], Choice]


def text(*ids: str) -> str:
    words = [
        WORDS[seeds.below(len(WORDS), 0, "word", str(at), *ids)]
        for at in range(3 + seeds.below(5, 0, "length", *ids))
    ]
    return " ".join(words)


def clean(seed: int, options: int = OPTIONS) -> list[Choice]:
    """Choices of which nothing tells the true option: it is drawn."""
    return [
        Choice(
            kind="planning",
            chain_id=f"c{chain}",
            step=step,
            question="q",
            history=(),
            asked=None,
            options=tuple(text(str(seed), str(chain), str(step), str(at)) for at in range(options)),
            truth=seeds.below(options, seed, "truth", str(chain), str(step)),
        )
        for chain in range(CHAINS)
        for step in range(1, STEPS + 1)
    ]


def at_truth(choice: Choice, change: Callable[[str], str]) -> Choice:
    options = list(choice.options)
    options[choice.truth] = change(options[choice.truth])
    return replace(choice, options=tuple(options))


def of_half(choice: Choice) -> bool:
    return seeds.below(2, 0, "half", choice.chain_id, str(choice.step)) == 0


def never_longest(choice: Choice) -> Choice:
    wrong = (choice.truth + 1) % len(choice.options)
    options = list(choice.options)
    options[wrong] += " and all that stands there beside it"
    return replace(choice, options=tuple(options))


def measured(choices: Sequence[Choice]) -> dict[str, Verdict]:
    bag = bag_of_words(choices)
    assert bag is not None
    words = standing_out(told_words(choices))
    return {
        "longest": guessed(choices, longest).verdict,
        "shortest": guessed(choices, shortest).verdict,
        "place": place(choices)[1].verdict,
        "bag": bag.verdict,
        "words": "more than chance" if words else "as chance",
    }


PLANTED: list[tuple[str, Plant, dict[str, Verdict]]] = [
    # half of the true options are longer
    (
        "longest",
        lambda one: at_truth(one, lambda said: f"{said} {said}") if of_half(one) else one,
        {"longest": "more than chance"},
    ),
    (
        "shortest",
        lambda one: at_truth(one, lambda said: said[:9]),
        {"shortest": "more than chance"},
    ),
    # a true option that is never the longest is told by its length too
    ("never longest", never_longest, {"longest": "less than chance"}),
    ("place", lambda one: replace(one, truth=0), {"place": "more than chance"}),
    # a word that half of the true options have, and no other
    (
        "word",
        lambda one: at_truth(one, lambda said: f"exactly {said[8:]}") if of_half(one) else one,
        {"words": "more than chance", "bag": "more than chance"},
    ),
    # one that the others have
    (
        "word of the others",
        lambda one: replace(
            one,
            options=tuple(
                said if at == one.truth else f"maybe {said[6:]}"
                for at, said in enumerate(one.options)
            ),
        ),
        {"words": "more than chance", "bag": "more than chance"},
    ),
]


@pytest.mark.parametrize(
    ("plant", "found"), [row[1:] for row in PLANTED], ids=[r[0] for r in PLANTED]
)
@pytest.mark.parametrize("seed", range(3))
def test_what_was_planted_is_found(plant: Plant, found: dict[str, Verdict], seed: int) -> None:
    verdicts = measured([plant(choice) for choice in clean(seed)])
    assert found.items() <= verdicts.items()


def test_the_words_that_were_planted_are_named() -> None:
    planted = [
        at_truth(one, lambda said: f"exactly {said}") if of_half(one) else one for one in clean(0)
    ]
    first = told_words(planted)[0]
    assert first.word == "exactly"
    assert (first.wrong_with, first.true, first.wrong) == (0, 120, 360)
    assert first.log_odds > 3
    assert first.adjusted < 0.001


def test_steps_of_one_chain_count_once() -> None:
    # the true options of two chains have a word; with three steps each that is no sign of more
    planted = [
        at_truth(one, lambda said: f"harbour {said}") if one.chain_id in ("c1", "c2") else one
        for one in clean(0)
    ]
    assert "harbour" not in {one.word for one in told_words(planted)}


@pytest.mark.heavy
def test_false_alarms_are_as_rare_as_they_should_be() -> None:
    alarms = dict.fromkeys(("longest", "shortest", "place", "bag", "words"), 0)
    runs = 100
    for seed in range(runs):
        for name, verdict in measured(clean(seed)).items():
            alarms[name] += verdict != "as chance"
    # 5 % of 100 is 5; 13 are more than three standard deviations over that
    assert all(count < 13 for count in alarms.values()), alarms
