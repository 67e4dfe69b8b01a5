"""A measurement from end to end: read, measure, write measured.json and measured.html."""

from dataclasses import dataclass
from pathlib import Path

from benchwright import files
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.attributes.measuring.examples import wrong_examples
from labeling.attributes.measuring.measure import Held, hold, measure
from labeling.attributes.measuring.measured import Measured
from labeling.attributes.measuring.measured_file import measured_json
from labeling.attributes.measuring.page import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What was measured of one workspace, or of two by their names, and where it is written."""

    runs: tuple[Measured, ...]
    names: tuple[str, ...]
    figures: Path
    page: Path


def measure_labels(
    workspace: Workspace, known: str, beside: Workspace | None = None
) -> Measurement:
    """Write labels/measured.json and labels/measured.html of the labels of a workspace.

    ``known`` is a file of labels, ``catalog`` for what the catalog states, or ``decisions`` for
    what people decided of what a plan drew: of each workspace its own. ``beside`` is another
    workspace with the same values.

    Raises WorkspaceError without votes or labels of these, LostPicture where a picture is gone,
    SourceError for a file that cannot be used, UsageError where too little is known or the values
    of the two differ.
    """
    held = [hold(each, known) for each in (workspace, beside) if each is not None]
    _check_alike(held)
    runs = tuple(measure(each, known) for each in held)
    names = _names(held)
    page = render(runs, names, wrong_examples(held[0], runs[0]))
    measurement = Measurement(
        runs=runs,
        names=names,
        figures=workspace.labels / "measured.json",
        page=workspace.labels / "measured.html",
    )
    files.write_json(measurement.figures, measured_json(runs[0], runs[1] if runs[1:] else None))
    files.write_bytes(measurement.page, page)
    return measurement


def _check_alike(held: list[Held]) -> None:
    first, *others = (
        {f"{value.type}: {value.value}" for value in each.votes.values} for each in held
    )
    for each, values in zip(held[1:], others, strict=True):
        if values != first:
            raise UsageError(
                f"{each.workspace.root}: wanted the same values as in {held[0].workspace.root};"
                f" {min(values ^ first)} is in one of the two alone: give both the same"
                " vocabulary.yaml"
            )


def _names(held: list[Held]) -> tuple[str, ...]:
    """Return the names of the folders, in full where two are alike."""
    names = tuple(excerpt(each.workspace.root.resolve().name) for each in held)
    if len(set(names)) == len(names):
        return names
    return tuple(str(each.workspace.root) for each in held)
