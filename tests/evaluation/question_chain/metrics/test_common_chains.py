"""Runs that lack chains are compared in all the figures that their common ones have."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.records import QuestionChain
from evaluation.question_chain.metrics import tallying
from evaluation.report.pairs import pairs_of
from evaluation.scoring.comparing import compare
from evaluation.scoring.figures import Key, by_key, figures
from evaluation.scoring.opened import ScoredOn
from evaluation.scoring.scored import Scored

DEDUCTION, GUESSING = ("c1", "c2", "c3"), ("c4", "c5")


@pytest.fixture
def scored(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    chains: Mapping[str, QuestionChain],
    answered: Callable[..., Any],
) -> Callable[..., Scored]:
    """Return the score of a run that played some chains, right but where ``wrong`` says."""
    monkeypatch.setattr(tallying, "read_chains", lambda *_: list(chains.values()))

    def of(names: Collection[str], wrong: Mapping[str, Any]) -> Scored:
        rows = [one for name in names for one in answered(chains[name], wrong=wrong.get(name, ()))]
        settings = tallying.ChainSettings().as_json()
        run = SimpleNamespace(
            folder=tmp_path / "runs" / "tried",
            about=SimpleNamespace(
                run="tried", config="question-chain", player="m", prompts="p", parts={}
            ),
            settings=settings,
            manifest=SimpleNamespace(plan=SimpleNamespace(settings=settings, seed=0)),
            release=None,
            planned=len(chains),
            records=lambda table, kind: rows,
        )
        tally = tallying.tally_of(run)  # type: ignore[arg-type]
        items = list(tally.items.values())
        return Scored(
            tally=tally,
            on=ScoredOn(release="r", commit=None, digest="d", config="question-chain"),
            scoring=tallying.SCORING,
            figures=figures(
                [item.amounts for item in items],
                [item.picture for item in items],
                0,
                tally.derived,
            ),
            folder=None,
        )

    return of


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # of the second run's categories all are common, of the first's one is not
        ((*DEDUCTION, *GUESSING), DEDUCTION),
        (DEDUCTION, (*DEDUCTION, *GUESSING)),
        # each has a chain of a category that the other lacks
        (("c1", "c2", "c4"), ("c1", "c2")),
    ],
)
def test_the_mean_is_over_the_categories_of_the_common_chains(
    scored: Callable[..., Scored], first: Collection[str], second: Collection[str]
) -> None:
    one, other = scored(first, {}), scored(second, {"c2": [("planning", 1)]})
    found = compare(one, other, 0, is_partial=True)
    common = sorted({*first} & {*second})
    wanted = pytest.approx(1 / 3 / len(common))  # c2 has three steps before its last
    planning = by_key(found.differences)[Key("planning")]
    assert (planning.value, planning.n) == (wanted, len(common))
    assert by_key(found.differences)[Key("following")].value == 0
    board: Any = SimpleNamespace(
        entries=[
            SimpleNamespace(scored=each, figure=lambda key, each=each: by_key(each.figures)[key])
            for each in (one, other)
        ]
    )
    (pair,) = pairs_of(board, Key("planning"), 0)
    assert pair.difference == planning
