"""Pictures in a folder of the user's, found by their names."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import pictures
from benchwright.errors import PictureError, SourceError


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFolder:
    """The files below a folder by their names alone, in small letters."""

    paths: dict[str, tuple[Path, ...]]

    @classmethod
    def of(cls, folder: Path) -> "PictureFolder":
        """Return what lies in a folder, at any depth; raises SourceError where it is not there."""
        if not folder.is_dir():
            raise SourceError(
                f"{folder}: wanted the folder with the pictures, it is none; name it by --images"
            )
        found: dict[str, list[Path]] = defaultdict(list)
        for path in sorted(folder.rglob("*")):
            found[path.name.lower()].append(path)
        return cls(paths={name: tuple(paths) for name, paths in found.items()})

    def picture(self, names: Sequence[str], size: tuple[int, int]) -> pictures.Picture:
        """Return the picture that has the first of the names that there is.

        Raises PictureError where there is none, or more than one, it is broken, or it has another
        size than ``size``: its boxes would then be of something else.
        """
        paths = next((self.paths[name.lower()] for name in names if name.lower() in self.paths), ())
        if len(paths) != 1:
            what = "several pictures are called so" if paths else "its picture is not there"
            raise PictureError(what, f"{names[0]}: {what}")
        try:
            picture = pictures.read_picture(pictures.load_file(paths[0]))
        except PictureError as error:
            what = f"its picture cannot be read ({error.reason.replace('_', ' ')})"
            raise PictureError(what, f"{paths[0]}: {error}") from error
        if (picture.width, picture.height) != size:
            what = "its picture has another size than the annotations say"
            raise PictureError(what, f"{paths[0]}: {what}")
        return picture
