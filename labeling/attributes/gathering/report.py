"""What a command says of gathering a vocabulary."""

from collections.abc import Mapping, Sequence

from benchwright.workspace import Workspace
from labeling.attributes.gathering.gather import GatheredVocabulary
from labeling.attributes.gathering.proposals import Proposal
from labeling.attributes.gathering.proposals_file import proposals_path
from labeling.attributes.labels.report import listed


def gathering_lines(result: GatheredVocabulary, workspace: Workspace) -> list[str]:
    """Return the lines that say what was taken and what waits for a person."""
    kinds, values = result.vocabulary.types, result.vocabulary.values
    aside = len(result.vocabulary.set_aside)
    lines = [
        f"{len(values):,} values in {len(kinds)} types, {aside:,} spellings set aside"
        + (" (done before)" if result.done_before else "")
    ]
    if result.made_vocabulary:
        lines.append(f"Made {workspace.vocabulary} from the catalog; look it over")
    if result.voters:
        unread = f"; not readable: {_counts(result.unread)}" if result.unread else ""
        lines.append(f"{', '.join(result.voters)}: {result.answers:,} answers{unread}")
    if result.ignored:
        lines.append(f"Ignored in the answers: {_counts(result.ignored)}")
    settled = result.settled
    lines += _all("Taken:", settled.taken)
    lines += _all("Did not fit the vocabulary, not taken:", result.void)
    lines += _all(
        "Suggested, not applied (label-attributes vocabulary --accept all, or NAME,NAME):",
        settled.listed,
    )
    lines += listed(
        "Refused by models (taken by name only):", [_line(one) for one in settled.refused]
    )
    if settled.listed or settled.refused:
        lines.append(f"What is not applied stands in {proposals_path(workspace)}, yours to edit")
    return lines


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} ({count:,})" for what, count in sorted(counts.items()))


def _all(title: str, proposals: Sequence[Proposal]) -> list[str]:
    return listed(title, [_line(one) for one in proposals], shown=len(proposals))


def _line(one: Proposal) -> str:
    name = one.names()[-1]
    said = [f"{word} {', '.join(who)}" for word, who in _who(one).items() if who]
    whole = "; ".join([*said, *filter(None, [one.reason, one.note])])
    line = f"{name} [{whole}]" if whole else name
    return line if line.isprintable() else repr(line)


def _who(one: Proposal) -> Mapping[str, Sequence[str]]:
    return {"by": one.proposed_by, "accepted": one.accepted_by, "declined": one.declined_by}
