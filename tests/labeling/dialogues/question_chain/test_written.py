"""The JSON of what a person may change of a chain: round trips, and what is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import ChainStep, QuestionChain, QuestionOption
from labeling.dialogues.question_chain.written import rewritten, written_parts, written_text
from stand_ins.chains import chain

LETTERS = st.characters(exclude_categories=["C", "Z"])
TEXTS = st.lists(st.text(LETTERS, min_size=1, max_size=9), max_size=4).map(" ".join)
NAMES = st.text(LETTERS, max_size=20)
OPTIONS = st.builds(
    QuestionOption,
    text=TEXTS,
    answer=st.none() | TEXTS,
    origin=st.sampled_from(["true", "step", "chain"]),
    generator=st.none() | NAMES,
)
STEPS = st.builds(
    ChainStep,
    question=TEXTS,
    answer=TEXTS,
    uses=st.lists(st.integers(1, 12), max_size=12).map(tuple),
    question_options=st.lists(OPTIONS, max_size=4).map(tuple),
    answer_options=st.lists(TEXTS, max_size=4).map(tuple),
)
CHAINS = st.builds(
    QuestionChain,
    chain_id=st.just("c1"),
    image_id=st.just("0" * 16),
    category=NAMES,
    scenario=NAMES,
    question=TEXTS,
    steps=st.lists(STEPS, max_size=6).map(tuple),
    rounds=st.just(()),
    author=st.just("ana"),
)


@given(CHAINS)
def test_a_chain_is_the_same_after_its_text(made: QuestionChain) -> None:
    text = written_text(made)
    assert rewritten(chain(), text, "ana") == made
    assert written_text(rewritten(chain(), text, "bo")) == text


def changed(change: Callable[[dict[str, Any]], Any]) -> str:
    parts = json.loads(written_text(chain()))
    change(parts)
    return json.dumps(parts)


def in_step(**more: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda parts: parts["steps"][1].update(more)


def test_blanks_are_made_single() -> None:
    text = changed(lambda parts: parts.update(question="  Who \n is it? "))
    assert rewritten(chain(), text, "ana").question == "Who is it?"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # no JSON, no object, half an object, nested without end, longer than any chain
        ("", "Invalid JSON"),
        ("null", "no chain"),
        ("[]", "no chain"),
        ('{"question": "Who', "Invalid JSON"),
        ("[" * 90_000, "Invalid JSON"),
        ("x" * 100_001, "a chain of 100,001 characters; 100,000 at most"),
        # keys that are missing, or nobody knows
        (changed(lambda parts: parts.pop("category")), "no chain: category Field required"),
        (changed(lambda parts: parts.update(author="eve")), "no chain: author"),
        (changed(in_step(rounds=[])), "no chain: steps 2 rounds"),
        # texts that are none, too long, steer a terminal, are no characters
        (changed(in_step(question=7)), "no chain: steps 2 question"),
        (changed(in_step(question="x" * 301)), "at most 300 characters"),
        (changed(in_step(answer="a\x1b[31mb")), "steps 2 answer holds a character that cannot"),
        (changed(in_step(answer="a\u202eb")), "cannot be printed"),
        (changed(in_step(answer="\ud800")), "no chain"),
        # numbers that are none, out of range, too many
        (changed(in_step(uses=["1"])), "no chain: steps 2 uses 1"),
        (changed(in_step(uses=[True])), "no chain: steps 2 uses 1"),
        (changed(in_step(uses=[0])), "no chain: steps 2 uses 1"),
        (changed(in_step(uses=[1] * 13)), "no chain: steps 2 uses"),
        # too many options and steps
        (changed(in_step(answer_options=["a"] * 13)), "no chain: steps 2 answer_options"),
        (changed(lambda parts: parts.update(steps=parts["steps"] * 5)), "no chain: steps"),
        # an origin that is none
        (
            changed(
                in_step(
                    question_options=[
                        {"text": "a", "answer": None, "origin": "eve", "generator": None}
                    ]
                )
            ),
            "steps 2 question_options 1 origin",
        ),
    ],
)
def test_what_is_no_chain_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011  # the text is looked at below
        rewritten(chain(), text, "ana")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_who_wrote_it_and_what_it_is_about_are_not_in_the_text() -> None:
    assert set(written_parts(chain())) == {"category", "scenario", "question", "steps"}
