"""A workspace whose labels two people judged: a report can say how good they are."""

from pathlib import Path

from benchwright.workspace import Workspace
from labeling.audits.tasks.task import AuditSettings
from stand_ins.reader.person import judge_all
from stand_ins.reader.world import Making, World
from stand_ins.reader.worlds.audited import vote_on_sample


def judged(making: Making) -> World:
    """Make the world: the workspace of ``audited`` after a plan, two auditors and a sync."""

    def make(root: Path) -> None:
        vote_on_sample(making, root)
        making.console("review-labels", "plan", "--workspace", root)
        for auditor in ("ana", "ben"):
            judge_all(Workspace(root), "attributes", auditor, AuditSettings())
        making.console("review-labels", "sync", "--workspace", root)

    making.copied("judged", make)
    making.linked("docs", "tests/data")
    return World(folder=making.folder)
