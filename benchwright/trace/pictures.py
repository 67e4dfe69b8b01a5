"""The way of a picture: what is held of it and why, the item of the catalog, the source row."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.files import sha256_of
from benchwright.plain_text import counted, excerpt
from benchwright.trace.counting import counts_text
from benchwright.trace.decisions import add_decisions
from benchwright.trace.shelves import Row, Shelf, Shelves, is_id
from benchwright.trace.source_files import add_source_files
from benchwright.trace.votes import add_votes
from benchwright.trace.way import Check, Node, Way

_CATALOG, _LABELS = "catalog", "labels"
_PLAIN = (
    "image_id",
    "image",
    "sha256",
    "width",
    "height",
    "source",
    "source_id",
    "split",
    "group_id",
    "title",
    "category",
    "url",
    "licence",
    "author",
)


def item_of(shelves: Shelves, image_id: str) -> Row | None:
    """Return the item of the catalog, without what is nested; null where there is none."""
    shelf = shelves.stage(_CATALOG)
    if shelf is None:
        return None
    found = shelves.rows(shelf, "items-*.parquet", is_id("image_id", image_id), _PLAIN)
    return next(found, None)


def image_ids(shelves: Shelves, source_id: str) -> list[str]:
    """Return the pictures of a catalog that its source calls so."""
    shelf = shelves.stage(_CATALOG)
    if shelf is None:
        return []
    where = is_id("source_id", source_id)
    found = shelves.rows(shelf, "items-*.parquet", where, ["image_id"])
    return [str(row.values["image_id"]) for row in found]


def add_picture(
    way: Way, shelves: Shelves, image_id: str, after: str | None, released: Shelf | None = None
) -> None:
    """Add a picture with all that it was made of.

    Where the catalog is not on this disk, ``released`` says what its release knows of it.
    """
    item = item_of(shelves, image_id)
    if item is None:
        _add_released(way, shelves, image_id, after, released)
        return
    values = item.values
    key = way.add(
        Node(
            key=f"picture:{image_id}",
            step="picture",
            says=tuple(_described(values)),
            facts=dict(values),
            files=shelves.check(item.shelf, item.file),
            warnings=tuple(_lost(shelves, values)),
        ),
        after,
    )
    _add_labels(way, shelves, image_id, key)
    _add_source(way, shelves, item, key)


def add_rejects(way: Way, shelves: Shelves, source_id: str, after: str | None) -> None:
    """Add the rows that the source calls so and that were left out, with their reasons."""
    shelf = shelves.stage(_CATALOG)
    if shelf is None:
        return
    rows = [*shelves.rows(shelf, "rejects.parquet", is_id("source_id", source_id))]
    for number, row in enumerate(rows, 1):
        one = row.values
        place = excerpt(str(one["path"])) if one["path"] is not None else "the source"
        where = place if one["row"] is None else f"{place}, row {one['row']:,}"
        key = way.add(
            Node(
                key=f"reject:{source_id}:{number}",
                step="reject",
                says=(
                    f"{one['kind']} {excerpt(source_id)} of {one['source']}, left out:"
                    f" {one['reason']} ({excerpt(one['message'])})",
                    f"it stands in {where}",
                ),
                facts=dict(one),
                files=shelves.check(shelf, row.file),
            ),
            after,
        )
        _add_files(way, shelf, f"{one['source']} {excerpt(source_id)}", key)


def _described(values: Mapping[str, Any]) -> list[str]:
    size = f", {values['width']} x {values['height']}" if values.get("width") else ""
    said = [f"{values['image_id']}{size}: {values['source']} {excerpt(values['source_id'])}"]
    if values.get("image"):
        said.append(f"catalog/images/{values['image']}")
    told = [
        f"{name} {excerpt(str(values[name]))}"
        for name in ("title", "category", "licence", "author", "url", "group_id", "split")
        if values.get(name)
    ]
    return [*said, "; ".join(told)] if told else said


def _lost(shelves: Shelves, values: Mapping[str, Any]) -> list[str]:
    if values["image"] is None:
        return []
    path = shelves.workspace.images / values["image"]
    if not path.is_file():
        return ["its picture is gone"]
    return [] if sha256_of(path) == values["sha256"] else ["its picture is another one"]


def _add_labels(way: Way, shelves: Shelves, image_id: str, after: str) -> None:
    shelf = shelves.stage(_LABELS)
    where = is_id("image_id", image_id)
    columns = ["object_id", "type", "value", "answer", "origin", "auditor", "votes_counted"]
    rows = [] if shelf is None else [*shelves.rows(shelf, "labels.parquet", where, columns)]
    key = after
    if shelf is not None and rows:
        labels = [row.values for row in rows]
        answers, origins = _counts(labels, "answer"), _counts(labels, "origin")
        yes = [f"{one['type']} {one['value']}" for one in labels if one["answer"] == "yes"]
        audited = [
            f"{one['type']} {one['value']} is {one['answer']}"
            for one in labels
            if one["origin"] == "audited"
        ]
        says = [f"{counted(len(rows), 'label')}: {counts_text(answers)}; {counts_text(origins)}"]
        says += [f"yes: {excerpt(', '.join(yes))}"] if yes else []
        says += [f"audited: {excerpt(', '.join(audited))}"] if audited else []
        key = way.add(
            Node(
                key=f"labels:{image_id}",
                step="labels",
                says=tuple(says),
                facts={"answers": answers, "origins": origins, "labels": labels},
                files=shelves.check(shelf, *(row.file for row in rows)),
                warnings=shelves.stale(shelf),
            ),
            after,
        )
    add_decisions(way, shelves, key, image_id=image_id)
    add_votes(way, shelves, where, f"votes:{image_id}", key)


def _counts(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, int]:
    return dict(sorted(Counter(str(row[name]) for row in rows).items()))


def _add_source(way: Way, shelves: Shelves, item: Row, after: str) -> None:
    source, source_id = item.values["source"], item.values["source_id"]
    _add_files(way, item.shelf, f"{source} {excerpt(source_id)}", after)
    add_rejects(way, shelves, source_id, after)
    rows = [*shelves.rows(item.shelf, "changes.parquet", is_id("source_id", source_id))]
    if rows:
        way.add(
            Node(
                key=f"changes:{source_id}",
                step="source",
                says=tuple(
                    f"changed: {row.values['reason']} ({excerpt(row.values['message'])})"
                    for row in rows
                ),
                facts={"changes": [dict(row.values) for row in rows]},
                files=shelves.check(item.shelf, rows[0].file),
            ),
            after,
        )


def _add_files(way: Way, catalog: Shelf, row: str, after: str) -> None:
    if catalog.manifest is not None:
        plan = catalog.manifest.plan
        add_source_files(way, plan.inputs, plan.settings, after, row=row, seed=plan.seed)


def _add_released(
    way: Way, shelves: Shelves, image_id: str, after: str | None, released: Shelf | None
) -> None:
    """Add what a release says of a picture, and that the way ends there."""
    found = None
    if released is not None:
        where = is_id("image_id", image_id)
        columns = [*_PLAIN[:1], *_PLAIN[2:]]
        found = next(shelves.rows(released, "data/images/*.parquet", where, columns), None)
    files: dict[str, Check] = {}
    says = [f"{image_id}: no catalog of this workspace holds it"]
    if found is not None and released is not None:
        says = _described(found.values)
        files = shelves.check(released, found.file)
    key = way.add(
        Node(
            key=f"picture:{image_id}",
            step="picture",
            says=tuple(says),
            facts=dict(found.values) if found is not None else {"image_id": image_id},
            files=files,
        ),
        after,
    )
    way.add(
        Node(
            key=f"end:{image_id}",
            step="end",
            says=("the way ends here: the catalog is that of another workspace",),
            facts={},
        ),
        key,
    )
