"""What detectors say of the responses of a run, as arrays over the dialogues that are whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np
import numpy.typing as npt

from benchwright.records import FalsePremise, PremiseClass, Response

Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]

CLASSES: tuple[PremiseClass, ...] = get_args(PremiseClass)
_CODES = {"yes": 1, "no": 0}


@dataclass(frozen=True, kw_only=True)
class Corrections:
    """Dialogues in the order of their ids, and what each detector says of each response.

    ``codes`` is (dialogues, turns, detectors): 1 for a correction, 0 for none, -1 where a dialogue
    has no such turn. Turn t stands at place t - 1.
    """

    dialogues: tuple[FalsePremise, ...]
    detectors: tuple[str, ...]
    codes: Longs

    @cached_property
    def is_false(self) -> Mask:
        """Which turns presuppose something false, (dialogues, turns)."""
        return self._marked(is_false=True)

    @cached_property
    def is_true(self) -> Mask:
        """Which turns presuppose nothing false, (dialogues, turns)."""
        return self._marked(is_false=False)

    @property
    def false_turns(self) -> list[int]:
        """The turns, from 1, at which any dialogue has a false premise."""
        return [int(at) + 1 for at in np.flatnonzero(self.is_false.any(axis=0))]

    @property
    def true_turns(self) -> list[int]:
        """The turns, from 1, at which any dialogue has a true one."""
        return [int(at) + 1 for at in np.flatnonzero(self.is_true.any(axis=0))]

    @property
    def classes(self) -> list[PremiseClass]:
        """The premise classes that there are, in the order of the paper."""
        return [
            name for name in CLASSES if any(one.premise_class == name for one in self.dialogues)
        ]

    @cached_property
    def pictures(self) -> Longs:
        """Numbers of the pictures that the dialogues are about, by their sorted ids."""
        _, numbers = np.unique([one.image_id for one in self.dialogues], return_inverse=True)
        return numbers.astype(np.int64)

    def of_class(self, name: str) -> Mask:
        """Return which dialogues are of a premise class, (dialogues,)."""
        return np.array([one.premise_class == name for one in self.dialogues], bool)

    def up_to(self, turn: int) -> Mask:
        """Return which turns are false premises up to a turn, (dialogues, turns)."""
        return self.is_false & (np.arange(self.is_false.shape[1]) < turn)

    def _marked(self, *, is_false: bool) -> Mask:
        found = np.zeros(self.codes.shape[:2], bool)
        for row, one in zip(found, self.dialogues, strict=True):
            for turn in one.turns:
                row[turn.index - 1] = turn.has_false_premise == is_false
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What lacks of a dialogue of which something was played: its turns, and labels by detector."""

    dialogue_id: str
    turns: tuple[int, ...]
    labels: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The dialogues of which every response has every label, and what the others lack."""

    corrections: Corrections
    missing: tuple[Missing, ...]


def read_corrections(responses: Sequence[Response], dialogues: Sequence[FalsePremise]) -> Read:
    """Return what detectors say of the responses of one run (definition 17).

    ``dialogues`` are those of the config, of which the run may have played some. Detectors are
    those that labelled any response, in the order in which a response names them. Which turns have
    a false premise is what the release says. Raises ValueError for a response to a turn that no
    dialogue has, and for two to one turn.
    """
    by_id = {one.dialogue_id: one for one in dialogues}
    named = list(dict.fromkeys(each.name for one in responses for each in one.detectors))
    said: dict[str, dict[int, dict[str, str | None]]] = {}
    for response in responses:
        turns = said.setdefault(response.dialogue_id, {})
        dialogue = by_id.get(response.dialogue_id)
        if dialogue is None or all(turn.index != response.turn for turn in dialogue.turns):
            raise ValueError(f"{response.response_id}: the release has no such turn of a dialogue")
        if response.turn in turns:
            raise ValueError(f"{response.response_id}: another response to the same turn is there")
        turns[response.turn] = {each.name: each.label for each in response.detectors}
    lacks = {name: _missing(by_id[name], turns, named) for name, turns in sorted(said.items())}
    whole = tuple(by_id[name] for name, lack in lacks.items() if lack is None)
    width = max((turn.index for one in whole for turn in one.turns), default=0)
    codes = np.full((len(whole), width, len(named)), -1, np.int64)
    for at, one in enumerate(whole):
        for turn, labels in said[one.dialogue_id].items():
            codes[at, turn - 1] = [_CODES[labels[name] or ""] for name in named]
    return Read(
        corrections=Corrections(dialogues=whole, detectors=tuple(named), codes=codes),
        missing=tuple(lack for lack in lacks.values() if lack is not None),
    )


def _missing(
    dialogue: FalsePremise, turns: dict[int, dict[str, str | None]], detectors: Sequence[str]
) -> Missing | None:
    lost = tuple(turn.index for turn in dialogue.turns if turn.index not in turns)
    unread = {
        name: found
        for name in detectors
        if (found := tuple(turn for turn in sorted(turns) if turns[turn].get(name) is None))
    }
    if detectors and not lost and not unread:
        return None
    return Missing(dialogue_id=dialogue.dialogue_id, turns=lost, labels=unread)
