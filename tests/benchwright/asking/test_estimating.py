"""An estimate of a session takes what is stored, what was measured and what is asked anew."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.replies import Reply, Usage
from benchwright.asking.requests import PicturePart, Request, description, key_of
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.tally import TallyingStore
from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace

VOTER = Voter(name="v", model="m", base_url="http://localhost:1/v1")
ASK = Request.of(
    PicturePart(sha256="0" * 64, path=Path("nowhere.png")), "Is it red?", max_tokens=16
)
SIZES = ((640, 480),)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "w")


def keep(workspace: Workspace, request: Request, **reply: Any) -> None:
    workspace.root.mkdir(exist_ok=True)
    described = description(request, VOTER)
    with TallyingStore(workspace.answers) as store:
        store.add(Reply(key=key_of(described), **{"status": "ok", **reply}), described, VOTER.name)


def opened(workspace: Workspace, use: Callable[[Session], Any], *again: Any) -> Any:
    async def main() -> Any:
        spending = Spending(again=frozenset(again))
        async with session(workspace, [VOTER], spending, is_asking=False) as held:
            return use(held)

    return asyncio.run(main())


def found(workspace: Workspace, calls: Callable[[Session], Iterable[Planned]] | None = None) -> Any:
    def use(held: Session) -> Estimate:
        planned = calls(held) if calls else [planned_call(held, VOTER, ASK, sizes=SIZES)]
        return estimate_for(held, held.clients["v"], planned)

    return opened(workspace, use)


def test_what_the_doctor_measured_is_taken(workspace: Workspace, doctored: Any) -> None:
    assert not found(workspace).is_probed
    doctored(workspace.root, VOTER)
    told = found(workspace)
    assert told.prompt[0] > 9999
    assert (told.seconds, told.is_probed) == ((7.0, 7.0), True)
    # the seconds of earlier answers win
    keep(workspace, ASK.with_cap(17), seconds=3.0, usage=Usage(prompt=1))
    assert found(workspace).seconds == (3.0, 3.0)


@pytest.mark.parametrize(
    ("status", "again", "is_answered"),
    [
        (None, (), False),  # never asked
        ("ok", (), True),
        ("refused", (), True),
        ("refused", ("refused",), False),  # it is asked anew, and paid for
        ("refused", ("rejected",), True),
        ("failed", (), False),
    ],
)
def test_what_is_stored_is_not_asked(
    workspace: Workspace, status: Any, again: tuple[Any, ...], is_answered: bool
) -> None:
    if status is not None:
        keep(workspace, ASK, status=status)

    def use(held: Session) -> tuple[bool, Planned]:
        is_stored = held.stored(ASK, VOTER) is not None
        return is_stored, planned_call(held, VOTER, ASK, sizes=SIZES)

    is_stored, planned = opened(workspace, use, *again)
    assert (is_stored, planned.is_answered) == (is_answered, is_answered)
    assert (planned.sizes, planned.kind) == (SIZES, "yes_no")
