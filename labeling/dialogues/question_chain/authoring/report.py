"""What is printed of chains: what was read and drafted, and which rules they break."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from benchwright import store
from benchwright.asking.options import once_more
from benchwright.next_step import workspace_text
from benchwright.plain_text import counted
from benchwright.records import Check, QuestionChain, Reject
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.author import AuthoredFile
from labeling.dialogues.question_chain.authoring.authored import authored_folder, drafted_folder
from labeling.dialogues.question_chain.authoring.places import named, places
from labeling.dialogues.question_chain.authoring.step_checks import rule_of, step_failures
from labeling.dialogues.question_chain.rules.advice import advice
from labeling.dialogues.question_chain.rules.checking import failures

SHOWN = 20  # rejects, and faults of chains
_GONE_SHOWN = 5
_WHY_NOT = {  # a picture has no draft
    "unsuitable": "a model says that the picture allows none",
    "breaks_rules": "no attempt kept the rules",
    "no_answer": "no answer; run it again",
}


def authored_lines(
    made: Sequence[AuthoredFile], rejects: Sequence[Reject], workspace: Workspace
) -> Iterator[str]:
    """Yield what became of each file, and why a chain was not read."""
    named = {file.name for file in made}
    mine = [one for one in rejects if one.path in named]
    for file in made:
        rejected = f", {file.rejected:,} not read" if file.rejected else ""
        yield f"{file.name}: {counted(file.chains, 'chain')}{rejected}{_before(file.was_there)}"
        if file.gone:
            names = ", ".join(file.gone[:_GONE_SHOWN])
            yield f"  no longer in it: {counted(len(file.gone), 'chain')} ({names})"
    for one in mine[:SHOWN]:
        place = f"line {one.row}" if one.row is not None else one.source_id
        yield f"  {one.path} {place}: {one.message}"
    if len(mine) > SHOWN:
        path = authored_folder(workspace) / "rejected.parquet"
        yield f"  and {len(mine) - SHOWN:,} more: {path}"


def drafted_lines(
    manifest: store.Manifest, workspace: Workspace, *, was_there: bool
) -> Iterator[str]:
    """Yield how many drafts were made and why others were not."""
    counts, reasons = manifest.counts, manifest.reasons
    retries = manifest.plan.settings["max_retries"]
    few = counts["asked"] < manifest.plan.settings["chains"]
    bound = "; the catalog has no more pictures to ask about" if few else ""
    made, asked = counts["chains"], counts["asked"]
    yield f"{made:,} of {counted(asked, 'chain')} drafted{bound}{_before(was_there)}"
    for reason, said in _WHY_NOT.items():
        if reasons.get(reason):
            more = f"; {once_more(retries)}" if reason == "breaks_rules" else ""
            yield f"  {said}: {reasons[reason]:,}{more}"
    if reasons:
        yield f"  each of them: {drafted_folder(workspace) / 'rejected.parquet'}"


def step_lines(
    chains: Sequence[QuestionChain], workspace: Workspace, most: int | None = None
) -> Iterator[str]:
    """Yield which rules of steps some chains break, options aside.

    ``most`` faults are listed one by one, null for all; the rest is left to the command check.
    """
    yield from _lines(chains, step_failures, "the rules of steps", workspace, most)


def chain_lines(
    chains: Sequence[QuestionChain], workspace: Workspace, most: int | None = None
) -> Iterator[str]:
    """Yield which rules some chains with options break; ``most`` as in ``step_lines``."""
    yield from _lines(chains, failures, "every rule", workspace, most)


def advice_lines(chains: Sequence[QuestionChain], workspace: Workspace) -> Iterator[str]:
    """Yield what authors had better look at again, though no rule refuses it."""
    every = [(chain, one) for chain in chains for one in advice(chain)]
    where = places(workspace) if every else {}
    if every:
        yield f"to look at again, though no rule refuses it: {len(every):,}"
    for chain, one in every[:SHOWN]:
        yield f"  {named(chain, where)} {one.name}: {one.reason}"
    if len(every) > SHOWN:
        yield f"  and {len(every) - SHOWN:,} more"


def next_line(workspace: Workspace, chains: int) -> str:
    """Return what comes after so many chains are there, written or drafted."""
    if not chains:
        return (
            "next: no chain is there yet; mend the file and read it again with build-dialogues"
            f" question-chain author FILE{workspace_text(workspace)}"
        )
    return (
        f"next: build-dialogues question-chain distract --voters FILE{workspace_text(workspace)}"
        " (or integrate, where people write the options)"
    )


def after_draft(manifest: store.Manifest, workspace: Workspace) -> str:
    """Return what comes after models drafted chains, or drafted none."""
    if manifest.counts["chains"] and not manifest.counts["failed"]:
        return next_line(workspace, manifest.counts["chains"])
    again = f"next: build-dialogues question-chain draft --voters FILE{workspace_text(workspace)}"
    if manifest.counts["failed"]:
        return f"{again} (what was answered is kept)"
    return f"{again} with more --max-retries, more --chains or other models"


def _lines(
    chains: Sequence[QuestionChain],
    judge: Callable[[QuestionChain], Sequence[Check]],
    rules: str,
    workspace: Workspace,
    most: int | None,
) -> Iterator[str]:
    found = [(chain, judge(chain)) for chain in chains]
    sound = sum(not faults for _, faults in found)
    yield f"chains that keep {rules}: {sound:,} of {len(chains):,}"
    every = [(chain, fault) for chain, faults in found for fault in faults]
    where = places(workspace) if every else {}
    for chain, fault in every[:most]:
        yield f"  {named(chain, where)} {fault.name}: {fault.reason}"
    if every:
        broken = Counter(rule_of(fault) for _, fault in every)
        yield f"broken: {', '.join(f'{rule} {times:,}' for rule, times in sorted(broken.items()))}"
    if most is not None and len(every) > most:
        yield f"  each of them: build-dialogues question-chain check{workspace_text(workspace)}"


def _before(was_there: bool) -> str:
    return " (done before)" if was_there else ""
