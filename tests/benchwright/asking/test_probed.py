"""What the doctor found is known of the entry that it probed, and of no other."""

from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.probed import findings_path, known, probed_costs
from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace

ENTRY = {"name": "v", "model": "m", "base_url": "http://here/v1"}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "w")


@pytest.mark.parametrize(
    ("change", "is_known"),
    [
        ({}, True),
        ({"weight": 3, "concurrency": 1}, True),  # nothing that was probed
        ({"structured": "json_schema", "logprobs": 3}, True),  # what findings advise
        ({"base_url": "http://elsewhere/v1"}, False),
        ({"model": "another"}, False),
        ({"revision": "q4"}, False),
        ({"parameters": {"seed": 1}}, False),
        ({"name": "never-probed"}, False),
    ],
)
def test_findings_are_of_one_entry(
    workspace: Workspace, doctored: Any, change: dict[str, Any], is_known: bool
) -> None:
    doctored(workspace.root, Voter.model_validate(ENTRY))
    voter = Voter.model_validate(ENTRY | change)
    assert (known(workspace, voter) is not None) is is_known
    assert (probed_costs(workspace, voter) is not None) is is_known


@pytest.mark.parametrize(
    "text",
    [None, "", "[]", "3", '{"v": 3}', '{"v": {"digest": "x"}}', "[" * 100_000],
)
def test_a_broken_file_is_as_good_as_none(workspace: Workspace, text: str | None) -> None:
    workspace.labels.mkdir(parents=True)
    if text is not None:
        findings_path(workspace).write_text(text, "utf-8")
    voter = Voter.model_validate(ENTRY)
    assert known(workspace, voter) is None
    assert probed_costs(workspace, voter) is None
