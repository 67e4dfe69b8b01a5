"""The samples that a card shows: one of each kind, the same for the same release."""

from collections.abc import Iterable, Sequence
from typing import Any

from benchwright import seeds
from benchwright.records import CandidateSet, Episode, FalsePremise, QuestionChain
from exports.card.facts import Facts
from exports.provenance.licences import licence_of

_PICTURES = 12  # a gallery on a card has about so many
_TURNS = 4  # side by side


def sample_gallery(facts: Facts, config: str) -> Episode | None:
    """Return a gallery that has a solution and a size that can be shown, null where none may be."""
    able = drawable(facts)
    shown: list[Episode] = [one for one in facts.records(config) if able.issuperset(one.image_ids)]
    hidden = facts.hides_answers(config)  # then the choice itself must tell none
    return min(
        shown,
        key=lambda one: (
            not hidden and not one.identifiable,
            abs(len(one.image_ids) - _PICTURES),
            _drawn(one.episode_id),
        ),
        default=None,
    )


def sample_false_premise(facts: Facts) -> FalsePremise | None:
    """Return one dialogue with a false premise, null where none may be shown."""
    found: FalsePremise | None = _any(facts, "false-premise", lambda one: one.dialogue_id)
    return found


def sample_chain(facts: Facts) -> QuestionChain | None:
    """Return one question chain, null where none may be shown."""
    found: QuestionChain | None = _any(facts, "question-chain", lambda one: one.chain_id)
    return found


def sample_turns(facts: Facts) -> Sequence[CandidateSet]:
    """Return the turns of one dialogue, at most four, that go from many candidates to few."""
    able = drawable(facts)
    dialogues: dict[str, list[CandidateSet]] = {}
    for record in facts.records("candidate-set"):
        if record.image_id in able:
            dialogues.setdefault(record.dialogue_id, []).append(record)
    hidden = facts.hides_answers("candidate-set")
    best = min(
        dialogues.items(),
        key=lambda pair: (
            abs(len(pair[1]) - _TURNS),
            0 if hidden else -_narrowing(pair[1]),
            _drawn(pair[0]),
        ),
        default=("", []),
    )
    return best[1][:_TURNS]


def drawable(facts: Facts) -> frozenset[str]:
    """Return the ids of the pictures that may be shown smaller, or with boxes drawn on them.

    Licences without derivatives forbid it.
    """
    return frozenset(
        item.image_id
        for item in facts.making.gathered.items
        if (licence := licence_of(item.licence)) is None or not licence.forbids_changes
    )


def _any(facts: Facts, config: str, name: Any) -> Any:
    able = drawable(facts)
    shown: Iterable[Any] = (one for one in facts.records(config) if one.image_id in able)
    return min(shown, key=lambda one: _drawn(name(one)), default=None)


def _narrowing(turns: Sequence[CandidateSet]) -> int:
    return len(turns[0].candidate_ids) - len(turns[-1].candidate_ids)


def _drawn(name: str) -> int:
    return seeds.draw(0, "card", name)
