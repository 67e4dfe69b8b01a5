"""Asking an ensemble by the Batch API: rounds of questions instead of one after the other."""

from collections.abc import Mapping, Sequence

from benchwright.asking.questions import Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.rounds import StoredAnswers, Unasked, by_rounds
from benchwright.asking.session import Session
from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace
from labeling.attributes.voting.plan import VotingPlan
from labeling.attributes.voting.poll import Poll
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.voter import Voting


async def answer_by_batches(
    opened: Session,
    subjects: Sequence[Subject],
    plan: VotingPlan,
    voters: Mapping[str, Voting],
    workspace: Workspace,
) -> list[str]:
    """Fill the store with what the votes on all subjects need; return lines for the user.

    ``voters`` are made over ``stored_answers``: they raise Unasked where an answer is missing.
    Each round sends for every open value as many questions as settle it when they agree.

    Raises what ``by_rounds`` raises.
    """

    async def settle(subject: Subject, _: Mapping[str, StoredAnswers]) -> None:
        poll = Poll(subject, plan)
        while groups := poll.soonest():
            wanted: list[tuple[str, Request]] = []
            for group in groups:
                voter = voters[plan.questions[group[0]].voter]
                try:
                    poll.record(group, await voter.vote(poll.shown(group)))
                except Unasked as unasked:
                    wanted += unasked.wanted
            if wanted:
                raise Unasked(*wanted)

    _, outcomes = await by_rounds(opened, subjects, settle, folder=workspace.batches)
    stopped = [one.stopped for one in outcomes if one.stopped]
    return [*(note for one in outcomes for note in one.notes), *stopped[-1:]]


class StoredOrFailed:
    """Takes the place of a client after the batches: what has no answer by now has failed."""

    def __init__(self, asks: Asks, opened: Session) -> None:
        self.voter: Voter = asks.voter
        self._opened = opened

    async def ask(self, request: Request) -> Reply:
        """Return the stored final reply, else one that failed."""
        stored = self._opened.stored(request, self.voter)
        if stored is not None:
            return stored
        key = key_of(description(request, self.voter))
        return Reply(key=key, status="failed", error="no batch brought an answer")
