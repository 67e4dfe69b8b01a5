"""What a run that asks models holds open: the store, the pictures, the budget, the voters."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchwright.asking.budget import Budget, Spent
from benchwright.asking.client import Client
from benchwright.asking.replies import Reply, ReplyStatus
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.sending import Connect, LocalSender
from benchwright.asking.tally import TallyingStore
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, UsageError
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What the user allows: calls and money in all, and which stored replies are asked anew.

    ``spent`` is what sessions under this allowance have taken of it; each counts on from there.
    """

    max_calls: int | None = None
    max_cost: float | None = None
    again: frozenset[ReplyStatus] = frozenset()
    spent: Spent = field(default_factory=Spent, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One client for each voter, over one store, one cache of pictures and one budget."""

    workspace: Workspace
    store: TallyingStore  # counts what came in since it was opened
    encoder: Encoder
    budget: Budget
    clients: Mapping[str, Client]  # by the voter's name, in the order of the file
    again: frozenset[ReplyStatus]
    connect: Connect  # what made their senders

    def stored(self, request: Request, voter: Voter) -> Reply | None:
        """Return the final reply that is kept of a request, null where it is still to be asked.

        One whose status is in ``again`` does not count, unless it came in this session.
        """
        return self.store.final(key_of(description(request, voter)), self.again)


@asynccontextmanager
async def session(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    *,
    is_asking: bool = True,
    connect: Connect = LocalSender,
    faults: dict[str, BenchwrightError] | None = None,
) -> AsyncIterator[Session]:
    """Open what asking needs, and close it again.

    Without ``is_asking`` no call will be made: no key is wanted, and no workspace is made. A voter
    whose key is missing is put into ``faults`` and has no client then. ``connect`` makes who sends
    the requests.

    Raises UsageError when the money is bounded and a voter has no price or another currency, or
    without ``faults`` when a key is missing; WorkspaceError when the answers cannot be opened.
    """
    if spending.max_cost is not None:
        check_prices(voters)
    if is_asking:
        make_folder(workspace.root)
    # what is not there holds nothing: an empty store in memory stands for it
    has_answers = is_asking or workspace.answers.exists()
    budget = _budget(spending, voters)
    encoder = Encoder()
    with TallyingStore(workspace.answers if has_answers else Path(":memory:")) as store:
        async with AsyncExitStack() as stack:
            stack.callback(_note, budget, spending.spent)  # when the clients are closed
            made = partial(
                Client,
                store=store,
                encoder=encoder,
                budget=budget,
                again=spending.again,
                connect=connect,
                is_asking=is_asking,
            )
            clients = {
                client.voter.name: await stack.enter_async_context(client)
                for client in _clients(made, voters, faults)
            }
            yield Session(
                workspace=workspace,
                store=store,
                encoder=encoder,
                budget=budget,
                clients=clients,
                again=spending.again,
                connect=connect,
            )


def _budget(spending: Spending, voters: Sequence[Voter]) -> Budget:
    return Budget(
        max_calls=spending.max_calls,
        max_cost=spending.max_cost,
        currency=next((voter.price.currency for voter in voters if voter.price is not None), ""),
        calls=spending.spent.calls,
        cost=spending.spent.cost,
    )


def _clients(
    made: Callable[[Voter], Client],
    voters: Sequence[Voter],
    faults: dict[str, BenchwrightError] | None,
) -> Iterator[Client]:
    """Yield the clients of the voters; one that cannot be made is put into ``faults``."""
    for voter in voters:
        try:
            yield made(voter)
        except UsageError as error:
            if faults is None:
                raise
            faults[voter.name] = error


def _note(budget: Budget, spent: Spent) -> None:
    spent.calls, spent.cost = budget.calls, budget.cost


def make_folder(folder: Path) -> None:
    """Make a folder of the workspace; raise UsageError where there can be none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError as error:  # /proc and the like take no folders
        raise UsageError(
            f"{folder}: cannot be made ({error.strerror}); choose another --workspace"
        ) from error


def check_prices(voters: Sequence[Voter]) -> None:
    """Raise UsageError where --max-cost has no meaning for these voters."""
    unpriced = [voter.name for voter in voters if voter.price is None]
    if unpriced:
        raise UsageError(
            f"--max-cost wants a price of every voter; {', '.join(unpriced)} has none in the"
            " voters' file (input: 0 and output: 0 where it costs nothing)"
        )
    currencies = sorted({voter.price.currency for voter in voters if voter.price is not None})
    if len(currencies) > 1:
        raise UsageError(
            f"--max-cost wants one currency, the voters have {', '.join(currencies)}; name all"
            " prices in one, or ask the voters of each currency by a file of their own"
        )
