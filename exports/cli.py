"""The command push-release."""

import click

from benchwright.commands import entry_point, progress_bar, say, version_option, workspace_option
from benchwright.workspace import Workspace


@click.group()
@version_option
def push_release() -> None:
    """Make versioned datasets of a workspace, prove them and publish them."""


@push_release.command("build")
@click.argument("name")
@click.option("--version", "version_text", required=True, help="Three numbers, such as 1.0.0.")
@workspace_option
def build_command(name: str, version_text: str, workspace: Workspace) -> None:
    """Make releases/NAME/VERSION of the galleries, dialogues and labels of a workspace."""
    from exports.building.build import build_release  # noqa: PLC0415  # imports pyarrow
    from exports.building.settings import ReleaseSettings  # noqa: PLC0415
    from exports.names import Version  # noqa: PLC0415

    version = Version.of(version_text)
    built = build_release(workspace, name, version, ReleaseSettings(), progress=progress_bar)
    if not built.is_new:
        say(f"{name} {version} stands in {built.folder}; nothing to do")
    for config, held in built.lock.configs.items():
        say(f"  {config}: {held.rows:,} rows")


main = entry_point(push_release)
