"""The dialogues whose sets are followed from turn to turn: one fixed set (definition 21)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from benchwright.records import CandidateSet

TURNS = 3  # that CandVG follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """The dialogues that have all of the first ``turns`` turns, so that all turns are of them."""

    turns: int
    dialogue_ids: frozenset[str]

    @classmethod
    def of(cls, samples: Iterable[CandidateSet], played: Iterable[CandidateSet]) -> Self:
        """Return those that were ``played`` at each of the turns.

        There are three turns, or as many as the longest dialogue of ``samples`` has.
        """
        turns = min(TURNS, max((sample.turn for sample in samples), default=0))
        turns_of: defaultdict[str, set[int]] = defaultdict(set)
        for sample in played:
            turns_of[sample.dialogue_id].add(sample.turn)
        wanted = set(range(1, turns + 1))
        return cls(
            turns=turns,
            dialogue_ids=frozenset(name for name, found in turns_of.items() if wanted <= found),
        )

    def holds(self, sample: CandidateSet) -> bool:
        """Tell whether a sample is among those that are followed."""
        return sample.turn <= self.turns and sample.dialogue_id in self.dialogue_ids
