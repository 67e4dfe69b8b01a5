"""Where a named release is: what the Hub says of it, in one line."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from huggingface_hub.errors import (
    HfHubHTTPError,
    HFValidationError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from benchwright.errors import BenchwrightError, ServerError, UsageError
from benchwright.release_places import ReleasePlace, resolved

AT = "ana/things@v1.0.0"


def refused(kind: type[HfHubHTTPError], status: int) -> HfHubHTTPError:
    request = httpx2.Request("GET", "https://hub.example/api/datasets/ana/things")
    return kind("no", response=httpx2.Response(status, request=request))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Let the Hub fail in a way."""

    def fail(error: Exception) -> None:
        def asked(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", asked)

    return fail


def test_a_folder_is_its_own_place(tmp_path: Path) -> None:
    assert resolved(str(tmp_path)) == ReleasePlace(path=str(tmp_path), commit=None)


def test_a_tag_is_asked_for_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def info(_: Any, repo: str, *, revision: str) -> Any:
        asked.append((repo, revision))
        return SimpleNamespace(sha="0" * 40)

    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", info)
    assert resolved(AT) == ReleasePlace(path="ana/things", commit="0" * 40)
    assert asked == [("ana/things", "v1.0.0")]


UNREAD = "ana/things: is no dataset on the Hub that this token may read; check the name, or set HF_"


# what the client raises, and what a user is told
@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (refused(RepositoryNotFoundError, 404), UsageError, UNREAD),
        (refused(RevisionNotFoundError, 404), UsageError, "ana/things: has no tag v1.0.0"),
        # a token that is none, and one that may not: there the Hub does answer
        (refused(HfHubHTTPError, 401), UsageError, UNREAD),
        (refused(HfHubHTTPError, 403), UsageError, UNREAD),
        (HFValidationError("no"), UsageError, "ana/things: is no name of a dataset"),
        (refused(HfHubHTTPError, 503), ServerError, f"{AT}: the Hub does not answer (no); try"),
        (httpx2.ConnectError("cut"), ServerError, f"{AT}: the Hub does not answer (cut); try"),
    ],
)
def test_what_the_hub_says_is_told(
    hub: Callable[[Exception], None],
    error: Exception,
    kind: type[BenchwrightError],
    said: str,
) -> None:
    hub(error)
    with pytest.raises(kind) as told:
        resolved(AT)
    assert str(told.value).startswith(said)
    assert "\n" not in str(told.value)
