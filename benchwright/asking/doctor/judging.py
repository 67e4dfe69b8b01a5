"""Trying voters out as judges: each is asked all labelled cases, and what it said is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.judges import Found, Judge
from benchwright.asking.pieces import How, ask_pieces, noted
from benchwright.asking.questions import Asks
from benchwright.asking.rounds import Unasked
from benchwright.asking.running import run
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    voter: str
    case: Any


def try_judge(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    judge: Judge,
    *,
    batch: bool = False,
    progress: Progress = no_progress,
) -> dict[str, list[Found]]:
    """Return what each voter made of each case; answers are stored as they come.

    What has an answer already is not asked. Raises what ``session`` and ``ask_pieces`` raise.
    """
    cases = judge.cases()
    pieces = [_Piece(voter=voter.name, case=case) for voter in voters for case in cases]

    async def ask() -> list[Found | None]:
        async with session(workspace, voters, spending) as opened:
            # the cases are texts: whether a voter sees does not matter
            how = How(batch=batch, probe=False)
            return await ask_pieces(opened, pieces, partial(_found, judge), how, progress)

    found: dict[str, list[Found]] = {voter.name: [] for voter in voters}
    for piece, one in zip(pieces, run(ask()), strict=True):
        found[piece.voter].append(Found(verdict=None) if one is None else one)
    return found


def estimate_judge(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    judge: Judge,
    *,
    batch: bool = False,
) -> list[Estimate]:
    """Return for each voter what ``try_judge`` would take, without asking."""

    async def look() -> list[Estimate]:
        async with session(workspace, voters, spending, is_asking=False) as opened:
            return [
                estimate_for(opened, client, await _planned(opened, client, judge), batch=batch)
                for client in opened.clients.values()
            ]

    return run(look())


async def _found(judge: Judge, piece: _Piece, asks: Asks) -> Found:
    return await judge.ask(piece.case, asks)


async def _planned(opened: Session, client: Client, judge: Judge) -> list[Planned]:
    """Return the calls that the cases took, and the next one of each that lacks an answer."""
    planned: list[Planned] = []
    for case in judge.cases():
        asked = noted(client, opened)
        missing: list[Planned] = []
        try:
            await judge.ask(case, asked)
        except Unasked:
            missing = [Planned(request=asked.requests.pop(), kind="structured")]
        calls = [planned_call(opened, client.voter, request) for request in asked.requests]
        planned += [*calls, *missing]
    return planned
