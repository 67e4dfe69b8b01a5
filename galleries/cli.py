"""The command build-galleries."""

import json
from typing import TYPE_CHECKING, Any

import click

from benchwright.commands import (
    entry_point,
    force_option,
    progress_bar,
    say,
    seed_option,
    version_option,
    workspace_option,
)
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.errors import UsageError
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.clip.embedder import Embedder
    from galleries.build import Galleries
    from galleries.settings import Settings
    from galleries.tau import Tau

_FEW = 0.5  # share of galleries that can be solved, under which the reason is said


@click.command()
@click.option(
    "--tau",
    "taus",
    default="0.6",
    show_default=True,
    metavar="τ[,τ…]",
    help="Least similarity to the target, above 0 and up to 1; several with commas.",
)
@click.option(
    "--per-value",
    type=click.IntRange(0),
    default=7,
    show_default=True,
    help="Others kept for each value of the target; 0 is no limit.",
)
@click.option(
    "--min-gallery",
    type=click.IntRange(2),
    default=6,
    show_default=True,
    help="Least number of pictures in a gallery, target included.",
)
@click.option(
    "--episodes",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="How many galleries to write; 0 is all that qualify.",
)
@click.option(
    "--size",
    default="all",
    show_default=True,
    metavar="all|N|LO-HI",
    help="Pictures in a gallery, target included: the whole pool, or a random part of it.",
)
@click.option(
    "--paired",
    is_flag=True,
    help="The same targets and gallery sizes for every τ of the run.",
)
@click.option(
    "--only-identifiable",
    is_flag=True,
    help="Leave out galleries that no allowed questions can solve.",
)
@click.option(
    "--threads", type=click.IntRange(1), help="Threads of the search; all cores by default."
)
@click.option(
    "--baselines",
    is_flag=True,
    help="Measure how often the picture nearest to the others, by labels, is the target.",
)
@click.option(
    "--clip-model",
    metavar="NAME",
    help="Measure it by looks as well, with this model of open_clip; embedded is the small one"
    " that needs no download.",
)
@click.option("--clip-weights", metavar="NAME", help="Its weights, where it does not bring any.")
@engine_options
@seed_option
@workspace_option
@force_option
@version_option
def build_galleries(
    *,
    workspace: Workspace,
    taus: str,
    size: str,
    threads: int | None,
    engine: Engine,
    baselines: bool,
    clip_model: str | None,
    clip_weights: str | None,
    force: bool,
    **chosen: Any,
) -> None:
    """Build hidden-target galleries of look-alike pictures.

    In an empty workspace the built-in sample catalog is drawn first.
    """
    from benchwright.next_step import after_galleries  # noqa: PLC0415  # imports pyarrow
    from galleries import build, prepare, settings, tau  # noqa: PLC0415  # imports numba

    embedder = _embedder(clip_model, clip_weights)
    wanted = settings.Settings(sizes=settings.Sizes.parse(size), **chosen)
    thresholds = tau.parse_taus(taus)
    prepare.prepare(workspace, say=say, progress=progress_bar)
    found = build.build_galleries(
        workspace,
        thresholds,
        wanted,
        threads=threads,
        engine=engine,
        force=force,
        progress=progress_bar,
    )
    for galleries in found:
        for line in _lines(galleries, workspace, wanted):
            say(line)
        if galleries.manifest is not None and (baselines or embedder is not None):
            for line in _baselines(galleries.tau, workspace, embedder):
                say(line)
    problems = [galleries.problem for galleries in found if galleries.problem]
    if problems:
        raise UsageError("; ".join(dict.fromkeys(problems)))
    say(after_galleries(workspace))


def _lines(galleries: "Galleries", workspace: Workspace, wanted: "Settings") -> list[str]:
    """Return what is said of the galleries of one τ."""
    folder = workspace.galleries / galleries.tau.folder
    if galleries.manifest is None:
        left = f" with these settings; those of before still stand in {folder}"
        return [f"τ {galleries.tau.name}: no galleries{left if galleries.left else ''}"]
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    size, qualifying = summary["gallery_size"], summary["qualifying_targets"]
    lines = [
        f"τ {galleries.tau.name}: {summary['episodes']:,} galleries of {_range(size)}; "
        f"{qualifying:,} of {summary['pictures']:,} pictures qualify "
        "as target" + ("" if galleries.is_new else " (done before)"),
        f"  {100 * summary['identifiable']['share']:.0f} % can be solved by questions, "
        f"{100 * summary['identifiable_protocol']['share']:.0f} % under the protocol",
    ]
    if summary["par"]["mean"] is not None:
        finished = summary["episodes"] - summary["par_protocol"]["none"]
        lines.append(
            f"  par: {summary['par']['mean']:.1f} questions; under the protocol the reference "
            f"questioner gets to the end of {100 * finished / summary['episodes']:.0f} %"
        )
    if summary["identifiable"]["share"] < _FEW:
        hidden = ", ".join(summary["not_asked"])
        why = f" (not asked: {hidden}; askable in {workspace.vocabulary})" if hidden else ""
        lines.append(f"  so few, as some pictures differ in nothing that is known and asked{why}")
    if summary["episodes"] < wanted.episodes and not wanted.only_identifiable:
        lines.append(f"  all that qualify, fewer than --episodes {wanted.episodes}")
    if wanted.only_identifiable:
        lines.append(f"  left out, as no question solves them: {summary['not_identifiable']:,}")
    if galleries.replaced:
        lines.append("  in place of galleries that were made with other settings")
    return [*lines, f"  report: {folder / 'report.html'}"]


def _embedder(model: str | None, weights: str | None) -> "Embedder | None":
    """Load the model, before anything is built: what it lacks is said at once."""
    if model is None:
        if weights is not None:
            raise UsageError(f"--clip-weights {weights}: name their model too, with --clip-model")
        return None
    from benchwright.clip.picture_files import tested_model  # noqa: PLC0415

    return tested_model(
        model, weights, instead="leave --clip-model away: --baselines alone goes by labels"
    )


def _baselines(tau: "Tau", workspace: Workspace, embedder: "Embedder | None") -> list[str]:
    """Measure and keep the baselines of the galleries of one τ; return what is said of them."""
    from benchwright.clip.choosing import INSTALL  # noqa: PLC0415
    from galleries.baselines import (  # noqa: PLC0415
        baseline_lines,
        keep_baselines,
        measure_baselines,
    )

    found = measure_baselines(workspace, tau, embedder, progress_bar)
    keep_baselines(workspace, tau, found)
    lines = baseline_lines(found)
    if found.pictures is None:
        lines.append(f"by pictures: not measured; add --clip-model embedded ({INSTALL})")
    return [
        "  the target guessed without a question, as the picture nearest",
        *(f"    {line}" for line in lines),
    ]


def _range(size: dict[str, Any]) -> str:
    if size["min"] == size["max"]:
        return f"{size['min']} pictures"
    return f"{size['min']} to {size['max']} pictures (mean {size['mean']:.1f})"


main = entry_point(build_galleries)
