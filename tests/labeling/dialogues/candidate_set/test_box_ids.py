import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.candidate_set.box_ids import ids_of, ids_text


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        ([], "[]"),
        (["3"], '["3"]'),
        # numbers in their order, not by their first digit
        (["10", "2", "1"], '["1", "2", "10"]'),
        # each once
        (["2", "2"], '["2"]'),
        # names of a source that are no numbers
        (["b", "é", "a"], '["a", "b", "é"]'),
    ],
)
def test_ids_become_one_text(ids: list[str], text: str) -> None:
    assert ids_text(ids) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",  # a number alone
        "[3]",  # numbers where texts are wanted
        '{"a": 1}',
        '["1", null]',
        '["1"',  # cut off
        "[" * 100_000,  # deeper than the reader goes
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no list of box ids"):
        ids_of(text)


@given(st.lists(st.text()))
def test_a_set_of_ids_comes_back(ids: list[str]) -> None:
    text = ids_text(ids)
    assert set(ids_of(text)) == set(ids)
    assert ids_text(ids_of(text)) == text
    assert ids_text(reversed(ids)) == text
    assert ids_of(json.dumps(ids)) == ids_of(text)  # in whatever order a hand wrote them
