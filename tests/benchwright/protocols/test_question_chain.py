"""How answers to multiple-choice questions are read, what is asked, what a run is worth."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.protocols.question_chain import (
    chosen,
    following_prompt,
    following_truth,
    mean_of_categories,
    planning_prompt,
    planning_truth,
    steps_that_count,
)

OPTIONS = ["red", "a dog", "No", "None"]


@pytest.mark.parametrize(
    ("response", "place"),
    [
        # a letter and little else
        ("B", 1),
        ("B.", 1),
        ("**B**", 1),
        (" (C) ", 2),
        ("`D`", 3),
        ('{"A"}', 0),
        ("B: a dog", 1),
        ("B. a dog, since it barks", 1),
        ("C\n\nThere is none to be seen.", 2),
        # said in a sentence, the last word counts
        ("The answer is B.", 1),
        ("Answer: (C)", 2),
        ("the answer is option D", 3),
        ("I first thought the answer is A, but the answer is B", 1),
        ("Option C fits best", 2),
        ("The correct option is **B**.", 1),
        ("My choice is (D)", 3),
        ("The best option is a dog", None),  # an article again, and more than an option's text
        # two options named and none chosen
        ("Option A or option B", None),
        # thoughts are no answer, closed or not
        ("<think>The answer is A</think>B", 1),
        ("<think>The answer is A", None),
        # the text of an option; an article is no letter
        ("a dog", 1),
        ("A dog", 1),
        ("NONE.", 3),
        ("A cat", None),
        # a letter that no option has, a refusal, nothing
        ("E", None),
        ("The answer is Z", None),
        ("I cannot see the picture.", None),
        ("", None),
    ],
)
def test_reads_an_answer(response: str, place: int | None) -> None:
    assert chosen(response, OPTIONS) == place


@given(st.text(max_size=200), st.integers(2, 12))
def test_any_response_is_an_option_or_none(response: str, count: int) -> None:
    place = chosen(response, [f"option {at}" for at in range(count)])
    assert place is None or 0 <= place < count


def step(question: str, answer: str, other: str, seen: str | None = "no") -> dict[str, Any]:
    return {
        "question": question,
        "answer": answer,
        "answer_options": [other, answer],
        "question_options": [
            {"text": "Is it wet?", "answer": seen, "origin": "step"},
            {"text": question, "answer": answer, "origin": "true"},
        ],
    }


CHAIN = {
    "question": "Who?",
    "steps": [
        step("Where?", "here", "there"),
        step("When?", "now", "then", None),
        step("Who?", "me", "you"),
    ],
}


def test_following_gives_the_true_answers_before_a_step() -> None:
    assert len(steps_that_count(CHAIN)) == 2
    prompt = following_prompt(CHAIN, 1)
    assert "In the end this is to be answered: Who?" in prompt
    assert "1. Where? here\n" in prompt
    assert "Now answer this: When?\nA. then\nB. now\n" in prompt
    assert "me" not in prompt.replace("answered", "").split()
    assert following_truth(CHAIN, 1) == 1


@pytest.mark.parametrize(
    ("picks", "history"),
    [
        # the model's own picks, with what the picture says to them
        ([], []),
        ([1], ["1. Where? here"]),
        ([0], ["1. Is it wet? no"]),
        # an answer that nobody wrote, and a pick that could not be read
        ([0, 0], ["1. Is it wet? no", "2. Is it wet? not known"]),
        ([None, 1], ["1. When? now"]),
    ],
)
def test_planning_gives_the_picks_before_a_step(
    picks: list[int | None], history: list[str]
) -> None:
    lines = planning_prompt(CHAIN, picks).splitlines()
    assert [line for line in lines if line[:2] in ("1.", "2.")] == history
    assert planning_truth(CHAIN, 0) == 1


def test_the_score_is_a_mean_of_means() -> None:
    shares = [("a", 1.0), ("a", 0.5), ("b", 0.0)]
    assert mean_of_categories(shares) == pytest.approx(0.375)
    assert mean_of_categories([]) != mean_of_categories([])  # nan
