"""The tokenizer's merges, learnt from the captions: byte-pair encoding, as open_clip reads it."""

import gzip
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from benchwright import files

_WORD = re.compile(r"[^\W\d_]+")
_END = "</w>"

Merge = tuple[str, str]


def learn_merges(sentences: Iterable[str], most: int) -> list[Merge]:
    """Return at most so many merges, most frequent first, ties by spelling.

    Words count once each, however often they are said: the names of rare values deserve a token
    of their own as much as "a" does. It ends early when every word is one token.
    """
    words = sorted({word for text in sentences for word in _WORD.findall(text.lower())})
    spelt = [[*word[:-1], word[-1] + _END] for word in words]
    merges: list[Merge] = []
    while len(merges) < most:
        pairs = Counter(pair for word in spelt for pair in pairwise(word))
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        spelt = [_merged(word, best) for word in spelt]
    return merges


def _merged(word: list[str], pair: Merge) -> list[str]:
    joined: list[str] = []
    at = 0
    while at < len(word):
        if tuple(word[at : at + 2]) == pair:
            joined.append("".join(pair))
            at += 2
        else:
            joined.append(word[at])
            at += 1
    return joined


def write_merges(path: Path, merges: Iterable[Merge]) -> None:
    """Write the file that open_clip's tokenizer reads; the same merges give the same bytes."""
    lines = ["#version: benchwright small CLIP", *(" ".join(merge) for merge in merges)]
    # open_clip takes every line after the first for a merge, an empty one at the end too
    files.write_bytes(path, gzip.compress("\n".join(lines).encode(), mtime=0))
