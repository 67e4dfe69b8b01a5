"""docs/scoring.md names every figure, every key of a row made elsewhere, and its row is read."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import ScoreRow
from evaluation.hidden_target.metrics.amounts import BANDS, REASONS, amounts_of
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.scoring.foreign_rows import ForeignRow
from evaluation.hidden_target.scoring.foreign_runs import read_foreign_run
from evaluation.kinds import KINDS
from evaluation.running.kind import Kind
from stand_ins.trajectories import played

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "scoring.md").read_text("utf-8")


def test_every_figure_and_division_is_explained(material: Material) -> None:
    gallery = material.galleries[0]
    episode = replayed(gallery, played(gallery), is_by_labels=True)
    keys = list(amounts_of(episode))
    for name in {key.metric for key in keys} | {key.by for key in keys}:
        assert f"`{name}`" in PAGE, name
    assert ", ".join(BANDS) in PAGE


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_page_that_a_kind_names_says_what_figures_mean(kind: Kind) -> None:
    page = (ROOT / kind.scoring().page).read_text("utf-8")
    assert "| metric |" in page


def test_every_reason_of_a_skip_is_named() -> None:
    for reason in REASONS:
        assert re.search(rf"\b{reason}\b", PAGE), reason


def test_every_column_of_a_score_is_named() -> None:
    for field in fields(ScoreRow):
        assert f"`{field.name}`" in PAGE, field.name


def test_every_key_of_a_row_is_named() -> None:
    for name in set(ForeignRow.model_fields) - {"guess_text", "guessed_by"}:
        assert f"`{name}`" in PAGE, name


def test_the_row_of_the_page_is_read(
    write: Callable[[Iterable[Any]], Path], material: Material
) -> None:
    (block,) = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    row = {**json.loads(block), "episode_id": material.galleries[0].episode_id}
    found = read_foreign_run(write([row]), material)
    (one,) = found.trajectories
    assert one.guess == 7
    assert [turn.told for turn in one.turns] == ["no", "skip"]
    assert [asked.value for asked in one.turns[0].asked] == ["straight hem"]
