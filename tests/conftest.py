"""What tests of several folders share: running a command, small workspaces, what a folder holds."""

import hashlib
import importlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from PIL import Image

from benchwright.asking.findings import Findings, Reach, Speed, TokenRule, entry_digest
from benchwright.asking.voters import PictureTokens, Voter
from benchwright.feasible import Board
from benchwright.knowledge import Value
from benchwright.workspace import Workspace
from stand_ins.foreign_server import foreign_server

# the first call of a compiled function takes seconds; what is too slow the time limit finds
settings.register_profile("benchwright", deadline=None)
settings.load_profile("benchwright")

# Ray reads these when it is imported: nobody is told of its use, no token is written to the home,
# and nothing is printed where a test looks at what is
os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
}

_MODULES = {
    "benchwright": "benchwright.cli",
    "build-catalog": "builders.cli",
    "label-attributes": "labeling.attributes.cli",
    "build-dialogues": "labeling.dialogues.cli",
    "review-labels": "labeling.audits.cli",
    "build-galleries": "galleries.cli",
    "push-release": "exports.cli",
    "run-benchmark": "evaluation.cli",
}


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def _run(command: str, *arguments: str | Path) -> Ran:
    main = importlib.import_module(_MODULES[command]).main
    out, err = io.StringIO(), io.StringIO()
    argv = sys.argv
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    sys.argv = [command, *map(str, arguments)]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as stop:
        return Ran(stop.code if isinstance(stop.code, int) else 1, out.getvalue(), err.getvalue())
    finally:
        sys.argv = argv
        for number, handler in handlers.items():
            signal.signal(number, handler)
    raise AssertionError("a console script ends by SystemExit")


@pytest.fixture(scope="session", autouse=True)
def _with_app() -> Iterator[None]:
    """What is to be run next is said as where the App is installed, on whatever machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchwright.next_step.has_app", lambda: True)
        yield


@pytest.fixture(scope="session")
def run() -> Callable[..., Ran]:
    """Run a console command in this process, just as its script does."""
    return _run


@pytest.fixture(scope="session")
def dresses_csv() -> Path:
    return Path(__file__).parent / "data" / "uci_dresses" / "dresses.csv"


@pytest.fixture(scope="session")
def _dresses(tmp_path_factory: pytest.TempPathFactory, dresses_csv: Path) -> Path:
    root = tmp_path_factory.mktemp("dresses") / "workspace"
    ran = _run("build-catalog", "table", dresses_csv, "--workspace", root)
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def dresses(_dresses: Path, tmp_path: Path) -> Path:
    """A workspace with the catalog of the 475 real dresses, no labels yet."""
    return Path(shutil.copytree(_dresses, tmp_path / "dresses"))


_COLOURS = ("crimson", "teal", "gold", "navy")
_SHAPES = ("round", "square", "tall")
_TRIMS = ("bow", "lace", "plain")


@pytest.fixture(scope="session")
def small_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV of 36 products, all different in three columns, each with a local picture."""
    folder = tmp_path_factory.mktemp("table")
    lines = ["id,image,title,cloth,shape,trim"]
    for number in range(36):
        colour, shape = _COLOURS[number % 4], _SHAPES[number // 4 % 3]
        trim = _TRIMS[number // 12]
        picture = Image.new("RGB", (24, 32), colour)
        picture.putpixel((0, 0), (number, 0, 0))  # no two have the same bytes
        picture.save(folder / f"p{number:02d}.png")
        lines.append(
            f"p{number:02d},p{number:02d}.png,The {colour} {shape} one,{colour},{shape},{trim}"
        )
    path = folder / "things.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


SMALL_ROLES = ("--id", "id", "--image", "image", "--title", "title")
SMALL_ATTRIBUTES = ("--attributes", "cloth,shape,trim")


@pytest.fixture(scope="session")
def small_arguments(small_table: Path) -> tuple[str, ...]:
    """The arguments of build-catalog that read the small table."""
    return ("table", str(small_table), *SMALL_ROLES, *SMALL_ATTRIBUTES, "--workers", "1")


@pytest.fixture(scope="session")
def _small(tmp_path_factory: pytest.TempPathFactory, small_arguments: tuple[str, ...]) -> Path:
    root = tmp_path_factory.mktemp("small") / "workspace"
    for command in (
        ("build-catalog", *small_arguments, "--workspace", root),
        ("label-attributes", "normalise", "--workspace", root),
        ("build-galleries", "--tau", "0.3", "--workspace", root),
    ):
        ran = _run(*command)
        assert ran.code == 0, ran.err
    return root


@pytest.fixture
def small(_small: Path, tmp_path: Path) -> Path:
    """A workspace with catalog, labels and galleries at τ 0.3 of the small table."""
    return Path(shutil.copytree(_small, tmp_path / "small"))


def _manifests(root: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(root.rglob("manifest.json")):
        yield path, json.loads(path.read_text("utf-8"))


def _holdings(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path, manifest in _manifests(root):
        stage = path.parent.relative_to(root).as_posix()
        del manifest["seconds"]
        found[f"{stage}/manifest"] = manifest
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and path.name not in ("manifest.json", ".lock"):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


@pytest.fixture(scope="session")
def holdings() -> Callable[[Path], dict[str, Any]]:
    """Return all that a workspace holds, by its hash; of a manifest all but the seconds.

    Hidden leftovers are among it, so that equal holdings also mean that none was left.
    """
    return _holdings


@pytest.fixture(scope="session")
def verify() -> Callable[[Path], None]:
    """Assert that each manifest of a workspace tells the truth about its files."""

    def check(root: Path) -> None:
        for path, manifest in _manifests(root):
            for name, entry in manifest["files"].items():
                data = (path.parent / name).read_bytes()
                assert hashlib.sha256(data).hexdigest() == entry["sha256"], path.parent / name
                assert len(data) == entry["size"]

    return check


@pytest.fixture(scope="session")
def foreign_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of llama.cpp's own server, with a tiny model that sees pictures."""
    if os.environ.get("BENCHWRIGHT_NO_FOREIGN_SERVER") == "1":
        pytest.skip("BENCHWRIGHT_NO_FOREIGN_SERVER=1: NO REAL MODEL SERVER ANSWERED IN THIS RUN")
    with foreign_server(tmp_path_factory.mktemp("foreign")) as url:
        yield url


@pytest.fixture(scope="session")
def doctored() -> Callable[..., None]:
    """Write findings of the doctor: a picture takes 9,999 tokens of each voter, a call 7 s."""

    def write(root: Path, *voters: Voter) -> None:
        found = {
            voter.name: Findings(
                digest=entry_digest(voter),
                calls=1,
                reach=Reach(verdict="answers"),
                tokens=TokenRule(measured=(), rule=PictureTokens(fixed=9999)),
                speed=Speed(alone=7.0),
            ).model_dump(mode="json")
            for voter in voters
        }
        (root / "labels").mkdir(parents=True, exist_ok=True)
        (root / "labels" / "doctor.json").write_text(json.dumps(found), "utf-8")

    return write


MakeBoard = Callable[..., Board]


def _make_board(names: Sequence[str], rows: Sequence[Sequence[int]], target: int = 0) -> Board:
    values = tuple(Value(type=name.split(" ")[0], value=name.split(" ")[1]) for name in names)
    answers = np.array(rows, np.int8).reshape(len(rows), len(values))
    return Board(target=target, values=values, answers=answers)


@pytest.fixture(scope="session")
def make_board() -> MakeBoard:
    """Make a board of ``TYPE VALUE`` names and one row of answers for each picture."""
    return _make_board


@st.composite
def _boards(draw: st.DrawFn) -> Board:
    pictures = draw(st.integers(1, 7))
    sizes = draw(st.lists(st.integers(1, 3), max_size=4))
    names = [f"t{kind} v{value}" for kind, size in enumerate(sizes) for value in range(size)]
    answer = st.sampled_from([-1, 0, 1])
    row = st.lists(answer, min_size=len(names), max_size=len(names))
    rows = draw(st.lists(row, min_size=pictures, max_size=pictures))
    return _make_board(names, rows, draw(st.integers(0, pictures - 1)))


@pytest.fixture(scope="session")
def boards() -> st.SearchStrategy[Board]:
    """Any board of at most seven pictures and four types of three values."""
    return _boards()


@pytest.fixture(scope="session")
def whole_once(tmp_path_factory: pytest.TempPathFactory, _small: Path) -> Workspace:
    """A workspace with something of everything, and its release things 1.0.0, not to be changed."""
    from stand_ins.whole_workspace import fill, make_release  # noqa: PLC0415  # most do without

    root = tmp_path_factory.mktemp("whole") / "workspace"
    workspace = Workspace(Path(shutil.copytree(_small, root)))
    shutil.rmtree(workspace.galleries)
    fill(workspace)
    make_release(workspace)
    return workspace


@pytest.fixture
def whole(whole_once: Workspace, tmp_path: Path) -> Workspace:
    """Return a copy of the workspace and its release that a test may change."""
    return Workspace(Path(shutil.copytree(whole_once.root, tmp_path / "whole")))


@pytest.fixture(scope="session")
def ray_folder() -> Iterator[Path]:
    """Where all Ray clusters of a run put their files; it has a short name, as sockets need."""
    with (
        tempfile.TemporaryDirectory(prefix="ray-") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("RAY_TMPDIR", folder)
        yield Path(folder)


@pytest.fixture(scope="session")
def ray_cluster(ray_folder: Path) -> Iterator[Any]:
    """A ``ray.cluster_utils.Cluster`` of two nodes with a processor each and little memory.

    A file that uses it says ``pytest.importorskip("ray")``, by which make test-ray finds it. A test
    that adds a node removes it again.
    """
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # an extra

    # the store of objects has about the least memory that Ray takes
    node = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        cluster.add_node(**node)
        yield cluster
    finally:
        cluster.shutdown()
