"""A Hub on the loopback and the real client that asks it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import HfApi, constants

from stand_ins.hub import HubServer
from stand_ins.hub.serving import TOKEN


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)
    with HubServer(part=1 << 20) as server:
        yield server


@pytest.fixture
def api(hub: HubServer) -> HfApi:
    """The client of somebody who may write."""
    return HfApi(endpoint=hub.address, token=TOKEN)
