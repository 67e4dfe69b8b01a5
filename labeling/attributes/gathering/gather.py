"""The vocabulary of a catalog: by rule, then by what several models agree on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.asking.estimates import Estimate
from benchwright.asking.running import run
from benchwright.asking.session import Spending, session
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from benchwright.store import digest_of
from benchwright.vocabulary_digest import vocabulary_digest, vocabulary_text_digest
from benchwright.workspace import Workspace
from labeling.attributes.gathering.agreement import Settled, settle
from labeling.attributes.gathering.applying import Applied, apply
from labeling.attributes.gathering.asking import (
    JudgedProposals,
    VocabularyInquiry,
    ask_models,
    estimates,
)
from labeling.attributes.gathering.by_rule import (
    Found,
    find_vocabulary,
    keep_vocabulary,
    pictures_of,
)
from labeling.attributes.gathering.proposals import Proposal
from labeling.attributes.gathering.proposals_file import (
    load_proposals,
    proposals_path,
    save_proposals,
)
from labeling.attributes.vocabulary.accepting import chosen
from labeling.attributes.vocabulary.guess import types_with_several
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.suggestions import suggest
from labeling.attributes.vocabulary.vocabulary import Vocabulary, save_vocabulary, vocabulary_text

ALTERNATIVES = 5  # that a model may name for a type, and that are taken


@dataclass(frozen=True, slots=True, kw_only=True)
class GatheredVocabulary:
    """What gathering a vocabulary, or accepting proposals, did.

    ``vocabulary`` is that of the file now; ``settled`` holds what was taken into it just now and
    what waits. ``void`` was to be taken and does not fit the vocabulary. ``ignored`` and
    ``unread`` are as in ``JudgedProposals``.
    """

    vocabulary: Vocabulary
    settled: Settled
    made_vocabulary: bool = False
    done_before: bool = False
    void: tuple[Proposal, ...] = ()
    voters: tuple[str, ...] = ()
    answers: int = 0
    ignored: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)


def gather_vocabulary(
    workspace: Workspace,
    voters: Sequence[Voter] = (),
    *,
    spending: Spending | None = None,
    alternatives: int = ALTERNATIVES,
    seed: int = 0,
    force: bool = False,
) -> GatheredVocabulary:
    """Write vocabulary.yaml and, with what waits for a person, proposals.yaml.

    Without voters what text distance suggests waits. What two models agree on is taken. Models
    are not asked again about a vocabulary that they left as it is, unless ``force`` or
    ``spending`` wants it.

    Raises WorkspaceError without a catalog, UsageError for a vocabulary that cannot be used, and
    what ``session`` and ``Client.ask`` raise: then vocabulary.yaml is as it was, and the answers
    are stored.
    """
    spending = spending or Spending()
    found = find_vocabulary(workspace)
    workspace.labels.mkdir(parents=True, exist_ok=True)
    files.remove_leftovers(workspace.labels)
    if found.made:
        keep_vocabulary(workspace, found, found.vocabulary)
    asked = _asked(found, voters, alternatives, seed)
    if not force and not spending.again and _is_done(workspace, asked):
        waiting = load_proposals(proposals_path(workspace))
        return GatheredVocabulary(vocabulary=found.vocabulary, settled=waiting, done_before=True)
    inquiry = _inquiry(found, alternatives, seed)
    findings = run(_findings(workspace, voters, spending, inquiry))
    settled = settle(findings.proposals, most_added=alternatives)
    applied = apply(found.vocabulary, settled.taken, inquiry.pictures)
    settled = _waiting(settled, applied)
    save_proposals(settled, proposals_path(workspace))
    if "failed" not in findings.unread:
        _note_done(workspace, asked, applied.vocabulary)
    if applied.vocabulary != found.vocabulary:
        save_vocabulary(applied.vocabulary, workspace.vocabulary)
    return GatheredVocabulary(
        vocabulary=applied.vocabulary,
        settled=settled,
        made_vocabulary=found.made,
        void=applied.void,
        voters=tuple(sorted(voter.name for voter in voters)),
        answers=findings.answers,
        ignored=findings.ignored,
        unread=findings.unread,
    )


def accept_proposals(workspace: Workspace, accepted: str) -> GatheredVocabulary:
    """Take proposals of proposals.yaml into vocabulary.yaml; nothing is asked.

    ``accepted`` is ``all``, for what is listed, or names with commas between them, for what is
    listed or refused. What does not fit the vocabulary any more stays in the file.

    Raises UsageError for a name that is no proposal, or when there is no such file.
    """
    path = proposals_path(workspace)
    if not path.is_file():
        raise UsageError(f"{path}: is not there; run label-attributes vocabulary first")
    waiting, found = load_proposals(path), find_vocabulary(workspace)
    everything = accepted.strip() == "all"
    offered = waiting.listed if everything else waiting.listed + waiting.refused
    wanted = chosen(offered, accepted, Proposal.names)
    applied = apply(found.vocabulary, wanted, pictures_of(found.counts, found.vocabulary))
    taken = tuple(one for one in wanted if one not in applied.void)
    settled = Settled(
        taken=taken,
        listed=tuple(one for one in waiting.listed if one not in taken),
        refused=tuple(one for one in waiting.refused if one not in taken),
    )
    note = _note(workspace)
    save_proposals(settled, path)
    if note.get("vocabulary") == vocabulary_text_digest(vocabulary_text(found.vocabulary)):
        # a person took what was asked about: that is no reason to ask again
        _note_done(workspace, note.get("asked"), applied.vocabulary)
    save_vocabulary(applied.vocabulary, workspace.vocabulary)
    return GatheredVocabulary(vocabulary=applied.vocabulary, settled=settled, void=applied.void)


def vocabulary_estimates(
    workspace: Workspace,
    voters: Sequence[Voter],
    *,
    spending: Spending | None = None,
    alternatives: int = ALTERNATIVES,
    seed: int = 0,
) -> list[Estimate]:
    """Return what asking the voters would take, without asking; raises as gathering does."""
    spending = spending or Spending()
    inquiry = _inquiry(find_vocabulary(workspace), alternatives, seed)

    async def look() -> list[Estimate]:
        async with session(workspace, voters, spending, is_asking=False) as opened:
            return await estimates(opened, inquiry)

    return run(look())


def _inquiry(found: Found, alternatives: int, seed: int) -> VocabularyInquiry:
    pictures = pictures_of(found.counts, found.vocabulary)
    return VocabularyInquiry(
        vocabulary=found.vocabulary,
        suggestions=suggest(found.vocabulary, pictures),
        pictures=pictures,
        several=frozenset(types_with_several(found.stated)),
        most=alternatives,
        seed=seed,
    )


async def _findings(
    workspace: Workspace, voters: Sequence[Voter], spending: Spending, inquiry: VocabularyInquiry
) -> JudgedProposals:
    if not voters:
        proposals = tuple(inquiry.proposals({}))
        return JudgedProposals(proposals=proposals, ignored={}, unread={}, answers=0)
    async with session(workspace, voters, spending) as opened:
        return await ask_models(opened, inquiry)


def _waiting(settled: Settled, applied: Applied) -> Settled:
    """Return the outcome with what does not fit listed, and without what is moot.

    Nothing waits for a value that is set aside now.
    """
    aside, gone = applied.vocabulary.aside(), set(applied.void)

    def is_open(one: Proposal) -> bool:
        return not any((fold(one.type), fold(value)) in aside for value in one.values)

    listed = [*settled.listed, *(replace(one, note="does not fit") for one in applied.void)]
    return Settled(
        taken=tuple(one for one in settled.taken if one not in gone),
        listed=tuple(sorted(filter(is_open, listed), key=Proposal.order)),
        refused=tuple(filter(is_open, settled.refused)),
    )


def _asked(
    found: Found, voters: Sequence[Voter], alternatives: int, seed: int
) -> Mapping[str, str]:
    """Return digests of what is asked about and of who is asked; the latter '' for nobody."""
    who = [voter.settings() for voter in sorted(voters, key=lambda voter: voter.name)]
    settings = digest_of([who, alternatives, seed]) if voters else ""
    return {"items": found.items, "settings": settings}


def _note_path(workspace: Workspace) -> Path:
    """Where it is noted what was asked, and which vocabulary came of it."""
    return workspace.labels / ".gathered.json"


def _note(workspace: Workspace) -> dict[str, Any]:
    return files.read_json_object(_note_path(workspace))


def _note_done(workspace: Workspace, asked: Any, vocabulary: Vocabulary) -> None:
    digest = vocabulary_text_digest(vocabulary_text(vocabulary))
    files.write_json(_note_path(workspace), {"asked": asked, "vocabulary": digest})


def _is_done(workspace: Workspace, asked: Mapping[str, str]) -> bool:
    """Tell whether this was asked about the vocabulary as it is; without voters, by whomever."""
    note = _note(workspace)
    before = note.get("asked")
    if not isinstance(before, dict) or not proposals_path(workspace).is_file():
        return False
    alike = before == asked if asked["settings"] else before.get("items") == asked["items"]
    return alike and note.get("vocabulary") == vocabulary_digest(workspace.vocabulary)
