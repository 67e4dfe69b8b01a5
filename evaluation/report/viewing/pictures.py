"""The pictures of a viewer: small ones, each in the page once."""

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.thumbnails import thumbnail_uri
from evaluation.releases.pictures import write_pictures
from evaluation.releases.release import Release

OF_GALLERY, ALONE = (128, 128), (420, 420)  # pixels at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Thumb:
    """A small picture as a data URI, with the width and height of the whole one in pixels."""

    src: str
    width: int
    height: int


@dataclass(slots=True)
class Thumbs:
    """Makes small pictures; ``all`` are those of the page, a picture's place stays the same."""

    all: list[Thumb] = field(default_factory=list)
    _place_of: dict[tuple[str, tuple[int, int]], int] = field(default_factory=dict)

    def add(
        self, release: Release, image_ids: Iterable[str], within: tuple[int, int]
    ) -> Mapping[str, int]:
        """Return the places of the pictures of a release; one that is there already is not doubled.

        Raises LostPicture and what ``write_pictures`` raises.
        """
        wanted = sorted(set(image_ids))
        with tempfile.TemporaryDirectory() as folder:
            shown = write_pictures(release, wanted, Path(folder))
            return {
                name: self._place(
                    shown[name].part.sha256, shown[name].part.path, within, shown[name].size
                )
                for name in wanted
                if name in shown
            }

    def _place(
        self, sha256: str, path: Path, within: tuple[int, int], size: tuple[int, int]
    ) -> int:
        key = (sha256, within)
        if key not in self._place_of:
            self._place_of[key] = len(self.all)
            uri = thumbnail_uri(path, within)
            self.all.append(Thumb(src=uri, width=size[0], height=size[1]))
        return self._place_of[key]
