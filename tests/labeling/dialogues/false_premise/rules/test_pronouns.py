"""Pronouns after an edit of identity."""

from typing import Any

import pytest

from labeling.dialogues.false_premise.rules.pronouns import repaired

CASES = [
    # he to she, in each form
    ("Is he tall?", "he", "she", "Is she tall?"),
    ("What is next to him?", "he", "she", "What is next to her?"),
    ("What is in his hand?", "he", "she", "What is in her hand?"),
    ("Is the bag his?", "he", "she", "Is the bag hers?"),
    ("Does he see himself?", "he", "she", "Does she see herself?"),
    # her is whose or whom, by what stands after it
    ("Is her hat red?", "she", "he", "Is his hat red?"),
    ("Who stands by her?", "she", "he", "Who stands by him?"),
    ("Who looks at her and smiles?", "she", "he", "Who looks at him and smiles?"),
    ("Who gave her the ball?", "she", "he", "Who gave him the ball?"),
    ("Who stands by her, waiting?", "she", "he", "Who stands by him, waiting?"),
    ("Is the left hand of hers open?", "she", "he", "Is the left hand of his open?"),
    # capitals stay, and what hangs on a pronoun
    ("Her hat, is it red?", "she", "he", "His hat, is it red?"),
    ("Do you think he's tired?", "he", "she", "Do you think she's tired?"),
    ("Do you think he’s tired?", "he", "she", "Do you think she’s tired?"),
    # it, as who or whom
    ("What is it doing?", "it", "he", "What is he doing?"),
    ("Who sits on it?", "it", "she", "Who sits on her?"),
    ("Is its tail long?", "it", "he", "Is his tail long?"),
    ("Would you say that it is old?", "it", "she", "Would you say that she is old?"),
    ("Is he old?", "he", "it", "Is it old?"),
    ("What is near him?", "he", "it", "What is near it?"),
    ("Does her hair shine?", "she", "it", "Does its hair shine?"),
    # nothing is meant by it
    ("Does it look like rain?", "it", "he", "Does it look like rain?"),
    ("Is it likely to fall?", "it", "he", "Is it likely to fall?"),
    # they fits whoever is one person
    ("What is in their hand?", "he", "she", "What is in their hand?"),
    ("What is in his hand?", "he", "they", "What is in his hand?"),
    ("What is in their hand?", "they", "he", "What is in their hand?"),
    ("What is in her hand?", "they", "he", "What is in his hand?"),
    # but no thing; the verb is left alone, and so is what would have to agree with it
    ("Are their wheels dirty?", "they", "it", "Are its wheels dirty?"),
    ("Are they old?", "they", "it", "Are they old?"),
    ("Is it old?", "it", "they", "Is it old?"),
    ("Is its coat wet?", "it", "they", "Is their coat wet?"),
    # others are not touched
    ("Is she near him?", "he", "it", "Is she near it?"),
    ("Does the shepherd hold this?", "he", "she", "Does the shepherd hold this?"),
    ("", "he", "she", ""),
]


@pytest.mark.parametrize(("text", "true", "false", "wanted"), CASES)
def test_repaired(text: str, true: Any, false: Any, wanted: str) -> None:
    assert repaired(text, true, false) == wanted


@pytest.mark.parametrize(("text", "true", "false", "wanted"), CASES[:10])
def test_there_and_back(text: str, true: Any, false: Any, wanted: str) -> None:
    assert repaired(wanted, false, true) == text
