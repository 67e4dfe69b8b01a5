"""The false-premise dialogues in figures, and one of them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchwright.records import FalsePremise
from exports.card.credits import credit
from exports.card.facts import Facts
from exports.card.figures import of_each
from exports.card.markdown import table, text
from exports.card.pictures import FALSE_PREMISE
from exports.card.samples import sample_false_premise
from labeling.audits.reporting.wording import many

_CLASSES = ("identity", "attribute", "location")
_LONG = 300  # characters of what is shown of a dialogue


def false_premises(facts: Facts) -> Iterator[str]:
    """Yield the grid of complexity, category and class, and a sample."""
    records = facts.records("false-premise")
    if not records:
        return
    yield from ("## False premises", "")
    false = sum(turn.has_false_premise for record in records for turn in record.turns)
    turns = [len(record.turns) for record in records]
    yield (
        f"{many(len(records), 'dialogue', 'dialogues')} {of_each(turns, 'questions')}, about one"
        f" target of a picture. {false:,} of the {sum(turns):,} questions describe it with one"
        " error, of identity, attribute or location. The rest of a question is the same with and"
        " without the error."
    )
    yield ""
    yield from _grid(records)
    sample = sample_false_premise(facts)
    if sample is not None:
        yield from _shown(facts, sample)


def _grid(records: Sequence[FalsePremise]) -> Iterator[str]:
    counts: Counter[tuple[str, str, str]] = Counter(
        (one.complexity, one.category, one.premise_class) for one in records
    )
    places = sorted({place[:2] for place in counts})
    rows = [
        (
            *map(text, place),
            *(f"{counts[(*place, name)]:,}" for name in _CLASSES),
            f"{sum(counts[(*place, name)] for name in _CLASSES):,}",
        )
        for place in places
    ]
    totals = [sum(counts[(*place, name)] for place in places) for name in _CLASSES]
    rows.append(("all", "", *(f"{total:,}" for total in totals), f"{len(records):,}"))
    yield from table(("complexity", "category", *_CLASSES, "all"), rows, 2)


def _shown(facts: Facts, record: FalsePremise) -> Iterator[str]:
    yield f"Dialogue {text(record.dialogue_id)}, an error of {record.premise_class}."
    yield ""
    yield f"![A picture with the box of its target]({FALSE_PREMISE})"
    yield ""
    yield from credit(facts, record.image_id, "made smaller, the box is ours")
    yield f"- true: {text(record.true_description, _LONG)}"
    yield f"- false: {text(record.false_description, _LONG)}"
    yield ""
    yield from table(
        ("turn", "question", "premise"),
        [
            (
                str(turn.index),
                text(turn.asked_question, _LONG),
                "**false**" if turn.has_false_premise else "true",
            )
            for turn in record.turns
        ],
        3,
    )
