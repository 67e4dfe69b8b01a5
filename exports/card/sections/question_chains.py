"""The question chains in figures, and one of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean

from benchwright.records import QuestionChain
from exports.card.credits import credit
from exports.card.facts import Facts
from exports.card.figures import of_each
from exports.card.markdown import table, text
from exports.card.pictures import CHAIN
from exports.card.samples import sample_chain
from labeling.attributes.measuring.wording import UNKNOWN, percent
from labeling.audits.reporting.wording import many

_LONG = 200  # characters of what is shown of a chain


def question_chains(facts: Facts) -> Iterator[str]:
    """Yield lengths, scenarios and chance, and a sample."""
    records: Sequence[QuestionChain] = facts.records("question-chain")
    if not records:
        return
    steps = [len(one.steps) for one in records]
    counted = [step for one in records for step in one.steps[:-1]]  # as the score has it
    yield from ("## Question chains", "")
    questions, answers = _chance(counted, "question_options"), _chance(counted, "answer_options")
    yield (
        f"{many(len(records), 'chain', 'chains')} {of_each(steps, 'steps')}: from a picture to"
        " the answer of a question. In *planning* a model picks the question that comes next, in"
        f" *following* the answer. By chance a question is right in {questions}, an answer in"
        f" {answers}."
    )
    yield ""
    lengths = sorted({len(one.steps) for one in records})
    kinds = Counter((one.category, one.scenario, len(one.steps)) for one in records)
    places = sorted({(category, scenario) for category, scenario, _ in kinds})
    rows = [
        (
            *map(text, place),
            *(f"{kinds[(*place, length)]:,}" for length in lengths),
            f"{sum(kinds[(*place, length)] for length in lengths):,}",
        )
        for place in places
    ]
    head = ("category", "scenario", *(f"{length} steps" for length in lengths), "all")
    yield from table(head, rows, 2)
    sample = sample_chain(facts)
    if sample is not None:
        yield from _shown(facts, sample)


def _chance(steps: Sequence[object], options: str) -> str:
    counts = [len(getattr(step, options)) for step in steps]
    return percent(fmean(1 / count for count in counts if count)) if any(counts) else UNKNOWN


def _shown(facts: Facts, chain: QuestionChain) -> Iterator[str]:
    yield f"Chain {text(chain.chain_id)}: {text(chain.question, _LONG)}"
    yield ""
    yield f"![The picture of a question chain]({CHAIN})"
    yield ""
    yield from credit(facts, chain.image_id, "made smaller")
    if facts.hides_answers("question-chain"):
        return
    rows = []
    for number, step in enumerate(chain.steps, 1):
        others = [one.text for one in step.question_options if one.origin != "true"]
        wrong = [answer for answer in step.answer_options if answer != step.answer]
        rows.append(
            (
                str(number),
                f"**{text(step.question, _LONG)}**{_beside(others)}",
                f"**{text(step.answer, _LONG)}**{_beside(wrong)}",
                ", ".join(map(str, step.uses)),
            )
        )
    yield from table(("step", "question (and others)", "answer (and others)", "uses"), rows, 4)


def _beside(others: Sequence[str]) -> str:
    return f" ({'; '.join(text(one, _LONG) for one in others)})" if others else ""
