"""What every voter is: somebody who answers a question about what is shown."""

from dataclasses import dataclass
from typing import Protocol

from benchwright.asking.requests import PicturePart
from benchwright.records import Answer, VoteStatus
from labeling.attributes.voting.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownQuestion:
    """One template about one value, with what is shown of the subject in one view.

    ``text`` is the template with the subject's noun filled in; ``template`` its number among the
    value's templates, from 1, as text.
    """

    subject: Subject
    type: str
    value: str
    template: str
    text: str
    view: str
    pictures: tuple[PicturePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What a voter answered; the fields are those of a Vote."""

    answer: Answer | None
    status: VoteStatus
    p_yes: float | None = None
    answer_key: str | None = None


class Voting(Protocol):
    """One voter. ``at_once`` is how many questions it is worth having under way."""

    name: str
    at_once: int

    async def vote(self, questions: tuple[ShownQuestion, ...]) -> tuple[Ballot, ...]:
        """Return one ballot for each question; all are about one view of one subject.

        Raises BenchwrightError when the run cannot go on (the budget is spent, a server is gone).
        """
        ...
