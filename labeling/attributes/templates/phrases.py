"""As much English grammar as questions need: articles, plurals, adjectives."""

import re
import unicodedata
from collections.abc import Iterable

from labeling.attributes.vocabulary.spelling import fold

_LETTER_SOUNDS = frozenset("aefhilmnorsx")  # letters whose names begin with a vowel: an o-neck
_LIKE_A_CONSONANT = re.compile(r"one|once|eu|ewe|u(?=ni[^mn]|s[aeiu]|til|ku)")
_SILENT_H = re.compile(r"hour|hono|heir|honest")
_NUMBER_IN_AN = re.compile(r"8|1[18](?!\d)")
_DETERMINED = re.compile(r"(?:an?|the|his|her|its|some|any|one|two)\s", re.IGNORECASE)
_SINGULAR_S = ("ss", "us", "is", "as", "os")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, in lower case, without what separates them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(re.findall(r"[^\W_]+", plain))


def holds_one_of(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text holds one of the names as whole words; the last may end a longer word.

    A turtleneck holds a neck.
    """
    words = words_of(text)
    for name in names:
        wanted = words_of(name)
        spans = range(len(words) - len(wanted) + 1)
        if wanted and any(words[at : at + len(wanted)] == wanted for at in spans):
            return True
        if len(wanted) == 1 and len(wanted[0]) > 3 and words and words[-1].endswith(wanted[0]):
            return True
    return False


def is_plural(phrase: str) -> bool:
    """Tell whether a noun phrase looks plural by its last word."""
    words = words_of(phrase)
    if not words:
        return False
    last = words[-1]
    return len(last) > 3 and last.endswith("s") and not last.endswith(_SINGULAR_S)


def is_adjective(phrase: str, known: frozenset[str]) -> bool:
    """Tell whether a phrase looks like an adjective: a known one, or by the end of its last word.

    ``known`` are folded.
    """
    words = words_of(phrase)
    if not words:
        return False
    return fold(phrase) in known or words[-1] in known or bool(_ADJECTIVE.search(words[-1]))


_ADJECTIVE = re.compile(
    r"...(?:less|ful|ous|able|ible|proof|ish|ient|[^aeiou]ic|[^e]ed)$|"
    r"(?:lined|sequined|checked|pleated|beaded|fitted|coloured|colored)$"
)


def with_article(phrase: str, uncountable: frozenset[str]) -> str:
    """Return a noun phrase with a or an, or without where it is plural or cannot be counted.

    ``uncountable`` are folded; the last word decides.
    """
    words = words_of(phrase)
    if not words or is_plural(phrase) or _DETERMINED.match(phrase):
        return phrase
    if fold(phrase) in uncountable or words[-1] in uncountable:
        return phrase
    return f"{_article(words[0])} {phrase}"


def _article(word: str) -> str:
    if len(word) == 1 and word.isalpha():
        return "an" if word in _LETTER_SOUNDS else "a"
    if _NUMBER_IN_AN.match(word) or _SILENT_H.match(word):
        return "an"
    if _LIKE_A_CONSONANT.match(word):
        return "a"
    return "an" if word[0] in "aeiou" else "a"
