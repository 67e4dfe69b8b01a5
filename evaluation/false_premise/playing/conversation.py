"""A dialogue as the messages of a chat: the user asks, the model that is measured answers."""

from collections.abc import Sequence

from benchwright.asking.requests import Message, PicturePart
from benchwright.records import PremiseTurn
from benchwright.store import digest_of

SILENCE = "(no answer)"  # stands for an empty answer: servers take no empty message


def conversation(
    picture: PicturePart, turns: Sequence[PremiseTurn], answers: Sequence[str]
) -> tuple[Message, ...]:
    """Return all that was said up to the question after ``answers`` (FPCO-Dialog, section 4.2).

    The picture stands in the first message alone. The questions are all that the user says:
    without any instruction nothing can hint at what is measured. What was said before never
    changes, so that a server finds the beginning of each request read.
    """
    first, *later = (turn.asked_question for turn in turns[: len(answers) + 1])
    messages = [Message(role="user", parts=(picture, first))]
    for answer, question in zip(answers, later, strict=True):
        messages += [
            Message(role="assistant", parts=(answer or SILENCE,)),
            Message(role="user", parts=(question,)),
        ]
    return tuple(messages)


def prompt_digest() -> str:
    """Return one sha256 of all that a model is told besides picture, questions and answers."""
    return digest_of(["picture, then the first question", SILENCE])
