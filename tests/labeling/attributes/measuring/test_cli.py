"""label-attributes measure: what it prints and writes, and what it refuses."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.decisions.cells import CELL, Cell
from benchwright.records import Label
from benchwright.rows import to_table

VIEWS = {"low": {"long_side": 60}, "whole": {}}


def label(cell: Cell, answer: Any) -> Label:
    image_id, object_id, kind, value = cell
    return Label(
        image_id=image_id,
        object_id=object_id,
        type=kind,
        value=value,
        answer=answer,
        score=None,
        score_low=None,
        score_high=None,
        margin=None,
        votes_counted=0,
        votes_saved=0,
        origin="catalog",
        auditor=None,
    )


def scripted(shop: Any, **more: Any) -> dict[str, Any]:
    """Return the entry of a voter that knows what is true."""
    rows = [label(cell, answer) for cell, answer in shop.right().items()]
    pq.write_table(to_table(rows, Label), shop.root / "truth.parquet")
    return {"name": "v", "kind": "scripted", "labels": "truth.parquet", **more}


def voted(shop: Any, *, full: float = 1, templates: int = 3, **voter: Any) -> Any:
    entry = scripted(shop, **voter)
    shop.ask(shop.ensemble(entry, views=VIEWS, full=full, templates=templates))
    shop.do("decide", "--catalog", "ignore")
    return shop


def known_of(shop: Any) -> Path:
    path: Path = shop.root / "known.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow([*CELL, "answer"])
        for cell, answer in shop.right().items():
            rows.writerow([*cell, answer])
    return path


def figures_of(shop: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((shop.workspace.labels / "measured.json").read_text("utf-8"))
    return said


def page_of(shop: Any) -> str:
    page: str = (shop.workspace.labels / "measured.html").read_text("utf-8")
    return page


def test_the_figures_are_those_that_can_be_counted(shop: Any) -> None:
    voted(shop, accuracy=0.7, seed=3)
    ran = shop.do("measure", "--known", known_of(shop))
    own = figures_of(shop)["labels"]
    labels, right = shop.labels(), shop.right()
    means = []
    for entry in own["values"]:
        cells = [cell for cell in right if cell[2:] == (entry["type"], entry["value"])]
        rates = []
        for truth, name in (("yes", "sensitivity"), ("no", "specificity")):
            held = [labels[cell].answer for cell in cells if right[cell] == truth]
            assert entry[f"known_{truth}"] == len(held)
            credit = sum({truth: 1.0, "unsure": 0.5}.get(said, 0.0) for said in held)
            rates.append(credit / len(held))
            assert entry[name]["share"] == pytest.approx(rates[-1], abs=1e-6)
        assert entry["balanced_accuracy"]["share"] == pytest.approx(sum(rates) / 2, abs=1e-6)
        # four pictures of each cloth and six with pleats are too few
        assert entry["measurable"] == (entry["value"] in ("bow", "lace"))
        if entry["measurable"]:
            means.append(sum(rates) / 2)
    assert own["balanced_accuracy"]["mean"] == pytest.approx(sum(means) / 2, abs=1e-6)
    covered = [label.answer != "unsure" for label in labels.values()]
    assert own["coverage"] == pytest.approx(sum(covered) / len(covered), abs=1e-6)
    assert own["comparison"]["one_question"] == {"voter": "v", "template": "1", "view": "whole"}
    assert len(own["comparison"]["single_questions"]) == 6
    assert re.search(r"balanced accuracy +\d+\.\d% \(", ran.out)
    assert "Too little known to measure (5):" in ran.out
    assert "template 1, view whole: its most detailed" in ran.out


def test_single_questions_are_counted_one_by_one(shop: Any) -> None:
    voted(shop, accuracy=0.7, seed=3)
    shop.do("measure", "--known", known_of(shop))
    right = shop.right()
    for entry in figures_of(shop)["labels"]["comparison"]["single_questions"]:
        means = []
        for value in ("bow", "lace"):
            for truth in ("yes", "no"):
                said = [
                    vote.answer == truth
                    for vote in shop.votes()
                    if (vote.template, vote.view, vote.value)
                    == (entry["template"], entry["view"], value)
                    and right[vote.image_id, None, vote.type, value] == truth
                ]
                means.append(sum(said) / len(said))
        assert entry["balanced_accuracy"]["mean"] == pytest.approx(sum(means) / 4, abs=1e-6)


def test_a_blind_value_is_named(shop: Any) -> None:
    voted(shop, accuracy=1.0, blind=["lace"])
    ran = shop.do("measure", "--known", known_of(shop))
    assert "Cannot be seen (1 of 2 values measured):" in ran.out
    assert "trim: lace (cannot be told from chance)" in ran.out
    blind = {entry["value"]: entry["blind"] for entry in figures_of(shop)["labels"]["values"]}
    assert blind == {
        **dict.fromkeys(("crimson", "gold", "navy", "teal", "pleats", "bow")),
        "lace": "chance",
    }
    page = page_of(shop)
    assert '<span class="name blind">lace</span>' in page
    assert '<span class="name">bow</span>' in page


def test_values_without_a_label_are_told_from_those_that_are_guessed(shop: Any) -> None:
    # one voter always says the opposite of the other: a tie on all
    entries = [scripted(shop, accuracy=right, name=f"v{right}") for right in (0, 1)]
    shop.ask(shop.ensemble(*entries, views={"whole": {}}, full=1, templates=1))
    shop.do("decide", "--catalog", "ignore")
    ran = shop.do("measure", "--known", known_of(shop))
    assert "trim: bow (the voters abstain)" in ran.out
    own = figures_of(shop)["labels"]
    assert (own["coverage"], own["balanced_accuracy"]["mean"]) == (0, 0.5)
    assert {entry["blind"] for entry in own["values"] if entry["measurable"]} == {"abstains"}
    assert own["agreement"]["labels"] == 0
    # the first of the two is the one that is always wrong
    assert own["comparison"]["gain_over_one_question"]["mean"] == 0.5


def test_stopped_questions_are_left_out_and_counted(shop: Any) -> None:
    voted(shop, full=0.5, accuracy=0.9)
    ran = shop.do("measure", "--known", known_of(shop))
    own = figures_of(shop)["labels"]
    assert 0 < own["pairs_stopped_early"] < own["pairs"] == 112
    assert f"{own['pairs_stopped_early']} known values are left out of what follows" in ran.out


def test_without_pictures_in_full_there_is_no_comparison(shop: Any) -> None:
    voted(shop, full=0, accuracy=0.95)
    ran = shop.do("measure", "--known", known_of(shop))
    assert "no value can be compared with a single question" in ran.out
    assert figures_of(shop)["labels"]["comparison"] is None
    assert "No value can be compared" in page_of(shop)


def test_two_workspaces_side_by_side(shop: Any, shop_at: Callable[[Path], Any]) -> None:
    voted(shop, accuracy=0.95)
    other = voted(shop_at(shop.root.parent / "degraded"), accuracy=0.6, seed=5)
    ran = shop.do("measure", "--known", known_of(shop), "--beside", other.root)
    head, *rest = ran.out.splitlines()
    assert head.split() == ["shop", "degraded"]
    gains = next(line for line in rest if "gain over one question" in line)
    assert gains.count("points") == 2
    found = figures_of(shop)
    assert (
        found["beside"]["balanced_accuracy"]["mean"] < found["labels"]["balanced_accuracy"]["mean"]
    )
    page = page_of(shop)
    assert page.count('<g class="run1">') == page.count('<g class="run0">') == 2
    assert not (other.workspace.labels / "measured.json").exists()


def test_the_catalog_of_each_is_what_is_known(shop: Any, shop_at: Callable[[Path], Any]) -> None:
    def complete(one: Any) -> Any:
        path = one.workspace.vocabulary
        path.write_text(path.read_text("utf-8").replace("trim:", "trim:\n    complete: true"))
        return one

    voted(complete(shop), accuracy=1.0)
    other = voted(complete(shop_at(shop.root.parent / "degraded")), accuracy=1.0)
    shop.do("measure", "--known", "catalog", "--beside", other.root)
    found = figures_of(shop)
    for each in (found["labels"], found["beside"]):
        assert (each["known"], each["pairs"]) == ("catalog", 112)
        assert each["balanced_accuracy"]["mean"] == 1


def test_the_same_again_gives_the_same_bytes_anywhere(
    shop: Any, shop_at: Callable[[Path], Any]
) -> None:
    other = shop_at(shop.root.parent / "elsewhere")
    for each in (shop, other):
        voted(each, accuracy=0.8)
        each.do("measure", "--known", known_of(each))
    for name in ("measured.json", "measured.html"):
        first, second = ((each.workspace.labels / name).read_bytes() for each in (shop, other))
        assert first == second
        assert str(shop.root.parent).encode() not in first


def test_the_page_needs_nothing_else(shop: Any) -> None:
    voted(shop, accuracy=0.6)
    shop.do("measure", "--known", known_of(shop))
    page = page_of(shop)
    assert "default-src 'none'" in page
    assert not re.findall(r"(?:src|href)=[\"'](?!data:)", page)
    assert page.count("data:image/jpeg;base64,") <= 36
    assert "labelled yes, is no" in page


def test_hostile_names_are_text(shop: Any) -> None:
    path = shop.workspace.vocabulary
    hostile = "<script>alert(1)</script>{{7*7}}"
    path.write_text(path.read_text("utf-8").replace("bow:", f"'{hostile}':"), "utf-8")
    voted(shop, accuracy=0.9)
    shop.do("measure", "--known", known_of(shop))
    page = page_of(shop)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;{{7*7}}" in page


def test_what_is_refused(shop: Any, shop_at: Callable[[Path], Any]) -> None:
    known = known_of(shop)
    assert "run label-attributes ask" in shop.do("measure", "--known", known, code=1).err
    shop.ask(shop.ensemble(scripted(shop), full=1, templates=1))
    assert "run label-attributes decide first" in shop.do("measure", "--known", known, code=1).err
    shop.do("decide")
    # other votes than those that the labels were decided from
    shop.ask(shop.ensemble(scripted(shop, accuracy=0.5), full=1, templates=1))
    stale = shop.do("measure", "--known", known, code=1).err
    assert "were not decided from the votes that stand there" in stale
    shop.do("decide")
    known.write_text("image_id,type,value,answer\n0000000000000000,trim,bow,yes\n", "utf-8")
    unmatched = shop.do("measure", "--known", known, code=1).err
    assert "1 of 1 rows match no picture" in unmatched
    # the catalog says yes of trims alone
    few = shop.do("measure", "--known", "catalog", code=1).err
    assert "no attribute value has 8 known yes and 8 known no" in few
    rows = known_of(shop).read_text("utf-8").splitlines()
    for kept, lacking in (("yes", "no"), ("no", "yes")):
        known.write_text(
            "\n".join([rows[0], *(row for row in rows if row.endswith(kept))]), "utf-8"
        )
        one_sided = shop.do("measure", "--known", known, code=1).err
        assert f"every one a {kept}: labels are measured by known yes and known no" in one_sided
        assert one_sided.endswith(
            f"add what is known to be {lacking} (answer {lacking}), or measure by --known catalog\n"
        )
    other = shop_at(shop.root.parent / "other")
    path = other.workspace.vocabulary
    path.write_text(path.read_text("utf-8").replace("bow:", "ribbon:"), "utf-8")
    voted(other, templates=1)
    unlike = shop.do("measure", "--known", known_of(shop), "--beside", other.root, code=1).err
    assert "trim: bow is in one of the two alone" in unlike
    assert all(len(said.splitlines()) == 1 for said in (stale, unmatched, few, one_sided, unlike))
    assert not (shop.workspace.labels / "measured.json").exists()


def test_objects_are_measured_and_their_pictures_are_the_clusters(scenes: Any) -> None:
    entry = scripted(scenes, accuracy=0.8, seed=2)
    ensemble = scenes.ensemble(entry, views={"whole": {}}, full=1, templates=3)
    scenes.ask(ensemble, "--subjects", "objects")
    scenes.do("decide", "--catalog", "ignore")
    scenes.do("measure", "--known", known_of(scenes))
    own, labels, right = figures_of(scenes)["labels"], scenes.labels(), scenes.right()
    assert (own["pictures"], own["pairs"]) == (8, len(right)) == (8, 16 * 7)
    said = [labels[cell].answer != "unsure" for cell in right]
    assert own["coverage"] == pytest.approx(sum(said) / len(said), abs=1e-6)
    assert any(entry["measurable"] for entry in own["values"])
