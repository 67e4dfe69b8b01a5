"""``python -m stand_ins.tutorial WORKSPACE [--port N]``: models for who has none at hand.

It serves until a signal and writes voters.yaml, which names its models as the tutorials do.
"""

import argparse
import sys
from functools import cache
from pathlib import Path

import uvloop

from benchwright.workspace import Workspace
from stand_ins.false_premise_studio import Studio
from stand_ins.models import Brain, Model, Question, Script, Turn
from stand_ins.models.serving import End, app_of, listening, serve
from stand_ins.reader.everybody import Everybody
from stand_ins.reader.voters_file import MODELS, write_voters

NAMES = ("one", "two", "three", "qwen", "judge")


class Everyone:
    """Drafts false premises and looks at them while a workspace has no release, then plays it.

    Of several releases it plays the one that was made last.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._player = cache(
            lambda folder: Everybody(folder, chains="first", sets="all-of-category")
        )
        self._studio = cache(lambda: Studio(Workspace(root)))

    def __call__(self, question: Question) -> Turn:
        """Return what the one says whose turn it is."""
        return self._asked()(question)

    def _asked(self) -> Brain:
        locks = self._root.glob("releases/*/*/release.lock.json")
        last = max(locks, key=lambda path: path.stat().st_mtime_ns, default=None)
        return self._studio() if last is None else self._player(last.parent)


def main() -> None:
    """Write the voters' file and serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m stand_ins.tutorial", description=__doc__)
    parser.add_argument("workspace", type=Path, help="The workspace that the page is about.")
    parser.add_argument("--port", type=int, default=8000, help="0 chooses a free one.")
    parser.add_argument("--voters", type=Path, default=Path("voters.yaml"), help="Written anew.")
    said = parser.parse_args()
    script = Script(models=[Model(name=MODELS[name]) for name in NAMES])
    app = app_of(script, brain=Everyone(said.workspace))
    sock = listening(said.port)
    address = f"http://localhost:{sock.getsockname()[1]}/v1"
    write_voters(said.voters, address, NAMES)

    def running(_: End) -> None:
        sys.stdout.write(f"{address}, in {said.voters}: {', '.join(NAMES)}; Ctrl-C ends it\n")
        sys.stdout.flush()

    uvloop.run(serve(app, sock, running))


if __name__ == "__main__":
    main()
