"""``python -m stand_ins.models SCRIPT [--port N]`` serves; its first line is the address."""

import argparse
from pathlib import Path

from stand_ins.models.script import read_script
from stand_ins.models.serving import app_of, serve_until_signal


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m stand_ins.models", description=__doc__)
    parser.add_argument("script", type=Path, help="The script, JSON or YAML.")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free one.")
    said = parser.parse_args()
    serve_until_signal(app_of(read_script(said.script)), said.port)


if __name__ == "__main__":
    main()
