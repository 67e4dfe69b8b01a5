"""Which command a workspace waits for."""

import shlex
from collections.abc import Mapping
from importlib.util import find_spec

from benchwright import store
from benchwright.decisions.awaited import audit_state
from benchwright.decisions.journal import read_journal
from benchwright.status import StageStatus, read_status
from benchwright.workspace import DEFAULT_WORKSPACE, Workspace

_VALUES = ("size", "episodes", "per_value", "min_gallery", "seed")
_AGAIN = "run again the"  # begins a sentence that is no command to copy
_FLAGS = ("paired", "only_identifiable")
_GALLERIES = "build-galleries"
_FIRST_GALLERIES = f"{_GALLERIES} --tau 0.6"
_DEDUP = "build-catalog dedup"
_PLAN = "review-labels plan"
_DRAFTING = {  # what makes drafts of what somebody began with
    "false-premise": "run --voters FILE",
    "candidate-set": "run",
    "question-chain": "integrate",
}
MISSING_LABELS = "labels missing"  # of detectors, as the manifest of a run counts them
_SCORES = "scores.json"
_CANDIDATE_SETS = "build-dialogues candidate-set run"  # first of what scenes are good for
_OTHER_DIALOGUES = (
    "build-dialogues false-premise run --voters FILE",
    "build-dialogues question-chain author FILE",
)
_RELEASE = "push-release build NAME --version 1.0.0"
_SYNC_SHEET = "review-labels sync --sheet FILE"
_NAMES = 3  # of auditors in a line
_UNDECIDED = "undecided"  # as labeling/dialogues/stored.py calls it
_SETTLED = frozenset({"rejected", "another turn is withheld"})  # reasons that wait for nobody


def next_step(workspace: Workspace) -> str:
    """Return the line that says what to run next, or that nothing waits."""
    stages, where = read_status(workspace), workspace_text(workspace)
    if not stages:
        return f"next: build-catalog table FILE{where}, or build-galleries{where} for the sample"
    runs = [stage for stage in stages if stage.name.startswith("runs/")]
    made = [stage for stage in stages if not stage.name.startswith(("runs/", "trajectories/"))]
    command = (_making(made, workspace) if made else None) or _runs(runs)
    if command is None:
        reports = f"; open {workspace.galleries}/*/report.html" if _has_attributes(stages) else ""
        return f"nothing waits{reports}{_before_release(stages, where)}"
    if command.startswith(_AGAIN):
        return f"next: {command}"
    if command == _FIRST_GALLERIES:
        return f"next: {_first_galleries(stages, workspace)}"
    if command == _CANDIDATE_SETS and _may_be_described(stages):
        return f"next: {', or '.join(f'{each}{where}' for each in (command, *_OTHER_DIALOGUES))}"
    return f"next: {command}{where}"


def after_galleries(workspace: Workspace) -> str:
    """Return the line that says what comes after galleries: what waits, else a release."""
    said, stages = next_step(workspace), read_status(workspace)
    if said.startswith("next: "):
        return said
    where = workspace_text(workspace)
    release = f"{_RELEASE}{where}"
    if _lacks_dedup(stages):
        return f"next: {_DEDUP}{where} and {_GALLERIES} again, then {release}"
    return f"next: {release}"


def _may_be_described(stages: list[StageStatus]) -> bool:
    """Whether the pictures come with captions, so that people know more than an object of them."""
    return any(
        stage.name == "catalog" and stage.manifest and stage.manifest.counts.get("captions")
        for stage in stages
    )


def _first_galleries(stages: list[StageStatus], workspace: Workspace) -> str:
    """Return what comes before the first galleries, and the command that builds them."""
    where = workspace_text(workspace)
    said = f"{_FIRST_GALLERIES}{where}"
    if _lacks_dedup(stages):  # found later, near-duplicates would make the galleries stale
        said = f"{_DEDUP}{where} (look-alikes that are one picture), then {said}"
    if _may_be_audited(stages, workspace):
        said = f"{said}, or {_PLAN} first, so that people judge the labels"
    return said


def _before_release(stages: list[StageStatus], where: str) -> str:
    """Return what the gate of a release will ask for, where it was not done."""
    galleries = any(stage.name.startswith("galleries/") for stage in stages)
    dialogues = any(stage.name.startswith("dialogues/") for stage in stages)
    if not (galleries or dialogues) or not _lacks_dedup(stages):
        return ""
    again = f" and {_GALLERIES} again" if galleries else ""
    return f"; before a release: {_DEDUP}{where}{again}"


def _lacks_dedup(stages: list[StageStatus]) -> bool:
    """Whether there are pictures among which nobody looked for near-duplicates."""
    by_name = {stage.name: stage for stage in stages}
    catalog = by_name.get("catalog")
    has_pictures = catalog and catalog.manifest and catalog.manifest.counts.get("pictures")
    return bool(has_pictures) and "catalog/duplicates" not in by_name


def _making(stages: list[StageStatus], workspace: Workspace) -> str | None:
    """Return the command that something waits for of which a benchmark is made."""
    return (
        _before_galleries(stages, workspace)
        or _audit(workspace)
        or _dialogues(stages, workspace)
        or (_galleries(stages) if _has_attributes(stages) else _scenes(stages))
        or _leaks(stages)
    )


def workspace_text(workspace: Workspace) -> str:
    """Return what a command to copy ends with, so that it works in a workspace."""
    root = str(workspace.root)
    return "" if root == DEFAULT_WORKSPACE else f" --workspace {shlex.quote(root)}"


def has_app() -> bool:
    """Tell whether FiftyOne is installed, which is not imported."""
    return find_spec("fiftyone") is not None


def judging_text(audit: str, workspace: Workspace) -> str:
    """Return the command by which people judge an audit here: in the App, or on a sheet.

    Where sheets were written and no audit was opened, audits go by sheets.
    """
    how = "sheet" if _goes_by_sheets(workspace) else "open"
    return f"review-labels {how} --audit {audit} --auditor NAME"


def syncing_text(workspace: Workspace) -> str:
    """Return the command that takes in what people judged so."""
    return _SYNC_SHEET if _goes_by_sheets(workspace) else "review-labels sync"


def _goes_by_sheets(workspace: Workspace) -> bool:
    if not has_app():
        return True
    was_opened = (workspace.audits / "database").is_dir()
    return not was_opened and any((workspace.audits / "sheets").glob("*.keys.jsonl"))


def _judging(audit: str, workspace: Workspace) -> str:
    """Return how people go on with an audit: sheets that are out come back first."""
    command = judging_text(audit, workspace)
    waiting = _sheets_out(audit, workspace) if _goes_by_sheets(workspace) else []
    if not waiting:
        return command
    where = workspace_text(workspace)
    who = ", ".join(waiting[:_NAMES]) + (", …" if len(waiting) > _NAMES else "")
    return f"{_SYNC_SHEET}{where} with what comes back of {who}, or {command}"


def _sheets_out(audit: str, workspace: Workspace) -> list[str]:
    """Return the auditors for whom sheets lie there, and of whom the journal has nothing yet."""
    names = {
        path.stem.removeprefix(f"{audit}-")
        for path in (workspace.audits / "sheets").glob(f"{audit}-*.csv")
    }
    return sorted(names - {one.auditor for one in read_journal(workspace).decisions})


def _before_galleries(stages: list[StageStatus], workspace: Workspace) -> str | None:
    """Return the command that catalog or labels wait for."""
    by_name = {stage.name: stage for stage in stages}
    catalog = by_name.get("catalog")
    if catalog is None or not _done(catalog):
        if catalog is None:
            return "build-catalog table FILE"
        return f"{_AGAIN} build-catalog command{' with --force' if catalog.fault else ''}"
    duplicates = by_name.get("catalog/duplicates")
    if duplicates is not None and not _done(duplicates):
        return _dedup(duplicates)
    return _labels(by_name, catalog, workspace)


def _has_attributes(stages: list[StageStatus]) -> bool:
    """Whether there is an attribute that galleries could go by."""
    return any(
        stage.name == "labels"
        or (stage.name == "catalog" and stage.manifest and stage.manifest.counts.get("attributes"))
        for stage in stages
    )


def _scenes(stages: list[StageStatus]) -> str | None:
    """Return what may be done with dialogues or boxes, where nobody began with dialogues."""
    if any(stage.name.startswith("dialogues/") for stage in stages):
        return None
    catalog = next(stage.manifest for stage in stages if stage.name == "catalog")
    if catalog is None or not catalog.counts.get("dialogues"):
        return "build-catalog grid"
    return _CANDIDATE_SETS if catalog.counts.get("pictures") else None


def _dialogues(stages: list[StageStatus], workspace: Workspace) -> str | None:
    """Return what the first kind of dialogues waits for that somebody began with."""
    by_name = {stage.name: stage for stage in stages}
    for kind, drafting in _DRAFTING.items():
        begun = [stage for stage in stages if stage.name.startswith(f"dialogues/{kind}")]
        if any(stage.manifest is None or stage.fault for stage in begun):
            return f"{_AGAIN} build-dialogues {kind} command"
        if begun and f"dialogues/{kind}/drafts" not in by_name:
            return f"build-dialogues {kind} {drafting}"
        waiting = _waiting_reasons(by_name, kind) if begun else frozenset()
        if waiting:
            audit = "disagreements" if waiting == {_UNDECIDED} else kind
            return _judging(audit, workspace)
    return None


def _waiting_reasons(by_name: Mapping[str, StageStatus], kind: str) -> frozenset[str]:
    """Return why records of a kind are withheld for which people can still do something."""
    drafts, decided = (by_name.get(f"dialogues/{kind}{part}") for part in ("/drafts", ""))
    if drafts is None or drafts.manifest is None:
        return frozenset()
    if (
        decided is None
        or decided.manifest is None
        or decided.manifest.plan.inputs["drafts"] != drafts.manifest.digest()
    ):
        return frozenset({"not judged yet"})
    return frozenset(decided.manifest.reasons) - _SETTLED


def _labels(
    by_name: Mapping[str, StageStatus], catalog: StageStatus, workspace: Workspace
) -> str | None:
    votes = by_name.get("labels/votes")
    if votes is not None and not _done(votes):
        return f"{_AGAIN} label-attributes run command"
    labels = by_name.get("labels")
    made_of = labels.manifest.plan.inputs if labels and labels.manifest else {}
    if votes is not None and "votes" not in made_of:
        return "label-attributes decide"
    if _done(by_name.get("labels", catalog)):
        return None
    if votes is None:
        return "label-attributes normalise"
    plan = labels.manifest.plan if labels and labels.manifest else None
    return _decide_again(plan, workspace)


def _decide_again(plan: store.Plan | None, workspace: Workspace) -> str:
    """Return the command that decides by the same method again."""
    if plan is None:
        return "label-attributes decide"
    if "weights_file" in plan.inputs:  # no manifest keeps where a file of the user's lay
        return f"{_AGAIN} label-attributes decide command"
    return f"label-attributes decide{_decide_options(plan, workspace)}"


def _decide_options(plan: store.Plan, workspace: Workspace) -> str:
    """Return the options of decide that a plan was made by."""
    chosen = plan.settings
    options = f" --method {chosen['method']} --margin {chosen['margin']}"
    if chosen["quorum"] != "0":
        options += f" --quorum {chosen['quorum']}"
    if "weights" in plan.inputs:
        options += f" --weights {shlex.quote(str(workspace.weights))}"
    return options if chosen["keep_catalog"] else f"{options} --catalog ignore"


def _audit(workspace: Workspace) -> str | None:
    """Return the command that an audit waits for that somebody planned."""
    state = audit_state(workspace)
    if state is None or state.left is None:
        return None
    if state.left:
        return _judging("attributes", workspace)
    return _PLAN if state.is_pilot else None  # the pilot says how many more it takes


def _may_be_audited(stages: list[StageStatus], workspace: Workspace) -> bool:
    """Whether labels were voted that nobody planned to judge."""
    voted = any(stage.manifest and stage.manifest.counts.get("voted") for stage in stages)
    return voted and not (workspace.audits / "plan.json").exists()


def _galleries(stages: list[StageStatus]) -> str | None:
    galleries = [stage for stage in stages if stage.name.startswith("galleries/")]
    waiting = [stage for stage in galleries if not _done(stage)]
    if not waiting:
        return None if galleries else _FIRST_GALLERIES
    plans = [stage.manifest.plan for stage in waiting if stage.manifest is not None]
    if not plans:
        return f"{_AGAIN} {_GALLERIES} command"
    alike = [plan for plan in plans if _options(plan) == _options(plans[0])]
    taus = ",".join(str(plan.settings["tau"]) for plan in alike)
    return f"{_GALLERIES} --tau {taus}{_options(plans[0])}"


def _dedup(stage: StageStatus) -> str:
    """Return the command that gives a stale dedup again, with its settings."""
    if stage.manifest is None:
        return f"{_AGAIN} {_DEDUP} command"
    chosen = stage.manifest.plan.settings
    command = f"{_DEDUP} --method {chosen['method']} --threshold {chosen['threshold']:g}"
    return f"{command} --any-colour" if chosen.get("any_colour") else command


def _leaks(stages: list[StageStatus]) -> str | None:
    """Return what waits for a person: no manifest keeps where the other set lay."""
    for stage in stages:
        if stage.name.startswith("catalog/leaks/") and not _done(stage):
            return f"{_AGAIN} {_DEDUP} --against command, for {stage.name} is stale"
    return None


def _runs(stages: list[StageStatus]) -> str | None:
    """Return what waits for a person: no manifest keeps where the servers are."""
    for stage in stages:
        counts = stage.manifest.counts if stage.manifest is not None else {}
        if not _done(stage) or counts.get("played", 0) < counts.get("episodes", 0):
            drop = "" if counts else ", or remove that folder"
            return (
                f"{_AGAIN} run-benchmark command of {stage.name}, which is not played to its"
                f" end{drop}"
            )
        if stage.manifest and counts.get(MISSING_LABELS) and _SCORES not in stage.manifest.files:
            return (
                f"{_AGAIN} run-benchmark command of {stage.name}, which lacks labels, with --again"
                " refused or another detector, or score it by --detectors that lack none"
            )
    return None


def _options(plan: store.Plan) -> str:
    """Return the options of build-galleries that give a plan again, apart from τ."""
    chosen = {**plan.settings, "seed": plan.seed, "size": plan.settings["sizes"]}
    values = [f" --{name.replace('_', '-')} {chosen[name]}" for name in _VALUES]
    flags = [f" --{name.replace('_', '-')}" for name in _FLAGS if chosen[name]]
    return "".join(values + flags)


def _done(stage: StageStatus) -> bool:
    return stage.manifest is not None and stage.fault is None and not stage.stale
