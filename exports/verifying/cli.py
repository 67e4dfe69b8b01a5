"""The command push-release verify."""

import click

from benchwright.commands import progress_bar, say


@click.command("verify")
@click.argument("release")
def verify_command(release: str) -> int:
    """Prove a release: RELEASE is its folder, or REPO@TAG on the Hub.

    Hashes every file, counts every row, decodes every picture, follows every id, and works out
    anew what follows from what else the release holds. Nothing of a workspace is needed.
    """
    from exports.pushing.fetching import fetched  # noqa: PLC0415  # imports huggingface_hub
    from exports.verifying.verify import verify_release  # noqa: PLC0415  # imports pyarrow

    findings = verify_release(fetched(release), progress=progress_bar)
    for found in findings:
        for line in found.lines():
            say(line)
    wrong = sum(not found.holds for found in findings)
    say(f"{release}: verified" if not wrong else f"{release}: {wrong} checks do not hold")
    return 1 if wrong else 0
