"""The stage of drafts: what keeps the rules and what voters do not contradict, for people."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.records import Described, FalsePremise, Falsified, ModelUse, PlannedDialogue
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.checking.judged import (
    judged_drafts,
    loss_line,
    lost_of,
    refuse_loss,
)
from labeling.dialogues.false_premise.describing.describe import read_described
from labeling.dialogues.false_premise.falsifying.draft import draft_of
from labeling.dialogues.false_premise.falsifying.falsified import read_falsified, require_falsified
from labeling.dialogues.false_premise.planning.plan import read_plan, schedule_of
from labeling.dialogues.false_premise.rules.turns import Schedule
from labeling.dialogues.false_premise.seeing.see import COMMAND, read_sightings, seen_folder
from labeling.dialogues.false_premise.seeing.verdicts import Ruling, Verdict, verdicts_of
from labeling.dialogues.stored import drafts_folder, write_drafts

STAGE = "dialogues/false-premise/drafts"
_WHY_NONE: Mapping[Ruling, str] = {
    "not true": "voters deny the true description",
    "not false": "voters find what the false description says",
    "not seen": "voters have still to look",
}
Key = tuple[str, int, str]  # dialogue, variant, false description


def _silent(_: str) -> None:
    pass


def draft_dialogues(
    workspace: Workspace, *, force: bool = False, say: Callable[[str], None] = _silent
) -> store.Manifest:
    """Write the drafts of what was falsified and seen.

    Of the counts ``settled`` are the drafts that passed all checks by sight, ``affirmed`` the
    false descriptions that are not false, in whose place others can be made. The reasons say of
    how many false descriptions there is no draft, and why. With ``force`` it is said before how
    many drafts that people judged are lost.

    Raises WorkspaceError where nobody looked at what is falsified now, and without ``force`` where
    drafts that people judged would be other ones.
    """
    seen = _seen(workspace)
    models = tuple(dict.fromkeys(voter["model"] for voter in seen.plan.settings["voters"]))
    plan = store.Plan(
        stage=STAGE,
        inputs={**seen.plan.inputs, "seen": seen.digest()},
        settings={"models": list(models)},
    )
    standing = None if force else store.finished(drafts_folder(workspace, "false-premise"), plan)
    if standing is not None:
        return standing
    sightings = read_sightings(workspace)
    verdicts = {_key_of(verdict): verdict for verdict in verdicts_of(sightings)}
    falsified = [one for one in read_falsified(workspace) if _key(one) in verdicts]
    drafts = list(
        checked_drafts(
            falsified,
            {one.dialogue_id: one for one in read_plan(workspace)},
            {one.dialogue_id: one for one in read_described(workspace)},
            verdicts,
            schedule_of(workspace),
            models,
        )
    )
    judged = judged_drafts(workspace)
    lost = lost_of(judged, drafts)
    if not force:
        refuse_loss(workspace, lost)
    elif judged:
        say(loss_line(judged, lost))
    rulings = Counter(verdicts[_key(one)].ruling for one in falsified)
    return write_drafts(
        workspace,
        "false-premise",
        drafts,
        plan,
        counts={"settled": rulings["passed"], "affirmed": rulings["not false"]},
        reasons={why: rulings[ruling] for ruling, why in _WHY_NONE.items() if rulings[ruling]},
    )


def checked_drafts(
    falsified: Iterable[Falsified],
    planned: Mapping[str, PlannedDialogue],
    described: Mapping[str, Described],
    verdicts: Mapping[Key, Verdict],
    schedule: Schedule,
    models: Sequence[str],
) -> Iterator[FalsePremise]:
    """Yield the drafts that voters do not refuse, with the checks by rule and those by sight.

    ``planned`` and ``described`` are by the id of the dialogue; each of ``falsified`` has a
    verdict. ``models`` are those that looked.
    """
    looked = tuple(ModelUse(step="see", model=model) for model in models)
    for one in falsified:
        verdict = verdicts[_key(one)]
        if verdict.ruling in _WHY_NONE:
            continue
        name = one.dialogue_id
        draft = draft_of(planned[name], described[name], one, schedule)
        yield replace(
            draft, checks=(*draft.checks, *verdict.checks), models=(*draft.models, *looked)
        )


def _seen(workspace: Workspace) -> store.Manifest:
    """Return the manifest of what was seen of the false descriptions that stand."""
    folder = seen_folder(workspace)
    seen = store.require(folder, COMMAND)
    if seen.plan.inputs["falsified"] != require_falsified(workspace).digest():
        raise WorkspaceError(
            f"{folder}: what was seen is no longer what is falsified; run {COMMAND} again"
        )
    return seen


def _key(one: Falsified) -> Key:
    return one.dialogue_id, one.variant, one.false_description or ""


def _key_of(verdict: Verdict) -> Key:
    return verdict.dialogue_id, verdict.variant, verdict.false_description
