"""``python -m stand_ins.players RELEASE [--port N]`` serves; its first line is the address."""

import argparse
import sys

import uvloop

from evaluation.releases.release import open_release
from stand_ins.models.serving import End, app_of, listening, serve
from stand_ins.players.brain import Players
from stand_ins.players.serving import script_of
from stand_ins.players.table import table_of


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m stand_ins.players", description=__doc__)
    parser.add_argument("release", help="The folder of a release.")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free one.")
    said = parser.parse_args()
    app = app_of(script_of(), brain=Players(table_of(open_release(said.release))))
    sock = listening(said.port)
    host, port = sock.getsockname()

    def running(_: End) -> None:
        sys.stdout.write(f"http://{host}:{port}/v1\n")
        sys.stdout.flush()

    uvloop.run(serve(app, sock, running))


if __name__ == "__main__":
    main()
