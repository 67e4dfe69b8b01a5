"""Byte-pair merges: as open_clip's tokenizer applies them, by hand."""

import gzip
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.attributes.train_small_clip.merges import Merge, learn_merges, write_merges


def spelt(word: str, merges: list[Merge]) -> list[str]:
    """Return a word's tokens: of all pairs the one learnt first is merged, until none is known."""
    ranks = {merge: rank for rank, merge in enumerate(merges)}
    tokens = [*word[:-1], word[-1] + "</w>"]
    while True:
        known = [(ranks[pair], at) for at, pair in enumerate(pairwise(tokens)) if pair in ranks]
        if not known:
            return tokens
        rank, _ = min(known)
        first, second = merges[rank]
        at = next(at for found, at in known if found == rank)
        tokens[at : at + 2] = [first + second]


@pytest.mark.parametrize(
    ("sentences", "most", "merges"),
    [
        # the most frequent pair of different words first, ties by spelling
        (["aab aac"], 1, [("a", "a")]),
        # a word counts once, however often it is said
        (["ab ab ab cd ce"], 1, [("a", "b</w>")]),
        # it ends when every word is one token
        (["ab"], 50, [("a", "b</w>")]),
        # case is no difference, punctuation and digits are no part of words
        (["AB, ab! 12"], 50, [("a", "b</w>")]),
        ([], 50, []),
    ],
)
def test_merges_by_hand(sentences: list[str], most: int, merges: list[Merge]) -> None:
    assert learn_merges(sentences, most) == merges


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=8))
def test_with_merges_enough_every_word_is_one_token(words: list[str]) -> None:
    merges = learn_merges([" ".join(words)], 1_000)
    assert [spelt(word, merges) for word in words] == [[word + "</w>"] for word in words]
    assert merges == learn_merges(reversed(words), 1_000)  # whatever their order


def test_the_file_is_the_same_bytes_and_ends_with_the_last_merge(tmp_path: Path) -> None:
    merges = learn_merges(["a dress with a neck"], 50)
    one, other = tmp_path / "one.gz", tmp_path / "other.gz"
    write_merges(one, merges)
    write_merges(other, merges)
    assert one.read_bytes() == other.read_bytes()
    lines = gzip.decompress(one.read_bytes()).decode().split("\n")
    assert [tuple(line.split()) for line in lines[1:]] == merges
