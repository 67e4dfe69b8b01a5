"""Tasks of question chains: to write one, to judge its distractors, to check it, twice.

A chain has one task at a time. The next one is there once the decision of the one before is
in the journal: after a sync, when the audit is opened again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import Thing
from benchwright.errors import WorkspaceError
from benchwright.records import Check, Decision
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.audits.tasks.checks_shown import checks_shown
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.slot_decision import slot_decision
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskKey
from labeling.dialogues.question_chain.dealing.verifying import read_checkers
from labeling.dialogues.question_chain.deciding import INVALID, VALID, ChainProgress, progress
from labeling.dialogues.question_chain.distractors import distractor_ids
from labeling.dialogues.question_chain.rules.advice import advice
from labeling.dialogues.question_chain.rules.checking import check_chain, failures
from labeling.dialogues.question_chain.rules.scenarios import one_spelling, scenarios
from labeling.dialogues.question_chain.written import BLANK, rewritten, written_parts, written_text
from labeling.dialogues.stored import decisions_of, how_to_draft, read_drafts


class QuestionChainAudit:
    """The audit ``question-chain``; each stage of a chain is judged by one person."""

    name: AuditName = "question-chain"

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return the task of each chain that waits for one, in the order of their ids.

        A limit takes the first. Raises WorkspaceError where there are no drafts, or where the
        catalog has not their pictures.
        """
        drafts = read_drafts(workspace, "question-chain")
        decisions = decisions_of(
            read_journal(workspace).decisions, {draft.chain_id for draft in drafts}
        )
        found = [
            (draft.image_id, progress(draft, decisions.get(draft.chain_id, {}))) for draft in drafts
        ]
        pictures = _pictures(workspace, [image_id for image_id, _ in found])
        dealt = {
            (row.chain_id, f"round-{row.round}"): row.auditor for row in read_checkers(workspace)
        }
        tasks = [
            task for image_id, each in found for task in _tasks_of(each, pictures[image_id], dealt)
        ]
        return tasks[: settings.limit]

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the one decision of a slot.

        ``after`` is the JSON of the chain as it was written, the JSON list of the distractors
        that were judged wrong, or ``valid`` and ``invalid``. Raises ValueError for a text that is
        no chain.
        """
        if slot.verdict in ("unsure", "withdrawn"):
            return [slot_decision(task, slot, slot.verdict, None)]
        match task.thing.field:
            case "chain" if slot.verdict == "rejected":
                return [slot_decision(task, slot, "rejected", None)]
            case "chain":
                after = written_text(rewritten(BLANK, slot.text or "", slot.auditor))
                is_same = after == task.before
            case "distractors":
                after, is_same = json.dumps(sorted(slot.failed)), not slot.failed
            case _:
                is_same = slot.verdict != "rejected"
                after = VALID if is_same else INVALID
        return [slot_decision(task, slot, "confirmed" if is_same else "corrected", after)]

    def check(
        self, workspace: Workspace, shown: Mapping[str, Any], draft: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the ``checks`` of the ``chain`` of a draft, and it with blanks made single.

        What cannot be read as a chain has one check, which says why, and no chain. ``advice`` is
        shown and refuses nothing.
        """
        try:
            chain = rewritten(BLANK, json.dumps(draft.get("chain")), "")
        except ValueError as error:
            return {"checks": checks_shown([_unread(error)]), "advice": [], "chain": None}
        return {
            "checks": checks_shown(check_chain(chain)),
            "advice": checks_shown(advice(chain)),
            "chain": written_parts(chain),
        }

    def refusal(self, workspace: Workspace, shown: Mapping[str, Any], slot: Slot) -> str | None:
        """Return why a slot cannot be stored.

        A chain with a check that fails is not approved; nobody checks what they wrote, approved or
        checked before, or what was dealt to another; who finds a chain invalid says why.
        """
        if slot.verdict in ("unsure", "withdrawn"):
            return None
        match shown["stage"]:
            case "chain":
                return _refused_chain(shown, slot)
            case "distractors":
                return _refused_distractors(shown, slot)
            case _:
                return _refused_round(shown, slot)


def _tasks_of(
    found: ChainProgress, picture: str, dealt: Mapping[tuple[str, str], str]
) -> Iterator[Task]:
    if found.stage is None:
        return
    barred = found.barred | found.unsure
    dealt_to = dealt.get((found.chain.chain_id, found.stage))
    if dealt_to in barred:  # until it is dealt again anybody else may
        dealt_to = None
    chain = found.chain
    text = written_text(chain)
    unsure = f"/{len(found.unsure)}" if found.unsure else ""  # another task, for somebody else
    yield Task(
        task_id=f"{chain.chain_id}/{found.stage}/{found.digest}{unsure}",
        kind="question-chain",
        image_id=chain.image_id,
        thing=Thing(None, None, chain.chain_id, found.stage),
        before=text if found.stage == "chain" else found.digest,
        barred=tuple(sorted(barred)),
        facets={
            "stage": found.stage,
            "category": chain.category,
            "scenario": one_spelling(chain.scenario),
            "steps": len(chain.steps),
            "owner": found.owner,
            "dealt_to": dealt_to,
            "is_returned": bool(found.remarks),
        },
        shown={
            "stage": found.stage,
            "picture": picture,
            "chain_id": chain.chain_id,
            "chain": written_parts(chain),
            "owner": found.owner,
            "barred": sorted(found.barred),
            "dealt_to": dealt_to,
            "remarks": [{"who": each.who, "what": each.what} for each in found.remarks],
            "checks": checks_shown(check_chain(chain)),
            "advice": checks_shown(advice(chain)),
            "scenarios": {name: list(known) for name, known in scenarios().items()},
        },
    )


def _pictures(workspace: Workspace, image_ids: Sequence[str]) -> Mapping[str, str]:
    """Return where the pictures of chains are, under the pictures of the catalog."""
    items = load_items(workspace, ["image_id", "image"]).to_pylist()
    paths = {row["image_id"]: row["image"] for row in items if row["image"] is not None}
    lost = sorted({image_id for image_id in image_ids if image_id not in paths})
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture {lost[0]}, which a chain is about ({len(lost)} in"
            f" all); draft the chains of this catalog again: {how_to_draft('question-chain')}"
        )
    return paths


def _refused_chain(shown: Mapping[str, Any], slot: Slot) -> str | None:
    owner = shown["owner"]
    if owner not in (None, slot.auditor):
        return f"{owner} wrote or approved this chain and is to mend it; go on with the next"
    if slot.verdict == "rejected":
        return None
    if slot.text is None:
        return "no chain was written; write it, then approve it"
    try:
        chain = rewritten(BLANK, slot.text, slot.auditor)
    except ValueError as error:
        return str(error)
    failed = failures(chain)
    return f"{_place(failed[0].name)}{failed[0].reason}" if failed else None


def _refused_distractors(shown: Mapping[str, Any], slot: Slot) -> str | None:
    if slot.verdict == "rejected":
        return "distractors are judged one by one; mark those that are wrong"
    known = distractor_ids(rewritten(BLANK, json.dumps(shown["chain"]), ""))
    strange = next((name for name in slot.failed if name not in known), None)
    return None if strange is None else f"the chain has no distractor {strange!r}"


def _refused_round(shown: Mapping[str, Any], slot: Slot) -> str | None:
    if slot.auditor in shown["barred"]:
        return (
            f"{slot.auditor} wrote, approved or checked this chain before; another person checks it"
        )
    dealt_to = shown.get("dealt_to")
    if dealt_to not in (None, slot.auditor):
        return (
            f"this chain was dealt to {dealt_to}; go on with the next, or have it dealt anew"
            " without them: build-dialogues question-chain verify --auditors"
        )
    if slot.verdict == "corrected":
        return "a chain is valid or invalid here; say in a note what its author is to change"
    if slot.verdict == "rejected" and not (slot.note or "").strip():
        return "say in the note (key /) what makes the chain invalid, for its author to mend"
    return None


def _place(name: str) -> str:
    """Return where a check looked, as the beginning of a sentence."""
    _, slash, step = name.partition("/")
    return f"step {step}: " if slash else ""


def _unread(error: ValueError) -> Check:
    return Check(name="written", passed=False, reason=str(error))


KIND = QuestionChainAudit()
