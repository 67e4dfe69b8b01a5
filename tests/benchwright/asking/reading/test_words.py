"""words.yaml holds what the reading relies on."""

import re
from importlib import resources

import yaml

from benchwright.asking.reading.words import folded, is_answer_key, is_doubt_key, words

FILE = resources.files("benchwright.asking.reading").joinpath("words.yaml")
SAID = yaml.load(FILE.read_text("utf-8"), yaml.BaseLoader)


def test_phrases_repeat_nothing_without_a_bound() -> None:
    names = ("unsure_phrases", "declined_phrases", "blind_phrases", "unconditional", "open_no")
    phrases = [*(SAID[name] for name in names), list(SAID["spoken_of"].values())]
    assert sum(map(len, phrases)) > 30
    assert [
        one for some in phrases for one in some if re.search(r"(?<!\\)[*+]|\{\d*,\}", one)
    ] == []


def test_no_word_stands_for_two_answers() -> None:
    plain = {
        answer: set(SAID[answer]["leads"] + SAID[answer]["answers"] + SAID["alone"].get(answer, []))
        for answer in ("yes", "no", "unsure")
    }
    assert not plain["yes"] & plain["no"]
    assert not plain["yes"] & plain["unsure"]
    assert not plain["no"] & plain["unsure"]


def test_words_are_spelled_as_answers_are_folded() -> None:
    assert {word for word in words().texts if folded(word) != word} == set()


def test_keys() -> None:
    keys = ["final_answer", "Final Answer", "finalAnswer", "答案", "confidence", "has_collar"]
    assert [is_answer_key(key) for key in keys] == [True, True, True, True, False, None]
    denying = ["not_visible", "noZip", "non-stretch", "zip missing", "isn't long", "没有拉链"]
    assert [is_answer_key(key) for key in denying] == [False] * len(denying)
    whole = ["notched", "nobility", "是否有拉链", "yes_or_no"]
    assert [is_answer_key(key) for key in whole] == [None] * len(whole)


def test_keys_of_doubt() -> None:
    keys = ["unclear", "is_unclear", "isUncertain", "cannot determine", "unclean", "answer"]
    assert [is_doubt_key(key) for key in keys] == [True, True, True, True, False, False]
