"""Following a record from the score back to the source row."""

from collections.abc import Sequence
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.trace.naming import TABLES, Named, named
from benchwright.trace.pictures import add_picture, add_rejects, image_ids
from benchwright.trace.releases import add_release, add_whole_release, configs_of, rows_of
from benchwright.trace.runs import Wanted, add_runs, add_whole_run, runs_of
from benchwright.trace.samples import add_record
from benchwright.trace.shelves import Row, Shelf, Shelves, is_id
from benchwright.trace.uses import add_uses
from benchwright.trace.votes import add_answers, add_votes, votes_of
from benchwright.trace.way import Way
from benchwright.workspace import Workspace


def trace(
    workspace: Workspace, asked: str, *, run: str | None = None, release: Path | None = None
) -> Way:
    """Return the way of what an id names, from the score to the source row.

    ``run`` takes the runs of one name alone; ``release`` is the folder of a release that lies
    elsewhere. Raises UsageError for an id that names nothing or several things, and for a run or
    a release that is not there; CorruptShard for a file that cannot be read.
    """
    return _followed(Shelves(workspace), asked, run, release)


def _followed(shelves: Shelves, asked: str, run: str | None, release: Path | None) -> Way:
    extra = None if release is None else shelves.release(release)
    if release is not None and extra is None:
        raise UsageError(f"{release}: no release there; name the folder with release.lock.json")
    runs = runs_of(shelves, run)
    what = named(asked, shelves, extra)
    way = Way(asked=asked, called=str(what))
    if what.kind in TABLES:
        table, column = TABLES[what.kind]
        where = is_id(column, what.name)
        if what.turn is not None:
            where &= is_id("turn", what.turn)
        wanted = Wanted(kind=what.kind, table=table, rows=where, record=where)
        _from_record(way, shelves, what, wanted, runs, extra, is_of_runs=run is not None)
    elif what.kind == "response":
        _from_response(way, shelves, what.name, runs, extra)
    else:
        _from_other(way, shelves, what, extra)
    return way


def _from_other(way: Way, shelves: Shelves, what: Named, extra: Shelf | None) -> None:
    """Add the way of what is no record of a benchmark."""
    match what.kind:
        case "picture":
            _from_picture(way, shelves, what.name, extra)
        case "source":
            for image_id in image_ids(shelves, what.name):
                _from_picture(way, shelves, image_id, extra)
        case "reject":
            add_rejects(way, shelves, what.name, None)
        case "answer":
            _from_answer(way, shelves, what.name)
        case "run":
            add_whole_run(way, shelves, what.name, extra)
        case "release":
            shelf = next(one for one in shelves.releases if one.name == what.name)
            add_whole_release(way, shelves, shelf, None)
        case _:
            raise AssertionError(what.kind)


def _from_record(
    way: Way,
    shelves: Shelves,
    what: Named,
    wanted: Wanted,
    runs: Sequence[Shelf],
    extra: Shelf | None,
    *,
    is_of_runs: bool,
) -> None:
    """Add all that was made of a record, the record, and what it was made of."""
    released = add_runs(way, shelves, wanted, runs, extra)
    if not is_of_runs:
        for one in [extra] if extra else shelves.releases:
            for config in configs_of(one, what.kind):
                rows = rows_of(shelves, one, config, wanted.record)
                if rows:
                    key = add_release(way, shelves, one, config, rows, (), None)
                    released.setdefault(key, (one, rows))
    found = add_record(way, shelves, what, list(released))
    for key, row in found:
        add_picture(way, shelves, _picture(row), key)
    if found:
        return
    for key, (shelf, rows) in released.items():
        for row in rows:
            add_picture(way, shelves, _picture(row), key, shelf)


def _picture(row: Row) -> str:
    """Return the picture that a record is about: of an episode the target."""
    values = row.values
    name = values["target_id"] if "target_id" in values else values["image_id"]
    return str(name)


def _from_picture(way: Way, shelves: Shelves, image_id: str, extra: Shelf | None) -> None:
    used = add_uses(way, shelves, image_id)
    holders = [*shelves.releases, *([extra] if extra else [])]
    where = is_id("image_id", image_id)
    released = next((one for one in holders if rows_of(shelves, one, "images", where)), None)
    add_picture(way, shelves, image_id, used, released)


def _from_answer(way: Way, shelves: Shelves, key: str) -> None:
    where = is_id("answer_key", key)
    votes = votes_of(shelves, where)
    if not votes:
        add_answers(way, shelves, [key], f"answers of {key}", None)
        return
    add_votes(way, shelves, where, f"votes of {key}", None)
    for image_id in sorted({str(row.values["image_id"]) for row in votes}):
        add_picture(way, shelves, image_id, None)


def _from_response(
    way: Way, shelves: Shelves, name: str, runs: Sequence[Shelf], extra: Shelf | None
) -> None:
    table, column = TABLES["false-premise"]
    where = is_id("response_id", name)
    there = [one for one in runs if shelves.has(one, f"{table}-*.parquet", "response_id")]
    rows = [row for run in there for row in shelves.rows(run, f"{table}-*.parquet", where)]
    for dialogue in sorted({str(row.values[column]) for row in rows}):
        what = Named(kind="false-premise", name=dialogue)
        record = is_id(column, dialogue)
        wanted = Wanted(kind=what.kind, table=table, rows=where, record=record)
        _from_record(way, shelves, what, wanted, there, extra, is_of_runs=True)
