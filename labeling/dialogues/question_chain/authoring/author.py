"""Chains that people wrote in files become records; what is none is a reject with its line."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchwright import store
from benchwright.decisions.auditors import auditor_name
from benchwright.errors import UsageError
from benchwright.records import QuestionChain, Reject
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import (
    COMMAND,
    chain_ids,
    gather_authored,
    written_folder,
)
from labeling.dialogues.question_chain.authoring.chain_files import (
    ChainFile,
    Entry,
    read_chain_file,
)
from labeling.dialogues.question_chain.authoring.chain_form import about, said_chain
from labeling.dialogues.question_chain.authoring.pictures import PictureNames, PictureNotFound
from labeling.dialogues.question_chain.authoring.places import lines_table

_CONFIGS = {"written": "written.parquet", "rejected": "rejected.parquet"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoredFile:
    """What became of a file: its chains, and the ids of an earlier state of it that are gone.

    ``was_there``: they stood there already, and nothing was done.
    """

    name: str
    chains: int
    rejected: int
    gone: tuple[str, ...]
    was_there: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainsOfFile:
    """The chains of a file, in its order, their lines by their ids, and what is none."""

    chains: tuple[QuestionChain, ...]
    lines: Mapping[str, int]
    rejects: tuple[Reject, ...]


def author_chains(
    workspace: Workspace, paths: Sequence[Path], author: str | None = None, *, force: bool = False
) -> list[AuthoredFile]:
    """Write the chains of files, each in the place of what a file of its name held before.

    ``author`` wrote those that name nobody. What was made of the same files is left as it is.
    Raises UsageError, before anything is written, for a file that cannot be read as a whole and
    for two of one name; WorkspaceError where there is no catalog.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    name = None if author is None else auditor_name(author)
    files = [read_chain_file(path) for path in paths]
    repeated = [file for file, times in Counter(each.name for each in files).items() if times > 1]
    if repeated:
        raise UsageError(
            f"two files are called {repeated[0]}; chains are kept by the name of their file, so"
            " rename one"
        )
    pictures = PictureNames.of(workspace)
    made = [_write(workspace, file, catalog, pictures, name, force=force) for file in files]
    gather_authored(workspace)
    return made


def chains_of_file(file: ChainFile, pictures: PictureNames, author: str | None) -> ChainsOfFile:
    """Return the chains of a file; of two with one id the first stands."""
    work = _Reading(file=file, pictures=pictures, author=file.author or author)
    for entry in file.entries:
        work.take(entry)
    return ChainsOfFile(chains=tuple(work.chains), lines=work.lines, rejects=tuple(work.rejects))


@dataclass(slots=True, kw_only=True)
class _Reading:
    file: ChainFile
    pictures: PictureNames
    author: str | None
    chains: list[QuestionChain] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)  # of chains, by their id

    def take(self, entry: Entry) -> None:
        try:
            chain = self._chain(entry)
        except PictureNotFound as error:
            self._reject(entry, error.reason, str(error))
        except (ValueError, UsageError) as error:
            self._reject(entry, "no_chain", str(error))
        else:
            self._keep(entry, chain)

    def _chain(self, entry: Entry) -> QuestionChain:
        if entry.fault is not None:
            raise ValueError(entry.fault)
        said = said_chain(entry.said)
        author = said.author or self.author
        if not author:
            raise ValueError("has no author: write author: NAME there, or give --author NAME")
        chain = said.chain(auditor_name(author))
        return about(self.pictures.find(said.looked_for()), chain, said.given_id())

    def _keep(self, entry: Entry, chain: QuestionChain) -> None:
        first = self.lines.setdefault(chain.chain_id, entry.line)
        if first == entry.line:
            self.chains.append(chain)
            return
        self._reject(
            entry,
            "repeated_id",
            f"the chain at line {first} has the same id, or no id and the same picture and"
            " question; give this one an id of its own",
            chain.chain_id,
        )

    def _reject(self, entry: Entry, reason: str, message: str, chain_id: str | None = None) -> None:
        self.rejects.append(
            Reject(
                source="question-chain",
                kind="dialogue",
                source_id=chain_id,
                row=entry.line,
                path=self.file.name,
                reason=reason,
                message=message,
            )
        )


def _write(
    workspace: Workspace,
    file: ChainFile,
    catalog: store.Manifest,
    pictures: PictureNames,
    author: str | None,
    *,
    force: bool,
) -> AuthoredFile:
    folder = written_folder(workspace, file.name)
    plan = store.Plan(
        stage=f"dialogues/question-chain/written/{file.name}",
        inputs={"catalog": catalog.digest(), "file": file.sha256},
        settings={"author": author},
    )
    before = chain_ids(folder, "written")
    standing = None if force else store.finished(folder, plan)
    was_there = standing is not None
    if standing is None:
        found = chains_of_file(file, pictures, author)
        with store.writing(folder, plan, configs=_CONFIGS) as out:
            chains = sorted(found.chains, key=lambda chain: chain.chain_id)
            out.table("written", to_table(chains, QuestionChain))
            out.table("lines", lines_table(found.lines))
            out.table("rejected", to_table(found.rejects, Reject))
            out.counts.update(chains=len(chains), rejected=len(found.rejects))
            out.reasons.update(Counter(one.reason for one in found.rejects))
        standing = store.require(folder, COMMAND)
    return AuthoredFile(
        name=file.name,
        chains=standing.counts["chains"],
        rejected=standing.counts["rejected"],
        gone=tuple(sorted(before - chain_ids(folder, "written"))),
        was_there=was_there,
    )
