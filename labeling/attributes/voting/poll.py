"""The votes on one subject while they come in: what is asked next, and with what else.

Values are taken type by type, since those of an exclusive type settle one another. With several
values in a call, the next question of the first open value is put about other open values too
that it was not asked of; so do the last ones of a round.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from benchwright.asking.requests import PicturePart
from benchwright.records import Vote
from labeling.attributes.deciding.codes import VOTE_CODES
from labeling.attributes.deciding.inquiry import Inquiry, is_asked_in_full, order_of
from labeling.attributes.voting.plan import VotingPlan
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.views import shown
from labeling.attributes.voting.voter import Ballot, ShownQuestion

Group = tuple[int, tuple[int, ...]]  # a question, and the values that it is asked about


class Poll:
    """Asks one subject's questions in order until every label is settled.

    Where all are asked nothing is settled on the way, and there are no inquiries.
    """

    def __init__(self, subject: Subject, plan: VotingPlan) -> None:
        self.subject, self._plan = subject, plan
        self.is_full = is_asked_in_full(plan.full, plan.seed, subject.image_id)
        self._asked = [bytearray(len(plan.questions)) for _ in plan.values]
        self._votes: list[Vote] = []
        self._inquiries = [] if self.is_full else list(map(self._inquiry, plan.types))
        self._shown: dict[str, tuple[PicturePart, ...]] = {}  # by view

    def _inquiry(self, values: range) -> Inquiry:
        plan, subject = self._plan, self.subject
        weights = plan.rows
        orders = [
            order_of(
                plan.questions,
                weights[at],
                plan.seed,
                *(subject.image_id, subject.object_id or ""),
                *(plan.values[at].type, plan.values[at].value),
            )
            for at in values
        ]
        return Inquiry(
            orders=orders,
            weights=[weights[at] for at in values],
            rule=plan.rule,
            exclusive=plan.values[values.start].exclusive,
        )

    def next(self) -> Group | None:
        """Return the question to ask next and the values to ask it about; null at the end."""
        first = self._first_in_full() if self.is_full else self._first()
        if first is None:
            return None
        value, question = first
        plan = self._plan
        most = plan.most_in_full[question] if self.is_full else plan.ensemble.values_per_call
        return question, (value, *self._others(question, (value,), most - 1))

    def _others(self, question: int, values: Collection[int], most: int) -> Iterator[int]:
        """Yield at most so many other open values that a question was not asked of."""
        others = (at for at in self._open() if at not in values and not self._asked[at][question])
        return islice(others, most)

    def soonest(self) -> list[Group]:
        """Return what to ask at once so that all labels are settled the soonest, if answers agree.

        It is what a batch sends: one round for most labels, instead of one for each question. A
        group with room left is filled up, since another value in it costs no call of its own.
        """
        wanted: dict[int, list[int]] = {}
        for value, question in self._wanted():
            wanted.setdefault(question, []).append(value)
        most = self._plan.ensemble.values_per_call
        groups: list[Group] = []
        for question, values in sorted(wanted.items()):
            put = (*values, *self._others(question, values, -len(values) % most))
            groups += [(question, put[start : start + most]) for start in range(0, len(put), most)]
        return groups

    def _wanted(self) -> Iterator[tuple[int, int]]:
        for value, asked in enumerate(self._asked):
            questions: Iterable[int] = range(len(self._plan.questions))
            if not self.is_full:
                inquiry, place = self._places[value]
                questions = inquiry.soonest(place) if inquiry.is_open(place) else ()
            yield from ((value, question) for question in questions if not asked[question])

    def _first(self) -> tuple[int, int] | None:
        for values, inquiry in zip(self._plan.types, self._inquiries, strict=True):
            found = inquiry.next_question()
            if found is not None:
                return values.start + found[0], found[1]
        return None

    def _first_in_full(self) -> tuple[int, int] | None:
        for value, asked in enumerate(self._asked):
            question = asked.find(0)
            if question >= 0:
                return value, question
        return None

    def _open(self) -> Iterable[int]:
        if self.is_full:
            return range(len(self._plan.values))
        return (
            value for value, (inquiry, place) in enumerate(self._places) if inquiry.is_open(place)
        )

    def shown(self, group: Group) -> tuple[ShownQuestion, ...]:
        """Return a group's questions with what is shown."""
        number, values = group
        question, plan = self._plan.questions[number], self._plan
        pictures = self._shown.get(question.view)
        if pictures is None:
            settings = plan.ensemble.views[question.view]
            pictures = shown(self.subject, settings, plan.ensemble.context)
            self._shown[question.view] = pictures
        return tuple(
            ShownQuestion(
                subject=self.subject,
                type=plan.values[value].type,
                value=plan.values[value].value,
                template=question.template,
                text=plan.text(value, question.template, self.subject.noun),
                view=question.view,
                pictures=pictures,
            )
            for value in values
        )

    def record(self, group: Group, ballots: Sequence[Ballot]) -> None:
        """Take the ballots of a group; one whose call failed stays open and is not put again."""
        number, values = group
        for value, ballot in zip(values, ballots, strict=True):
            self._asked[value][number] = 1
            self._votes.append(self._vote(value, number, ballot))
            if self.is_full:
                continue
            inquiry, place = self._places[value]
            if ballot.status == "failed":
                inquiry.pass_over(place, number)
            else:
                inquiry.record(place, number, VOTE_CODES[ballot.answer])

    @cached_property
    def _places(self) -> list[tuple[Inquiry, int]]:
        return [
            (inquiry, place)
            for values, inquiry in zip(self._plan.types, self._inquiries, strict=True)
            for place in range(len(values))
        ]

    def votes(self) -> list[Vote]:
        """Return the votes by type, value, voter, template and view."""
        return sorted(
            self._votes,
            key=lambda vote: (vote.type, vote.value, vote.voter, vote.template, vote.view),
        )

    def _vote(self, value: int, number: int, ballot: Ballot) -> Vote:
        question, about = self._plan.questions[number], self._plan.values[value]
        return Vote(
            image_id=self.subject.image_id,
            object_id=self.subject.object_id,
            type=about.type,
            value=about.value,
            voter=question.voter,
            template=question.template,
            view=question.view,
            answer=ballot.answer,
            p_yes=ballot.p_yes,
            status=ballot.status,
            answer_key=ballot.answer_key,
        )
