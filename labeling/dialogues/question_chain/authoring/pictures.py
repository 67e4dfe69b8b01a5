"""Which picture of the catalog a chain is about, by whatever name of it is unambiguous."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Self

from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.dialogues.question_chain.authoring.chain_form import SaidPicture

_COLUMNS = ("image_id", "image", "source", "source_id")
_SHOWN = 3  # pictures of one name that an error lists


@dataclass(frozen=True, slots=True)
class _Known:
    image_id: str
    source: str
    source_id: str
    has_picture: bool


class PictureNotFound(ValueError):
    """No picture, or more than one, is called so; ``reason`` is a short code."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class PictureNames:
    """What the pictures of a catalog are called: by image id, id in the source, file or path."""

    _by_name: dict[str, list[_Known]]

    @classmethod
    def of(cls, workspace: Workspace) -> Self:
        """Return the names of a catalog; raises as ``load_items`` does."""
        by_name: dict[str, list[_Known]] = defaultdict(list)
        for row in load_items(workspace, _COLUMNS).to_pylist():
            known = _Known(row["image_id"], row["source"], row["source_id"], bool(row["image"]))
            source_id = known.source_id
            names = {known.image_id, source_id, source_id.rpartition("/")[2], row["image"]}
            for name in names - {None, ""}:
                by_name[name].append(known)
        return cls(by_name)

    def find(self, said: SaidPicture) -> str:
        """Return the image id of what is called so; raises PictureNotFound."""
        name = said.name or said.source_id or ""
        found = [
            one
            for one in self._by_name.get(name, [])
            if said.name or (one.source_id == name and said.source in (None, "", one.source))
        ]
        wanted = repr(excerpt(name, 80))
        if said.source:
            wanted += f" of the source {excerpt(said.source, 40)!r}"
        if not found:
            raise PictureNotFound(
                "unknown_picture",
                f"the catalog has no picture {wanted}; looked for it among image ids, ids in the"
                " source and file names",
            )
        if len(found) > 1:
            names = ", ".join(f"{one.image_id} ({one.source_id})" for one in found[:_SHOWN])
            raise PictureNotFound(
                "ambiguous_picture",
                f"{len(found)} pictures of the catalog are called {wanted}: {names}; write the"
                " image id",
            )
        if not found[0].has_picture:
            raise PictureNotFound("no_picture", f"the catalog has no picture file of {wanted}")
        return found[0].image_id
