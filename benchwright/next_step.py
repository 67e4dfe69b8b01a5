"""Which command a workspace waits for."""

import shlex

from benchwright import store
from benchwright.status import StageStatus, read_status
from benchwright.workspace import DEFAULT_WORKSPACE, Workspace

_VALUES = ("size", "episodes", "per_value", "min_gallery", "seed")
_FLAGS = ("paired", "only_identifiable")


def next_step(workspace: Workspace) -> str:
    """Return the line that says what to run next, or that nothing waits."""
    stages = read_status(workspace)
    root = str(workspace.root)
    where = "" if root == DEFAULT_WORKSPACE else f" --workspace {shlex.quote(root)}"
    if not stages:
        return f"next: build-catalog table FILE{where}, or build-galleries{where} for the sample"
    command = _before_galleries(stages) or _galleries(stages)
    if command is None:
        return f"nothing waits; open {workspace.galleries}/*/report.html"
    return f"next: {command}{where}"


def _before_galleries(stages: list[StageStatus]) -> str | None:
    """Return the command that catalog or labels wait for."""
    by_name = {stage.name: stage for stage in stages}
    catalog = by_name.get("catalog")
    if catalog is None or not _done(catalog):
        stopped = catalog is not None and catalog.fault is None
        return "the same build-catalog command again" if stopped else "build-catalog table FILE"
    if not _done(by_name.get("catalog/duplicates", catalog)):
        return "build-catalog dedup"
    if not _done(by_name.get("labels", catalog)):
        return "label-attributes normalise"
    has_attributes = catalog.manifest and catalog.manifest.counts.get("attributes", 0)
    if "labels" not in by_name and not has_attributes:
        return "build-catalog grid"  # galleries would have no attribute to go by
    return None


def _galleries(stages: list[StageStatus]) -> str | None:
    galleries = [stage for stage in stages if stage.name.startswith("galleries/")]
    waiting = [stage for stage in galleries if not _done(stage)]
    if not waiting:
        return None if galleries else "build-galleries --tau 0.6"
    plans = [stage.manifest.plan for stage in waiting if stage.manifest is not None]
    if not plans:
        return "the same build-galleries command again"
    alike = [plan for plan in plans if _options(plan) == _options(plans[0])]
    taus = ",".join(str(plan.settings["tau"]) for plan in alike)
    return f"build-galleries --tau {taus}{_options(plans[0])}"


def _options(plan: store.Plan) -> str:
    """Return the options of build-galleries that give a plan again, apart from τ."""
    chosen = {**plan.settings, "seed": plan.seed, "size": plan.settings["sizes"]}
    values = [f" --{name.replace('_', '-')} {chosen[name]}" for name in _VALUES]
    flags = [f" --{name.replace('_', '-')}" for name in _FLAGS if chosen[name]]
    return "".join(values + flags)


def _done(stage: StageStatus) -> bool:
    return stage.manifest is not None and stage.fault is None and not stage.stale
