"""Probing the voters of a file, and keeping what was found beside the labels."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import files
from benchwright.asking.doctor.costs import price_text
from benchwright.asking.doctor.examine import MOST_CALLS, USUAL_CALLS, examine
from benchwright.asking.findings import Findings
from benchwright.asking.probed import findings_path, kept
from benchwright.asking.running import run
from benchwright.asking.session import make_folder
from benchwright.asking.voters import Voter, chosen_voters
from benchwright.plain_text import counted
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A voter as the file names it, and what was found of it."""

    voter: Voter
    findings: Findings


def announcement(voters: Sequence[Voter]) -> str:
    """Return the line that says beforehand how much will be asked."""
    price = price_text(voters, USUAL_CALLS, MOST_CALLS)
    return (
        f"{counted(len(voters), 'voter')}: about {USUAL_CALLS} short calls to each, never more"
        f" than {MOST_CALLS}; some hold large or many pictures"
        f"{f'; {price} where they answer' if price else ''}"
    )


def doctor(
    workspace: Workspace, voters_file: Path, only: Sequence[str] = ()
) -> tuple[Examined, ...]:
    """Probe voters and write what was found to doctor.json in the folder of the labels.

    Findings of voters that are not probed now stay there. A server that is down is a finding.

    Raises UsageError as ``chosen_voters`` does.
    """
    voters = chosen_voters(voters_file, only)
    make_folder(workspace.labels)  # before anything is paid for
    found = run(_examine_all(voters))
    held = kept(workspace)
    held |= {name: findings.model_dump(mode="json") for name, findings in found.items()}
    files.write_json(findings_path(workspace), held)
    return tuple(Examined(voter=voter, findings=found[voter.name]) for voter in voters)


async def _examine_all(voters: Sequence[Voter]) -> dict[str, Findings]:
    """Probe all servers side by side, but voters on one server one after the other."""
    servers: dict[str, list[Voter]] = {}
    for voter in voters:
        servers.setdefault(voter.base_url, []).append(voter)
    parts = await asyncio.gather(*(_examine_each(some) for some in servers.values()))
    return {name: findings for part in parts for name, findings in part.items()}


async def _examine_each(voters: Sequence[Voter]) -> dict[str, Findings]:
    return {voter.name: await examine(voter) for voter in voters}
