"""``python -m stand_ins.whole_run --out FOLDER [--coco FOLDER] [--small] [--sheets]``."""

import argparse
import sys
from pathlib import Path

from stand_ins.whole_run.places import COCO, SMALL, Amounts, Places
from stand_ins.whole_run.steps import StepFailed
from stand_ins.whole_run.whole_run import whole_run


def main() -> None:
    """Do all of it; a command that fails ends it with its output."""
    parser = argparse.ArgumentParser(prog="python -m stand_ins.whole_run", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="Where everything goes.")
    parser.add_argument("--coco", type=Path, default=COCO, help="A folder laid out as COCO 2017.")
    parser.add_argument("--small", action="store_true", help="As little of everything as will do.")
    parser.add_argument(
        "--sheets",
        action="store_true",
        help="Audit on sheets even where the App could be used.",
    )
    said = parser.parse_args()
    places = Places(out=said.out.resolve(), coco=said.coco.resolve())
    try:
        whole_run(places, SMALL if said.small else Amounts(), with_app=not said.sheets)
    except StepFailed as error:
        sys.exit(f"stopped: {error}; run it again and it goes on")


if __name__ == "__main__":
    main()
