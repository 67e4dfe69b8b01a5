"""Asking by the OpenAI Batch API: the same requests, the same answers, later and for less.

Requests become files, files become batches, and what comes back is stored as if it had been asked
one by one. Where every batch stands is noted before and after each step that costs money (see
batch_ledger.py), so that a run which is killed, started again, buys nothing twice.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchwright import files
from benchwright.asking.answers import AnswerStore
from benchwright.asking.batch_answers import BatchAnswers
from benchwright.asking.batch_file import BatchFile, Line, line_of
from benchwright.asking.batch_ledger import Batch, BatchLedger
from benchwright.asking.batch_service import BatchService, Look, MissingAtServer
from benchwright.asking.budget import Budget
from benchwright.asking.client import check_number_of_pictures
from benchwright.asking.replies import Reply, ReplyStatus
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.sending import body_of, most_usage
from benchwright.asking.tokens import money
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from benchwright.errors import BudgetSpent, ServerError
from benchwright.plain_text import excerpt

logger = logging.getLogger(__name__)

_STATE = 30  # characters of the server's word for how a batch stands
_ENDED = ("completed", "expired", "cancelled")  # of these there may be answers
_SLOWER, _SLOWEST = 1.5, 10.0  # how looks that find nothing space out; at most so many times


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSettings:
    """``poll_seconds`` is the pause between two looks at the server; idle looks space out.

    ``most_bytes`` and ``most_lines`` bound a file: the Batch API takes 200 MB and 50,000 lines.
    """

    poll_seconds: float = 5.0
    most_bytes: int = 190_000_000
    most_lines: int = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOutcome:
    """What a run did, in requests.

    ``stored`` had their final reply before; ``submitted`` went out in new batches. Of what came
    back, ``collected`` are answers and refusals, ``rejected`` will never be taken, ``failed`` and
    ``unanswered`` (in neither file of their batch, or in one of which nothing was run) are asked
    again by the next run.

    ``notes`` are lines for the user: batches that failed, answers to nobody's question.
    ``stopped`` tells why no more was submitted when the budget did not allow it.
    """

    stored: int
    submitted: int
    collected: int
    rejected: int
    failed: int
    unanswered: int
    notes: tuple[str, ...]
    stopped: str | None


async def run_batch(
    voter: Voter,
    requests: Iterable[Request],
    store: AnswerStore,
    encoder: Encoder,
    budget: Budget,
    *,
    folder: Path,
    again: frozenset[ReplyStatus] = frozenset(),
    settings: BatchSettings | None = None,
) -> BatchOutcome:
    """Ask a voter by batches, and store the answers of those that are done.

    Requests are read one by one; those that have a final reply (``again`` names the statuses that
    do not count) or are in a batch under way are left out. Batches of earlier runs are collected
    first; with no requests nothing else is done. A run that is stopped leaves what it submitted at
    the server, and the same call later goes on from there. ``folder`` holds one file at a time.

    Money and calls are taken out of the budget line by line. What is under way counts with its
    highest price until it is collected, that of earlier runs too, and still does when the run is
    stopped.

    Raises ServerError when the server is gone for too long, has no Batch API or does not take
    what it is given, UsageError when the key is missing or a request holds more pictures than the
    voter takes, LostPicture and PictureError for a picture, WorkspaceError when another process
    runs batches of this voter here.
    """
    own = folder / voter.name
    own.mkdir(parents=True, exist_ok=True)
    with files.locked(own, f"running batches of voter {voter.name}"):
        files.remove_leftovers(own)
        async with BatchService(voter) as service:
            run = _Run(
                voter=voter,
                store=store,
                encoder=encoder,
                budget=budget,
                service=service,
                ledger=BatchLedger(store, voter.name, voter.base_url),
                path=own / "requests.jsonl",
                again=again,
                settings=settings or BatchSettings(),
            )
            return await run.go(requests)


@dataclass(kw_only=True)
class _Run:
    voter: Voter
    store: AnswerStore
    encoder: Encoder
    budget: Budget
    service: BatchService
    ledger: BatchLedger
    path: Path
    again: frozenset[ReplyStatus]
    settings: BatchSettings
    open: dict[int, Batch] = field(default_factory=dict)
    held: list[Batch] = field(default_factory=list)  # the server had no room for them
    counts: Counter[str] = field(default_factory=Counter)
    elsewhere: Counter[str] = field(default_factory=Counter)  # by the voter whose batch has them
    notes: list[str] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)  # by the server, of each batch
    stopped: str | None = None
    pause: float = 0.0

    async def go(self, requests: Iterable[Request]) -> BatchOutcome:
        self.pause = self.settings.poll_seconds
        self.path.unlink(missing_ok=True)
        try:
            for batch in self.ledger.open():
                await self._resume(batch)
            await self._look()
            await self._submit_all(requests)
            while self.open:
                await self._look_later()
        finally:
            self.path.unlink(missing_ok=True)
            for batch in (*self.open.values(), *self.held):
                await self.budget.settle(batch.highest, batch.highest, batch.requests)
        return self._outcome()

    def _outcome(self) -> BatchOutcome:
        notes = [
            f"{number:,} requests are in batches of voter {name}, which asks the same; they are"
            " collected when that one is run"
            for name, number in self.elsewhere.items()
        ]
        counts = self.counts
        return BatchOutcome(
            stored=counts["stored"],
            submitted=counts["submitted"],
            collected=counts["ok"] + counts["refused"] + counts["truncated"],
            rejected=counts["rejected"],
            failed=counts["failed"],
            unanswered=counts["unanswered"],
            notes=tuple(self.notes + notes),
            stopped=self.stopped,
        )

    # from an earlier run

    async def _resume(self, batch: Batch) -> None:
        """Take up a batch of an earlier run; one that was killed before it was created is undone.

        Its requests are then free, and no batch is left at the server that would run them.
        """
        batch_id = batch.batch_id
        if batch.state != "created":
            batch_id = await self._found_or_undone(batch)
            if batch_id is None:
                self.ledger.forget(batch)
                return
            self.ledger.created(batch, batch_id)
        self.budget.reserve_made(batch.highest, batch.requests)
        self.open[batch.id] = replace(batch, state="created", batch_id=batch_id)

    async def _found_or_undone(self, batch: Batch) -> str | None:
        may_exist = batch.state == "uploaded"  # the file's id is noted before a batch is created
        found = await self.service.find(batch) if may_exist else None
        if found is not None:
            return found
        await self.service.discard_files(batch)
        return await self.service.find(batch) if may_exist else None  # it may have come meanwhile

    # to the server

    async def _submit_all(self, requests: Iterable[Request]) -> None:
        async with aclosing(self._lines(requests)) as lines:
            line = await anext(lines, None)
            while line is not None:
                line, spent = await self._submit_next(line, lines)
                while line is not None and not self._is_wanted(line.key):
                    line = await anext(lines, None)  # the same is in the file that went out
                if spent is None:
                    continue
                if not self.open:
                    self.stopped = str(spent)
                    return
                while not await self._look_later():  # what is collected may have cost less
                    pass

    async def _lines(self, requests: Iterable[Request]) -> AsyncGenerator[Line, None]:
        """Yield the lines of what is still to be asked, each made when it is wanted."""
        for request in requests:
            described = description(request, self.voter)
            key = key_of(described)
            if not self._is_wanted(key):
                continue
            line = await self._line(request, key, described)
            if len(line.data) > self.settings.most_bytes:
                self._reject(line)
            else:
                yield line

    def _is_wanted(self, key: str) -> bool:
        if self.store.final(key, self.again) is not None:
            self.counts["stored"] += 1
            return False
        holder = self.ledger.holder(key)
        if holder not in (None, self.voter.name):
            self.elsewhere[str(holder)] += 1
        return holder is None

    async def _line(self, request: Request, key: str, described: str) -> Line:
        check_number_of_pictures(request, self.voter)
        limits = self.voter.pictures
        shown = [
            await asyncio.to_thread(self.encoder.encoded, part, limits)
            for part in request.pictures()
        ]
        highest = 0.0
        if self.voter.price is not None:
            highest = money(most_usage(request, self.voter, shown), self.voter.price, batch=True)
        data = line_of(key, body_of(request, self.voter, shown))
        return Line(key=key, description=described, data=data, highest=highest)

    def _reject(self, line: Line) -> None:
        error = (
            f"it is {len(line.data):,} bytes as a line, a file of a batch takes at most"
            f" {self.settings.most_bytes:,}; ask with smaller pictures"
        )
        reply = Reply(key=line.key, status="rejected", error=error)
        self.store.add(reply, line.description, self.voter.name)
        self.counts["rejected"] += 1

    async def _submit_next(
        self, line: Line | None, lines: AsyncGenerator[Line, None]
    ) -> tuple[Line | None, BudgetSpent | None]:
        """Submit one batch that begins with a line.

        Returns the first line that is not in it, and the budget's word where that ended it.
        """
        draft = BatchFile(self.settings.most_bytes, self.settings.most_lines)
        spent = None
        try:
            with files.atomic(self.path, synced=False) as stream:
                while line is not None and draft.has_room(line):
                    if line.key not in draft.described:
                        try:
                            self.budget.reserve_now(line.highest)
                        except BudgetSpent as error:
                            spent = error
                            break
                        draft.add(line)
                        stream.write(line.data)
                    line = await anext(lines, None)
            batch = self.ledger.prepare(draft.described, draft.highest) if len(draft) else None
        except BaseException:
            await self.budget.settle(draft.highest, 0.0, len(draft))
            raise
        if batch is not None:
            await self._submit(batch)
        self.path.unlink()
        return line, spent

    async def _submit(self, batch: Batch) -> None:
        self.open[batch.id] = batch
        file_id = await self.service.upload(batch, self.path)
        self.ledger.uploaded(batch, file_id)
        await self._create(replace(batch, file_id=file_id))
        self.counts["submitted"] += batch.requests

    async def _create(self, batch: Batch) -> None:
        self.open[batch.id] = batch
        batch_id = await self.service.create(batch, batch.file_id or "")
        self.ledger.created(batch, batch_id)
        self.open[batch.id] = replace(batch, state="created", batch_id=batch_id)
        logger.info("voter %s: batch %s of %d", self.voter.name, batch_id, batch.requests)

    # back from the server

    async def _look_later(self) -> bool:
        """Wait, look at what is under way, and tell whether anything was done."""
        self._tell()
        await asyncio.sleep(self.pause)
        slower = min(self.pause * _SLOWER, self.settings.poll_seconds * _SLOWEST)
        is_done = await self._look()
        self.pause = self.settings.poll_seconds if is_done else slower
        return is_done

    def _tell(self) -> None:
        """Say how the batches under way stand, and when that is looked into again."""
        states = Counter(self.said.get(batch_id, "created") for batch_id in self.open)
        stand = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
        logger.warning(
            "voter %s: batches under way: %s, next look in %.0f s",
            self.voter.name,
            stand,
            max(1.0, self.pause),
        )

    async def _look(self) -> bool:
        ended = 0
        for batch in [*self.open.values()]:
            look = await self._look_at(batch)
            self.said[batch.id] = excerpt(look.status, _STATE)
            if look.status in _ENDED:
                await self._collect(batch, look)
                ended += 1
            elif look.status == "failed" and self._can_wait_for_room(look):
                self.ledger.uploaded(batch, batch.file_id or "")
                self.held.append(self.open.pop(batch.id))
            elif look.status == "failed":
                await self._fail(batch, look)
                ended += 1
        while ended and self.held:
            await self._create(self.held.pop(0))
        return ended > 0

    def _can_wait_for_room(self, look: Look) -> bool:
        """Tell whether a batch of ours that takes the server's room will end while we wait."""
        return look.is_for_lack_of_room and len(self.open) > 1

    async def _look_at(self, batch: Batch) -> Look:
        try:
            return await self.service.look(batch.batch_id or "")
        except MissingAtServer as error:
            raise ServerError(
                f"voter {self.voter.name}: {self.voter.base_url} knows no batch {batch.shown_id},"
                f" which was created at {batch.base_url} and holds {batch.requests:,} requests;"
                " put back the base_url or the key that it was created with"
            ) from error

    async def _collect(self, batch: Batch, look: Look) -> None:
        answers = BatchAnswers(batch, self.ledger, self.store, self.voter)
        self.ledger.catch_up(batch)
        for file_id in look.files:
            await answers.fetch(self.service, file_id)
        unanswered = self.ledger.waiting(batch)
        notes = [*answers.notes()]
        if lost := unanswered + answers.statuses["failed"]:
            what = {"expired": "expired", "cancelled": "was cancelled"}.get(look.status, "ended")
            notes.append(
                f"voter {self.voter.name}: batch {batch.shown_id} {what} with {lost:,} of"
                f" {batch.requests:,} requests unanswered; the same command sends the rest"
            )
        self.notes += notes
        self.counts.update(answers.statuses)
        self.counts["unanswered"] += unanswered
        self.ledger.close(batch, "collected", "; ".join(notes) or None)
        await self._settle(batch, answers.cost)

    async def _fail(self, batch: Batch, look: Look) -> None:
        said = look.error or "the server does not say why"
        note = (
            f"voter {self.voter.name}: batch {batch.shown_id} of {batch.requests:,} requests failed"
            f" its validation and nothing of it was run ({said}); "
        )
        if look.is_for_lack_of_room:
            note += "the same command sends them again when there is room"
        else:
            note += "when what the server names is mended, the same command sends them again"
        self.notes.append(note)
        self.counts["unanswered"] += batch.requests
        self.ledger.close(batch, "failed", said)
        await self._settle(batch, 0.0)
        await self.service.discard_files(batch)

    async def _settle(self, batch: Batch, cost: float) -> None:
        del self.open[batch.id]
        await self.budget.settle(batch.highest, cost, batch.requests)
