"""Whole stages on a cluster of two nodes: the same files, byte for byte, as on this machine."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchwright.engines.engine import LOCAL, Engine
from benchwright.engines.second_look import agreed
from benchwright.errors import UsageError
from benchwright.workers import pool
from benchwright.workspace import Workspace
from builders.duplicates.dedup import dedup
from builders.duplicates.leaks import find_leaks
from builders.duplicates.settings import DedupSettings
from stand_ins.embedding import ColourEmbedder
from stand_ins.processes import with_all_under

pytest.importorskip("ray")
pytestmark = pytest.mark.timeout(300)  # a busy machine starts processes slowly

COCO = Path(__file__).parents[2] / "data" / "coco"
Holdings = Callable[[Path], dict[str, Any]]


@pytest.fixture
def on_ray(ray_cluster: Any) -> tuple[str, ...]:
    return ("--engine", "ray", "--address", ray_cluster.address)


@pytest.mark.parametrize(
    "arguments",
    [
        # paired, and a stop in the middle of what is identifiable
        ("--tau", "0.3,0.5", "--paired", "--only-identifiable", "--episodes", "9"),
        # all episodes, by the search that knows no limit
        ("--tau", "0.3", "--per-value", "0", "--episodes", "0"),
    ],
)
def test_galleries_in_many_parts(
    arguments: tuple[str, ...],
    small: Path,
    run: Any,
    holdings: Holdings,
    on_ray: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("galleries.build._TARGETS_PER_PART", 10)
    monkeypatch.setattr("galleries.pools._CHUNK", 3)
    shutil.rmtree(small / "galleries")
    other = Path(shutil.copytree(small, small.parent / "other"))
    for root, engine in ((small, ()), (other, on_ray)):
        ran = run("build-galleries", *arguments, "--workspace", root, *engine)
        assert ran.code == 0, ran.err
    assert holdings(small) == holdings(other)
    again = run("build-galleries", *arguments, "--workspace", small, *on_ray)
    assert again.out.count("(done before)") == arguments[1].count(",") + 1


def test_a_table_with_pictures(
    small_table: Path,
    small_arguments: tuple[str, ...],
    tmp_path: Path,
    run: Any,
    holdings: Holdings,
    on_ray: tuple[str, ...],
) -> None:
    """Read by a relative path, with a picture that is missing and one that is broken."""
    folder = Path(shutil.copytree(small_table.parent, tmp_path / "table"))
    (folder / "p03.png").unlink()
    (folder / "p05.png").write_bytes(b"no picture")
    table = os.path.relpath(folder / small_table.name)
    arguments = ("table", table, *small_arguments[2:-2])  # all but the number of workers
    for name, engine in (("here", ()), ("there", on_ray)):
        ran = run("build-catalog", *arguments, "--workspace", tmp_path / name, *engine)
        assert ran.code == 0, ran.err
        assert "36 rows = 34 items + 2 rejects" in ran.out
    assert holdings(tmp_path / "here") == holdings(tmp_path / "there")
    again = run("build-catalog", *arguments, "--workspace", tmp_path / "there")
    assert "nothing to do" in again.out


def test_coco(tmp_path: Path, run: Any, holdings: Holdings, on_ray: tuple[str, ...]) -> None:
    files = sorted((COCO / "annotations").glob("*.json"))
    for name, engine in (("here", ()), ("there", on_ray)):
        ran = run("build-catalog", "coco", *files, "--workspace", tmp_path / name, *engine)
        assert ran.code == 0, ran.err
    assert holdings(tmp_path / "here") == holdings(tmp_path / "there")


@pytest.mark.parametrize("method", ["phash", "clip"])
def test_duplicates_and_leaks(
    method: Any, small: Path, small_table: Path, ray_cluster: Any, holdings: Holdings
) -> None:
    other = Path(shutil.copytree(small, small.parent / "other"))
    settings = DedupSettings(method=method)
    for root, engine in ((small, LOCAL), (other, Engine(name="ray", address=ray_cluster.address))):
        workspace = Workspace(root)
        model = ColourEmbedder() if method == "clip" else None
        workers = 1 if engine is LOCAL else None
        dedup(workspace, settings, embedder=model, workers=workers, engine=engine)
        find_leaks(workspace, small_table.parent, settings, embedder=model, engine=engine)
        if model is not None:
            assert bool(model.batches) == (engine is LOCAL)  # elsewhere others have embedded
    ours, theirs = holdings(small), holdings(other)
    for found in (ours, theirs):
        found.pop("embeddings.sqlite", None)  # its vectors are what the pairs are made of
    assert ours == theirs


class _Elsewhere:
    """Workers of another machine, which sees no file."""

    elsewhere, count = True, 1


def test_a_node_that_sees_no_pictures_is_no_reject(tmp_path: Path) -> None:
    def refusal(result: str) -> str | None:
        return "no such file" if result == "refused" else None

    with pytest.raises(UsageError, match=r"no such file.*all nodes must see the pictures"):
        list(agreed(_Elsewhere(), str, ["a", "b"], ["a", "refused"], refusal))  # type: ignore[arg-type]
    both = agreed(_Elsewhere(), lambda _: "refused", ["a"], ["refused"], refusal)  # type: ignore[arg-type]
    assert list(both) == ["refused"]
    with pool(1) as here:
        assert list(agreed(here, str, ["a"], ["refused"], refusal)) == ["refused"]


SLOW = """
import sys, time
import galleries.build
from galleries.cli import main

keep = galleries.build.store.StageWriter.keep
def slow(self, name, table):
    kept = keep(self, name, table)
    print(name, flush=True)
    if name == "pools-00001":
        time.sleep(600)
    return kept

galleries.build.store.StageWriter.keep = slow
galleries.build._TARGETS_PER_PART = 10
if __name__ == "__main__":
    main()
"""


def _start(script: Path, *arguments: str | Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(is_so: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def _still_run(processes: set[int]) -> set[int]:
    return {one for one in processes if Path(f"/proc/{one}/exe").exists()}  # a zombie has none


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("how", "code", "goes_on_with_ray"), [(signal.SIGINT, 130, False), (signal.SIGKILL, -9, True)]
)
def test_the_next_run_goes_on_from_a_stop(
    how: signal.Signals,
    code: int,
    goes_on_with_ray: bool,
    small: Path,
    tmp_path: Path,
    run: Any,
    holdings: Holdings,
    on_ray: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a cluster that the command has started itself; Ctrl-C leaves none of its processes."""
    whole = holdings(small)
    shutil.rmtree(small / "galleries")
    script = tmp_path / "slow.py"
    script.write_text(SLOW, "utf-8")
    with _start(script, "--tau", "0.3", "--workspace", small, "--engine", "ray") as driver:
        assert driver.stdout is not None
        assert driver.stderr is not None
        assert [driver.stdout.readline() for _ in range(2)] == ["pools-00000\n", "pools-00001\n"]
        started = {one.number for one in with_all_under(driver.pid)} - {driver.pid}
        assert started
        if how is signal.SIGINT:
            os.killpg(driver.pid, how)  # as a terminal does: what it has started gets it as well
        else:
            driver.kill()
        assert driver.wait(60) == code
        assert driver.stderr.read().count("\n") == (how is signal.SIGINT)
    if how is signal.SIGINT:
        wait_until(lambda: not _still_run(started))
    for left in _still_run(started):  # Ray's own agents notice a death within a minute
        with suppress(ProcessLookupError):
            os.kill(left, signal.SIGKILL)
    monkeypatch.setattr("galleries.build._TARGETS_PER_PART", 10)
    kept = small / "galleries" / "tau-0.3" / ".parts" / "pools-00000.parquet"
    assert kept.is_file()
    rest = on_ray if goes_on_with_ray else ()
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small, *rest)
    assert ran.code == 0, ran.err
    assert holdings(small) == whole
