"""Audits in the App: ``python -m benchmarks.audits [JUDGEMENTS]``. Needs the extra review.

Fills a dataset with 75,000 judgements and reads them back, ours beside FiftyOne's own ways in one
run: add_samples with the same declared schema, iteration, and values(). Those take 5,000 samples
of the same tasks, scaled to all. What counts is CPU-seconds, those of mongod among them. Ours also
writes what is kept away from the screen, and looks for what is there already. Checked is that both
wrote the same samples and read the same decisions; each of ours must take a tenth at most. The
dataset is declared beforehand, by the same code for both.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.contest import Disagreement
from benchwright.decisions.standing import Thing
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.sample.build import build_sample
from labeling.audits.app.database import Address, database_folder, opened, served
from labeling.audits.app.environment import fiftyone_environment
from labeling.audits.app.filling import AuditTasks, fill_audit
from labeling.audits.app.judging import CONSEQUENCES, now
from labeling.audits.app.reading import read_slots
from labeling.audits.app.stored import StoredAudit, stored_audit
from labeling.audits.tasks.task import Slot, Task

JUDGEMENTS, THEIRS, WANTED = 75_000, 5_000, 10
_OURS_ALONE = ("_id", "_rand", "_dataset_id", "created_at", "last_modified_at", "metadata", "rank")
_SLOT = ("auditor", "verdict", "value", "text", "failed", "boxes", "note", "seconds", "at")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Spent:
    """CPU-seconds of this process and of mongod, and seconds on the clock."""

    cpu: float = 0.0
    wall: float = 0.0


def tasks_of(workspace: Workspace, count: int) -> list[Task]:
    items = [item for item in iterate_items(workspace) if item.image is not None]
    return [
        Task(
            task_id=f"judgement-{number}",
            kind="attributes",
            image_id=items[number % len(items)].image_id,
            thing=Thing(items[number % len(items)].image_id, None, None, f"colour/v{number}"),
            before="yes",
            stratum="colour: 0.2 to 0.5",
            probability=0.25,
            facets={
                "type": "colour",
                "value": f"v{number % 50}",
                "margin": number % 97 / 97,
                "machine": "yes",
            },
            shown={"question": f"Is it v{number % 50}?", "votes": [["a", "yes"], ["b", "no"]]},
        )
        for number in range(count)
    ]


def audit_of(name: str, tasks: list[Task]) -> AuditTasks:
    return AuditTasks(name=name, kind="attributes", blind=False, tasks=tasks, judged_by={})


def cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def watched(mongod: int) -> Iterator[Spent]:
    spent = Spent()
    clock, own, its = time.perf_counter(), time.process_time(), cpu_of(mongod)
    yield spent
    spent.wall = time.perf_counter() - clock
    spent.cpu = time.process_time() - own + cpu_of(mongod) - its


def measured(mongod: int, work: Callable[[], Any]) -> tuple[Any, Spent]:
    with watched(mongod) as spent:
        found = work()
    return found, spent


def add_samples(dataset: Any, documents: list[dict[str, Any]]) -> None:
    """Write samples as the documentation of FiftyOne shows it."""
    import fiftyone as fo  # noqa: PLC0415  # when the environment says which database

    fields = [name for name in documents[0] if name not in (*_OURS_ALONE, "_media_type", "tags")]
    dataset.add_samples(
        [
            fo.Sample(
                metadata=fo.ImageMetadata(
                    width=each["metadata"]["width"], height=each["metadata"]["height"]
                ),
                rank=each["rank"],
                **{name: each[name] for name in fields},
            )
            for each in documents
        ]
    )


def iterate(dataset: Any) -> list[tuple[str, Slot]]:
    return [
        (sample["task_id"], _slot(sample["slot_1"].to_dict()))
        for sample in dataset.iter_samples()
        if sample["slot_1"] is not None
    ]


def values(dataset: Any) -> list[tuple[str, Slot]]:
    columns = dataset.values(["task_id", *(f"slot_1.{name}" for name in _SLOT)])
    return [
        (row[0], _slot(dict(zip(_SLOT, row[1:], strict=True))))
        for row in zip(*columns, strict=True)
    ]


def _slot(said: dict[str, Any]) -> Slot:
    said = {name: said[name] for name in _SLOT}
    return Slot(**said | {"failed": tuple(said["failed"]), "boxes": tuple(said["boxes"])})


def judge_all(audit: StoredAudit) -> None:
    slot = asdict(Slot(auditor="ana", verdict="confirmed", seconds=2.5, note="seen", at=now()))
    slot |= {"failed": [], "boxes": [], "_cls": "DynamicEmbeddedDocument"}
    audit.samples.update_many({}, [{"$set": {"slot_1": {"$literal": slot}}}, *CONSEQUENCES])


def compare(ours: list[dict[str, Any]], theirs: StoredAudit) -> None:
    written = {each["task_id"]: _said(each) for each in theirs.samples.find()}
    if written != {each["task_id"]: _said(each) for each in ours}:
        raise Disagreement("FiftyOne wrote other samples than ours")


def _said(document: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in document.items()
        if value is not None and name not in _OURS_ALONE
    }


def contest(workspace: Workspace, address: Address, count: int) -> Iterator[str]:
    mongod = int((database_folder(workspace) / "mongod.pid").read_text())
    some = min(count, THEIRS)
    tasks = tasks_of(workspace, count)
    with opened(address) as database:
        for name in ("ours", "theirs"):
            fill_audit(workspace, address, database, audit_of(name, tasks[:1]), "ana")
        # ours first, without FiftyOne in the process, as it is when an audit is opened
        filled, fill = measured(
            mongod,
            lambda: fill_audit(workspace, address, database, audit_of("ours", tasks), "ana"),
        )
        ours, theirs = filled.audit, stored_audit(database, "theirs")
        documents = list(ours.samples.find({}).sort("rank", 1).limit(some))
        judge_all(ours)
        read, reading = measured(mongod, lambda: list(read_slots(database, "ours")))
        os.environ.update(fiftyone_environment(address, workspace, "ana", dataset="theirs"))
        import fiftyone as fo  # noqa: PLC0415

        dataset = fo.load_dataset("theirs")
        dataset.clear()
        _, added = measured(mongod, lambda: add_samples(dataset, documents))
        compare(documents, theirs)
        judge_all(theirs)
        dataset.reload()
        iterated, iterating = measured(mongod, lambda: iterate(dataset))
        valued, valuing = measured(mongod, lambda: values(dataset))
    if len(read) != count:
        raise Disagreement(f"{len(read)} of {count} decisions were read back")
    first = {key.task_id: replace(slot, at="") for key, slot in read[:some]}
    for found in (iterated, valued):
        if {task_id: replace(slot, at="") for task_id, slot in found} != first:
            raise Disagreement("the decisions that were read back differ")
    times = count / some
    yield f"| {count:,} judgements | CPU-seconds | seconds | times ours |"
    yield "| --- | ---: | ---: | ---: |"
    rows = [
        ("filled, ours", fill, 1.0, fill),
        ("filled, add_samples*", added, times, fill),
        ("read back, ours", reading, 1.0, reading),
        ("read back, iteration*", iterating, times, reading),
        ("read back, values()*", valuing, times, reading),
    ]
    for name, spent, scale, beside in rows:
        cpu = spent.cpu * scale
        yield f"| {name} | {cpu:.3g} | {spent.wall * scale:.3g} | {cpu / beside.cpu:.1f} |"
    yield ""
    yield f"* of {some:,} samples, scaled. The same samples were written, the same decisions read."
    for what, own, other in (("filling", fill, added), ("reading", reading, iterating)):
        if other.cpu * times < WANTED * own.cpu:
            raise Disagreement(f"{what} is not {WANTED} times as fast as FiftyOne's own way")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else JUDGEMENTS
    os.environ.pop("FIFTYONE_DATABASE_URI", None)
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder) / "workspace")
        build_sample(workspace, n=60)
        with served(workspace) as address:
            for line in contest(workspace, address, count):
                print(line, flush=True)


if __name__ == "__main__":
    main()
