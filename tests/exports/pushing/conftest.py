"""A Hub on the loopback, the real client that asks it, and a release to push."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi, constants

from benchwright.workspace import Workspace
from exports.pushing.push import Pushed, push_release
from stand_ins.hub import HubServer
from stand_ins.hub.repository import Commit, Repository
from stand_ins.hub.serving import TOKEN

REPO = "ana/things"


@dataclass
class Place:
    """The Hub, a client with the token of ana, and what the repository ana/things holds."""

    hub: HubServer
    slept: list[float] = field(default_factory=list)

    @property
    def api(self) -> HfApi:
        return self.client(TOKEN)

    def client(self, token: str | bool) -> HfApi:
        return HfApi(endpoint=self.hub.address, token=token)

    def push(self, folder: Path, repo: str = REPO, **more: Any) -> Pushed:
        said = {"private": False, "api": self.api, **more}
        return push_release(folder, repo, **said)

    @property
    def held(self) -> Repository:
        return self.hub.repositories[REPO]

    def at(self, revision: str = "main") -> Commit:
        found = self.held.at(revision)
        assert found is not None
        return found

    @property
    def releases(self) -> list[str]:
        """The titles of the commits that pushes made, the first first."""
        titles = [commit.title for commit in self.held.commits.values()]
        return [title for title in titles if title.startswith("Release")]

    def sent(self) -> dict[str, int]:
        """How often each large file was sent, by its hash; in parts where it has some."""
        found: dict[str, int] = {}
        for one in self.hub.requests:
            if one.method == "PUT":
                oid = one.path.split("/")[4]
                found[oid] = found.get(oid, 0) + 1
        return found


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Place]:
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    with HubServer() as hub:
        found = Place(hub)
        monkeypatch.setattr("time.sleep", found.slept.append)
        yield found


@pytest.fixture
def first(whole_once: Workspace) -> Path:
    """The release 1.0.0; who changes it takes ``whole``."""
    return whole_once.releases / "things" / "1.0.0"


@pytest.fixture
def second(whole: Workspace, release: Callable[..., Path]) -> Path:
    """Make the release 1.1.0, which has no question chains."""
    drafts = whole.root / "dialogues" / "question-chain" / "drafts"
    (drafts / "manifest.json").unlink()
    return release(whole, "1.1.0")
