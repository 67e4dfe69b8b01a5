"""Questions told by their words, not by a sign."""

import re

_VERB = (
    r"(?:is|are|was|were|does|do|did|has|have|can|could|would|will|should|might"
    r"|isn't|aren't|wasn't|doesn't|don't|didn't|hasn't|haven't|can't|wouldn't)"
)
_SUBJECT = (
    r"(?:the|it|its|your|you|this|that|there|they|these|those|my|a|an|any|one|he|she|we|i)(?![a-z])"
)
_START = r"[\s\"'*_`>(\[#-]{0,20}"
INVERTED = re.compile(rf"{_START}{_VERB} (?:not )?{_SUBJECT}")
_CLAUSE = re.compile(
    r"(?:[,:;—–]|(?<![a-z])(?:so|then|and|but))\s{1,4}[\"'*_`]{0,3}"
    rf"(?={_VERB} (?:not )?{_SUBJECT} [a-z])"  # with no more than that it is a tag
)
_INDIRECT = re.compile(
    r"(?<![a-z])(?:tell me|let me know|know|ask|learn|confirm|clarify|wonder(?:ing)?|check|specify"
    r"|say|question is) (?:you )?(?:whether|if)(?![a-z])"
)
_CHINESE = re.compile(r"[吗嗎么麼呢](?:\W{0,6}$)|是否|有没有|有沒有|是不是|有无|會不會|会不会")


def is_inverted(sentence: str) -> bool:
    """Tell whether a folded sentence begins as a yes/no question does: does it, is the."""
    return bool(INVERTED.match(sentence))


def is_indirect(sentence: str) -> bool:
    """Tell whether a folded sentence asks without being a question: tell me whether."""
    return bool(_INDIRECT.search(sentence))


def is_chinese(sentence: str) -> bool:
    """Tell whether a sentence asks in Chinese."""
    return bool(_CHINESE.search(sentence))


def clause_start(sentence: str) -> int:
    """Return where the question itself begins in a folded sentence that leads up to it."""
    if is_inverted(sentence):
        return 0
    found = _CLAUSE.search(sentence)
    return found.end() if found else 0
