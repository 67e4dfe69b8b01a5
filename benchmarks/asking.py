"""The client beside a bare loop over ``AsyncOpenAI``: ``python -m benchmarks.asking``.

Both ask the same scripted server, a process of its own, the same questions with the same pictures
at the same concurrency, in turns; each contestant is a process of its own. The bare loop keeps
nothing: it parses each answer and drops it. Ours stores every answer before it is seen. Printed
are requests per second and CPU-seconds of the asking process alone, and their ratios; the
answers must be the same. distilabel and inspect_ai take part, with text alone, where
DISTILABEL_PYTHON and INSPECT_PYTHON name a Python that has them (``pip install
'distilabel[openai]' requests``, ``pip install inspect_ai openai``): neither shares an environment
with us.

``python -m benchmarks.asking memory [ANSWERS]`` asks a million questions of a transport without a
server, then the same again, which are stored by then, and prints the peak of the resident memory
along the way.
"""

import asyncio
import base64
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import openai

from benchmarks.contest import Disagreement, draw, ratios
from benchmarks.memory import peak, reset_peak
from benchwright.asking.answers import AnswerStore
from benchwright.asking.client import Client
from benchwright.asking.requests import Request
from benchwright.asking.sending import LocalSender
from benchwright.asking.several import ask_each
from benchwright.asking.views import Encoder, part_of
from benchwright.asking.voters import Voter
from stand_ins.models import Model, Script, served

REPEATS = 5
REQUESTS, CONCURRENCY = 2_000, 32
PICTURES, SIZE = 20, (512, 384)
INSTRUCTION = "Is the picture mostly red? Answer with one word: yes, no or unsure."

FOREIGN = {"distilabel": "DISTILABEL_PYTHON", "inspect_ai": "INSPECT_PYTHON"}
ELSEWHERE = Path(__file__).with_name("asking_elsewhere.py")


def prompts(number: int) -> list[str]:
    return [f"{INSTRUCTION} ({each})" for each in range(number)]


async def ours(url: str, folder: Path, pictures: list[Path]) -> Iterator[str]:
    voter = Voter(name="v", model="scripted", base_url=url, concurrency=CONCURRENCY)
    parts = [part_of(path) for path in pictures]
    requests = (
        Request.of(
            *([parts[number % len(parts)]] if parts else []), prompt, max_tokens=16, temperature=0
        )
        for number, prompt in enumerate(prompts(REQUESTS))
    )
    texts = {}
    with AnswerStore(folder / "answers.sqlite") as store:
        async with Client(voter, store, Encoder()) as client:
            async for request, reply in ask_each(client.ask, requests, CONCURRENCY):
                texts[str(request.messages[0].parts[-1])] = reply.text
    return iter(texts[prompt] for prompt in prompts(REQUESTS))


async def bare(url: str, _: Path, pictures: list[Path]) -> Iterator[str]:
    uris = [
        f"data:image/jpeg;base64,{base64.b64encode(path.read_bytes()).decode()}"
        for path in pictures
    ]
    texts = {}
    at_once = asyncio.Semaphore(CONCURRENCY)

    async def ask(number: int, prompt: str) -> None:
        content: list[Any] = [{"type": "text", "text": prompt}]
        if uris:
            url_of = {"url": uris[number % len(uris)]}
            content.insert(0, {"type": "image_url", "image_url": url_of})
        async with at_once:
            answer = await client.chat.completions.create(
                model="scripted",
                messages=[{"role": "user", "content": content}],
                max_tokens=16,
                temperature=0,
            )
        texts[prompt] = answer.choices[0].message.content or ""

    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
        await asyncio.gather(*(ask(number, each) for number, each in enumerate(prompts(REQUESTS))))
    return iter(texts[prompt] for prompt in prompts(REQUESTS))


CONTESTANTS = {"ours": ours, "bare": bare}


def contest(name: str, url: str, pictures: list[Path]) -> None:
    """Run one contestant in this process and print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        make = CONTESTANTS[name]
        before = resource.getrusage(resource.RUSAGE_SELF)
        began = time.perf_counter()
        texts = list(asyncio.run(make(url, Path(folder), pictures)))
        seconds = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    print(json.dumps({"seconds": seconds, "cpu": cpu, "digest": digest}))


def run(name: str, url: str, pictures: list[Path]) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.asking", name, url, *map(str, pictures)]
    if name in FOREIGN:
        command = [os.environ[FOREIGN[name]], str(ELSEWHERE), name, url, str(CONCURRENCY)]
    asked = json.dumps(prompts(REQUESTS)) if name in FOREIGN else None
    ran = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def compare(title: str, url: str, pictures: list[Path]) -> None:
    print(f"\n{title}: {REQUESTS:,} requests, {CONCURRENCY} at once")
    names = [*CONTESTANTS]
    if not pictures:
        names += [name for name, python in FOREIGN.items() if python in os.environ]
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(REPEATS):
        for name in names:
            found[name].append(run(name, url, pictures))
    digests = {each["digest"] for runs in found.values() for each in runs}
    if len(digests) != 1:
        raise Disagreement("the contestants got different answers")
    print("  contestant  requests/s  CPU-ms each  rate of ours to it  its CPU to ours")
    taken = {
        name: ([each["seconds"] for each in runs], [each["cpu"] for each in runs])
        for name, runs in found.items()
    }
    for name, (seconds, cpus) in taken.items():
        rate = REQUESTS / statistics.median(seconds)
        cpu = 1000 * statistics.median(cpus) / REQUESTS
        faster, dearer = map(ratios, (seconds, cpus), taken["ours"])
        print(f"  {name:10}  {rate:10.0f}  {cpu:11.2f}  {faster:>18}  {dearer:>15}")


ANSWER = {
    "choices": [{"message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 120, "completion_tokens": 2},
    "model": "scripted",
}


async def remember(answers: int, folder: Path) -> None:
    """Ask so many questions, and again; print the peak memory ten times along the way."""

    voter = Voter(name="v", model="scripted", base_url="http://none/v1", concurrency=CONCURRENCY)
    body = json.dumps(ANSWER).encode()
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, content=body))
    http = httpx2.AsyncClient(transport=transport)
    server = openai.AsyncOpenAI(base_url="http://none/v1", api_key="none", http_client=http)
    with AnswerStore(folder / "answers.sqlite") as store:
        for title in ("asked", "stored"):
            client = Client(voter, store, Encoder(), connect=partial(LocalSender, server=server))
            requests = (Request.of(f"{INSTRUCTION} ({n})", max_tokens=16) for n in range(answers))
            done, began = 0, time.process_time()
            reset_peak()
            async for _ in ask_each(client.ask, requests, CONCURRENCY):
                done += 1
                if done % (answers // 10) == 0:
                    cpu = 1000 * (time.process_time() - began) / done
                    print(f"  {done:>9,} {title}: {peak() / 2**20:.0f} MB, {cpu:.2f} CPU-ms each")
    size = (folder / "answers.sqlite").stat().st_size
    print(f"  answers.sqlite: {size / answers:.0f} bytes an answer")


def main() -> None:
    if sys.argv[1:2] == ["memory"]:
        answers = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(remember(answers, Path(folder)))
        return
    if len(sys.argv) > 2:
        contest(sys.argv[1], sys.argv[2], [Path(each) for each in sys.argv[3:]])
        return
    with tempfile.TemporaryDirectory() as folder, served(Script(models=(Model(),))) as server:
        compare("text alone", server.base_url, [])
        compare("one picture each", server.base_url, draw(Path(folder), PICTURES, SIZE))


if __name__ == "__main__":
    main()
