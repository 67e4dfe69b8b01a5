"""Answers that are wrong on purpose: which ones is drawn before anybody plays (definition 15)."""

from dataclasses import dataclass

from benchwright import seeds
from benchwright.errors import UsageError
from benchwright.records import Noise, Turn
from evaluation.hidden_target.parts import Truth

_OPPOSITE: dict[Truth, Truth] = {"yes": "no", "no": "yes", "unsure": "unsure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseSettings:
    """Which answers of an episode are disturbed (AMIGO, section 5).

    ``flip`` is the share of answers whose yes and no change places, ``blur`` the share of which
    yes and no become unsure, and unsure becomes yes or no; each 0 to 1, together at most 1.
    ``flips`` answers are flipped besides in every episode that gets as far, drawn from its first
    ``within``: 1 is the one flip of the paper. Most episodes are decided after three or four
    answers: a flip that is drawn from more of them often comes too late. A larger share disturbs
    what a smaller one does, and more.

    Raises UsageError for what cannot be drawn.
    """

    flip: float = 0.0
    blur: float = 0.0
    flips: int = 0
    within: int = 3

    def __post_init__(self) -> None:
        if not (self.flip >= 0 and self.blur >= 0 and self.flip + self.blur <= 1):
            raise UsageError(
                "noise: flip and blur want shares from 0 to 1, together at most 1; got"
                f" {self.flip:g} and {self.blur:g}"
            )
        if not 0 <= self.flips <= self.within:
            raise UsageError(
                f"noise: wanted from 0 to {self.within} flips, as many answers as they are drawn"
                f" from; got {self.flips}"
            )

    @property
    def is_none(self) -> bool:
        """Whether nothing is disturbed."""
        return not (self.flip or self.blur or self.flips)

    def settings(self) -> dict[str, float]:
        """Return what changes an answer: ``within`` counts only where there are flips."""
        return {
            "flip": self.flip,
            "blur": self.blur,
            "flips": self.flips,
            "within": self.within if self.flips else 0,
        }

    def marks(self) -> tuple[str, ...]:
        """Return what names of runs say of it."""
        found = {"flip": self.flip, "blur": self.blur, "flips": self.flips}
        if self.flips and self.within != NoiseSettings().within:
            found["within"] = self.within
        return tuple(f"{name}-{value:g}" for name, value in found.items() if value)


def noise_at(settings: NoiseSettings, seed: int, episode_id: str, ordinal: int) -> Noise | None:
    """Return what is to happen to an answer of an episode, null for nothing.

    ``ordinal`` counts the answered questions of the episode, from 1. It hangs on these four alone,
    never on what was asked or answered, nor by whom: all players meet the same noise.
    """
    if ordinal in flips_at(settings, seed, episode_id):
        return "flip"
    drawn = seeds.draw(seed, "noise", episode_id, str(ordinal)) / 2**64
    if drawn < settings.flip:
        return "flip"
    # from the other end, so that a larger share of one takes nothing from the other
    return "blur" if drawn >= 1 - settings.blur else None


def flips_at(settings: NoiseSettings, seed: int, episode_id: str) -> frozenset[int]:
    """Return which answers of an episode are to be flipped besides a share, counted from 1."""
    if not settings.flips:
        return frozenset()
    first = [str(number + 1) for number in range(settings.within)]
    drawn = seeds.shuffled(first, seed, "noise flips", episode_id)[: settings.flips]
    return frozenset(map(int, drawn))


def noisy_answer(
    truth: Truth, noise: Noise | None, seed: int, episode_id: str, ordinal: int
) -> Truth:
    """Return what is told instead of the truth.

    A flip leaves unsure as it is: that answer is not hit. A blur makes yes or no of it, by the
    hash of the same ids as ``noise_at``.
    """
    if noise == "flip":
        return _OPPOSITE[truth]
    if noise == "blur" and truth == "unsure":
        return "no" if seeds.below(2, seed, "noise blur", episode_id, str(ordinal)) else "yes"
    return "unsure" if noise == "blur" else truth


def is_hit(turn: Turn) -> bool:
    """Tell whether something else was told than the truth."""
    return turn.truth is not None and turn.told != turn.truth
