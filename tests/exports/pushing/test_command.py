"""The command as a user has it, and what others load: in processes of their own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from benchwright.files import sha256_of
from benchwright.workspace import Workspace
from stand_ins.hub import Trouble
from stand_ins.hub.serving import READ_TOKEN, TOKEN

REPO = "ana/things"
Process = subprocess.Popen[str]

_LOAD = """
import io, json, sys
import numpy as np
import pyarrow.parquet as pq
from datasets import disable_progress_bars, load_dataset
from PIL import Image

from exports import load_episode

disable_progress_bars()
repo, folder = sys.argv[1:]
at = {"split": "test", "revision": "v1.0.0"}
want = {
    row["image_id"]: np.asarray(Image.open(io.BytesIO(row["image"]["bytes"])))
    for row in pq.read_table(f"{folder}/data/images").to_pylist()
}

def exact(rows):
    return sum(bool((np.asarray(row["image"]) == want[row["image_id"]]).all()) for row in rows)

episodes = load_dataset(repo, "hidden-target-tau-0.3", **at)
shown = load_episode(repo, episodes[0]["episode_id"], revision="v1.0.0")
ids = shown.episode["image_ids"]
print(json.dumps({
    "loaded": exact(load_dataset(repo, "images", **at)),
    "streamed": exact(load_dataset(repo, "images", streaming=True, **at)),
    "labels": load_dataset(repo, "labels", **at).num_rows,
    "premises": len(list(load_dataset(repo, "false-premise", streaming=True, **at))),
    "joined": all((np.asarray(one) == want[name]).all() for one, name in zip(shown.pictures, ids)),
}))
"""


@pytest.fixture
def environment(place: Any, tmp_path: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "HF_ENDPOINT": place.hub.address,
        "HF_TOKEN": TOKEN,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_XET": "1",
        "PYTHONWARNINGS": "ignore",
    }


@pytest.fixture
def start(environment: Mapping[str, str], whole_once: Workspace) -> Callable[..., Process]:
    """Start the command push-release in a process."""

    def started(*arguments: str, **more: str) -> Process:
        code = "import sys; sys.argv[0] = 'push-release'; from exports.cli import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            env={**environment, "BENCHWRIGHT_WORKSPACE": str(whole_once.root), **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return started


_PUSH = ("push", "things", "--version", "1.0.0", "--repo", REPO)


def test_pushes_proves_and_loads_at_the_tag(
    start: Callable[..., Process], first: Path, environment: Mapping[str, str]
) -> None:
    out, err = (pushing := start(*_PUSH)).communicate()
    assert pushing.returncode == 0, err
    assert f'load_dataset("{REPO}", CONFIG, revision="v1.0.0")' in out
    assert TOKEN not in out + err
    out, err = (verifying := start("verify", f"{REPO}@v1.0.0")).communicate()
    assert (verifying.returncode, out.splitlines()[-1]) == (0, f"{REPO}@v1.0.0: verified"), err
    loading = [sys.executable, "-c", _LOAD, REPO, str(first)]
    ran = subprocess.run(loading, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == {
        "loaded": 36,
        "streamed": 36,
        "labels": 360,
        "premises": 4,
        "joined": True,
    }


# the token, what is said
@pytest.mark.parametrize(
    ("token", "said"),
    [(READ_TOKEN, "(403)"), ("hf_somebody_elses_secret", "(401)"), ("", "no token: set HF_TOKEN")],
)
def test_a_token_without_the_right_is_one_line(
    start: Callable[..., Process], token: str, said: str
) -> None:
    pushing = start(*_PUSH, HF_TOKEN=token)
    out, err = pushing.communicate()
    assert (pushing.returncode, out) == (1, "")
    (line,) = err.strip().splitlines()
    assert said in line
    assert not token or token not in line


# what is asked for and not there, what is said
@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("ana/no@v1.0.0", "is no dataset on the Hub that this token may read"),
        ("ana/things@v9.9.9", "has no tag v9.9.9"),
        ("nowhere", "is no folder, and no release on the Hub"),
        ("ana/a..b@v1", "is no name of a dataset"),
    ],
)
def test_what_is_not_on_the_hub_is_one_line(
    place: Any, start: Callable[..., Process], release: str, said: str
) -> None:
    place.api.create_repo(REPO, repo_type="dataset")
    verifying = start("verify", release)
    _, err = verifying.communicate()
    assert verifying.returncode == 1
    assert said in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")
def test_a_push_that_was_killed_goes_on(
    place: Any, start: Callable[..., Process], first: Path
) -> None:
    large = {
        sha256_of(path)
        for path in first.rglob("*")
        if path.is_file() and path.suffix not in (".csv", ".json", ".md")
    }
    images = sha256_of(first / "data" / "images" / "test-00000-of-00001.parquet")
    place.hub.troubles.append(Trouble(method="PUT", path=images, stall=True, times=-1))
    pushing = start(*_PUSH)
    while REPO not in place.hub.repositories or place.held.large.keys() != large - {images}:
        assert pushing.poll() is None
        Event().wait(0.05)
    pushing.send_signal(signal.SIGKILL)
    pushing.communicate()
    assert place.releases == []
    place.hub.troubles.clear()
    place.push(first)
    assert {oid for oid, count in place.sent().items() if count > 1} <= {images}
    assert place.held.large.keys() == large
    assert place.releases == ["Release things 1.0.0"]
