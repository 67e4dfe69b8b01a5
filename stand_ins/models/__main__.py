"""``python -m stand_ins.models SCRIPT [--port N]`` serves; its first line is the address."""

import argparse
import sys
from pathlib import Path

import uvloop

from stand_ins.models.script import read_script
from stand_ins.models.serving import End, app_of, listening, serve


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m stand_ins.models", description=__doc__)
    parser.add_argument("script", type=Path, help="The script, JSON or YAML.")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free one.")
    said = parser.parse_args()
    app = app_of(read_script(said.script))
    sock = listening(said.port)
    host, port = sock.getsockname()

    def running(_: End) -> None:
        sys.stdout.write(f"http://{host}:{port}/v1\n")
        sys.stdout.flush()

    uvloop.run(serve(app, sock, running))


if __name__ == "__main__":
    main()
