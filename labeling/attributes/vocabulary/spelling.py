"""When two spellings are the same word, and when they only look alike."""

import re
import unicodedata

from rapidfuzz.distance import OSA, JaroWinkler

_SEPARATORS = re.compile(r"(?<=\d)([\s\-_/⁄.]+)(?=\d)|[\s\-_/⁄'’.]+")


def fold(text: str) -> str:
    """Return the key under which spellings that differ by case, hyphen or blank are one.

    Separators between two digits stay, so that 3/4 is not 34.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    joined = _SEPARATORS.sub(lambda found: "/" if found[1] else "", plain)
    return unicodedata.normalize("NFKC", joined)  # folding the case can take a letter apart


def tidy(text: str) -> str:
    """Return the spelling to show: lower case, single blanks, hyphens as they are."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())


def similarity(one: str, other: str) -> float:
    """Return how alike two folded words are spelt, 0 to 1.

    One minus the share of letters that are missing, added, changed or swapped. A word to which
    the other adds two letters or more is not alike: "halter" and "halter neck" differ in words.
    """
    if _begins(one, other):
        return 0.0
    return OSA.normalized_similarity(one, other)


def garbled(one: str, other: str) -> float:
    """Return a similarity that forgives a garbled end (Jaro-Winkler), 0 to 1."""
    if min(len(one), len(other)) < 6 or _begins(one, other):
        return similarity(one, other)
    return max(similarity(one, other), JaroWinkler.similarity(one, other) - 0.08)


def _begins(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and len(longer) - len(shorter) > 1
