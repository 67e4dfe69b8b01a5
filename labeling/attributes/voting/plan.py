"""All that decides which questions are asked: values, templates, voters, views, weights, rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from benchwright.errors import UsageError
from benchwright.knowledge import Value, runs_of_types
from labeling.attributes.deciding.codes import Longs
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.weights import Question, equal_weights, share_weights
from labeling.attributes.labels.knowledge import values_of
from labeling.attributes.templates.used import filled, templates_of
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.ensemble import ClipVoter, Ensemble


@dataclass(frozen=True, kw_only=True)
class VotingPlan:
    """``templates`` holds for each value, in the order of ``values``, the wordings in use.

    ``weights`` are whole numbers of shape (values, questions), in the order of ``questions``.
    """

    ensemble: Ensemble
    vocabulary: Vocabulary
    values: tuple[Value, ...]
    templates: tuple[tuple[str, ...], ...]
    questions: tuple[Question, ...]
    weights: Longs
    rule: Rule
    full: DecimalShare
    seed: int

    @cached_property
    def types(self) -> tuple[range, ...]:
        """The places of the values of each type."""
        return runs_of_types(self.values)

    @cached_property
    def most_in_full(self) -> tuple[int, ...]:
        """How many values each question is put about at once where all are asked.

        To a clip voter that is all of them: captions take no call.
        """
        clips = {voter.name for voter in self.ensemble.voters if isinstance(voter, ClipVoter)}
        return tuple(
            len(self.values) if question.voter in clips else self.ensemble.values_per_call
            for question in self.questions
        )

    @cached_property
    def rows(self) -> list[list[int]]:
        """The weights as plain numbers, which are compared one by one."""
        rows: list[list[int]] = self.weights.tolist()
        return rows

    def text(self, value: int, template: str, noun: str) -> str:
        """Return the question about a value with the noun of a subject filled in."""
        return filled(self.templates[value][int(template) - 1], noun)


def plan_of(
    ensemble: Ensemble,
    vocabulary: Vocabulary,
    *,
    seed: int = 0,
    by_value: Sequence[Mapping[str, int]] | None = None,
) -> VotingPlan:
    """Return the plan of an ensemble; ``by_value`` are calibrated weights of the voters.

    Raises UsageError for a vocabulary without values, a value without enough templates and
    weights that are too large.
    """
    values = values_of(vocabulary)
    if not values:
        raise UsageError("the vocabulary has no value to ask about; write some into it")
    wordings = templates_of(vocabulary, ensemble.templates)
    names = [voter.name for voter in ensemble.voters]
    questions = planned_questions(names, ensemble.templates, ensemble.views)
    return VotingPlan(
        ensemble=ensemble,
        vocabulary=vocabulary,
        values=values,
        templates=tuple(wordings[value.type, value.value] for value in values),
        questions=questions,
        weights=_weights(ensemble, questions, by_value, len(values)),
        rule=Rule.parse(str(ensemble.margin), str(ensemble.quorum)),
        full=DecimalShare.parse(str(ensemble.share_in_full()), "full"),
        seed=seed,
    )


def _weights(
    ensemble: Ensemble,
    questions: tuple[Question, ...],
    by_value: Sequence[Mapping[str, int]] | None,
    values: int,
) -> Longs:
    if ensemble.method == "unweighted":
        return equal_weights(questions, values)
    return share_weights(questions, by_value or [ensemble.weights()] * values)


def planned_questions(
    voters: Iterable[str], templates: int, views: Iterable[str]
) -> tuple[Question, ...]:
    """Return the questions that are planned for each value, in their order."""
    numbers = range(1, templates + 1)
    return tuple(
        sorted(
            Question(voter=voter, template=str(number), view=view)
            for voter, number, view in product(voters, numbers, views)
        )
    )
