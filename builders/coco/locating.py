"""The files of pictures that COCO files name, wherever the folders were put since.

A name is tried as it stands, then with fewer and fewer of its folders: in the folder of pictures,
in ``images/`` and in folders named after the split; at last any file below whose name is the only
one of its kind. Nothing outside of the folder is ever opened.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.errors import PictureError
from benchwright.pictures import locate
from builders.coco.merging import MergedPicture
from builders.coco.names import PictureName, picture_name
from builders.links import Link
from builders.local import Missing
from builders.splits import spellings, split_in


@dataclass(slots=True)
class Finder:
    """Finds the files of pictures; ``images`` is their folder, null for the COCO files' own.

    ``fetch``: a picture without a file is fetched from its link.
    """

    images: Path | None
    fetch: bool
    pictures: Sequence[MergedPicture]
    _below: dict[Path, dict[str, list[str]]] = field(default_factory=dict)
    _named: Counter[tuple[str | None, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._named.update((one.split, one.tail[-1]) for one in self.pictures)

    def find(self, picture: MergedPicture) -> Path | Link | Missing:
        """Return the file of a picture, or its link, or why there is neither."""
        try:
            found = self._local(picture)
        except PictureError as error:
            return Missing(reason=error.reason, message=str(error))
        links = [link for record in picture.records for link in record.links]
        if isinstance(found, Path):
            return found
        if links and self.fetch:
            return Link(url=links[0])
        if links and found.reason in ("missing_file", "no_image"):
            more = f"; --fetch would get it from {links[0]:.200}"
            return Missing(reason=found.reason, message=found.message + more)
        return found

    def _local(self, picture: MergedPicture) -> Path | Missing:
        names = [record.name for record in picture.records if record.name is not None]
        if not names:
            return Missing(reason="no_image", message="neither a file name nor a link")
        for name in names:
            if name.climbs:
                shown = "/".join(name.parts)
                raise PictureError("outside_folder", f"{shown!r:.120}: '..' is not followed")
        roots = self._roots(picture)
        least = self._least(picture)
        for root in roots:
            for spelled, is_own in _spellings(picture, names, least):
                try:
                    return locate(root, spelled)
                except PictureError as error:
                    if error.reason == "outside_folder" and is_own:
                        raise
        for root in roots:
            found = self._below_root(root, picture, least)
            if found is not None:
                return found
        where = " or ".join(root.resolve().name or "/" for root in roots)
        hint = "; give their folder with --images" if self.images is None else ""
        return Missing(
            reason="missing_file",
            message=f"no file {'/'.join(picture.tail)!r:.200} in {where}{hint}",
        )

    def _roots(self, picture: MergedPicture) -> list[Path]:
        if self.images is not None:
            return [self.images]
        roots: list[Path] = []
        for folder in sorted({record.folder for record in picture.records}):
            roots.append(folder)
            if folder.absolute().name.lower() in ("annotations", "annotation", "labels"):
                roots.append(folder.absolute().parent)
        return list(dict.fromkeys(roots))

    def _least(self, picture: MergedPicture) -> tuple[str, ...]:
        """Return the least of its name that means this picture and no other of its split."""
        base = picture.tail[-1]
        return (base,) if self._named[picture.split, base] == 1 else picture.tail

    def _below_root(
        self, root: Path, picture: MergedPicture, least: tuple[str, ...]
    ) -> Path | Missing | None:
        """Return the one file below a folder that ends like the picture's name."""
        if root not in self._below:
            wanted = {one.tail[-1] for one in self.pictures}
            self._below[root] = _files_below(root, wanted)
        ending = "/" + "/".join(least)
        found = [
            name
            for name in self._below[root].get(picture.tail[-1], [])
            if f"/{name}".endswith(ending)
        ]
        if len(found) > 1 and picture.split is not None:
            of_split = [name for name in found if _split_of(name) == picture.split]
            found = of_split or found
        if len(found) > 1:
            names = ", ".join(sorted(found)[:3])
            return Missing(
                reason="ambiguous_file",
                message=f"{len(found)} files are called {ending[1:]!r:.120} ({names:.200}); "
                "give --images with the folder of one",
            )
        return locate(root, found[0]) if found else None


def _spellings(
    picture: MergedPicture, names: Sequence[PictureName], least: tuple[str, ...]
) -> Iterator[tuple[str, bool]]:
    """Yield what a picture's file may be called, and whether that is just what the name says."""
    places = _places(picture)
    seen: set[str] = set()
    for name in names:
        if name.given is not None and name.given not in seen:
            seen.add(name.given)
            yield name.given, not name.is_absolute
        for start in range(max(1, len(name.parts) - len(least) + 1)):
            rest = "/".join(name.parts[start:])
            for place in places:
                spelled = f"{place}{rest}"
                if spelled not in seen:
                    seen.add(spelled)
                    yield spelled, not name.is_absolute


def _places(picture: MergedPicture) -> list[str]:
    """Return the folders to look in, as prefixes."""
    splits: list[str] = []
    for record in picture.records:
        for link in record.links:
            linked = picture_name(link)
            if linked is not None and len(linked.parts) > 1 and split_in(linked.parts[-2]):
                splits.append(linked.parts[-2])
        splits += [record.split.spelled] if record.split else []
    splits += spellings(picture.split) if picture.split else ()
    # a split may be any text that a file states; what is no plain folder name is not looked in
    plain = [one for one in dict.fromkeys(splits) if "/" not in one and "\\" not in one]
    plain = [one for one in plain if one not in (".", "..") and "\0" not in one]
    return ["", "images/", *(f"{p}{one}/" for one in plain for p in ("", "images/"))]


def _split_of(name: str) -> str | None:
    folder, _, _ = name.rpartition("/")
    found = split_in(folder)
    return None if found is None else found.name


def _files_below(root: Path, wanted: set[str]) -> dict[str, list[str]]:
    """Return the files below a folder that have a wanted base name, as paths from it."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder, _, names in os.walk(root):
        for name in wanted.intersection(names):
            found[name].append((Path(folder) / name).relative_to(root).as_posix())
    return found
