"""Figures of answers, as a score works them out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from benchwright.records import ChainAnswer, QuestionChain
from evaluation.question_chain.metrics.amounts import Divisions, amounts_of, derived_of
from evaluation.question_chain.metrics.outcomes import outcomes_of
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.settings import ChainSettings
from evaluation.scoring.figures import Figure, Key, by_key, figures

Found = Mapping[Key, Figure]


@pytest.fixture(scope="session")
def scored() -> Callable[..., Found]:
    """Return the figures of answers to chains by their keys."""

    def of(
        chains: Sequence[QuestionChain],
        answers: Iterable[ChainAnswer],
        settings: ChainSettings | None = None,
        blind: Iterable[ChainAnswer] | None = None,
    ) -> Found:
        settings = settings or ChainSettings()
        offers = Offers(chains, settings.options, settings.seed)
        outcomes = outcomes_of(chains, answers, settings, offers)
        unseen: Mapping[str, Any] = (
            {} if blind is None else outcomes_of(chains, blind, settings, offers)
        )
        divisions = Divisions.of(outcomes.values())
        items = [
            amounts_of(one, settings, divisions, unseen.get(name)) for name, one in outcomes.items()
        ]
        pictures = [one.chain.image_id for one in outcomes.values()]
        derived = list(derived_of(settings, divisions, has_blind=blind is not None))
        return by_key(figures(items, pictures, 0, derived))

    return of
