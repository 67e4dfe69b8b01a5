"""How well the mapper maps the labelled questions (docs/design/question-parser.md).

``python -m evaluation.hidden_target.mapping.measure`` prints it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.commands import say
from evaluation.hidden_target.mapping.labelled import Labelled, LabelledSet, labelled_set
from evaluation.hidden_target.mapping.mapper import Mapper


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Counts over some labelled questions.

    ``right``, ``wrong`` and ``unmapped`` are those that ask for something; ``overread`` those that
    ask for nothing and were mapped all the same, ``left`` those that were not. Right means all that
    is asked for, each with its polarity, and nothing else.
    """

    right: int
    wrong: int
    unmapped: int
    overread: int
    left: int

    @property
    def precision(self) -> float:
        """Right among all that were mapped."""
        return self.right / (self.right + self.wrong + self.overread)

    @property
    def recall(self) -> float:
        """Right among all that ask for something."""
        return self.right / (self.right + self.wrong + self.unmapped)


def measure(labelled: LabelledSet, questions: Sequence[Labelled]) -> Measured:
    """Return how the mapper does on some of the labelled questions."""
    outcomes = [outcome for _, outcome in outcomes_of(labelled, questions)]
    return Measured(
        right=outcomes.count("right"),
        wrong=outcomes.count("wrong"),
        unmapped=outcomes.count("unmapped"),
        overread=outcomes.count("overread"),
        left=outcomes.count("left"),
    )


def outcomes_of(
    labelled: LabelledSet, questions: Sequence[Labelled]
) -> Iterator[tuple[Labelled, str]]:
    """Yield each question with what the mapper made of it, by the names of ``Measured``."""
    mappers = {name: Mapper(*one) for name, one in labelled.vocabularies.items()}
    for one in questions:
        asked = frozenset(mappers[one.vocabulary].question(one.question, 1).asked)
        if not one.asked:
            yield one, "overread" if asked else "left"
        else:
            yield one, "right" if asked == one.asked else "wrong" if asked else "unmapped"


def _lines() -> Iterator[str]:
    labelled = labelled_set()
    for part in ("held_out", "tuning"):
        some = [one for one in labelled.questions if one.part == part]
        found = measure(labelled, some)
        yield (
            f"{part}: {len(some)} questions; mapped right {found.right}, wrong {found.wrong},"
            f" unmapped {found.unmapped}; of those that ask for nothing {found.left} unmapped,"
            f" {found.overread} mapped"
        )
        yield f"  precision {found.precision:.3f}, recall {found.recall:.3f}"
    for one, outcome in outcomes_of(labelled, labelled.questions):
        if one.part == "tuning" and outcome not in ("right", "left"):
            yield f"  {outcome} ({one.vocabulary}): {one.question}"


if __name__ == "__main__":
    for line in _lines():
        say(line)
