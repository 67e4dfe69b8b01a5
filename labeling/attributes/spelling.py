"""When two spellings are the same word, and when they only look alike."""

import re
import unicodedata

from rapidfuzz.distance import OSA, JaroWinkler

_SEPARATORS = re.compile(r"[\s\-_/'’.]+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s\-_/.]+(?=\d)")


def fold(text: str) -> str:
    """Return the key under which spellings that differ by case, hyphen or blank are one.

    Separators between two digits stay, so that 3/4 is not 34.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    kept = _BETWEEN_DIGITS.sub("\0", plain)
    return _SEPARATORS.sub("", kept).replace("\0", "/")


def tidy(text: str) -> str:
    """Return the spelling to show: lower case, single blanks, hyphens as they are."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())


def similarity(one: str, other: str) -> float:
    """Return how alike two folded words are spelt, 0 to 1.

    One minus the share of letters that are missing, added, changed or swapped. A word that
    begins the other is not alike: "halter" and "halter neck" differ in words, not in spelling.
    """
    if one.startswith(other) or other.startswith(one):
        return float(one == other)
    return OSA.normalized_similarity(one, other)


def garbled(one: str, other: str) -> float:
    """Return a similarity that forgives a garbled end (Jaro-Winkler), 0 to 1."""
    if min(len(one), len(other)) < 6 or one.startswith(other) or other.startswith(one):
        return similarity(one, other)
    return max(similarity(one, other), JaroWinkler.similarity(one, other) - 0.08)
