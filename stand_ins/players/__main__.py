"""``python -m stand_ins.players RELEASE [--port N]`` serves; its first line is the address."""

import argparse

from evaluation.releases.release import open_release
from stand_ins.models.serving import app_of, serve_until_signal
from stand_ins.players.brain import Players
from stand_ins.players.serving import script_of
from stand_ins.players.table import table_of


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m stand_ins.players", description=__doc__)
    parser.add_argument("release", help="The folder of a release.")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free one.")
    said = parser.parse_args()
    brain = Players(table_of(open_release(said.release)))
    serve_until_signal(app_of(script_of(), brain=brain), said.port)


if __name__ == "__main__":
    main()
