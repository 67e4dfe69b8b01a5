"""The stand-in for the Hub, driven by the real datasets, which reads HF_ENDPOINT at its import."""

import json
import os
import subprocess
import sys
from pathlib import Path

from stand_ins.hub import HubServer
from stand_ins.hub.serving import TOKEN

_SCRIPT = """
import json, sys
import numpy as np
from datasets import Dataset, Features, Image, Value, disable_progress_bars, load_dataset
from huggingface_hub import HfApi
from PIL import Image as Pictures

disable_progress_bars()
pixels = [np.random.default_rng(n).integers(0, 256, (20, 30, 3), np.uint8) for n in range(3)]
rows = {"name": ["a", "b", "c"], "picture": [Pictures.fromarray(one) for one in pixels]}
features = Features({"name": Value("string"), "picture": Image()})
dataset = Dataset.from_dict(rows, features=features)
dataset.push_to_hub("ana/seen", "first", split="test", private=True)
HfApi().create_tag("ana/seen", tag="v1", repo_type="dataset")
Dataset.from_dict({"name": ["d"]}).push_to_hub("ana/seen", "second", split="test")

def exact(found):
    return [bool((np.asarray(row["picture"]) == want).all()) for row, want in zip(found, pixels)]

at = {"split": "test", "revision": "v1"}
said = {
    "loaded": exact(load_dataset("ana/seen", "first", **at)),
    "streamed": exact(load_dataset("ana/seen", "first", streaming=True, **at)),
    "second": load_dataset("ana/seen", "second", split="test")["name"][:],
}
try:
    load_dataset("ana/seen", "second", **at)
except ValueError as error:
    said["at_v1"] = "second" in str(error)
print(json.dumps(said))
"""


def test_datasets_pushes_loads_and_streams(hub: HubServer, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "HF_ENDPOINT": hub.address,
        "HF_TOKEN": TOKEN,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }
    command = [sys.executable, "-W", "ignore", "-c", _SCRIPT]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == {
        "loaded": [True] * 3,
        "streamed": [True] * 3,
        "second": ["d"],
        "at_v1": True,
    }
    assert hub.repositories["ana/seen"].private
