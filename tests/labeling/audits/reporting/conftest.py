"""What tests of reports share: a workspace that was labelled by vote and audited."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.records import Label
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import AuditPlan, PlannedItem, read_plan
from stand_ins.auditors import judged

VIEWS = {"low": {"long_side": 60}, "whole": {}}
OTHER = {"yes": "no", "no": "yes"}


@dataclass
class Audited:
    """A workspace with votes, labels and a plan, and what is true of its pictures."""

    shop: Any
    plan: AuditPlan

    @property
    def workspace(self) -> Workspace:
        found: Workspace = self.shop.workspace
        return found

    def truth(self, item: PlannedItem) -> str:
        right: str = self.shop.right()[item.image_id, item.object_id, item.type, item.value]
        return right

    def judge(self, *, errs: Callable[[PlannedItem, str], bool] = lambda *_: False) -> list[Any]:
        """Let ana judge all of the plan and bo what two are to see; return the decisions."""
        truth = self.shop.right()
        made = []
        for number, item in enumerate(self.plan.items):
            cell = (item.image_id, item.object_id, item.type, item.value)
            for at, name in enumerate(("ana", "bo") if item.twice else ("ana",)):
                after = OTHER[truth[cell]] if errs(item, name) else truth[cell]
                time = f"2026-03-01T12:{number // 60:02}:{number % 60:02}.{at}+00:00"
                made.append(judged(item, after, name, at=time, seconds=2.0 + at))
        append_decisions(self.workspace, made)
        return made


@pytest.fixture
def audited(shop: Any, kit: SimpleNamespace, run: Any) -> Callable[..., Audited]:
    """Ask scripted voters about the shop's pictures, decide, and plan an audit."""

    def make(
        full: float = 1,
        pilot: int = 70,
        of: Any = shop,
        subjects: str = "pictures",
        **accuracies: float,
    ) -> Audited:
        names = ("image_id", "object_id", "type", "value")
        rows = [
            kit.label(0, **dict(zip(names, cell, strict=True)), answer=answer)
            for cell, answer in of.right().items()
        ]
        pq.write_table(to_table(rows, Label), of.root / "truth.parquet")
        voters = [
            {"name": name, "kind": "scripted", "labels": "truth.parquet", "accuracy": share}
            for name, share in (accuracies or {"good": 0.8, "poor": 0.6, "fair": 0.7}).items()
        ]
        ensemble = of.ensemble(*voters, views=VIEWS, full=full, templates=3)
        of.ask(ensemble, "--subjects", subjects)
        of.do("decide", "--catalog", "ignore")
        ran = run("review-labels", "plan", "--pilot", str(pilot), "--workspace", of.root)
        assert ran.code == 0, ran.err
        return Audited(of, read_plan(of.workspace))

    return make
