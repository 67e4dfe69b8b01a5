"""When two texts of a chain say the same, and when one names the other."""

import re

from benchwright.asking.reading.folding import fold

_WORD = re.compile(r"\w+(?:'\w+)*")
ARTICLES = frozenset({"a", "an", "the"})

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of a text, whatever their case and the marks between them."""
    return tuple(_WORD.findall(fold(text, {})))


def named_words(text: str) -> Words:
    """Return the words by which a thing is named, without the article in front."""
    words = words_of(text)
    return words[1:] if words[:1] and words[0] in ARTICLES else words


def holds(words: Words, part: Words) -> bool:
    """Tell whether words hold others as they stand, one after the other; no words are nowhere."""
    ends = range(len(part), len(words) + 1)
    return bool(part) and any(words[end - len(part) : end] == part for end in ends)


def folded(text: str) -> str:
    """Return a text in one case with single blanks: options that agree in it are the same."""
    return " ".join(fold(text, {}).split())
