"""Figures of five chains, each worked out by hand from what was wrong."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from benchwright.records import QuestionChain
from evaluation.question_chain.metrics.outcomes import outcomes_of
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.settings import ChainSettings
from evaluation.scoring.figures import Key

Chains = Mapping[str, QuestionChain]

# of the chains c1 (3 steps), c2 (4), c3 (3) of deduction, c4 (2), c5 (3) of guessing
WRONG: dict[str, list[tuple[str, int]]] = {
    "c1": [("planning", 1), ("alone", 3)],
    "c2": [("planning", 2), ("planning", 3), ("planning", 4), ("following", 3), ("final", 4)],
    "c3": [("alone", 3), ("following", 1)],
    "c4": [("planning", 1), ("alone", 2)],
    "c5": [("alone", 3)],
}


@pytest.fixture(scope="module")
def found(chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]) -> Any:
    answers = [one for name, chain in chains.items() for one in answered(chain, wrong=WRONG[name])]
    return scored(list(chains.values()), answers)


# planning: c1 1/2, c2 1/3, c3 1; c4 0, c5 1. following: c1 1, c2 2/3, c3 1/2; c4 1, c5 1
FIGURES = [
    (Key("planning", "category", "deduction"), (1 / 2 + 1 / 3 + 1) / 3, 3),
    (Key("planning", "category", "guessing"), 1 / 2, 2),
    (Key("planning"), (11 / 18 + 1 / 2) / 2, 5),
    (Key("following", "category", "deduction"), (1 + 2 / 3 + 1 / 2) / 3, 3),
    (Key("following"), (13 / 18 + 1) / 2, 5),
    (Key("planning", "scenario", "pattern"), (1 / 2 + 1 / 3) / 2, 2),
    (Key("planning", "scenario", "location"), 0, 1),
    # by step, over the chains that have it before their last
    (Key("planning", "step", "1"), 3 / 5, 5),
    (Key("planning", "step", "2"), 3 / 4, 4),
    (Key("planning", "step", "3"), 0, 1),
    (Key("following", "step", "3"), 0, 1),
    # with the chain c2 is wrong, without it all but c2, after its plan c2
    (Key("final"), (2 / 3 + 1) / 2, 5),
    (Key("alone"), (1 / 3 + 0) / 2, 5),
    (Key("planned"), (2 / 3 + 1) / 2, 5),
    (Key("gain", "category", "deduction"), (2 / 3 - 1 / 3) / (1 / 3), 3),
    (Key("gain", "category", "guessing"), None, 2),  # nothing without the chain
    (Key("gain"), (5 / 6 - 1 / 6) / (1 / 6), 5),
    # c1, c2 and c4 plan wrongly, of which c2 ends wrongly; c2 and c3 follow wrongly, c2 as before
    (Key("recovery", "failed", "planning"), 2 / 3, 3),
    (Key("recovery", "failed", "following"), 1 / 2, 2),
    (Key("recovery_chance", "failed", "planning"), 1 / 4, 3),
    (Key("last_answer", "first_wrong_of_planning", "1"), 1, 2),
    (Key("last_answer", "first_wrong_of_planning", "2"), 0, 1),
    (Key("last_answer", "first_wrong_of_planning", "3"), None, 0),
    (Key("last_answer", "first_wrong_of_planning", "none"), 1, 2),
    (Key("last_answer", "first_wrong_of_following", "1"), 1, 1),
    (Key("last_answer", "first_wrong_of_following", "3"), 0, 1),
    # three questions to choose from, four answers
    (Key("planning", "baseline", "chance"), 1 / 3, 5),
    (Key("following", "baseline", "chance"), 1 / 4, 5),
    (Key("final", "baseline", "chance"), 1 / 4, 5),
    (Key("planning", "baseline", "longest_option"), 0, 5),
    (Key("unreadable", "mode", "planning"), 0, 15),
]


@pytest.mark.parametrize(
    ("key", "value", "n"),
    FIGURES,
    ids=lambda one: ".".join(one) if isinstance(one, tuple) else None,
)
def test_a_figure(found: Any, key: Key, value: float | None, n: int) -> None:
    assert found[key].n == n
    assert found[key].value == (None if value is None else pytest.approx(value))


def test_a_perfect_run_has_nothing_to_recover_from(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]
) -> None:
    perfect = scored(
        list(chains.values()), [one for chain in chains.values() for one in answered(chain)]
    )
    assert perfect[Key("planning")].value == perfect[Key("following")].value == 1
    for metric in ("recovery", "recovery_chance"):
        one = perfect[Key(metric, "failed", "planning")]
        assert (one.value, one.low, one.n) == (None, None, 0)


def test_what_cannot_be_read_is_wrong_and_counted(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]
) -> None:
    chain = chains["c1"]
    found = scored([chain], answered(chain, unread=[("planning", 1), ("alone", 3)]))
    assert found[Key("planning")].value == 1 / 2
    assert found[Key("alone")].value == 0
    assert found[Key("unreadable", "mode", "planning")].value == pytest.approx(1 / 3)
    assert found[Key("unreadable", "mode", "alone")].value == 1
    assert found[Key("refused", "mode", "alone")].value == 0


def test_pictures_are_drawn_and_not_chains(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]
) -> None:
    """Two chains about one picture say as much as one: there is no scatter to be seen."""
    pair = [chains["c1"], chains["c2"]]
    answers = [*answered(chains["c1"], wrong=[("final", 3)]), *answered(chains["c2"])]
    found = scored(pair, answers)[Key("final", "category", "deduction")]
    assert (found.value, found.low, found.high, found.n) == (1 / 2, None, None, 2)


def test_a_circular_step_counts_when_all_rotations_are_right(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]
) -> None:
    chain, settings = chains["c4"], ChainSettings(is_circular=True)
    answers = answered(chain, settings=settings)
    whole = scored([chain], answers, settings)
    assert whole[Key("planning")].value == 1
    assert whole[Key("planning", "baseline", "chance")].value == pytest.approx(3**-3)
    assert whole[Key("final", "baseline", "chance")].value == pytest.approx(4**-4)
    assert whole[Key("final", "baseline", "first_option")].value == 0
    at = next(
        n for n, a in enumerate(answers) if (a.mode, a.step, a.rotation) == ("planning", 1, 2)
    )
    others = [
        *answers[:at],
        *answered(chain, settings=settings, wrong=[("planning", 1)])[at : at + 1],
    ]
    spoilt = scored([chain], [*others, *answers[at + 1 :]], settings)
    assert spoilt[Key("planning")].value == 0
    assert spoilt[Key("unreadable", "mode", "planning")].n == 3 + 4


def test_always_the_first_is_what_was_shown_first(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]
) -> None:
    some = list(chains.values())
    answers = [one for chain in some for one in answered(chain)]
    found = scored(some, answers)
    firsts = []
    for chain in some[:3]:
        truths = {step: chain.steps[step - 1].answer for step in range(1, len(chain.steps))}
        mine = [a for a in answers if a.chain_id == chain.chain_id and a.mode == "following"]
        shown = [chain.steps[a.step - 1].answer_options[a.order[0]] == truths[a.step] for a in mine]
        firsts.append(sum(shown) / len(shown))
    key = Key("following_first_option", "category", "deduction")
    assert found[key].value == pytest.approx(sum(firsts) / 3)


def test_texts_alone_stand_beside(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any]
) -> None:
    some = list(chains.values())
    answers = [one for chain in some for one in answered(chain)]
    blind = [
        one
        for chain in some
        for one in answered(
            chain, wrong=[("final", len(chain.steps))] if chain.chain_id == "c5" else []
        )
    ]
    found = scored(some, answers, blind=blind)
    assert found[Key("final", "baseline", "text_only")].value == pytest.approx((1 + 1 / 2) / 2)
    assert Key("final", "baseline", "text_only") not in scored(some, answers)


@pytest.mark.parametrize("modes", [("planning",), ("following",), ("final", "alone"), ("alone",)])
def test_what_was_not_played_is_not_measured(
    chains: Chains, answered: Callable[..., Any], scored: Callable[..., Any], modes: Any
) -> None:
    chain, settings = chains["c1"], ChainSettings(modes=modes)
    found = scored([chain], answered(chain, settings=settings), settings)
    measures = {key.metric for key in found if key == Key(key.metric)}
    planned = {"planned"} if modes == ("planning",) else set()
    gain = {"gain"} if modes == ("final", "alone") else set()
    assert measures == {*modes, *planned, *gain}
    assert (Key("recovery", "failed", "planning") in found) == (modes == ("planning",))


@pytest.mark.parametrize("spoil", ["missing", "failed", "rejected"])
def test_a_chain_without_one_of_its_answers_is_not_scored(
    chains: Chains, answered: Callable[..., Any], spoil: Any
) -> None:
    chain = chains["c1"]
    first, *others = answered(chain)
    lost = [] if spoil == "missing" else [answered(chain, status=spoil)[0]]
    offers, settings = Offers([chain]), ChainSettings()
    assert outcomes_of([chain], [first, *others], settings, offers).keys() == {"c1"}
    assert not outcomes_of([chain], [*lost, *others], settings, offers)
