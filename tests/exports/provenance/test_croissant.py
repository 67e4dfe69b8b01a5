"""croissant.json, read by the reference implementation of the format."""

import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import mlcroissant as mlc
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from benchwright.decisions.journal import append_decisions
from benchwright.records import (
    CandidateSet,
    Episode,
    FalsePremise,
    QuestionChain,
    Response,
    TellingValue,
    Trajectory,
)
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from exports.canary import with_canary
from exports.contents.decisions import decisions_table
from exports.contents.private_answers import hold_back
from exports.contents.records import IMAGES, LABELS, VOCABULARY
from exports.features import IMAGE
from exports.provenance.attribution import write_attribution
from exports.provenance.croissant import FILE, write_croissant
from stand_ins.auditors import decision
from stand_ins.chains import chain
from stand_ins.dialogues import candidate_set, spoken_about
from stand_ins.false_premises import false_premises
from stand_ins.played_runs import trajectory
from stand_ins.responses_of_a_run import response

pytestmark = [  # of mlcroissant's own calls
    pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning:rdflib"),
    pytest.mark.filterwarnings("ignore:The inplace keyword:DeprecationWarning:mlcroissant"),
]

RECOMMENDED = {"datePublished"}  # by mlcroissant; see croissant.py


def episode(number: int) -> Episode:
    telling = TellingValue(type="cloth", value="navy", answer="yes", distractors=number)
    return Episode(
        episode_id=f"e{number}",
        tau=0.6,
        target_id="b",
        target_index=2,
        image_ids=("a", "b", "c"),
        similarities=(0.75, 1.0, 0.6),
        pool_size=2,
        telling_values=(telling,) * number,
        identifiable=True,
        identifiable_protocol=False,
        par=None if number else 3,
        par_protocol=None,
        seed=0,
    )


def images() -> pa.Table:
    rows = []
    for name in "ab":
        stream = io.BytesIO()
        Image.new("RGB", (8, 6), (200, 10 * ord(name) % 256, 0)).save(stream, "PNG")
        row = dict.fromkeys(IMAGES.names) | {"image_id": name, "width": 8, "height": 6}
        row |= {"image": {"bytes": stream.getvalue(), "path": f"{name}.png"}, "source": "s"}
        row |= {"source_id": name, "sha256": "0" * 64, "source_sha256": "0" * 64}
        rows.append(row)
    return pa.Table.from_pylist(rows, schema=IMAGES)


def every_config() -> dict[str, pa.Table]:
    """Return two rows of each config that a release may have."""
    chains = [chain(chain_id="c1"), chain(chain_id="c2", rounds=())]
    samples: dict[str, tuple[list[Any], type[Any]]] = {
        "hidden-target-tau-0.6": ([episode(0), episode(2)], Episode),
        "false-premise": (false_premises()[:2], FalsePremise),
        "candidate-set": ([candidate_set(name="d1"), candidate_set(3, name="d2")], CandidateSet),
        "question-chain": (chains, QuestionChain),
    }
    labels = [
        {"image_id": name, "type": "cloth", "value": "navy", "answer": answer, "origin": origin}
        for name, answer, origin in (("a", "yes", "audited"), ("b", "unknown", None))
    ]
    value = {"type": "cloth", "value": "navy", "exclusive": True, "complete": False}
    lists = {"type_aliases": [], "value_aliases": ["dark blue"], "templates": ["Is it navy?"]}
    decided = [decision(1), decision(1, None, auditor="bo"), decision(2, "no", failed=("x", "y"))]
    numbers = {"ana": "auditor-1", "bo": "auditor-2"}
    return {
        **{
            config: with_canary(to_table(records, kind), "canary")
            for config, (records, kind) in samples.items()
        },
        "images": images(),
        "vocabulary": pa.Table.from_pylist([{**value, **lists, "askable": True}], VOCABULARY),
        "labels": pa.Table.from_pylist(labels, schema=LABELS),
        "decisions": decisions_table(decided, numbers, {f"{n:016x}" for n in (1, 2)}, ()),
        "responses": to_table([response(0), response(1)], Response),
        "trajectories": to_table([trajectory(episode(0)), trajectory(episode(2))], Trajectory),
    }


def described(making: Any) -> mlc.Dataset:
    write_attribution(making)
    write_croissant(making)
    return mlc.Dataset(str(making.folder / FILE))


def loaded(dataset: mlc.Dataset, config: str) -> list[dict[str, Any]]:
    return [as_stored(dict(record), config) for record in dataset.records(config)]


def as_stored(value: Any, prefix: str) -> Any:
    """Return what mlcroissant gives as Parquet has it: names without paths, texts as texts."""
    match value:
        case dict():
            return {
                name.removeprefix(f"{prefix}/"): as_stored(one, name) for name, one in value.items()
            }
        case list():
            return [as_stored(one, prefix) for one in value]
        case bytes():
            return value.decode()
        case Image.Image():
            return np.asarray(value).tolist()
        case _:
            return value


def as_told(value: Any, kind: pa.DataType) -> Any:
    """Return a value of a column without what Croissant cannot say: records within records."""
    if value is None:
        return None
    if kind == IMAGE:
        return np.asarray(Image.open(io.BytesIO(value["bytes"]))).tolist()
    if pa.types.is_struct(kind):
        told = [child for child in kind if not _holds_records(child.type)]
        return {child.name: as_told(value[child.name], child.type) for child in told}
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return [as_told(one, kind.value_type) for one in value]
    return value


def _holds_records(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return _holds_records(kind.value_type)
    return bool(pa.types.is_struct(kind))


def issues(dataset: mlc.Dataset) -> set[str]:
    """Return the properties that mlcroissant misses; there must be no errors."""
    found = dataset.metadata.ctx.issues
    assert not found.errors
    return {line.split('"')[1].split("/")[-1] for line in found.warnings}


def test_every_config_is_read_as_it_is_stored(making_of: Callable[..., Any]) -> None:
    tables = every_config()
    making = making_of(spoken_about("a"), configs=tables, authors=("Ana",))
    dataset = described(making)
    assert issues(dataset) == {*RECOMMENDED, "license"}  # no picture here has one
    assert [one.uuid for one in dataset.metadata.record_sets] == list(tables)
    for config, table in tables.items():
        expected = [
            {name: as_told(value, table.schema.field(name).type) for name, value in row.items()}
            for row in table.to_pylist()
        ]
        assert loaded(dataset, config) == expected, config


def test_the_key_of_a_config_tells_its_rows_apart(making_of: Callable[..., Any]) -> None:
    turns = [candidate_set(1, name="d1"), candidate_set(2, name="d1")]
    tables = {**every_config(), "candidate-set": to_table(turns, CandidateSet)}
    making = making_of(spoken_about("a"), configs=tables)
    described(making)
    said = json.loads((making.folder / FILE).read_text("utf-8"))["recordSet"]
    keys = {one["name"]: one.get("key", []) for one in said}
    assert [name for name, key in keys.items() if not key] == ["decisions"]
    for config, key in keys.items():
        named = [one["@id"].partition("/")[2] for one in (key if isinstance(key, list) else [key])]
        rows = [tuple(row[name] for name in named) for row in tables[config].to_pylist()]
        assert len(set(rows)) == len(rows) or not named, config


def test_a_release_is_described_whole(coco: Workspace, build: Callable[..., Any]) -> None:
    append_decisions(coco, [decision(after=None, image_id=None, record_id="fp-dog")])
    folder = build(coco, title="Dogs", authors=("Ana Lima",)).folder
    dataset = mlc.Dataset(str(folder / FILE))
    assert issues(dataset) == RECOMMENDED
    assert len(loaded(dataset, "false-premise")) == 4
    stored = pq.read_table(next(folder.glob("data/images/*.parquet")))
    shown = loaded(dataset, "images")
    assert [one["image_id"] for one in shown] == stored.column("image_id").to_pylist()
    for one, row in zip(shown, stored.column("image").to_pylist(), strict=True):
        assert one["image"] == np.asarray(Image.open(io.BytesIO(row["bytes"]))).tolist()
    assert dataset.metadata.data_biases[0].startswith("What coco show too often")
    said = json.loads((folder / FILE).read_text("utf-8"))
    assert said["citeAs"].startswith("@misc{r-1-0-0,\n  title = {Dogs},\n  author = {Ana Lima},")
    assert said["citeAs"] in (folder / "README.md").read_text("utf-8")
    assert said["name"] == "r"
    assert said["alternateName"] == "Dogs"
    assert said["creator"] == [{"@type": "sc:Person", "name": "Ana Lima"}]
    assert "https://creativecommons.org/licenses/by-sa/2.0/" in said["license"]
    assert said["rai:annotationsPerItem"].startswith("1 to 2 decisions of people on each of 4 ")
    assert "rai:annotatorDemographics" not in said  # nobody asked
    assert "places by GPS" in said["rai:personalSensitiveInformation"][1]


def test_the_hash_of_each_file_is_that_of_its_bytes(
    coco: Workspace, build: Callable[..., Any]
) -> None:
    built = build(coco)
    said = json.loads((built.folder / FILE).read_text("utf-8"))
    files = [one for one in said["distribution"] if one["@type"] == "cr:FileObject"]
    locked = built.lock.files
    assert {one["contentUrl"] for one in files} == {
        name for name in locked if name.startswith("data/") or name == "ATTRIBUTION.csv"
    }
    for one in files:
        assert one["sha256"] == locked[one["contentUrl"]].sha256
        assert one["contentSize"] == f"{locked[one['contentUrl']].size} B"


def test_the_same_release_is_described_by_the_same_bytes(making_of: Callable[..., Any]) -> None:
    found = set()
    for _ in range(2):
        making = making_of(spoken_about("a"), configs=every_config())
        described(making)
        found.add((making.folder / FILE).read_bytes())
        assert os.fsencode(making.folder) not in found.copy().pop()
    assert len(found) == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "EXIF (places by GPS among it), XMP"),
        ({"keep_metadata": True}, "EXIF may say where one was taken"),
    ],
)
def test_it_says_what_became_of_metadata(
    making_of: Callable[..., Any], settings: Mapping[str, Any], said: str
) -> None:
    making = making_of(spoken_about("a"), configs={"images": images()}, **settings)
    described(making)
    text = (making.folder / FILE).read_text("utf-8")
    assert said in text


def test_names_of_strangers_stay_text(making_of: Callable[..., Any], tmp_path: Path) -> None:
    evil = '"},"@id":"x</script>\x1b[2J\u2028'
    making = making_of(
        spoken_about("a", source=evil, licence=evil), configs=every_config(), title=evil
    )
    dataset = described(making)
    assert issues(dataset) == RECOMMENDED
    assert dataset.metadata.name == "r"


@pytest.mark.parametrize("config", ["hidden-target-tau-0.6", "candidate-set", "question-chain"])
def test_a_config_whose_answers_are_held_back_is_read(
    making_of: Callable[..., Any], config: str
) -> None:
    table = every_config()[config]
    ids = table.column(0).to_pylist()
    out, _ = hold_back(config, table, b"k" * 32)
    records = loaded(described(making_of(spoken_about("a"), configs={config: out})), config)
    assert [one[table.schema.names[0]] for one in records] == ids
    assert [one["commitment"] for one in records] == out.column("commitment").to_pylist()


def test_people_whose_judgements_stand_in_records_are_not_nobody(
    making_of: Callable[..., Any],
) -> None:
    table = every_config()["candidate-set"]
    making = making_of(spoken_about("a"), configs={"candidate-set": table})
    described(making)
    said = json.loads((making.folder / FILE).read_text("utf-8"))["rai:annotationsPerItem"]
    assert said == (
        "No decisions of people are released. Not counted: marks of annotators of candidate-set,"
        " which stand in the records."
    )
