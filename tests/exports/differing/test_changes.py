"""The rows that differ between two configs, and what they ask for, on tables made by hand."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.contents.records import LABELS
from exports.differing import comparing
from exports.differing.bump import bump_of
from exports.differing.changes import Changes, changes_between
from exports.locking.lock import Lock, LockedConfig
from exports.verifying.released import Released

Row = dict[str, Any]
_HASH = "0" * 64


def released(folder: Path, **tables: pa.Table) -> Released:
    """Return a release that holds nothing but some configs."""
    configs = {}
    for number, (config, table) in enumerate(sorted(tables.items())):
        path = folder / f"{config}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, path)
        digest = f"{abs(hash((str(folder), number))):064x}"[:64]
        configs[config.replace("_", "-")] = LockedConfig(
            rows=table.num_rows, digest=digest, paths=(path.name,)
        )
    lock = Lock(
        name="r", version="1.0.0", plan=_HASH, canary="c", benchwright="1", python="3",
        packages={}, settings={}, stages={}, answers=None, journal=None,
        audit_plan=None, left_out={}, configs=configs, card=_HASH, files={},
    )  # fmt: skip
    return Released(folder=folder, lock=lock)


def labels(rows: Sequence[Row]) -> pa.Table:
    plain = {"type": "t", "value": "v", "answer": "yes", "score": None, "margin": None}
    return pa.Table.from_pylist([{**plain, "origin": None, **row} for row in rows], schema=LABELS)


def between(place: Path, old: pa.Table, new: pa.Table) -> Changes:
    (found,) = changes_between(
        released(place / "old", labels=old), released(place / "new", labels=new)
    )
    return found


_ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "image_id": st.sampled_from("abcdef"),
            "value": st.sampled_from(["v", "w", "=cmd()", "<b>", "\x1b[31m", "ü"]),
            "score": st.sampled_from([None, 0.0, 1.0]),
        }
    ),
    max_size=30,
    unique_by=lambda row: (row["image_id"], row["value"]),
)


@given(_ROWS, _ROWS)
def test_rows_are_told_as_dictionaries_would_tell_them(
    tmp_path_factory: pytest.TempPathFactory, before: list[Row], after: list[Row]
) -> None:
    place = tmp_path_factory.mktemp("diff")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "_BLOCK", 2)
        found = between(place, labels(before), labels(after))
        added = {key for key, _ in found.added_rows()}
        removed = {key for key, _ in found.removed_rows()}
        changed = {one.id: one.fields for one in found.changed_rows()}
    old, new = (
        {(row["image_id"], "t", row["value"]): row["score"] for row in rows}
        for rows in (before, after)
    )
    both = old.keys() & new.keys()
    assert added == new.keys() - old.keys()
    assert removed == old.keys() - new.keys()
    assert changed == {key: {"score": (old[key], new[key])} for key in both if old[key] != new[key]}
    assert found.same == len(both) - len(changed)


def test_the_order_of_rows_is_no_difference(tmp_path: Path) -> None:
    rows = [{"image_id": name} for name in "abc"]
    found = between(tmp_path, labels(rows), labels(rows[::-1]))
    assert (found.is_empty, found.same) == (True, 3)


def test_rows_of_one_id_are_counted(tmp_path: Path) -> None:
    one, two = {"image_id": "a", "score": 0.1}, {"image_id": "a", "score": 0.2}
    found = between(tmp_path, labels([one]), labels([one, two]))
    assert (found.same, found.added.num_rows) == (1, 1)


ONE, TWO = {"image_id": "a"}, {"image_id": "b"}
EPISODE = {"episode_id": "e", "par": 1, "similarities": [1.0]}
OTHER = {"episode_id": "f", "par": 1, "similarities": [1.0]}
DIALOGUE = {"dialogue_id": "d", "approvals": 1, "checks": 1, "models": 1, "turns": 1}
TURN = {"dialogue_id": "d", "turn": 1, "marks": 1, "candidate_ids": 1}
CHAIN = {"chain_id": "c", "rounds": 1, "author": "a", "steps": 1}
PLAYED = {"config": "hidden-target-tau-0.6", "run": "r", "episode_id": "e"}
Tables = dict[str, list[Row]]


# what was there, what is there, the errata, the bump
@pytest.mark.parametrize(
    ("old", "new", "errata", "bump"),
    [
        # nothing
        ({"episodes": [EPISODE]}, {"episodes": [EPISODE]}, [], "none"),
        # samples that are added, changed, removed
        ({"episodes": [EPISODE]}, {"episodes": [EPISODE, OTHER]}, [], "minor"),
        ({"episodes": [EPISODE]}, {"episodes": [{**EPISODE, "par": 2}]}, [], "major"),
        ({"episodes": [EPISODE, OTHER]}, {"episodes": [EPISODE]}, [], "major"),
        # by a published fault
        ({"episodes": [EPISODE, OTHER]}, {"episodes": [EPISODE]}, [("episodes", "f")], "patch"),
        (
            {"episodes": [EPISODE]},
            {"episodes": [{**EPISODE, "par": 2}]},
            [("episodes", "e")],
            "patch",
        ),
        # one of the fault, and another besides; a fault of another config
        ({"episodes": [EPISODE, OTHER]}, {"episodes": []}, [("episodes", "f")], "major"),
        ({"episodes": [EPISODE, OTHER]}, {"episodes": [EPISODE]}, [("labels", "f")], "major"),
        # what no score hangs on
        ({"episodes": [EPISODE]}, {"episodes": [{**EPISODE, "similarities": [0.5]}]}, [], "patch"),
        # a column that comes, or goes
        ({"episodes": [EPISODE]}, {"episodes": [{**EPISODE, "new": 1}]}, [], "minor"),
        ({"episodes": [{**EPISODE, "new": 1}]}, {"episodes": [EPISODE]}, [], "major"),
        # a config that comes, or goes
        ({"episodes": [EPISODE]}, {"episodes": [EPISODE], "more": [OTHER]}, [], "minor"),
        ({"episodes": [EPISODE], "more": [OTHER]}, {"episodes": [EPISODE]}, [], "major"),
        # pictures that come and go with samples, and without any
        ({"episodes": [EPISODE], "images": [ONE, TWO]}, {"episodes": [EPISODE], "images": [ONE]},
         [], "patch"),
        ({"images": [ONE, TWO]}, {"images": [ONE]}, [], "major"),
        ({"images": [ONE]}, {"images": [ONE, TWO]}, [], "minor"),
        # another picture under the same id
        ({"episodes": [EPISODE], "images": [{**ONE, "sha256": "1"}]},
         {"episodes": [EPISODE], "images": [{**ONE, "sha256": "2"}]}, [], "major"),
        # what is said about a sample, and beside it what is asked
        ({"false_premise": [DIALOGUE]}, {"false_premise": [{**DIALOGUE, "approvals": 2}]},
         [], "patch"),
        ({"false_premise": [DIALOGUE]},
         {"false_premise": [{**DIALOGUE, "approvals": 2, "turns": 2}]}, [], "major"),
        ({"false_premise": [DIALOGUE]},
         {"false_premise": [{**DIALOGUE, "checks": 2, "models": 2}]}, [], "patch"),
        ({"candidate_set": [TURN]}, {"candidate_set": [{**TURN, "marks": 2}]}, [], "patch"),
        ({"candidate_set": [TURN]},
         {"candidate_set": [{**TURN, "marks": 2, "candidate_ids": 2}]}, [], "major"),
        ({"question_chain": [CHAIN]}, {"question_chain": [{**CHAIN, "rounds": 2}]}, [], "patch"),
        ({"question_chain": [CHAIN]}, {"question_chain": [{**CHAIN, "steps": 2}]}, [], "major"),
        # a field that is said of one config is none of another
        ({"question_chain": [{**CHAIN, "marks": 1}]}, {"question_chain": [{**CHAIN, "marks": 2}]},
         [], "major"),
        # what else is said about samples
        ({"responses": [{"run": "r", "response_id": "1", "label": "yes"}]},
         {"responses": [{"run": "r", "response_id": "1", "label": "no"}]}, [], "patch"),
        # an episode that a further run played, and one that was played otherwise
        ({"trajectories": [{**PLAYED, "guess": 1}]},
         {"trajectories": [{**PLAYED, "guess": 2}, {**PLAYED, "run": "s", "guess": 1}]},
         [], "patch"),
    ],
)  # fmt: skip
def test_the_bump_that_changes_ask_for(
    tmp_path: Path, old: Tables, new: Tables, errata: list[tuple[str, str]], bump: str
) -> None:
    sides = [
        released(tmp_path / name, **{config: _table(rows) for config, rows in tables.items()})
        for name, tables in (("old", old), ("new", new))
    ]
    assert bump_of(changes_between(*sides), errata) == bump


def _table(rows: list[Row]) -> pa.Table:
    return pa.Table.from_pylist(rows or [EPISODE]).slice(0, len(rows))


def test_what_is_written_of_rows_is_json(tmp_path: Path) -> None:
    """Values of all kinds, hostile ones among them."""
    hostile = '=HYPERLINK("x")\n<script>\x1b[31m'
    found = between(
        tmp_path, labels([{**ONE, "answer": hostile}]), labels([{**ONE, "answer": "no"}])
    )
    (one,) = found.changed_rows()
    assert json.loads(json.dumps(one.fields)) == {"answer": [hostile, "no"]}
