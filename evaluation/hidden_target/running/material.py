"""What a run plays with: the episodes that are drawn, the vocabulary, the rules, the pictures."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchwright.asking.tokens import Size
from benchwright.errors import UsageError
from benchwright.plain_text import plain
from evaluation.hidden_target.game import Game, Rules
from evaluation.releases.galleries import (
    Gallery,
    Term,
    read_galleries,
    read_terms,
)
from evaluation.releases.pictures import Shown, pictures_digest, write_pictures
from evaluation.releases.release import Release
from evaluation.running.drawing import drawn

_NOTHING: Mapping[str, Shown] = MappingProxyType({})
_LONGEST = 40  # characters of a category that can be a noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What is played: ``galleries`` are the episodes that were drawn, in the order of the config.

    ``is_all`` tells that those are all of it.
    """

    release: Release
    config: str
    terms: tuple[Term, ...]
    galleries: tuple[Gallery, ...]
    rules: Rules
    is_all: bool

    @property
    def sizes(self) -> tuple[int, int]:
        """How many pictures the smallest and the largest gallery have."""
        found = [len(gallery) for gallery in self.galleries]
        return min(found), max(found)

    def image_ids(self) -> frozenset[str]:
        """Return the pictures of all galleries."""
        return frozenset(name for gallery in self.galleries for name in gallery.image_ids)

    def games(self, folder: Path | None) -> tuple[Game, ...]:
        """Return the episodes as they are played, their pictures in a folder; null for none."""
        pictures = (
            _NOTHING if folder is None else write_pictures(self.release, self.image_ids(), folder)
        )
        return tuple(
            Game(gallery=gallery, rules=self.rules, pictures=pictures) for gallery in self.galleries
        )

    def inputs(self, *, is_shown: bool) -> dict[str, str]:
        """Return the digests of what is read of the release; with ``is_shown`` of pictures too."""
        found = {"release": self.release.digest(self.config, "vocabulary", "labels")}
        if is_shown:
            found["pictures"] = pictures_digest(self.release, self.image_ids())
        return found


def sizes_of(games: Sequence[Game]) -> dict[str, Size]:
    """Return width and height of all pictures of some games, by the hash of their bytes."""
    pictures = {name: shown for game in games for name, shown in game.pictures.items()}
    return {shown.part.sha256: shown.size for shown in pictures.values()}


def material_of(
    release: Release,
    config: str,
    *,
    batch_size: int,
    turns: int,
    noun: str | None,
    episodes: int | None,
    seed: int,
) -> Material:
    """Return what is played; ``episodes`` are that many at most, drawn by the seed, null for all.

    More of them hold the fewer. Without a noun it is the one category of all pictures, else
    ``picture``. Raises UsageError as ``read_galleries`` does, and for a config without episodes.
    """
    terms = read_terms(release)
    galleries = read_galleries(release, config, terms)
    if not galleries:
        raise UsageError(f"{release.name}: {config} has no episodes")
    chosen = drawn(galleries, lambda gallery: gallery.episode_id, episodes, seed)
    shown = frozenset(name for gallery in chosen for name in gallery.image_ids)
    return Material(
        release=release,
        config=config,
        terms=terms,
        galleries=chosen,
        rules=Rules(
            batch_size=batch_size,
            turns=turns,
            noun=plain(noun or "").strip() or _noun(release, shown),
        ),
        is_all=len(chosen) == len(galleries),
    )


def _noun(release: Release, image_ids: Collection[str]) -> str:
    rows = release.rows("images")
    categories = {
        category
        for image_id, category in zip(rows["image_id"], rows["category"], strict=True)
        if image_id in image_ids
    }
    (noun,) = categories if len(categories) == 1 else (None,)
    said = plain(noun or "").strip()
    return said if 0 < len(said) <= _LONGEST else Rules().noun
