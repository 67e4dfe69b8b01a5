"""The picture of each entry: its bytes in a row, a file found by name, a link, or none."""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from benchwright.errors import PictureError
from benchwright.pictures import MAX_BYTES, Picture, locate, read_picture
from builders.invig.draft import PictureName
from builders.invig.naming import base_name, open_images_id
from builders.invig.spill import Slice
from builders.links import Link
from builders.local import Missing, read_found

Place = Path | Missing | Link


def make_picture(source: Path | Slice | Missing) -> Picture:
    """Read one picture; raises PictureError."""
    if not isinstance(source, Slice):
        return read_found(source)
    if source.size > MAX_BYTES:
        raise PictureError("too_large", f"{source.size} bytes in the row; at most {MAX_BYTES}")
    return read_picture(source.read())


@dataclass(slots=True)
class Folder:
    """A folder of pictures, whose files are listed once a name does not fit as it stands.

    ``is_deep``: those of the folders in it as well.
    """

    path: Path
    is_deep: bool
    _known: dict[str, set[str]] | None = None

    def find(self, picture: PictureName) -> Path | Missing:
        """Return the file of a picture: by a name as it stands, its base name, or its id.

        A base name or an id must be that of one file. Nothing outside the folder is returned.
        """
        for name in picture.names:
            if ".." in (*PurePosixPath(name).parts, *PureWindowsPath(name).parts):
                return Missing(reason="outside_folder", message=f"{name!r}: '..' is not followed")
            try:
                return locate(self.path, name)
            except PictureError:
                continue  # another machine's path, perhaps
        for key in (*(base_name(name).lower() for name in picture.names), picture.source_id):
            if files := sorted(self._listed().get(key, ())):
                return self._only(files, key)
        wanted = picture.names[0] if picture.names else picture.source_id
        message = f"no file for {wanted!r} in {self.path.name or 'the folder'}"
        return Missing(reason="missing_file", message=message)

    def _only(self, files: list[str], key: str) -> Path | Missing:
        if len(files) > 1:
            message = f"{len(files)} files are called {key!r}: {', '.join(files[:3])}"
            return Missing(reason="ambiguous_file", message=message)
        try:
            return locate(self.path, files[0])
        except PictureError as error:
            return Missing(reason=error.reason, message=str(error))

    def _listed(self) -> dict[str, set[str]]:
        """Return the files by base name (in lower case) and by Open Images id."""
        if self._known is None:
            self._known = defaultdict(set)
            for folder, below, names in os.walk(self.path):
                if not self.is_deep:
                    below.clear()
                for name in names:
                    path = Path(folder, name).relative_to(self.path).as_posix()
                    self._known[name.lower()].add(path)
                    if known := open_images_id(name):
                        self._known[known].add(path)
        return self._known


def find_pictures(
    pictures: Sequence[tuple[PictureName, Path | None]], images: Path | None, *, fetch: bool
) -> dict[str, Place]:
    """Return where the picture of each id is; each is given with the folder of its source.

    They are looked for in ``images`` and all below it, else in the folder of the source itself.
    A link is used, where ``fetch`` allows it, when there is no file.
    """
    folders: dict[Path, Folder] = {}
    found: dict[str, Place] = {}
    for picture, near in pictures:
        place = images or near
        file: Path | Missing = Missing(
            reason="missing_file", message="no folder of pictures is given"
        )
        if place is not None:
            folder = folders.setdefault(place, Folder(place, is_deep=images is not None))
            file = folder.find(picture)
        found[picture.source_id] = _or_link(file, picture, fetch=fetch)
    return found


def _or_link(file: Path | Missing, picture: PictureName, *, fetch: bool) -> Place:
    if isinstance(file, Path) or picture.url is None or file.reason != "missing_file":
        return file
    if fetch:
        return Link(url=picture.url)
    message = f"{picture.url} is a link; --fetch fetches it"
    return Missing(reason="missing_file", message=message)
