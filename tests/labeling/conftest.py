"""What tests of votes share: catalogs of coded pictures, a vocabulary, ensembles, what came out.

The pictures say in their pixels what is true of them, so a scripted server that is shown the
wrong picture, or the wrong part of one, answers wrongly.
"""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from benchwright.decisions.cells import Cell
from benchwright.records import Label, Vote
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from stand_ins.models import CodedPictures, Model, Script, ScriptedServer, Several, Value
from stand_ins.models.coded import CodedObject, CodedPicture, draw, free_box

CLOTHS = ("crimson", "gold", "navy", "teal")
TRIMS = ("bow", "lace", "pleats")
VALUES = (*(("cloth", name) for name in CLOTHS), *(("trim", name) for name in TRIMS))
TEMPLATES = (
    "Is this {noun} VALUE?",
    "Would you call the {noun} VALUE?",
    "Does the picture show VALUE on a {noun}?",
)
PICTURES, SIZE = 16, (176, 208)
SCENES, SCENE_SIZE = 8, (480, 640)

Pair = tuple[str, str]
Run = Callable[..., Any]
Truths = dict[tuple[str, str | None], frozenset[Pair]]  # by image_id and object_id


def _yes(number: int) -> tuple[Pair, ...]:
    """Return what is true of the n-th thing: one cloth, any of the trims."""
    trims = number * 5 // 4 % 8
    held = [("trim", name) for at, name in enumerate(TRIMS) if trims >> at & 1]
    return (("cloth", CLOTHS[number % 4]), *held)


def vocabulary_of(templates: Collection[str] = TEMPLATES, **flags: Any) -> str:
    """Return vocabulary.yaml with these wordings of each value; ``flags`` are those of trim."""

    def entry(name: str) -> dict[str, Any]:
        return {"templates": [text.replace("VALUE", name) for text in templates]}

    types = {
        "cloth": {"exclusive": True, "values": {name: entry(name) for name in CLOTHS}},
        "trim": {**flags, "values": {name: entry(name) for name in TRIMS}},
    }
    return yaml.safe_dump({"types": types}, sort_keys=False)


@dataclass
class Shop:
    """A workspace, what is true of its subjects, and the commands on it."""

    root: Path
    run: Run
    truths: Truths

    @property
    def workspace(self) -> Workspace:
        return Workspace(self.root)

    def ensemble(self, *voters: Mapping[str, Any], name: str = "e.yaml", **more: Any) -> Path:
        """Write an ensemble; without views there is one, of the whole picture."""
        said = {"views": {"whole": {}}, "full": 0, **more, "voters": list(voters)}
        path = self.root / name
        path.write_text(yaml.safe_dump(said), "utf-8")
        return path

    def do(self, command: str, *arguments: str | Path, code: int = 0) -> Any:
        """Run a step of label-attributes that must end with this code."""
        ran = self.run("label-attributes", command, *arguments, "--workspace", self.root)
        assert ran.code == code, (ran.out, ran.err)
        return ran

    def ask(
        self,
        ensemble: Path,
        *arguments: str,
        noun: str | None = "garment",
        probe: bool = False,
        code: int = 0,
    ) -> Any:
        named = () if noun is None else ("--noun", noun)
        looks = () if probe else ("--no-probe",)  # calls of looks are not those of votes
        return self.do("ask", "--ensemble", ensemble, *named, *looks, *arguments, code=code)

    def manifest(self, stage: str = "votes") -> dict[str, Any]:
        folder = self.workspace.votes if stage == "votes" else self.workspace.labels
        said: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
        return said

    def vote_bytes(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.workspace.votes.glob("*.parquet")}

    def votes(self) -> list[Vote]:
        paths = sorted(self.workspace.votes.glob("votes-*.parquet"))
        return [vote for path in paths for vote in from_table(pq.read_table(path), Vote)]

    def labels(self) -> dict[Cell, Label]:
        table = pq.read_table(self.workspace.labels / "labels.parquet")
        return {
            (row.image_id, row.object_id, row.type, row.value): row
            for row in from_table(table, Label)
        }

    def right(self) -> dict[Cell, str]:
        """Return the labels that are true."""
        return {
            (*subject, *pair): "yes" if pair in held else "no"
            for subject, held in self.truths.items()
            for pair in VALUES
        }

    def wrong(self) -> list[Cell]:
        """Return the cells whose labels are not the true ones; all must have one."""
        labels = self.labels()
        return [cell for cell, answer in self.right().items() if labels[cell].answer != answer]


def model(server: ScriptedServer | str, name: str = "m", **more: Any) -> dict[str, Any]:
    """Return a voter's entry."""
    url = server if isinstance(server, str) else server.base_url
    return {"name": name, "model": name, "base_url": url, **more}


def script(*models: Model, **more: Any) -> Script:
    """Return a script of models that read coded pictures; one perfect model without any."""
    return Script(
        models=models or (Model(name="m"),),
        values=tuple(Value(type=type_, value=value) for type_, value in VALUES),
        eyes=CodedPictures(),
        **more,
    )


@pytest.fixture(scope="session")
def kit() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(
        model=model,
        script=script,
        several=Several,
        vocabulary=vocabulary_of,
        values=VALUES,
        templates=TEMPLATES,
    )


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedServer]]:
    """Start a scripted server of a script; it runs until the test ends."""
    servers: list[ScriptedServer] = []

    def start(script: Script, **more: Any) -> ScriptedServer:
        server = ScriptedServer(script, **more)
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.__exit__(None)


@pytest.fixture(scope="session")
def coded_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV of 16 coded pictures with what is true of them."""
    folder = tmp_path_factory.mktemp("coded")
    path = folder / "things.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "image", "cloth", "trim"])
        for number in range(PICTURES):
            held = _yes(number)
            picture = CodedPicture(key=f"p{number}", yes=held, size=SIZE)
            draw(picture, VALUES).save(folder / f"p{number}.png")
            trims = ";".join(name for type_, name in held if type_ == "trim")
            rows.writerow([f"p{number}", f"p{number}.png", held[0][1], trims])
    return path


TABLE = (
    *("--id", "id", "--image", "image", "--attributes", "cloth,trim", "--value-separator", ";"),
    *("--workers", "1"),
)


@pytest.fixture(scope="session")
def make_catalog(run: Run) -> Callable[[Path, Path], None]:
    """Make a catalog of a table like that of the coded pictures, and the vocabulary."""

    def make(table: Path, root: Path) -> None:
        ran = run("build-catalog", "table", table, *TABLE, "--workspace", root)
        assert ran.code == 0, ran.err
        (root / "labels").mkdir()
        (root / "labels" / "vocabulary.yaml").write_text(vocabulary_of(), "utf-8")

    return make


@pytest.fixture(scope="session")
def _coded(
    coded_table: Path, make_catalog: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    root = tmp_path_factory.mktemp("shop") / "workspace"
    make_catalog(coded_table, root)
    return root


def _shop(root: Path, run: Run) -> Shop:
    truths: Truths = {
        (item.image_id, None): frozenset(_yes(int(item.source_id[1:])))
        for item in iterate_items(Workspace(root))
    }
    return Shop(root, run, truths)


@pytest.fixture
def shop(_coded: Path, tmp_path: Path, run: Run) -> Shop:
    """A workspace with the catalog of 16 coded pictures and a vocabulary with templates."""
    return _shop(Path(shutil.copytree(_coded, tmp_path / "shop")), run)


@pytest.fixture
def shop_at(_coded: Path, run: Run) -> Callable[[Path], Shop]:
    """Put another copy of that workspace somewhere."""
    return lambda root: _shop(Path(shutil.copytree(_coded, root)), run)


def _scene(number: int) -> CodedPicture:
    left, top, width, height = free_box(SCENE_SIZE, len(VALUES))
    wide = width * 2 // 5
    boxes = ((left, top, wide, height), (left + width - wide, top + 10, wide, height - 30))
    things = [
        CodedObject(object_id=str(2 * number + at + 1), box=box, yes=_yes(3 * number + 2 * at + 1))
        for at, box in enumerate(boxes)
    ]
    return CodedPicture(key=f"s{number}", yes=_yes(number), size=SCENE_SIZE, objects=tuple(things))


@pytest.fixture(scope="session")
def _scenes(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes")
    scenes = [_scene(number) for number in range(SCENES)]
    for scene in scenes:
        draw(scene, VALUES).save(folder / f"{scene.key}.png")
    said = {
        "images": [
            {"id": at, "file_name": f"{scene.key}.png", "width": 480, "height": 640}
            for at, scene in enumerate(scenes)
        ],
        "annotations": [
            {
                "id": int(thing.object_id),
                "image_id": at,
                "category_id": 1,
                "bbox": list(thing.box),
                "area": thing.box[2] * thing.box[3],
                "iscrowd": 0,
            }
            for at, scene in enumerate(scenes)
            for thing in scene.objects
        ],
        "categories": [{"id": 1, "name": "Summer_Garment"}],
    }
    path = folder / "instances.json"
    path.write_text(json.dumps(said), "utf-8")
    root = folder / "workspace"
    ran = run("build-catalog", "coco", path, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    (root / "labels").mkdir()
    (root / "labels" / "vocabulary.yaml").write_text(vocabulary_of(), "utf-8")
    return root


@pytest.fixture
def scenes(_scenes: Path, tmp_path: Path, run: Run) -> Shop:
    """A workspace with the catalog of 8 coded scenes, two objects in each."""
    root = Path(shutil.copytree(_scenes, tmp_path / "scenes"))
    held = {thing.object_id: thing.yes for at in range(SCENES) for thing in _scene(at).objects}
    truths: Truths = {
        (item.image_id, thing.object_id): frozenset(held[thing.object_id])
        for item in iterate_items(Workspace(root))
        for thing in item.objects
    }
    return Shop(root, run, truths)


# Imports once, then forks a process for each run: some that die at their moment, one that ends.
_LAUNCHER = """
import contextlib, importlib, json, os, random, signal, sys

from benchwright.asking import answers

job = json.loads(sys.argv[1])
main = importlib.import_module(job["module"]).main
for name, constants in job["ahead"].items():
    vars(importlib.import_module(name)).update(constants)
moment, seen = -1, 0
add, replace = answers.AnswerStore.add, os.replace


def step():
    global seen
    if seen == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    seen += 1


def adding(self, *row):
    step()  # answered, not yet written
    add(self, *row)
    step()  # written, nobody has seen it


def replacing(*paths):
    step()  # a picture, a part, a shard or a table is written, and has no name yet
    replace(*paths)
    step()


answers.AnswerStore.add, os.replace = adding, replacing


def run(at):
    global moment, seen
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    moment, seen = at, 0
    sys.argv = job["command"]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            main()
        except SystemExit as stop:
            os._exit(stop.code if isinstance(stop.code, int) else 0)


chance = random.Random(job["seed"])
died = 0
while run(chance.randrange(*job["moments"])) == -signal.SIGKILL:
    died += 1
assert run(-1) == 0
print(died)
"""


@pytest.fixture(scope="session")
def die_asking() -> Callable[..., int]:
    """Run a command that asks to its end, killed at seeded moments before; return how often.

    ``module`` has its ``main``. The modules ``ahead`` are imported before it runs, and what they
    are given is put into them.
    """

    def died(
        module: str,
        command: Sequence[str],
        *,
        ahead: Mapping[str, Mapping[str, Any]],
        moments: tuple[int, int],
        seed: int,
    ) -> int:
        job = {"module": module, "command": command, "ahead": ahead}
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                _LAUNCHER,
                json.dumps({**job, "moments": moments, "seed": seed}),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return int(ran.stdout)

    return died
