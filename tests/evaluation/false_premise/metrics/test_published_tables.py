"""The figures of FPCO-Dialog (tables 4 to 7, appendices D, F and H), by our own reckoning.

``tests/data/fpco_dialog/tables.tsv`` holds tables 5 to 7 as they are printed. Each class has 360
dialogues, so that a printed share of one turn says how many responses were labelled corrections.
"""

import csv
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from evaluation.false_premise.metrics.amounts import (
    CHANGE,
    CORR_FP,
    CORR_TP,
    TURN_CORR,
    amounts_of,
    at,
    derived_of,
    key_of,
)
from evaluation.false_premise.metrics.corrections import CLASSES, Corrections
from evaluation.false_premise.metrics.ordering import orders_by_turn
from evaluation.false_premise.metrics.raters import agreement_of_detectors
from evaluation.false_premise.metrics.several_runs import (
    fallen,
    leave_one_judge_out,
    mean_over,
)
from evaluation.scoring.figures import Key, figures
from stand_ins.corrections import corrections, counted, dialogue

pytestmark = pytest.mark.heavy  # twenty runs of 1,080 dialogues

TABLES = Path(__file__).parents[3] / "data" / "fpco_dialog" / "tables.tsv"
GPT, GEMINI = "GPT-5.4", "Gemini-3.1-Pro-Preview"
OF_CLASS = 360
COLUMNS = list(product(("all", *CLASSES), (GPT, GEMINI, None)))

Printed = Mapping[tuple[str, str, int], Mapping[str, float]]  # by table, model and turn
Values = Mapping[str, Mapping[Key, float | None]]  # by model


@pytest.fixture(scope="module")
def printed() -> Printed:
    with TABLES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return {
        (row.pop("table"), row.pop("model"), int(row.pop("turn"))): {
            name: float(value) for name, value in row.items()
        }
        for row in rows
    }


@pytest.fixture(scope="module")
def runs(printed: Printed) -> dict[str, Corrections]:
    """A run of each model that has the printed shares."""
    dialogues = [
        dialogue(number, name)
        for number, name in enumerate(name for name in CLASSES for _ in range(OF_CLASS))
    ]
    found = {}
    for model in dict.fromkeys(model for _, model, _ in printed):
        parts = [
            counted(dialogues[:OF_CLASS], _counts(printed, model, name), (GPT, GEMINI)).codes
            for name in CLASSES
        ]
        found[model] = Corrections(
            dialogues=tuple(dialogues), detectors=(GPT, GEMINI), codes=np.concatenate(parts)
        )
    return found


def _counts(
    printed: Printed, model: str, name: str
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return how many responses are corrections, (turns, detectors)."""
    columns = [f"{name} {detector}" for detector in (GPT, GEMINI)]
    cumulated = [
        [round(printed["CorrFP", model, turn][column] * OF_CLASS * turn) for column in columns]
        for turn in (1, 2, 3)
    ]
    false = [
        [round(printed["TurnCorr", model, turn][column] * OF_CLASS) for column in columns]
        for turn in range(4, 11)
    ]
    return np.concatenate([np.diff(cumulated, axis=0, prepend=0), false]).astype(np.int64)


@pytest.fixture(scope="module")
def values(runs: Mapping[str, Corrections]) -> Values:
    return {model: dict(_values(run)) for model, run in runs.items()}


def _values(run: Corrections) -> Iterator[tuple[Key, float | None]]:
    pictures = [one.image_id for one in run.dialogues]
    for figure in figures(amounts_of(run), pictures, 0, derived_of(run)):
        yield figure.key, figure.value


def of(found: Mapping[Key, float | None], *wanted: str | None) -> float:
    """The value of a metric, of a class or all, of a detector or the mean."""
    metric, name, detector = wanted
    key = key_of(metric or "", "all" if name == "all" else "premise_class", name or "", detector)
    value = found[key]
    assert value is not None
    return value


def test_twenty_models_and_twelve_columns(printed: Printed, values: Values) -> None:
    assert len(values) == 20
    assert len(COLUMNS) == 12
    for (table, model, turn), row in printed.items():
        for name, detector in COLUMNS:
            found = of(values[model], at(table, turn), name, detector)
            shown = row[f"{name} {detector or 'mean'}"]
            assert found == pytest.approx(shown, abs=0.0015), (table, model, turn, name, detector)


def test_the_whole_is_the_mean_of_the_seven_turns(printed: Printed, values: Values) -> None:
    for model, (name, detector) in product(values, COLUMNS):
        turns = [of(values[model], at(TURN_CORR, turn), name, detector) for turn in range(4, 11)]
        whole = of(values[model], at(CORR_TP, 10), name, detector)
        assert whole == pytest.approx(mean(turns), abs=1e-12)
        shown = printed["CorrTP", model, 10][f"{name} {detector or 'mean'}"]
        assert shown == pytest.approx(mean(turns), abs=0.0015)


def test_ten_models_fall(values: Values) -> None:
    found = {model: of(each, CHANGE, "all", None) for model, each in values.items()}
    assert len(fallen(found, 0.05)) == 10
    assert fallen(found)[0] == "Qwen2.5-VL-3B-Instruct"
    assert -min(found.values()) == pytest.approx(0.1593, abs=5e-5)


def test_true_premises_are_hardly_ever_corrected(values: Values) -> None:
    found = [
        mean_over(of(each, at(CORR_FP, turn), "all", None) for each in values.values())
        for turn in (1, 2, 3)
    ]
    assert found == pytest.approx([0.0126, 0.0110, 0.0101], abs=6e-5)


def test_means_of_the_classes(values: Values) -> None:
    found = [
        mean_over(of(each, at(CORR_TP, 10), name, None) for each in values.values())
        for name in CLASSES
    ]
    assert found == pytest.approx([0.56, 0.41, 0.15], abs=0.005)


def test_no_model_gains_by_judging_itself(values: Values) -> None:
    scores = {
        model: {name: of(found, at(CORR_TP, 10), "all", name) for name in (GPT, GEMINI)}
        for model, found in values.items()
    }
    found = leave_one_judge_out(scores, {"GPT-5.4": {GPT}, "Gemini 3.1 Pro Preview": {GEMINI}})
    said = {
        each.model: (
            *(round(each.score, 4), each.rank),
            *(round(each.score_by_others, 4), each.rank_by_others),
        )
        for each in found.judges
    }
    assert said == {
        "GPT-5.4": (0.2939, 12, 0.2886, 12),
        "Gemini 3.1 Pro Preview": (0.5880, 7, 0.5906, 7),
    }
    assert found.is_order_kept


def test_the_order_of_the_classes_at_each_turn(runs: Mapping[str, Corrections]) -> None:
    """By the mean over the models: each detector of each of them stands as one of a single run."""
    all_models = Corrections(
        dialogues=next(iter(runs.values())).dialogues,
        detectors=tuple(f"{model}/{name}" for model, run in runs.items() for name in run.detectors),
        codes=np.concatenate([run.codes for run in runs.values()], axis=2),
    )
    assert orders_by_turn(all_models) == dict.fromkeys(range(4, 11), CLASSES)


@pytest.mark.parametrize(
    ("four", "kappa"),
    [
        # table 4, in thousandths: both, neither, GPT only, Gemini only
        ((361, 612, 18, 9), 0.942),
        ((557, 428, 6, 9), 0.971),
        ((404, 577, 12, 7), 0.960),
        ((122, 830, 37, 11), 0.809),
    ],
)
def test_detectors_agree_as_printed(four: tuple[int, ...], kappa: float) -> None:
    """What rounding leaves open stands in test_published_kappa.py of the agreement."""
    says = [(1, 1), (0, 0), (1, 0), (0, 1)]
    pairs = [said for said, count in zip(says, four, strict=True) for _ in range(count)]
    one = dialogue()  # of its turns the fourth alone is counted
    asked = [
        dialogue(number, turns=tuple(t for t in one.turns if t.index <= 4))
        for number in range(len(pairs))
    ]
    told = {each.dialogue_id: pair for each, pair in zip(asked, pairs, strict=True)}
    found = agreement_of_detectors(
        corrections(
            asked,
            lambda each, _, name: "yes" if told[each.dialogue_id][name == GEMINI] else "no",
            (GPT, GEMINI),
        ),
        seed=0,
    )
    both, neither, first, second = four
    whole = found[0]
    assert whole.kappa.value == pytest.approx(kappa, abs=0.002)
    assert whole.exact.value == pytest.approx((both + neither) / whole.judged)
    assert (whole.counts.first_only, whole.counts.second_only) == (first, second)
    assert whole.shares == pytest.approx(
        ((both + first) / whole.judged, (both + second) / whole.judged)
    )
