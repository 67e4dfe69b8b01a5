"""How the house grows: ``python -m benchmarks.scale items|answers [LARGEST]``.

``items``: catalogs without pictures of 10,000, 100,000 and a million rows go as Parquet through
the commands to episodes; printed are CPU-seconds and the peak of the resident memory of each
command, and how both grow: the exponent b of n^b between the last two sizes. Checked is that no
row is lost on the way.

``answers``: 20 million answers are stored one by one, each committed, as a client does; at each
doubling are printed what an answer took since the last, what reading a stored one takes, and the
memory. Checked is that the answers that are read are those that were stored.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.memory import peak, reset_peak
from benchwright.asking.answers import AnswerStore, held
from benchwright.asking.replies import Reply, Usage
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.voters import Voter

ITEMS = (10_000, 100_000, 1_000_000)
ANSWERS = 20_000_000
READ = 100_000  # answers read at each doubling
VOTER = Voter(name="v", model="scripted", base_url="http://none/v1")
COMMANDS = (
    "build-catalog table {table} --id id --attributes {types} --workers 1 --workspace {workspace}",
    "label-attributes normalise --workspace {workspace}",
    "build-galleries --tau 0.6 --episodes 0 --workspace {workspace}",
    "benchwright status --workspace {workspace}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a command took: CPU-seconds, seconds on the clock, bytes of memory at the most."""

    cpu: float
    wall: float
    memory: int


def write_table(rows: int, path: Path) -> None:
    """Write the catalog of the other benchmarks as a table: a column a type, at most two values."""
    from benchmarks.synthetic import bench_catalog  # noqa: PLC0415  # else in the memory of answers

    known = bench_catalog(rows)
    types = sorted({value.type for value in known.values})
    kinds = np.array([types.index(value.type) for value in known.values])
    names = np.array([value.value for value in known.values], object)
    of_row = np.repeat(np.arange(rows), np.diff(known.indptr))
    columns = {"id": pa.array([f"item-{number:07}" for number in range(rows)])}
    for number, name in enumerate(types):
        chosen = kinds[known.yes] == number
        owners, values = of_row[chosen], names[known.yes[chosen]]
        again = np.append(False, owners[1:] == owners[:-1])  # the second of a row
        cells = np.full(rows, None, object)
        cells[owners[~again]] = values[~again]
        cells[owners[again]] += ";" + values[again]
        columns[name] = pa.array(cells, pa.string())
    pq.write_table(pa.table(columns), path)


def run(command: str, log: Path) -> Spent:
    """Run a command of ours; raise SystemExit with what it said where it fails."""
    program, *arguments = command.split()
    path = Path(sys.executable).with_name(program)
    began = time.perf_counter()
    with log.open("wb") as out:
        process = subprocess.Popen([path, *arguments], stdout=out, stderr=out)
        _, status, used = os.wait4(process.pid, 0)  # of this process alone
    process.returncode = status
    if status:
        raise SystemExit(f"{command}\n{log.read_text()}")
    wall = time.perf_counter() - began
    return Spent(cpu=used.ru_utime + used.ru_stime, wall=wall, memory=used.ru_maxrss * 1024)


def items(sizes: Sequence[int]) -> None:
    found: dict[str, list[Spent]] = {command: [] for command in COMMANDS}
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            table, workspace = Path(folder) / "table.parquet", Path(folder) / "workspace"
            # in a process of its own: a child's peak starts at the size of its parent
            run(f"python -m benchmarks.scale table {rows} {table}", Path(folder) / "log")
            types = ",".join(pq.read_schema(table).names[1:])
            for command, spent in found.items():
                filled = command.format(table=table, types=types, workspace=workspace)
                spent.append(run(filled, Path(folder) / "log"))
                print_spent(rows, command, spent[-1])
            check(workspace, rows)
    for command, spent in found.items():
        if len(spent) > 1:
            print_growth(command.split(" --")[0].format(table=""), spent, sizes)


def print_spent(rows: int, command: str, spent: Spent) -> None:
    name = command.replace("--workspace {workspace}", "").replace(" {table}", "")
    print(
        f"{rows:>9,}  {spent.cpu:8.1f} CPU-s  {spent.wall:8.1f} s  {spent.memory / 2**20:7.0f} MB"
        f"  {name.split(' --id')[0]}",
        flush=True,
    )


def print_growth(name: str, spent: list[Spent], sizes: Sequence[int]) -> None:
    """Print the exponents between the last two sizes."""
    step = math.log(sizes[-1] / sizes[-2])
    cpu = math.log(spent[-1].cpu / spent[-2].cpu) / step
    memory = math.log(spent[-1].memory / spent[-2].memory) / step
    print(f"{name}: CPU grows as n^{cpu:.2f}, memory as n^{memory:.2f}")


def check(workspace: Path, rows: int) -> None:
    """Raise SystemExit unless every row is in the catalog and every target has its episode."""
    catalog = json.loads((workspace / "catalog/manifest.json").read_text())["counts"]
    counts = json.loads((workspace / "galleries/tau-0.6/manifest.json").read_text())["counts"]
    if catalog["items"] != rows or counts["pictures"] != rows:
        raise SystemExit(f"of {rows:,} rows {catalog} came into the catalog")
    if counts["episodes"] != counts["qualifying"]:
        raise SystemExit(f"of all targets that qualify not all have an episode: {counts}")
    print(f"{rows:>9,}  {counts['qualifying']:,} episodes", flush=True)


def asked(number: int) -> str:
    question = f"Is it number {number}? Answer yes or no."
    return description(Request.of(question, max_tokens=16), VOTER)


def text(number: int) -> str:
    return "Yes." if number % 3 else "No."


def answers(largest: int) -> None:
    marks = [largest >> step for step in range(5, -1, -1)]
    print("   answers  CPU-µs stored  µs stored  CPU-µs read  memory MB  bytes each")
    with tempfile.TemporaryDirectory() as folder:
        path, done, reads = Path(folder) / "answers.sqlite", 0, []
        for mark in marks:
            reset_peak()
            cpu, wall = time.process_time(), time.perf_counter()
            with AnswerStore(path) as store:
                for number in range(done, mark):
                    described = asked(number)
                    reply = Reply(
                        key=key_of(described),
                        status="ok",
                        text=text(number),
                        usage=Usage(prompt=120, completion=2),
                        seconds=0.5,
                        model="scripted",
                    )
                    store.add(reply, described, VOTER.name)
            stored = mark - done
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            reads.append(read_some(path, mark))
            done = mark
            print(
                f"{mark:>10,}  {1e6 * cpu / stored:13.1f}  {1e6 * wall / stored:9.1f}"
                f"  {reads[-1]:11.1f}  {peak() / 2**20:9.0f}"
                f"  {path.stat().st_size / mark:10.0f}",
                flush=True,
            )
        cpu = time.process_time()
        if held(path).answers != largest:
            raise SystemExit(f"of {largest:,} answers {held(path).answers:,} are held")
        print(f"counting them for benchwright status: {time.process_time() - cpu:.1f} CPU-s")


def read_some(path: Path, upto: int) -> float:
    """Read answers drawn from all that are stored; return CPU-microseconds for each."""
    drawn = random.Random(upto).choices(range(upto), k=READ)
    keys = [key_of(asked(number)) for number in drawn]
    with AnswerStore(path) as store:
        began = time.process_time()
        texts = [found and found.text for found in map(store.final, keys)]
        spent = time.process_time() - began
    if texts != [text(number) for number in drawn]:
        raise SystemExit("what was read is not what was stored")
    return 1e6 * spent / READ


def main() -> None:
    what, *rest = sys.argv[1:]
    if what == "table":
        write_table(int(rest[0]), Path(rest[1]))
    elif what == "items":
        items([size for size in ITEMS if not rest or size <= int(rest[0])])
    else:
        answers(int(rest[0]) if rest else ANSWERS)


if __name__ == "__main__":
    main()
