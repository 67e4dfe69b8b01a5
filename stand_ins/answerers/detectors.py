"""Scripted detectors: they know the corrections of scripted answerers, and err as they are told."""

import json
import re
from collections.abc import Callable, Mapping

from stand_ins.answerers.cast import corrects
from stand_ins.models import Question, Turn
from stand_ins.models.chance import share

RATE = 0.2  # of its verdicts that ``careless`` gives wrong
_ANSWER = re.compile(r'^Answer: (".*")$', re.MULTILINE)
_ASKED = re.compile(r'^As asked: (".*")$', re.MULTILINE)

Detector = Callable[[Question], Turn]


def errs(asked: str, answer: str) -> bool:
    """Tell whether ``careless`` errs about an answer to a question."""
    return share(0, "careless", asked, answer) < RATE


def keen(question: Question) -> Turn:
    """Be right."""
    return _said(corrects(_read(_ANSWER, question)))


def careless(question: Question) -> Turn:
    """Be wrong now and then, always about the same answers."""
    asked, answer = _read(_ASKED, question), _read(_ANSWER, question)
    return _said(corrects(answer) != errs(asked, answer))


def chatty(question: Question) -> Turn:
    """Be right, in a fence with talk round it."""
    said = keen(question)
    return Turn(text=f"Let me see.\n```json\n{said.text}\n```\nI hope that helps!", data=said.data)


def mumbling(question: Question) -> Turn:
    """Say nothing that fits the form about corrections, and be right about the rest."""
    if not corrects(_read(_ANSWER, question)):
        return keen(question)
    return Turn(text="It might be one, in a way.", data={"correction": "perhaps"})


DETECTORS: Mapping[str, Detector] = {
    "keen": keen,
    "careless": careless,
    "chatty": chatty,
    "mumbling": mumbling,
}


def _said(is_correction: bool) -> Turn:
    data = {"correction": is_correction}
    return Turn(text=json.dumps(data), data=data)


def _read(pattern: re.Pattern[str], question: Question) -> str:
    """Return what a detector is shown; a demand to mend the form holds it further up."""
    said = "\n".join(
        message["content"]
        for message in question.messages
        if message["role"] == "user" and isinstance(message["content"], str)
    )
    found = pattern.search(said)
    assert found is not None, said
    return str(json.loads(found[1]))
