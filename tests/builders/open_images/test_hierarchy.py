"""The hierarchy is a graph: real numbers, several parents, hostile files."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import SourceError
from builders.open_images.hierarchy import Hierarchy, load_hierarchy, merge

NAMES = Path(__file__).parents[2] / "data" / "open_images" / "names"


@pytest.fixture(scope="module")
def real() -> tuple[Hierarchy, dict[str, str], dict[str, str]]:
    hierarchy = load_hierarchy(NAMES / "bbox_labels_600_hierarchy.json")
    assert hierarchy is not None
    with (NAMES / "class-descriptions-boxable.csv").open(newline="") as stream:
        names = dict(csv.reader(stream))
    return hierarchy, names, {name: code for code, name in names.items()}


def test_real_counts(real: tuple[Hierarchy, dict[str, str], dict[str, str]]) -> None:
    hierarchy, names, _ = real
    assert len(hierarchy.nodes) == 602
    assert hierarchy.nodes - names.keys() == {"/m/0bl9f"}  # the root, "Entity"
    assert names.keys() <= hierarchy.nodes
    assert sum(len(above) > 1 for above in hierarchy.parents.values()) == 45
    assert len(hierarchy.descendants("/m/0bl9f")) == 601


@pytest.mark.parametrize(
    ("name", "above", "not_above"),
    [
        ("Swan", {"Bird", "Animal"}, {"Duck"}),
        ("Oyster", {"Invertebrate", "Animal", "Shellfish", "Seafood", "Food"}, set()),  # both ways
        ("Helmet", {"Clothing", "Sports equipment"}, set()),
        ("Cookie", {"Snack", "Dessert", "Baked goods", "Food"}, set()),  # three parents
        ("Human eye", set(), {"Human body", "Person"}),  # a part is no kind of its whole
    ],
)
def test_real_kinds(
    real: tuple[Hierarchy, dict[str, str], dict[str, str]],
    name: str,
    above: set[str],
    not_above: set[str],
) -> None:
    hierarchy, names, codes = real
    nodes = sorted(hierarchy.nodes)
    kinds = [code for code in nodes if codes[name] in hierarchy.descendants(code)]
    found = {names.get(code, code) for code in kinds}
    assert above <= found
    assert not found & (not_above | {name})


def test_unknown_class_and_cycle(tmp_path: Path) -> None:
    path = tmp_path / "h.json"
    cycle: dict[str, Any] = {"LabelName": "a", "Subcategory": [{"LabelName": "b"}]}
    cycle["Subcategory"][0]["Subcategory"] = [{"LabelName": "a"}]
    path.write_text(json.dumps(cycle))
    hierarchy = load_hierarchy(path)
    assert hierarchy is not None
    assert hierarchy.descendants("a") == {"b"}
    assert hierarchy.descendants("nothing") == frozenset()
    assert merge([hierarchy, hierarchy]) == hierarchy


@pytest.mark.parametrize(
    "text",
    [
        "{}",  # some other JSON
        "[1, 2]",
        '{"LabelName": 7}',
        "not JSON",
        "[" * 100_000,  # deeper than a parser goes
        "",
    ],
)
def test_other_json_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "h.json"
    path.write_text(text)
    assert load_hierarchy(path) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"LabelName": "a", "Subcategory": {"LabelName": "b"}}',
        '{"LabelName": "a", "Part": [{"Label": "b"}]}',
        '{"LabelName": "a", "Part": ["b"]}',
    ],
)
def test_broken_hierarchies(tmp_path: Path, text: str) -> None:
    path = tmp_path / "h.json"
    path.write_text(text)
    with pytest.raises(SourceError, match="of a "):
        load_hierarchy(path)
