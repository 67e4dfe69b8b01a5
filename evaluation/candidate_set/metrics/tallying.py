"""What runs of candidate sets come to, sample by sample, as ``run-benchmark score`` takes it."""

from collections import Counter
from collections.abc import Sequence

from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics.amounts import OF_ONE, OF_SETS, SIZES, Divisions, amounts_of
from evaluation.candidate_set.metrics.answered import Answered
from evaluation.candidate_set.metrics.baselines import Baselines
from evaluation.candidate_set.metrics.table import lines_of
from evaluation.candidate_set.playing.playing import is_failed
from evaluation.candidate_set.playing.running import TABLE
from evaluation.releases.records import read_records
from evaluation.scoring.figures import Key
from evaluation.scoring.parse_route import parse_route
from evaluation.scoring.protocol import Compared, Identity, Item, KeptRun, Scoring, Tally

_SHARES = (*OF_ONE, *OF_SETS, "no_target", "several", "unreadable", "refused")


def tally_of(run: KeptRun) -> Tally:
    """Return what the samples of a run come to."""
    samples = read_records(run.release, run.about.config, CandidateSet)
    sample_of = {(sample.dialogue_id, sample.turn): sample for sample in samples}
    is_given, seed = bool(run.settings["given"]), run.manifest.plan.seed or 0
    rows = run.records(TABLE, Grounding)
    answered = [
        Answered.of(sample_of[row.dialogue_id, row.turn], row, is_given=is_given)
        for row in rows
        if not is_failed(row)
    ]
    baselines = Baselines.of(samples, seed=seed, is_given=is_given)
    return _tally(run, samples, answered, baselines, len(rows) - len(answered))


def _tally(
    run: KeptRun,
    samples: Sequence[CandidateSet],
    answered: Sequence[Answered],
    baselines: Baselines,
    failed: int,
) -> Tally:
    """Return what some answered samples come to; those that are followed are among these."""
    divisions = Divisions.of(samples, [one.sample for one in answered])
    tracked = divisions.tracked
    return Tally(
        identity=Identity.of(run),
        planned=run.planned,
        failed=failed,
        items={
            one.name: Item(
                picture=one.sample.image_id,
                amounts=amounts_of(one, baselines.outcomes(one.sample), divisions),
            )
            for one in answered
        },
        builds=[build for one in answered for build in one.grounding.builds],
        parse_route=parse_route({"read": Counter(one.grounding.read_by for one in answered)}),
        lines=lambda figures: lines_of(figures, run.settings, tracked),
        compared=_compared(tracked.turns),
        facts={"tracked": {"turns": tracked.turns, "dialogues": len(tracked.dialogue_ids)}},
        remade=lambda names: _tally(
            run, samples, [one for one in answered if one.name in names], baselines, failed
        ),
    )


def _compared(turns: int) -> list[Compared]:
    sizes = [
        Compared(key=Key(metric, "tracked_turn", str(turn)), is_share=False)
        for turn in range(1, turns + 1)
        for metric in SIZES[:1]  # the true ones are those of the release
    ]
    return [*(Compared(key=Key(name)) for name in _SHARES), *sizes]


SCORING = Scoring(
    noun="sample",
    page="docs/candidate-set-runs.md",
    reads=(),
    conditions={
        "instruction": "--instruction",
        "given": "--given-candidates",
        "box_format": "--box-format",
        "seed": "--seed",
    },
    tally=tally_of,
)
