"""Some records of each run, chosen by hash, followed from the score back to the source row."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from benchwright import seeds, store
from benchwright.trace.naming import TABLES
from benchwright.workspace import Workspace
from stand_ins.whole_run.places import Amounts, Places
from stand_ins.whole_run.steps import StepFailed, Steps, told


def trace_some(steps: Steps, amounts: Amounts, runs: Sequence[Path]) -> int:
    """Trace records of all runs, the same in each, and check that their ways are whole.

    Raises StepFailed for one that is not. Returns how many were traced.
    """
    chosen = sorted(_chosen(runs, amounts.traced))
    for number, (run, name) in enumerate(chosen):
        workspace = Workspace(run.parents[1])
        arguments = ("trace", name, "--run", run.name, "--workspace", workspace.root)
        if number == 0:
            steps.do("benchwright", *arguments)
        said = json.loads(steps.do_quietly("benchwright", *arguments, "--json"))
        found = Counter(node["step"] for node in said["nodes"])
        if not said["is_whole"] or not found["score"] or not found["source"]:
            raise StepFailed(f"{name} of {run.name} is not whole: {dict(found)}")
        ends = [node["says"][0] for node in said["nodes"] if node["step"] == "source"]
        told(f"  {run.name}: {name} <- {ends[0]}")
    return len(chosen)


def _chosen(runs: Sequence[Path], count: int) -> Iterator[tuple[Path, str]]:
    """Yield records of the runs, shared out among them, those of the least hash."""
    each = max(1, count // len(runs))
    for run in runs:
        for table, column in TABLES.values():
            names = {
                name
                for path in run.glob(f"{table}-*.parquet")
                for name in pq.read_table(path, columns=[column]).column(0).to_pylist()
            }
            ordered = sorted(names, key=lambda name: seeds.draw(0, "traced", name))
            yield from ((run, name) for name in ordered[:each])


def records_table(places: Places) -> Iterator[str]:
    """Yield the lines of a table: what each stage of each workspace holds."""
    roots = {"table": places.table, **places.released()}
    rows = [
        (name, folder.relative_to(workspace.root).as_posix(), _counts(folder))
        for name, workspace in roots.items()
        for folder in sorted(path.parent for path in workspace.root.rglob(store.MANIFEST))
    ]
    width = max(len(stage) for _, stage, _ in rows)
    for name, stage, counts in rows:
        yield f"  {name:<8} {stage:<{width}}  {counts}"


def _counts(folder: Path) -> str:
    manifest = store.require(folder, "its command")
    counts = [f"{count:,} {name}" for name, count in manifest.counts.items() if count]
    return ", ".join(counts) or "-"
