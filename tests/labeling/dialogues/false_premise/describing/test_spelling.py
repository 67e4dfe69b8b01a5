"""What texts of models are made of."""

import pytest

from labeling.dialogues.false_premise.describing.spelling import (
    tidied,
    why_no_phrase,
    why_no_sentence,
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the brown dog on the carpet", None),
        ("the woman's black-and-white bag by the café", None),  # é is Latin
        ("the dog, on the carpet", "holds ','"),  # a mark would stand in every question
        ("the dog.", "holds '.'"),
        ("the **dog**", "holds '*'"),  # markup
        ("the <b>dog</b>", "holds '<'"),
        ("the {dog}", "holds '{'"),
        ("the brown_dog", "holds '_'"),
        ("the dog\x1b[31m", "holds characters that cannot be printed"),  # steers a terminal
        ("the dog\u202e", "holds characters that cannot be printed"),  # turns the line round
        ("the коричневый dog", "is no plain English: it holds 'к'"),
        ("the dоg", "is no plain English: it holds 'о'"),  # a Cyrillic o
        ("the 犬 on the carpet", "is no plain English: it holds '犬'"),
        ("the dog in the red frame", "speaks of the frame: 'red frame'"),
        ("the framed dog", "speaks of the frame: 'framed'"),
        ("the cat below the framed pictures", None),
        ("the bicycle with a frame of steel", None),  # a frame of its own
    ],
)
def test_phrases(text: str, wanted: str | None) -> None:
    assert why_no_phrase(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('What does "it" mean, then (roughly): more or less?', None),
        ("Is it `red`?", "holds '`'"),
        ("Is it in the bounding box?", "speaks of the frame: 'bounding box'"),
        ("Was ist das, ほら?", "is no plain English: it holds 'ほ'"),
    ],
)
def test_sentences(text: str, wanted: str | None) -> None:
    assert why_no_sentence(text) == wanted


def test_blanks_of_all_kinds_become_single_ones() -> None:
    assert tidied(" the\tbrown\u00a0 dog\n") == "the brown dog"
