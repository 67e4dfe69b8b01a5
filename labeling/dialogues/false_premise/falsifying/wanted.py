"""Which false descriptions are wanted: of each described dialogue, one variant after the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchwright import store
from benchwright.asking.voters import Voter
from benchwright.errors import WorkspaceError
from benchwright.records import Described, Falsified
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing import describe
from labeling.dialogues.false_premise.describing.targets import Target, targets_of
from labeling.dialogues.false_premise.falsifying.substitution import Substitution
from labeling.dialogues.false_premise.planning import plan
from labeling.dialogues.false_premise.rules.turns import Schedule
from labeling.dialogues.false_premise.seeing.see import read_sightings
from labeling.dialogues.false_premise.seeing.verdicts import affirmed

_NONE_BEFORE = "the variant before it has no false description"

Rows = Mapping[tuple[str, int], Falsified]  # by dialogue and variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What false descriptions are made of.

    ``described`` is by dialogue; ``affirmed`` holds the false descriptions of a dialogue that
    voters found to be true of the picture. ``inputs`` are the digests of it all.
    """

    targets: Sequence[Target]
    described: Mapping[str, Described]
    affirmed: Mapping[str, frozenset[str]]
    schedule: Schedule
    inputs: Mapping[str, str]


def material_of(workspace: Workspace) -> Material:
    """Return what is described and seen; raises WorkspaceError, with what to run, without it."""
    planned = store.require(plan.plan_folder(workspace), plan.COMMAND)
    made = store.require(describe.described_folder(workspace), describe.COMMAND)
    if made.plan.inputs["plan"] != planned.digest():
        raise WorkspaceError(
            f"{describe.described_folder(workspace)}: was described for another plan; run"
            f" {describe.COMMAND} again"
        )
    found: dict[str, set[str]] = {}
    for dialogue_id, _, description in affirmed(read_sightings(workspace)):
        found.setdefault(dialogue_id, set()).add(description)
    return Material(
        targets=targets_of(workspace, plan.read_plan(workspace)),
        described={row.dialogue_id: row for row in describe.read_described(workspace)},
        affirmed={name: frozenset(texts) for name, texts in found.items()},
        schedule=plan.schedule_of(workspace),
        inputs={
            "catalog": store.require(workspace.catalog, "build-catalog").digest(),
            "plan": planned.digest(),
            "described": made.digest(),
            "affirmed": store.digest_of({name: sorted(found[name]) for name in sorted(found)}),
        },
    )


def wanted_of(
    material: Material, voters: Sequence[Voter], variant: int, before: Rows
) -> Iterator[Substitution]:
    """Yield what is to be asked of a variant, in the order of the targets and their dialogues.

    ``before`` are the rows of the variants before it. Nothing is asked of a dialogue where one of
    them has no false description: there would be nothing to compare with.
    """
    for target in material.targets:
        for dialogue in target.dialogues:
            described = material.described[dialogue.dialogue_id]
            earlier = [before.get((dialogue.dialogue_id, number)) for number in range(1, variant)]
            rows = [row for row in earlier if row is not None and row.false_description]
            if described.true_description is None or len(rows) < len(earlier):
                continue
            yield Substitution(
                target=target,
                plan=dialogue,
                described=described,
                true_description=described.true_description,
                schedule=material.schedule,
                variant=variant,
                voter=target.turn_of(voters),
                told=tuple(_first_of(row) for row in rows),
                others=tuple(row.false_description or "" for row in rows),
                affirmed=material.affirmed.get(dialogue.dialogue_id, frozenset()),
            )


def left_out_of(variant: int, before: Rows) -> list[Falsified]:
    """Return the rows of the dialogues of which a variant is not asked for."""
    return [
        replace(row, variant=variant, faults=(_NONE_BEFORE,), refused=())
        for (_, number), row in before.items()
        if number == variant - 1 and row.false_description is None
    ]


def _first_of(row: Falsified) -> str:
    """Return the first description of a row that kept the rules.

    It is what later variants are told of: it stays the same when voters refuse it, so that what
    was answered to that request is not bought again.
    """
    return next(iter((*row.refused, row.false_description or "")))
