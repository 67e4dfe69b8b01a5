"""Small ballots, and the definitions once more in fractions, word for word and without speed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from benchwright.knowledge import Value
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import (
    ABSTAINED,
    NO,
    NOT_ASKED,
    SAID_NO,
    SAID_YES,
    UNSURE,
    YES,
)
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import Question

CODES = {".": NOT_ASKED, "y": SAID_YES, "n": SAID_NO, "-": ABSTAINED}


def questions(voters: int, each: int) -> tuple[Question, ...]:
    return tuple(
        Question(voter=f"v{voter}", template=f"t{at:02}", view="whole")
        for voter in range(voters)
        for at in range(each)
    )


def ballots(
    answers: npt.ArrayLike,
    asked: Sequence[Question],
    *,
    values: int = 1,
    exclusive: bool = False,
    p_yes: npt.ArrayLike | None = None,
) -> Ballots:
    """Make ballots of (questions, cells); cells go subject by subject through so many values."""
    table = np.asarray(answers, np.uint8)
    cells = np.arange(table.shape[1])
    subjects = -(-len(cells) // values)
    return Ballots(
        image_ids=pa.array([f"{at:016x}" for at in range(subjects)], pa.string()),
        object_ids=pa.nulls(subjects, pa.string()),
        values=tuple(
            Value(type="colour", value=f"c{at:02}", exclusive=exclusive) for at in range(values)
        ),
        questions=tuple(asked),
        subjects=(cells // values).astype(np.int32),
        columns=(cells % values).astype(np.int32),
        answers=table,
        p_yes=None if p_yes is None else np.asarray(p_yes, np.float32),
    )


def spelled(*cells: str) -> npt.NDArray[np.uint8]:
    """Read cells such as 'yyn-.' (yes, yes, no, abstained, not asked) as (questions, cells)."""
    return np.array([[CODES[letter] for letter in cell] for cell in cells], np.uint8).T


@dataclass(frozen=True)
class Fractions:
    """Definitions 8 and 10 in exact fractions, and the mean p_yes at a tie."""

    margin: Fraction
    quorum: Fraction

    @classmethod
    def of(cls, rule: Rule) -> "Fractions":
        return cls(
            Fraction(rule.margin.numerator, rule.margin.denominator),
            Fraction(rule.quorum.numerator, rule.quorum.denominator),
        )

    def score(self, cell: Sequence[int], weights: Sequence[int]) -> Fraction | None:
        yes = sum(weight for said, weight in zip(cell, weights, strict=True) if said == SAID_YES)
        no = sum(weight for said, weight in zip(cell, weights, strict=True) if said == SAID_NO)
        if yes + no == 0 or yes + no < self.quorum * sum(weights):
            return None
        return Fraction(yes, yes + no)

    def label(self, cell: Sequence[int], weights: Sequence[int]) -> int:
        share, half = self.score(cell, weights), Fraction(1, 2)
        if share is None or (share == half):
            return UNSURE
        if share >= half + self.margin:
            return YES
        return NO if share <= half - self.margin else UNSURE

    def labels(
        self,
        cells: Sequence[Sequence[int]],
        weights: Sequence[Sequence[int]],
        *,
        exclusive: bool,
        sureness: Sequence[Fraction | None] | None = None,
    ) -> list[int]:
        """Return the labels of a type; ``sureness`` is the mean p_yes of each value, if any."""
        single = [self.label(cell, row) for cell, row in zip(cells, weights, strict=True)]
        if not exclusive or YES not in single:
            return single
        scores = [
            self.score(cell, row) if label == YES else None
            for cell, row, label in zip(cells, weights, single, strict=True)
        ]
        best = max(score for score in scores if score is not None)
        winner = scores.index(best)
        tied = [at for at, score in enumerate(scores) if score == best]
        means = [None if sureness is None else sureness[at] for at in tied]
        known = [mean for mean in means if mean is not None]
        if len(known) == len(tied):
            winner = tied[means.index(max(known))]
        return [YES if at == winner else NO for at in range(len(single))]


def mean_p_yes(p_yes: Sequence[int | None], weights: Sequence[int]) -> Fraction | None:
    """Return the plain mean of a cell's p_yes, in ten-thousandths, by questions that weigh."""
    own = [p for p, weight in zip(p_yes, weights, strict=True) if weight and p is not None]
    return Fraction(sum(own), len(own)) if own else None


@pytest.fixture(scope="session")
def small() -> SimpleNamespace:
    makers: dict[str, Callable[..., object]] = {
        "questions": questions,
        "ballots": ballots,
        "spelled": spelled,
        "fractions": Fractions.of,
        "mean_p_yes": mean_p_yes,
    }
    return SimpleNamespace(**makers)
