"""Voters that are no model server: recorded votes, and scripted labels with errors."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright import files
from benchwright.errors import SourceError
from benchwright.records import SCHEMAS, AttributeType, AttributeValue, Label, Vote
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.ensemble import (
    ClipVoter,
    Ensemble,
    ReplayVoter,
    ScriptedVoter,
    read_ensemble,
)
from labeling.attributes.voting.plan import plan_of
from labeling.attributes.voting.replay_voter import Replayed
from labeling.attributes.voting.scripted_voter import Scripted
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.voter import Ballot, ShownQuestion, Voting
from labeling.attributes.voting.voters import models_of, settings_of, voters_of

HERE = Workspace(Path("nowhere"))
VOTE = Vote(
    image_id="0" * 16,
    object_id=None,
    type="cloth",
    value="navy",
    voter="qwen",
    template="1",
    view="whole",
    answer="yes",
    p_yes=0.75,
    status="ok",
    answer_key="ab",
)


def question(of: Vote = VOTE, **more: Any) -> ShownQuestion:
    about = {"type": of.type, "value": of.value, "template": of.template, "view": of.view} | more
    image, thing = about.pop("image_id", of.image_id), about.pop("object_id", of.object_id)
    return ShownQuestion(
        subject=Subject(
            image_id=image,
            object_id=thing,
            path=Path("p.png"),
            sha256="",
            width=1,
            height=1,
            bbox=None,
            noun="dress",
        ),
        text="?",
        pictures=(),
        **about,
    )


def said(voter: Voting, *questions: ShownQuestion) -> tuple[Ballot, ...]:
    return asyncio.run(voter.vote(questions))


def recorded(path: Path, votes: Sequence[Vote]) -> Path:
    pq.write_table(to_table(list(votes), Vote), path)
    return path


def test_recorded_votes_come_back_as_they_are(tmp_path: Path) -> None:
    refused = replace(VOTE, object_id="7", answer=None, p_yes=None, status="refused")
    path = recorded(tmp_path / "v.parquet", [VOTE, refused, replace(VOTE, voter="other")])
    voter = Replayed(ReplayVoter(kind="replay", name="old", votes=path, voter="qwen"))
    assert voter.name == "old"
    ballots = said(voter, question(), question(refused), question(template="2"))
    assert ballots == (
        Ballot(answer="yes", status="ok", p_yes=0.75, answer_key="ab"),
        Ballot(answer=None, status="refused", p_yes=None, answer_key="ab"),
        Ballot(answer=None, status="failed"),  # not recorded: not asked yet
    )
    # its own name is taken where no other is given
    with pytest.raises(SourceError, match=r"no vote of 'old' \(there are other, qwen\)"):
        Replayed(ReplayVoter(kind="replay", name="old", votes=path))


def _text(path: Path) -> None:
    path.write_text("image_id,answer\n1,yes\n")


def _labels(path: Path) -> None:
    pq.write_table(SCHEMAS[Label].empty_table(), path)


def _answering(answer: str | None, status: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        row = asdict(VOTE) | {"answer": answer, "status": status}
        pq.write_table(pa.Table.from_pylist([row], SCHEMAS[Vote]), path)

    return write


@pytest.mark.parametrize(
    "write",
    [
        lambda path: None,  # no file
        lambda path: path.mkdir(),
        lambda path: path.write_bytes(b""),
        _text,
        _labels,  # a table of another record
        lambda path: pq.write_table(pa.table({"image_id": [1]}), path),
        lambda path: pq.write_table(to_table([], Vote), path),
        # answers and statuses that are none
        _answering("perhaps", "ok"),
        _answering("yes", "fine"),
        _answering("yes", "refused"),
        _answering(None, "ok"),
    ],
)
def test_what_is_no_file_of_votes_is_refused(tmp_path: Path, write: Callable[[Path], Any]) -> None:
    path = tmp_path / "v.parquet"
    write(path)
    with pytest.raises(SourceError) as caught:
        Replayed(ReplayVoter(kind="replay", name="qwen", votes=path))
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_columns_in_another_order_and_more_of_them(tmp_path: Path) -> None:
    table = to_table([VOTE], Vote)
    names = list(reversed(table.schema.names))
    more = table.select(names).append_column("note", pa.array(["x"]))
    pq.write_table(more, tmp_path / "v.parquet")
    voter = Replayed(ReplayVoter(kind="replay", name="qwen", votes=tmp_path / "v.parquet"))
    assert said(voter, question())[0].answer == "yes"


def label(**more: Any) -> dict[str, Any]:
    nothing = {field.name: None for field in SCHEMAS[Label]}
    counted = {"votes_counted": 0, "votes_saved": 0, "origin": "catalog"}
    about = {"image_id": "0" * 16, "type": "cloth", "value": "navy", "answer": "yes"}
    return nothing | counted | about | more


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.parquet"
    rows = [label(), label(value="teal", answer="no"), label(object_id="1", value="teal")]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMAS[Label]), path)
    return path


def scripted(path: Path, **more: Any) -> Scripted:
    return Scripted(ScriptedVoter(kind="scripted", name="s", labels=path, **more))


def test_a_perfect_scripted_voter_says_what_the_labels_say(labels: Path) -> None:
    voter = scripted(labels)
    ballots = said(
        voter,
        question(),
        question(value="teal"),
        question(value="teal", object_id="1"),
        question(value="gold"),  # has no label
    )
    assert [ballot.answer for ballot in ballots] == ["yes", "no", "yes", "no"]
    assert all(ballot == Ballot(answer=ballot.answer, status="ok") for ballot in ballots)


@pytest.mark.parametrize(
    ("more", "kind", "right"),
    [
        ({"accuracy": 0.9}, "cloth", 0.9),
        ({"accuracy": 0.0}, "cloth", 0.0),
        # blind on a value, or on a type
        ({"accuracy": 0.9, "blind": ("navy",)}, "cloth", 0.5),
        ({"accuracy": 0.9, "blind": ("cloth",)}, "cloth", 0.5),
        ({"accuracy": 0.9, "blind": ("trim",)}, "cloth", 0.9),
    ],
)
def test_it_errs_as_often_as_it_is_told(
    labels: Path, more: dict[str, Any], kind: str, right: float
) -> None:
    questions = [question(template=str(number), type=kind) for number in range(2000)]
    first, again = (said(scripted(labels, **more), *questions) for _ in range(2))
    assert first == again
    share = sum(ballot.answer == "yes" for ballot in first) / len(first)
    assert share == pytest.approx(right, abs=0.04)
    other = said(scripted(labels, seed=1, **more), *questions)
    assert (other != first) == (0 < right < 1)


@pytest.mark.parametrize(
    "write",
    [
        lambda path: None,  # no file
        _text,
        lambda path: path.write_bytes(b"PAR1"),
        lambda path: pq.write_table(pa.table({"image_id": ["1"], "answer": ["yes"]}), path),
    ],
)
def test_what_is_no_file_of_labels_is_refused(tmp_path: Path, write: Callable[[Path], Any]) -> None:
    path = tmp_path / "labels.parquet"
    write(path)
    with pytest.raises(SourceError, match=r"labels\.parquet: wanted a Parquet file of labels"):
        scripted(path)


def ensemble(*voters: dict[str, Any]) -> Ensemble:
    return Ensemble.model_validate({"voters": voters})


SERVER = {"name": "qwen", "model": "q", "base_url": "http://localhost:1/v1"}


@pytest.mark.parametrize(
    ("change", "is_another"),
    [
        # what decides an answer
        ({"model": "other"}, True),
        ({"revision": "int4"}, True),
        ({"weight": 2}, True),
        ({"parameters": {"temperature": 0.2}}, True),
        ({"logprobs": 5}, True),
        ({"max_tokens": 500}, True),
        ({"structured": "json_object"}, True),
        ({"pictures": {"max_side": 600}}, True),
        # where the server is, how fast it may be asked, what it costs
        ({"base_url": "http://elsewhere/v1"}, False),
        ({"api_key_env": "SOME_KEY"}, False),
        ({"concurrency": 2, "requests_per_minute": 9, "timeout": 3}, False),
        ({"price": {"input": 1, "output": 2}}, False),
        ({"pictures": {"at_once": 9}}, False),
    ],
)
def test_what_of_a_model_decides_its_votes(change: dict[str, Any], is_another: bool) -> None:
    (one,), (other,) = (ensemble(SERVER | changed).voters for changed in ({}, change))
    assert (settings_of(one, HERE) != settings_of(other, HERE)) == is_another


def test_what_of_a_file_decides_its_votes(tmp_path: Path, labels: Path) -> None:
    votes = recorded(tmp_path / "v.parquet", [VOTE])
    copy = recorded(tmp_path / "w.parquet", [VOTE])

    def settings(path: Path) -> dict[str, Any]:
        said = settings_of(ReplayVoter(kind="replay", name="qwen", votes=path), HERE)
        assert str(tmp_path) not in str(said)
        return said

    first = settings(votes)
    assert settings(copy) == first  # the bytes count, not the place
    recorded(votes, [replace(VOTE, answer="no")])
    assert settings(votes) != first
    said = settings_of(ScriptedVoter(kind="scripted", name="s", labels=labels, accuracy=0.9), HERE)
    assert (said["accuracy"], str(labels) in str(said)) == (0.9, False)
    gone = ScriptedVoter(kind="scripted", name="s", labels=tmp_path / "gone.parquet")
    with pytest.raises(SourceError, match=r"gone\.parquet: the file of voter 's' cannot be read"):
        settings_of(gone, HERE)


def test_thresholds_decide_votes_by_their_bytes(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    workspace.labels.mkdir(parents=True)
    plain = ClipVoter(kind="clip", name="c", model="ViT-B-32", pretrained="openai")
    without = settings_of(plain, workspace)
    assert "thresholds" not in without
    elsewhere = tmp_path / "elsewhere.json"
    named = plain.model_copy(update={"thresholds": elsewhere})
    with pytest.raises(SourceError, match=r"elsewhere\.json: the file of voter 'c' cannot be read"):
        settings_of(named, workspace)
    elsewhere.write_text("{}", "utf-8")
    said = settings_of(named, workspace)
    assert said == without | {"thresholds": files.sha256_of(elsewhere)}
    assert str(tmp_path) not in str(said)
    # the workspace's own come first, for whoever names others too
    (workspace.labels / "clip-c.json").write_text("[]", "utf-8")
    assert settings_of(named, workspace) == settings_of(plain, workspace) != said


def test_the_model_in_the_package_decides_votes_by_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchwright.clip.choosing.__file__", str(tmp_path / "choosing.py"))
    (tmp_path / "embedded").mkdir()
    weights = tmp_path / "embedded" / "open_clip_model.safetensors"
    weights.write_bytes(b"one")
    voter = ClipVoter(kind="clip", name="c", model="embedded")
    first = settings_of(voter, HERE)
    assert first["model"] == [files.sha256_of(weights)]
    weights.write_bytes(b"another")
    assert settings_of(voter, HERE) != first


def test_voters_of_all_kinds_are_made_ready(tmp_path: Path, labels: Path) -> None:
    recorded(tmp_path / "v.parquet", [VOTE])
    path = tmp_path / "e.yaml"
    path.write_text(
        f"voters: [{{kind: replay, name: qwen, votes: v.parquet}},"
        f" {{kind: scripted, name: s, labels: {labels.name}}}]"
    )
    read = read_ensemble(path)
    assert models_of(read) == []
    held = ExitStack()
    cloth = AttributeType(type="cloth", aliases=(), exclusive=True, complete=False, askable=True)
    navy = AttributeValue(type="cloth", value="navy", aliases=(), templates=("a?", "b?", "c?"))
    plan = plan_of(read, Vocabulary(types=(cloth,), values=(navy,)))
    ready = voters_of(plan, HERE, {}, held)
    assert {name: type(voter) for name, voter in ready.items()} == {
        "qwen": Replayed,
        "s": Scripted,
    }
    assert all(voter.name == name and voter.at_once >= 1 for name, voter in ready.items())
