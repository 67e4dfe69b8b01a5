"""docs/candidate-set-runs.md explains each figure of candidate sets and shows what is printed."""

from collections.abc import Callable
from pathlib import Path

from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics.amounts import Divisions, amounts_of
from evaluation.candidate_set.metrics.answered import Answered
from evaluation.candidate_set.metrics.baselines import BASELINES

PAGE = (Path(__file__).parents[4] / "docs" / "candidate-set-runs.md").read_text("utf-8")
SECTION = PAGE.split("## What a score says")[1].split("\n## ")[0]


def test_every_figure_and_division_is_explained(
    sample_of: Callable[..., CandidateSet], answer_of: Callable[..., Grounding]
) -> None:
    sample = sample_of("a")
    answered = Answered.of(sample, answer_of(sample), is_given=False)
    keys = list(amounts_of(answered, {}, Divisions.of([sample], [sample])))
    names = {key.metric for key in keys} | {key.by for key in keys} - {"all"}
    for name in names | set(BASELINES):
        assert f"`{name}`" in SECTION, name


def test_the_example_is_what_is_printed() -> None:
    shown = Path(__file__).with_name("test_table.py").read_text("utf-8")
    (block,) = SECTION.split("```\n")[1:2]
    assert f'TABLE = """\\\n{block}"""' in shown
