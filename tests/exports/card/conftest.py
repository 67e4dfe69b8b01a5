"""Workspaces with everything that a card tells of, and the cards of their releases."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.decisions.standing import standing
from benchwright.identity import image_id_of
from benchwright.records import BoxOfPicture, CandidateSet, Decision, Item, QuestionChain, Said
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.building.build import build_release
from exports.building.making import Making
from exports.building.settings import ReleaseSettings
from exports.building.shards import Written
from exports.card.facts import Facts
from exports.card.labels_found import CLASSES, LabelsFound
from exports.contents.gathering import Gathered
from exports.gating.report import GateReport
from exports.names import Version
from labeling.audits.planning.plan_file import read_plan
from labeling.audits.reporting.report import Report
from labeling.dialogues.candidate_set.deciding import FIELD
from labeling.dialogues.question_chain.deciding import progress
from labeling.dialogues.question_chain.written import written_text
from labeling.dialogues.stored import record_id_of, write_drafts
from stand_ins.auditors import decision, judge
from stand_ins.chains import chain, decided_of_chain, failed_names, step
from stand_ins.dialogues import candidate_set
from stand_ins.false_premises import false_premises, said_of, store_false_premises

_DATA = Path(__file__).parents[2] / "data" / "coco" / "annotations"
NO_LABELS = LabelsFound(counts={}, margins=(0,) * CLASSES)
_LINES = ("the thing over there, please", "which one?", "the larger one", "on the left?", "yes")
_BOAT = image_id_of("coco", "train/000000204805.jpg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A release, its card as text, and as the page that a browser shows of it."""

    folder: Path
    text: str

    @property
    def head(self) -> dict[str, Any]:
        """The YAML."""
        found: dict[str, Any] = yaml.safe_load(self.text.split("\n---\n")[0].removeprefix("---\n"))
        return found

    @property
    def body(self) -> str:
        """What stands below the YAML."""
        return self.text.split("\n---\n", 1)[1]

    @property
    def html(self) -> str:
        """The page, with HTML let through as the Hub does."""
        made: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(self.body)
        return made


@pytest.fixture(scope="session")
def build() -> Callable[..., Card]:
    """Make a release; settings are given by name."""

    def make(
        workspace: Workspace, version: str = "1.0.0", name: str = "things", **more: Any
    ) -> Card:
        built = build_release(workspace, name, Version.of(version), ReleaseSettings(**more))
        return Card(folder=built.folder, text=(built.folder / "README.md").read_bytes().decode())

    return make


@pytest.fixture(scope="session")
def _drawn(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]) -> Path:
    """Drawn dresses, labelled by three scripted voters, of which people judged some."""
    root = tmp_path_factory.mktemp("drawn") / "workspace"
    at = ("--workspace", root)
    commands = (
        ("build-catalog", "sample", "--n", "60", *at),
        ("label-attributes", "normalise", *at),
    )
    for command in commands:
        _ran(run, *command)
    known = root.parent / "known.parquet"
    shutil.copy(root / "labels" / "labels.parquet", known)
    voters = [
        {"name": name, "kind": "scripted", "labels": str(known), "accuracy": accuracy}
        for name, accuracy in (("good", 0.97), ("fair", 0.9), ("poor", 0.8))
    ]
    ensemble = root.parent / "ensemble.yaml"
    ensemble.write_text(yaml.safe_dump({"voters": voters, "templates": 2, "views": {"low": {}}}))
    _ran(run, "label-attributes", "templates", "--per-value", "2", *at)
    _ran(run, "label-attributes", "ask", "--ensemble", ensemble, *at)
    _ran(run, "label-attributes", "decide", *at)
    _ran(run, "review-labels", "plan", "--pilot", "60", "--overlap", "0.5", *at)
    said = judge(read_plan(Workspace(root)), lambda item: item.image_id < "1")
    append_decisions(Workspace(root), said)
    _ran(run, "label-attributes", "decide", *at)
    _ran(run, "build-galleries", "--tau", "0.5,0.7", *at)
    return root


@pytest.fixture
def drawn(_drawn: Path, tmp_path: Path) -> Workspace:
    """Drawn dresses with labels by vote, an audit, and galleries at two τ."""
    return Workspace(Path(shutil.copytree(_drawn, tmp_path / "drawn", symlinks=True)))


@pytest.fixture(scope="session")
def _spoken(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]) -> Path:
    root = tmp_path_factory.mktemp("spoken") / "workspace"
    files = [_DATA / f"instances_{name}2017.json" for name in ("train", "val")]
    _ran(run, "build-catalog", "coco", *files, "--workers", "1", "--workspace", root)
    workspace = Workspace(root)
    store_false_premises(workspace)
    append_decisions(workspace, [said_of(one) for one in false_premises()])
    items = [item for item in iterate_items(workspace) if item.image and len(item.objects) > 3]
    sets = [one for item in items[:2] for one in _turns(item)]
    _write(workspace, "candidate-set", sets)
    append_decisions(workspace, [each for one in sets for each in _marks(one)])
    written = _boat_chain()
    _write(workspace, "question-chain", [replace(written, steps=(), question="", scenario="")])
    append_decisions(workspace, _chain_decisions(written))
    return root


@pytest.fixture
def spoken(_spoken: Path, tmp_path: Path) -> Workspace:
    """Photographs of COCO with dialogues of all three kinds that people let stand."""
    return Workspace(Path(shutil.copytree(_spoken, tmp_path / "spoken", symlinks=True)))


def _ran(run: Callable[..., Any], *command: Any) -> None:
    ran = run(*command)
    assert ran.code == 0, ran.err + ran.out


def _write(workspace: Workspace, kind: Any, records: Sequence[Any]) -> None:
    plan = store.Plan(stage=f"dialogues/{kind}/drafts", inputs={}, settings={}, seed=0)
    write_drafts(workspace, kind, records, plan)


def _turns(item: Item) -> Iterator[CandidateSet]:
    boxes = tuple(
        BoxOfPicture(box_id=str(number), category=each.category, bbox=each.bbox)
        for number, each in enumerate(item.objects[:5], 1)
    )
    for turn in (1, 2, 3):
        context = tuple(
            Said(speaker="agent" if at % 2 else "human", text=line)
            for at, line in enumerate(_LINES[: 2 * turn - 1])
        )
        draft = candidate_set(turn, name=f"about-{item.source_id}", image_id=item.image_id)
        yield replace(draft, boxes=boxes, context=context, first_utterance=_LINES[0])


def _marks(record: CandidateSet) -> Iterator[Decision]:
    left = [box.box_id for box in record.boxes][: 4 - record.turn]
    for auditor in ("ana", "bo"):
        yield decision(
            image_id=None,
            record_id=record_id_of(record),
            field=FIELD,
            auditor=auditor,
            before=None,
            after=json.dumps(left),
            verdict="confirmed",
        )


def _boat_chain() -> QuestionChain:
    why = "Why will nobody row this boat today?"
    return chain(
        image_id=_BOAT,
        scenario="state of things",
        question=why,
        steps=(
            step("What does the boat stand on?", "a cart", wrong=("the water", "the grass")),
            step("Who is near the boat?", "visitors", wrong=("rowers", "fishermen")),
            step(why, "it is on show", (1, 2), ("the sea is rough", "it leaks")),
        ),
    )


def _chain_decisions(written: QuestionChain) -> list[Decision]:
    said: list[Decision] = []
    draft = replace(written, steps=(), question="", scenario="")
    stages: Sequence[tuple[str, dict[str, Any]]] = (
        ("chain", {"after": written_text(written), "auditor": "ana"}),
        ("distractors", {**failed_names([]), "auditor": "bo"}),
        ("round-1", {"after": "valid", "auditor": "bo"}),
        ("round-2", {"after": "valid", "auditor": "cy"}),
    )
    for minute, (field, more) in enumerate(stages):
        by_field = {thing.field: by for thing, by in standing(said).items()}
        before = progress(draft, by_field).digest
        at = f"2026-03-01T12:{minute:02}:00+00:00"
        said.append(decided_of_chain(field, before=before, at=at, **more))
    return said


@pytest.fixture
def facts(tmp_path: Path) -> Callable[..., Facts]:
    """Return facts of made-up parts; each config of ``records`` and ``configs`` is released."""

    def make(
        *,
        records: Mapping[str, Sequence[Any]] | None = None,
        configs: Sequence[str] = ("images",),
        items: Sequence[Item] = (),
        inputs: Mapping[str, store.Manifest] | None = None,
        left_out: Mapping[str, Mapping[str, int]] | None = None,
        labels: LabelsFound = NO_LABELS,
        audit: Report | None = None,
        gate: GateReport | None = None,
        **settings: Any,
    ) -> Facts:
        records = records or {}
        written = [
            Written(
                config=name, paths=(), sha256=(), rows=len(records.get(name, ())), size=0, digest=""
            )
            for name in (*records, *configs)
        ]
        making = Making(
            workspace=Workspace(tmp_path),
            name="things",
            version=Version(1, 2, 3),
            settings=ReleaseSettings(**settings),
            folder=tmp_path,
            gathered=Gathered(
                contents=(),
                records=records,
                items=tuple(items),
                held={},
                left_out=left_out or {},
                inputs=inputs or {"catalog": manifest()},
            ),
            written=written,
            schemas={},
        )
        return Facts(making=making, labels=labels, audit=audit, gate=gate)

    return make


def manifest(**more: Any) -> store.Manifest:
    """Return a manifest without files; ``settings``, ``seed`` and what else differs by name."""
    plan = store.Plan(
        stage="catalog", inputs={}, settings=more.pop("settings", {}), seed=more.pop("seed", None)
    )
    said: dict[str, Any] = {"counts": {}, "reasons": {}, **more}
    return store.Manifest(plan=plan, version="0.1.0", files={}, content={}, seconds=0, **said)


@pytest.fixture(scope="session")
def kit() -> SimpleNamespace:
    """What tests make parts of: manifests."""
    return SimpleNamespace(manifest=manifest)
