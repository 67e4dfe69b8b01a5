"""Which picture files lie in a folder, by the id in their names."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from benchwright import files
from benchwright.errors import PictureError, UsageError
from benchwright.pictures import locate
from builders.local import Reference

_ENDINGS = frozenset(
    (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".avif", ".jpe")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureIndex:
    """The picture files of some folders; links to folders are not followed."""

    folders: tuple[Path, ...]
    _by_stem: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))

    def has(self, image_id: str) -> bool:
        """Tell whether there is a file whose name, without its ending, is this id."""
        return image_id in self._by_stem

    def find(self, image_id: str, split: str | None) -> Reference:
        """Return the file of a picture; of several the one in a folder named as its split.

        Copies (tools that download by class keep one for each class) are one file.
        Raises PictureError: ``missing_file``, or ``ambiguous_file`` where it cannot be told.
        """
        return self._one(image_id, self._by_stem.get(image_id, ()), split)

    def find_mask(self, name: str, split: str | None) -> Path:
        """Return the file that a MaskPath means, wherever it lies; raises PictureError."""
        if "/" in name or "\\" in name or ".." in name:
            raise PictureError("outside_folder", f"{name!r} is no bare file name")
        stem = PurePosixPath(name).stem
        fitting = [
            (place, path)
            for place, path in self._by_stem.get(stem, ())
            if PurePosixPath(path).name == name
        ]
        found = self._one(name, fitting, split)
        return locate(found.folder, found.name)

    def _one(self, name: str, found: Iterable[tuple[int, str]], split: str | None) -> Reference:
        places = sorted(found)
        if len(places) > 1:
            in_split = [one for one in places if split in PurePosixPath(one[1]).parts[:-1]]
            places = in_split if len(in_split) == 1 else places
        if not places:
            raise PictureError("missing_file", f"no file of {name!r}")
        if len(places) > 1 and not self._are_copies(places):
            paths = ", ".join(path for _, path in places[:3])
            raise PictureError(
                "ambiguous_file", f"{len(places)} files have the name {name!r}: {paths}; keep one"
            )
        place, path = places[0]
        return Reference(folder=self.folders[place], name=path)

    def _are_copies(self, places: Sequence[tuple[int, str]]) -> bool:
        paths = [locate(self.folders[place], name) for place, name in places]
        sizes = {path.stat().st_size for path in paths}
        return len(sizes) == 1 and len({files.sha256_of(path) for path in paths}) == 1


def index_pictures(folders: Sequence[Path]) -> PictureIndex:
    """Look for picture files in some folders and all that is in them.

    Raises UsageError for a folder that does not exist.
    """
    index = PictureIndex(folders=tuple(folders))
    for place, folder in enumerate(folders):
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such folder of pictures; name it by --images")
        if any(folder.resolve().is_relative_to(other.resolve()) for other in folders[:place]):
            continue  # seen already
        for here, below, names in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith("."))
            base = Path(here).relative_to(folder)
            for name in names:
                path = PurePosixPath(name)
                if path.suffix.lower() in _ENDINGS:
                    index._by_stem[path.stem].append((place, (base / name).as_posix()))
    return index
