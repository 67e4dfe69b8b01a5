"""What the command says of agreement."""

from collections.abc import Iterator

from benchwright.next_step import workspace_text
from benchwright.plain_text import counted, excerpt
from benchwright.statistics.agreement.coefficient import Coefficient
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.agreeing.agree import PairAgreement
from labeling.dialogues.candidate_set.agreeing.agreement_file import Agreement, agreement_path


def agreement_lines(found: Agreement, workspace: Workspace) -> Iterator[str]:
    """Yield what each annotator's agreement with the reference is, and where it is stored."""
    reference = excerpt(found.reference, 40)
    for pair in found.pairs:
        yield from _pair(pair, reference)
    if found.unread:
        yield f"left out: {counted(found.unread, 'mark')} of boxes that are not in their pictures"
    path = workspace.relative(agreement_path(workspace))
    yield f"means over turns, in brackets 95% intervals over pictures; stored in {path}"
    yield f"next: review-labels report{workspace_text(workspace)}"


def _pair(pair: PairAgreement, reference: str) -> Iterator[str]:
    annotator = excerpt(pair.annotator, 40)
    yield (
        f"{annotator} against {reference}: {counted(pair.turns, 'turn')} of"
        f" {counted(pair.dialogues, 'dialogue')} that both marked; {reference} alone"
        f" {pair.by_reference:,}, {annotator} alone {pair.by_annotator:,}"
    )
    if pair.accuracy.judged:
        turns = counted(pair.accuracy.judged, "turn")
        yield f"  single box, {turns}: accuracy {_score(pair.accuracy)}"
    sets = pair.sets
    if sets.f1.judged:
        yield (
            f"  sets, {counted(sets.f1.judged, 'turn')}: precision {_score(sets.precision)},"
            f" recall {_score(sets.recall)}, F1 {_score(sets.f1)}"
        )


def _score(found: Coefficient) -> str:
    if found.low is None or found.high is None:
        return f"{found.value:.3f}"
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
