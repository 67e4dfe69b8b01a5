"""The chains as they were written or drafted, from whichever file or model, in one table.

Each file has a stage of its own, ``dialogues/question-chain/written/NAME``, and the drafts by
models have theirs, ``drafted``: so making one anew loses nothing of another. ``authored`` is a pure
function of them. Where two have a chain of one id, that of a person stands before that of a model,
then that of the file whose name comes first; the other is a reject.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import store
from benchwright.errors import CorruptShard
from benchwright.records import QuestionChain, Reject
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from labeling.dialogues.stored import dialogues_folder

COMMAND = "build-dialogues question-chain author FILE, or draft,"
_CONFIGS = {"authored": "authored.parquet", "rejected": "rejected.parquet"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What chains came from: the stage of a file, or of drafts by models, where it stands."""

    name: str  # of the file; ``drafted`` for the drafts by models
    folder: Path
    manifest: store.Manifest
    is_drafted: bool


def authored_folder(workspace: Workspace) -> Path:
    """Return the folder of all chains as written or drafted."""
    return dialogues_folder(workspace, "question-chain") / "authored"


def written_folder(workspace: Workspace, name: str) -> Path:
    """Return the folder of the chains of the file of a name."""
    return dialogues_folder(workspace, "question-chain") / "written" / name


def drafted_folder(workspace: Workspace) -> Path:
    """Return the folder of the drafts by models."""
    return dialogues_folder(workspace, "question-chain") / "drafted"


def read_authored(workspace: Workspace) -> list[QuestionChain]:
    """Return the chains as written or drafted, in the order of their ids.

    They have the options that their author wrote, mostly none. Raises WorkspaceError, with the
    command to run, where there are none yet, and CorruptShard.
    """
    store.require(authored_folder(workspace), COMMAND)
    return _chains(authored_folder(workspace), "authored")


def read_rejected(workspace: Workspace) -> list[Reject]:
    """Return what became no chain, and why, by source; raises as ``read_authored`` does."""
    store.require(authored_folder(workspace), COMMAND)
    return list(_rejects(authored_folder(workspace)))


def sources(workspace: Workspace) -> list[Source]:
    """Return what chains there are, in the order in which one stands before another."""
    found = sorted(written_folder(workspace, "*").parent.glob("*"))
    folders = [(folder, False) for folder in found] + [(drafted_folder(workspace), True)]
    return [
        Source(name=folder.name, folder=folder, manifest=manifest, is_drafted=is_drafted)
        for folder, is_drafted in folders
        if (manifest := store.load_manifest(folder)) is not None
    ]


def chains_of(source: Source) -> list[QuestionChain]:
    """Return the chains of a source, in the order of their ids; raises CorruptShard."""
    return _chains(source.folder, "drafted" if source.is_drafted else "written")


def chain_ids(folder: Path, name: str) -> set[str]:
    """Return the ids of the chains of a table that stands in a folder; none where none can be."""
    try:
        if store.load_manifest(folder) is None:
            return set()
        column = store.read_table(folder, f"{name}.parquet", ["chain_id"])["chain_id"]
    except CorruptShard:  # it is about to be made anew
        return set()
    return set(column.to_pylist())


def gather_authored(workspace: Workspace) -> store.Manifest:
    """Write authored.parquet and rejected.parquet from the files and the drafts that are there.

    What was made of the same sources is left as it is. Raises CorruptShard.
    """
    there = sources(workspace)
    folder = authored_folder(workspace)
    plan = store.Plan(
        stage="dialogues/question-chain/authored",
        inputs={_input_of(source): source.manifest.digest() for source in there},
        settings={},
    )
    standing = store.finished(folder, plan)
    if standing is not None:
        return standing
    kept, rejects = _merged(there)
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        out.table("authored", to_table(kept, QuestionChain))
        out.table("rejected", to_table(rejects, Reject))
        out.counts.update(chains=len(kept), rejected=len(rejects))
        for one in rejects:
            out.reasons[one.reason] = out.reasons.get(one.reason, 0) + 1
    return store.require(folder, COMMAND)


def _input_of(source: Source) -> str:
    return source.name if source.is_drafted else f"written/{source.name}"


def _merged(there: Sequence[Source]) -> tuple[list[QuestionChain], list[Reject]]:
    kept: dict[str, tuple[QuestionChain, Source]] = {}
    rejects: list[Reject] = []
    for source in there:
        rejects += _rejects(source.folder)
        for chain in chains_of(source):
            _, other = kept.setdefault(chain.chain_id, (chain, source))
            if other is not source:
                rejects.append(_taken(chain, source, other))
    return [kept[name][0] for name in sorted(kept)], rejects


def _taken(chain: QuestionChain, source: Source, other: Source) -> Reject:
    return Reject(
        source="question-chain",
        kind="dialogue",
        source_id=chain.chain_id,
        row=None,
        path=source.name,
        reason="id_taken",
        message=f"{other.name} holds a chain of this id, which stands; give this one another",
    )


def _chains(folder: Path, name: str) -> list[QuestionChain]:
    return list(from_table(store.read_table(folder, f"{name}.parquet"), QuestionChain))


def _rejects(folder: Path) -> Iterator[Reject]:
    return from_table(store.read_table(folder, "rejected.parquet"), Reject)
