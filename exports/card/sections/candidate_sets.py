"""The candidate sets in figures, and the turns of one dialogue."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from benchwright.records import CandidateSet
from exports.card.credits import credit
from exports.card.facts import Facts
from exports.card.figures import span
from exports.card.markdown import table, text
from exports.card.pictures import CANDIDATES
from exports.card.samples import sample_turns
from labeling.attributes.measuring.wording import UNKNOWN
from labeling.audits.reporting.wording import many

_LONG = 200  # characters of a line that is shown


def candidate_sets(facts: Facts) -> Iterator[str]:
    """Yield the sizes by turn, and a sample."""
    records: Sequence[CandidateSet] = facts.records("candidate-set")
    if not records:
        return
    turns_of: defaultdict[str, int] = defaultdict(int)
    for one in records:
        turns_of[one.dialogue_id] = max(turns_of[one.dialogue_id], one.turn)
    hidden = facts.hides_answers("candidate-set")
    annotators = [len(one.marks) for one in records]
    yield from ("## Candidate sets", "")
    yield (
        f"{many(len(records), 'sample', 'samples')} of"
        f" {many(len(turns_of), 'dialogue', 'dialogues')}: what was said up to a turn, and all"
        f" boxes that its first utterance may then still mean.{'' if hidden else _left(records)}"
        f" Annotators of each: {span(annotators)}."
    )
    yield ""
    if not hidden:  # of few samples the means are the answers
        yield from _by_turn(records, turns_of)
    yield from _shown(facts, sample_turns(facts))


def _left(records: Sequence[CandidateSet]) -> str:
    single = sum(one.kind == "single" for one in records)
    return f" {single:,} have one box left, {len(records) - single:,} several."


def _by_turn(records: Sequence[CandidateSet], turns_of: Mapping[str, int]) -> Iterator[str]:
    """Yield sizes of all samples, and of one fixed set of dialogues: those alone compare."""
    lengths = sorted(turns_of.values())
    whole = lengths[len(lengths) // 2]  # half of the dialogues or more have so many turns
    long = {name for name, turns in turns_of.items() if turns >= whole}
    rows = []
    for turn in range(1, lengths[-1] + 1):
        these = [one for one in records if one.turn == turn]
        fixed = [one for one in these if one.dialogue_id in long and turn <= whole]
        rows.append(
            (
                str(turn),
                f"{len(these):,}",
                _mean([len(one.boxes) for one in these]),
                _mean([len(one.candidate_ids) for one in these]),
                _mean([len(one.candidate_ids) for one in fixed]),
            )
        )
    last = f"candidates in the {len(long):,} dialogues of {whole} turns or more"
    yield from table(("turn", "samples", "boxes", "candidates", last), rows)


def _mean(values: Sequence[int]) -> str:
    return f"{fmean(values):.2f}" if values else UNKNOWN


def _shown(facts: Facts, turns: Sequence[CandidateSet]) -> Iterator[str]:
    if not turns:
        return
    yield f"Dialogue {text(turns[0].dialogue_id)}:"
    yield ""
    alt = (
        "A picture with its boxes"
        if facts.hides_answers("candidate-set")
        else "The boxes that may still be meant, turn by turn"
    )
    yield f"![{alt}]({CANDIDATES})"
    yield ""
    yield from credit(facts, turns[0].image_id, "made smaller, the boxes are ours")
    yield from (f"- {text(said.speaker)}: {text(said.text, _LONG)}" for said in turns[-1].context)
    yield ""
