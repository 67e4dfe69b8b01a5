"""False-premise dialogues without words, and responses to them with labels as they are told."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from benchwright.records import (
    Build,
    DetectorLabel,
    Edit,
    FalsePremise,
    PlayedResponse,
    PremiseClass,
    PremiseTurn,
)
from evaluation.false_premise.metrics.corrections import Corrections, read_corrections

Label = Literal["yes", "no"] | None
DETECTORS = ("ear", "nose")
TURNS, FIRST_FALSE = 10, 4


def dialogue(
    number: int = 0, premise_class: PremiseClass = "identity", **more: Any
) -> FalsePremise:
    """Return a dialogue of its own picture: ten turns, false from the fourth on."""
    said: dict[str, Any] = {
        "dialogue_id": f"fp-{number:04}",
        "image_id": f"{number:016x}",
        "box": (0.0, 0.0, 9.0, 9.0),
        "complexity": "single-target clean",
        "category": "animal",
        "true_description": "the brown dog",
        "false_description": "the brown cat",
        "edit": Edit(start=10, before="dog", after="cat"),
        "variant": 1,
        "turns": turns(),
        "checks": (),
        "models": (),
        "approvals": (),
    }
    return FalsePremise(premise_class=premise_class, **{**said, **more})


def turns(count: int = TURNS, first_false: int = FIRST_FALSE) -> tuple[PremiseTurn, ...]:
    """Return so many turns, false from one on."""
    return tuple(
        PremiseTurn(
            index=index,
            true_question=f"Is the brown dog number {index}?",
            asked_question=f"Is the brown {'cat' if is_false else 'dog'} number {index}?",
            has_false_premise=is_false,
        )
        for index in range(1, count + 1)
        for is_false in (index >= first_false,)
    )


def answered(
    asked: FalsePremise,
    label: Callable[[int, str], Label],
    detectors: Sequence[str] = DETECTORS,
    **more: Any,
) -> Iterator[PlayedResponse]:
    """Yield a response to each turn; ``label`` says of turn and detector what it reads."""
    for turn in asked.turns:
        said: dict[str, Any] = {
            "response_id": f"run/{asked.dialogue_id}/{turn.index}",
            "run": "run",
            "model": "talker",
            "response": f"Answer {turn.index}.",
            "status": "ok",
            "builds": (Build(part="player", voter="talker", model="m", build=None, answers=1),),
        }
        yield PlayedResponse(
            image_id=asked.image_id,
            dialogue_id=asked.dialogue_id,
            turn=turn.index,
            premise_class=asked.premise_class,
            has_false_premise=turn.has_false_premise,
            question=turn.asked_question,
            true_description=asked.true_description,
            false_description=asked.false_description,
            detectors=tuple(
                DetectorLabel(name=name, label=label(turn.index, name)) for name in detectors
            ),
            **{**said, **more},
        )


def corrections(
    dialogues: Iterable[FalsePremise],
    label: Callable[[FalsePremise, int, str], Label],
    detectors: Sequence[str] = DETECTORS,
) -> Corrections:
    """Return what detectors are told to say of all dialogues."""
    asked = list(dialogues)

    def of(one: FalsePremise) -> Iterator[PlayedResponse]:
        return answered(one, lambda turn, name: label(one, turn, name), detectors)

    return read_corrections([each for one in asked for each in of(one)], asked).corrections


def counted(
    dialogues: Sequence[FalsePremise], yes: npt.NDArray[np.int64], detectors: Sequence[str]
) -> Corrections:
    """Return corrections of so many dialogues: the first ``yes`` (turns, detectors) of them."""
    codes = np.arange(len(dialogues))[:, None, None] < yes
    return Corrections(
        dialogues=tuple(dialogues), detectors=tuple(detectors), codes=codes.astype(np.int64)
    )
