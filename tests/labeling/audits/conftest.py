"""What tests of audits share: labels that were voted, and auditors who judge them."""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from benchwright import store
from benchwright.records import Label
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.attributes.labels.writing import write_labels
from stand_ins.auditors import decision, judge, judged


def label(number: int, value: str = "red", margin: float | None = 0.5, **more: Any) -> Label:
    """Return a label of yes of one picture; more than one value of a picture may have one."""
    said: dict[str, Any] = {
        "image_id": f"{number:016x}",
        "object_id": None,
        "type": "colour",
        "value": value,
        "answer": "yes",
        "score": None if margin is None else 0.5 + margin,
        "score_low": None if margin is None else 0.5 + margin,
        "score_high": None if margin is None else 0.5 + margin,
        "margin": margin,
        "votes_counted": 3,
        "votes_saved": 0,
        "origin": "voted",
        "auditor": None,
    }
    return Label(**{**said, **more})


def labels(count: int = 400) -> list[Label]:
    """Return labels of two types, some of close votes: colour has twice as many as trim."""
    margins = (0.06, 0.28, 0.5, 0.5)
    return [
        label(
            number,
            type="trim" if number % 3 == 0 else "colour",
            value=f"v{number % 8}",
            margin=margins[number // 3 % 4],
            answer="no" if number % 5 else "yes",
        )
        for number in range(count)
    ]


@pytest.fixture(scope="session")
def kit() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(
        label=label,
        labels=labels,
        decision=decision,
        judged=judged,
        judge=judge,
    )


@pytest.fixture
def labelled(tmp_path: Path) -> Callable[..., Workspace]:
    """Make a workspace of some labels; ``unaudited`` are those of pictures that people judged."""

    def table(rows: Iterable[Label]) -> pa.Table:
        return to_table(
            sorted(rows, key=lambda row: (row.image_id, row.object_id or "", row.type, row.value)),
            Label,
        )

    def make(rows: Iterable[Label], unaudited: Iterable[Label] | None = None) -> Workspace:
        workspace = Workspace(tmp_path / "workspace")
        plan = store.Plan(stage="labels", inputs={}, settings={})
        write_labels(
            workspace,
            plan,
            lambda: table(rows),
            counts={},
            reasons={},
            unaudited=None if unaudited is None else table(unaudited),
        )
        return workspace

    return make
