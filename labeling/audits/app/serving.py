"""FiftyOne's App server, in a process of its own that ends when the one that started it does.

It answers its own pages alone, see ``same_origin``.
"""

import argparse
import os
import runpy
import signal
import sys
import threading
import time

from labeling.audits.app.same_origin import SameOriginOnly

_GRACE = 5.0  # seconds; open pages keep a server from ending


def _follow_parent() -> None:
    sys.stdin.buffer.read()  # ends when the parent closes it or is gone
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


def _guard() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--address", required=True)
    address = parser.parse_known_args()[0].address
    os.environ["FIFTYONE_SERVER"] = "1"  # as its main module has it before it imports the rest
    from fiftyone.server.app import app  # noqa: PLC0415  # seconds, and it connects to a database

    app.add_middleware(SameOriginOnly, address=address)


if __name__ == "__main__":
    threading.Thread(target=_follow_parent, daemon=True).start()
    _guard()
    runpy.run_module("fiftyone.server.main", run_name="__main__", alter_sys=True)
