"""The command push-release coco."""

from pathlib import Path

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("coco")
@click.argument("release", required=False)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write into.",
)
@workspace_option
def coco_command(release: str | None, out: Path, workspace: Workspace) -> None:
    """Write COCO files: objects of the catalog, or with RELEASE its candidate sets.

    RELEASE is its folder, or REPO@TAG on the Hub; its pictures are written beside the file.
    """
    if release is not None:
        _candidate_sets(release, out)
        return
    from benchwright import store  # noqa: PLC0415  # imports pyarrow
    from builders.catalog import iterate_items  # noqa: PLC0415
    from exports.coco.objects import write_coco  # noqa: PLC0415

    store.require(workspace.catalog, "build-catalog")
    out.mkdir(parents=True, exist_ok=True)
    written = write_coco(iterate_items(workspace), out / "instances.json")
    for path in written.paths:
        say(str(path))
    say(
        f"{written.pictures:,} pictures, {written.objects:,} objects, {written.captions:,} captions"
        f" ({written.without_picture:,} items without a picture are left out)"
    )
    say(f"the pictures are under {workspace.images}")


def _candidate_sets(release: str, out: Path) -> None:
    from exports.coco.candidate_sets import write_candidate_sets  # noqa: PLC0415
    from exports.pushing.fetching import fetched, named  # noqa: PLC0415  # imports huggingface_hub

    folder = fetched(release)
    with named(release, folder):
        written = write_candidate_sets(folder, out)
    say(str(written.path))
    say(
        f"{written.pictures:,} pictures, {written.dialogues:,} dialogues, {written.boxes:,} boxes;"
        f" the pictures are under {out / 'images'}"
    )
