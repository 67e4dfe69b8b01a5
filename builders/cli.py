"""The command ``build-catalog``: sources become a catalog."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from benchwright.commands import (
    entry_point,
    force_option,
    progress_bar,
    seed_option,
    version_option,
    workspace_option,
)
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.store import Manifest
    from builders.invig.draft import Language

_MOST_REASONS = 8

workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    help="Worker processes; by default one for each processor.",
)
link_option = click.option(
    "--link",
    is_flag=True,
    help="Leave picture files where they are, as links, where they need no change.",
)


@click.group()
@version_option
def build_catalog() -> None:
    """Turn a source of pictures and attributes into the catalog of a workspace."""


@build_catalog.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--id", "id_", metavar="COL", help="Column with the id of a row.")
@click.option("--image", metavar="COL", help="Column with a picture's file or link; '' for none.")
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder that picture files are relative to; by default the table's own.",
)
@click.option("--group", metavar="COL", help="Column that is alike for pictures of one product.")
@click.option("--title", metavar="COL", help="Column with a title.")
@click.option("--licence", metavar="COL", help="Column with the licence of a picture.")
@click.option("--author", metavar="COL", help="Column with the author of a picture.")
@click.option("--url", metavar="COL", help="Column with the page or link to show as the origin.")
@click.option("--split", metavar="COL", help="Column with the split: train, test and so on.")
@click.option(
    "--attributes", multiple=True, metavar="COL,COL", help="Columns with visual attributes."
)
@click.option(
    "--missing",
    multiple=True,
    metavar="WORD,WORD",
    help="Words that mean no value, beside the empty cell.  [default: null,none]",
)
@click.option("--value-separator", metavar="TEXT", help="What divides values in one cell: ';'.")
@click.option("--source", metavar="NAME", help="Name of the source.  [default: table]")
@click.option(
    "--mapping",
    type=click.Path(path_type=Path),
    help="YAML file with these settings (keys: id, image, …); options win over it.",
)
@workspace_option
@force_option
@workers_option
@link_option
def table(  # noqa: PLR0913  # one parameter for each option
    *,
    files: tuple[Path, ...],
    id_: str | None,
    images: Path | None,
    attributes: tuple[str, ...],
    missing: tuple[str, ...],
    mapping: Path | None,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    link: bool,
    **roles: str | None,
) -> None:
    """Build it from tables: CSV, TSV, JSON Lines or Parquet.

    Columns that no option names are proposed from their names and contents, and printed.
    Links are fetched once; fetched.jsonl in the catalog remembers the answers.
    """
    from builders.table.build import build_table  # noqa: PLC0415
    from builders.table.mapping import MappingOptions, load_mapping  # noqa: PLC0415

    words = tuple(word for text in missing for word in text.split(","))
    options = MappingOptions(
        id=id_, attributes=attributes or None, missing=words if missing else None, **roles
    )
    if mapping is not None:
        options = options.over(load_mapping(mapping))
    built = build_table(
        files,
        workspace,
        options=options,
        images=images,
        workers=workers,
        force=force,
        link=link,
        progress=progress_bar,
        report=click.echo,
    )
    _print_result(workspace, built.manifest, is_new=built.is_new)


@build_catalog.command()
@click.option(
    "--n", type=click.IntRange(1), default=600, show_default=True, help="How many dresses to draw."
)
@seed_option
@workspace_option
@force_option
@workers_option
def sample(*, n: int, seed: int, workspace: Workspace, force: bool, workers: int | None) -> None:
    """Draw the built-in sample: dresses with exact attributes, no download."""
    from builders.sample.build import build_sample  # noqa: PLC0415

    built = build_sample(
        workspace, n=n, seed=seed, workers=workers, force=force, progress=progress_bar
    )
    _print_result(workspace, built.manifest, is_new=built.is_new)


@build_catalog.command()
@click.option(
    "--method",
    type=click.Choice(["phash", "clip"]),
    default="phash",
    show_default=True,
    help="Compare by perceptual hash, or by CLIP embedding (needs the extra clip).",
)
@click.option(
    "--threshold",
    type=float,
    help="phash: bits of 256 that may differ; clip: least cosine.  [default: 30; 0.96]",
)
@click.option(
    "--any-colour", is_flag=True, help="Link pictures of one shape in other colours as well."
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    help="Report the pictures that this workspace, or folder of pictures, has as well.",
)
@click.option("--clip-model", metavar="NAME", help="Model of open_clip.  [default: ViT-B-32]")
@click.option("--clip-weights", metavar="NAME", help="Its weights.  [default: laion2b_s34b_b79k]")
@workspace_option
@force_option
@workers_option
def dedup(  # one parameter for each option
    *,
    method: Literal["phash", "clip"],
    threshold: float | None,
    any_colour: bool,
    against: Path | None,
    clip_model: str | None,
    clip_weights: str | None,
    workspace: Workspace,
    force: bool,
    workers: int | None,
) -> None:
    """Find near-duplicates: they become one group, and no gallery shows two of a group.

    The catalog stays as it is; the groups, the pairs and a report to check the threshold by are
    written beside it. With --against nothing is grouped: leaks are reported.
    """
    from builders.duplicates.clip import MODEL, WEIGHTS  # noqa: PLC0415
    from builders.duplicates.dedup import dedup as find  # noqa: PLC0415
    from builders.duplicates.dedup import duplicate_lines  # noqa: PLC0415
    from builders.duplicates.leaks import find_leaks, leak_lines, leaks_folder  # noqa: PLC0415
    from builders.duplicates.settings import DedupSettings  # noqa: PLC0415

    settings = DedupSettings(
        method=method,
        threshold=threshold,
        any_colour=any_colour,
        model=clip_model or MODEL,
        weights=clip_weights or (None if clip_model else WEIGHTS),
    )
    if against is None:
        done = find(workspace, settings, workers=workers, force=force, progress=progress_bar)
        lines = duplicate_lines(done.manifest.counts, settings)
        folder = workspace.catalog / "duplicates"
    else:
        done = find_leaks(
            workspace, against, settings, workers=workers, force=force, progress=progress_bar
        )
        lines = leak_lines(done.manifest.counts, done.manifest.reasons)
        folder = leaks_folder(workspace, against)
    if not done.is_new:
        click.echo("nothing to do: this was found with the same inputs (--force redoes it)")
    for line in [*lines, f"check the threshold: {folder / 'report.html'}"]:
        click.echo(line)


@build_catalog.command()
@click.option(
    "--rules",
    type=click.Path(path_type=Path),
    help="YAML file with thresholds and categories that win over the built-in ones.",
)
@workspace_option
def grid(*, rules: Path | None, workspace: Workspace) -> None:
    """Count the pictures for each category and visual complexity of the false-premise grid.

    The categories are person, vehicle, animal and food; the complexity is read off the boxes of
    the category. A picture can fill a cell in each category.
    """
    from builders.catalog import iterate_items  # noqa: PLC0415
    from builders.complexity import GridRules, count_grid, grid_lines, load_rules  # noqa: PLC0415

    chosen = GridRules() if rules is None else load_rules(rules)
    for line in grid_lines(count_grid(iterate_items(workspace), chosen)):
        click.echo(line)


@build_catalog.command("open-images")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder with the pictures, named by their ids; by default FOLDER and all in it.",
)
@click.option("--fetch", is_flag=True, help="Get pictures without a file from their OriginalURL.")
@click.option(
    "--no-pictures", is_flag=True, help="Items without pictures: labels only, since boxes need one."
)
@click.option(
    "--classes",
    multiple=True,
    metavar="NAME,NAME",
    help="Only pictures that show one of these classes (names or codes) or a kind of it.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Only N pictures, chosen by the seed."
)
@click.option(
    "--source", metavar="NAME", default="open-images", show_default=True, help="Name of the source."
)
@seed_option
@workspace_option
@force_option
@workers_option
@link_option
def open_images(  # noqa: PLR0913  # one parameter for each option
    *,
    folder: Path,
    images: Path | None,
    fetch: bool,
    no_pictures: bool,
    classes: tuple[str, ...],
    limit: int | None,
    source: str,
    seed: int,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    link: bool,
) -> None:
    """Build it from a FOLDER of Open Images files, V3 to V7.

    Each CSV file (also .csv.gz) is recognised by its header: image lists, boxes, labels,
    relationships, masks, class names. What is missing is left out, and said.
    """
    from builders.open_images.build import (  # noqa: PLC0415
        OpenImagesOptions,
        build_open_images,
        describe_objects,
    )

    options = OpenImagesOptions(
        images=images,
        fetch=fetch,
        without_pictures=no_pictures,
        classes=classes,
        limit=limit,
        seed=seed,
        source=source,
    )
    built = build_open_images(
        folder,
        workspace,
        options=options,
        workers=workers,
        force=force,
        link=link,
        progress=progress_bar,
        report=click.echo,
    )
    for line in describe_objects(built.manifest) if built.is_new else ():
        click.echo(line)
    _print_result(workspace, built.manifest, is_new=built.is_new)


@build_catalog.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder with the pictures; by default those of the files, and images/ in them.",
)
@click.option(
    "--fetch", is_flag=True, help="Get pictures without a file from coco_url or flickr_url."
)
@click.option(
    "--split",
    metavar="NAME",
    help="Split of all the pictures; by default names say it (instances_val2017.json: val).",
)
@click.option(
    "--source", metavar="NAME", default="coco", show_default=True, help="Name of the source."
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Reject, row by row, what ids used twice or unknown categories leave unclear.",
)
@workspace_option
@force_option
@workers_option
@link_option
def coco(  # noqa: PLR0913  # one parameter for each option
    *,
    files: tuple[Path, ...],
    images: Path | None,
    fetch: bool,
    split: str | None,
    source: str,
    keep_going: bool,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    link: bool,
) -> None:
    """Build it from FILES in COCO's format, merged by picture.

    Instances, captions, labels, panoptic segments (their boxes), Fashionpedia's attributes and
    what Roboflow, CVAT and LVIS make of the format; keypoints are left out, and said.
    """
    from builders.coco.build import CocoOptions, build_coco  # noqa: PLC0415

    built = build_coco(
        files,
        workspace,
        options=CocoOptions(source=source, split=split, fetch=fetch, keep_going=keep_going),
        images=images,
        workers=workers,
        force=force,
        link=link,
        progress=progress_bar,
        report=click.echo,
    )
    _print_result(workspace, built.manifest, is_new=built.is_new)


@build_catalog.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder with the pictures; by default that of the source itself.",
)
@click.option("--fetch", is_flag=True, help="Get pictures without a file from their links.")
@click.option(
    "--no-pictures",
    is_flag=True,
    help="Items without pictures: the dialogues alone, with boxes where sizes are stated.",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the dialogues, where a layout has both.",
)
@click.option(
    "--split",
    metavar="NAME",
    help="The split to take of several; for one file, the split that it is.",
)
@click.option(
    "--source", metavar="NAME", default="invig", show_default=True, help="Name of the source."
)
@workspace_option
@force_option
@workers_option
@link_option
def invig(  # noqa: PLR0913  # one parameter for each option
    *,
    sources: tuple[str, ...],
    images: Path | None,
    fetch: bool,
    no_pictures: bool,
    language: "Language",
    split: str | None,
    source: str,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    link: bool,
) -> None:
    """Build it from dialogues about pictures, InViG in any of its layouts.

    A SOURCE is a Parquet, JSON Lines or JSON file, a folder of Parquet shards or of a saved
    dataset, or, where no such path exists, ORG/NAME or ORG/NAME@REVISION on the Hugging Face Hub.
    """
    from builders.invig.build import InvigOptions, build_invig  # noqa: PLC0415

    options = InvigOptions(
        images=images,
        language=language,
        source=source,
        split=split,
        fetch=fetch,
        pictures=not no_pictures,
    )
    built = build_invig(
        sources,
        workspace,
        options=options,
        workers=workers,
        force=force,
        link=link,
        progress=progress_bar,
        report=click.echo,
    )
    _print_result(workspace, built.manifest, is_new=built.is_new, most_reasons=0)


def _print_result(
    workspace: Workspace,
    manifest: "Manifest",
    *,
    is_new: bool,
    most_reasons: int = _MOST_REASONS,
) -> None:
    from benchwright.status import next_step  # noqa: PLC0415  # imports pyarrow

    counts = manifest.counts
    if not is_new:
        click.echo("nothing to do: this catalog was built from the same inputs (--force redoes it)")
    click.echo(
        f"{counts['rows']} rows = {counts['items']} items + {counts['rejects']} rejects; "
        f"{counts['pictures']} pictures"
    )
    reasons = sorted(manifest.reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    for reason, count in reasons[:most_reasons]:
        click.echo(f"  {count:>7} {reason}")
    if reasons:
        click.echo(f"each of them, with its line: {workspace.catalog / 'rejects.parquet'}")
    click.echo(f"catalog: {workspace.catalog}")
    click.echo(next_step(workspace))


main = entry_point(build_catalog)
