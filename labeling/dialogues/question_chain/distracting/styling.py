"""Writing a distractor as the true option is written: its first letter, its end, its form."""

from functools import lru_cache
from typing import Literal

from labeling.dialogues.question_chain.rules.wording import words_of

Form = Literal["open", "closed", "imperative"]

_ENDS = ".?! "  # French puts a blank before its question mark
_QUESTION_WORDS = "what which who whom whose where when why how"
_VERBS = (
    "is are was were do does did can could has have had will would should must may might isn't"
    " aren't doesn't don't"
)
_OPENS, _CLOSES = frozenset(_QUESTION_WORDS.split()), frozenset(_VERBS.split())


@lru_cache(maxsize=4096)  # of each subset of the same distractors
def form_of(question: str) -> Form:
    """Return how a question is put.

    ``open`` has a question word among its first three words (in which, from what), ``closed``
    begins with a verb and is answered yes or no, ``imperative`` is anything else (name the ...).
    """
    words = words_of(question)
    if words[:1] and words[0] in _CLOSES:
        return "closed"
    return "open" if _OPENS & set(words[:3]) else "imperative"


def styled(text: str, true: str) -> str:
    """Return a text with the first letter and the end of the true one.

    The full stop, question mark or exclamation mark at the end is that of the true text, or none.
    The first letter is made large where that of the true text is, and small where the true text
    has no large letter at all and the first word has no further one: where one has, names may be
    about, which keep theirs.
    """
    bare = text.rstrip(_ENDS)
    if not bare:
        return text
    end = true[len(true.rstrip(_ENDS)) :]
    return _first(bare, true) + end


def _first(text: str, true: str) -> str:
    first = text.partition(" ")[0]
    if true[:1].isupper() and first.islower():
        return text[:1].upper() + text[1:]
    if true.islower() and first.istitle() and first != "I":
        return text[:1].lower() + text[1:]
    return text
