"""Near-duplicates in a gallery, across splits, in another set, and where nobody looked."""

import csv
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageDraw

from benchwright.errors import WorkspaceError
from benchwright.records import Episode
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.gating.check import Check
from exports.gating.duplicates import duplicates
from exports.gating.licences import licences


def picture(number: int) -> Image.Image:
    """Return a picture with a pattern of its own."""
    made = Image.new("RGB", (96, 96), "white")
    draw = ImageDraw.Draw(made)
    for at in range(9):
        if (number * 37 + 11) >> at & 1:
            x, y = 32 * (at % 3), 32 * (at // 3)
            draw.rectangle((x, y, x + 25, y + 25), fill=(20 * at, 90, 200 - 20 * at))
    return made


@pytest.fixture
def catalog(tmp_path: Path, run: Callable[..., Any]) -> Workspace:
    """Eight pictures, of which p7 in the split train has the look of p0 in the split test."""
    rows = [("id", "image", "split", "licence", "kind")]
    for number in range(8):
        shown = picture(0 if number == 7 else number)
        shown.putpixel((95, 95), (number, 0, 0))
        shown.save(tmp_path / f"p{number}.png")
        split, licence = ("train" if number > 5 else "test"), "" if number == 3 else "CC0"
        rows.append((f"p{number}", f"p{number}.png", split, licence, f"k{number % 2}"))
    with (tmp_path / "things.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
    named = [part for name in ("id", "image", "split", "licence") for part in (f"--{name}", name)]
    ran = run(
        *("build-catalog", "table", tmp_path / "things.csv", *named, "--attributes", "kind"),
        *("--workers", "1", "--workspace", tmp_path / "w"),
    )
    assert ran.code == 0, ran.err
    return Workspace(tmp_path / "w")


def named(workspace: Workspace) -> dict[str, str]:
    """Return the ids of pictures by the ids of their source."""
    return {item.source_id: item.image_id for item in iterate_items(workspace)}


def gallery(make: SimpleNamespace, ids: dict[str, str], *names: str) -> Episode:
    one = make.episode(1, range(len(names)))
    return Episode(
        **{
            **{name: getattr(one, name) for name in one.__slots__},
            "image_ids": tuple(ids[name] for name in names),
            "target_id": ids[names[0]],
        }
    )


def checks(workspace: Workspace, *episodes: Episode) -> dict[str, Check]:
    found = duplicates(workspace, {"tau": episodes}, list(named(workspace).values()))
    return {check.name: check for check in found}


def test_where_nobody_looked_it_fails_and_says_what_to_run(catalog: Workspace) -> None:
    found = checks(catalog)
    assert list(found) == ["duplicates"]
    assert found["duplicates"].outcome == "fails"
    assert "build-catalog dedup" in found["duplicates"].advice


def test_twins_are_found(catalog: Workspace, run: Any, make: SimpleNamespace) -> None:
    assert run("build-catalog", "dedup", "--workspace", catalog.root).code == 0
    ids = named(catalog)
    sound = gallery(make, ids, "p0", "p1", "p2")
    assert checks(catalog, sound)["duplicates"].passed
    twins = checks(catalog, gallery(make, ids, "p1", "p0", "p7"))
    assert twins["duplicates"].rows == ("e0001",)
    splits = twins["splits"]
    assert not splits.passed
    assert splits.rows == tuple(sorted((ids["p0"], ids["p7"])))
    assert twins["leaks"].outcome == "information"
    assert twins["leaks"].note.startswith("not compared with any other set")


def test_pictures_of_another_set_are_found(catalog: Workspace, run: Any, tmp_path: Path) -> None:
    other = tmp_path / "train"
    other.mkdir()
    picture(2).save(other / "seen.png")
    for more in ((), ("--against", other)):
        ran = run("build-catalog", "dedup", *more, "--workspace", catalog.root)
        assert ran.code == 0, ran.err
    found = checks(catalog)["leaks"]
    assert found.rows == (named(catalog)["p2"],)
    assert found.of.startswith("train-")


def test_a_comparison_of_another_catalog_does_not_vanish(
    catalog: Workspace, run: Any, tmp_path: Path
) -> None:
    other = tmp_path / "train"
    other.mkdir()
    picture(2).save(other / "seen.png")
    assert run("build-catalog", "dedup", "--workspace", catalog.root).code == 0
    ran = run("build-catalog", "dedup", "--against", other, "--workspace", catalog.root)
    assert ran.code == 0, ran.err
    (manifest,) = catalog.catalog.glob("**/train-*/manifest.json")
    text = manifest.read_text("utf-8")
    at = text.index('"catalog": "') + len('"catalog": "')
    manifest.write_text(f"{text[:at]}{'0' * 64}{text[at + 64 :]}", "utf-8")
    found = checks(catalog)["leaks"]
    assert (found.figure, found.outcome) == (None, "information")
    assert found.note.startswith(f"not compared with {manifest.parent.name} as the catalog is now")


def test_groups_of_another_catalog_are_refused(catalog: Workspace, run: Any) -> None:
    assert run("build-catalog", "dedup", "--workspace", catalog.root).code == 0
    path = catalog.catalog / "duplicates" / "manifest.json"
    text = path.read_text("utf-8")
    at = text.index('"catalog": "') + len('"catalog": "')
    path.write_text(f"{text[:at]}{'0' * 64}{text[at + 64 :]}", "utf-8")
    with pytest.raises(WorkspaceError, match="another catalog"):
        checks(catalog)


def test_a_picture_without_a_licence_is_found(catalog: Workspace) -> None:
    items = list(iterate_items(catalog))
    found = licences(items)
    assert found.rows == (named(catalog)["p3"],)
    assert not found.passed
    assert licences([item for item in items if item.licence]).passed
