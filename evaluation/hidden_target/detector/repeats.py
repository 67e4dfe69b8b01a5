"""Questions about what was asked before (AMIGO, section 3.1, rule 5)."""

import re
from collections.abc import Sequence

from benchwright.records import Turn
from evaluation.hidden_target.detector.plain_question import plain_question
from evaluation.hidden_target.feasible import is_answered, same_question
from evaluation.hidden_target.parts import Question
from evaluation.releases.galleries import Term

# words that do not stand between an article and the noun that it belongs to
_APART = (
    r"(?:on|at|in|of|around|along|near|above|below|under|with|and|or|that|to|from|for|over|the)\b"
)


class Repeats:
    """Finds types that were asked about in an answered turn, over one vocabulary."""

    def __init__(self, terms: Sequence[Term]) -> None:
        names: dict[str, set[str]] = {}
        for term in terms:
            spoken = (term.value.type, *term.type_aliases)
            names.setdefault(term.value.type, set()).update(
                plain_question(name.replace("_", " ")) for name in spoken
            )
        self._named = {kind: _named(spoken) for kind, spoken in names.items()}

    def is_repeat(self, question: Question, turns: Sequence[Turn]) -> bool:
        """Tell whether a question repeats a type, or an earlier question, of an answered turn.

        Where the question could not be mapped, a type that it names as the thing itself counts:
        "a flared skirt" is a skirt, a ribbon on the skirt is none.
        """
        answered = [turn for turn in turns if is_answered(turn)]
        if any(same_question(turn, question) for turn in answered):
            return True
        before = {one.type for turn in answered for one in turn.asked}
        if question.asked:
            return any(one.type in before for one in question.asked)
        text = plain_question(question.text)
        return any(kind in self._named and self._named[kind].search(text) for kind in before)


def _named(spoken: set[str]) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(spoken) if name) or "(?!)"
    return re.compile(
        rf"\b(?:an?|any) (?:(?!{_APART})[\w'-]+ ){{1,4}}(?:{names})(?!\w)"
        rf"|\bthere (?:an? |any )?(?:{names})(?!\w)"
    )
