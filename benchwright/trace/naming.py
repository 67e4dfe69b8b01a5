"""What an id names: looked for in every table of a workspace that has ids, and in its answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from benchwright.asking.answers import IF_BROKEN
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.sqlite_file import read_only
from benchwright.trace.shelves import Shelf, Shelves, begins, is_id

Kind = Literal[
    "hidden-target",
    "false-premise",
    "candidate-set",
    "question-chain",
    "response",
    "picture",
    "source",
    "reject",
    "answer",
    "run",
    "release",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
FEWEST = 6  # letters of an id that may stand for all of it
_NEAR, _NEAREST = 60.0, 3  # likeness of 0 to 100 from which an id is named, and how many are
_SHOWN = 10  # of the ids that a prefix fits


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Named:
    """What an id names; ``turn`` is that of a candidate set, null for all of a dialogue."""

    kind: Kind
    name: str
    turn: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" + ("" if self.turn is None else f"/{self.turn}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A column of ids: in the files of stages, or of releases where ``stages`` is null."""

    stages: str | None
    files: str
    column: str
    kind: Kind


# what a record's table is called in runs, and the column of its id
TABLES: dict[Kind, tuple[str, str]] = {
    "hidden-target": ("trajectories", "episode_id"),
    "false-premise": ("responses", "dialogue_id"),
    "candidate-set": ("groundings", "dialogue_id"),
    "question-chain": ("answers", "chain_id"),
}
_PLACES = (
    Place(stages="catalog", files="items-*.parquet", column="image_id", kind="picture"),
    Place(stages="catalog", files="items-*.parquet", column="source_id", kind="source"),
    Place(stages="catalog", files="rejects.parquet", column="source_id", kind="reject"),
    Place(
        stages="galleries/*", files="episodes.parquet", column="episode_id", kind="hidden-target"
    ),
    *(
        Place(stages=f"dialogues/{kind}{below}", files="*.parquet", column=column, kind=kind)
        for kind, (_, column) in TABLES.items()
        if kind != "hidden-target"
        for below in ("", "/*", "/written/*")
    ),
    *(
        Place(stages="runs/*", files=f"{table}-*.parquet", column=column, kind=kind)
        for kind, (table, column) in TABLES.items()
    ),
    Place(stages="runs/*", files="responses-*.parquet", column="response_id", kind="response"),
    *(
        Place(stages=None, files=f"data/{kind}*/*.parquet", column=column, kind=kind)
        for kind, (_, column) in TABLES.items()
    ),
    Place(stages=None, files="data/images/*.parquet", column="image_id", kind="picture"),
)


def named(asked: str, shelves: Shelves, extra: Shelf | None = None) -> Named:
    """Return what an id names, whole or by its first ``FEWEST`` letters or more.

    ``KIND:ID`` takes one kind alone. ``extra`` is a release that lies elsewhere.

    Raises UsageError for an id that names nothing, with the nearest, or several things, with all.
    """
    kind, colon, rest = asked.partition(":")
    if colon and kind in KINDS:
        wanted = rest
        found = [one for one in _found(rest, shelves, extra) if one.kind == kind]
    else:
        wanted = asked
        found = _without_rejects(_found(asked, shelves, extra))
    if not found:
        raise UsageError(f"{excerpt(asked)}: {_unknown(wanted, shelves, extra)}")
    if len(found) > 1:
        shown = ", ".join(excerpt(str(one)) for one in found[:_SHOWN])
        more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
        raise UsageError(f"{excerpt(asked)}: names {len(found):,} things; trace {shown}{more}")
    return found[0]


def _found(asked: str, shelves: Shelves, extra: Shelf | None) -> list[Named]:
    """Return all that an id names: by the whole of it, else by its parts, else by its beginning."""
    folders = [*_folders(asked, shelves)]
    exact = [*folders, *_exactly(asked, shelves, extra)]
    if not exact:
        exact = _of_parts(asked, shelves, extra)
    if not exact and len(asked) >= FEWEST:
        exact = [one for one in _ids(shelves, extra, asked) if one.name.startswith(asked)]
        exact += _answers(shelves, asked)
    return sorted(set(exact), key=str)


def _without_rejects(found: Sequence[Named]) -> list[Named]:
    """Leave out rows that were refused where a picture has their id: they stand on its way."""
    pictures = {one.name for one in found if one.kind == "source"}
    return [one for one in found if not (one.kind == "reject" and one.name in pictures)]


def _exactly(asked: str, shelves: Shelves, extra: Shelf | None) -> Iterator[Named]:
    for place, shelf in _columns(shelves, extra):
        where = is_id(place.column, asked)
        if any(shelves.tables(shelf, place.files, where, [place.column], having=place.column)):
            yield Named(kind=place.kind, name=asked)


def _of_parts(asked: str, shelves: Shelves, extra: Shelf | None) -> list[Named]:
    """Return what DIALOGUE/TURN or GALLERY/EPISODE names, as decisions name them."""
    first, slash, last = asked.rpartition("/")
    if not slash:
        return []
    if last.isdecimal() and last.isascii() and len(last) < FEWEST:
        turn = Named(kind="candidate-set", name=first, turn=int(last))
        if _is_turn(turn, shelves, extra):
            return [turn]
    episodes = [*_exactly(last, shelves, extra)] if first.startswith("tau-") else []
    return [one for one in episodes if one.kind == "hidden-target"]


def _is_turn(turn: Named, shelves: Shelves, extra: Shelf | None) -> bool:
    for place, shelf in _columns(shelves, extra):
        if place.kind == turn.kind and shelves.has(shelf, place.files, "turn"):
            where = is_id(place.column, turn.name) & is_id("turn", turn.turn)
            if any(shelves.tables(shelf, place.files, where, [place.column], having="turn")):
                return True
    return False


def _folders(asked: str, shelves: Shelves) -> Iterator[Named]:
    for name in (asked, asked.removeprefix("runs/")):
        if any(one.name == f"runs/{name}" for one in shelves.stages("runs/*")):
            yield Named(kind="run", name=name)
    for one in shelves.releases:
        if asked in (one.name, one.name.removeprefix("releases/")):
            yield Named(kind="release", name=one.name)


def _columns(shelves: Shelves, extra: Shelf | None) -> Iterator[tuple[Place, Shelf]]:
    """Yield every column of ids that is there."""
    for place in _PLACES:
        some = [*shelves.releases, *([extra] if extra else [])]
        for shelf in some if place.stages is None else shelves.stages(place.stages):
            if shelf.holds(place.files) and shelves.has(shelf, place.files, place.column):
                yield place, shelf


def _ids(shelves: Shelves, extra: Shelf | None, prefix: str | None = None) -> Iterator[Named]:
    """Yield the ids of every column, those alone that begin so."""
    for place, shelf in _columns(shelves, extra):
        where = None if prefix is None else begins(place.column, prefix)
        for _, table in shelves.tables(
            shelf, place.files, where, [place.column], having=place.column
        ):
            for name in table.column(0).unique().to_pylist():
                if name is not None:
                    yield Named(kind=place.kind, name=name)


def _answers(shelves: Shelves, prefix: str) -> list[Named]:
    """Return the keys of answers that begin so; a key is 64 hex digits."""
    path = shelves.workspace.answers
    if not path.is_file() or not set(prefix) <= set("0123456789abcdef") or len(prefix) > 64:
        return []
    low, high = prefix.ljust(64, "0"), prefix.ljust(64, "f")
    with read_only(path, if_broken=IF_BROKEN) as run:
        rows = run(
            "SELECT DISTINCT key FROM attempts WHERE key BETWEEN ? AND ? LIMIT ?",
            (bytes.fromhex(low), bytes.fromhex(high), _SHOWN + 1),
        ).fetchall()
    return [Named(kind="answer", name=key.hex()) for (key,) in rows]


def _unknown(asked: str, shelves: Shelves, extra: Shelf | None) -> str:
    """Return one line that says where an id was looked for, and what is like it."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # only who errs pays for it

    ids = sorted({one.name for one in _ids(shelves, extra)})
    looked = sorted(
        {place.stages.partition("/")[0] if place.stages else "releases" for place in _PLACES}
        & {path.name for path in Path(shelves.workspace.root).glob("*")}
    )
    if shelves.workspace.answers.is_file():
        looked.append(shelves.workspace.answers.name)
    if extra is not None:
        looked.append(extra.name)
    if not looked:
        return f"nothing to trace in {shelves.workspace.root}; name a workspace by --workspace"
    said = f"no id of {len(ids):,} in {', '.join(looked)}"
    near = process.extract(asked, ids, scorer=fuzz.ratio, limit=_NEAREST, score_cutoff=_NEAR)
    if near:
        return f"{said}; near it: {', '.join(excerpt(name) for name, _, _ in near)}"
    return f"{said}, whole or by {FEWEST} letters or more"
