"""One form for the forms of an English word: ruffles, ruffled, ruffling are ruffle."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from evaluation.hidden_target.mapping.english import english

_OUR = re.compile(
    r"(?:(?<=col)|(?<=vap)|(?<=arm)|(?<=fav)|(?<=hon)|(?<=flav)|(?<=harb)|(?<=parl)|(?<=neighb))our"
)
_ISE = re.compile(r"(?<=[a-z]{4})is(?=e[sd]?$|ing$)")
_RE = re.compile(
    r"(?:(?<=cent)|(?<=fib)|(?<=met)|(?<=lit)|(?<=theat)|(?<=lust)|(?<=calib))re(?=s?$)"
)
_VOWEL = re.compile(r"[aeiouy]")
_SHORT = re.compile(
    r"[^aeiou]*[aeiou][bcdfgklmnprstvz]$"
)  # one syllable: its e was cut off: strip-ed
_SILENT_E = re.compile(r"[^aeiou]*[aeiou][b-df-hj-np-tvz]e$")  # cape is not cap


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Return the form that stands for a folded word and all its inflections.

    Plurals, -ed and -ing are cut off as English spelling has them (zipped is zip, striped is
    stripe, so strip and stripe stay two words); American spelling stands for British.
    """
    word = _without_accents(word)
    spellings = english().spellings
    word = spellings.get(word, word)
    word = _OUR.sub("or", word)
    word = _ISE.sub("iz", word)
    word = _RE.sub("er", word)
    word = _singular(word)
    word = spellings.get(word, word)
    return _without_e(_base(word))


def joined(stems: Sequence[str]) -> str:
    """Return one word for several stems, so that neck line and neckline are one."""
    return "".join(stems) if len(stems) == 1 else "".join(stems).removesuffix("e")


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFKD", word)
    return unicodedata.normalize(
        "NFC", "".join(filter(lambda c: not unicodedata.combining(c), parts))
    )


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def _base(word: str) -> str:
    """Return a word without -ed or -ing."""
    for ending in ("ed", "ing"):
        base = word.removesuffix(ending)
        if base == word or len(base) < 3 or not _VOWEL.search(base) or base.endswith("e"):
            continue
        if base[-1] == base[-2] and base[-1] in "bdgkmnprt":
            return base[:-1]
        if base.endswith("ll") and len(base) > 5:  # panelled, not filled
            return base[:-1]
        return base + "e" if _SHORT.match(base) else base
    return word


def _without_e(word: str) -> str:
    """Return a word without its last e, where no other word is left: fringe, not cape."""
    if len(word) < 4 or not word.endswith("e") or _SILENT_E.match(word):
        return word
    return word[:-1]
