"""proposals.yaml: what was proposed for the vocabulary and waits for a person.

    listed:
    - kind: merge
      type: neckline
      values: [o-neck, round neck]
      keep: round neck
      reason: the same neckline
      proposed_by: [large]
      accepted_by: []
      declined_by: []
    refused: []

``--accept all`` takes what is listed, as it stands: an entry can be removed, or changed, first.
What is refused is taken by name only.
"""

from pathlib import Path
from typing import Any

import pydantic
import yaml

from benchwright.workspace import Workspace
from benchwright.yaml_files import read_settings
from labeling.attributes.gathering.agreement import Settled
from labeling.attributes.gathering.proposals import Kind, Proposal
from labeling.attributes.vocabulary.vocabulary import replace_file

_VALUES = {"merge": 2, "move": 1, "set aside": 1, "add": 1, "rename": 1}


class _Entry(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    kind: Kind
    type: str
    values: list[str] = []
    keep: str | None = None
    into_type: str | None = None
    reason: str = ""
    note: str = ""
    proposed_by: list[str] = []
    accepted_by: list[str] = []
    declined_by: list[str] = []

    @pydantic.model_validator(mode="after")
    def _holds_what_its_kind_wants(self) -> "_Entry":
        wanted = _VALUES.get(self.kind, 0)
        if len(set(self.values)) != wanted or len(self.values) != wanted:
            raise ValueError(f"{self.kind} wants {wanted} different values")
        if self.kind == "move" and (self.keep is None or self.into_type is None):
            raise ValueError("move wants keep and into_type")
        return self

    def proposal(self) -> Proposal:
        return Proposal(
            kind=self.kind,
            type=self.type,
            values=tuple(sorted(self.values)),
            keep=self.keep,
            into_type=self.into_type,
            reason=self.reason,
            note=self.note,
            proposed_by=tuple(sorted(self.proposed_by)),
            accepted_by=tuple(sorted(self.accepted_by)),
            declined_by=tuple(sorted(self.declined_by)),
        )


class _File(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    listed: list[_Entry] = []
    refused: list[_Entry] = []


def proposals_path(workspace: Workspace) -> Path:
    """Return where the proposals of a workspace are kept."""
    return workspace.labels / "proposals.yaml"


def load_proposals(path: Path) -> Settled:
    """Return what is listed and refused in a file; raise UsageError that names file and place."""
    said = read_settings(path, _File, as_text=True)
    return Settled(
        listed=tuple(entry.proposal() for entry in said.listed),
        refused=tuple(entry.proposal() for entry in said.refused),
    )


def save_proposals(settled: Settled, path: Path) -> None:
    """Write what is listed and refused; a file that stood there goes on as ``NAME.previous``."""
    content = {
        "listed": [_as_mapping(one) for one in settled.listed],
        "refused": [_as_mapping(one) for one in settled.refused],
    }
    text = yaml.safe_dump(
        content, sort_keys=False, allow_unicode=True, width=100, default_flow_style=None
    )
    head = (
        "# Not applied. Remove or change what is listed, then: label-attributes vocabulary --accept"
        " all\n# What models refused is taken by name only.\n"
    )
    replace_file(path, head + text)


def _as_mapping(one: Proposal) -> dict[str, Any]:
    said = {
        "values": list(one.values),
        "keep": one.keep,
        "into_type": one.into_type,
        "reason": one.reason,
        "note": one.note,
    }
    voters = {
        "proposed_by": list(one.proposed_by),
        "accepted_by": list(one.accepted_by),
        "declined_by": list(one.declined_by),
    }
    filled = {name: value for name, value in said.items() if value}
    return {"kind": one.kind, "type": one.type} | filled | voters
