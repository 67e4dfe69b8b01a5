"""A record of a benchmark as its stage holds it, with the drafts and steps that it came of."""

from collections.abc import Sequence
from typing import Any

from benchwright.plain_text import counted, excerpt
from benchwright.trace.decisions import add_decisions
from benchwright.trace.naming import TABLES, Named
from benchwright.trace.shelves import Row, Shelf, Shelves, is_id
from benchwright.trace.way import Node, Way

_ON_A_LINE = 3  # pictures of a gallery
_STANDS, _WITHHELD = "dialogues.parquet", "withheld.parquet"


Held = list[tuple[str, Row]]  # rows with the keys of their steps


def add_record(way: Way, shelves: Shelves, named: Named, after: Sequence[str]) -> Held:
    """Add a record as the workspace holds it, and what it came of; return its rows.

    They are none where no stage holds it.
    """
    if named.kind == "hidden-target":
        return _add_episode(way, shelves, named, after)
    return _add_dialogue(way, shelves, named, after)


def _add_episode(way: Way, shelves: Shelves, named: Named, after: Sequence[str]) -> Held:
    found: Held = []
    for gallery in shelves.stages("galleries/*"):
        for row in shelves.rows(gallery, "episodes.parquet", is_id("episode_id", named.name)):
            folder = gallery.name.removeprefix("galleries/")
            key = _linked(way, _episode(shelves, row), after)
            found.append((key, row))
            ids = frozenset({f"{folder}/{named.name}", named.name})
            add_decisions(way, shelves, key, record_ids=ids)
    return found


def _episode(shelves: Shelves, row: Row) -> Node:
    values = row.values
    shown = counted(len(values["image_ids"]), "picture")
    members = [
        f"{number}. {image_id} {similarity:.2f}"
        for number, (image_id, similarity) in enumerate(
            zip(values["image_ids"], values["similarities"], strict=True), 1
        )
    ]
    lines = [
        "; ".join(members[start : start + _ON_A_LINE])
        for start in range(0, len(members), _ON_A_LINE)
    ]
    solved = "can be solved" if values["identifiable_protocol"] else "no solution by the protocol"
    return Node(
        key=f"record:{row.shelf.name}/{values['episode_id']}",
        step="record",
        says=(
            f"episode {values['episode_id']} at τ {values['tau']}: {shown}, pool of"
            f" {values['pool_size']:,}, {solved}",
            f"picture {values['target_index']} is the target; beside each, how similar it is",
            *lines,
        ),
        facts={
            name: values[name]
            for name in ("episode_id", "tau", "target_id", "target_index", "image_ids", "seed")
        },
        files=shelves.check(row.shelf, row.file),
        warnings=shelves.stale(row.shelf),
    )


def _add_dialogue(way: Way, shelves: Shelves, named: Named, after: Sequence[str]) -> Held:
    stage = shelves.stage(f"dialogues/{named.kind}")
    found: Held = []
    ends = list(after)
    for file in (_STANDS, _WITHHELD):
        rows = _rows(shelves, stage, file, named) if stage else []
        if rows:
            ends = [_linked(way, _dialogue(shelves, named, rows, file), after)]
            found += [(ends[0], row) for row in rows]
    below = [
        *shelves.stages(f"dialogues/{named.kind}/*"),
        *shelves.stages(f"dialogues/{named.kind}/written/*"),
    ]
    record_ids = {_record_id(named, row) for _, row in found}
    for shelf in sorted(below, key=_order):
        rows = _rows(shelves, shelf, "*.parquet", named)
        if not rows:
            continue
        key = _linked(way, _step(shelves, named, rows), ends)
        if shelf.name.endswith("/drafts"):
            record_ids |= {_record_id(named, row) for row in rows}
            found = found or [(key, row) for row in rows]
            ends = [key]
    if found:
        add_decisions(way, shelves, found[0][0], record_ids=frozenset(record_ids))
    return found


def _order(shelf: Shelf) -> tuple[bool, str]:
    """Drafts come first: the steps before them are what they were made of."""
    return not shelf.name.endswith("/drafts"), shelf.name


def _rows(shelves: Shelves, shelf: Shelf, pattern: str, named: Named) -> list[Row]:
    column = TABLES[named.kind][1]
    if not shelf.holds(pattern) or not shelves.has(shelf, pattern, column):
        return []
    where = is_id(column, named.name)
    if named.turn is not None and shelves.has(shelf, pattern, "turn"):
        where &= is_id("turn", named.turn)
    return [*shelves.rows(shelf, pattern, where, having=column)]


def _record_id(named: Named, row: Row) -> str:
    """Return the id by which decisions name a record."""
    if named.kind == "candidate-set":
        return f"{named.name}/{row.values['turn']}"
    return named.name


def _dialogue(shelves: Shelves, named: Named, rows: Sequence[Row], file: str) -> Node:
    shelf = rows[0].shelf
    stands = "stands" if file == _STANDS else "is withheld"
    return Node(
        key=f"record:{shelf.name}/{named.name}/{file}",
        step="record",
        says=(f"{excerpt(str(named))} {stands}", *_told(named, rows)),
        facts={"stands": file == _STANDS, "records": [_facts(named, row) for row in rows]},
        files=shelves.check(shelf, file),
        warnings=shelves.stale(shelf),
    )


def _told(named: Named, rows: Sequence[Row]) -> list[str]:
    said = []
    for row in rows:
        one = row.values
        if named.kind == "false-premise":
            said.append(
                f"variant {one['variant']}, {one['premise_class']}: true"
                f" {excerpt(one['true_description'])}; false"
                f" {excerpt(one['false_description'])}"
            )
        elif named.kind == "candidate-set":
            plausible = f"{len(one['candidate_ids'])} of {len(one['boxes'])} boxes plausible"
            said.append(f"turn {one['turn']}: {plausible}")
        else:
            said.append(f"{counted(len(one['steps']), 'step')} to: {excerpt(one['question'])}")
    return said


def _facts(named: Named, row: Row) -> dict[str, Any]:
    names = {
        "false-premise": ("dialogue_id", "image_id", "box", "variant", "premise_class"),
        "candidate-set": ("dialogue_id", "image_id", "turn", "candidate_ids"),
        "question-chain": ("chain_id", "image_id", "author", "question"),
    }[named.kind]
    return {name: row.values[name] for name in names}


def _step(shelves: Shelves, named: Named, rows: Sequence[Row]) -> Node:
    """Return a step of drafting: how many rows are of the record, and which models made them."""
    shelf = rows[0].shelf
    models = sorted({name for row in rows for name in _models(row)})
    by = f" by {excerpt(', '.join(models))}" if models else ""
    return Node(
        key=f"draft:{shelf.name}/{named.name}",
        step="draft",
        says=(f"{shelf.name}: {counted(len(rows), 'row')}{by}",),
        facts={"stage": shelf.name, "rows": len(rows), "models": models},
        files=shelves.check(shelf, *(row.file for row in rows)),
        warnings=shelves.stale(shelf),
    )


def _models(row: Row) -> list[str]:
    said = [row.values.get(name) for name in ("model", "voter", "generator", "author")]
    used = [one.get("model") for one in row.values.get("models") or ()]
    return [str(name) for name in (*said, *used) if name]


def _linked(way: Way, node: Node, after: Sequence[str]) -> str:
    """Add a step as what each of ``after`` was made of."""
    key = way.add(node)
    for later in after:
        way.add(node, later)
    return key
