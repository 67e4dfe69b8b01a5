"""The step that deals chains to checkers and says what became of those that were checked.

``dialogues/question-chain/checkers`` holds checkers.parquet, a row for each chain and round, and
feedback.json. What was dealt stays when it is dealt again, so that both are a function of the
drafts, the decisions, the auditors, the seed, and of the deal before. That one is kept in
before.json until the next stands, so that a run that is killed loses nothing of what people know.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pyarrow as pa

from benchwright import files, store
from benchwright.arrow_fields import TEXT, required
from benchwright.decisions.auditors import is_model, warn_if_spelled_otherwise
from benchwright.decisions.journal import read_journal
from benchwright.errors import CorruptShard, UsageError
from benchwright.records import QuestionChain
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.dealing.checkers import (
    ROUNDS,
    Deal,
    Dealt,
    Round,
    ToCheck,
    deal,
)
from labeling.dialogues.question_chain.dealing.feedback import News, feedback_of, news_of
from labeling.dialogues.question_chain.deciding import progress, writers
from labeling.dialogues.question_chain.rules.scenarios import one_spelling
from labeling.dialogues.stored import (
    ByField,
    decisions_of,
    dialogues_folder,
    drafts_folder,
    read_drafts,
)

_SCHEMA = pa.schema(
    [
        required("chain_id", TEXT),
        required("round", pa.int32()),
        required("scenario", TEXT),
        required("auditor", TEXT),
    ]
)
_STAGES = tuple(f"round-{number}" for number in ROUNDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """A deal and what became of the chains.

    ``done`` are the chains and rounds that were checked as they are. ``unwritten`` chains wait
    for an author and are not dealt yet, nor is what was ``rejected``. ``kept`` rows were dealt
    before. ``is_new`` is false where the deal stood there already.
    """

    auditors: tuple[str, ...]
    deal: Deal
    done: frozenset[tuple[str, Round]]
    unwritten: int
    rejected: int
    kept: int
    news: tuple[News, ...]
    is_new: bool


def checkers_folder(workspace: Workspace) -> Path:
    """Return the folder of the deal."""
    return dialogues_folder(workspace, "question-chain") / "checkers"


def read_checkers(workspace: Workspace) -> list[Dealt]:
    """Return who checks which chain, by chain and round; nobody where nothing was dealt.

    Raises CorruptShard.
    """
    folder = checkers_folder(workspace)
    if store.load_manifest(folder) is None:
        return []
    return list(from_table(store.read_table(folder, "checkers.parquet"), Dealt))


def dealt_auditors(workspace: Workspace) -> tuple[str, ...]:
    """Return among whom chains were dealt; nobody where nothing was. Raises CorruptShard."""
    return _deal_before(workspace).auditors


def verify(
    workspace: Workspace, auditors: Collection[str], *, seed: int = 0, force: bool = False
) -> Verifying:
    """Deal the written chains to auditors, for both rounds, and say what became of them.

    Without auditors they are those of the deal before. With ``force`` what was dealt does not
    count, but what was checked does. Raises UsageError where nobody is named and nothing was
    dealt, WorkspaceError where there are no drafts, and CorruptShard.
    """
    drafts = read_drafts(workspace, "question-chain")
    names = tuple(sorted(set(auditors) or dealt_auditors(workspace)))
    if not names:
        raise UsageError(
            "verify: nothing was dealt before, so say among whom: --auditors NAME,NAME,NAME"
        )
    journal = read_journal(workspace).decisions
    warn_if_spelled_otherwise(names, journal)
    of_chain = decisions_of(journal, {draft.chain_id for draft in drafts})
    chains = _Chains.of(drafts, of_chain)
    news = tuple(
        one for draft in drafts for one in news_of(draft, of_chain.get(draft.chain_id, {}))
    )
    plan = _plan(workspace, of_chain, names, seed)
    is_new = force or store.finished(checkers_folder(workspace), plan) is None
    if is_new:
        kept = _write(workspace, plan, chains, news, force=force)
    else:
        kept = read_checkers(workspace)
    dealt = deal(chains.to_check, names, seed, kept)
    return Verifying(
        auditors=names,
        deal=dealt,
        done=frozenset(chains.done),
        unwritten=chains.unwritten,
        rejected=chains.rejected,
        kept=len(set(dealt.rows) & set(kept)),
        news=news,
        is_new=is_new,
    )


def _write(
    workspace: Workspace,
    plan: store.Plan,
    chains: "_Chains",
    news: Sequence[News],
    *,
    force: bool,
) -> list[Dealt]:
    """Write a deal; return the one before it, of which it keeps what it can."""
    path = _path_before(workspace)
    with store.writing(path.parent, plan, configs={"checkers": "checkers.parquet"}) as out:
        before = _Before() if force else _deal_before(workspace)
        kept = list(before.rows)
        # not as a part of the stage, which other decisions would make another plan of
        files.write_json(path, asdict(before))
        dealt = deal(chains.to_check, plan.settings["auditors"], plan.seed or 0, kept)
        out.table("checkers", _table(dealt.rows))
        out.json("feedback.json", feedback_of(news))
        out.counts.update(
            dealt=len(dealt.rows), undealt=len(dealt.undealt), unwritten=chains.unwritten
        )
    path.unlink()
    return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """A deal, and among whom."""

    auditors: tuple[str, ...] = ()
    rows: tuple[Dealt, ...] = ()


def _path_before(workspace: Workspace) -> Path:
    return checkers_folder(workspace) / "before.json"


def _deal_before(workspace: Workspace) -> _Before:
    """Return the deal that stands, or the one that a run which died was about to replace."""
    made = store.load_manifest(checkers_folder(workspace))
    if made is not None:
        rows = tuple(read_checkers(workspace))
        return _Before(auditors=tuple(made.plan.settings["auditors"]), rows=rows)
    path = _path_before(workspace)
    if not path.is_file():
        return _Before()
    try:
        said = json.loads(path.read_text("utf-8"))
        rows = tuple(Dealt(**row) for row in said["rows"])
        return _Before(auditors=tuple(said["auditors"]), rows=rows)
    except (ValueError, TypeError, KeyError) as error:
        raise CorruptShard(path, f"is no deal ({error})") from error


def _table(rows: Sequence[Dealt]) -> pa.Table:
    return pa.Table.from_pylist([asdict(row) for row in rows], schema=_SCHEMA)


@dataclass(slots=True)
class _Chains:
    """The chains of the drafts, apart by whether they can be dealt."""

    to_check: list[ToCheck] = field(default_factory=list)
    done: set[tuple[str, Round]] = field(default_factory=set)
    unwritten: int = 0
    rejected: int = 0

    @classmethod
    def of(
        cls,
        drafts: Sequence[QuestionChain],
        of_chain: Mapping[str, ByField],
    ) -> "_Chains":
        chains = cls()
        for draft in drafts:
            chains.add(draft, of_chain.get(draft.chain_id, {}))
        return chains

    def add(self, draft: QuestionChain, decisions: ByField) -> None:
        found = progress(draft, decisions)
        if found.withheld == "rejected":
            self.rejected += 1
            return
        if found.owner is None and is_model(draft.author):  # who will write it?
            self.unwritten += 1
            return
        checked = {
            number: verified.checker
            for number, verified in zip(ROUNDS, found.chain.rounds, strict=False)
        }
        self.done.update((draft.chain_id, number) for number in checked)
        self.to_check.append(
            ToCheck(
                chain_id=draft.chain_id,
                scenario=one_spelling(found.chain.scenario),
                writers=writers(draft, decisions),
                checked=checked,
                unsure=found.unsure if found.stage in _STAGES else frozenset(),
            )
        )


def _plan(
    workspace: Workspace, of_chain: Mapping[str, ByField], names: Sequence[str], seed: int
) -> store.Plan:
    drafts = store.require(drafts_folder(workspace, "question-chain"), "its drafting")
    said = [
        asdict(decision)
        for _, by_field in sorted(of_chain.items())
        for _, by_auditor in sorted(by_field.items())
        for _, decision in sorted(by_auditor.items())
    ]
    return store.Plan(
        stage="dialogues/question-chain/checkers",
        inputs={"drafts": drafts.digest(), "decisions": store.digest_of(said)},
        settings={"auditors": list(names)},
        seed=seed,
    )
