"""Which question is asked next, and when no answer could change a label any more.

This is definition 11 step by step, for one subject's type: its values are taken together, since
those of an exclusive type settle one another. ``standing.settle`` says the same of stored votes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.seeds import draw
from labeling.attributes.deciding.codes import ABSTAINED, NO, SAID_NO, SAID_YES, UNSURE, YES
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.weights import Question

_PASSED, _DONE = 1, 2  # of a question, in ``_answered``
_PURPOSE_ORDER, _PURPOSE_FULL = "order of questions", "asked in full"


def is_asked_in_full(share: DecimalShare, seed: int, image_id: str) -> bool:
    """Whether a picture is of the seeded share whose questions are all asked."""
    return draw(seed, _PURPOSE_FULL, image_id) * share.denominator < share.numerator << 64


def order_of(
    questions: Sequence[Question],
    weights: Sequence[int],
    seed: int,
    *ids: str,
) -> list[int]:
    """Return the places of the questions that weigh anything, the heaviest first.

    Ties are broken by a hash of seed, ``ids`` (image_id, object_id or '', type, value) and the
    question, so that what is saved is spread over voters, templates and views.
    """
    keys = {
        at: (-weight, draw(seed, _PURPOSE_ORDER, *ids, each.voter, each.template, each.view), at)
        for at, (each, weight) in enumerate(zip(questions, weights, strict=True))
        if weight
    }
    return sorted(keys, key=keys.__getitem__)


@dataclass(slots=True, kw_only=True)
class _Race:
    """The votes on one value: what weighs for and against it, what is open, what is possible."""

    order: Sequence[int]
    weights: Sequence[int]
    total: int
    open: int
    yes: int = 0
    no: int = 0
    next: int = 0
    label: int = UNSURE
    lower: int = UNSURE
    upper: int = UNSURE

    def see(self, rule: Rule) -> None:
        """Work out the label now and those that the open questions leave possible."""
        yes, no, most, total = self.yes, self.no, self.yes + self.no + self.open, self.total
        self.label = rule.label(yes, no, total)
        self.lower = rule.label(yes, most - yes, total)
        self.upper = rule.label(most - no, no, total)

    @property
    def is_certain(self) -> bool:
        """Whether its own label, apart from other values, can no longer change."""
        return self.label == self.lower == self.upper

    @property
    def low(self) -> tuple[int, int]:
        """The lowest score that is possible, as a fraction."""
        return self.yes, self.yes + self.no + self.open

    @property
    def high(self) -> tuple[int, int]:
        """The highest score that is possible, as a fraction."""
        return self.yes + self.open, self.yes + self.no + self.open


class Inquiry:
    """The votes of one subject on the values of one type while they come in.

    ``orders`` holds for each value, in the order of the vocabulary, the places of its questions
    in the order in which they are asked (any order gives the labels of the full vote);
    ``weights`` the whole-number weights of its questions. In an exclusive type the value that
    leads, by the weight of yes less that of no, is asked on: once it is sure of its yes, a few
    answers of no rule out each of the others. At a tie it is the one with more to ask, then the
    first.
    """

    __slots__ = ("_answered", "_exclusive", "_is_stale", "_open", "_races", "_rule")

    def __init__(
        self,
        *,
        orders: Sequence[Sequence[int]],
        weights: Sequence[Sequence[int]],
        rule: Rule,
        exclusive: bool,
    ) -> None:
        self._rule, self._exclusive = rule, exclusive
        self._races = []
        for order, row in zip(orders, weights, strict=True):
            total = sum(row)
            self._races.append(_Race(order=order, weights=row, total=total, open=total))
        self._answered = [bytearray(len(row)) for row in weights]
        self._open = [True] * len(self._races)
        self._is_stale = True
        for race in self._races:
            race.see(rule)

    def record(self, value: int, question: int, answer: int) -> None:
        """Count an answer: SAID_YES, SAID_NO or ABSTAINED of ``codes``.

        Raises ValueError for another answer, or for a question that was answered before.
        """
        if answer not in (SAID_YES, SAID_NO, ABSTAINED) or self._answered[value][question] == _DONE:
            raise ValueError(f"no first answer to question {question} of value {value}: {answer}")
        self._answered[value][question] = _DONE
        race = self._races[value]
        weight = race.weights[question]
        race.open -= weight
        if answer == SAID_YES:
            race.yes += weight
        elif answer == SAID_NO:
            race.no += weight
        race.see(self._rule)
        self._is_stale = True

    def pass_over(self, value: int, question: int) -> None:
        """Do not propose a question again; it stays open, as one whose call failed does."""
        if not self._answered[value][question]:
            self._answered[value][question] = _PASSED

    def next_question(self) -> tuple[int, int] | None:
        """Return (value, question) to ask next, or null when no answer could change a label.

        Null comes as well when all that could was passed over: see ``is_open``.
        """
        self._refresh()
        waiting = [at for at, is_open in enumerate(self._open) if is_open and self._has_more(at)]
        if not waiting:
            return None
        value = max(waiting, key=self._lead) if self._exclusive else waiting[0]
        race = self._races[value]
        return value, race.order[race.next]

    def soonest(self, value: int) -> list[int]:
        """Return the questions to ask about a value so that it is settled by itself the soonest.

        They are the next ones in its order, as many as it takes when all of them say what leads
        now; no, where nothing does. What was passed over is not among them.
        """
        race, answered = self._races[value], self._answered[value]
        yes, no, open_ = race.yes, race.no, race.open
        is_for_yes = yes > no
        chosen = []
        for question in race.order:
            if answered[question]:
                continue
            chosen.append(question)
            weight = race.weights[question]
            open_ -= weight
            yes, no = (yes + weight, no) if is_for_yes else (yes, no + weight)
            label = self._rule.label(yes, no, race.total)
            least = self._rule.label(yes, no + open_, race.total)
            if label == least == self._rule.label(yes + open_, no, race.total):
                break
        return chosen

    def is_open(self, value: int) -> bool:
        """Whether an answer on a value could still change a label of the type."""
        self._refresh()
        return self._open[value]

    def labels(self) -> list[int]:
        """Return the labels by what was recorded: 1 yes, 0 unsure, -1 no.

        Of an exclusive type's equal scores the first wins, as where no vote has a p_yes.
        """
        labels = [race.label for race in self._races]
        if not self._exclusive or YES not in labels:
            return labels
        winner = None
        for at, race in enumerate(self._races):
            if race.label == YES:
                score = race.yes, race.yes + race.no
                if winner is None or is_more(score, winner[1]):
                    winner = at, score
        return [YES if winner and at == winner[0] else NO for at in range(len(labels))]

    def _has_more(self, value: int) -> bool:
        race, answered = self._races[value], self._answered[value]
        order = race.order
        while race.next < len(order) and answered[order[race.next]]:
            race.next += 1
        return race.next < len(order)

    def _lead(self, value: int) -> tuple[float, float, int]:
        race = self._races[value]
        total = race.total or 1
        return (race.yes - race.no) / total, race.open / total, -value

    def _refresh(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        if self._exclusive:
            self._open = self._open_of_exclusive()
        else:
            self._open = [not race.is_certain for race in self._races]

    def _open_of_exclusive(self) -> list[bool]:
        """Return the values of which a question could change a label.

        A value that is certain to be unsure by itself waits for the others alone, though its
        label is not settled before theirs. One that may tie is not ruled out: what decides then,
        p_yes, is not known before it is asked in full, and no concern of what is asked.
        """
        races = self._races
        sure, rival = None, None
        for at, race in enumerate(races):
            if race.lower == YES == race.label and (
                sure is None or is_more(race.low, races[sure].low)
            ):
                sure = at
        for at, race in enumerate(races):
            if (
                race.upper == YES
                and at != sure
                and (rival is None or is_more(race.high, races[rival].high))
            ):
                rival = at
        open_ = []
        for at, race in enumerate(races):
            if at == sure:
                is_final = rival is None or not race.open or is_more(race.low, races[rival].high)
            elif sure is None:
                is_final = race.is_certain and race.label != YES
            else:
                is_final = race.upper != YES or not race.open or is_more(races[sure].low, race.high)
            open_.append(not is_final)
        return open_


def is_more(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether one score is higher than another, both as fractions."""
    return first[0] * second[1] > second[0] * first[1]
