"""What is played with: episodes that are drawn, what a picture is called, what it hangs on."""

from pathlib import Path
from typing import Any

import datasets
import pytest

from evaluation.hidden_target.running.material import Material, material_of
from evaluation.releases.release import Release, open_release


def made(release: Release, **changed: Any) -> Material:
    given = {"batch_size": 5, "turns": 20, "noun": None, "episodes": None, "seed": 0, **changed}
    return material_of(release, "hidden-target-tau-0.6", **given)


@pytest.fixture(scope="module")
def dresses(dresses_folder: Path) -> Release:
    return open_release(str(dresses_folder))


def with_column(
    monkeypatch: pytest.MonkeyPatch, name: str, change: Any, rows: Any = Release.rows
) -> None:
    """Have the pictures of every release hold something else in a column."""

    def changed(release: Release, config: str) -> Any:
        found: datasets.Dataset = rows(release, config)
        if config != "images":
            return found
        values = [change(value) for value in found[name]]
        return found.remove_columns(name).add_column(name, values)

    monkeypatch.setattr(Release, "rows", changed)


@pytest.mark.parametrize(
    ("category", "noun", "expected"),
    [
        ("dress", None, "dress"),
        ("evening\n dress\x1b", None, "evening dress"),  # on one line of a prompt
        ("dress", "robe", "robe"),
        ("dress", " \n", "dress"),
        ("", None, "picture"),
        (None, None, "picture"),
        ("d" * 41, None, "picture"),  # no noun is as long
    ],
)
def test_what_a_picture_is_called(
    dresses: Release,
    monkeypatch: pytest.MonkeyPatch,
    category: str | None,
    noun: str | None,
    expected: str,
) -> None:
    with_column(monkeypatch, "category", lambda _: category)
    assert made(dresses, noun=noun).rules.noun == expected


def test_pictures_of_several_categories_are_pictures(
    dresses: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = iter(["dress", "robe"] * 100)
    with_column(monkeypatch, "category", lambda _: next(kinds))
    assert made(dresses).rules.noun == "picture"


def test_what_is_shown_counts_only_where_somebody_sees(
    dresses: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    material = made(dresses)
    seen, unseen = material.inputs(is_shown=True), material.inputs(is_shown=False)
    assert seen == unseen | {"pictures": seen["pictures"]}
    with_column(monkeypatch, "sha256", lambda value: value[::-1])
    changed = material.inputs(is_shown=True)
    assert changed["release"] == seen["release"]
    assert changed["pictures"] != seen["pictures"]


def test_only_pictures_of_the_episodes_are_written(dresses: Release, tmp_path: Path) -> None:
    material = made(dresses, episodes=2)
    games = material.games(tmp_path)
    written = {path.name for path in tmp_path.glob("??/*")}
    shown = {
        game.shown(number).part.sha256
        for game in games
        for number in range(1, len(game.gallery) + 1)
    }
    assert written == shown
    assert [dict(game.pictures) for game in material.games(None)] == [{}, {}]
