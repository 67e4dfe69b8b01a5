"""Labelled answers for detectors of corrections, as they stand in the package."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from benchwright.records import PremiseClass
from evaluation.false_premise.playing.detector_prompt import ToRead

_FILE = Path(__file__).parent / "correction.jsonl"


class Line(BaseModel):
    """A line of correction.jsonl.

    ``fits`` is the question worded as the picture has it, ``asked`` as it was put, ``kind`` what
    makes the case what it is, ``why`` the reason of its label.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    domain: str
    premise_class: PremiseClass = Field(alias="class")
    kind: str
    false: bool
    fits: str
    asked: str
    answer: str
    correction: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledAnswer:
    """An answer and whether people read a correction in it.

    Answers of one ``scene`` are to the same question about the same picture.
    """

    id: str
    domain: str
    kind: str
    scene: str
    read: ToRead
    is_correction: bool
    why: str


@lru_cache(maxsize=1)
def labelled_answers() -> tuple[LabelledAnswer, ...]:
    """Return the labelled answers of the package, in their order."""
    lines = _FILE.read_text("utf-8").splitlines()
    return tuple(_labelled(Line.model_validate_json(line)) for line in lines)


def _labelled(line: Line) -> LabelledAnswer:
    return LabelledAnswer(
        id=line.id,
        domain=line.domain,
        kind=line.kind,
        scene=line.fits,
        read=ToRead(
            premise_class=line.premise_class,
            has_false_premise=line.false,
            true_question=line.fits,
            asked_question=line.asked,
            answer=line.answer,
        ),
        is_correction=line.correction,
        why=line.why,
    )
