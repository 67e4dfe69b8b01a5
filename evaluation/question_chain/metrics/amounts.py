"""What a chain adds to each figure, and the figures that are made of those."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.statistics.bootstrap import Reals
from evaluation.question_chain.chains import steps_that_count
from evaluation.question_chain.metrics.outcomes import (
    BASELINES,
    MEASURES,
    Measure,
    Outcome,
    measures_of,
)
from evaluation.question_chain.settings import ChainSettings
from evaluation.scoring.figures import NOTHING, Amount, Derived, Key, mean_of

_BY_STEP: tuple[Measure, ...] = ("planning", "following")
RECOVERED: Mapping[Measure, Measure] = {"planning": "planned", "following": "final"}
TEXT_ONLY = "text_only"
NONE_WRONG = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Divisions:
    """The parts into which the chains of a run fall, sorted; ``steps`` are numbers from 1."""

    categories: tuple[str, ...]
    scenarios: tuple[str, ...]
    steps: tuple[int, ...]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> "Divisions":
        """Return those of the chains that are scored."""
        chains = [outcome.chain for outcome in outcomes]
        longest = max((len(steps_that_count(chain)) for chain in chains), default=0)
        return cls(
            categories=tuple(sorted({chain.category for chain in chains})),
            scenarios=tuple(sorted({chain.scenario for chain in chains})),
            steps=tuple(range(1, longest + 1)),
        )


def amounts_of(
    outcome: Outcome,
    settings: ChainSettings,
    divisions: Divisions,
    blind: Outcome | None = None,
) -> dict[Key, Amount]:
    """Return what a chain adds to the figures that are no means of means.

    ``blind`` is the same chain as it was played without the picture, where that was done.
    """
    found: dict[Key, Amount] = {}
    measures = measures_of(settings)
    for measure in measures:
        found |= _shares(outcome, measure, divisions)
        found |= _baselines(outcome, measure, divisions, blind)
    for failed, last in RECOVERED.items():
        if failed in measures and last in measures:
            found |= _recovery(outcome, failed, last, divisions)
    return found | _unread(outcome, settings)


def derived_of(
    settings: ChainSettings, divisions: Divisions, *, has_blind: bool
) -> Iterator[Derived]:
    """Yield the means over categories (definition 22) and what the chain gains (definition 23)."""
    measures = measures_of(settings)
    for measure in measures:
        cells = [Key(measure, "category", name) for name in divisions.categories]
        yield mean_of(Key(measure), cells)
        for name in (*BASELINES, *([TEXT_ONLY] if has_blind else [])):
            of = [Key(f"{measure}_{name}", "category", part) for part in divisions.categories]
            yield mean_of(Key(measure, "baseline", name), of)
    if {"final", "alone"} <= set(measures):
        for key in (("all", "all"), *(("category", name) for name in divisions.categories)):
            of_both = (Key("final", *key), Key("alone", *key))
            yield Derived(key=Key("gain", *key), of=of_both, work_out=_gain, count=min)


def _gain(values: Reals) -> Reals:
    """Return (with − without) / without; infinite or NaN where without is 0."""
    found: Reals = (values[:, 0] - values[:, 1]) / values[:, 1]
    return found


def _shares(outcome: Outcome, measure: Measure, divisions: Divisions) -> dict[Key, Amount]:
    amount, chain = Amount(outcome.share(measure), 1), outcome.chain
    found = {
        **_parts(measure, "category", divisions.categories, chain.category, amount),
        **_parts(measure, "scenario", divisions.scenarios, chain.scenario, amount),
    }
    if measure in _BY_STEP:
        mode, last = MEASURES[measure], len(chain.steps)
        for step in divisions.steps:
            is_there = step < last
            found[Key(measure, "step", f"{step}")] = (
                Amount(int(outcome.right[mode, step]), 1) if is_there else NOTHING
            )
    return found


def _baselines(
    outcome: Outcome, measure: Measure, divisions: Divisions, blind: Outcome | None
) -> dict[Key, Amount]:
    shares: dict[str, float] = {name: outcome.by_baseline(measure, name) for name in BASELINES}
    if blind is not None:
        shares[TEXT_ONLY] = blind.share(measure)
    found: dict[Key, Amount] = {}
    for name, share in shares.items():
        category = outcome.chain.category
        found |= _parts(
            f"{measure}_{name}", "category", divisions.categories, category, Amount(share, 1)
        )
    return found


def _recovery(
    outcome: Outcome, failed: Measure, last: Measure, divisions: Divisions
) -> dict[Key, Amount]:
    """Return the last answer of a chain by the first step that went wrong (definition 23)."""
    first = outcome.first_wrong(failed)
    amount = Amount(outcome.share(last), 1)
    chance = Amount(outcome.by_baseline(last, "chance"), 1)
    steps = (*(f"{step}" for step in divisions.steps), NONE_WRONG)
    of_this = NONE_WRONG if first is None else f"{first}"
    return {
        Key("recovery", "failed", failed): NOTHING if first is None else amount,
        Key("recovery_chance", "failed", failed): NOTHING if first is None else chance,
        **_parts("last_answer", f"first_wrong_of_{failed}", steps, of_this, amount),
    }


def _unread(outcome: Outcome, settings: ChainSettings) -> dict[Key, Amount]:
    """Return how many answers name no option, and how many of them refuse, by mode."""
    found: dict[Key, Amount] = {}
    for mode in settings.modes:
        answers = [answer for answer in outcome.answers if answer.mode == mode]
        unread = sum(answer.pick is None for answer in answers)
        refused = sum(answer.status == "refused" for answer in answers)
        found[Key("unreadable", "mode", mode)] = Amount(unread, len(answers))
        found[Key("refused", "mode", mode)] = Amount(refused, len(answers))
    return found


def _parts(
    metric: str, by: str, parts: Sequence[str], of_this: str, amount: Amount
) -> dict[Key, Amount]:
    return {Key(metric, by, part): amount if part == of_this else NOTHING for part in parts}
