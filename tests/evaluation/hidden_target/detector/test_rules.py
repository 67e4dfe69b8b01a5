"""Rules together: their order, repeats, compounds, contradictions, texts of any kind."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import Turn
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.parts import Judged, Question

NEW = ["skirt: tiered", "waist: paper-bag waist"]
BOTH = ["neckline: v-neck", "skirt: tiered"]


@pytest.fixture
def before(make_turn: Callable[..., Turn], make_question: Callable[..., Question]) -> list[Turn]:
    """A V-neck and a paper-bag waist were asked about; a skip about the skirt tells nothing."""
    return [
        make_turn(make_question("Does it have a V-neck?", "neckline: v-neck"), "no", 1),
        make_turn(make_question("Is it a tiered skirt?", "skirt: tiered"), "skip", 2),
        make_turn(make_question("Does it shimmer at night?"), "unsure", 3),
    ]


@pytest.mark.parametrize(
    ("text", "asked", "count", "reason"),
    [
        # all at once: the first reason in the order counts
        (
            "Is #1 red with a V-neck and tiered?",
            BOTH,
            2,
            "several_questions",
        ),
        ("Is #1 red with a V-neck and tiered?", BOTH, 1, "index"),
        (
            "Is it red with a V-neck and tiered?",
            BOTH,
            1,
            "forbidden",
        ),
        ("Has it a V-neck and is it tiered?", BOTH, 1, "repeated"),
        (
            "Is it tiered, with a paper-bag waist?",
            NEW,
            1,
            "compound",
        ),
        # repeats
        ("Is the neck square?", ["neckline: square neck"], 1, "repeated"),  # another value
        ("does it SHIMMER at night", [], 1, "repeated"),  # the same words
        ("Does it have a boat neckline?", [], 1, "repeated"),  # a value that is not known
        ("Is there lace along the neckline?", [], 1, None),  # about something else there
        ("Is it tiered?", ["skirt: tiered"], 1, None),  # asked in a skipped turn alone
        # compounds
        ("Does it have a peplum and a bow?", [], 1, "compound"),  # neither is known
        ("Is there a hook or an eye?", [], 1, None),  # or may be one attribute
        ("Is the skirt tiered or not tiered?", ["skirt: tiered", "skirt: tiered"], 1, None),
        # what neither yes nor no answers
        ("What fastening does it have?", [], 1, "open_question"),
        ("And how many pockets are there?", [], 1, "open_question"),
        ("Where is the slit?", [], 1, "open_question"),
        ("What colour is it?", [], 1, "forbidden"),
        ("What about pockets?", [], 1, None),
        ("When worn, does it flare?", [], 1, None),
        ("Does it show where it was sewn?", [], 1, None),
        # nothing
        ("Does it have pockets?", [], 1, None),
    ],
)
def test_reasons(
    text: str,
    asked: list[str],
    count: int,
    reason: str | None,
    rules: RuleDetector,
    before: list[Turn],
    make_question: Callable[..., Question],
) -> None:
    question = make_question(text, *asked, count=count)
    assert rules.reason(question, before, is_contradicted=False) == reason


@pytest.mark.parametrize(
    ("text", "asked", "reason"),
    [
        ("Is the neck a V?", ["neckline: v-neck"], None),  # in whatever words
        ("does it shimmer at night", [], None),  # by its words, where it was not mapped
        ("Is the neck square?", ["neckline: square neck"], "repeated"),  # another value
        ("Is it red?", ["colour: red"], "forbidden"),
        ("Is #3 with a V-neck?", ["neckline: v-neck"], "index"),
        ("Does it have pockets?", [], None),  # a new one
    ],
)
def test_while_answers_contradict_each_other_an_earlier_question_may_be_asked_again(
    text: str,
    asked: list[str],
    reason: str | None,
    rules: RuleDetector,
    before: list[Turn],
    make_question: Callable[..., Question],
) -> None:
    question = make_question(text, *asked)
    assert rules.reason(question, before, is_contradicted=True) == reason


def test_the_verdict_names_the_rules(
    rules: RuleDetector, make_question: Callable[..., Question], judged: Any
) -> None:
    assert judged(rules, make_question("Is it red?")) == Judged(
        reason="forbidden", judged_by="rules"
    )
    assert judged(rules, make_question("Does it have pockets?")) == Judged(
        reason=None, judged_by="rules"
    )


@given(text=st.text(max_size=300))
def test_any_text_is_survived(text: str, rules: RuleDetector) -> None:
    question = Question(text=text, count=1, asked=(), mapped_by="none")
    rules.reason(question, (), is_contradicted=False)


@pytest.mark.parametrize(
    "part",
    [
        "a",
        "first ",
        "picture 1 or ",
        "have a ",
        "number ",
        "sleeves a a ",
        "her a ",
        "is is ",
        "an a-",
    ],
)
def test_a_long_text_is_read_at_once(part: str, rules: RuleDetector) -> None:
    question = Question(text=part * 1_000_000, count=1, asked=(), mapped_by="none")
    start = time.perf_counter()
    rules.reason(question, (), is_contradicted=False)
    assert time.perf_counter() - start < 5  # a tenth of a second alone; cores are shared
