"""Cuts fitted to known labels: right where margins tell, and abstaining where they do not."""

from pathlib import Path

import numpy as np
import pytest

from benchwright.errors import UsageError
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.voting.clip_thresholds import (
    Cut,
    Margins,
    calibrate_clip,
    load_thresholds,
    save_thresholds,
)

PLACE = ("colour", "red", "1", "low")


def known(truth: np.ndarray, weights: np.ndarray | None = None) -> Known:
    return Known(
        truth=truth.astype(np.int8),
        counts=np.ones(len(truth), bool),
        weights=np.ones(len(truth)) if weights is None else weights,
    )


def margins(rows: np.ndarray) -> Margins:
    return Margins(
        values=(("colour", "red"),),
        columns=np.zeros(rows.shape[-1], np.int32),
        questions=tuple((str(at + 1), "low") for at in range(len(np.atleast_2d(rows)))),
        margins=np.atleast_2d(rows).astype(float),
    )


def fitted(row: np.ndarray, truth: np.ndarray, weights: np.ndarray | None = None) -> Cut:
    return calibrate_clip(margins(row), known(truth, weights))[PLACE]


def sample(yes: int, no: int, apart: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Margins of two normal clouds whose means lie so many deviations apart, around 0.03."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([1, -1], [yes, no])
    return 0.03 + 0.01 * (rng.normal(size=yes + no) + truth * apart / 2), truth


def test_the_cut_lies_between_yes_and_no_however_rare_yes_is() -> None:
    for yes, no in ((200, 200), (20, 400), (400, 20)):
        cut = fitted(*sample(yes, no, apart=4))
        assert cut.cut == pytest.approx(0.03, abs=0.004), (yes, no)
        assert not cut.is_chance
        assert cut.balanced.share > 0.93
    # the chance of yes goes by how common yes is
    rare = fitted(*sample(20, 400, apart=4))
    assert rare.cut is not None
    assert rare.p_yes(rare.cut) == pytest.approx(20 / 420, abs=1e-4)
    assert rare.p_yes(rare.cut + 1) == 1
    assert rare.p_yes(rare.cut - 1) == 0


def test_the_curve_is_calibrated() -> None:
    row, truth = sample(3000, 3000, apart=2)
    cut = fitted(row, truth)
    said = np.array([cut.p_yes(margin) for margin in row], float)
    for low in (0.1, 0.3, 0.5, 0.7):
        inside = (said >= low) & (said < low + 0.2)
        assert (truth[inside] == 1).mean() == pytest.approx(said[inside].mean(), abs=0.04)


def test_margins_that_separate_give_finite_numbers() -> None:
    row = np.repeat([0.05, 0.01], 20)
    cut = fitted(row, np.repeat([1, -1], 20))
    assert cut.cut == pytest.approx(0.03)
    assert np.isfinite(cut.slope)
    assert (cut.balanced.share, cut.is_chance) == (1.0, False)
    assert cut.balanced.low > 0.7


@pytest.mark.parametrize(
    ("row", "truth"),
    [
        # noise
        (sample(100, 100, apart=0)[0], np.repeat([1, -1], 100)),
        # turned round: it knows, but says the opposite
        (-sample(100, 100, apart=4)[0], np.repeat([1, -1], 100)),
        # all margins equal
        (np.full(200, 0.02), np.repeat([1, -1], 100)),
        # too few of one answer, though they are told apart
        (np.array([0.9] * 7 + [0.1] * 100), np.array([1] * 7 + [-1] * 100)),
        (np.array([0.9] * 30), np.array([1] * 30)),
    ],
)
def test_what_cannot_be_told_from_chance_abstains(row: np.ndarray, truth: np.ndarray) -> None:
    found = fitted(row, truth)
    assert found.is_chance
    assert found.cut is None or 0.45 < found.balanced.share < 0.6


def test_of_values_at_chance_one_in_a_hundred_passes_at_most() -> None:
    passed = [
        not fitted(*sample(yes, no, apart=0, seed=seed)).is_chance
        for yes, no in ((30, 30), (10, 90), (150, 150))
        for seed in range(300)
    ]
    assert np.mean(passed) <= 0.01
    told = [not fitted(*sample(60, 60, apart=2, seed=seed)).is_chance for seed in range(50)]
    assert np.mean(told) > 0.98  # and those that can be told are


def test_weights_count_and_shrink_the_size() -> None:
    row, truth = sample(100, 100, apart=2)
    same = fitted(row, truth, np.full(200, 5.0))
    plain = fitted(row, truth)
    assert same.cut == plain.cut
    assert same.sensitivity.size == pytest.approx(plain.sensitivity.size)
    uneven = fitted(row, truth, np.where(np.arange(200) % 4 == 0, 50.0, 1.0))
    assert uneven.sensitivity.size < 40
    assert uneven.balanced.high - uneven.balanced.low > plain.balanced.high - plain.balanced.low


def test_each_question_and_value_has_its_own() -> None:
    row, truth = sample(50, 50, apart=4)
    both = Margins(
        values=(("colour", "blue"), ("colour", "red"), ("colour", "unseen")),
        columns=np.repeat([0, 1], 100).astype(np.int32),
        questions=(("1", "low"), ("2", "low")),
        margins=np.array([[*row, *(row + 1)], [*row, *np.full(100, np.nan)]]),
    )
    found = calibrate_clip(both, known(np.concatenate([truth, truth])))
    assert set(found) == {
        ("colour", "blue", "1", "low"),
        ("colour", "blue", "2", "low"),
        ("colour", "red", "1", "low"),  # NaN was not measured
    }
    blue, red = found["colour", "blue", "1", "low"], found["colour", "red", "1", "low"]
    assert blue.cut is not None
    assert red.cut == pytest.approx(blue.cut + 1, abs=1e-5)


def test_cells_that_do_not_count_are_left_out() -> None:
    row, truth = sample(50, 50, apart=4)
    some = Known(
        truth=np.concatenate([truth, -truth, np.zeros(5)]).astype(np.int8),
        counts=np.repeat([True, False, True], [100, 100, 5]),
        weights=np.ones(205),
    )
    rows = np.concatenate([row, row, np.full(5, 99.0)])
    assert calibrate_clip(margins(rows), some)[PLACE] == fitted(row, truth)


def test_a_file_brings_the_same_votes_again(tmp_path: Path) -> None:
    path = tmp_path / "clip-x.json"
    row, truth = sample(50, 50, apart=2)
    found = calibrate_clip(margins(np.stack([row, np.full(100, 0.5)])), known(truth))
    save_thresholds(path, found, "basis")
    again = load_thresholds(path, "basis")
    assert again.keys() == found.keys()
    for place, cut in found.items():
        assert again[place].cut == cut.cut
        assert again[place].is_chance == cut.is_chance
        for margin in (-0.1, 0.02, 0.03, 0.2):
            assert again[place].p_yes(margin) == cut.p_yes(margin)
    first = path.read_bytes()
    save_thresholds(path, dict(reversed(again.items())), "basis")
    assert path.read_bytes() == first
    with pytest.raises(UsageError, match="another model, other captions or other views"):
        load_thresholds(path, "another basis")


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"version": 2, "basis": "b", "cuts": []}', '{"version": 1, "cuts": [7]}'],
)
def test_a_file_that_is_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "clip-x.json"
    path.write_text(content, "utf-8")
    with pytest.raises(
        UsageError, match=r"; label-attributes calibrate --clip makes .* anew; else"
    ):
        load_thresholds(path, "b")
