"""What the commands distract and integrate say."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright import store
from benchwright.asking.options import once_more
from benchwright.asking.voters import Voter
from benchwright.next_step import workspace_text
from benchwright.plain_text import counted, excerpt
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.places import named, places
from labeling.dialogues.question_chain.authoring.report import chain_lines
from labeling.dialogues.question_chain.distracting.families import by_family
from labeling.dialogues.question_chain.distracting.integrate import Integrated
from labeling.dialogues.question_chain.distracting.pools import IntegrateSettings
from labeling.dialogues.question_chain.waiting import next_line

_SHOWN = 10  # steps that lack options


def family_lines(voters: Sequence[Voter]) -> Iterator[str]:
    """Yield which families the voters are of, and what to think of one alone."""
    families = by_family(voters)
    said = "; ".join(
        f"{family} ({', '.join(voter.name for voter in some)})" for family, some in families.items()
    )
    yield f"families: {said}"
    if len(families) < 2:
        yield (
            f"warning: all distractors are of one family, {next(iter(families))}; a model of that"
            " family may know them by its own way of writing: name a voter of another"
        )


def distract_lines(
    manifest: store.Manifest, voters: Sequence[Voter], workspace: Workspace, *, was_there: bool
) -> Iterator[str]:
    """Yield the lines that say what was drafted and what was dropped."""
    counts = manifest.counts
    yield (
        f"{counted(counts['chains'], 'chain')}:"
        f" {counted(counts['step_distractors'], 'distractor')} of steps,"
        f" {counts['chain_distractors']:,} of whole chains,"
        f" {counted(counts['wrong_answers'], 'wrong answer')}"
        f"{' (done before)' if was_there else ''}"
    )
    yield from family_lines(voters)
    yield from _not_ready(counts)
    if counts["dropped"]:
        yield f"drafts dropped: {counts['dropped']:,} (dropped.parquet has each with its reason)"
        yield from _reasons(manifest.reasons)
    if counts["short"]:
        jobs = counted(counts["jobs"], "job")
        more = once_more(manifest.plan.settings["max_retries"])
        yield f"{counts['short']:,} of {jobs} brought less than was wanted; {more}"
    where = workspace_text(workspace)
    if counts["failed"]:
        yield (
            f"{counts['failed']:,} of {counted(counts['jobs'], 'job')} got no answer; run the same"
            " command again to go on"
        )
    elif not has_drafts(manifest):
        yield (
            f"next: build-dialogues question-chain distract --voters FILE{where} with more"
            " --max-retries or other models; what was answered is kept"
        )
    else:
        yield f"next: build-dialogues question-chain integrate{where}"


def has_drafts(manifest: store.Manifest) -> bool:
    """Tell whether models drafted anything, or nothing was asked of them."""
    made = ("step_distractors", "chain_distractors", "wrong_answers")
    return not manifest.counts["jobs"] or any(manifest.counts[name] for name in made)


def integrate_lines(
    made: Integrated, settings: IntegrateSettings, workspace: Workspace
) -> Iterator[str]:
    """Yield the lines that say what the drafts are like and what people are to add."""
    counts, where = made.manifest.counts, workspace_text(workspace)
    yield (
        f"{counted(counts['drafts'], 'draft')}:"
        f" {counted(counts['question_distractors'], 'distractor')} at"
        f" {counted(counts['positions'], 'step')},"
        f" {counted(counts['wrong_answers'], 'wrong answer')}"
        f"{' (done before)' if made.was_there else ''}"
    )
    if not made.is_distracted:
        yield (
            "no model has drafted distractors: the drafts have those of their authors"
            f" (build-dialogues question-chain distract --voters FILE{where})"
        )
    if made.undistracted:
        yield (
            f"warning: {counted(made.undistracted, 'chain')} came or changed since distractors were"
            " drafted, and have those of their authors alone; run build-dialogues question-chain"
            f" distract --voters FILE{where} and integrate again"
        )
    if made.unasked:
        yield (
            f"warning: {counted(made.unasked, 'job')} of build-dialogues question-chain distract"
            " got no answer yet, and the drafts lack what they would have brought; run it"
            " again first"
        )
    if made.manifest.reasons:
        yield "left out:"
        yield from _reasons(made.manifest.reasons)
    yield from chain_lines(made.drafts, workspace, 0)
    yield from _lack_lines(made, settings, workspace)
    yield from _decided_lines(made)
    yield next_line(workspace)


def _not_ready(counts: Mapping[str, int]) -> Iterator[str]:
    if counts["not_ready"]:
        yield (
            f"nothing was asked about {counted(counts['not_ready'], 'chain')} without two steps"
            " that have questions and answers"
        )


def _reasons(reasons: Mapping[str, int]) -> Iterator[str]:
    for reason, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"  {reason}: {count:,}"


def _lack_lines(
    made: Integrated, settings: IntegrateSettings, workspace: Workspace
) -> Iterator[str]:
    lacks = made.lacks
    if not lacks:
        yield f"every step has {settings.options} questions and {settings.answers} answers"
        return
    yield f"options are lacking at {counted(len(lacks), 'step')}, and people add them in the audit:"
    where, drafts = places(workspace), {draft.chain_id: draft for draft in made.drafts}
    for lack in lacks[:_SHOWN]:
        missing = [
            counted(number, what)
            for number, what in ((lack.questions, "question"), (lack.answers, "answer"))
            if number
        ]
        yield f"  {named(drafts[lack.chain_id], where)}, step {lack.step}: {' and '.join(missing)}"
    if len(lacks) > _SHOWN:
        yield f"  and {len(lacks) - _SHOWN:,} more"


def _decided_lines(made: Integrated) -> Iterator[str]:
    if made.written:
        yield (
            f"people wrote or rejected {counted(len(made.written), 'chain')} before: their word"
            " stands, whatever the draft says"
        )
    if made.unheld:
        names = ", ".join(excerpt(name, 60) for name in made.unheld[:3])
        yield (
            f"warning: decisions stand on {counted(len(made.unheld), 'chain')} without a draft now"
            f" ({names}): they count for nothing until such chains are authored again"
        )
