"""What a workspace holds, how it was made, and what is stale."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright import files, store
from benchwright.asking.answers import held
from benchwright.asking.batch_ledger import under_way
from benchwright.decisions.awaited import audit_state
from benchwright.decisions.on_labels import label_decisions, label_decisions_digest
from benchwright.errors import CorruptShard, UsageError, WorkspaceError
from benchwright.plain_text import counted, excerpt
from benchwright.releases import release_lines
from benchwright.vocabulary_digest import vocabulary_digest, wordings_digest
from benchwright.workspace import Workspace

# where stages write, in the order in which they are made; a pattern stands for several folders
PLACES = (
    "catalog",
    "catalog/duplicates",
    "catalog/leaks/*",
    "labels/votes",
    "labels",
    "galleries/*",
    "dialogues/*/written/*",
    "dialogues/*/*",
    "dialogues/*",
    "audits",
    "runs/*",
    "runs/*/*",
    "trajectories/*",
)
# of the settings of a run, what its name or everybody's default does not tell, besides its judges
_OF_RUNS = ("player", "config", "detectors", "sample", "episodes", "dialogues")
# what "episodes" of a run are called by its config, and "dialogues" of a stage by its folder
_PLAYED = {"false-premise": "dialogues", "candidate-set": "samples", "question-chain": "chains"}
_STANDING = {"dialogues/candidate-set": "turns", "dialogues/question-chain": "chains"}

_ANSWERS, _AUDITS = "answers", "audits"
_NO_COLUMNS = ("missing", "value_separator", "source")  # of the mapping of a table
_LETTERS = 40  # of a text in the settings of a stage
_DIGITS = 8  # of a digest
_DIGEST = re.compile("[0-9a-f]{32,}")

_READ = (
    "catalog",
    "duplicates",
    "votes",
    "labels",
    "vocabulary",
    "wordings",
    "weights",
    "decisions",
)  # inputs that a workspace itself holds


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStatus:
    """One stage folder: finished, stopped half-way (no manifest) or broken (``fault``).

    ``stale`` names the inputs that are no longer those that it was made from; ``is_under_way``
    that another run has begun to replace it, and still goes on or was stopped.
    """

    name: str
    manifest: store.Manifest | None
    stale: tuple[str, ...] = ()
    is_under_way: bool = False
    fault: str | None = None


def read_status(workspace: Workspace) -> list[StageStatus]:
    """Return the state of every stage folder that is there, in the order of the stages."""
    now = current_inputs(workspace)
    return [_status(workspace, folder, now) for folder in _folders(workspace)]


def current_inputs(workspace: Workspace) -> Mapping[str, str]:
    """Return the digests of what the stages read of each other, as they are now."""
    found = {}
    for name, folder in (
        ("catalog", workspace.catalog),
        ("votes", workspace.votes),
        ("labels", workspace.labels),
    ):
        try:
            manifest = store.load_manifest(folder)
        except CorruptShard:
            continue
        if manifest is not None:
            found[name] = manifest.digest()
    try:
        duplicates = store.load_manifest(workspace.catalog / "duplicates")
    except CorruptShard:
        duplicates = None
    if duplicates is not None and "groups" in duplicates.content:  # the rest changes no gallery
        found["duplicates"] = duplicates.content["groups"]
    if workspace.vocabulary.is_file():
        try:
            found["vocabulary"] = vocabulary_digest(workspace.vocabulary)
            found["wordings"] = wordings_digest(workspace.vocabulary)
        except UsageError:
            found["vocabulary"] = found["wordings"] = "unreadable"  # what used it is stale
    weights = workspace.weights
    if weights.is_file():
        found["weights"] = files.sha256_of(weights)
    decisions = label_decisions_digest(label_decisions(workspace))
    if decisions is not None:
        found["decisions"] = decisions
    return found


def _folders(workspace: Workspace) -> Iterator[Path]:
    for place in PLACES:
        for folder in sorted(workspace.root.glob(place)):
            if (folder / store.MANIFEST).is_file() or (folder / store.PARTS).is_dir():
                yield folder


def _status(workspace: Workspace, folder: Path, now: Mapping[str, str]) -> StageStatus:
    name = workspace.relative(folder)
    try:
        manifest = store.load_manifest(folder)
    except CorruptShard as error:
        return StageStatus(name=name, manifest=None, fault=str(error))
    if manifest is None:
        return StageStatus(name=name, manifest=None)
    stale = tuple(
        source
        for source, digest in sorted(manifest.plan.inputs.items())
        if source in _READ
        and now.get(source) != digest
        # those of other stages are not of labels
        and (name == "labels" or source != "decisions")
    )
    unread = now.keys() - manifest.plan.inputs.keys()
    if name.startswith("galleries/") and "duplicates" in unread:
        stale = tuple(sorted((*stale, "duplicates")))  # looked for since the galleries were made
    if name == "labels":  # asked for, or decided, since the labels were made
        stale = tuple(sorted((*stale, *(unread & {"votes", "decisions"}))))
    spoilt = [name for name, entry in manifest.files.items() if not _is_whole(folder / name, entry)]
    fault = (
        f"{folder / spoilt[0]} is missing or cut; make it again with --force" if spoilt else None
    )
    if fault is None and manifest.plan.settings.get("link"):
        lost = [path for path in workspace.images.glob("??/*") if not path.exists()]
        if lost:
            fault = f"{len(lost):,} linked pictures are gone, such as {lost[0].readlink()}"
    return StageStatus(
        name=name,
        manifest=manifest,
        stale=stale,
        is_under_way=(folder / store.PARTS).is_dir(),
        fault=fault,
    )


def _is_whole(path: Path, entry: store.DataFile) -> bool:
    return path.is_file() and path.stat().st_size == entry.size


def status_lines(workspace: Workspace, stages: list[StageStatus]) -> list[str]:
    """Return the status as lines of text."""
    made = [(stage.name, list(_described(stage))) for stage in stages]
    parts = [*made, *release_lines(workspace)]
    for name, said in ((_AUDITS, _audits(workspace)), (_ANSWERS, _answers(workspace))):
        if said is not None:
            parts.append((name, [said]))
    if not parts:
        return [f"{workspace.root}: empty"]
    width = max(len(name) for name in (_ANSWERS, _AUDITS, *(name for name, _ in parts)))
    lines = [f"{workspace.root}:"]
    for name, (first, *others) in parts:
        lines.append(f"  {name:<{width}}  {first}")
        lines += [f"  {'':<{width}}  {other}" for other in others]
    return lines


def _audits(workspace: Workspace) -> str | None:
    """Return where the audit of labels stands, null where none was begun."""
    state = audit_state(workspace)
    if state is None:
        return None
    labels, auditors = counted(state.judged, "label"), counted(state.auditors, "auditor")
    said = f"{labels} judged by {auditors}" if state.judged else "no label judged"
    if state.planned is None:
        return said
    plan = "pilot" if state.is_pilot else "plan"
    return f"{said}; {plan}: {state.left:,} of {state.planned:,} judgements to be made"


def _answers(workspace: Workspace) -> str | None:
    """Return what the models' answers are, null where none were asked for."""
    if not workspace.answers.is_file():
        return None
    try:
        found, batches = held(workspace.answers), under_way(workspace.answers)
    except WorkspaceError as error:
        return str(error)
    return f"{found.answers:,} of {counted(found.voters, 'voter')}; batches under way: {batches:,}"


def _described(stage: StageStatus) -> Iterator[str]:
    manifest = stage.manifest
    if manifest is None:
        yield stage.fault or "stopped half-way: run its command again and it goes on"
        return
    left_out = ", ".join(f"{n:,} {name}" for name, n in manifest.reasons.items())
    settings = manifest.plan.settings
    called = _called(stage.name, settings)
    counts = ", ".join(
        f"{count:,} {called.get(name, name)}" for name, count in manifest.counts.items() if count
    )
    said = [
        f"{called.get(name, name)} {text}"
        for name, value in _shown(stage.name, settings).items()
        if (text := _text(value))
    ]
    if manifest.plan.seed is not None:
        said.append(f"seed {manifest.plan.seed}")
    version = f"benchwright {manifest.version}, {manifest.seconds:.1f} s"
    for parts in ((counts, left_out and f"left out: {left_out}"), (", ".join(said), version)):
        if any(parts):
            yield "; ".join(filter(None, parts))
    if stage.fault:
        yield stage.fault
    if stage.is_under_way:
        yield "another run has begun to replace it: if it was stopped, run its command again"
    if stage.stale:
        yield f"stale: {' and '.join(stage.stale)} changed since"


def _called(stage: str, settings: Mapping[str, Any]) -> dict[str, str]:
    """Return what counts and settings of a stage are called where their names mean less."""
    if stage.startswith("runs/"):
        played = _PLAYED.get(str(settings.get("config")))
        return {"episodes": played} if played else {}
    return {"dialogues": _STANDING[stage]} if stage in _STANDING else {}


def _shown(stage: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are worth a line: of runs who took part, how much, and noise."""
    return {
        name: _columns(value) if name == "mapping" and isinstance(value, Mapping) else value
        for name, value in settings.items()
        if value
        and (
            not stage.startswith("runs/")
            or name in (*_OF_RUNS, "noise")
            or (isinstance(value, Mapping) and "name" in value)
        )
    }


def _columns(mapping: Mapping[str, Any]) -> str:
    """Return which columns of a table are what: many of one role as their number."""
    return " ".join(
        f"{role}={len(column) if isinstance(column, list | tuple) else column}"
        for role, column in mapping.items()
        if column and role not in _NO_COLUMNS
    )


def _text(value: object) -> str:
    """Return a setting as a person reads it; what is long is cut, and a map goes by its keys."""
    if isinstance(value, Mapping) and "name" in value:
        return _text(value["name"])
    if isinstance(value, Mapping) and any(isinstance(entry, Mapping) for entry in value.values()):
        return _joined([_text(name) for name in value])
    if isinstance(value, Mapping):
        whole = " ".join(f"{name}={_text(entry)}" for name, entry in value.items() if entry)
        return whole if len(whole) <= _LETTERS else _joined([_text(name) for name in value])
    if isinstance(value, list | tuple):
        return _joined([_text(entry) for entry in value])
    said = str(value)
    return said[:_DIGITS] if _DIGEST.fullmatch(said) else excerpt(said, _LETTERS)


def _joined(entries: list[str]) -> str:
    """Return the first entries, as many as are short together, and how many more there are."""
    shown = 1
    while shown < len(entries) and len("+".join(entries[: shown + 1])) <= _LETTERS:
        shown += 1
    more = len(entries) - shown
    return "+".join(entries[:shown]) + (f" and {more} more" if more else "")
