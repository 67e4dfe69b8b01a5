"""The violations that need no model: what a question says of itself (AMIGO, section 4.1)."""

import re
from collections.abc import Iterator, Sequence

from benchwright.records import Turn
from evaluation.hidden_target.detector.forbidden import Forbidden
from evaluation.hidden_target.detector.indices import names_a_picture
from evaluation.hidden_target.detector.plain_question import plain_question
from evaluation.hidden_target.detector.repeats import Repeats
from evaluation.hidden_target.feasible import is_answered, same_question
from evaluation.hidden_target.parts import Judged, Question, SkipReason
from evaluation.hidden_target.wording import forbidden
from evaluation.releases.galleries import Term

# "a peplum and a bow", of which the vocabulary may know neither
_SIDE_BY_SIDE = re.compile(
    r"\ban? (?:[\w'-]+ ){1,4}(?:and|as well as|along with|plus|together with|combined with) an? "
)
_OPEN = re.compile(
    r"\W{0,8}(?:(?:and|but|so|then|now|ok|okay|well)\b\W{1,4})?"
    r"(?:(?:what|how)\b(?! about\b)|(?:which|who|whose)\b"
    r"|(?:where|when|why) (?:is|are|was|were|do|does|did|has|have|can|would)\b)"
)


class RuleDetector:
    """Finds violations by rules alone, over one vocabulary; ``noun`` is what a picture shows.

    ``forbidden`` is what a player is told not to ask about.

    Of several reasons the first in this order is given: several questions, a picture named by its
    index, a forbidden attribute, a repeated one, a question that neither yes nor no answers,
    several attributes in one question.
    """

    name = "rules"

    def __init__(self, terms: Sequence[Term], noun: str) -> None:
        self.noun = noun
        self.forbidden = forbidden(terms, noun)
        self._forbidden = Forbidden(terms, noun)
        self._repeats = Repeats(terms)

    async def judge(
        self,
        question: Question,
        turns: Sequence[Turn],
        *,
        is_contradicted: bool,
    ) -> Judged:
        """Return whether a question is to be skipped, and why."""
        reason = self.reason(question, turns, is_contradicted=is_contradicted)
        return Judged(reason=reason, judged_by=self.name)

    def reason(
        self, question: Question, turns: Sequence[Turn], *, is_contradicted: bool
    ) -> SkipReason | None:
        """Return the reason to skip a question, null where there is none."""
        if question.count > 1:
            return "several_questions"
        if names_a_picture(question.text, self.noun):
            return "index"
        if is_contradicted and is_asked_again(question, turns):
            return None
        return next(self._found(question, turns), None)

    def _found(self, question: Question, turns: Sequence[Turn]) -> Iterator[SkipReason]:
        if self.touched_by(question) is not None:
            yield "forbidden"
        if self._repeats.is_repeat(question, turns):
            yield "repeated"
        if is_open(question):
            yield "open_question"
        if is_compound(question):
            yield "compound"

    def touched_by(self, question: Question) -> str | None:
        """Return the type or topic that makes a question a forbidden one."""
        return self._forbidden.touched_by(question)


def is_asked_again(question: Question, turns: Sequence[Turn]) -> bool:
    """Tell whether a question was answered before: allowed while the feasible set is empty."""
    return any(is_answered(turn) and same_question(turn, question) for turn in turns)


def is_open(question: Question) -> bool:
    """Tell whether neither yes nor no answers a question: what, which, how many."""
    return not question.asked and bool(_OPEN.match(plain_question(question.text)))


def is_compound(question: Question) -> bool:
    """Tell whether a question asks about several values, or puts two things side by side."""
    if len({(one.type, one.value) for one in question.asked}) > 1:
        return True
    return bool(_SIDE_BY_SIDE.search(plain_question(question.text)))
