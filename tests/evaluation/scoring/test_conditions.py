"""What is said of two runs that were not played alike."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import UsageError
from evaluation.scoring.conditions import condition_lines, other_conditions
from evaluation.scoring.scored import check_same

KEEN = {"keen": {"prompt": "a" * 64, "voter": {"name": "keen"}}}
QUIET: dict[str, float] = {"flip": 0.0, "flips": 0}


def scored(value: object = None, seed: int = 0, **more: Any) -> Any:
    """Return a run that was played with a setting ``x``, which users call --x."""
    found: dict[str, Any] = {
        "scoring": SimpleNamespace(conditions={"x": "--x", "seed": "--seed"}, noun="dialogue"),
        "tally": SimpleNamespace(identity=SimpleNamespace(settings={"x": value}, seed=seed)),
    }
    return SimpleNamespace(**{**found, **more})


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (True, False, "--x yes / no"),
        (None, 6, "--x - / 6"),
        ("pixels", "thousandths", "--x pixels / thousandths"),
        (["planning", "final"], ["final"], "--x planning, final / final"),
        # a model goes by its name
        ({"name": "gpt", "url": "a"}, "labels", "--x gpt / labels"),
        ({"name": "gpt", "url": "a"}, {"name": "gpt"}, "--x gpt, set or asked otherwise"),
        # so do several
        ({**KEEN, "careless": {}}, KEEN, "--x keen, careless / keen"),
        (KEEN, {"keen": {"prompt": "b" * 64}}, "--x keen, set or asked otherwise"),
        # of what has parts those that differ
        (QUIET, {**QUIET, "flips": 1}, "--x flips 0 / flips 1"),
        (QUIET, {**QUIET, "batch_size": 5}, "--x - / batch size 5"),
        ("a" * 64, "b" * 64, "--x aaaaaaaa / bbbbbbbb"),
        ("a\x1b[2Jb", "c", "--x a [2Jb / c"),  # whatever a file says
    ],
)
def test_both_settings_are_said(one: object, other: object, said: str) -> None:
    lines = list(condition_lines(scored(one), scored(other)))
    assert lines == ["they were not played alike, which may be why they differ:", f"  {said}"]


def test_nothing_is_said_of_runs_that_were_played_alike() -> None:
    assert not list(condition_lines(scored(KEEN), scored(KEEN)))
    elsewhere = SimpleNamespace(identity=SimpleNamespace(settings=None, seed=None))
    assert not list(condition_lines(scored(KEEN), scored(tally=elsewhere)))


def test_names_stay_names_in_files_and_long_lines_are_wrapped() -> None:
    first, second = scored([f"voter-{at}" for at in range(20)]), scored(["voter"], seed=1)
    assert other_conditions(first, second) == ["x", "seed"]
    lines = list(condition_lines(first, second))
    assert lines[-1] == "  --seed 0 / 1"
    assert lines[2].startswith("    voter-")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("config", "digest", "said"),
    [
        ("question-chain", "d", "a and b: one is of false-premise, the other of question-chain; r"),
        ("false-premise", "e", "a and b: were not played on the same dialogues and labels; runs"),
    ],
)
def test_runs_of_other_things_are_not_compared(config: str, digest: str, said: str) -> None:
    first = scored(title="a", on=SimpleNamespace(config="false-premise", digest="d"))
    second = scored(title="b", on=SimpleNamespace(config=config, digest=digest))
    with pytest.raises(UsageError) as told:
        check_same(first, second)
    assert str(told.value).startswith(said)
    check_same(first, first)
