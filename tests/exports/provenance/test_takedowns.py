from collections.abc import Callable
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from benchwright.errors import UsageError
from benchwright.identity import image_id_of
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.locking.lock import read_lock
from exports.names import Version
from exports.provenance.cli import takedown_command
from exports.provenance.takedowns import (
    Takedown,
    TakenDown,
    read_takedowns,
    take_down,
    taken_down_in,
)

DOG = image_id_of("coco", "validation/000000404484.jpg")
Build = Callable[..., Any]


def ids(folder: Any, config: str, column: str) -> list[str]:
    paths = sorted((folder / "data" / config).glob("*.parquet"))
    return [name for path in paths for name in pq.read_table(path).column(column).to_pylist()]


def test_a_picture_that_was_taken_down_is_in_no_later_version(
    coco: Workspace, build: Build
) -> None:
    first = build(coco).folder
    done = take_down(coco, "r", DOG, "its owner asked")
    assert done == TakenDown(versions=(Version(1, 0, 0),), alike=())
    second = build(coco, "1.0.1").folder
    assert DOG in ids(first, "images", "image_id")
    assert DOG not in ids(second, "images", "image_id")
    assert "fp-dog" in ids(first, "false-premise", "dialogue_id")
    assert ids(second, "false-premise", "dialogue_id") == ["fp-boat", "fp-donut", "fp-woman"]
    lock = read_lock(second)
    assert lock is not None
    assert lock.left_out["false-premise"] == {"taken down": 1}
    held = b"".join(path.read_bytes() for path in second.rglob("*") if path.is_file())
    assert DOG.encode() not in held
    assert b"its owner asked" not in held  # a reason may name people


def begun(workspace: Workspace, name: str = "r") -> None:
    """Make the folder of a release of which no version stands (any more)."""
    (workspace.releases / name).mkdir(parents=True)


def test_a_release_of_another_name_is_not_touched(coco: Workspace, build: Build) -> None:
    begun(coco, "other")
    take_down(coco, "other", DOG, "r")
    assert DOG in ids(build(coco).folder, "images", "image_id")


def test_a_name_that_no_release_has_is_refused(coco: Workspace, build: Build) -> None:
    with pytest.raises(UsageError, match=r"no release coc0 in .*; there are: none\."):
        take_down(coco, "coc0", DOG, "r")
    build(coco)
    (coco.releases / "Old copies" / "1.0.0").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"no release coc0 in .*; there are: r\."):
        take_down(coco, "coc0", DOG, "r")
    assert not (coco.releases / "coc0").exists()


def test_other_releases_that_hold_the_picture_are_named(coco: Workspace, build: Build) -> None:
    build(coco)
    build(coco, name="notes")
    build(coco, "1.0.1", name="notes", keep_metadata=True)
    arguments = [DOG, "--reason", "asked", "--workspace", str(coco.root)]
    ran = CliRunner().invoke(takedown_command, ["r", *arguments])
    assert "  also in notes 1.0.0, 1.0.1: take it down there too\n" in ran.output
    ran = CliRunner().invoke(takedown_command, ["notes", *arguments])
    assert "also in" not in ran.output  # it is taken down of the other


def test_versions_that_hold_the_same_bytes_under_another_id_are_known(
    coco: Workspace, build: Build
) -> None:
    folder = build(coco).folder
    assert taken_down_in(folder) == []
    stored = {item.image_id: item.sha256 for item in iterate_items(coco)}
    other = Takedown(image_id="0" * 16, reason="r", sha256=stored[DOG])
    (coco.releases / "r" / "takedowns.jsonl").write_text(other.model_dump_json(), "utf-8")
    assert taken_down_in(folder) == [DOG]


def test_a_version_that_stands_does_not_change(coco: Workspace, build: Build) -> None:
    build(coco)
    take_down(coco, "r", DOG, "r")
    with pytest.raises(UsageError, match="a version never changes"):
        build(coco)


def test_a_picture_is_taken_down_once(coco: Workspace) -> None:
    begun(coco)
    assert take_down(coco, "r", DOG, "one") == TakenDown(versions=(), alike=())
    assert take_down(coco, "r", DOG, "another") is None
    (held,) = read_takedowns(coco, "r")
    stored = {item.image_id: item.sha256 for item in iterate_items(coco)}
    assert (held.reason, held.sha256) == ("one", stored[DOG])


def test_a_line_without_a_hash_is_read(coco: Workspace) -> None:
    begun(coco)
    place = coco.releases / "r"
    line = f'{{"image_id": "{DOG}", "reason": "by hand"}}\n'
    (place / "takedowns.jsonl").write_text(line, "utf-8")
    assert [one.sha256 for one in read_takedowns(coco, "r")] == [None]
    assert take_down(coco, "r", DOG, "again") is None


@pytest.mark.parametrize("image_id", ["", "0" * 16, DOG.upper(), "../../etc", "\ud800", "\x1b[2J"])
def test_a_picture_that_nobody_knows_is_refused(coco: Workspace, image_id: str) -> None:
    begun(coco)
    with pytest.raises(UsageError, match="no picture"):
        take_down(coco, "r", image_id, "r")
    assert read_takedowns(coco, "r") == ()


@pytest.mark.parametrize("reason", ["", " \n ", "\x1b", "x" * 1001])
def test_a_reason_is_a_line(coco: Workspace, reason: str) -> None:
    begun(coco)
    with pytest.raises(UsageError, match="--reason wants a line"):
        take_down(coco, "r", DOG, reason)


def test_a_hostile_reason_is_plain_text(coco: Workspace) -> None:
    begun(coco)
    take_down(coco, "r", DOG, 'two\nlines \x1b[31m"{}\ud800 =1+1')
    assert [one.reason for one in read_takedowns(coco, "r")] == ['two lines  [31m"{}  =1+1']


def test_the_command_says_what_is_left_to_do(coco: Workspace, build: Build) -> None:
    build(coco)
    build(coco, "1.0.1", keep_metadata=True)
    arguments = ["r", DOG, "--reason", "asked", "--workspace", str(coco.root)]
    ran = CliRunner().invoke(takedown_command, arguments)
    assert ran.exit_code == 0, ran.output
    assert ran.output.splitlines() == [
        f"{DOG} is taken down of r, with all pictures of the same bytes",
        "  1.0.0, 1.0.1 hold it still: a version never changes;",
        "  remove it from the Hub where the picture must not stay public",
        f"next: push-release build r --version 1.0.2 --workspace {coco.root}",
    ]
    again = CliRunner().invoke(takedown_command, arguments)
    assert again.output == f"{DOG} was taken down of r before; nothing to do\n"
