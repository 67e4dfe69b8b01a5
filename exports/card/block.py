"""The generated block of a card: its sections in their order."""

from collections.abc import Callable, Iterator

from exports.card.facts import Facts
from exports.card.sections.audits import audits
from exports.card.sections.candidate_sets import candidate_sets
from exports.card.sections.citing import citing
from exports.card.sections.contents import contents, left_out
from exports.card.sections.false_premises import false_premises
from exports.card.sections.galleries import galleries
from exports.card.sections.gate import gate
from exports.card.sections.how_made import how_made
from exports.card.sections.labels import labels
from exports.card.sections.limits import limits
from exports.card.sections.loading import loading
from exports.card.sections.question_chains import question_chains
from exports.card.sections.responses import responses, trajectories
from exports.card.sections.rights import rights
from exports.card.sections.scoring import scoring, verifying

_SECTIONS: tuple[Callable[[Facts], Iterator[str]], ...] = (
    contents,
    loading,
    galleries,
    false_premises,
    candidate_sets,
    question_chains,
    responses,
    trajectories,
    labels,
    audits,
    gate,
    limits,
    how_made,
    left_out,
    scoring,
    verifying,
    citing,
    rights,
)


def block_of(facts: Facts) -> str:
    """Return the block as Markdown; the same facts give the same bytes."""
    return "\n".join(line for section in _SECTIONS for line in section(facts))
