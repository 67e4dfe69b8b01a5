"""How good a checkpoint is, by the commands' own functions: calibrated, asked, decided, measured.

It is asked in the voter's own captions, which training never reads, about drawings of the sample
that training never drew, clean and degraded; its cuts come from others again.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.asking.session import Spending
from benchwright.clip.choosing import LOCAL
from benchwright.workspace import Workspace
from builders.sample.build import build_sample
from labeling.attributes.measuring.measured_file import measured_json
from labeling.attributes.measuring.measurement import Measurement, measure_labels
from labeling.attributes.measuring.report import measured_lines
from labeling.attributes.run import prepare_vocabulary, run_ensemble
from labeling.attributes.train_small_clip.checkpoint import FIGURES
from labeling.attributes.train_small_clip.recipe import Recipe
from labeling.attributes.voting.asking import AskSettings
from labeling.attributes.voting.clip_calibration import calibrate_clip_voters
from labeling.attributes.voting.ensemble import ClipVoter, Ensemble, ViewSettings

SIDES = {"small": 192, "middle": 256, "large": 384}  # the longer ones of the three views
_KNOWN_SEED, _UNSEEN_SEED = 101, 102  # of samples; those of the demo are 1 and 0


def evaluate(folder: Path, recipe: Recipe, say: Callable[[str], None]) -> dict[str, Any]:
    """Measure the checkpoint in a folder, write figures.json beside it, and return its content.

    Raises what the steps raise.
    """
    with tempfile.TemporaryDirectory() as place:
        measurement = _measured(folder.resolve(), Path(place), recipe)
    for line in measured_lines(measurement.runs, measurement.names):
        say(line)
    clean, degraded = measurement.runs
    figures = {
        "known_drawings": recipe.known,
        "unseen_drawings": recipe.unseen,
        "views": SIDES,
        "measured": measured_json(clean, degraded),
    }
    files.write_json(folder / FIGURES, figures)
    return figures


def _measured(folder: Path, place: Path, recipe: Recipe) -> Measurement:
    known = Workspace(place / "known")
    build_sample(known, n=recipe.known, seed=_KNOWN_SEED)
    asked = _ensemble(folder, None)
    prepare_vocabulary(known, asked, say=_nothing)
    (calibrated,) = calibrate_clip_voters(known, asked, "catalog").voters
    asked = _ensemble(folder, calibrated.path)
    workspaces = {name: Workspace(place / name) for name in ("clean", "degraded")}
    for name, workspace in workspaces.items():
        build_sample(workspace, n=recipe.unseen, seed=_UNSEEN_SEED, degraded=name == "degraded")
        run_ensemble(workspace, asked, AskSettings(), Spending(), keep_catalog=False, say=_nothing)
    return measure_labels(workspaces["clean"], "catalog", workspaces["degraded"])


def _ensemble(folder: Path, thresholds: Path | None) -> Ensemble:
    return Ensemble(
        voters=(
            ClipVoter(kind="clip", name="small", model=f"{LOCAL}{folder}", thresholds=thresholds),
        ),
        views={name: ViewSettings(long_side=side) for name, side in SIDES.items()},
        templates=3,
        full=1,
    )


def _nothing(_line: str) -> None:
    pass
