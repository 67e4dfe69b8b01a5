"""The few-shot model that finds violations which no rule sees (AMIGO, section 4.1)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.asking.questions import Asks, ask_structured
from benchwright.asking.replies import Reply
from benchwright.run_records import Turn
from evaluation.hidden_target.detector.prompt import Verdict, verdict_request
from evaluation.hidden_target.detector.rules import RuleDetector, is_asked_again
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import PartFailed, Question, Skipped, SkipReason

logger = logging.getLogger(__name__)

PART = "detector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found against a question, by whose word; ``reason`` is null where nothing was.

    ``fault`` says what is wrong with an answer of the model that could not be read.
    """

    reason: SkipReason | None
    judged_by: str
    replies: tuple[Reply, ...] = ()
    fault: str | None = None


class ModelDetector:
    """Finds violations by the rules, then by a model that reads the questions and no picture.

    The model is asked about what the rules let pass. An answer that cannot be read, also one that
    was refused or that the server never takes, counts as nothing found: a skip needs a reason.
    ``unread`` counts them, and the first is logged. Raises PartFailed where the server gives no
    answer.
    """

    def __init__(self, rules: RuleDetector, asks: Asks) -> None:
        self._rules = rules
        self._asks = asks
        self.unread = 0

    @property
    def name(self) -> str:
        """The name of the voter."""
        return self._asks.voter.name

    async def judge(
        self,
        game: Game,  # noqa: ARG002  # it looks at no picture
        question: Question,
        turns: Sequence[Turn],
        *,
        is_contradicted: bool,
    ) -> Skipped | tuple[Reply, ...]:
        """Return why a question is skipped, or the reply that found nothing against it."""
        found = await self.found(question, turns, is_contradicted=is_contradicted)
        if found.fault is not None:
            self._note(found.fault)
        if found.reason is None:
            return found.replies
        return Skipped(reason=found.reason, judged_by=found.judged_by, replies=found.replies)

    async def found(
        self, question: Question, turns: Sequence[Turn], *, is_contradicted: bool
    ) -> Found:
        """Return what rules and model find; raises PartFailed where the server gives no answer."""
        reason = self._rules.reason(question, turns, is_contradicted=is_contradicted)
        if reason is not None or (is_contradicted and is_asked_again(question, turns)):
            return Found(reason=reason, judged_by=self._rules.name)
        request = verdict_request(
            question.text,
            turns,
            noun=self._rules.noun,
            forbidden=self._rules.forbidden,
            is_contradicted=is_contradicted,
        )
        filled = await ask_structured(self._asks, request, Verdict)
        read, reply = filled.structured, filled.reply
        if read.status == "failed":
            raise PartFailed(PART, reply)
        verdict = "valid" if read.value is None else read.value.verdict
        return Found(
            reason=None if verdict == "valid" else verdict,
            judged_by=self.name,
            replies=(reply,),
            fault=read.fault,
        )

    def _note(self, fault: str) -> None:
        self.unread += 1
        if self.unread == 1:  # a model that never keeps to the form would fill the screen
            logger.warning(
                "%s: a verdict cannot be read, so nothing was found (%s); others are counted alone",
                self.name,
                fault,
            )
