"""The command push-release verify."""

from pathlib import Path

import click

from benchwright.commands import progress_bar, say


@click.command("verify")
@click.argument("release")
@click.option(
    "--answers",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The Parquet file with the answers held back, which the build wrote beside the release.",
)
@click.option(
    "--workspace",
    "root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Make it anew of what this workspace recorded, too, and compare.",
)
def verify_command(release: str, answers: Path | None, root: Path | None) -> int:
    """Prove a release: RELEASE is its folder, or REPO@TAG on the Hub.

    Hashes every file, counts every row, decodes every picture, follows every id, and works out
    anew what follows from what else the release holds. Nothing of a workspace is needed. With one,
    every step that calls no model is taken again as well, in a temporary place.
    """
    from benchwright.workspace import Workspace  # noqa: PLC0415
    from exports.pushing.fetching import fetched, named  # noqa: PLC0415  # imports huggingface_hub
    from exports.verifying.verify import verify_release  # noqa: PLC0415  # imports pyarrow

    folder = fetched(release)
    with named(release, folder):
        findings = verify_release(folder, answers=answers, progress=progress_bar)
    if root is not None and all(found.holds for found in findings):
        from exports.verifying.rebuilding import rebuild_release  # noqa: PLC0415  # imports numba

        findings += rebuild_release(folder, Workspace(root), progress=progress_bar)
    for found in findings:
        for line in found.lines():
            say(line)
    wrong = sum(not found.holds for found in findings)
    failing = "1 check does not hold" if wrong == 1 else f"{wrong} checks do not hold"
    say(f"{release}: {failing if wrong else 'verified'}")
    return 1 if wrong else 0
