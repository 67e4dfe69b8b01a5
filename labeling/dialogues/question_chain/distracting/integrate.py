"""Distractors and chains become drafts: near-duplicates out, numbers and style levelled.

V-REX, section 4 (Question Integration). The true option stays first in a draft, as people write
it; ``deciding.py`` puts the options of a chain that stands in an order drawn by a hash.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.records import ChainStep, QuestionChain
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import (
    COMMAND as AUTHOR,
)
from labeling.dialogues.question_chain.authoring.authored import (
    authored_folder,
    read_authored,
)
from labeling.dialogues.question_chain.distracting.distracted import (
    distracted_folder,
    distracted_now,
)
from labeling.dialogues.question_chain.distracting.integrating import (
    Lack,
    integrated,
    lacks_of,
)
from labeling.dialogues.question_chain.distracting.pools import IntegrateSettings
from labeling.dialogues.stored import decisions_of, drafts_folder, read_drafts, write_drafts

__all__ = ["IntegrateSettings", "Integrated", "integrate"]

_KIND: Final = "question-chain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrated:
    """What a person should know of the drafts that were made.

    ``lacks`` are steps to which people add options. ``written`` are
    chains that people decided on before: what they wrote holds the whole text and stands.
    ``unheld`` are chains with decisions that no draft has any more, so that these count no longer.
    ``undistracted`` are chains that came or changed since distractors were drafted, and have those
    of their authors alone; ``unasked`` says how many jobs of ``distract`` got no answer yet.
    """

    manifest: store.Manifest
    drafts: tuple[QuestionChain, ...]
    lacks: tuple[Lack, ...]
    written: tuple[str, ...]
    unheld: tuple[str, ...]
    is_distracted: bool
    undistracted: int
    unasked: int
    was_there: bool


def integrate(
    workspace: Workspace, settings: IntegrateSettings, *, force: bool = False
) -> Integrated:
    """Write the drafts of question chains: with their distractors, or as authored without.

    Chains that came or changed since distractors were drafted are without; what is gone has no
    draft.

    Raises WorkspaceError, with the command to run, where there are no chains.
    """
    has_distractors = store.load_manifest(distracted_folder(workspace)) is not None
    authored = store.require(authored_folder(workspace), AUTHOR)
    made_of = store.load_manifest(distracted_folder(workspace)) or authored
    plan = store.Plan(
        stage="dialogues/question-chain/drafts",
        inputs={"distracted": made_of.digest(), "authored": authored.digest()},
        settings={"options": settings.options, "answers": settings.answers, "near": settings.near},
        seed=settings.seed,
    )
    standing = None if force else store.finished(drafts_folder(workspace, _KIND), plan)
    written = read_authored(workspace)
    current = distracted_now(workspace, written) if has_distractors else {}
    manifest = standing or _write(
        workspace, settings, plan, written, [current.get(one.chain_id, one) for one in written]
    )
    drafts = read_drafts(workspace, _KIND)
    before, names = _decided_chains(workspace), {chain.chain_id for chain in drafts}
    return Integrated(
        manifest=manifest,
        drafts=tuple(drafts),
        lacks=tuple(lack for chain in drafts for lack in lacks_of(chain, settings)),
        written=tuple(sorted(before & names)),
        unheld=tuple(sorted(before - names)),
        is_distracted=has_distractors,
        undistracted=len(written) - len(current) if has_distractors else 0,
        unasked=made_of.counts.get("failed", 0) if has_distractors else 0,
        was_there=standing is not None,
    )


def _write(
    workspace: Workspace,
    settings: IntegrateSettings,
    plan: store.Plan,
    written: Sequence[QuestionChain],
    chains: Sequence[QuestionChain],
) -> store.Manifest:
    as_written = {chain.chain_id: chain for chain in written}
    left_out: Counter[str] = Counter()
    drafts = integrated(chains, settings, as_written, left_out)
    return write_drafts(
        workspace,
        _KIND,
        drafts,
        plan,
        counts={"lacking": sum(len(lacks_of(one, settings)) for one in drafts), **_counts(drafts)},
        reasons={reason: count for reason, count in sorted(left_out.items()) if count},
    )


def _counts(drafts: Sequence[QuestionChain]) -> dict[str, int]:
    positions = [step for chain in drafts for step in chain.steps[:-1]]
    return {
        "positions": len(positions),
        "question_distractors": sum(_wrong_questions(step) for step in positions),
        "wrong_answers": sum(
            len(step.answer_options) - 1 for chain in drafts for step in chain.steps
        ),
    }


def _wrong_questions(step: ChainStep) -> int:
    return sum(option.origin != "true" for option in step.question_options)


def _decided_chains(workspace: Workspace) -> frozenset[str]:
    """Return the chains that somebody wrote or rejected, by the decisions that stand."""
    said = read_journal(workspace).decisions
    names = {one.record_id for one in said if one.field == "chain" and one.record_id is not None}
    return frozenset(
        name
        for name, by_field in decisions_of(said, names).items()
        for one in by_field.get("chain", {}).values()
        if one.after is not None or one.verdict == "rejected"
    )
