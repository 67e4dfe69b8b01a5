"""What a model is asked of a turn: which numbered boxes the first line may still mean."""

import json
from collections.abc import Callable, Sequence
from typing import Annotated

import pydantic

from benchwright.asking.jobs import Job
from benchwright.asking.requests import PicturePart, Request
from benchwright.plain_text import excerpt
from benchwright.records import CandidateSet
from labeling.dialogues.candidate_set import rules
from labeling.dialogues.candidate_set.proposing.numbered_pictures import NumberedPicture
from labeling.dialogues.stored import record_id_of

_TOKENS = 600  # of an answer
_LONGEST = 500  # characters of a line of the dialogue


class PlausibleBoxes(pydantic.BaseModel):
    """What the model is to send; it reasons first."""

    model_config = pydantic.ConfigDict(extra="forbid")

    reasoning: Annotated[str, pydantic.Field(max_length=4_000)]
    boxes: Annotated[list[int], pydantic.Field(max_length=1_000)]

    def ids(self) -> list[str]:
        """Return the ids of the boxes."""
        return [str(number) for number in self.boxes]


def proposal_job(
    draft: CandidateSet,
    numbered: NumberedPicture,
    picture: Callable[[], PicturePart],
    voter: str,
) -> Job[PlausibleBoxes]:
    """Return the job that proposes the boxes of a turn; ``picture`` is called when it is asked."""

    def request(faults: Sequence[str]) -> Request:
        text = f"{_asked(draft, numbered)}{_again(faults)}"
        return Request.of(picture(), text, max_tokens=_TOKENS, temperature=1 if faults else 0)

    def fault(found: PlausibleBoxes) -> str | None:
        return marks_fault(found.ids(), draft)

    return Job(
        name=record_id_of(draft),
        voter=voter,
        form=PlausibleBoxes,
        request=request,
        fault=fault,
        sizes=(numbered.drawn_size(),),
    )


def marks_fault(ids: Sequence[str], draft: CandidateSet) -> str | None:
    """Return what is wrong with proposed boxes, as the App refuses marks; null where nothing is."""
    known = [box.box_id for box in draft.boxes]
    checks = (rules.has_candidate(ids), rules.are_known(ids, known))
    return next((check.reason for check in checks if not check.passed), None)


def _asked(draft: CandidateSet, numbered: NumberedPicture) -> str:
    said = "\n".join(f"{line.speaker}: {excerpt(line.text, _LONGEST)}" for line in draft.context)
    knows = draft.context[0].speaker
    width, height = numbered.drawn_size()
    first = json.dumps(excerpt(draft.first_utterance, _LONGEST), ensure_ascii=False)
    return f"""\
The picture of {width} x {height} pixels shows a scene. Frames and numbers were drawn on it: each
frame is one object, and the tag of the same colour at one of its corners is its number. These are
the objects, each with the left, top, right and bottom edge of its frame:
{_listed(numbered)}

Two people speak about the scene; they see no frames. One of them, {knows}, has one of the objects
in mind from the beginning, and the other finds out which. So far this was said:
{said}

Which of the objects may {knows} have meant by the first line, {first}, as far as one can know after
the last line above? Keep every object that fits all that was said, also when another one fits
better. Leave out what the first line cannot mean, and what something said later rules out. A
question that was answered by no rules out what it asked about; a word such as "left" or "big" rules
out only what plainly does not fit. One object or more always remain.

"reasoning" says in one or two sentences what rules objects out. "boxes" holds the numbers of the
objects that remain."""


def _listed(numbered: NumberedPicture) -> str:
    lines = []
    for box, (x, y, width, height) in zip(numbered.boxes, numbered.drawn_boxes(), strict=True):
        what = "object" if box.category is None else excerpt(box.category, 60)
        edges = ", ".join(str(round(edge)) for edge in (x, y, x + width, y + height))
        lines.append(f"{box.box_id}: {what} at {edges}")
    return "\n".join(lines)


def _again(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    listed = "".join(f"\n- {fault}" for fault in dict.fromkeys(faults))
    return f"\n\nAn earlier answer of yours was not taken:{listed}"
