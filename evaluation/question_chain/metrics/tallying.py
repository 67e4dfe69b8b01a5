"""What runs of question chains come to, chain by chain, as ``run-benchmark score`` takes it."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from benchwright import store
from benchwright.errors import CorruptShard
from benchwright.records import ChainAnswer
from evaluation.question_chain.chains import read_chains
from evaluation.question_chain.metrics.amounts import Divisions, amounts_of, derived_of
from evaluation.question_chain.metrics.correlation import over_samples
from evaluation.question_chain.metrics.outcomes import MEASURES, Measure, Outcome, outcomes_of
from evaluation.question_chain.metrics.table import lines_of
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.playing.running import TABLE
from evaluation.question_chain.settings import ChainSettings
from evaluation.scoring.figures import Key
from evaluation.scoring.parse_route import parse_route
from evaluation.scoring.protocol import Compared, Identity, Item, KeptRun, Scoring, Tally


def tally_of(run: KeptRun) -> Tally:
    """Return what the chains of a run come to.

    Where a whole run that differs in the blindfold alone stands beside it, its figures are the
    baseline of texts alone.
    """
    settings = ChainSettings.of_run(run.settings, run.manifest.plan.seed or 0)
    chains = read_chains(run.release, run.about.config)
    offers = Offers(chains, settings.options, settings.seed)

    def of_run(one: KeptRun) -> dict[str, Outcome]:
        return outcomes_of(chains, one.records(TABLE, ChainAnswer), settings, offers)

    answers = run.records(TABLE, ChainAnswer)
    outcomes = outcomes_of(chains, answers, settings, offers)
    blind = None if settings.is_blindfold else _blindfold(run, outcomes, of_run)
    begun = {answer.chain_id for answer in answers}
    return _tally(run, settings, outcomes, blind, len(begun - outcomes.keys()))


def _tally(
    run: KeptRun,
    settings: ChainSettings,
    outcomes: Mapping[str, Outcome],
    blind: "_Blindfold | None",
    failed: int,
) -> Tally:
    """Return what some chains of a run come to; the means are over the categories of these."""
    divisions = Divisions.of(outcomes.values())
    facts: dict[str, Any] = {
        "correlations": {
            measure: asdict(over_samples(list(outcomes.values()), measure, "final"))
            for measure in _correlated(settings)
        },
        "blindfold_run": None if blind is None else blind.name,
    }
    return Tally(
        identity=Identity.of(run),
        planned=run.planned,
        failed=failed,
        items={
            name: Item(
                picture=one.chain.image_id,
                amounts=amounts_of(
                    one, settings, divisions, None if blind is None else blind.outcomes[name]
                ),
            )
            for name, one in outcomes.items()
        },
        builds=[
            build for one in outcomes.values() for answer in one.answers for build in answer.builds
        ],
        parse_route=parse_route(
            {"read": Counter(answer.read_by for one in outcomes.values() for answer in one.answers)}
        ),
        lines=lambda figures: lines_of(figures, facts),
        compared=[Compared(key=Key(measure)) for measure in MEASURES],
        derived=list(derived_of(settings, divisions, has_blind=blind is not None)),
        facts=facts,
        remade=lambda names: _tally(
            run,
            settings,
            {name: one for name, one in outcomes.items() if name in names},
            blind,
            failed,
        ),
    )


def _correlated(settings: ChainSettings) -> list[Measure]:
    if "final" not in settings.modes:
        return []
    measures: tuple[Measure, ...] = ("planning", "following")
    return [measure for measure in measures if MEASURES[measure] in settings.modes]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Blindfold:
    name: str
    outcomes: dict[str, Outcome]


def _blindfold(
    run: KeptRun, outcomes: Mapping[str, Outcome], of_run: Callable[[KeptRun], dict[str, Outcome]]
) -> _Blindfold | None:
    """Return the run beside this one that had all of its chains and no pictures."""
    for path in sorted(run.folder.parent.glob(f"*/{store.MANIFEST}")):
        folder = path.parent
        try:
            manifest = store.load_manifest(folder)
            if manifest is not None and _is_blind_twin(manifest.plan, run.manifest.plan):
                found = of_run(replace(run, folder=folder, manifest=manifest))
                if found.keys() >= outcomes.keys():
                    return _Blindfold(name=folder.name, outcomes=found)
        except CorruptShard:  # it is not the run that is to be scored
            continue
    return None


def _is_blind_twin(one: store.Plan, other: store.Plan) -> bool:
    settings = {**other.settings, "is_blindfold": True, "prompt": one.settings.get("prompt")}
    return (
        one.inputs.get("release") == other.inputs.get("release")
        and one.seed == other.seed
        and store.digest_of(dict(one.settings)) == store.digest_of(settings)
    )


SCORING = Scoring(
    noun="chain",
    page="docs/question-chain-runs.md",
    reads=(),
    conditions={
        "modes": "--modes",
        "history": "--history",
        "is_circular": "--circular",
        "options": "--options",
        "is_blindfold": "--blindfold",
        "seed": "--seed",
    },
    tally=tally_of,
)
