"""FiftyOne's App server, in a process of its own that ends when the one that started it does."""

import os
import runpy
import signal
import sys
import threading
import time

_GRACE = 5.0  # seconds; open pages keep a server from ending


def _follow_parent() -> None:
    sys.stdin.buffer.read()  # ends when the parent closes it or is gone
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_follow_parent, daemon=True).start()
    runpy.run_module("fiftyone.server.main", run_name="__main__", alter_sys=True)
