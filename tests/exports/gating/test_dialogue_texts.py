"""What the text of dialogues tells without the picture."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import seeds
from benchwright.records import FalsePremise, QuestionChain
from exports.gating.dialogue_texts import false_premise_texts, question_chain_texts
from exports.gating.wording import Choice, by_words, chance, words_of_one_side
from stand_ins.chains import chain, step
from stand_ins.false_premises import written

COLOURS = ("red", "blue", "green", "black", "white", "brown")


def drawn(purpose: str, number: int, seed: int = 0) -> int:
    return seeds.below(len(COLOURS), seed, purpose, str(number))


def premises(false: str | None, count: int = 60, seed: int = 0) -> list[FalsePremise]:
    """Return dialogues whose false colour is always the same, or any other one."""
    found = []
    for number in range(count):
        true = COLOURS[drawn("true", number, seed)]
        other = [colour for colour in COLOURS if colour != true]
        wrong = false or other[drawn("false", number, seed) % 5]
        one = written(
            f"the {true} dog on the mat",
            f"the {wrong} dog on the mat",
            dialogue_id=f"fp{number:03d}",
            image_id=f"{number:016x}",
        )
        found.append(one)
    return found


def test_a_word_that_is_always_false_is_found() -> None:
    found, turns = false_premise_texts(premises("purple"))
    assert not found.passed
    assert found.figure == 1
    assert found.rows[0] == "fp000"
    assert found.note == "words of false descriptions alone: purple"
    assert turns.outcome == "information"


@pytest.mark.parametrize("seed", range(15))
def test_words_that_are_false_of_some_and_true_of_others_tell_nothing(seed: int) -> None:
    found, _ = false_premise_texts(premises(None, seed=seed))
    assert found.passed
    assert found.note == ""


def test_copies_of_one_picture_prove_no_more_than_it() -> None:
    """What is learnt from a picture is not asked of it again."""
    one = [replace(each, image_id="0" * 16) for each in premises("purple")]
    found, _ = false_premise_texts(one)
    assert found.figure == 0.5
    assert found.passed


def chains(kind: str, count: int = 40, seed: int = 0) -> list[QuestionChain]:
    """Return chains of two steps with options of equal lengths, or with some fault."""
    found = []
    for number in range(count):
        words = [COLOURS[(drawn("word", number, seed) + at) % 6] for at in range(3)]
        texts = [f"Is the {word} one here?" for word in words]
        if kind == "long":
            texts[0] = f"{texts[0]} Or is it rather over there?"
        if kind == "short":
            texts[0] = "Is it?"
        if kind == "word":
            texts[0] = f"Is the {words[0]} one there?"
        first = step(texts[0], "yes")
        options = tuple(
            replace(option, text=text)
            for option, text in zip(first.question_options, texts, strict=True)
        )
        first = replace(
            first, question_options=options, answer_options=tuple(f"it is {w}" for w in words)
        )
        last = replace(step("And then?", "no"), question_options=(), answer_options=())
        first = replace(first, answer=first.answer_options[0])
        found.append(chain(chain_id=f"c{number}", image_id=f"{number:016x}", steps=(first, last)))
    return found


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("fair", None),
        ("long", "as the longest"),
        ("short", "as the shortest"),
        ("word", "by its words"),  # "there" for "here"
    ],
)
def test_options_that_their_text_tells_are_found(kind: str, said: str | None) -> None:
    questions, answers = question_chain_texts(chains(kind))
    assert questions.passed == (said is None)
    assert answers.passed
    assert said is None or said in questions.what


@pytest.mark.parametrize("seed", range(15))
def test_false_alarms_of_chains(seed: int) -> None:
    assert all(check.passed for check in question_chain_texts(chains("fair", seed=seed)))


def test_the_question_of_the_last_step_is_given_and_not_counted() -> None:
    one = [replace(each, steps=each.steps[:1]) for each in chains("long")]
    (answers,) = question_chain_texts(one)
    assert "answers" in answers.what


_TEXT = st.text(alphabet="ab ,.<|é", max_size=12)


@given(st.lists(st.lists(_TEXT, min_size=2, max_size=4), min_size=1, max_size=12))
def test_any_texts_can_be_guessed_at(options: list[list[str]]) -> None:
    choices = [
        Choice(of=str(at), picture=str(at), options=tuple(some), right=at % len(some))
        for at, some in enumerate(options)
    ]
    found = by_words(choices)
    assert 0 <= found.share.share <= 1
    assert 0 < chance(choices) <= 0.5
    assert words_of_one_side(choices, pictures=13) == []
