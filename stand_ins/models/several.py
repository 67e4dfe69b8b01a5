"""A brain for requests that put several numbered questions at once."""

import json
import re
from collections.abc import Collection
from dataclasses import replace

from stand_ins.models.question import Question, Turn
from stand_ins.models.script import Script
from stand_ins.models.yes_no import YesNo

_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)


class Several:
    """A brain that answers numbered questions in JSON, each as the yes/no brain would.

    ``leave_out`` are numbers that it forgets.
    """

    def __init__(self, script: Script, leave_out: Collection[int] = ()) -> None:
        self._one, self._leave_out = YesNo(script), leave_out

    def __call__(self, question: Question) -> Turn:
        """Return the answers to all that is asked."""
        asked = _NUMBERED.findall(question.text)
        if not asked:
            return self._one(question)
        said = {
            number: self._one(replace(question, text=text)).answer or "unsure"
            for number, text in asked
            if int(number) not in self._leave_out
        }
        answers = {"answers": said}
        return Turn(text=json.dumps(answers), data=answers)
