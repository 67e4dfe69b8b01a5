"""One allowance for several sessions: what an earlier one spent, a later one has no more."""

from pathlib import Path

import pytest

from benchwright.asking.answers import AnswerStore
from benchwright.asking.purse import Purse
from benchwright.asking.replies import Reply, ReplyStatus, Usage
from benchwright.asking.session import Spending
from benchwright.asking.voters import Price, Voter
from benchwright.errors import BudgetSpent, UsageError
from benchwright.workspace import Workspace

CHEAP, DEAR = (
    Voter(name=name, model=name, base_url="http://x/v1", price=Price(input=cost, output=2 * cost))
    for name, cost in (("cheap", 1), ("dear", 10))
)


def answer(
    workspace: Workspace, *voters: Voter, seconds: float = 1.0, status: ReplyStatus = "ok"
) -> None:
    """Store an attempt of each voter, of 100,000 tokens asked and 50,000 answered."""
    workspace.root.mkdir(exist_ok=True)
    with AnswerStore(workspace.answers) as store:
        for voter in voters:
            usage = Usage(prompt=100_000, completion=50_000)
            reply = Reply(key="ab" * 32, status=status, usage=usage, seconds=seconds)
            store.add(reply, "{}", voter.name)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "w")


def test_what_a_step_took_is_no_longer_there_for_the_next(workspace: Workspace) -> None:
    answer(workspace, DEAR)  # before the run began: it is not of this purse
    purse = Purse(workspace, (CHEAP, DEAR), Spending(max_calls=5, max_cost=4.0))
    with purse.step("one") as left:
        assert (left.max_calls, left.max_cost) == (5, 4.0)
        answer(workspace, CHEAP, DEAR)
    with purse.step("two") as left:
        assert left.max_calls == 3
        assert left.max_cost == pytest.approx(4 - 0.2 - 2.0)
        answer(workspace, DEAR, seconds=0.0)  # by a batch, at half of the price
        answer(workspace, CHEAP, status="failed")
    with purse.step("three") as left:
        assert left.max_calls == 1
        assert left.max_cost == pytest.approx(4 - 0.4 - 2.0 - 1.0)


def test_without_bounds_there_are_none(workspace: Workspace) -> None:
    purse = Purse(workspace, (CHEAP,), Spending())
    answer(workspace, CHEAP)
    with purse.step("one") as left:
        assert left == Spending()


def test_nothing_is_left_of_what_is_spent(workspace: Workspace) -> None:
    purse = Purse(workspace, (CHEAP,), Spending(max_calls=1, max_cost=0.1))
    answer(workspace, CHEAP, CHEAP)
    with purse.step("one") as left:
        assert (left.max_calls, left.max_cost) == (0, 0.0)


def test_what_is_to_be_asked_anew_is_so_once_in_each_step(workspace: Workspace) -> None:
    again: frozenset[ReplyStatus] = frozenset({"refused"})
    purse = Purse(workspace, (CHEAP,), Spending(again=again))
    found = []
    for name in ("see", "falsify", "see"):
        with purse.step(name) as left:
            found.append(left.again)
    assert found == [again, again, frozenset()]


@pytest.mark.parametrize(
    ("spending", "message"),
    [
        (Spending(max_calls=7), r"^--max-calls 7: 1 are made, and the next call would pass"),
        (Spending(max_cost=0.5), r"^--max-cost 0.5: 0.200 is spent, and the next call"),
        (
            Spending(max_calls=1_000, max_cost=2.0),
            r"^--max-calls 1,000: 1 are made, and --max-cost 2: 0.200 is spent, and the next",
        ),
    ],
)
def test_the_whole_allowance_is_named_where_it_is_spent(
    workspace: Workspace, spending: Spending, message: str
) -> None:
    purse = Purse(workspace, (CHEAP,), spending)
    answer(workspace, CHEAP)
    with pytest.raises(BudgetSpent, match=message), purse.step("one"):
        raise BudgetSpent("of one step")


def test_money_wants_a_price_before_anything_is_asked(workspace: Workspace) -> None:
    free = Voter(name="free", model="free", base_url="http://x/v1")
    with pytest.raises(UsageError, match="free has none"):
        Purse(workspace, (CHEAP, free), Spending(max_cost=1.0))
