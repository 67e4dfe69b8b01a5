"""Verifying a release from nothing but itself: each fault is found and named."""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from exports.verifying.verify import verify_release

Rows = list[dict[str, Any]]
EPISODES = "hidden-target-tau-0.3"


def faults(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return what is wrong, by check."""
    return {one.check: one.faults for one in verify_release(folder) if not one.holds}


def test_a_release_holds(whole_once: Workspace) -> None:
    found = verify_release(whole_once.releases / "things" / "1.0.0")
    assert [one.check for one in found if one.holds] == [
        *("files", "columns", "rows", "pictures", "card", "ids", "answers", "episodes"),
        "dialogues",
    ]
    said = [line for one in found for line in one.lines()]
    assert "ok  episodes: 36 solved anew from the released labels" in said
    assert "ok  dialogues: 7 records made anew from their parts" in said


def test_a_release_holds_wherever_it_lies(whole: Workspace, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere" / "ü <b>"
    shutil.copytree(whole.releases / "things" / "1.0.0", place)
    shutil.rmtree(whole.root)
    (place / "NOTES.md").write_text("what somebody put there", "utf-8")
    assert faults(place) == {}


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


# what was done to a file, what is found
@pytest.mark.parametrize(
    ("change", "said"),
    [
        # one bit
        (lambda at: _spoil(at / "ATTRIBUTION.csv"), "ATTRIBUTION.csv: has other bytes than"),
        (lambda at: _spoil(next((at / "data/labels").iterdir())), "labels/test-00000-of-00001"),
        # a byte less
        (lambda at: (at / "croissant.json").write_bytes(b"{}"), "croissant.json: 2 bytes, the"),
        (lambda at: (at / "ATTRIBUTION.csv").unlink(), "ATTRIBUTION.csv: is missing"),
        # a shard that would be loaded with the others
        (
            lambda at: shutil.copy(
                next((at / "data/labels").iterdir()), at / "data/labels/test-9.parquet"
            ),
            "data/labels/test-9.parquet: is not in the lock",
        ),
    ],
)
def test_a_file_that_is_another_ends_it(
    folder: Path, change: Callable[[Path], object], said: str
) -> None:
    change(folder)
    (found,) = verify_release(folder)
    assert (found.check, len(found.faults)) == ("files", 1)
    assert said in found.faults[0]


def _png(size: tuple[int, int]) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size).save(stream, "PNG")
    return stream.getvalue()


def _first(config: str, **values: Any) -> tuple[str, Callable[[Rows], Any]]:
    """Return a change of the first row of a config."""
    return config, lambda rows: rows[0].update(values)


def _flipped(rows: Rows) -> None:
    for row in rows:
        row["answer"] = {"yes": "no", "no": "yes"}.get(row["answer"], row["answer"])


def _question(rows: Rows) -> None:
    rows[0]["turns"][5]["asked_question"] = "Is that so?"


def _reversed(rows: Rows) -> None:
    rows[0]["similarities"].reverse()


# what was changed, with a lock that fits; the check that finds it; what it says
@pytest.mark.parametrize(
    ("change", "check", "said"),
    [
        # a picture that is another, that has no bytes, or is no picture, or has another size
        (_first("images", sha256="0" * 64), "pictures", "is not the picture of its sha256"),
        (_first("images", image=None), "columns", "images.image: is null somewhere"),
        (_first("images", image={"bytes": None, "path": "a.png"}), "pictures", "has no bytes"),
        (_first("images", image={"bytes": b"GIF89a", "path": "a.png"}), "pictures", "sha256"),
        (_first("images", width=7), "pictures", "its row says 7 x 32"),
        # ids that stand twice, or for nothing
        (("images", lambda rows: [*rows, rows[0]]), "ids", "stands twice"),
        (("images", lambda rows: rows[1:]), "ids", "is not in images"),
        (("labels", lambda rows: rows[1:]), "ids", "rows, not 10 for each of 36 pictures"),
        (_first("labels", image_id="0" * 16), "ids", "picture 0000000000000000 is not in images"),
        (_first("labels", value="<b>"), "ids", "cloth: <b> is not in the vocabulary"),
        (_first("labels", answer="=cmd()"), "ids", "labels: =cmd() is no answer (yes, no, unk"),
        (_first(EPISODES, target_id="0" * 16), "ids", "is not its target"),
        (_first(EPISODES, target_index=99), "ids", "target_index 99 is no place in it"),
        ((EPISODES, _reversed), "episodes", "similarities does not follow from the labels"),
        ((EPISODES, lambda rows: [*rows, rows[0]]), "ids", "stands twice"),
        (_first("question-chain", image_id="0" * 16), "ids", "is not in images"),
        # what does not follow
        (("labels", _flipped), "episodes", "does not follow from the labels"),
        (_first(EPISODES, par=1_000), "episodes", "par does not follow from the labels"),
        (_first(EPISODES, telling_values=[]), "episodes", "telling_values does not follow"),
        (("false-premise", _question), "dialogues", "its questions are not those of its"),
        (_first("candidate-set", candidate_ids=["3"]), "dialogues", "most annotators marked"),
        (_first("question-chain", category="no such"), "dialogues", "question-chain c1: "),
        # rows that the card does not count
        (("decisions", lambda rows: rows[1:]), "card", "rows on the card"),
    ],
)
def test_what_was_changed_is_found(
    folder: Path,
    forged: Callable[..., None],
    change: tuple[str, Callable[[Rows], Any]],
    check: str,
    said: str,
) -> None:
    forged(folder, *change)
    found = faults(folder)
    assert check in found, found
    assert any(said in fault for fault in found[check]), found


def test_rows_are_counted_and_digested(folder: Path) -> None:
    path = folder / "release.lock.json"
    lock = json.loads(path.read_text("utf-8"))
    lock["configs"]["labels"]["rows"] += 1
    lock["configs"]["images"]["digest"] = "0" * 64
    path.write_text(json.dumps(lock), "utf-8")
    assert faults(folder)["rows"] == (
        "images: other rows than the lock says",
        "labels: 360 rows, the lock says 361",
    )


# a column that is gone, or of another type
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda table: table.drop_columns(["answer"]), "labels.answer: is missing"),
        (
            lambda table: table.cast(
                table.schema.set(4, pa.field(table.schema.names[4], pa.float32()))
            ),
            "labels.score: is float, not double",
        ),
    ],
)
def test_columns_that_cannot_be_read_are_named(
    folder: Path, written: Callable[..., None], change: Callable[[pa.Table], pa.Table], said: str
) -> None:
    table = pq.read_table(folder / "data/labels/test-00000-of-00001.parquet")
    written(folder, "labels", change(table))
    assert faults(folder) == {"columns": (said,)}


# what was done to the card
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("# things", "# Things of mine", None),  # a person's own
        ("---\n", "---\nviewer: false\n", None),
        ("| `labels` |", "| `labels`, all of them right |", "is not what the release wrote"),
        ("config_name: labels", "config_name: labelz", "labels: is not on the card"),
        ("dtype: float64", "dtype: float32", "the card has other features than the shards"),
    ],
)
def test_the_card_is_held_to_the_shards(folder: Path, old: str, new: str, said: str | None) -> None:
    path = folder / "README.md"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    found = faults(folder)
    assert bool(found) is bool(said)
    assert said is None or any(said in fault for fault in found["card"])


def test_a_card_that_is_gone_is_found(folder: Path) -> None:
    (folder / "README.md").unlink()
    assert "README.md: cannot be read" in faults(folder)["card"][0]


# a lock that is none
@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        (lambda path: path.unlink(), UsageError, "has no release.lock.json, so it is no release"),
        (lambda path: path.write_text("{"), WorkspaceError, "is no lock that this version reads"),
        (lambda path: path.write_bytes(b"\xff"), WorkspaceError, "is no lock"),
        # a way out of the folder
        (
            lambda path: path.write_text(path.read_text().replace("croissant.json", "../c.json")),
            WorkspaceError,
            "is no lock",
        ),
        (
            lambda path: path.write_text(path.read_text().replace('"format": 1', '"format": 2')),
            WorkspaceError,
            "format",
        ),
    ],
)
def test_without_a_lock_there_is_no_release(
    folder: Path, change: Callable[[Path], object], kind: type[Exception], said: str
) -> None:
    change(folder / "release.lock.json")
    with pytest.raises(kind, match=said) as error:
        verify_release(folder)
    assert "\n" not in str(error.value)


def test_many_faults_are_shown_in_part(folder: Path, forged: Callable[..., None]) -> None:
    forged(folder, "images", lambda rows: [row.update(width=1) for row in rows] and rows)
    found = next(one for one in verify_release(folder) if not one.holds)
    lines = list(found.lines())
    assert lines[0].startswith("NO  pictures: 36 pictures")
    assert lines[-1] == "      and 31 more"


def test_the_command_says_what_holds(folder: Path, run: Callable[..., Any]) -> None:
    ran = run("push-release", "verify", folder)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"{folder}: verified"), ran.err
    (folder / "ATTRIBUTION.csv").unlink()
    ran = run("push-release", "verify", folder)
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == f"{folder}: 1 check does not hold"


def test_counts_files_as_the_build_does(folder: Path) -> None:
    count = sum(path.is_file() for path in folder.rglob("*"))
    (files, *_) = verify_release(folder)
    assert (
        files.looked_at == f"{count} files: all but README.md and release.lock.json by their sha256"
    )
