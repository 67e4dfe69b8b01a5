"""What is fixed while an episode is played: the gallery, the rules, how pictures are uploaded."""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.releases.galleries import Gallery
from evaluation.releases.pictures import Shown

SIGNAL = "End of uploading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The settings of the protocol (AMIGO, section 3.1).

    Pictures are uploaded ``batch_size`` at a time, 0 for all at once; ``turns`` count questions
    and skips, not the guess. ``noun`` is what a picture shows, as the prompts call it.
    """

    batch_size: int = 5
    turns: int = 20
    noun: str = "picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """An episode to be played; ``pictures`` are those of the gallery, by image_id.

    Where nobody looks at them, they are empty.
    """

    gallery: Gallery
    rules: Rules
    pictures: Mapping[str, Shown]

    @property
    def batches(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the pictures, from 1, as they are uploaded."""
        numbers = range(1, len(self.gallery) + 1)
        size = self.rules.batch_size or len(numbers)
        return tuple(tuple(numbers[at : at + size]) for at in range(0, len(numbers), size))

    def shown(self, number: int) -> Shown:
        """Return a picture by its number, from 1."""
        return self.pictures[self.gallery.image_ids[number - 1]]
