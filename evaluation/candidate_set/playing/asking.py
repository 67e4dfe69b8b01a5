"""What a model is asked of one sample: the picture, the dialogue, and the boxes wanted of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchwright import seeds, store
from benchwright.asking.box_reading import SentPicture, Unit
from benchwright.asking.requests import Message, Request
from benchwright.asking.views import layout_of
from benchwright.asking.voters import PictureLimits
from benchwright.protocols.candidate_set import BoxFormat, Instruction, prompt
from benchwright.records import BoxOfPicture, CandidateSet
from evaluation.releases.pictures import Shown

MAX_TOKENS = 512  # of an answer, as in CandVG: 15 boxes take fewer
_FOR_STEPS = 2 * MAX_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class HowAsked:
    """In which words a sample is put.

    With ``is_given`` all boxes of the picture are listed, in an order drawn by the seed, and the
    model selects (definition 21). ``sample`` counts repetitions from 0.
    """

    box_format: BoxFormat = "thousandths"
    instruction: Instruction = "base"
    is_given: bool = False
    seed: int = 0
    sample: int = 0

    @property
    def unit(self) -> Unit:
        """The unit in which boxes are written."""
        return "thousandths" if self.box_format == "tagged" else self.box_format

    def settings(self) -> dict[str, Any]:
        """Return all that changes what is asked, besides the seed, with a digest of the words."""
        return {
            "box_format": self.box_format,
            "instruction": self.instruction,
            "given": self.is_given,
            "sample": self.sample,
            "prompt": self.digest(),
        }

    def digest(self) -> str:
        """Return the digest of the words around a dialogue and its boxes."""
        row = {"context": [{"speaker": "speaker", "text": "text"}], "first_utterance": "words"}
        given = ("box",) if self.is_given else ()
        return store.digest_of(prompt(row, self.box_format, self.instruction, given=given))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A sample as it is put to a model; ``given`` are the boxes to choose from, as listed."""

    sample: CandidateSet
    sent: SentPicture
    request: Request
    given: tuple[BoxOfPicture, ...]
    listed: tuple[str, ...]


def sent_picture(shown: Shown, limits: PictureLimits) -> SentPicture:
    """Return how a picture is sent within the limits of a voter."""
    layout = layout_of(*shown.size, shown.part.view, limits)
    return SentPicture(upright=shown.size, scaled=layout.scaled, size=layout.size)


def ask_for(sample: CandidateSet, shown: Shown, limits: PictureLimits, how: HowAsked) -> Asked:
    """Return a sample as it is put to a model that takes pictures within ``limits``.

    The first sample is asked for at temperature 0, further ones at 1; what the voter's file says
    of temperature wins.
    """
    sent = sent_picture(shown, limits)
    given = _in_order(sample, how.seed) if how.is_given else ()
    listed = tuple(_as_listed(one, sent, how.unit) for one in given)
    row = {
        "context": [{"speaker": said.speaker, "text": said.text} for said in sample.context],
        "first_utterance": sample.first_utterance,
    }
    text = prompt(row, how.box_format, how.instruction, size=sent.size, given=listed)
    return Asked(
        sample=sample,
        sent=sent,
        given=given,
        listed=listed,
        request=Request(
            messages=(Message(role="user", parts=(shown.part, text)),),
            max_tokens=_FOR_STEPS if how.instruction == "stepwise" else MAX_TOKENS,
            parameters={"temperature": 0 if how.sample == 0 else 1},
            sample=how.sample,
        ),
    )


def _in_order(sample: CandidateSet, seed: int) -> tuple[BoxOfPicture, ...]:
    """Return the boxes of a picture in one order for all turns, so that it tells of no turn."""
    by_id = {box.box_id: box for box in sample.boxes}
    names = seeds.shuffled(list(by_id), seed, "candidates", sample.dialogue_id)
    return tuple(by_id[name] for name in names)


def _as_listed(box: BoxOfPicture, sent: SentPicture, unit: Unit) -> str:
    corners: Sequence[float] = sent.written(box.bbox, unit)
    digits = 3 if unit == "fractions" else 0
    return f"[{', '.join(f'{side:.{digits}f}' for side in corners)}]"
