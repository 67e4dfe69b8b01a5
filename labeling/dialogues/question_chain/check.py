"""What the command check says: which rules chains break, stage by stage, and what is stale."""

from collections.abc import Iterator
from typing import Final

from benchwright import store
from benchwright.next_step import workspace_text
from benchwright.plain_text import counted
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain import waiting
from labeling.dialogues.question_chain.authoring.authored import (
    COMMAND,
    authored_folder,
    read_authored,
)
from labeling.dialogues.question_chain.authoring.report import (
    advice_lines,
    chain_lines,
    next_line,
    step_lines,
)
from labeling.dialogues.question_chain.distracting.distracted import distracted_folder
from labeling.dialogues.question_chain.written import without_options
from labeling.dialogues.staleness import stale_drafts
from labeling.dialogues.stored import drafts_folder, read_drafts

_KIND: Final = "question-chain"
_DISTRACT, _INTEGRATE = (
    f"build-dialogues question-chain {step}" for step in ("distract --voters FILE", "integrate")
)


def check_lines(workspace: Workspace) -> Iterator[str]:
    """Yield what is printed; the last line is what comes next.

    Of drafts those are judged that say what was written or drafted: the others are stale. Raises
    WorkspaceError, with the command to run, where there are no chains.
    """
    authored = read_authored(workspace)
    yield "as written or drafted:"
    yield from step_lines(authored, workspace)
    yield from advice_lines(authored, workspace)
    stale = _stale(workspace)
    if "distracted" in stale:
        yield (
            "stale: dialogues/question-chain/distracted is of chains as they were before some came,"
            f" changed or went; run {_DISTRACT}{workspace_text(workspace)}"
        )
    if store.load_manifest(drafts_folder(workspace, _KIND)) is not None:
        said = {chain.chain_id: without_options(chain) for chain in authored}
        drafts = read_drafts(workspace, _KIND)
        current = [one for one in drafts if without_options(one) == said.get(one.chain_id)]
        if "drafts" in stale:
            old = len(drafts) - len(current)
            yield (
                f"stale: dialogues/question-chain/drafts is of what was there before; of"
                f" {counted(len(drafts), 'draft')} {old:,} say what no chain says any more, and are"
                f" not judged here; run {_INTEGRATE}{workspace_text(workspace)}"
            )
        yield "with options, for people to judge:"
        yield from chain_lines(current, workspace)
    yield _next(workspace, len(authored), stale)


def _stale(workspace: Workspace) -> frozenset[str]:
    """Return the stages that were made of other chains than are there now."""
    authored = store.require(authored_folder(workspace), COMMAND).digest()
    distracted = store.load_manifest(distracted_folder(workspace))
    found = set()
    if distracted is not None and distracted.plan.inputs.get("authored") != authored:
        found.add("distracted")
    if stale_drafts(workspace, _KIND):
        found.add("drafts")
    return frozenset(found)


def _next(workspace: Workspace, chains: int, stale: frozenset[str]) -> str:
    where = workspace_text(workspace)
    is_drafted = store.load_manifest(drafts_folder(workspace, _KIND)) is not None
    is_distracted = store.load_manifest(distracted_folder(workspace)) is not None
    if not chains or not (is_drafted or is_distracted):
        return next_line(workspace, chains)
    if "distracted" in stale:
        return f"next: {_DISTRACT}{where}"
    if "drafts" in stale or not is_drafted:
        return f"next: {_INTEGRATE}{where}"
    return waiting.next_line(workspace)
