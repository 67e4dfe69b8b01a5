"""Scripted judges of a game: a detector of violations, an oracle that zooms, a verifier.

They know the plain questions of ``question_about`` and the labels of the table, and are right.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping

from benchwright.knowledge import NO, YES, Value
from stand_ins.models import Answer, Question, Turn
from stand_ins.models.tool_calls import tool_call
from stand_ins.players.cast import SLY, question_about
from stand_ins.players.table import Table

Judge = Callable[[Question, Table], Turn]

_ANSWERED = re.compile(r"^- (\".*\") (?:yes|no|unsure)$", re.MULTILINE)
_NEW = re.compile(r"^New question: (\".*\")$", re.MULTILINE)
_UPPER_HALF = {"left": 0, "top": 0, "right": 1000, "bottom": 500}


def onlooker(question: Question, table: Table) -> Turn:
    """Answer a question about the first picture by its labels."""
    answer = _label(_first_text(question), question, table)
    return Turn(text=f"{answer.capitalize()}.", answer=answer)


def zooming(question: Question, table: Table) -> Turn:
    """Look at the upper half first where there are tools, then answer by the labels."""
    has_looked = any(message["role"] == "tool" for message in question.messages)
    if question.parameters.get("tools") and not has_looked:
        return Turn(
            text=None, finish_reason="tool_calls", tool_calls=(tool_call("zoom", _UPPER_HALF),)
        )
    return onlooker(question, table)


def detector(question: Question, table: Table) -> Turn:
    """Find what a sly player asks for, and types that were asked about before."""
    new = _NEW.search(question.text)
    assert new is not None, question.text
    asked = json.loads(new[1])
    types = {
        value.type
        for text in _ANSWERED.findall(question.text)
        if (value := _value(json.loads(text), table)) is not None
    }
    value = _value(asked, table)
    verdict = "valid"
    if asked in SLY or (value is not None and not value.askable):
        verdict = "forbidden"
    elif value is not None and value.type in types:
        verdict = "repeated"
    said = {"attribute": "something else" if value is None else value.type, "verdict": verdict}
    return Turn(text=json.dumps(said), data=said)


JUDGES: Mapping[str, Judge] = {"detector": detector, "oracle": zooming, "verifier": onlooker}


def _label(text: str, question: Question, table: Table) -> Answer:
    value = next((value for value in table.values if question_about(value) in text), None)
    if value is None:
        return "unsure"
    picture = hashlib.sha256(question.pictures[0].data).hexdigest()
    known = int(table.answers[picture][table.values.index(value)])
    return "yes" if known == YES else "no" if known == NO else "unsure"


def _value(asked: str, table: Table) -> Value | None:
    return next((value for value in table.values if question_about(value) == asked), None)


def _first_text(question: Question) -> str:
    content = question.messages[0]["content"]
    return "\n".join(part["text"] for part in content if part["type"] == "text")
