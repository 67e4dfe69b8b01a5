"""The page about a catalog of one's own: its table of figures is measured."""

import json
import re
from pathlib import Path

from benchwright.workspace import Workspace
from builders.table.build import build_table
from galleries.build import build_galleries
from galleries.settings import Settings
from galleries.tau import parse_taus
from labeling.attributes.labels.normalise import normalise

ROOT = Path(__file__).parents[2]


def test_the_table_of_your_own_catalog_is_measured(tmp_path: Path) -> None:
    """Each figure of the table is what the commands before it give."""
    page = (ROOT / "docs" / "tutorials" / "your-catalog.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (0\.\d) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| (\d+) % \| (\d+) % \|$",
        page,
        re.MULTILINE,
    )
    assert [row[0] for row in rows] == ["0.3", "0.4", "0.5", "0.6", "0.8"]
    uci = ROOT / "tests" / "data" / "uci_dresses"
    by_rule = figures(tmp_path / "rule", uci, vocabulary=None)
    by_hand = figures(tmp_path / "hand", uci, vocabulary=uci / "vocabulary.yaml")
    for tau, targets, targets_hand, size, size_hand, solved, solved_hand in rows:
        assert by_rule[tau] == (int(targets), float(size), int(solved)), tau
        assert by_hand[tau] == (int(targets_hand), float(size_hand), int(solved_hand)), tau


def figures(
    workspace: Path, uci: Path, vocabulary: Path | None
) -> dict[str, tuple[int, float, int]]:
    place = Workspace(workspace)
    build_table([uci / "dresses.csv"], place)
    normalise(place, vocabulary_file=vocabulary)
    found = {}
    for made in build_galleries(place, parse_taus("0.3,0.4,0.5,0.6,0.8"), Settings()):
        summary = json.loads((place.galleries / made.tau.folder / "summary.json").read_text())
        found[made.tau.name] = (
            summary["qualifying_targets"],
            round(summary["gallery_size"]["mean"], 1),
            round(100 * summary["identifiable"]["share"]),
        )
    return found
