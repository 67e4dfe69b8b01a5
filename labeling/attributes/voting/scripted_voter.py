"""A voter that knows the right labels and errs as often as it is told: to try an ensemble."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.decisions.cells import CELL, Cell
from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.seeds import draw
from labeling.attributes.voting.ensemble import ScriptedVoter
from labeling.attributes.voting.voter import Ballot, ShownQuestion

_COLUMNS = [*CELL, "answer"]
_SCALE = 2**64


class Scripted:
    """Answers from labels, with seeded errors; the same question always gets the same answer."""

    def __init__(self, settings: ScriptedVoter) -> None:
        """Read the labels; raise SourceError when the file cannot be read as such."""
        self.name = settings.name
        self.at_once = 64
        self._settings = settings
        self._yes = _read(settings.labels)

    async def vote(self, questions: tuple[ShownQuestion, ...]) -> tuple[Ballot, ...]:
        """Return one ballot for each question; see ``Voting``."""
        return tuple(self._ballot(question) for question in questions)

    def _ballot(self, question: ShownQuestion) -> Ballot:
        subject, settings = question.subject, self._settings
        cell = (subject.image_id, subject.object_id, question.type, question.value)
        truth = cell in self._yes
        blind = question.value in settings.blind or question.type in settings.blind
        chance = draw(
            settings.seed, settings.name, *map(str, cell), question.template, question.view
        )
        right = chance / _SCALE < (0.5 if blind else settings.accuracy)
        return Ballot(answer="yes" if truth == right else "no", status="ok")


def _read(path: Path) -> set[Cell]:
    try:
        table = pq.read_table(path, columns=_COLUMNS)
    except (OSError, pa.ArrowException) as error:
        raise SourceError(
            f"{path}: wanted a Parquet file of labels, and it cannot be read so"
            f" ({excerpt(str(error))}); name another one under labels"
        ) from error
    rows = zip(*(table.column(name).to_pylist() for name in _COLUMNS), strict=True)
    return {
        (image, thing, kind, value) for image, thing, kind, value, said in rows if said == "yes"
    }
