"""label-attributes vocabulary, as a user runs it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.attributes.gathering.cli import vocabulary


def vocabulary_command(workspace: Workspace, *arguments: str | Path) -> Result:
    given = [*map(str, arguments), "--workspace", str(workspace.root)]
    return CliRunner().invoke(vocabulary, given)


@pytest.fixture
def voters_file(tmp_path: Path, sage: Any, panel: Any) -> Path:
    one = sage(groups={"neck": [("round", "crew")]}, unseen={"brand": "a brand"})
    other = sage(groups={"neck": [("round", "crew")], "colour": [("navy", "red")]})
    two = panel({"a": one, "b": other})
    path = tmp_path / "voters.yaml"
    voters = [
        {
            "name": v.name,
            "model": v.model,
            "base_url": v.base_url,
            "price": {"input": 1, "output": 2},
        }
        for v in two.voters
    ]
    path.write_text(yaml.safe_dump({"voters": voters}), "utf-8")
    return path


def test_gathering_and_accepting(shop: Workspace, voters_file: Path) -> None:
    ran = vocabulary_command(shop)
    assert ran.exit_code == 0
    assert "merge neck: v cutt = v-cut [by text distance; spelt alike]" in ran.output
    assert "yours to edit" in ran.output

    ran = vocabulary_command(shop, "--voters", voters_file, "--estimate")
    assert ran.exit_code == 0
    assert "answer tokens" in ran.output
    ran = vocabulary_command(shop, "--voters", voters_file, "--estimate", "--max-calls", "0")
    assert ran.exit_code == 0  # an estimate makes no call that could be one too many
    assert (shop.labels / "proposals.yaml").read_text("utf-8").count("kind:") == 1

    ran = vocabulary_command(shop, "--voters", voters_file, "--max-cost", "5")
    assert ran.exit_code == 0
    assert "merge neck: crew = round [by a, b; one thing]" in ran.output
    assert "merge colour: red = navy [by b; declined a; one thing]" in ran.output
    assert "\nnext: build-galleries" in ran.output  # which makes the labels

    ran = vocabulary_command(shop, "--accept", "set aside type brand")
    assert ran.exit_code == 0
    assert "2 spellings set aside" in ran.output
    assert "(done before)" in vocabulary_command(shop, "--voters", voters_file).output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--accept", "all", "--voters", "x"], "leave --voters away"),
        (["--estimate"], "name them with --voters FILE"),
        (["--batch"], "--batch: a vocabulary takes few calls"),
        (["--voters", "no/such/file"], "no/such/file"),
    ],
)
def test_options_that_cannot_be(shop: Workspace, arguments: list[str], said: str) -> None:
    ran = vocabulary_command(shop, *arguments)
    assert isinstance(ran.exception, UsageError)
    assert said in str(ran.exception)
    assert not shop.vocabulary.exists()
