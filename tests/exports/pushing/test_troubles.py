"""Pushing through what goes wrong: nothing is sent twice that need not be, nothing is half done."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import CommitOperationAdd

from benchwright.errors import ServerError, UsageError
from benchwright.files import sha256_of
from exports.pushing import committing
from exports.pushing.standing import Standing, standing_at
from stand_ins.hub import Blob, Repository, Trouble
from stand_ins.hub.repository import Commit
from stand_ins.hub.serving import READ_TOKEN

# huggingface_hub itself calls httpx2 so
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

REPO = "ana/things"
_CLIENT_TRIES = 6  # of an upload, by huggingface_hub itself
_OUR_TRIES = 5


# what is asked, the trouble, the seconds that are waited for it
@pytest.mark.parametrize(
    ("trouble", "waited"),
    [
        # the Hub wants a commit later, and says when
        (Trouble(method="POST", path="/commit/", status=429, retry_after=7), 7.0),
        # an hour is too long to wait
        (Trouble(method="POST", path="/commit/", status=429, retry_after=3600), 120.0),
        # or does not say when
        (Trouble(method="POST", path="/commit/", status=429), 1.0),
        (Trouble(method="POST", path="/commit/", status=503), 1.0),
        # the connection is cut
        (Trouble(method="POST", path="/commit/", cut="in_upload"), 1.0),
        (Trouble(method="POST", path="/commit/", cut="in_answer"), 1.0),
        # the commit is made, and nobody hears of it
        (Trouble(method="POST", path="/commit/", cut="after_answer"), 1.0),
        (Trouble(method="POST", path="/tag/", cut="after_answer"), 1.0),
        (Trouble(method="POST", path="/repos/create", cut="after_answer"), 1.0),
        (Trouble(method="GET", path="/refs", status=502), 1.0),
        # the read-back is cut
        (Trouble(method="GET", path="/resolve/", cut="in_answer", after=4), 1.0),
    ],
)
def test_a_trouble_that_passes_is_waited_for(
    place: Any, first: Path, trouble: Trouble, waited: float
) -> None:
    place.hub.troubles.append(trouble)
    place.push(first)
    assert trouble.times == 0
    assert waited in place.slept
    assert place.releases == ["Release things 1.0.0"]
    assert place.held.tags == {"v1.0.0": place.at().oid}
    assert set(place.sent().values()) == {1}


def _largest(first: Path) -> str:
    return sha256_of(first / "data" / "images" / "test-00000-of-00001.parquet")


def test_an_upload_that_was_cut_goes_on_by_hash(place: Any, first: Path) -> None:
    cut = _largest(first)
    path = f"/lfs/{REPO}/{cut}"
    place.hub.troubles.append(
        Trouble(method="PUT", path=path, cut="in_upload", times=_CLIENT_TRIES)
    )
    place.push(first)
    sent = place.sent()
    # the file that was cut begins anew, all others were sent once
    assert sent.pop(cut) == _CLIENT_TRIES + 1
    assert set(sent.values()) == {1}
    assert place.releases == ["Release things 1.0.0"]


def test_a_push_that_gave_up_goes_on_when_it_is_run_again(place: Any, first: Path) -> None:
    cut = _largest(first)
    trouble = Trouble(method="PUT", path=cut, cut="in_upload", times=-1)
    place.hub.troubles.append(trouble)
    with pytest.raises(ServerError, match=r"the Hub does not answer .* is not sent again"):
        place.push(first)
    assert place.sent()[cut] == _CLIENT_TRIES * _OUR_TRIES
    assert place.releases == []
    assert place.held.tags == {}
    place.hub.troubles.clear()
    before = place.sent()
    place.push(first)
    again = {oid: count - before.get(oid, 0) for oid, count in place.sent().items()}
    assert {oid: count for oid, count in again.items() if count} == {cut: 1}
    assert place.releases == ["Release things 1.0.0"]


def test_a_commit_nobody_heard_of_is_not_made_again(place: Any, first: Path) -> None:
    place.hub.troubles += [
        Trouble(method="POST", path="/commit/", cut="after_answer"),
        Trouble(method="GET", path="/revision/main", status=500, after=1, times=-1),
    ]
    with pytest.raises(ServerError, match=r"the Hub refuses \(500"):
        place.push(first)
    assert place.releases == ["Release things 1.0.0"]
    assert place.held.tags == {}
    place.hub.troubles.clear()
    pushed = place.push(first)
    assert pushed.is_new
    assert place.releases == ["Release things 1.0.0"]
    assert place.held.tags == {"v1.0.0": place.at().oid}


def test_a_commit_of_somebody_else_in_between_stays(
    place: Any, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = ["a.md", "b.md"]

    def look_and_lose(*arguments: Any) -> Standing:
        found = standing_at(*arguments)
        if left:
            add = [CommitOperationAdd(left.pop(), b"somebody else's")]
            place.api.create_commit(
                REPO, operations=add, commit_message="meanwhile", repo_type="dataset"
            )
        return found

    monkeypatch.setattr(committing, "standing_at", look_and_lose)
    place.push(first)
    assert place.releases == ["Release things 1.0.0"]
    assert {"a.md", "b.md"} <= place.at("v1.0.0").files.keys()


# what never passes: the status, what is said, how often a commit is tried
@pytest.mark.parametrize(
    ("status", "said", "tries"),
    [
        (412, "others commit there all the time", _OUR_TRIES),
        (429, "the Hub refuses", _OUR_TRIES),
        (500, "the Hub refuses", _OUR_TRIES),
        (400, "the Hub refuses", 1),
    ],
)
def test_a_trouble_that_stays_ends_the_push(
    place: Any, first: Path, status: int, said: str, tries: int
) -> None:
    place.hub.troubles.append(Trouble(method="POST", path="/commit/", status=status, times=-1))
    with pytest.raises(ServerError, match=said):
        place.push(first)
    assert place.hub.asked("POST", "/commit/") == tries
    assert place.held.tags == {}


# who asks, without the right
@pytest.mark.parametrize("token", [READ_TOKEN, "hf_somebody_elses_secret"])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_token_without_the_right_is_said_and_not_shown(
    place: Any, first: Path, token: str, is_there: bool, caplog: pytest.LogCaptureFixture
) -> None:
    if is_there:
        place.api.create_repo(REPO, repo_type="dataset")
    with pytest.raises(
        UsageError, match=r"this token may not .*set HF_TOKEN .* role write"
    ) as error:
        place.push(first, api=place.client(token))
    assert token not in str(error.value)
    assert token not in caplog.text
    assert "\n" not in str(error.value)
    assert (REPO in place.hub.repositories) is is_there


def test_no_token_is_said(place: Any, first: Path) -> None:
    with pytest.raises(UsageError, match=r"^ana/things: no token: set HF_TOKEN"):
        place.push(first, api=place.client(token=False))


def test_what_comes_back_is_compared(
    place: Any, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Repository.add

    def spoilt(held: Repository, branch: str, title: str, files: Mapping[str, Blob]) -> Commit:
        changed = {"ATTRIBUTION.csv": Blob(data=b"spoilt")} if len(files) > 1 else {}
        return kept(held, branch, title, {**files, **changed})

    monkeypatch.setattr(Repository, "add", spoilt)
    with pytest.raises(ServerError, match=r"is not what was pushed \(ATTRIBUTION\.csv: .* bytes"):
        place.push(first)
