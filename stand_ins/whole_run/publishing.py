"""Releases of a whole run: built behind the gate, pushed to a Hub, and read back."""

from benchwright.releases import LOCK
from stand_ins.hub import HubServer
from stand_ins.hub.serving import TOKEN
from stand_ins.whole_run.places import OWNER, Places
from stand_ins.whole_run.steps import Steps, told

VERSION = "1.0.0"
# what the gate finds of so little, drawn or scripted, and what to say of it on the card
_WAIVED = {
    "dresses": {"label-error": "a pilot alone was judged"},
    "scenes": {"question-chain-text": "the distractors are scripted"},
    "spoken": {"licences": "a trial on a local Hub"},
}


def repo(name: str) -> str:
    """Return the repository of a release."""
    return f"{OWNER}/{name}"


def publish(steps: Steps, places: Places, hub: HubServer) -> None:
    """Build each release, look at its gate, push it, prove it and read it back."""
    steps.environment |= {
        "HF_ENDPOINT": hub.address,
        "HF_TOKEN": TOKEN,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HOME": str(places.out / "hub-cache"),
    }
    for name, workspace in places.released().items():
        where = ("--version", VERSION, "--workspace", workspace.root)
        waived = [
            word
            for check, reason in _WAIVED[name].items()
            for word in ("--waive", check, "--reason", reason)
        ]
        if (workspace.releases / name / VERSION / LOCK).is_file():
            # what was played on it since would be part of another version
            told(f"{name} {VERSION} stands")
        else:
            steps.do("push-release", "build", name, *waived, *where)
        steps.do("push-release", "push", name, "--repo", repo(name), *where)
        steps.do("push-release", "verify", f"{repo(name)}@v{VERSION}")
    read_back(steps, places)


def read_back(steps: Steps, places: Places) -> None:
    """Load every config from the Hub with the client that everybody has."""
    for name in places.released():
        told(steps.python(_LOAD, repo(name), f"v{VERSION}"))


_LOAD = """
import sys
from datasets import disable_progress_bars, get_dataset_config_names, load_dataset
disable_progress_bars()
repo, tag = sys.argv[1:]
for config in sorted(get_dataset_config_names(repo, revision=tag)):
    rows = load_dataset(repo, config, split="test", revision=tag)
    print(f"  {repo}@{tag} {config:<22} {len(rows):>7,} rows")
"""
