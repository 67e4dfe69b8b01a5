"""The stage of sightings: voters look for what was described, and for what must not be there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from benchwright import store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Kind
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.pieces import How, ask_pieces
from benchwright.asking.rounds import Unasked, stored_answers
from benchwright.asking.running import run
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.sights import planned_looks
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.records import Sighting
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing import describe
from labeling.dialogues.false_premise.falsifying import falsified
from labeling.dialogues.false_premise.planning import plan as planning
from labeling.dialogues.false_premise.seeing.glances import (
    Glance,
    glances,
    shown_of,
    sighting_of,
    still_open,
    told,
    unanswered,
)
from labeling.dialogues.false_premise.seeing.verdicts import RULINGS, Verdict, verdicts_of
from labeling.dialogues.false_premise.seeing.wording import WORDINGS
from labeling.dialogues.stored import dialogues_folder

STAGE = "dialogues/false-premise/seen"
COMMAND = "build-dialogues false-premise check"
MOST_BOXES = 8
_CONFIGS = {"sightings": "sightings.parquet", "verdicts": "verdicts.parquet"}
_VERDICT = pa.schema(
    [
        pa.field("dialogue_id", pa.string(), nullable=False),
        pa.field("variant", pa.int32(), nullable=False),
        pa.field("false_description", pa.string(), nullable=False),
        pa.field("ruling", pa.string(), nullable=False),
        pa.field("reasons", pa.list_(pa.string()), nullable=False),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeingSettings:
    """How voters look: at ``most_boxes`` of a picture at most, by the Batch API, with a look first.

    ``batch`` and ``probe`` change no sighting.
    """

    most_boxes: int = MOST_BOXES
    batch: bool = False
    probe: bool = True


DEFAULT_SEEING = SeeingSettings()


def see(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: SeeingSettings = DEFAULT_SEEING,
    *,
    force: bool = False,
    progress: Progress = no_progress,
) -> store.Manifest:
    """Write seen/: what each voter answers of each description at each place, and what it comes to.

    Of a description that is refused by the whole picture, or by the target's box, no other box is
    asked. What was answered before is not asked again. ``failed`` of the counts says how many
    sightings the server gave no answer to: run again, they are asked for.

    Raises WorkspaceError, with what to run, where nothing is falsified yet of what is planned and
    described now, or a picture is gone; and what asking raises.
    """
    folder = seen_folder(workspace)
    plan = _plan(workspace, voters, settings)
    standing = answered_stage(folder, plan, spending, force=force)
    if standing is not None:
        return standing
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        wanted = _wanted(workspace, voters, settings)
        found = run(_asked(workspace, voters, spending, settings, wanted, progress))
        verdicts = verdicts_of(found)
        out.table("sightings", to_table(found, Sighting))
        out.table("verdicts", _verdict_table(verdicts))
        out.counts.update(_counts(wanted, found))
        rulings = Counter(verdict.ruling for verdict in verdicts)
        out.reasons.update({name: rulings[name] for name in RULINGS if rulings[name]})
    return store.require(folder, COMMAND)


def estimate_seeing(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: SeeingSettings = DEFAULT_SEEING,
) -> list[Estimate]:
    """Return for each voter what ``see`` would take, without asking; raises as it does."""
    falsified.require_falsified(workspace)
    wanted = _wanted(workspace, voters, settings)
    return estimate_glances(workspace, voters, spending, settings, wanted)


def estimate_glances(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: SeeingSettings,
    certain: Sequence[Glance],
    possible: Sequence[Glance] = (),
) -> list[Estimate]:
    """Return for each voter what some glances would take; the possible ones on the high side.

    Left out of the certain ones is what the stored answers refuse already.
    """

    async def look() -> list[Estimate]:
        async with session(workspace, voters, spending, is_asking=False) as opened:
            asked = await _not_refused(opened, certain)
            return [
                await _estimated(opened, client, asked, possible, settings)
                for client in opened.clients.values()
            ]

    return run(look())


def read_sightings(workspace: Workspace) -> list[Sighting]:
    """Return the sightings, dialogue by dialogue; none where nobody has looked yet.

    Raises CorruptShard.
    """
    folder = seen_folder(workspace)
    if store.load_manifest(folder) is None:
        return []
    return list(from_table(store.read_table(folder, "sightings.parquet"), Sighting))


def seen_folder(workspace: Workspace) -> Path:
    """Return the folder of the sightings."""
    return dialogues_folder(workspace, "false-premise") / "seen"


def _plan(workspace: Workspace, voters: Sequence[Voter], settings: SeeingSettings) -> store.Plan:
    made = {
        "catalog": store.require(workspace.catalog, "build-catalog"),
        "plan": store.require(planning.plan_folder(workspace), planning.COMMAND),
        "described": store.require(describe.described_folder(workspace), describe.COMMAND),
        "falsified": falsified.require_falsified(workspace),
    }
    return store.Plan(
        stage=STAGE,
        inputs={name: manifest.digest() for name, manifest in made.items()},
        settings={
            "voters": [voter.settings() for voter in voters],
            "most_boxes": settings.most_boxes,
            "wordings": WORDINGS,
        },
    )


def _wanted(
    workspace: Workspace, voters: Sequence[Voter], settings: SeeingSettings
) -> list[Glance]:
    shown = shown_of(workspace, planning.read_plan(workspace), settings.most_boxes)
    wanted = told(describe.read_described(workspace), falsified.read_falsified(workspace))
    return list(glances(wanted, shown, voters))


async def _asked(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: SeeingSettings,
    wanted: Sequence[Glance],
    progress: Progress,
) -> list[Sighting]:
    """Ask of pictures and targets first, and of other boxes where that refuses nothing yet."""
    how = How(batch=settings.batch, probe=settings.probe)
    found: dict[int, Sighting] = {}

    async def ask(opened: Session, numbers: Sequence[int]) -> None:
        glances = [wanted[number] for number in numbers]
        answers = await ask_pieces(opened, glances, sighting_of, how, progress)
        for number, glance, sighting in zip(numbers, glances, answers, strict=True):
            found[number] = unanswered(glance) if sighting is None else sighting

    async with session(workspace, voters, spending) as opened:
        await ask(opened, [at for at, glance in enumerate(wanted) if glance.is_first()])
        is_open = still_open(verdicts_of(list(found.values())))
        others = [at for at, glance in enumerate(wanted) if not glance.is_first()]
        await ask(opened, [at for at in others if is_open(wanted[at].told)])
    return [found[at] for at in sorted(found)]


async def _not_refused(opened: Session, glances: Sequence[Glance]) -> list[Glance]:
    """Return the glances that are asked as far as stored answers tell."""
    stored = stored_answers(opened)
    first: list[Sighting] = []
    for glance in glances:
        if glance.is_first():
            try:
                first.append(await sighting_of(glance, stored[glance.voter]))
            except Unasked:
                first.append(unanswered(glance))
    is_open = still_open(verdicts_of(first))
    return [glance for glance in glances if glance.is_first() or is_open(glance.told)]


async def _estimated(
    opened: Session,
    client: Client,
    certain: Sequence[Glance],
    possible: Sequence[Glance],
    settings: SeeingSettings,
) -> Estimate:
    kinds: tuple[tuple[Kind, Sequence[Glance]], ...] = (("yes_no", certain), ("possible", possible))
    planned = [
        planned_call(opened, client.voter, request, sizes=(glance.shown.size,), kind=kind)
        for kind, glances in kinds
        for glance in glances
        if glance.voter == client.voter.name
        for request in glance.requests()
    ]
    is_waiting = settings.probe and any(not each.is_answered for each in planned)
    looks = await planned_looks(opened, client) if is_waiting else ()
    return estimate_for(opened, client, planned, batch=settings.batch, looks=looks)


def _counts(wanted: Sequence[Glance], found: Sequence[Sighting]) -> dict[str, int]:
    cut = {glance.told.dialogue_id: glance.shown.places.left_out for glance in wanted}
    return {
        "dialogues": len(cut),
        "sightings": len(found),
        "failed": sum(one.status == "failed" for one in found),
        "silent": sum(one.status not in ("ok", "failed") for one in found),
        "boxes_left_out": sum(cut.values()),
        "pictures_cut": sum(1 for left_out in cut.values() if left_out),
    }


def _verdict_table(verdicts: Sequence[Verdict]) -> pa.Table:
    rows = [
        {
            "dialogue_id": one.dialogue_id,
            "variant": one.variant,
            "false_description": one.false_description,
            "ruling": one.ruling,
            "reasons": [f"{each.name}: {each.reason}" for each in one.checks if not each.passed],
        }
        for one in verdicts
    ]
    return pa.Table.from_pylist(rows, schema=_VERDICT)
