"""What a run of false premises plays with: the dialogues that are drawn, and their pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.records import FalsePremise
from evaluation.false_premise.playing.dialogue import Item
from evaluation.releases.pictures import Shown, pictures_digest, write_pictures
from evaluation.releases.records import read_records
from evaluation.releases.release import Release
from evaluation.running.drawing import drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The dialogues to be played, in the order of the config; ``is_all`` tells that those are all.

    A variant of a dialogue is one by itself.
    """

    release: Release
    config: str
    dialogues: tuple[FalsePremise, ...]
    is_all: bool

    def pictures(self, folder: Path) -> Mapping[str, Shown]:
        """Return the pictures by their ids; they are written into a folder."""
        return write_pictures(self.release, self._image_ids(), folder)

    def items(self, pictures: Mapping[str, Shown]) -> tuple[Item, ...]:
        """Return the dialogues as they are played."""
        return tuple(
            Item(dialogue=one, picture=pictures[one.image_id].part) for one in self.dialogues
        )

    def inputs(self) -> dict[str, str]:
        """Return the digests of what is read of the release."""
        return {
            "release": self.release.digest(self.config),
            "pictures": pictures_digest(self.release, self._image_ids()),
        }

    def _image_ids(self) -> frozenset[str]:
        return frozenset(one.image_id for one in self.dialogues)


def material_of(release: Release, config: str, dialogues: int | None, seed: int) -> Material:
    """Return what is played: so many dialogues, drawn by the seed; null means all.

    Raises UsageError as ``read_records`` does.
    """
    found = read_records(release, config, FalsePremise)
    chosen = drawn(found, lambda one: one.dialogue_id, dialogues, seed)
    return Material(
        release=release, config=config, dialogues=chosen, is_all=len(chosen) == len(found)
    )
