"""Detectors: models that read in an answer whether it corrects the premise of its question."""

from dataclasses import dataclass

from benchwright.asking.questions import Asks, ask_structured
from benchwright.asking.replies import Reply
from benchwright.records import DetectorLabel
from evaluation.false_premise.playing.detector_prompt import ToRead, Verdict, verdict_request

PART = "detector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """The label of a detector: null where it failed or could not be read.

    ``is_failed`` tells that its server gave no answer, so that it is worth asking again.
    """

    label: DetectorLabel
    reply: Reply
    is_failed: bool


async def detect(asks: Asks, case: ToRead) -> Detected:
    """Return what a detector makes of an answer (FPCO-Dialog, section 4.3).

    A verdict that was refused or does not fit the form after it was sent back once is a label of
    null: a share of corrections that took it for no would be too small. Raises what ``Asks.ask``
    does.
    """
    filled = await ask_structured(asks, verdict_request(case), Verdict)
    read = filled.structured
    said = None if read.value is None else "yes" if read.value.correction else "no"
    return Detected(
        label=DetectorLabel(name=asks.voter.name, label=said),  # type: ignore[arg-type]
        reply=filled.reply,
        is_failed=read.status == "failed",
    )
