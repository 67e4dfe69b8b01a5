"""A stage that stands is taken for done only when no call of it failed."""

from pathlib import Path

import pyarrow as pa
import pytest

from benchwright import store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.session import Spending

PLAN = store.Plan(stage="said", inputs={}, settings={"voter": "v"})
OTHER = store.Plan(stage="said", inputs={}, settings={"voter": "w"})


@pytest.mark.parametrize(
    ("failed", "plan", "spending", "force", "is_done"),
    [
        (0, PLAN, Spending(), False, True),
        (1, PLAN, Spending(), False, False),  # a call brought no answer: it goes on
        (0, OTHER, Spending(), False, False),
        (0, PLAN, Spending(again=frozenset({"refused"})), False, False),
        (0, PLAN, Spending(), True, False),
    ],
)
def test_what_leaves_nothing_to_ask(
    tmp_path: Path, failed: int, plan: store.Plan, spending: Spending, force: bool, is_done: bool
) -> None:
    with store.writing(tmp_path, PLAN, configs={"said": "said.parquet"}) as out:
        out.table("said", pa.table({"text": ["yes"]}))
        out.counts["failed"] = failed
    found = answered_stage(tmp_path, plan, spending, force=force)
    assert found == (store.load_manifest(tmp_path) if is_done else None)


def test_nothing_stands_there(tmp_path: Path) -> None:
    assert answered_stage(tmp_path, PLAN, Spending(), force=False) is None
