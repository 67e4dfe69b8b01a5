"""The search for pools beside the other ways to do the same job: ``python -m benchmarks.pools``.

For every target and every one of its values, the best 7 others that share the value and reach τ,
in one total order. Every measurement runs in a process of its own with one thread; what is
compared is CPU-seconds, since wall time on a shared machine says little. Slow contestants search
for a sample of the targets and are scaled to all of them (marked *). Exits with 1 when two
contestants differ in the pool of any target that both searched for.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.contest import Disagreement, machine
from benchmarks.measuring import Measured
from benchmarks.synthetic import bench_catalog, save

OURS = "bit planes"
SIZES = (5_000, 50_000, 200_000)
LARGE, LARGE_TARGETS = 1_000_000, 1_000
# Targets of the sample at each of SIZES and at LARGE; 0: not run, for the time that it takes.
SAMPLES = {
    "dense product": (1024, 1024, 256, 64),
    "faiss range_search": (1024, 512, 128, 32),
    "scipy.sparse": (1024, 512, 128, 32),
    "naive Python": (200, 50, 10, 0),
    "pandas": (200, 100, 20, 0),
    "SetSimilaritySearch": (200, 30, 5, 0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Catalogs in a folder, measured again and again."""

    folder: Path

    def catalog(self, pictures: int) -> Path:
        path = self.folder / f"catalog-{pictures}.npz"
        if not path.exists():
            save(bench_catalog(pictures), path)
        return path

    def run(self, contestant: str, pictures: int, tau: str, targets: int) -> Measured:
        """Measure in a process of its own; the targets are the first of one seeded order."""
        order = np.random.default_rng(0).permutation(pictures)[:targets]
        chosen = self.folder / "targets.npy"
        np.save(chosen, order)
        catalog = str(self.catalog(pictures))
        command = [sys.executable, "-m", "benchmarks.measuring", contestant, catalog, tau]
        done = subprocess.run(
            [*command, str(chosen)], env=_environment(), stdout=subprocess.PIPE, check=True
        )
        return Measured(**json.loads(done.stdout))


def _environment() -> dict[str, str]:
    """Return the environment for one thread, in which BLAS chooses the kernel for this CPU."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    forced = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
    return {key: value for key, value in os.environ.items() if key not in forced} | one


def compare(bench: Bench, pictures: int, targets: int, at: int) -> dict[str, Measured]:
    """Measure all contestants at τ 0.6; raise Disagreement where their pools differ."""
    found = {OURS: bench.run(OURS, pictures, "0.6", targets)}
    for contestant, samples in SAMPLES.items():
        if samples[at] == 0 or not _installed(contestant):
            continue
        found[contestant] = one = bench.run(contestant, pictures, "0.6", samples[at])
        for theirs, ours in zip(one.digests, found[OURS].digests, strict=False):
            if theirs != ours:
                raise Disagreement(f"{contestant} and {OURS} differ at {pictures:,} pictures")
    return found


def _installed(contestant: str) -> bool:
    module = {"faiss range_search": "faiss", "SetSimilaritySearch": "SetSimilaritySearch"}
    return importlib.util.find_spec(module.get(contestant, "numpy")) is not None


def scaled(one: Measured, targets: int) -> float:
    """Return the CPU-seconds for all targets: the preparation once, the search in proportion."""
    return one.prepare + one.search * targets / one.targets


def contest(bench: Bench) -> Iterator[str]:
    """Yield the lines of the table of whole catalogs and of the row of the large one."""
    runs = {size: compare(bench, size, size, at) for at, size in enumerate(SIZES)}
    runs[LARGE] = compare(bench, LARGE, LARGE_TARGETS, len(SIZES))
    jobs = {size: LARGE_TARGETS if size == LARGE else size for size in runs}
    heads = [f"{size:,}" for size in SIZES]
    yield f"| τ 0.6, CPU-seconds | {' | '.join(heads)} | {LARGE_TARGETS:,} against {LARGE:,} |"
    yield "| --- |" + " ---: |" * len(runs)
    for contestant in (OURS, *SAMPLES):
        cells = [_cost(runs[size].get(contestant), jobs[size]) for size in runs]
        yield f"| {contestant} | {' | '.join(cells)} |"
    for title, show in (("times the CPU of ours", _ratio), ("peak memory, MB", _memory)):
        yield ""
        yield f"| {title} | {' | '.join(heads)} | {LARGE_TARGETS:,} against {LARGE:,} |"
        yield "| --- |" + " ---: |" * len(runs)
        for contestant in (OURS, *SAMPLES):
            cells = [show(runs[size], contestant, jobs[size]) for size in runs]
            yield f"| {contestant} | {' | '.join(cells)} |"
    yield ""
    yield from _notes(runs)


def _cost(one: Measured | None, targets: int) -> str:
    if one is None:
        return "-"
    return f"{scaled(one, targets):.3g}" + ("*" if one.targets < targets else "")


def _ratio(run: dict[str, Measured], contestant: str, targets: int) -> str:
    if contestant not in run:
        return "-"
    return f"{scaled(run[contestant], targets) / scaled(run[OURS], targets):,.0f}"


def _memory(run: dict[str, Measured], contestant: str, _: int) -> str:
    return f"{run[contestant].memory / 1e6:,.0f}" if contestant in run else "-"


def _notes(runs: dict[int, dict[str, Measured]]) -> Iterator[str]:
    ours = [scaled(runs[size][OURS], size) for size in SIZES]
    growth = ", ".join(
        f"{second / first:.0f} times the CPU for {large // small} times the pictures"
        for first, second, small, large in zip(ours, ours[1:], SIZES, SIZES[1:], strict=False)
    )
    yield f"Growth of {OURS}: {growth}."
    compared = sum(
        one.targets for run in runs.values() for name, one in run.items() if name != OURS
    )
    yield f"All contestants gave the same pools for each of {compared:,} sampled searches."
    compiled = max(run[OURS].compile for run in runs.values())
    yield f"Compilation or loading of the compiled code, not counted: {compiled:.1f} CPU-seconds."
    yield f"BLAS: {runs[SIZES[0]]['dense product'].kernel}."
    missing = [name for name in SAMPLES if not _installed(name)]
    if missing:
        yield f"Not installed, so not measured: {', '.join(missing)}."


def rates(bench: Bench) -> Iterator[str]:
    """Yield the lines of the table of counting rates."""
    yield "| pictures | targets | τ | mean pool | counting alone | whole search | share |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for pictures, targets in ((5_000, 5_000), (50_000, 50_000), (200_000, 20_000), (LARGE, 1_000)):
        for tau in ("0.3", "0.6", "0.8"):
            one = bench.run(OURS, pictures, tau, targets)
            assert one.bare is not None
            pairs = pictures * targets / 1e9
            yield (
                f"| {pictures:,} | {targets:,} | {tau} | {one.mean_pool:.1f} "
                f"| {pairs / one.bare:.1f} | {pairs / one.search:.1f} "
                f"| {one.bare / one.search:.0%} |"
            )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder=Path(folder))
        print(machine(), flush=True)
        for part in (contest(bench), rates(bench)):
            print(flush=True)
            for line in part:
                print(line, flush=True)


if __name__ == "__main__":
    main()
