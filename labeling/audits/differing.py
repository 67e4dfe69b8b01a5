"""What auditors differ on, so that somebody must look again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright import store
from benchwright.decisions import on_responses
from benchwright.decisions.cells import thing_of_cell
from benchwright.decisions.journal import read_journal
from benchwright.decisions.on_labels import of_labels
from benchwright.decisions.standing import Thing, outcome, standing
from benchwright.records import Decision
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.attributes.labels.rulings import Rulings
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from labeling.audits.tasks import galleries
from labeling.audits.tasks.names import AuditName
from labeling.dialogues.candidate_set import deciding as candidate_set
from labeling.dialogues.false_premise import deciding as false_premise
from labeling.dialogues.stored import DialogueKind, undecided_records

_RECORD_FIELDS: Mapping[str, AuditName] = {
    galleries.FIELD: "galleries",
    on_responses.FIELD: "responses",
}
# a chain is never undecided: who finds it invalid is not outvoted
_DIALOGUE_FIELDS: Mapping[str, DialogueKind] = {
    false_premise.FIELD: "false-premise",
    candidate_set.FIELD: "candidate-set",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """Things of which two answers are as frequent, and labels that contradict each other.

    Labels do when people said yes to more than one value of an exclusive type of a subject. What
    two auditors make of a dialogue is for its kind to say, which withholds what is undecided.
    """

    undecided: Sequence[Thing]
    contradictions: Sequence[Thing]


def differing(workspace: Workspace, decisions: Iterable[Decision] | None = None) -> Differing:
    """Return what auditors differ on, in order of pictures and records.

    ``decisions`` are those of the journal unless others are given.
    """
    said = list(read_journal(workspace).decisions if decisions is None else decisions)
    undecided = [
        thing
        for thing, by_auditor in standing(said).items()
        if (thing.image_id is not None or thing.field in _RECORD_FIELDS)
        and outcome(by_auditor)[1] == "undecided"
    ]
    undecided += [
        Thing(None, None, name, field)
        for field, kind in _DIALOGUE_FIELDS.items()
        for name in undecided_records(workspace, kind, said)
    ]
    return Differing(
        undecided=_sorted(undecided), contradictions=_sorted(_contradictions(workspace, said))
    )


def judged_in(thing: Thing) -> AuditName:
    """Return the kind of audit in which something that auditors differ on is judged."""
    if thing.image_id is not None:
        return "attributes"
    return {**_RECORD_FIELDS, **_DIALOGUE_FIELDS}[thing.field]


def _contradictions(workspace: Workspace, decisions: Sequence[Decision]) -> list[Thing]:
    held = of_labels(decisions)
    is_labelled = workspace.vocabulary.is_file() and store.load_manifest(workspace.catalog)
    if not held or not is_labelled:
        return []
    pictures = load_items(workspace, ["image_id"]).column("image_id").combine_chunks()
    rulings = Rulings.of(held, load_vocabulary(workspace.vocabulary), pictures)
    return [thing_of_cell(cell) for cell in rulings.contradictions]


def _sorted(things: Sequence[Thing]) -> list[Thing]:
    return sorted(things, key=lambda thing: [part or "" for part in thing])
