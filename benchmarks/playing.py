"""Playing hidden-target beside a bare loop over ``AsyncOpenAI``: ``python -m benchmarks.playing``.

All send the very same requests to the same scripted server, a process of its own, with as many
at once. Ours is the command ``run-benchmark``: it reads each answer, maps the question, judges it,
answers it by the labels, keeps what is still feasible, and stores every answer before it is seen.
The bare loop has the messages ready made, parses each answer and compares it with the one that ours
got. ``posted`` is the same with the client's ``post`` and bodies that are bytes already: less than
that no use of the client can do. They run in turns, each in a process of its own, and the server
keeps the time: a rate is that between the first request and the last as they reached it. The
server must have got the same requests from all.

``python -m benchmarks.playing memory`` plays 1,000 and 4,000 episodes and prints the peak of the
resident memory of the command.
"""

import asyncio
import base64
import csv
import hashlib
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import httpx2
import openai
import pyarrow.parquet as pq
from PIL import Image

from benchmarks.contest import Disagreement, ratios
from benchwright import seeds
from benchwright.workspace import Workspace

EPISODES, CONCURRENCY, ROUNDS = 2_000, 32, 3
MEMORY = (1_000, 4_000)
GALLERY = 6
CONFIG, PLAYER = "hidden-target-tau-0.3", "reference"
KINDS = {
    "neckline": ("round", "square", "heart-shaped", "pointed"),
    "skirt": ("tiered", "pleated", "narrow", "wide"),
    "waist": ("belted", "elastic", "dropped", "high"),
    "fabric": ("cotton", "denim", "satin", "lace"),
    "hem": ("straight", "ruffled", "fringed", "scalloped"),
    "front": ("buttoned", "wrapped", "zipped", "plain"),
    "back": ("open", "laced", "crossed", "closed"),
    "bodice": ("smocked", "ruched", "fitted", "loose"),
    "lining": ("visible", "hidden", "partial", "quilted"),
    "collar": ("ribbed", "stiff", "frilled", "folded"),
}
GOAL = 0.9  # of the rate of the bare loop


def make_release(folder: Path, episodes: int) -> Path:
    """Make a release of so many galleries of six small pictures each."""
    from builders.table.build import build_table  # noqa: PLC0415
    from exports.building.build import build_release  # noqa: PLC0415
    from exports.building.settings import ReleaseSettings  # noqa: PLC0415
    from exports.names import Version  # noqa: PLC0415
    from galleries.build import build_galleries  # noqa: PLC0415
    from galleries.settings import Settings, Sizes  # noqa: PLC0415
    from galleries.tau import parse_taus  # noqa: PLC0415
    from labeling.attributes.labels.normalise import normalise  # noqa: PLC0415

    with (folder / "things.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "image", *KINDS])
        for number in range(episodes):
            picture = Image.new("RGB", (32, 32), (number % 256, number // 256, 99))
            picture.save(folder / f"{number}.png")
            drawn = [
                values[seeds.below(len(values), 0, kind, str(number))]
                for kind, values in KINDS.items()
            ]
            writer.writerow([number, f"{number}.png", *drawn])
    workspace = Workspace(folder / "made")
    build_table([folder / "things.csv"], workspace)
    normalise(workspace)
    settings = Settings(episodes=0, sizes=Sizes(low=GALLERY, high=GALLERY))
    build_galleries(workspace, parse_taus(CONFIG.removeprefix("hidden-target-tau-")), settings)
    return build_release(workspace, "things", Version(1, 0, 0), ReleaseSettings()).folder


@contextmanager
def players(release: Path) -> Iterator[str]:
    """Serve the scripted players of a release in a process of its own."""
    command = [sys.executable, "-m", "stand_ins.players", str(release)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def counts(url: str) -> dict[str, Any]:
    """Return what the server remembers."""
    with urlopen(url.removesuffix("/v1") + "/scripted/counts") as response:
        said: dict[str, Any] = json.load(response)
    return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A process that is over: its peak of resident memory in bytes, and its CPU-seconds."""

    memory: int
    cpu: float


Contestant = Callable[[Path, str, Path, int], Ended]  # release, address, workspace, at once


def run(command: list[str]) -> Ended:
    """Run a command to its end; exit with what it said where it fails."""
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(command, stdout=said, stderr=said) as process,
    ):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)}\n{said.read()}")
    return Ended(memory=used.ru_maxrss * 1024, cpu=used.ru_utime + used.ru_stime)


def ours(release: Path, url: str, workspace: Path, at_once: int) -> Ended:
    """Play all episodes by the command, in a workspace of its own."""
    voter = {"name": PLAYER, "model": PLAYER, "base_url": url, "concurrency": at_once}
    voters = workspace.with_suffix(".json")  # which is YAML, too
    voters.write_text(json.dumps({"voters": [voter]}), "utf-8")
    return run(
        [
            *(sys.executable, "-c", "from evaluation.cli import main; main()", "run"),
            *(str(release), "--config", CONFIG),
            *("--voters", str(voters), "--no-probe", "--workspace", str(workspace)),
        ]
    )


def sent(way: str, release: Path, url: str, workspace: Path, at_once: int) -> Ended:
    """Send the requests that are stored in a workspace, by a loop over the client alone."""
    return run(
        [
            *(sys.executable, "-m", "benchmarks.playing", way),
            *(str(release), url, str(workspace / "answers.sqlite"), str(at_once)),
        ]
    )


async def send(way: str, release: Path, url: str, answers: Path, at_once: int) -> None:
    """Send all requests of a file of answers; exit with 1 where another answer comes."""
    uris = {
        hashlib.sha256(data).hexdigest(): f"data:image/png;base64,{base64.b64encode(data).decode()}"
        for data in _pictures(release)
    }
    with sqlite3.connect(answers) as connection:
        stored = connection.execute(
            "SELECT description, text FROM attempts JOIN requests USING (key) ORDER BY id"
        ).fetchall()
    bodies = [(_body(json.loads(description), uris), text) for description, text in stored]
    ready = [
        (json.dumps(body).encode() if way == "posted" else body, text) for body, text in bodies
    ]
    semaphore = asyncio.Semaphore(at_once)
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:

        async def created(body: dict[str, Any]) -> str | None:
            completion = await client.chat.completions.create(**body)
            content: str | None = completion.choices[0].message.content
            return content

        async def posted(body: bytes) -> str | None:
            response = await client.post(
                "/chat/completions",
                cast_to=httpx2.Response,
                content=body,
                options={"headers": {"Content-Type": "application/json"}},
            )
            content: str | None = response.json()["choices"][0]["message"]["content"]
            return content

        async def ask(call: Awaitable[str | None], expected: str) -> None:
            async with semaphore:
                if await call != expected:
                    raise Disagreement("another answer came than ours had got")

        calls = (
            (posted(body) if isinstance(body, bytes) else created(body), text)
            for body, text in ready
        )
        await asyncio.gather(*(ask(*each) for each in calls))


def _pictures(release: Path) -> Iterator[bytes]:
    for path in sorted(release.glob("data/images/*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(columns=["image"]):
            yield from (row["image"]["bytes"] for row in batch.to_pylist())


def _body(said: dict[str, Any], uris: dict[str, str]) -> dict[str, Any]:
    messages = [
        {"role": message["role"], "content": _content(message["parts"], uris)}
        for message in said["messages"]
    ]
    return {"model": said["model"], "messages": messages, **said["parameters"]}


def _content(parts: list[Any], uris: dict[str, str]) -> Any:
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": uris[part["picture"]]}}
        for part in parts
    ]


def compare(folder: Path) -> None:
    """Print the rates of all; exit with 1 where they did not send the same."""
    release = make_release(folder, EPISODES)
    contestants: dict[str, Contestant] = {
        "ours": ours,
        "bare": partial(sent, "bare"),
        "posted": partial(sent, "posted"),
    }
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    cpus: dict[str, list[float]] = {name: [] for name in contestants}
    with players(release) as url:
        came = 0
        for number in range(ROUNDS):
            workspace = folder / f"round {number}"
            for name, play in contestants.items():
                ended = play(release, url, workspace, CONCURRENCY)
                arrivals = counts(url)["arrivals"][PLAYER][came:]
                came += len(arrivals)
                rates[name].append((len(arrivals) - 1) / (arrivals[-1] - arrivals[0]))
                cpus[name].append(1000 * ended.cpu / len(arrivals))
        seen = Counter(counts(url)["requests"].values())
    if set(seen) != {len(contestants) * ROUNDS}:
        raise Disagreement(f"they did not send the same requests: {seen}")
    (requests,) = seen.values()
    print(f"{EPISODES:,} episodes, {requests:,} requests, {CONCURRENCY} at once, {ROUNDS} rounds")
    print("  contestant  requests/s  rate of ours to it  CPU-ms each, the start among it")
    for name, found in rates.items():
        ratio = ratios(rates["ours"], found)
        rate, cpu = statistics.median(found), statistics.median(cpus[name])
        print(f"  {name:10}  {rate:10.0f}  {ratio:>18}  {cpu:.2f}")
    print(f"  goal: {GOAL} of bare")


def remember(folder: Path) -> None:
    """Print the peak memory of runs of some lengths."""
    for episodes in MEMORY:
        place = folder / str(episodes)
        place.mkdir()
        release = make_release(place, episodes)
        with players(release) as url:
            ended = ours(release, url, place / "workspace", episodes)
            asked = counts(url)["chats"]
        print(
            f"  {episodes:,} episodes, all at once, {asked:,} requests:"
            f" {ended.memory / 2**20:.0f} MB, {ended.cpu:.0f} CPU-seconds"
        )


def main() -> None:
    """Compare, or measure memory, or be one of the contestants."""
    what, *rest = sys.argv[1:] or ["compare"]
    if what in ("bare", "posted"):
        release, url, answers, at_once = rest
        asyncio.run(send(what, Path(release), url, Path(answers), int(at_once)))
        return
    with tempfile.TemporaryDirectory() as folder:
        {"compare": compare, "memory": remember}[what](Path(folder))


if __name__ == "__main__":
    main()
