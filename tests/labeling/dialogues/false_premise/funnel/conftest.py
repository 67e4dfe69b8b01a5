"""Steps of false premises as they stand on disk, each made of the one before it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright import store
from benchwright.records import (
    Check,
    Described,
    FalsePremise,
    Falsified,
    PlannedDialogue,
    PremiseClass,
)
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import described_folder
from labeling.dialogues.false_premise.falsifying.draft import draft_id
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder
from labeling.dialogues.false_premise.planning.cells import CLASSES, PlannedCell, cells_table
from labeling.dialogues.false_premise.planning.plan import plan_folder
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE, Schedule
from labeling.dialogues.stored import dialogues_folder, drafts_folder, write_drafts
from stand_ins.false_premises import written

TRUE = "the brown dog on the blue carpet"
FALSE: Mapping[PremiseClass, str] = {
    "identity": "the brown cat on the blue carpet",
    "attribute": "the black dog on the blue carpet",
    "location": "the brown dog under the blue carpet",
}
BOX = (0.0, 0.0, 10.0, 10.0)


def planned(picture: str, premise_class: PremiseClass = "attribute") -> PlannedDialogue:
    return PlannedDialogue(
        dialogue_id=f"{picture}-{premise_class}",
        image_id=picture,
        object_id="1",
        box=BOX,
        complexity="single-target clean",
        category="animal",
        premise_class=premise_class,
    )


def cells(dialogues: Sequence[PlannedDialogue], wanted: int) -> list[PlannedCell]:
    """The three cells that the dialogues are in."""
    counts = [sum(one.premise_class == name for one in dialogues) for name in CLASSES]
    return [
        PlannedCell(
            complexity="single-target clean",
            category="animal",
            premise_class=name,
            wanted=wanted,
            filled=count,
            missing=wanted - count,
            candidates=9,
        )
        for name, count in zip(CLASSES, counts, strict=True)
    ]


def described(
    name: str, *faults: str, true: str | None = TRUE, failed: bool = False, turns: int = 10
) -> Described:
    return Described(
        dialogue_id=name,
        true_description=true,
        questions=()
        if true is None
        else tuple(f"Is {true} number {n}?" for n in range(1, turns + 1)),
        model="m",
        faults=faults,
        is_failed=failed,
    )


def falsified(
    name: str,
    *faults: str,
    false: str | None = "",
    variant: int = 1,
    refused: tuple[str, ...] = (),
    failed: bool = False,
) -> Falsified:
    """A row that has the false description of its class, unless said otherwise."""
    of_class: Any = name.rpartition("-")[2]
    return Falsified(
        dialogue_id=name,
        variant=variant,
        false_description=FALSE[of_class] if false == "" else false,
        model="m",
        faults=faults,
        refused=refused,
        is_failed=failed,
    )


def draft(name: str, *unsettled: str, variant: int = 1) -> FalsePremise:
    """A draft that keeps the rules, with failed checks by sight of some names."""
    picture, _, of_class = name.rpartition("-")
    premise_class: Any = of_class
    record = written(TRUE, FALSE[premise_class], premise_class=premise_class)
    sights = [Check(name=check, passed=False, reason="unsure by v") for check in unsettled]
    more: dict[str, Any] = {
        "dialogue_id": draft_id(name, variant),
        "image_id": picture,
        "variant": variant,
    }
    return written(
        TRUE,
        FALSE[premise_class],
        premise_class=premise_class,
        checks=(*record.checks, *sights),
        **more,
    )


@dataclass(frozen=True)
class Steps:
    """A workspace in which the steps are written one by one."""

    workspace: Workspace

    def plan(
        self,
        *dialogues: PlannedDialogue,
        wanted: int = 1,
        schedule: Schedule = DEFAULT_SCHEDULE,
    ) -> None:
        self._write(
            plan_folder(self.workspace),
            {},
            settings={"schedule": asdict(schedule)},
            plan=to_table(dialogues, PlannedDialogue),
            cells=cells_table(cells(dialogues, wanted)),
        )

    def describe(self, *rows: Described) -> None:
        inputs = {"plan": self._digest(plan_folder(self.workspace))}
        folder = described_folder(self.workspace)
        self._write(folder, inputs, described=to_table(rows, Described))

    def falsify(self, *rows: Falsified) -> None:
        inputs = {"described": self._digest(described_folder(self.workspace))}
        folder = falsified_folder(self.workspace)
        self._write(folder, inputs, falsified=to_table(rows, Falsified))

    def check(self, *drafts: FalsePremise, **refused: int) -> None:
        inputs = {"falsified": self._digest(falsified_folder(self.workspace))}
        plan = store.Plan(stage="dialogues/false-premise/drafts", inputs=inputs, settings={})
        reasons = {name.replace("_", " "): count for name, count in refused.items()}
        write_drafts(self.workspace, "false-premise", drafts, plan, reasons=reasons)

    def decide(self, *stand: FalsePremise, **withheld: int) -> None:
        inputs = {"drafts": self._digest(drafts_folder(self.workspace, "false-premise"))}
        reasons = {name.replace("_", " "): count for name, count in withheld.items()}
        folder = dialogues_folder(self.workspace, "false-premise")
        self._write(folder, inputs, reasons, dialogues=to_table(stand, FalsePremise))

    def _write(
        self,
        folder: Path,
        inputs: Mapping[str, str],
        reasons: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
        **tables: Any,
    ) -> None:
        plan = store.Plan(stage="t", inputs=inputs, settings=settings or {})
        with store.writing(folder, plan, configs={}) as out:
            for name, table in tables.items():
                out.table(name, table)
            out.reasons.update(reasons or {})

    @staticmethod
    def _digest(folder: Path) -> str:
        return store.require(folder, "the step before").digest()


@pytest.fixture
def steps(tmp_path: Path) -> Steps:
    return Steps(Workspace(tmp_path / "w"))


@pytest.fixture(scope="session")
def kit() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(
        planned=planned,
        cells=cells,
        described=described,
        falsified=falsified,
        draft=draft,
        true=TRUE,
        false=FALSE,
    )
