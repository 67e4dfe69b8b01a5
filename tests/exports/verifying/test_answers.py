"""Releases that hold their answers back, and the answers shown later."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.contents.private_answers import KEY
from exports.verifying.finding import Finding
from exports.verifying.verify import verify_release

Release = Callable[..., Path]
Rows = list[dict[str, Any]]
EPISODES = "hidden-target-tau-0.3"


@pytest.fixture(scope="module")
def private_once(
    whole_once: Workspace, release: Release, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    place = Workspace(tmp_path_factory.mktemp("private") / "workspace")
    shutil.copytree(whole_once.root, place.root)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(KEY, "k" * 32)
        return release(place, "2.0.0", private_answers=True)


@pytest.fixture
def private(private_once: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A release that holds its answers back, and the file that shows them."""
    shutil.copytree(private_once.parent, tmp_path / "private")
    return tmp_path / "private" / "2.0.0", tmp_path / "private" / "2.0.0.answers.parquet"


def found(folder: Path, answers: Path | None = None) -> dict[str, Finding]:
    return {one.check: one for one in verify_release(folder, answers=answers)}


def test_a_release_without_its_answers_holds(private: tuple[Path, Path]) -> None:
    checks = found(private[0])
    assert all(one.holds for one in checks.values()), checks
    assert checks["answers"].looked_at == "39 are held back; --answers FILE checks them"
    assert checks["dialogues"].looked_at == "4 records made anew from their parts"


def test_answers_that_are_shown_are_those_committed_to(private: tuple[Path, Path]) -> None:
    checks = found(*private)
    assert all(one.holds for one in checks.values()), checks
    assert checks["answers"].looked_at.startswith("39 commitments against the answers")
    assert checks["dialogues"].looked_at == "7 records made anew from their parts"


def _said(row: dict[str, Any], **values: Any) -> None:
    row["answers"] = json.dumps({**json.loads(row["answers"]), **values}, sort_keys=True)


def _row(rows: Rows, config: str) -> dict[str, Any]:
    return next(row for row in rows if row["config"] == config)


# what is shown instead, what is found
@pytest.mark.parametrize(
    ("change", "said"),
    [
        # another target, another salt
        (lambda rows: _said(_row(rows, EPISODES), target_index=1, par=1), "other answers than"),
        (lambda rows: _row(rows, "candidate-set").update(salt="0" * 64), "candidate-set v1/1: "),
        # one is kept back, one is too much
        (lambda rows: rows.remove(_row(rows, "question-chain")), "its answers are not shown"),
        (lambda rows: rows.append({**rows[0], "id": "more"}), "more: answers to what the release"),
    ],
)
def test_other_answers_are_found(
    private: tuple[Path, Path], change: Callable[[Rows], object], said: str
) -> None:
    folder, answers = private
    table = pq.read_table(answers)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), answers)
    checks = found(folder, answers)
    assert len(checks["answers"].faults) == 1
    assert said in checks["answers"].faults[0]
    assert "dialogues" not in checks  # nothing rests on answers that are others


def test_options_that_were_changed_are_found(
    private: tuple[Path, Path], forged: Callable[..., None]
) -> None:
    folder, answers = private
    forged(folder, "question-chain", lambda rows: rows[0]["steps"][0]["answer_options"].reverse())
    (fault,) = found(folder, answers)["answers"].faults
    assert fault.endswith("its options are not those of its answers")


def test_nothing_in_a_release_tells_of_its_answers(private: tuple[Path, Path]) -> None:
    stages = json.loads((private[0] / "release.lock.json").read_text("utf-8"))["stages"]
    told = {
        name: stage
        for name, stage in stages.items()
        if not name.startswith(("catalog", "labels", "dialogues/false-premise"))
        and (stage["content"] or stage["seed"] or "drafts" in stage["inputs"])
    }
    assert told == {}


# what is no file of answers
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "is not there"),
        (b"", "holds no answers"),
        (b"PAR1" * 9, "holds no answers"),
    ],
)
def test_a_file_of_no_answers_is_one_line(
    private: tuple[Path, Path], tmp_path: Path, data: bytes | None, said: str
) -> None:
    path = tmp_path / "x.parquet"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UsageError, match=said) as error:
        verify_release(private[0], answers=path)
    assert "\n" not in str(error.value)


def test_a_spoilt_file_of_answers_is_one_line(private: tuple[Path, Path]) -> None:
    data = bytearray(private[1].read_bytes())
    data[4:40] = b"\xff" * 36  # the header of the first page
    private[1].write_bytes(data)
    with pytest.raises(UsageError, match="holds no answers") as error:
        verify_release(private[0], answers=private[1])
    assert "\n" not in str(error.value)


# answers that are no JSON object
@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, "nul"])
def test_answers_that_cannot_be_read_are_one_line(private: tuple[Path, Path], text: str) -> None:
    table = pq.read_table(private[1])
    rows = table.to_pylist()
    rows[0]["answers"] = text
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), private[1])
    with pytest.raises(UsageError, match="are no JSON object"):
        verify_release(private[0], answers=private[1])


def test_the_command_takes_the_answers(private: tuple[Path, Path], run: Callable[..., Any]) -> None:
    ran = run("push-release", "verify", private[0], "--answers", private[1])
    assert ran.code == 0, ran.out + ran.err
    assert "39 commitments" in ran.out
