"""Answers that are held back: nothing that goes out tells them, and what is shown later fits."""

import hashlib
import json
import stat
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from datasets import Features

from benchwright import seeds
from benchwright.errors import UsageError
from benchwright.records import SCHEMAS, Episode, QuestionChain
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from exports import load_config, load_episode
from exports.contents.private_answers import (
    COLUMN,
    KEY,
    commitment,
    hold_back,
    holds_answers,
    key_from_environment,
    untold,
)
from exports.features import features_of, shard_schema
from stand_ins.chains import chain

SECRET = "0123456789abcdef0123456789abcdef"
TAU = "hidden-target-tau-0.3"
HELD = ("answers", "salt")


def episode(size: int = 8, place: int = 3, **more: Any) -> Episode:
    """Return an episode whose id and order are those of build-galleries."""
    shown = [f"{at:016x}" for at in range(size)]
    said: dict[str, Any] = {
        "episode_id": "e" * 16,
        "tau": 0.3,
        "target_id": shown[place - 1],
        "target_index": place,
        "image_ids": tuple(shown),
        "similarities": tuple(1.0 if at == place - 1 else at / 10 for at in range(size)),
        "pool_size": size - 1,
        "telling_values": (),
        "identifiable": True,
        "identifiable_protocol": False,
        "par": 3,
        "par_protocol": None,
        "seed": 0,
    }
    return Episode(**{**said, **more})


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, SECRET)


@pytest.fixture
def key() -> bytes:
    return key_from_environment("things")


@pytest.mark.parametrize("secret", [None, "", "too short", "x" * 31])
def test_a_key_that_somebody_could_guess_is_refused(
    secret: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY) if secret is None else monkeypatch.setenv(KEY, secret)
    with pytest.raises(
        UsageError, match=f"32 characters or more in the environment.*{KEY}"
    ) as told:
        key_from_environment("things")
    assert not secret or secret not in str(told.value)


def test_each_release_has_a_key_of_its_own(key: bytes) -> None:
    assert key_from_environment("things") == key
    assert key_from_environment("others") != key
    assert SECRET.encode() not in key


def test_an_episode_is_the_same_in_another_order(key: bytes) -> None:
    was = episode()
    told = untold(TAU, was, key)
    assert sorted(told.image_ids) == sorted(was.image_ids)
    assert told.image_ids[told.target_index - 1] == was.target_id == told.target_id
    assert dict(zip(told.image_ids, told.similarities, strict=True)) == dict(
        zip(was.image_ids, was.similarities, strict=True)
    )
    same = {one.name for one in fields(was) if getattr(told, one.name) == getattr(was, one.name)}
    assert {one.name for one in fields(was)} - same == {
        *("episode_id", "image_ids", "similarities", "target_index")
    }
    assert untold(TAU, was, key) == told


def test_the_order_hangs_on_the_key_and_on_nothing_of_the_target(key: bytes) -> None:
    was = episode()
    told = untold(TAU, was, key)
    # whichever of its pictures were the target, and wherever it stood before
    for place in range(1, 9):
        other = untold(TAU, episode(place=place), key)
        assert (other.episode_id, other.image_ids) == (told.episode_id, told.image_ids)
        assert other.image_ids[other.target_index - 1] == f"{place - 1:016x}"
    mixed = replace(was, image_ids=was.image_ids[::-1], similarities=was.similarities[::-1])
    assert untold(TAU, replace(mixed, target_index=6), key).image_ids == told.image_ids
    assert untold(TAU, was, b"another").image_ids != told.image_ids
    assert untold(TAU, was, b"another").episode_id != told.episode_id


def test_targets_stand_at_every_place(key: bytes) -> None:
    told = [untold(TAU, episode(episode_id=f"{at:016x}"), key) for at in range(4000)]
    counts = [sum(one.target_index == place for one in told) for place in range(1, 9)]
    # 500 on average, five standard deviations about 105
    assert all(395 < count < 605 for count in counts), counts


def test_what_goes_out_of_an_episode_is_what_is_played(key: bytes) -> None:
    table = to_table([untold(TAU, episode(), key)], Episode)
    out, held = hold_back(TAU, table, key)
    (row,) = out.to_pylist()
    assert {name for name, value in row.items() if value is not None} == {
        *("episode_id", "tau", "image_ids", COLUMN)
    }
    assert out.schema.names == [*SCHEMAS[Episode].names, COLUMN]
    assert (
        shard_schema(out.schema).remove_metadata()
        == features_of(out.schema).arrow_schema.remove_metadata()
    )
    (kept,) = held.to_pylist()
    assert (kept["config"], kept["id"]) == (TAU, row["episode_id"])
    assert json.loads(kept["answers"])["target_index"] == untold(TAU, episode(), key).target_index


def options(made: QuestionChain) -> list[set[str]]:
    return [{one.text for one in step.question_options} for step in made.steps]


def test_a_chain_can_be_played_without_its_answers(key: bytes) -> None:
    was = chain()
    told = untold("question-chain", was, key)
    assert options(told) == options(was)
    out, held = hold_back("question-chain", to_table([told], QuestionChain), key)
    (row,) = out.to_pylist()
    assert row["question"] == was.question
    assert [set(step) for step in row["steps"]] == [{"question_options", "answer_options"}] * 3
    for shown, step in zip(row["steps"], was.steps, strict=True):
        assert set(shown["question_options"]) == {one.text for one in step.question_options}
        assert set(shown["answer_options"]) == set(step.answer_options)
    assert json.loads(held["answers"][0].as_py())["steps"][0]["answer"] == was.steps[0].answer


@pytest.mark.parametrize("what", ["question_options", "answer_options"])
def test_the_true_option_stands_at_every_place(what: str, key: bytes) -> None:
    places: list[int] = []
    for at in range(900):
        told = untold("question-chain", chain(chain_id=f"c{at}"), key)
        for step in told.steps:
            shown = [getattr(one, "text", one) for one in getattr(step, what)]
            places.append(shown.index(step.question if what[0] == "q" else step.answer))
    # 900 on average, five standard deviations about 122
    assert all(778 < places.count(at) < 1022 for at in range(3)), [
        places.count(at) for at in range(3)
    ]


@pytest.mark.parametrize(
    ("config", "holds"),
    [
        (TAU, True),
        ("candidate-set", True),
        ("question-chain", True),
        # what is false stands in the question itself
        ("false-premise", False),
        ("images", False),
        ("labels", False),
    ],
)
def test_which_configs_hold_answers(config: str, holds: bool) -> None:
    assert holds_answers(config) is holds


# a whole release


@pytest.fixture
def private(whole: Workspace, release: Any) -> Path:
    return Path(release(whole, "2.0.0", private_answers=True))


def rows(folder: Path, config: str) -> list[dict[str, Any]]:
    return [
        row
        for path in sorted((folder / "data" / config).glob("*.parquet"))
        for row in pq.read_table(path).to_pylist()
    ]


def answers(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(
        folder.with_name("2.0.0.answers.parquet")
    ).to_pylist()
    return found


def test_the_answers_lie_beside_the_release_for_its_owner_alone(private: Path) -> None:
    path = private.with_name("2.0.0.answers.parquet")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not list(private.rglob("*answers*"))
    assert {one["config"] for one in answers(private)} == {
        *(TAU, "candidate-set", "question-chain")
    }
    assert SECRET.encode() not in path.read_bytes()


def test_shown_answers_are_those_that_were_committed_to(private: Path) -> None:
    ids = {TAU: ("episode_id",), "candidate-set": ("dialogue_id", "turn")}
    seen = 0
    for one in answers(private):
        names = ids.get(one["config"], ("chain_id",))
        (row,) = [
            row
            for row in rows(private, one["config"])
            if "/".join(str(row[name]) for name in names) == one["id"]
        ]
        # as a stranger would do it
        said = f"{one['salt']}\0{one['answers']}".encode()
        assert hashlib.sha256(said).hexdigest() == row["commitment"]
        assert commitment(one["salt"], one["answers"].replace("1", "2")) != row["commitment"]
        seen += 1
    assert seen == sum(
        len(rows(private, name)) for name in (TAU, "candidate-set", "question-chain")
    )
    assert len({one["salt"] for one in answers(private)}) == seen


def test_what_would_tell_the_answers_is_not_there(private: Path, whole: Workspace) -> None:
    there = {path.name for path in (private / "data").iterdir()}
    assert "labels" not in there
    assert {"vocabulary", "images", TAU, "false-premise"} <= there
    # what was decided of false premises tells nothing that the questions do not
    assert {row["record_id"] for row in rows(private, "decisions")} == {
        row["dialogue_id"] for row in rows(private, "false-premise")
    }
    lock = json.loads((private / "release.lock.json").read_text())
    for name, stage in lock["stages"].items():
        if name.startswith(("galleries", "dialogues/c", "dialogues/q")) and "drafts" not in name:
            assert (stage["seed"], stage["content"]) == (None, {})
    assert lock["left_out"]["labels"] == {"tells answers that are held back": 36}
    told = json.loads((private / "gate.json").read_text())["checks"]
    by_target = [one for one in told if one["of"] == TAU]
    assert by_target
    assert not any(one["rows"] for one in by_target)


def test_who_knows_how_galleries_are_made_cannot_tell_the_target(private: Path) -> None:
    """Try each picture as the target, by the id, and by the place that the seed draws."""
    by_id = {one["id"]: json.loads(one["answers"]) for one in answers(private)}
    by_place, chance = 0, 0.0
    shown = rows(private, TAU)
    for row in shown:
        names = row["image_ids"]
        for name in names:
            text = "\0".join(("0.3", name, *names))
            assert hashlib.sha256(text.encode()).hexdigest()[:16] != row["episode_id"]
        fits = [
            name
            for at, name in enumerate(names)
            if seeds.below(len(names), 0, "target", name, "0.3") == at
        ]
        by_place += by_id[row["episode_id"]]["target_id"] in fits
        chance += len(fits) / len(names)
    # with the orders of the workspace every target fits
    assert by_place < chance + 4 * chance**0.5 < len(shown)


def test_the_same_key_gives_the_same_bytes(
    private: Path, whole: Workspace, release: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {path.name: path.read_bytes() for path in private.rglob("*.parquet")}
    again = Path(release(whole, "2.0.1", private_answers=True))
    assert {path.name: path.read_bytes() for path in again.rglob("*.parquet")} == first
    monkeypatch.setenv(KEY, "another key of thirty-two characters")
    other = Path(release(whole, "2.0.2", private_answers=True))
    ids = [{row["episode_id"] for row in rows(folder, TAU)} for folder in (private, other)]
    assert not ids[0] & ids[1]


def test_answers_that_were_lost_are_written_again(
    private: Path, whole: Workspace, release: Any
) -> None:
    path = private.with_name("2.0.0.answers.parquet")
    before = path.read_bytes()
    path.unlink()
    release(whole, "2.0.0", private_answers=True)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_open_release_has_no_answers_beside_it(whole_once: Workspace) -> None:
    folder = whole_once.releases / "things"
    assert not list(folder.glob("*answers*"))
    assert COLUMN not in pa.schema(pq.read_schema(next(folder.glob(f"1.0.0/data/{TAU}/*")))).names


def test_a_private_release_loads_and_can_be_played(
    private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    head = yaml.safe_load((private / "README.md").read_text("utf-8").split("---\n")[1])
    for info in head["dataset_info"]:
        loaded = load_config(private, info["config_name"])
        assert loaded.features == Features._from_yaml_list(info["features"])
        if info["config_name"] != "images":
            assert loaded.to_list() == rows(private, info["config_name"])
    (chained,) = load_config(private, "question-chain")
    assert all(step["question_options"] and step["answer_options"] for step in chained["steps"])
    shown = load_episode(private, rows(private, TAU)[0]["episode_id"])
    assert len(shown.pictures) == len(shown.episode["image_ids"])
    assert shown.episode["target_index"] is None
