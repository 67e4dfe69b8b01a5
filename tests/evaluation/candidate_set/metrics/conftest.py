"""Samples of a small table and answers to them, as hands can work them out."""

from collections.abc import Callable, Sequence

import pytest

from benchwright.boxes import Box
from benchwright.records import BoxOfPicture, CandidateSet, Grounding, Said

Make = Callable[..., CandidateSet]
Answer = Callable[..., Grounding]

# three cups and a plate, no two of which touch
TABLE: dict[str, tuple[str | None, Box]] = {
    "a": ("cup", (0, 0, 10, 10)),
    "b": ("cup", (20, 0, 10, 10)),
    "c": ("cup", (40, 0, 10, 10)),
    "p": ("plate", (60, 0, 20, 10)),
}


@pytest.fixture(scope="session")
def table() -> dict[str, Box]:
    """The boxes of the table by their ids."""
    return {name: box for name, (_, box) in TABLE.items()}


@pytest.fixture(scope="session")
def sample_of() -> Make:
    """Make a sample of the table in which some ids are true."""

    def made(
        true: str,
        turn: int = 1,
        dialogue: str = "d",
        boxes: dict[str, tuple[str | None, Box]] | None = None,
    ) -> CandidateSet:
        shown = TABLE if boxes is None else boxes
        return CandidateSet(
            dialogue_id=dialogue,
            image_id=f"picture of {dialogue}",
            turn=turn,
            context=(Said(speaker="human", text="the cup"),),
            first_utterance="the cup",
            boxes=tuple(
                BoxOfPicture(box_id=name, category=category, bbox=box)
                for name, (category, box) in shown.items()
            ),
            candidate_ids=tuple(true),
            marks=(),
            kind="single" if len(true) == 1 else "set",
        )

    return made


@pytest.fixture(scope="session")
def answer_of() -> Answer:
    """Make an answer to a sample."""

    def made(
        sample: CandidateSet,
        boxes: Sequence[Box] = (),
        chosen: Sequence[str] = (),
        read_by: str = "json",
        status: str = "ok",
    ) -> Grounding:
        return Grounding(
            run="run",
            model="m",
            dialogue_id=sample.dialogue_id,
            turn=sample.turn,
            image_id=sample.image_id,
            status=status,
            text="",
            boxes=tuple(boxes),
            chosen=tuple(chosen),
            read_by=read_by,
            builds=(),
        )

    return made
