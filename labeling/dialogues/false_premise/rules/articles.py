"""The article before a description whose first word has changed."""

import re

from labeling.dialogues.false_premise.rules.edits import words_of

_ARTICLE = re.compile(r"\b(an?)(\s+)\Z", re.IGNORECASE)
_SILENT = ("hour", "honest", "honour", "honor", "heir")  # begin with a letter that nobody hears
_CONSONANT = ("uni", "use", "usu", "eu", "ute", "one", "once", "ewe", "ukulele")
_VOWEL_AFTER_ALL = ("unid", "unim", "unin")  # unidentified, unimportant, uninterested


def takes_an(word: str) -> bool:
    """Tell whether a word begins with the sound of a vowel, as far as its letters say so."""
    letters = word.casefold()
    if letters.startswith(_SILENT) or letters.startswith(_VOWEL_AFTER_ALL):
        return True
    return letters[:1] in tuple("aeiou") and not letters.startswith(_CONSONANT)


def before_other_words(before: str, true: str, false: str) -> str:
    """Return what stands before a description, ending in the article that the false one takes.

    Where both begin with one word, or no a or an stands there, it is returned as it is.
    """
    old, new = words_of(true)[:1], words_of(false)[:1]
    if not old or not new or old == new:
        return before
    return _ARTICLE.sub(lambda match: _article(match.group(1), new[0]) + match.group(2), before)


def _article(article: str, word: str) -> str:
    wanted = "an" if takes_an(word) else "a"
    return wanted.capitalize() if article[0].isupper() else wanted
