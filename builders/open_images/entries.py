"""From the notes on pictures to entries of the catalog, and the files of their pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from benchwright.errors import PictureError
from benchwright.identity import image_id_of
from benchwright.pictures import locate
from benchwright.records import Change, Item, Reject
from builders.links import Link
from builders.open_images.classes import Names
from builders.open_images.collecting import Notes
from builders.open_images.finding import PictureIndex
from builders.open_images.labels import labels_of
from builders.open_images.listing import Listing, merged
from builders.open_images.objects import scene_of
from builders.open_images.rows import MaskRow
from builders.open_images.turning import StoredPicture, read_original
from builders.outcomes import Entry
from builders.settling import refused_with_all

_Source = Link | StoredPicture


@dataclass(slots=True)
class Made:
    """The entries, with all that goes beside them.

    ``changes`` are by picture, ``masks`` by object; ``sizes`` are of the files that are used, by
    the names that the digest of the inputs takes.
    """

    entries: list[Entry[_Source]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    changes: dict[str, list[Change]] = field(default_factory=dict)
    masks: dict[str, Path] = field(default_factory=dict)
    sizes: list[tuple[str, int | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMaker:
    """Makes entries: by ``names`` of classes, with pictures from ``pictures`` or from links.

    Without ``pictures`` items have none. Masks are looked for in each of ``mask_folders``.
    """

    source: str
    names: Names
    pictures: PictureIndex | None
    mask_folders: Sequence[PictureIndex]
    by_link: bool

    def add(self, made: Made, image_id: str, notes: Notes) -> None:
        """Make the entry of one picture, or the rejects of it and all that it holds."""
        listing, changes = Listing(image_id=image_id), list[Change]()
        if notes.listings:
            listing, changes = merged(notes.listings, self.source)
        labels = labels_of(image_id, notes.labels, self.names, self.source)
        scene = scene_of(
            image_id, notes.boxes, notes.masks, notes.relations, self.names, self.source
        )
        entry: Entry[_Source] = Entry(
            item=replace(self._item(listing), attributes=labels.attributes, objects=scene.objects),
            picture=None,
            row=listing.row,
            path=listing.path,
            where=image_id,
        )
        made.rejects += scene.rejects
        try:
            entry = replace(entry, picture=self._picture(listing, made))
        except PictureError as error:
            made.rejects += refused_with_all(entry, error.reason, str(error))
            return
        made.entries.append(entry)
        made.changes[image_id] = [*changes, *labels.changes, *scene.changes]
        for object_id, row in sorted(scene.masks.items()):
            self._find_mask(made, listing, object_id, row)

    def _item(self, listing: Listing) -> Item:
        return Item(
            image_id=image_id_of(self.source, listing.image_id),
            image=None,
            sha256=None,
            width=None,
            height=None,
            source=self.source,
            source_id=listing.image_id,
            split=listing.split,
            group_id=None,
            title=listing.title,
            category=None,
            url=listing.original_url or listing.landing_url,
            licence=listing.licence,
            author=listing.author or listing.author_url,
            attributes=(),
            objects=(),
            captions=(),
            dialogues=(),
        )

    def _picture(self, listing: Listing, made: Made) -> _Source | None:
        index = self.pictures
        if index is None:
            return None
        if self.by_link and listing.original_url and not index.has(listing.image_id):
            rotation, md5 = listing.rotation, listing.md5
            return Link(
                url=listing.original_url,
                make=partial(read_original, rotation=rotation, md5=md5),
                recipe=f"rotation {rotation}, md5 {md5}",
            )
        found = index.find(listing.image_id, listing.split)
        path = locate(found.folder, found.name)
        made.sizes.append((found.name, path.stat().st_size))
        return StoredPicture(path=path, rotation=listing.rotation)

    def _find_mask(self, made: Made, listing: Listing, object_id: str, row: MaskRow) -> None:
        failure = PictureError("missing_file", f"no file of {row.mask_path!r}")
        for index in self.mask_folders:
            try:
                path = index.find_mask(row.mask_path, listing.split)
            except PictureError as error:
                failure = error
                continue
            made.sizes.append((f"mask {row.mask_path}", path.stat().st_size))
            made.masks[object_id] = path
            return
        made.changes[listing.image_id].append(
            Change(
                source=self.source,
                kind="object",
                source_id=object_id,
                reason="no_mask",
                message=f"kept without its mask: {failure}",
            )
        )
