"""Fills the dataset of an audit: what is there stays, what is new comes in, nothing judged goes.

Samples are inserted past FiftyOne's API, which takes twelve times as long; a test holds them to
what FiftyOne itself writes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pymongo import ReplaceOne, UpdateMany, UpdateOne
from pymongo.operations import IndexModel

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app.database import Address, alone, database_folder, workspace_digest
from labeling.audits.app.declaration import (
    FORM,
    Declaration,
    facet_types,
    joint_type,
    types_with_views,
)
from labeling.audits.app.declaring import declare_dataset
from labeling.audits.app.documents import (
    Document,
    TaskPicture,
    content,
    key_document,
    sample_document,
    shown_text,
)
from labeling.audits.app.environment import fiftyone_environment
from labeling.audits.app.judging import CONSEQUENCES
from labeling.audits.app.stored import MARK, SLOTS, TASKS, StoredAudit, keys_of, stored_audit
from labeling.audits.tasks.task import Task

if TYPE_CHECKING:
    from pymongo.database import Database

_BATCH = 1_000  # documents that are in memory at once
_MANY = 10  # times what is there
_JUDGED = {"$or": [{slot: {"$type": "object"}} for slot in SLOTS]}
_BY_AUDITOR = (("rank",), ("verdict", "at"))  # an auditor's own, by order and by time


def _indexes(facets: Mapping[str, Any]) -> list[IndexModel]:
    """Return the indexes of what is asked for with each judgement, and of the saved views."""
    own = [
        IndexModel(
            [(f"{slot}.auditor", 1), *((_path(slot, name), 1) for name in names)],
            partialFilterExpression={f"{slot}.auditor": {"$exists": True}},
        )
        for slot in SLOTS
        for names in _BY_AUDITOR
    ]
    in_order = [IndexModel([(name, 1), ("rank", 1)]) for name in ("seen_by", "open")]
    disputed = IndexModel(
        [("disputed", 1), ("rank", 1)], partialFilterExpression={"disputed": True}
    )
    single = [
        "rank",
        "filepath",
        *(name for name in ("type", "margin", "dialogue_id") if name in facets),
    ]
    return [
        IndexModel([("task_id", 1)], unique=True),
        *own,
        *in_order,
        disputed,
        *(IndexModel([(name, 1)]) for name in single),
    ]


def _path(slot: str, name: str) -> str:
    return name if name == "rank" else f"{slot}.{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What filling did to an audit: tasks by what became of them.

    ``closed``: no longer planned, so that nobody is offered them; what was decided of them stays.
    """

    audit: StoredAudit
    added: int
    changed: int
    closed: int
    kept: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditTasks:
    """The tasks of an audit, and the dataset they belong to.

    ``kind`` is that of the tasks or ``disagreements``; ``judged_by`` names, by task id, who may
    not judge a task because they did so before, beside those whom the task bars.
    """

    name: str
    kind: str
    blind: bool
    tasks: Sequence[Task]
    judged_by: Mapping[str, Sequence[str]]


def fill_audit(
    workspace: Workspace, address: Address, database: Any, audit: AuditTasks, auditor: str
) -> Filled:
    """Make the dataset of an audit, or bring it up to its tasks, with a view for an auditor.

    Raises WorkspaceError for pictures that are not where the catalog has them, UsageError where
    a dataset of that name is none of this workspace's audits.
    """
    pictures = _pictures(workspace, {task.image_id for task in audit.tasks})
    with alone(database_folder(workspace)):
        facets = facet_types(audit.tasks)
        found = _standing_audit(workspace, address, database, audit.name)
        _declare(
            Declaration(
                name=audit.name,
                kind=audit.kind,
                blind=audit.blind,
                workspace=workspace_digest(workspace),
                images=str(workspace.images.resolve()),
                facets=_joined(facets, found),
                types=types_with_views(audit.tasks),
                auditors=sorted({auditor, *(found.info["auditors"] if found else ())}),
            ),
            found,
            fiftyone_environment(address, workspace, auditor, dataset=audit.name),
        )
        stored = stored_audit(database, audit.name)
        return _Filling(stored, pictures, audit).fill()


def _declare(
    declaration: Declaration, found: StoredAudit | None, environment: Mapping[str, str]
) -> None:
    if found is None or found.info.get("declared") != declaration.digest():
        declare_dataset(declaration, environment)


def _joined(facets: Mapping[str, Any], found: StoredAudit | None) -> dict[str, Any]:
    joined = dict(found.info["facets"]) if found else {}
    for name, kind in facets.items():
        joined[name] = joint_type(name, joined.get(name), kind)
    return dict(sorted(joined.items()))


def _standing_audit(
    workspace: Workspace, address: Address, database: "Database[dict[str, Any]]", name: str
) -> StoredAudit | None:
    """Return the audit that is there, its pictures found again where the workspace was moved."""
    found = database["datasets"].find_one({"name": name})
    if found is None:
        return None
    info = found.get("info") or {}
    images = str(workspace.images.resolve())
    if info.get(MARK) != FORM:
        raise UsageError(
            f"the database holds a dataset {name!r} that is no audit of this version's; rename it"
            " there, or choose another database with FIFTYONE_DATABASE_NAME"
        )
    if info["images"] != images:
        if not address.is_own and Path(info["images"]).is_dir():
            raise UsageError(
                f"the database holds the audit {name!r} of another workspace, the one of"
                f" {info['images']}; choose another database with FIFTYONE_DATABASE_NAME"
            )
        _move(database, found, images)
    return stored_audit(database, name)


def _move(database: "Database[dict[str, Any]]", found: Mapping[str, Any], images: str) -> None:
    before = found["info"]["images"]
    database[found["sample_collection_name"]].update_many(
        {},
        [
            {
                "$set": {
                    "filepath": {
                        "$replaceOne": {
                            "input": "$filepath",
                            "find": {"$literal": before},
                            "replacement": {"$literal": images},
                        }
                    }
                }
            }
        ],
    )
    database["datasets"].update_one({"_id": found["_id"]}, {"$set": {"info.images": images}})


def _pictures(workspace: Workspace, wanted: set[str]) -> dict[str, TaskPicture]:
    """Return the pictures of tasks by image id; raise WorkspaceError where they are not there."""
    columns = ["image_id", "image", "width", "height"]
    table = store.read_table(workspace.catalog, "items-*.parquet", columns)
    root = workspace.images.resolve()
    rows = zip(*(table.column(name).to_pylist() for name in columns), strict=True)
    found = {
        image_id: TaskPicture(path=str(root / image), width=width, height=height)
        for image_id, image, width, height in rows
        if image_id in wanted and image is not None
    }
    unknown = sorted(wanted - found.keys())
    if unknown:
        raise WorkspaceError(
            f"{workspace.catalog}: holds no picture of {len(unknown):,} that are to be judged, the"
            f" first is {unknown[0]}; the catalog was made anew: plan and label again"
        )
    gone = sorted(each.path for each in found.values() if not Path(each.path).is_file())
    if gone:
        raise WorkspaceError(
            f"{len(gone):,} of {len(found):,} pictures to judge are gone, the first is {gone[0]};"
            " bring them back, or run the build-catalog command again with --force"
        )
    return found


class _Filling:
    """One run over the tasks of an audit."""

    def __init__(
        self, audit: StoredAudit, pictures: Mapping[str, TaskPicture], wanted: AuditTasks
    ) -> None:
        self.audit = audit
        self.samples = audit.samples
        self.keys = audit.database[TASKS]
        self.pictures = pictures
        self.wanted = wanted
        self.facets = audit.info["facets"]
        self.begun = datetime.now(UTC)

    def fill(self) -> Filled:
        tasks = self.wanted.tasks
        if len({task.task_id for task in tasks}) < len(tasks):
            raise ValueError(f"two tasks of {self.audit.name} have one id")
        standing = {each["task_id"]: each for each in self._standing()}
        keys = {each["task_id"]: each for each in self.keys.find(keys_of(self.audit.name))}
        new = [(rank, task) for rank, task in enumerate(tasks) if task.task_id not in standing]
        old = [(rank, task) for rank, task in enumerate(tasks) if task.task_id in standing]
        closed = sorted(standing.keys() - {task.task_id for task in tasks})
        if len(new) > _MANY * len(standing):
            self.samples.drop_indexes()  # they cost a third when made at the end
        self._add(new, keys)
        changed = self._change(old, standing, keys)
        self._close(closed)
        self.samples.create_indexes(_indexes(self.facets))
        self._count()
        return Filled(
            audit=stored_audit(self.audit.database, self.audit.name),
            added=len(new),
            changed=changed,
            closed=len(closed),
            kept=len(old) - changed,
        )

    def _standing(self) -> Iterator[Document]:
        slots = [f"{slot}.auditor" for slot in SLOTS]
        fields = ("task_id", "rank", "looks", "filepath", "judged_by", *slots)
        yield from self.samples.find({}, dict.fromkeys(fields, 1))

    def _add(self, new: Sequence[tuple[int, Task]], keys: Mapping[str, Document]) -> None:
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            # first the keys, so that there is never a sample without one
            stale = [keys[task.task_id]["_id"] for _, task in batch if task.task_id in keys]
            if stale:
                self.keys.delete_many({"_id": {"$in": stale}})
            made = [self._made(*each) for each in batch]
            self.keys.insert_many([key for key, _ in made], ordered=False)
            self.samples.insert_many([sample for _, sample in made], ordered=False)

    def _made(self, rank: int, task: Task) -> tuple[Document, Document]:
        """Return what of a new task is kept away, and its sample."""
        shown = shown_text(task)
        sample = sample_document(
            task,
            shown,
            rank,
            self.pictures[task.image_id],
            facets=self.facets,
            dataset_id=self.audit.dataset_id,
            made=self.begun,
        )
        sample["judged_by"] = self._barred(task)
        return key_document(self.audit.name, task, shown), sample

    def _barred(self, task: Task, sample: Mapping[str, Any] | None = None) -> list[str]:
        """Return who may not judge a task; who has a slot of it may think better of it."""
        slots = [(sample or {}).get(slot) or {} for slot in SLOTS]
        barred = {*task.barred, *self.wanted.judged_by.get(task.task_id, ())}
        return sorted(barred.difference(slot.get("auditor") for slot in slots))

    def _change(
        self,
        old: Sequence[tuple[int, Task]],
        standing: Mapping[str, Document],
        keys: Mapping[str, Document],
    ) -> int:
        samples: list[UpdateOne] = []
        kept_away: list[ReplaceOne[Document]] = []
        changed = 0
        for rank, task in old:
            sample, key = standing[task.task_id], keys[task.task_id]
            shown = shown_text(task)
            wanted = key_document(self.audit.name, task, shown)
            picture = self.pictures[task.image_id]
            fields: Document = {
                "rank": rank,
                "looks": task.looks,
                "filepath": picture.path,
                "judged_by": self._barred(task, sample),
            }
            if wanted["digest"] != key["digest"] and self._unjudged(
                sample, content(task, shown, picture, self.facets) | fields
            ):
                changed += 1
            else:
                if wanted["digest"] != key["digest"]:  # it was judged as it was shown
                    wanted = key | {name: wanted[name] for name in ("stratum", "probability")}
                if any(sample.get(name) != value for name, value in fields.items()):
                    samples.append(UpdateOne({"_id": sample["_id"]}, _replaced(fields)))
            if wanted != key:
                kept_away.append(ReplaceOne({"_id": key["_id"]}, wanted))
        for start in range(0, len(samples), _BATCH):
            self.samples.bulk_write(samples[start : start + _BATCH], ordered=False)
        for start in range(0, len(kept_away), _BATCH):
            self.keys.bulk_write(kept_away[start : start + _BATCH], ordered=False)
        return changed + len(samples)

    def _unjudged(self, sample: Mapping[str, Any], fields: Document) -> bool:
        """Change what a sample shows unless somebody judged it, be it since it was read."""
        free = {"_id": sample["_id"], **dict.fromkeys(SLOTS)}
        return bool(self.samples.update_one(free, _replaced(fields)).matched_count)

    def _close(self, closed: Sequence[str]) -> None:
        for start in range(0, len(closed), _BATCH):
            chosen = {"task_id": {"$in": closed[start : start + _BATCH]}}
            self.samples.bulk_write([UpdateMany(chosen, _replaced({"looks": 0}))])

    def _count(self) -> None:
        """Note how many tasks there are: those that are planned, and those that were judged."""
        total = self.samples.count_documents({"$or": [{"looks": {"$gt": 0}}, _JUDGED]})
        self.audit.database["datasets"].update_one(
            {"_id": self.audit.dataset_id}, {"$set": {"info.total": total}}
        )


def _replaced(fields: Document) -> list[Document]:
    """Return the update that sets fields, whatever their values look like, and what follows."""
    return [{"$set": {name: {"$literal": value} for name, value in fields.items()}}, *CONSEQUENCES]
