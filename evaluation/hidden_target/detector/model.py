"""The few-shot model that finds violations which no rule sees (AMIGO, section 4.1)."""

import logging
from collections.abc import Sequence

from benchwright.asking.questions import Asks, ask_structured
from benchwright.records import Turn
from evaluation.hidden_target.detector.prompt import Verdict, verdict_request
from evaluation.hidden_target.detector.rules import RuleDetector, is_asked_again
from evaluation.hidden_target.parts import Judged, PartFailed, Question

logger = logging.getLogger(__name__)

PART = "detector"


class ModelDetector:
    """Finds violations by the rules, then by a model that reads the questions and no picture.

    The model is asked about what the rules let pass. An answer that cannot be read, also one that
    was refused or that the server never takes, counts as nothing found: a skip needs a reason.
    The first is logged. Raises PartFailed where the server gives no answer.
    """

    def __init__(self, rules: RuleDetector, asks: Asks) -> None:
        self._rules = rules
        self._asks = asks
        self._has_told = False

    @property
    def name(self) -> str:
        """The name of the voter."""
        return self._asks.voter.name

    async def judge(
        self,
        question: Question,
        turns: Sequence[Turn],
        *,
        is_contradicted: bool,
    ) -> Judged:
        """Return what rules and model find; raises PartFailed where the server gives no answer."""
        found = await self._rules.judge(question, turns, is_contradicted=is_contradicted)
        if found.reason is not None or (is_contradicted and is_asked_again(question, turns)):
            return found
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
        if read.fault is not None:
            self._note(read.fault)
        return Judged(
            reason=None if verdict == "valid" else verdict,
            judged_by=self.name,
            replies=(reply,),
            unread=read.fault,
        )

    def _note(self, fault: str) -> None:
        if not self._has_told:  # a model that never keeps to the form would fill the screen
            self._has_told = True
            logger.warning(
                "%s: a verdict cannot be read, so nothing was found (%s); others are counted alone",
                self.name,
                fault,
            )
