"""Taking out what a model says to itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.reading import without_reasoning


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # nothing to take out
        ("Yes", "Yes"),
        ("I <b>think</b> so", "I <b>think</b> so"),
        ("a < b and [thinking] aloud", "a < b and [thinking] aloud"),
        # a block before, after, on both sides
        ("<think>a</think> b", "b"),
        ("b <think>a</think>", "b"),
        ("<think>a</think>b<think>c</think>", "b"),
        # over lines, in capitals, with attributes, with a prefix
        ("<THINK>\na\n</THINK>\nb", "b"),
        ('<think time="3">a</think>b', "b"),
        ("<seed:think>a</seed:think>b", "b"),
        # other names
        ("<thinking>a</thinking>b", "b"),
        ("<reasoning>a</reasoning>b", "b"),
        ("◁think▷a◁/think▷b", "b"),
        ("[THINK]a[/THINK]b", "b"),
        ("<|begin_of_thought|>a<|end_of_thought|>b", "b"),
        ("<|channel|>analysis<|message|>a<|channel|>final<|message|>b", "b"),
        # not closed: all the rest; not opened: all before
        ("b <think>a", "b"),
        ("<think>a", ""),
        ("a</think>b", "b"),
        ("a</think>a</think>b", "b"),
        # opened twice, closed once or twice
        ("<think>a<think>a</think>b", "b"),
        ("<think>a<think>a</think>a</think>b", "b"),
    ],
)
def test_without_reasoning(text: str, expected: str) -> None:
    assert without_reasoning(text) == expected


@given(st.text(st.sampled_from("<>/think[]◁▷ ab|")), st.text(st.sampled_from("xyz .\n")))
def test_what_follows_a_closing_tag_stays(before: str, after: str) -> None:
    assert without_reasoning(f"{before}</think>{after}").endswith(after.strip())
