"""Captions to train with; and that the evaluation's are others."""

import ast
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import labeling.attributes.train_small_clip as package
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.train_small_clip.corpus import VALUES
from labeling.attributes.train_small_clip.wordings import _filled, read_wordings
from labeling.attributes.voting.captions import caption_pair

WORDINGS = read_wordings()
ASKED = 3  # captions of a value that the evaluation asks by


def with_a_dress() -> set[str]:
    """Return every caption of a value that training can make of a dress, without fillers."""
    return {
        around.format(_filled(frame, noun=f"a {noun}", bare=noun, name=name, thing=thing))
        for named in WORDINGS.values
        for frames, things in ((WORDINGS.things, named.things), (WORDINGS.words, named.words))
        for around, frame, noun, name, thing in product(
            WORDINGS.around, frames, ("dress",), WORDINGS.type_names[named.type], things
        )
    }


def asked() -> set[str]:
    """Return the captions with a value that the voter asks by."""
    return {
        caption_pair(
            AttributeType(type=kind, aliases=(), exclusive=True, complete=False, askable=True),
            AttributeValue(type=kind, value=value, aliases=(), templates=()),
            "dress",
            number,
        ).with_value
        for kind, value in VALUES
        for number in range(1, ASKED + 1)
    }


def test_every_value_of_the_sample_has_names() -> None:
    assert [(named.type, named.value) for named in WORDINGS.values] == list(VALUES)


def test_no_caption_of_the_evaluation_is_one_of_training() -> None:
    assert len(asked()) > 2 * len(VALUES)
    assert not asked() & with_a_dress()


@pytest.mark.parametrize(
    "module", sorted(path.name for path in Path(package.__file__).parent.glob("*.py"))
)
def test_training_reads_none_of_the_voters_captions(module: str) -> None:
    tree = ast.parse(Path(package.__file__).with_name(module).read_text("utf-8"))
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    reaching = {name for name in imported if name.startswith("labeling.attributes.voting")}
    assert module == "evaluating.py" or not reaching
    assert not any(name.endswith("captions") for name in imported)


def test_the_same_chance_gives_the_same_pairs() -> None:
    assert WORDINGS.pairs(Random(3)) == WORDINGS.pairs(Random(3))
    assert WORDINGS.pairs(Random(3)) != WORDINGS.pairs(Random(4))


@given(st.integers(0, 10_000))
def test_a_pair_names_its_value_once_and_has_no_gaps(seed: int) -> None:
    for named, (with_value, without) in zip(
        WORDINGS.values, WORDINGS.pairs(Random(seed)), strict=True
    ):
        # words that are strewn in never tear a name apart
        assert any(name in with_value for name in (*named.things, *named.words))
        assert with_value != without
        assert "{" not in with_value + without
        assert with_value.strip() == with_value


def test_the_tokenizer_learns_from_every_name_and_word() -> None:
    words = {word for text in WORDINGS.sentences() for word in text.replace(",", " ").split()}
    said = {word for pair in WORDINGS.pairs(Random(1)) for text in pair for word in text.split()}
    made_up = said - {word.strip(":,") for word in words} - words
    assert len(made_up) < len(said) / 5  # those of no language only
