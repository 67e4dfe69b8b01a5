"""Votes that were recorded before, as a voter: what another run, or another tool, was answered."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.records import SCHEMAS, Answer, Vote, VoteStatus
from benchwright.rows import from_table
from labeling.attributes.voting.ensemble import ReplayVoter
from labeling.attributes.voting.voter import Ballot, ShownQuestion

_STATUSES: tuple[str, ...] = get_args(VoteStatus)
_ANSWERS: dict[bool, tuple[str | None, ...]] = {True: get_args(Answer), False: (None,)}  # is it ok
_Key = tuple[str, str | None, str, str, str, str]


class Replayed:
    """Answers from a file of votes; what does not stand there has not been asked."""

    def __init__(self, settings: ReplayVoter) -> None:
        """Read the votes; raise SourceError when the file holds none of this voter."""
        self.name = settings.name
        self.at_once = 64
        self._ballots = _read(settings.votes, settings.voter or settings.name)

    async def vote(self, questions: tuple[ShownQuestion, ...]) -> tuple[Ballot, ...]:
        """Return one ballot for each question; see ``Voting``."""
        missing = Ballot(answer=None, status="failed")
        return tuple(self._ballots.get(_key(question), missing) for question in questions)


def _key(question: ShownQuestion) -> _Key:
    subject = question.subject
    return (
        subject.image_id,
        subject.object_id,
        question.type,
        question.value,
        question.template,
        question.view,
    )


def _read(path: Path, voter: str) -> dict[_Key, Ballot]:
    ballots: dict[_Key, Ballot] = {}
    names: set[str] = set()
    for vote in _votes(path):
        names.add(vote.voter)
        if vote.voter != voter:
            continue
        key = (vote.image_id, vote.object_id, vote.type, vote.value, vote.template, vote.view)
        ballot = Ballot(
            answer=vote.answer, status=vote.status, p_yes=vote.p_yes, answer_key=vote.answer_key
        )
        if ballots.setdefault(key, ballot) != ballot:
            raise SourceError(
                f"{path}: holds two unlike votes of {voter!r} on"
                f" {excerpt(f'{vote.image_id} {vote.type}: {vote.value}')}, template"
                f" {excerpt(vote.template)}, view {excerpt(vote.view)}; keep one of the two"
            )
    if not ballots:
        raise SourceError(
            f"{path}: holds no vote of {voter!r} (there are"
            f" {excerpt(', '.join(sorted(names))) or 'none'}); name one of them under voter"
        )
    return ballots


def _votes(path: Path) -> Iterator[Vote]:
    schema = SCHEMAS[Vote]
    try:
        table = pq.read_table(path, columns=schema.names).select(schema.names).cast(schema)
    except (OSError, pa.ArrowException, ValueError, KeyError) as error:
        raise SourceError(
            f"{path}: wanted a Parquet file of votes, and it cannot be read so"
            f" ({excerpt(str(error))}); name another one under votes"
        ) from error
    for vote in from_table(table, Vote):
        if vote.status not in _STATUSES or vote.answer not in _ANSWERS[vote.status == "ok"]:
            raise SourceError(
                f"{path}: a vote of {vote.voter!r:.80} has the status {vote.status!r:.80} and the"
                f" answer {vote.answer!r:.80}; wanted is ok with yes, no or unsure, or another of"
                f" {', '.join(_STATUSES)} with none"
            )
        yield vote
