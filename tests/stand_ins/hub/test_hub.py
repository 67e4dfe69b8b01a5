"""The stand-in for the Hub, driven by the real huggingface_hub."""

from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from httpx2 import HTTPError
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import (
    HfHubHTTPError,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from stand_ins.hub import HubServer, Trouble
from stand_ins.hub.serving import READ_TOKEN, TOKEN

# huggingface_hub itself calls httpx2 so
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

REPO = "ana/things"
LARGE = bytes(range(256)) * 12_000  # three megabytes: in parts of one


@pytest.fixture
def made(api: HfApi) -> HfApi:
    """The client of a repository that holds a small and a large file, tagged v1."""
    api.create_repo(REPO, repo_type="dataset")
    _commit(api, {"README.md": b"# one", "data/a.parquet": LARGE, "data/b.csv": b"x\n"})
    api.create_tag(REPO, tag="v1", repo_type="dataset")
    return api


def _commit(api: HfApi, files: dict[str, bytes], **more: Any) -> str:
    adds = [CommitOperationAdd(path, data) for path, data in files.items()]
    deletes = [CommitOperationDelete(path) for path in more.pop("gone", ())]
    made = api.create_commit(
        REPO, operations=[*adds, *deletes], commit_message="m", repo_type="dataset", **more
    )
    return made.oid


def test_gives_back_what_was_committed(made: HfApi, tmp_path: Path) -> None:
    at = Path(
        made.snapshot_download(REPO, repo_type="dataset", revision="v1", local_dir=tmp_path / "got")
    )
    assert (at / "README.md").read_bytes() == b"# one"
    assert (at / "data/a.parquet").read_bytes() == LARGE
    assert made.list_repo_files(REPO, repo_type="dataset") == [
        ".gitattributes",
        "README.md",
        "data/a.parquet",
        "data/b.csv",
    ]


def test_large_files_come_in_parts_and_only_once(made: HfApi, hub: HubServer) -> None:
    assert hub.asked("PUT", "/part/") == 3
    _commit(made, {"data/again.parquet": LARGE})
    assert hub.asked("PUT", "/part/") == 3
    info = made.get_paths_info(REPO, ["data/again.parquet", "data", "no"], repo_type="dataset")
    assert [one.path for one in info] == ["data/again.parquet", "data"]


def test_a_tag_stays_where_it_is(made: HfApi) -> None:
    first = made.repo_info(REPO, repo_type="dataset", revision="v1").sha
    later = _commit(made, {"README.md": b"# two"}, gone=["data/b.csv"])
    refs = made.list_repo_refs(REPO, repo_type="dataset")
    assert [(one.name, one.target_commit) for one in refs.tags] == [("v1", first)]
    assert [(one.name, one.target_commit) for one in refs.branches] == [("main", later)]
    assert "data/b.csv" in made.list_repo_files(REPO, repo_type="dataset", revision="v1")
    assert "data/b.csv" not in made.list_repo_files(REPO, repo_type="dataset")


def test_refuses_a_tag_and_a_branch_that_exist(made: HfApi) -> None:
    with pytest.raises(HfHubHTTPError) as tag:
        made.create_tag(REPO, tag="v1", repo_type="dataset")
    made.create_branch(REPO, branch="side", repo_type="dataset")
    with pytest.raises(HfHubHTTPError) as branch:
        made.create_branch(REPO, branch="side", repo_type="dataset")
    assert [one.value.response.status_code for one in (tag, branch)] == [409, 409]


def test_refuses_a_commit_on_a_parent_that_is_not_the_last(made: HfApi) -> None:
    old = made.repo_info(REPO, repo_type="dataset").sha
    _commit(made, {"README.md": b"# two"})
    with pytest.raises(HfHubHTTPError) as error:
        _commit(made, {"README.md": b"# three"}, parent_commit=old)
    assert error.value.response.status_code == 412


def test_what_is_not_there_has_the_error_of_its_kind(made: HfApi, tmp_path: Path) -> None:
    with pytest.raises(RepositoryNotFoundError):
        made.repo_info("ana/no", repo_type="dataset")
    with pytest.raises(RevisionNotFoundError):
        made.repo_info(REPO, repo_type="dataset", revision="v9")
    with pytest.raises(RemoteEntryNotFoundError):
        made.hf_hub_download(REPO, "no.md", repo_type="dataset", local_dir=tmp_path)


# who asks, what they may do: read what is open, read what is private, write
@pytest.mark.parametrize(
    ("token", "reads", "reads_private", "writes"),
    [
        (TOKEN, True, True, True),
        (READ_TOKEN, True, True, False),
        (False, True, False, False),  # none
        ("hf_unknown", False, False, False),
    ],
)
def test_a_token_opens_what_it_should(
    made: HfApi,
    hub: HubServer,
    token: str | bool,
    reads: bool,
    reads_private: bool,
    writes: bool,
) -> None:
    made.create_repo("ana/secret", repo_type="dataset", private=True)
    other = HfApi(endpoint=hub.address, token=token)
    assert _is_allowed(lambda: other.repo_info(REPO, repo_type="dataset")) is reads
    assert _is_allowed(lambda: other.repo_info("ana/secret", repo_type="dataset")) is reads_private
    assert _is_allowed(lambda: _commit(other, {"a.md": b"a"})) is writes
    assert ("a.md" in made.list_repo_files(REPO, repo_type="dataset")) is writes


def _is_allowed(ask: Any) -> bool:
    try:
        ask()
    except HfHubHTTPError as error:
        return error.response.status_code not in (401, 403, 404)
    return True


# the header Range, what comes of 256 times 12,000 bytes
@pytest.mark.parametrize(
    ("span", "status", "wanted"),
    [
        (None, 200, LARGE),
        ("bytes=0-0", 206, LARGE[:1]),
        ("bytes=10-19", 206, LARGE[10:20]),
        (f"bytes={len(LARGE) - 5}-", 206, LARGE[-5:]),  # to the end
        ("bytes=100-99999999", 206, LARGE[100:]),  # past it
    ],
)
def test_gives_a_part_of_a_file(
    made: HfApi, hub: HubServer, span: str | None, status: int, wanted: bytes
) -> None:
    url = f"{hub.address}/datasets/{made.repo_info(REPO, repo_type='dataset').id}"
    asked = Request(f"{url}/resolve/v1/data/a.parquet", headers={"Range": span} if span else {})
    with urlopen(asked) as answer:
        assert (answer.status, answer.read()) == (status, wanted)


# the trouble, how often the large file or its parts are then sent
@pytest.mark.parametrize(
    ("trouble", "puts"),
    [
        (Trouble(method="PUT", path="/part/2", cut="in_upload"), 4),
        (Trouble(method="PUT", path="/part/2", cut="after_answer"), 4),
        (Trouble(method="PUT", path="/part/", status=503, after=1, times=2), 5),
        (Trouble(method="POST", path="objects/batch", status=429, retry_after=7), 3),
    ],
)
def test_the_client_gets_over_a_trouble(
    api: HfApi, hub: HubServer, trouble: Trouble, puts: int
) -> None:
    hub.troubles.append(trouble)
    api.create_repo(REPO, repo_type="dataset")
    _commit(api, {"data/a.parquet": LARGE})
    held = hub.repositories[REPO]
    assert hub.asked("PUT", "/part/") == puts
    assert trouble.times == 0
    assert held.commits[held.branches["main"]].files["data/a.parquet"].data == LARGE


def test_an_upload_is_cut_after_its_half(api: HfApi, hub: HubServer) -> None:
    hub.troubles.append(Trouble(method="PUT", path="/part/1", cut="in_upload"))
    api.create_repo(REPO, repo_type="dataset")
    _commit(api, {"data/a.parquet": LARGE})
    cut, again = (one.size for one in hub.requests if one.path.endswith("/part/1"))
    assert again == 1 << 20
    assert again // 2 < cut < again


def test_an_answer_is_cut_after_its_half(made: HfApi, hub: HubServer, tmp_path: Path) -> None:
    hub.troubles.append(Trouble(method="GET", path="a.parquet", cut="in_answer"))
    with pytest.raises(HTTPError, match="reset"):
        _got(made, tmp_path)
    assert _got(made, tmp_path).read_bytes() == LARGE


def _got(api: HfApi, place: Path) -> Path:
    found = api.hf_hub_download(REPO, "data/a.parquet", repo_type="dataset", local_dir=place)
    return Path(found)


def test_a_commit_whose_answer_is_lost_is_made(made: HfApi, hub: HubServer) -> None:
    hub.troubles.append(Trouble(method="POST", path="/commit/", cut="after_answer"))
    with pytest.raises(HTTPError, match="reset"):
        _commit(made, {"README.md": b"# two"})
    held = hub.repositories[REPO]
    assert held.commits[held.branches["main"]].files["README.md"].data == b"# two"
