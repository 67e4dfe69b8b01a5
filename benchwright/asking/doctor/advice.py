"""What to set in the voters' file after what was found."""

from typing import Any

import yaml

from benchwright.asking.findings import Findings
from benchwright.asking.voters import Voter

_SPELLINGS = 10  # alternatives that hold the ways to spell yes and no; more only fill the store


def advised(voter: Voter, findings: Findings) -> dict[str, Any]:
    """Return the settings of a voter that should be others than its file says."""
    wanted: dict[str, Any] = {
        "cap": _cap(voter, findings),
        "max_tokens": (findings.reach.room or voter.max_tokens),
        "logprobs": _logprobs(voter, findings),
        "structured": findings.structured.best if findings.structured else voter.structured,
        "parameters": _parameters(voter, findings),
    }
    changed = {name: value for name, value in wanted.items() if value != getattr(voter, name)}
    pictures = _pictures(voter, findings)
    if pictures:
        changed["pictures"] = pictures
    rule = findings.tokens.rule if findings.tokens else None
    if rule is not None and rule != voter.picture_tokens:
        changed["picture_tokens"] = rule.model_dump(exclude_defaults=True)
    return changed


def advice_lines(voter: Voter, findings: Findings) -> list[str]:
    """Return the advised settings as lines of YAML to paste into the voter's entry."""
    return [_line({name: value}) for name, value in advised(voter, findings).items()]


def _line(setting: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(setting, default_flow_style=True, sort_keys=False, width=10_000)
    return text.strip()[1:-1]  # YAML's braces around the one key


def _cap(voter: Voter, findings: Findings) -> str:
    fields, caps = findings.fields, findings.caps
    if fields is None or caps is None or fields.cap != voter.cap:
        return voter.cap if fields is None else fields.cap
    found = caps.model_dump()
    working = [name for name, verdict in found.items() if verdict in ("honoured", "unmarked")]
    return voter.cap if voter.cap in working or not working else working[0]


def _logprobs(voter: Voter, findings: Findings) -> int:
    found = findings.logprobs
    if found is None:
        return voter.logprobs
    if voter.logprobs == 0:
        return min(_SPELLINGS, found.alternatives) if found.alternatives > 1 else 0
    return min(voter.logprobs, found.alternatives)


def _parameters(voter: Voter, findings: Findings) -> dict[str, Any]:
    rejected = findings.fields.rejected if findings.fields else {}
    kept = {name: value for name, value in voter.parameters.items() if name not in rejected}
    # stages ask at temperature 0 by themselves; a null takes that away
    return kept | ({"temperature": None} if "temperature" in rejected else {})


def _pictures(voter: Voter, findings: Findings) -> dict[str, int]:
    changed = {}
    limits, sides, at_once = voter.pictures, findings.sides, findings.at_once
    if sides is not None:
        if sides.refused_large is not None and limits.max_side >= sides.refused_large:
            changed["max_side"] = sides.largest
        if sides.refused_small is not None and limits.min_side <= sides.refused_small:
            changed["min_side"] = sides.smallest
    if at_once is not None and at_once.most < at_once.bound:
        changed["at_once"] = at_once.most
    return changed
