"""What a run keeps of the steps that stand, where the user does not say otherwise."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from typing import Any

from benchwright import store
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from builders.complexity import GridRules
from labeling.dialogues.false_premise.describing.describe import described_folder
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder
from labeling.dialogues.false_premise.planning.plan import plan_folder, settings_of_rules
from labeling.dialogues.false_premise.seeing.see import seen_folder

Options = Mapping[str, Any]  # by the names of their parameters, such as per_cell


def standing_options(workspace: Workspace) -> dict[str, Any]:
    """Return the options of ``run`` that the steps which stand were made with, but for --grid.

    Raises CorruptShard.
    """
    found: dict[str, Any] = {}
    plan = store.load_manifest(plan_folder(workspace))
    if plan is not None:
        said = plan.plan.settings
        found |= {
            "per_cell": said["per_cell"],
            "crossed": said["is_crossed"],
            "correct_turns": said["schedule"]["correct"],
            "turns": said["schedule"]["turns"],
            "seed": plan.plan.seed,
        }
    described = store.load_manifest(described_folder(workspace))
    if described is not None:
        found["max_retries"] = described.plan.settings["max_retries"]
    falsified = store.load_manifest(falsified_folder(workspace))
    if falsified is not None:
        found |= {name: falsified.plan.settings[name] for name in ("variants", "max_retries")}
    seen = store.load_manifest(seen_folder(workspace))
    if seen is not None:
        found["boxes"] = seen.plan.settings["most_boxes"]
    return found


def standing_rules(workspace: Workspace) -> GridRules:
    """Return the rules of the plan that stands, the built-in ones where there is no plan.

    Raises UsageError where it was made with categories of a file: it does not hold them.
    """
    plan = store.load_manifest(plan_folder(workspace))
    built_in = GridRules()
    if plan is None:
        return built_in
    said = plan.plan.settings["rules"]
    if said["categories"] != settings_of_rules(built_in)["categories"]:
        raise UsageError(
            f"{plan_folder(workspace)}: was planned with the categories of a file; name it again"
            " by --grid, beside the options that change the plan"
        )
    names = [each.name for each in fields(GridRules) if each.name != "categories"]
    return GridRules(**{name: said[name] for name in names})


def kept_lines(
    chosen: Options, standing: Options, given: Collection[str], defaults: Options
) -> Iterator[str]:
    """Yield what was given and differs from what stands, and what is kept and is no default."""
    changed = [name for name in standing if name in given and chosen[name] != standing[name]]
    if changed:
        said = (f"{_said(name, chosen[name])} (was {_value(standing[name])})" for name in changed)
        yield f"other options than those of what stands: {', '.join(said)}"
    kept = [name for name in standing if name not in given and standing[name] != defaults[name]]
    if kept:
        said = (_said(name, standing[name]) for name in kept)
        yield f"kept from what stands: {', '.join(said)}"


def _said(name: str, value: Any) -> str:
    option = "--" + name.replace("_", "-")
    return option if isinstance(value, bool) else f"{option} {value}"


def _value(value: Any) -> str:
    return "without" if value is False else str(value)
