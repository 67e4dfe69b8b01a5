"""Estimates of a session: what is stored, what earlier calls took and what the doctor measured."""

from collections.abc import Iterable, Sequence

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Kind, Planned, estimate
from benchwright.asking.probed import probed_costs
from benchwright.asking.requests import Request
from benchwright.asking.session import Session
from benchwright.asking.tokens import Size
from benchwright.asking.voters import Voter


def estimate_for(
    opened: Session,
    client: Client,
    planned: Iterable[Planned],
    *,
    batch: bool = False,
    looks: Iterable[Planned] = (),
) -> Estimate:
    """Return what planned calls of a client would take, as ``estimate`` does.

    Seconds are those of the voter's earlier answers; what neither they nor the voters' file tell
    is taken from the doctor's findings.
    """
    voter = client.voter
    return estimate(
        voter,
        planned,
        opened.store.seconds_of(voter.name),
        batch=batch,
        looks=looks,
        probed=probed_costs(opened.workspace, voter),
    )


def planned_call(
    opened: Session,
    voter: Voter,
    request: Request,
    *,
    sizes: Sequence[Size] = (),
    kind: Kind = "yes_no",
) -> Planned:
    """Return a request as it is planned; one whose stored reply is asked anew is not answered."""
    is_answered = opened.stored(request, voter) is not None
    return Planned(request=request, sizes=tuple(sizes), is_answered=is_answered, kind=kind)
