"""The funnel of false premises: how far the planned dialogues got, in all and in each cell."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import files
from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.falsifying.draft import planned_id
from labeling.dialogues.false_premise.funnel.losses import losses
from labeling.dialogues.false_premise.funnel.reading import Made, read_made
from labeling.dialogues.stored import dialogues_folder

_Keys = set[tuple[str, int]] | None  # dialogue and variant; null where a step was not done


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """How many planned dialogues got to each step; null where the step was not done.

    One with several variants got there when one of them did. ``passed`` are those without a failed
    check, by rule and by sight; ``people_first`` those that the voters did not settle, and that
    people look at first; ``approved`` those that people let stand.
    """

    planned: int
    described: int | None
    falsified: int | None
    passed: int | None
    people_first: int | None
    approved: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellReached:
    """How far the dialogues of one cell of the grid got, of those that were wanted."""

    complexity: str
    category: str
    premise_class: str
    wanted: int
    reached: Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantReached:
    """How far one variant of the dialogues got."""

    variant: int
    reached: Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Funnel:
    """The funnel in all, by cell and, where there are several, by variant.

    ``lost`` says for each step that was done why it lost some, as ``losses`` does.
    """

    all: Reached
    cells: tuple[CellReached, ...]
    variants: tuple[VariantReached, ...]
    lost: Mapping[str, Mapping[str, int]]


def funnel_path(workspace: Workspace) -> Path:
    """Return where the funnel is stored."""
    return dialogues_folder(workspace, "false-premise") / "funnel.json"


def count_funnel(workspace: Workspace) -> Funnel:
    """Count what is there, and store it as funnel.json.

    What was made of an earlier plan, or of what a step has made anew since, is not counted. Raises
    WorkspaceError, with the command to run, where nothing is planned, and CorruptShard.
    """
    funnel = funnel_of(read_made(workspace))
    files.write_json(funnel_path(workspace), asdict(funnel))
    return funnel


def funnel_of(made: Made) -> Funnel:
    """Return the funnel of what the steps have made."""
    steps = _Steps.of(made)
    by_cell: dict[tuple[str, str, str], list[str]] = {}
    for name, one in made.planned.items():
        by_cell.setdefault((one.complexity, one.category, one.premise_class), []).append(name)
    return Funnel(
        all=steps.reached(made.planned),
        cells=tuple(
            CellReached(
                complexity=cell.complexity,
                category=cell.category,
                premise_class=cell.premise_class,
                wanted=cell.wanted,
                reached=steps.reached(
                    by_cell.get((cell.complexity, cell.category, cell.premise_class), ())
                ),
            )
            for cell in made.cells
        ),
        variants=tuple(
            VariantReached(variant=number, reached=steps.of_variant(number).reached(made.planned))
            for number in _variants(made)
        ),
        lost=losses(made),
    )


def _variants(made: Made) -> list[int]:
    found = sorted({row.variant for row in made.falsified or ()})
    return found if len(found) > 1 else []


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Which dialogues and variants got to each step."""

    described: set[str] | None
    falsified: _Keys
    passed: _Keys
    unsettled: _Keys
    approved: _Keys

    @classmethod
    def of(cls, made: Made) -> "_Steps":
        described, falsified, drafts = made.described, made.falsified, made.drafts
        return cls(
            described=None
            if described is None
            else {name for name, row in described.items() if row.true_description is not None},
            falsified=None
            if falsified is None
            else {
                (row.dialogue_id, row.variant)
                for row in falsified
                if row.false_description is not None
            },
            passed=None if drafts is None else _keys(filter(_is_settled, drafts)),
            unsettled=None
            if drafts is None
            else _keys(draft for draft in drafts if not _is_settled(draft)),
            approved=None if made.dialogues is None else _keys(made.dialogues),
        )

    def of_variant(self, variant: int) -> "_Steps":
        """Return what got there of one variant; what is described is described for all."""
        return _Steps(
            described=self.described,
            falsified=_only(self.falsified, variant),
            passed=_only(self.passed, variant),
            unsettled=_only(self.unsettled, variant),
            approved=_only(self.approved, variant),
        )

    def reached(self, names: Collection[str]) -> Reached:
        """Return how many of some dialogues got to each step."""
        wanted = set(names)
        passed, unsettled = _named(self.passed), _named(self.unsettled)
        return Reached(
            planned=len(wanted),
            described=_count(self.described, wanted),
            falsified=_count(_named(self.falsified), wanted),
            passed=_count(passed, wanted),
            people_first=_count(unsettled, wanted - (passed or set())),
            approved=_count(_named(self.approved), wanted),
        )


def _is_settled(draft: FalsePremise) -> bool:
    return all(check.passed for check in draft.checks)


def _keys(drafts: Iterable[FalsePremise]) -> set[tuple[str, int]]:
    return {(planned_id(draft), draft.variant) for draft in drafts}


def _only(keys: _Keys, variant: int) -> _Keys:
    return None if keys is None else {key for key in keys if key[1] == variant}


def _named(keys: _Keys) -> set[str] | None:
    return None if keys is None else {name for name, _ in keys}


def _count(there: set[str] | None, wanted: set[str]) -> int | None:
    return None if there is None else len(there & wanted)
