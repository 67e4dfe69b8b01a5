"""Asking models about a vocabulary: a round of proposals, a round about those of the others."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pydantic

from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.estimating import estimate_for
from benchwright.asking.pieces import How, ask_pieces, wanted
from benchwright.asking.questions import Asks, Filled, ask_structured
from benchwright.asking.session import Session
from benchwright.records import AttributeType
from labeling.attributes.gathering.answers import (
    Ideas,
    LaterAnswer,
    ReviewAnswer,
    take,
    verdicts_of,
)
from labeling.attributes.gathering.proposals import Kind, Pictures, Proposal
from labeling.attributes.gathering.proposing import proposals_of
from labeling.attributes.gathering.questions import Review, TypeQuestion, reviews, type_questions
from labeling.attributes.vocabulary.guess import FORBIDDEN_TYPES
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.suggestions import Suggestion
from labeling.attributes.vocabulary.vocabulary import Vocabulary

_WITHOUT_A_LOOK = How(probe=False)  # no picture is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyInquiry:
    """What models are asked about.

    ``several`` are the folded names of the types of which some picture has two values: those are
    not exclusive, whatever a model says. ``most`` alternatives are wanted of a type.
    """

    vocabulary: Vocabulary
    suggestions: Sequence[Suggestion]
    pictures: Pictures
    several: frozenset[str]
    most: int
    seed: int

    def questions(self) -> list[TypeQuestion]:
        """Return the questions of the first round."""
        return list(
            type_questions(
                self.vocabulary,
                self.suggestions,
                self.pictures,
                most=self.most,
                seed=self.seed,
            )
        )

    def proposals(self, said: Mapping[str, Mapping[str, Ideas]]) -> list[Proposal]:
        """Return what text distance and voters propose; ``said`` is by type and voter."""
        return [
            proposal
            for kind in self.vocabulary.types
            for proposal in proposals_of(
                kind.type,
                said.get(kind.type, {}),
                self.suggestions,
                self._open_flags(kind),
                self.pictures,
            )
        ]

    def _open_flags(self, kind: AttributeType) -> set[Kind]:
        """Return the flags of a type that may be proposed: the others than it has.

        The protocol wins over a model that would ask about what it forbids.
        """
        names = {fold(name) for name in (kind.type, *kind.aliases)}
        found: set[Kind] = {"not exclusive"} if kind.exclusive else set()
        if not kind.exclusive and names.isdisjoint(self.several):
            found.add("exclusive")
        if kind.askable:
            found.add("not askable")
        elif names.isdisjoint(FORBIDDEN_TYPES):
            found.add("askable")
        return found

    def reviews(self, voter: str, proposals: Sequence[Proposal]) -> list[Review]:
        """Return the questions of the second round to a voter."""
        by_type: dict[str, list[Proposal]] = defaultdict(list)
        for proposal in proposals:
            by_type[proposal.type].append(proposal)
        values: dict[str, list[str]] = defaultdict(list)
        for value in self.vocabulary.values:
            values[value.type].append(value.value)
        found: list[Review] = []
        for kind in self.vocabulary.types:
            common = sorted(
                values[kind.type], key=lambda one: (-self.pictures.get((kind.type, one), 0), one)
            )
            found += reviews(voter, kind, by_type[kind.type], common, self.seed)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedProposals:
    """All proposals with what every model made of them.

    ``ignored`` counts by reason what did not fit the question, ``unread`` by status the answers
    that could not be read, of ``answers`` in all.
    """

    proposals: tuple[Proposal, ...]
    ignored: Mapping[str, int]
    unread: Mapping[str, int]
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    voter: str
    about: TypeQuestion | Review
    form: type[pydantic.BaseModel]


async def ask_models(opened: Session, inquiry: VocabularyInquiry) -> JudgedProposals:
    """Ask all models of a session, in two rounds; every answer is stored as it comes.

    Raises what ``Client.ask`` raises.
    """
    first = await _ask(opened, _first_round(opened, inquiry))
    said, ignored = _ideas(first)
    proposals = inquiry.proposals(said)
    second = await _ask(opened, _second_round(opened, inquiry, proposals))
    unread = Counter(
        answer.structured.status for _, answer in first + second if answer.structured.status != "ok"
    )
    judged, useless = _judged(proposals, second)
    if useless:
        ignored["a verdict on nothing, or two at once"] += useless
    return JudgedProposals(
        proposals=tuple(judged),
        ignored=dict(sorted(ignored.items())),
        unread=dict(sorted(unread.items())),
        answers=len(first) + len(second),
    )


def _first_round(opened: Session, inquiry: VocabularyInquiry) -> list[_Task]:
    questions = inquiry.questions()
    return [
        _Task(voter=voter, about=question, form=question.form)
        for voter in sorted(opened.clients)
        for question in questions
    ]


def _second_round(
    opened: Session, inquiry: VocabularyInquiry, proposals: Sequence[Proposal]
) -> list[_Task]:
    return [
        _Task(voter=voter, about=review, form=ReviewAnswer)
        for voter in sorted(opened.clients)
        for review in inquiry.reviews(voter, proposals)
    ]


async def _ask(opened: Session, tasks: Sequence[_Task]) -> list[tuple[_Task, Filled[Any]]]:
    """Return the answers in the order of the tasks, whatever the order in which they come."""
    answers = await ask_pieces(opened, tasks, _filled, _WITHOUT_A_LOOK)
    return [
        (task, answer)
        for task, answer in zip(tasks, answers, strict=True)
        if answer is not None  # which only a batch leaves
    ]


async def _filled(task: _Task, client: Asks) -> Filled[Any]:
    return await ask_structured(client, task.about.request, task.form)


def _ideas(
    answered: Sequence[tuple[_Task, Filled[Any]]],
) -> tuple[dict[str, dict[str, Ideas]], Counter[str]]:
    """Return what holds of the answers by type and voter, and counts of what does not."""
    said: dict[str, dict[str, Ideas]] = defaultdict(dict)
    for task, answer in answered:
        value = answer.structured.value
        if isinstance(task.about, TypeQuestion) and isinstance(value, LaterAnswer):
            asked = task.about.asked
            take(said[asked.type].setdefault(task.voter, Ideas()), value, asked)
    ignored: Counter[str] = Counter()
    for by_voter in said.values():
        for ideas in by_voter.values():
            ignored.update(ideas.ignored)
    return said, ignored


def _judged(
    proposals: Sequence[Proposal], answered: Sequence[tuple[_Task, Filled[Any]]]
) -> tuple[list[Proposal], int]:
    """Return the proposals with the verdicts on them, and how many were of no use."""
    accepted: dict[Proposal, set[str]] = defaultdict(set)
    declined: dict[Proposal, set[str]] = defaultdict(set)
    useless = 0
    for task, answer in answered:
        value = answer.structured.value
        if isinstance(task.about, Review) and isinstance(value, ReviewAnswer):
            verdicts, wrong = verdicts_of(value, len(task.about.proposals))
            useless += wrong
            for number, accepts in verdicts.items():
                proposal = task.about.proposals[number - 1]
                (accepted if accepts else declined)[proposal].add(task.voter)
    return [
        replace(
            one,
            accepted_by=tuple(sorted(accepted[one])),
            declined_by=tuple(sorted({*one.declined_by, *declined[one]})),
        )
        for one in proposals
    ], useless


async def estimates(opened: Session, inquiry: VocabularyInquiry) -> list[Estimate]:
    """Return for each model what asking would take, without asking.

    What the second round asks is known when the first is answered; before that, a question of it
    is assumed for each of the first.
    """
    first = _first_round(opened, inquiry)
    planned = [await _planned(opened, task) for task in first]
    if all(each.is_answered for each in planned):
        said, _ = _ideas(await _ask(opened, first))  # which are stored
        second = _second_round(opened, inquiry, inquiry.proposals(said))
    else:
        second = [replace(task, form=ReviewAnswer) for task in first]
    planned += [await _planned(opened, task) for task in second]
    by_voter: dict[str, list[Planned]] = {voter: [] for voter in opened.clients}
    for task, each in zip([*first, *second], planned, strict=True):
        by_voter[task.voter].append(each)
    return [estimate_for(opened, client, by_voter[name]) for name, client in opened.clients.items()]


async def _planned(opened: Session, task: _Task) -> Planned:
    missing = await wanted(opened, task, _filled)
    return Planned(
        request=missing or task.about.request, is_answered=missing is None, kind="structured"
    )
