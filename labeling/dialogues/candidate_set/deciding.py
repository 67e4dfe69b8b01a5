"""What annotators hold of a turn: which boxes are still plausible, by the marks of all of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchwright.records import CandidateSet, Decision, Marks, Verdict
from labeling.dialogues.candidate_set.box_ids import ids_of, ids_text, in_order
from labeling.dialogues.stored import ByField, Decided, record_id_of

FIELD = "candidates"  # of the decisions about a turn


def decided(record: CandidateSet, decisions: ByField) -> Decided[CandidateSet]:
    """Return a turn with the marks of its annotators and the boxes that they hold plausible.

    One annotator's marks stand as they are. Of several, a box is a candidate that more than half
    of them marked. Withheld, with no candidates, is a turn that is ``not judged yet``; ``unsure``
    where nobody could tell; ``rejected`` where more than half call the dialogue unusable;
    ``undecided`` where one half stands against the other, about that or about a box, or where no
    box has a majority: a further annotator must look; and ``marks other boxes`` where a mark
    names a box that the picture does not have.
    """
    by_annotator = decisions.get(FIELD, {})
    try:
        marks = _marks(record, by_annotator)
    except ValueError:
        return Decided(record=record, withheld="marks other boxes")
    marked = replace(record, marks=marks)
    reason = _withheld(by_annotator, len(marks))
    candidates = () if reason else held_by_most([mark.box_ids for mark in marks])
    if not candidates:
        return Decided(record=marked, withheld=reason or "undecided")
    return Decided(
        record=replace(
            marked,
            candidate_ids=candidates,
            kind="single" if len(candidates) == 1 else "set",
        )
    )


def decision_of_marks(
    record: CandidateSet, box_ids: Iterable[str], *, annotator: str, at: str
) -> Decision:
    """Return the decision by which one annotator holds boxes of a turn plausible.

    It is what the App stores of the same marks, but for the time that they took. ``at`` is ISO
    8601 with an offset from UTC.
    """
    before = ids_text(record.candidate_ids) if record.candidate_ids else None
    after = ids_text(box_ids)
    return Decision(
        image_id=None,
        object_id=None,
        record_id=record_id_of(record),
        field=FIELD,
        auditor=annotator,
        before=before,
        after=after,
        verdict=marked_verdict(before, after),
        seconds=None,
        at=at,
        stratum=None,
        probability=None,
    )


def marked_verdict(before: str | None, after: str) -> Verdict:
    """Return whether marks confirm what was held before, null for nothing, or correct it."""
    return "confirmed" if before in (None, after) else "corrected"


def whole_dialogues(turns: Sequence[Decided[CandidateSet]]) -> list[Decided[CandidateSet]]:
    """Return the turns, all of a dialogue withheld where one of them is.

    A dialogue stands with all of its turns or not at all (CandVG, section 3): sizes by turn are
    compared on one set of dialogues.
    """
    broken = {each.record.dialogue_id for each in turns if each.withheld is not None}
    return [
        replace(each, withheld="another turn is withheld")
        if each.withheld is None and each.record.dialogue_id in broken
        else each
        for each in turns
    ]


def held_by_most(marks: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the boxes that more than half marked; none where a box has just one half."""
    votes = Counter(box_id for ids in marks for box_id in set(ids))
    if any(2 * count == len(marks) for count in votes.values()):
        return ()
    return in_order(box_id for box_id, count in votes.items() if 2 * count > len(marks))


def _marks(record: CandidateSet, by_annotator: Mapping[str, Decision]) -> tuple[Marks, ...]:
    """Return the marks by annotator; raises ValueError for a box that the picture has not."""
    known = {box.box_id for box in record.boxes}
    found = []
    for annotator, decision in sorted(by_annotator.items()):
        if decision.after is None:
            continue
        ids = ids_of(decision.after)
        if not known.issuperset(ids):
            raise ValueError(f"{annotator} marked {decision.after} of {sorted(known)}")
        found.append(Marks(annotator=annotator, box_ids=ids))
    return tuple(found)


def _withheld(by_annotator: Mapping[str, Decision], marked: int) -> str | None:
    """Return why nothing is held, whatever the marks are; null where they tell."""
    if not by_annotator:
        return "not judged yet"
    rejected = sum(each.verdict == "rejected" for each in by_annotator.values())
    if rejected == marked:
        return "undecided" if rejected else "unsure"
    return "rejected" if rejected > marked else None
