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
    prompt,
    read_choice,
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
        ("The best option is a dog", 1),  # an article again, and the text of an option
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


QUESTIONS = ["What is the black car doing?", "Is the road wet?", "How many cars are there?"]


@pytest.mark.parametrize(
    ("response", "place", "route"),
    [
        # a letter, in any case, width, bracket or dress
        ("b", 1, "letter"),
        ("(b)", 1, "letter"),
        ("Ｂ", 1, "letter"),
        ('["B"]', 1, "letter"),
        ("### My pick\n\n> **B**", 1, "announced letter"),
        ("After some thought\n\nB", 1, "letter"),
        ("B) Is the road wet?", 1, "letter"),
        ("B - Is the road wet?", 1, "letter"),
        ("B\n\nExplanation: A is wrong. C too.", 1, "letter"),
        ("B, not A", 1, "letter"),
        ("~~A~~ B", 1, "letter"),
        # announced, in prose, JSON, LaTeX, tags, Chinese
        ("Answer: B", 1, "announced letter"),
        ("answer: b", 1, "announced letter"),
        ("Answer B", 1, "announced letter"),
        ('{"answer": "B", "not": "A"}', 1, "announced letter"),
        ("{'choice': 'B', 'reason': 'A is dull'}", 1, "announced letter"),
        ('```json\n{"answer": "B"}\n```', 1, "announced letter"),
        ("$\\boxed{\\text{B}}$", 1, "announced letter"),
        ("<answer>B</answer>", 1, "announced letter"),
        ("答案：B", 1, "announced letter"),
        ("答案是（Ｂ）", 1, "announced letter"),
        ("我选择 B，因为A不对", 1, "announced letter"),
        ("正确选项是B", 1, "announced letter"),
        ("B。因为A不对", 1, "letter"),
        ("B。", 1, "letter"),
        ("B选项", 1, "mentioned letter"),
        ("我认为 B 选项正确。", 1, "mentioned letter"),
        ("The best question to ask next is B", 1, "announced letter"),
        ("The answer is B, because A is wrong and C is silly.", 1, "announced letter"),
        ("A. car\nB. road\nC. cars\n\nAnswer: B", 1, "announced letter"),
        ("I'd go with (B)", 1, "announced letter"),
        ("I would not choose A. B is the best.", 1, "mentioned letter"),
        ("Ans: B", 1, "announced letter"),
        # said of it, without a word for what it is
        ("It's B.", 1, "mentioned letter"),
        ("I think B", 1, "mentioned letter"),
        ("So, B.", 1, "mentioned letter"),
        ("It must be (B), since nothing else helps", 1, "mentioned letter"),
        ("It's a pity.", None, "nothing"),
        ("It's not B", None, "nothing"),
        ("不是B。", None, "nothing"),
        ("I don't think it is B.", None, "nothing"),
        ("Option B is not right.", None, "nothing"),
        ("Not option A. Option B.", 1, "mentioned letter"),
        ("I think A is wrong", None, "nothing"),
        ("It's A or B", None, "several"),
        ("B\n\nIt is the road that matters, so C is worse.", 1, "letter"),
        # the text of an option
        ("is the road wet", 1, "text"),
        ("- Is the road wet?", 1, "text"),
        ("The next question should be: Is the road wet?", 1, "announced text"),
        ('{"question": "Is the road wet?"}', 1, "announced text"),
        ("To judge the brakes one wants to know: is the road wet?", 1, "mentioned text"),
        ("Do not ask: is the road wet?", None, "nothing"),
        # reasoning, closed, never opened, never closed
        ("<think>Answer: A</think>\n\nB", 1, "letter"),
        ("Answer: A, no</think>B", 1, "letter"),
        ("<thinking>Answer: A", None, "empty"),
        # several, and a letter with the text of another option
        ("A and B", None, "several"),
        ("A, B", None, "several"),
        ("A/C", None, "several"),
        ("Both A and B are fine", None, "several"),
        ("Answer: A or B", None, "several"),
        ("A\nB", None, "several"),
        ("A. car\nB. road\nC. cars", None, "several"),
        ("B. What is the black car doing?", None, "several"),
        # none
        ("D", None, "no such option"),
        ("I cannot see the picture, a pity.", None, "nothing"),
        ("The answer is a matter of taste", None, "nothing"),
    ],
)
def test_reads_a_choice_by_a_route(response: str, place: int | None, route: str) -> None:
    assert read_choice(response, QUESTIONS) == (place, route)


def test_a_long_response_is_read_in_no_time() -> None:
    """Thousands of openings, announcements and brackets: a quadratic reader would take minutes."""
    for part in ("<think>", "answer: ", "A and ", "(" * 9, "\\boxed{", "~~", "B\n", "not "):
        read_choice(part * (200_000 // len(part)), QUESTIONS)


def test_a_blindfold_is_said() -> None:
    said = prompt("Who?", [], "Which?", ["a", "b"], is_shown=False)
    assert said.startswith("This is about a picture that you are not shown")
    assert prompt("Who?", [], "Which?", ["a", "b"]).startswith("Look at the picture.")


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
