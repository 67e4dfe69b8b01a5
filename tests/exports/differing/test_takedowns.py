"""What is known of takedowns from the counts that releases give."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exports.differing.bump import bump_of
from exports.differing.changes import changes_between
from exports.differing.takedowns import taken_down
from exports.locking.lock import Lock, LockedConfig
from exports.verifying.released import Released

_HASH = "0" * 64
Tables = dict[str, list[dict[str, Any]]]


def _released(folder: Path, tables: Tables, left_out: dict[str, dict[str, int]]) -> Released:
    folder.mkdir()
    configs = {}
    for config, rows in tables.items():
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{config}.parquet")
        digest = f"{len(rows):064x}"
        paths = (f"{config}.parquet",)
        configs[config] = LockedConfig(rows=len(rows), digest=digest, paths=paths)
    lock = Lock(
        name="r", version="1.0.0", plan=_HASH, canary="c", benchwright="1", python="3",
        packages={}, settings={}, stages={}, answers=None, journal=None,
        audit_plan=None, left_out=left_out, configs=configs, card=_HASH, files={},
    )  # fmt: skip
    return Released(folder=folder, lock=lock)


def _images(names: str) -> list[dict[str, Any]]:
    return [{"image_id": name} for name in names]


def _chains(names: str) -> list[dict[str, Any]]:
    return [{"chain_id": f"c-{name}", "image_id": name} for name in names]


def _labels(names: str) -> list[dict[str, Any]]:
    return [{"image_id": name, "type": "t", "value": "v"} for name in names]


def _episodes(*shown: str) -> list[dict[str, Any]]:
    return [{"episode_id": names, "image_ids": list(names)} for names in shown]


GALLERIES = "hidden-target-tau-0.5"


# what was there, what is there, what more is left out for takedowns, the pictures that certainly
# were taken down, the bump
@pytest.mark.parametrize(
    ("old", "new", "counted", "pictures", "bump"),
    [
        # the only picture of a chain
        ({"images": _images("ab"), "question-chain": _chains("ab")},
         {"images": _images("a"), "question-chain": _chains("a")},
         {"question-chain": 1}, "b", "patch"),
        # more went than were left out for takedowns
        ({"images": _images("abc"), "question-chain": _chains("abc")},
         {"images": _images("a"), "question-chain": _chains("a")},
         {"question-chain": 1}, "", "major"),
        # nothing was taken down
        ({"images": _images("ab"), "question-chain": _chains("ab")},
         {"images": _images("a"), "question-chain": _chains("a")}, {}, "", "major"),
        # one of the pictures of a gallery, nobody can say which: the others went along
        ({"images": _images("abcd"), GALLERIES: _episodes("ab", "cd")},
         {"images": _images("ab"), GALLERIES: _episodes("ab")},
         {GALLERIES: 1}, "", "patch"),
        # it stands in another gallery with pictures that stay
        ({"images": _images("abcd"), GALLERIES: _episodes("ab", "ad", "cd")},
         {"images": _images("ab"), GALLERIES: _episodes("ab")},
         {GALLERIES: 2}, "d", "patch"),
        # a sample that is gone while all its pictures stand
        ({"images": _images("abc"), GALLERIES: _episodes("ab", "ba", "bc")},
         {"images": _images("ab"), GALLERIES: _episodes("ab")},
         {GALLERIES: 1}, "c", "major"),
        # no samples: pictures, and their labels
        ({"images": _images("ab"), "labels": _labels("ab")},
         {"images": _images("a"), "labels": _labels("a")},
         {"images": 1}, "b", "patch"),
        ({"images": _images("ab"), "labels": _labels("ab")},
         {"images": _images("a"), "labels": _labels("a")}, {}, "", "major"),
    ],
)  # fmt: skip
def test_what_takedowns_took_out(
    tmp_path: Path, old: Tables, new: Tables, counted: dict[str, int], pictures: str, bump: str
) -> None:
    before = _released(tmp_path / "old", old, {"question-chain": {"taken down": 3}})
    left_out = {"question-chain": {"taken down": 3 + counted.pop("question-chain", 0)}}
    more = {config: {"taken down": count} for config, count in counted.items()}
    after = _released(tmp_path / "new", new, left_out | more)
    changes = changes_between(before, after)
    gone = set(before.column("images", "image_id")) - set(after.column("images", "image_id"))
    found = taken_down(before.lock, after.lock, changes, gone)
    assert found.pictures == frozenset(pictures)
    assert bump_of(changes, (), found) == bump
