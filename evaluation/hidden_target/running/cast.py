"""Who takes part in a run: the player, and those who judge, answer and check."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from evaluation.hidden_target.parts import Player
from evaluation.hidden_target.players.at_random import RandomPlayer
from evaluation.hidden_target.players.greedy import GreedyPlayer
from evaluation.hidden_target.players.never_asking import NeverAskingPlayer
from evaluation.hidden_target.running.material import Material

ZOOMS = 2  # looks at parts of a picture that an oracle may take
RULES, LABELS = "rules", "labels"  # those who judge, answer and check where no voter does

BASELINES: Mapping[str, Callable[[Material, int], Player]] = MappingProxyType(
    {
        "random": lambda made, seed: RandomPlayer(made.terms, made.rules.noun, seed=seed),
        "greedy": lambda made, seed: GreedyPlayer(made.terms, made.rules.noun, seed=seed),
        "never-asking": lambda _, seed: NeverAskingPlayer(seed=seed),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who plays each part: a voter, or the name of what is no model.

    That is one of ``BASELINES`` for the player, ``rules`` for the detector and ``labels`` for
    oracle and verifier. Raises UsageError where a voter has the name of one of these: runs say by
    its name who played.
    """

    player: Voter | str
    detector: Voter | str = RULES
    oracle: Voter | str = LABELS
    verifier: Voter | str = LABELS

    def __post_init__(self) -> None:
        for part, who in self.by_part().items():
            if isinstance(who, Voter) and who.name in (RULES, LABELS, *BASELINES):
                raise UsageError(
                    f"{part} {who.name}: a voter cannot be called so, for {who.name} is no model"
                    " here; give it another name"
                )

    def by_part(self) -> dict[str, Voter | str]:
        """Return who plays, by the name of the part."""
        return {
            "player": self.player,
            "detector": self.detector,
            "oracle": self.oracle,
            "verifier": self.verifier,
        }

    def voters(self) -> tuple[Voter, ...]:
        """Return the models that are asked, each once."""
        return tuple(dict(self._models()).values())

    def parts_of(self, voter: str) -> frozenset[str]:
        """Return the parts that a voter plays."""
        played = self.by_part().items()
        return frozenset(
            part for part, who in played if isinstance(who, Voter) and who.name == voter
        )

    def seers(self) -> frozenset[str]:
        """Return the names of the voters that are shown pictures: all but the detector."""
        blind = {"detector"}
        return frozenset(name for name, _ in self._models() if self.parts_of(name) - blind)

    def names(self) -> dict[str, str]:
        """Return the names of those who play, by part."""
        return {part: name_of(who) for part, who in self.by_part().items()}

    def settings(self) -> dict[str, Any]:
        """Return all of those who play that changes what they say."""
        return {
            part: who.settings() if isinstance(who, Voter) else who
            for part, who in self.by_part().items()
        }

    def _models(self) -> Iterator[tuple[str, Voter]]:
        for who in self.by_part().values():
            if isinstance(who, Voter):
                yield who.name, who


def name_of(who: Voter | str) -> str:
    """Return the name of a voter, or of what is no model."""
    return who.name if isinstance(who, Voter) else who
