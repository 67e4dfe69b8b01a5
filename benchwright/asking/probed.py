"""doctor.json, beside the labels: what the doctor found of voters. It alone writes the file."""

from pathlib import Path
from typing import Any

import pydantic

from benchwright import files
from benchwright.asking.estimates import ProbedCosts
from benchwright.asking.findings import Findings, entry_digest
from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace


def known(workspace: Workspace, voter: Voter) -> Findings | None:
    """Return what is known of a voter, null where it was not probed, or not as it is named now."""
    try:
        findings = Findings.model_validate(kept(workspace).get(voter.name))
    except pydantic.ValidationError:
        return None
    return findings if findings.digest == entry_digest(voter) else None


def probed_costs(workspace: Workspace, voter: Voter) -> ProbedCosts | None:
    """Return what an estimate can take from the findings of a voter, null where it is unknown."""
    findings = known(workspace, voter)
    if findings is None:
        return None
    rule = findings.tokens.rule if findings.tokens else None
    speed = findings.speed
    seconds = (speed.alone, speed.together) if speed else ()
    told = tuple(each for each in seconds if each is not None)
    return ProbedCosts(rule=rule, seconds=told) if rule or told else None


def kept(workspace: Workspace) -> dict[str, Any]:
    """Return what the file holds by voter; one that cannot be read is as good as none."""
    return files.read_json_object(findings_path(workspace))


def findings_path(workspace: Workspace) -> Path:
    """Return where the doctor keeps what it found."""
    return workspace.labels / "doctor.json"
