"""Which pictures a catalog is made of: listed, with a file or a link, asked for, sampled."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchwright.seeds import draw
from builders.open_images.finding import PictureIndex
from builders.open_images.headers import Kind
from builders.open_images.numbers import number
from builders.open_images.reading import Sheet, Unreadable, read_lines

_ANNOTATIONS: tuple[Kind, ...] = ("boxes", "labels", "relations", "masks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What pictures are wanted: with ``limit`` so many of them, with ``codes`` only with these.

    Where ``index`` is null no picture needs a file; ``by_link`` says that a link will do.
    """

    index: PictureIndex | None
    by_link: bool
    limit: int | None
    codes: frozenset[str] | None
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The pictures of a catalog, and those that lack a file (counted only without a limit).

    ``are_listed`` tells whether image lists say which pictures there are, or all files do.
    ``is_narrowed``: pictures that are in neither set may just not have been asked for.
    """

    ids: frozenset[str]
    missing: frozenset[str]
    are_listed: bool
    is_narrowed: bool


def choose(sheets: Sequence[Sheet], wanted: Wanted) -> Choice:
    """Choose the pictures, reading the files once and keeping no more than ids.

    With a limit the pictures with the smallest seeded hash of their ids are taken, whatever the
    order of the rows, out of those that have a file or a link.
    """
    listing = [sheet for sheet in sheets if sheet.layout.kind == "images"]
    naming = [sheet for sheet in sheets if sheet.layout.kind in _ANNOTATIONS]
    with_class = None if wanted.codes is None else _with_class(naming, wanted.codes)
    sample = _Sample(wanted.limit, wanted.seed)
    missing: set[str] = set()
    are_listed = any(True for sheet in listing for _ in _ids(sheet))
    for sheet in listing if are_listed else naming:
        for image_id, has_link in _ids(sheet):
            if with_class is not None and image_id not in with_class:
                continue
            index = wanted.index
            if index is None or index.has(image_id) or (wanted.by_link and has_link):
                sample.add(image_id)
            elif wanted.limit is None:
                missing.add(image_id)
    return Choice(
        ids=frozenset(sample.kept),
        missing=frozenset(missing - sample.kept),
        are_listed=are_listed,
        is_narrowed=wanted.limit is not None or wanted.codes is not None,
    )


def _ids(sheet: Sheet) -> Iterator[tuple[str, bool]]:
    """Yield the id that each record names, and whether there is a link beside it."""
    columns = sheet.layout.columns
    place, link = columns["imageid"], columns.get("originalurl")
    for record in read_lines(sheet):
        if isinstance(record, Unreadable):
            continue
        cells = record[1]
        if image_id := cells[place].strip():
            yield image_id, link is not None and bool(cells[link].strip())


def _with_class(sheets: Sequence[Sheet], codes: frozenset[str]) -> frozenset[str]:
    """Return the pictures that show one of the classes: a box, a mask, or a verified label."""
    found: set[str] = set()
    for sheet in sheets:
        columns = sheet.layout.columns
        id_place = columns["imageid"]
        names = ("labelname", "labelname1", "labelname2")
        places = [columns[name] for name in names if name in columns]
        holds = _verified(sheet) if sheet.layout.kind == "labels" else None
        for record in read_lines(sheet):
            if isinstance(record, Unreadable):
                continue
            cells = record[1]
            shown = any(cells[place].strip() in codes for place in places)
            if shown and (holds is None or holds(cells)):
                found.add(cells[id_place].strip())
    return frozenset(found)


def _verified(sheet: Sheet) -> Callable[[list[str]], bool]:
    columns = sheet.layout.columns
    confidence, source = columns["confidence"], columns.get("source")

    def holds(cells: list[str]) -> bool:
        by_machine = source is not None and cells[source].strip().lower() == "machine"
        return not by_machine and (number(cells[confidence]) or 0.0) > 0

    return holds


@dataclass(slots=True)
class _Sample:
    """The ids with the smallest seeded hashes, at most ``limit`` of them; all without one."""

    limit: int | None
    seed: int
    kept: set[str] = field(default_factory=set)
    _largest: list[tuple[int, str]] = field(default_factory=list)  # a heap, hashes negated

    def add(self, image_id: str) -> None:
        if image_id in self.kept:
            return
        if self.limit is None:
            self.kept.add(image_id)
            return
        entry = (-draw(self.seed, "open-images", image_id), image_id)
        if len(self._largest) < self.limit:
            heapq.heappush(self._largest, entry)
            self.kept.add(image_id)
        elif entry[0] > self._largest[0][0]:
            _, dropped = heapq.heapreplace(self._largest, entry)
            self.kept.remove(dropped)
            self.kept.add(image_id)
