"""A vision-language model behind a server as a voter."""

from typing import Literal

import pydantic

from benchwright.asking.questions import Asks, ask_structured, ask_yes_no, yes_no_request
from benchwright.asking.requests import PicturePart, Request
from labeling.attributes.voting.voter import Ballot, ShownQuestion

_TOKENS_OF_A_VALUE = 12  # of the JSON that answers one of several questions
_PARTS = "The pictures are overlapping parts of one picture, row by row from the top left."


class ModelVoter:
    """Asks one question a call, or several values of one view in one call as JSON."""

    def __init__(self, client: Asks) -> None:
        self._client = client
        self.name = client.voter.name
        self.at_once = client.voter.concurrency

    async def vote(self, questions: tuple[ShownQuestion, ...]) -> tuple[Ballot, ...]:
        """Return one ballot for each question; see ``Voting``."""
        if len(questions) == 1:
            return (await self._one(questions[0]),)
        return await self._several(questions)

    async def _one(self, question: ShownQuestion) -> Ballot:
        answered = await ask_yes_no(self._client, request_of(question))
        reading = answered.reading
        return Ballot(
            answer=reading.answer,
            status=reading.status,
            p_yes=reading.p_yes,
            answer_key=answered.reply.key,
        )

    async def _several(self, questions: tuple[ShownQuestion, ...]) -> tuple[Ballot, ...]:
        filled = await ask_structured(self._client, request_of_several(questions), Answers)
        structured, key = filled.structured, filled.reply.key
        if structured.value is None:
            silent = Ballot(answer=None, status=structured.status, answer_key=key)
            return (silent,) * len(questions)
        said = structured.value.answers
        return tuple(
            Ballot(answer=said[str(number)], status="ok", answer_key=key)
            if str(number) in said
            else Ballot(answer=None, status="unparsed", answer_key=key)
            for number in range(1, len(questions) + 1)
        )


class Answers(pydantic.BaseModel):
    """The JSON that answers several questions: by their numbers."""

    model_config = pydantic.ConfigDict(extra="forbid")
    answers: dict[str, Literal["yes", "no", "unsure"]]


def request_of(question: ShownQuestion) -> Request:
    """Return the request that puts one question."""
    return yes_no_request(*_shown(question.pictures), question.text)


def request_of_several(questions: tuple[ShownQuestion, ...]) -> Request:
    """Return the request that puts several questions about one view at once."""
    listed = "\n".join(f"{number}. {each.text}" for number, each in enumerate(questions, 1))
    text = (
        "Answer each question about the picture with yes, no or unsure, by its number"
        f' (such as "1": "yes"), judging each by itself:\n{listed}'
    )
    cap = _TOKENS_OF_A_VALUE * (len(questions) + 1)
    return Request.of(*_shown(questions[0].pictures), text, max_tokens=cap, temperature=0)


def _shown(pictures: tuple[PicturePart, ...]) -> tuple[str | PicturePart, ...]:
    return pictures if len(pictures) == 1 else (*pictures, f"{_PARTS}\n")
