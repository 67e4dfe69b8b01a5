"""The command push-release push."""

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("push")
@click.argument("name")
@click.option("--version", "version_text", required=True, help="Three numbers, such as 1.0.0.")
@click.option("--repo", required=True, metavar="USER/NAME", help="The repository on the Hub.")
@click.option("--private", is_flag=True, help="Make it private, where it is made now.")
@workspace_option
def push_command(
    name: str, version_text: str, repo: str, private: bool, workspace: Workspace
) -> None:
    """Publish a release that was built: one commit, tagged, read back and compared.

    The token is that of HF_TOKEN, or of hf auth login. A push that is cut off goes on when it is
    run again; a version that stands on the Hub is never changed.
    """
    from huggingface_hub import HfApi  # noqa: PLC0415  # takes a second

    from exports.names import Version, release_folder  # noqa: PLC0415
    from exports.pushing.asking import quiet_unless_watched  # noqa: PLC0415
    from exports.pushing.push import push_release  # noqa: PLC0415

    quiet_unless_watched()
    folder = release_folder(workspace, name, Version.of(version_text))
    pushed = push_release(folder, repo, private=private, api=HfApi())
    done = "pushed, read back and compared" if pushed.is_new else "stands there already, the same"
    say(f"{pushed.tag} {done}: {pushed.url} (commit {pushed.commit[:12]})")
    say(f'load it: load_dataset("{repo}", CONFIG, revision="{pushed.tag}")')
