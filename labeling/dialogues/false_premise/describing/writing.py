"""What a model is asked to write of a target, and what is wrong with what it wrote."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Annotated

import pydantic

from benchwright.asking.jobs import Job
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.voters import Voter
from benchwright.plain_text import excerpt
from labeling.dialogues.false_premise.describing.description_rules import (
    FEWEST_WORDS,
    MOST_WORDS,
    description_faults,
)
from labeling.dialogues.false_premise.describing.question_rules import (
    fewest_open,
    question_faults,
)
from labeling.dialogues.false_premise.describing.spelling import tidied
from labeling.dialogues.false_premise.describing.targets import Target
from labeling.dialogues.false_premise.rules.checks import MOST_CHARACTERS

_TOKENS = 200  # of an answer, beside those of each question
_TOKENS_OF_A_QUESTION = 80
_FAULTS_NAMED = 6
_EXAMPLES = (
    "the black bicycle against the brick wall",
    "the child in the striped shirt at the table",
)

_Description = Annotated[str, pydantic.Field(min_length=1, max_length=MOST_CHARACTERS)]
_Question = Annotated[str, pydantic.Field(max_length=1_000)]


class Writing(pydantic.BaseModel):
    """The description of the target, and the questions that hold it."""

    model_config = pydantic.ConfigDict(extra="forbid")

    description: _Description
    questions: Annotated[list[_Question], pydantic.Field(max_length=200)]

    def tidied(self) -> "Writing":
        """Return the same with single blanks between words."""
        said = {
            "description": tidied(self.description),
            "questions": list(map(tidied, self.questions)),
        }
        return self.model_copy(update=said)  # unchecked: of blanks alone nothing is left


def writing_job(target: Target, voter: Voter, turns: int) -> Job[Writing]:
    """Return the job that describes a target and asks ``turns`` questions about it."""
    return Job(
        name=target.name,
        voter=voter.name,
        form=Writing,
        request=partial(_request, target.picture, target.label, turns),
        fault=partial(writing_fault, target.label, turns),
        sizes=(target.size,),
    )


def writing_fault(label: str, turns: int, written: Writing) -> str | None:
    """Return in one line what rules a text breaks, null where it keeps them all."""
    tidy = written.tidied()
    found = [
        *description_faults(tidy.description, label),
        *question_faults(tidy.questions, tidy.description, turns),
    ]
    more = len(found) - _FAULTS_NAMED
    named = found[:_FAULTS_NAMED] + ([f"and {more} more"] if more > 0 else [])
    return "; ".join(named) or None


def _request(picture: PicturePart, label: str, turns: int, faults: Sequence[str]) -> Request:
    text = (
        "Write about one thing in the picture: the one in the red frame, called the target here."
        f" A catalog files it under {json.dumps(excerpt(label, 60), ensure_ascii=False)}. The frame"
        " was drawn on the picture afterwards; whoever reads you sees the picture without it, so"
        " say nothing of it.\n\n"
        "First write a description by which a reader finds the target in the picture and takes"
        " nothing else for it.\n"
        f'- It is one phrase of {FEWEST_WORDS} to {MOST_WORDS} words that begins with "the", in'
        " small letters, without commas or other marks.\n"
        "- It says three things and no more: what the target is, by one plain word (woman, bus,"
        " dog, sandwich); one property that is plain to see, such as a colour, a material, a"
        " pattern, a posture or a garment; and where the whole target is, in the picture or next"
        f" to something else. Such phrases are: {'; '.join(_EXAMPLES)}.\n"
        "- All of it can be checked by looking. There is no opinion, no guess, no name of a person"
        " or a brand, and no he, she, it or their.\n\n"
        f"Then write {turns} questions about the target.\n"
        "- Each holds the description once, complete and word for word, as in: What lies in front"
        f" of {_EXAMPLES[1]}? Where it begins the question, it begins with a capital.\n"
        "- Each can be answered by looking at the picture, and asks for something else: what the"
        " target does, how it is turned, what state it is in, what of it is hidden, what is close"
        " to it, what part it plays in the scene.\n"
        f"- At least {fewest_open(turns)} of them cannot be answered by yes or no: they ask what,"
        " where, which, how or why.\n"
        "- Beside the description a question neither repeats a word of it nor names the target in"
        " another way; pronouns may stand for it. It neither says nor asks again what the"
        " description tells.\n"
        "- Each is a single sentence in everyday English with a question mark at its end."
        f"{_again(faults)}"
    )
    cap = _TOKENS + _TOKENS_OF_A_QUESTION * turns
    return Request.of(picture, text, max_tokens=cap, temperature=1)


def _again(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    listed = "".join(f"\n- {fault}" for fault in dict.fromkeys(faults))
    return (
        "\n\nYou wrote this before, and it was not taken. Write description and questions anew,"
        f" without these faults:{listed}"
    )
