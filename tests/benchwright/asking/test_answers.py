"""answers.sqlite: what was answered stays answered, whoever opens it and whatever stands in it."""

import sqlite3
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.answers import AnswerStore, Held, held
from benchwright.asking.batch_ledger import BatchLedger, under_way
from benchwright.asking.replies import Reply, Token, Usage
from benchwright.errors import WorkspaceError

KEY = "ab" * 32
OK = Reply(key=KEY, status="ok", text="Yes.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


texts = st.text(st.characters(codec="utf-8"))
replies = st.builds(
    Reply,
    key=st.binary(min_size=32, max_size=32).map(bytes.hex),
    status=st.sampled_from(["ok", "refused", "truncated", "rejected"]),
    text=texts,
    refusal=st.none() | texts,
    finish_reason=st.none() | texts,
    tool_calls=st.lists(st.fixed_dictionaries({"id": texts}), max_size=2).map(tuple),
    tokens=st.none()
    | st.lists(
        st.builds(
            Token,
            text=texts,
            logprob=st.none() | st.floats(-50, 0),
            alternatives=st.lists(st.tuples(texts, st.floats(-50, 0)), max_size=3).map(tuple),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    usage=st.builds(Usage, prompt=st.integers(0, 10**9), completion=st.integers(0, 10**6)),
    seconds=st.floats(0, 1e6),
    model=st.none() | texts,
    build=st.none() | texts,
    http_status=st.none() | st.integers(100, 599),
    error=st.none() | texts,
)


@given(reply=replies)
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, reply: Reply) -> None:
    path = tmp_path_factory.mktemp("answers") / "answers.sqlite"
    with AnswerStore(path) as store:
        store.add(reply, "{}", "v")
    with AnswerStore(path) as store:
        assert store.final(reply.key) == replace(reply, is_stored=True)


@pytest.mark.parametrize(
    ("statuses", "found"),
    [
        ([], None),  # never asked
        (["failed"], None),  # worth asking again
        (["failed", "failed"], None),
        (["ok"], "ok"),
        (["failed", "ok"], "ok"),  # the second try went well
        (["ok", "failed"], "ok"),  # a later failure takes nothing back
        (["refused"], "refused"),  # final: not bought again
        (["truncated"], "truncated"),
        (["rejected"], "rejected"),
        (["refused", "ok"], "ok"),  # asked anew: the newest counts
    ],
)
def test_final(path: Path, statuses: list[str], found: str | None) -> None:
    with AnswerStore(path) as store:
        for status in statuses:
            store.add(replace(OK, status=status), "{}", "v")  # type: ignore[arg-type]
        final = store.final(KEY)
    assert (final and final.status) == found


def test_again_asks_anew_what_is_named(path: Path) -> None:
    again = frozenset({"rejected"})
    with AnswerStore(path) as store:
        store.add(replace(OK, status="rejected"), "{}", "v")
    with AnswerStore(path) as store:
        assert store.final(KEY, again) is None
        assert store.final(KEY, frozenset({"refused"})) is not None
        store.add(replace(OK, status="rejected"), "{}", "v")
        assert store.final(KEY, again) is not None  # asked anew once, not for ever


def test_request_is_kept_once_attempts_all(path: Path) -> None:
    with AnswerStore(path) as store:
        for _ in range(3):
            store.add(replace(OK, status="failed"), '{"asked":1}', "v")
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT description FROM requests").fetchall() == [
            ('{"asked":1}',)
        ]
        assert connection.execute("SELECT count(*) FROM attempts").fetchone() == (3,)
    connection.close()


def test_half_a_surrogate_pair_in_a_prompt_is_survived(path: Path) -> None:
    """sqlite cannot hold one; that of a reply is mended when the reply is made."""
    with AnswerStore(path) as store:
        store.add(OK, '"\ud83d"', "v")
        asked = store.run("SELECT description FROM requests").fetchall()
    assert asked == [('"?"',)]


def test_two_processes_at_once(path: Path) -> None:
    with AnswerStore(path) as one, AnswerStore(path) as other:
        one.add(OK, "{}", "v")
        assert other.final(KEY) is not None
        other.add(replace(OK, key="cd" * 32), "{}", "v")
        assert one.final("cd" * 32) is not None


def test_seconds_of_a_voter(path: Path) -> None:
    with AnswerStore(path) as store:
        assert store.seconds_of("v") == []
        for seconds in (1.0, 3.0):
            store.add(replace(OK, seconds=seconds), "{}", "v")
        store.add(replace(OK, seconds=99.0, status="failed"), "{}", "v")
        store.add(replace(OK, seconds=99.0), "{}", "other")
        assert store.seconds_of("v") == [3.0, 1.0]


def test_no_database(path: Path) -> None:
    path.write_bytes(b"this is no database, whatever its name says" * 40)
    with pytest.raises(WorkspaceError, match=r"answers\.sqlite: .*not a database"):
        AnswerStore(path)


def test_other_form(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(WorkspaceError, match="its form is 99"):
        AnswerStore(path)


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="mend the rights"):
        AnswerStore(tmp_path / "none" / "answers.sqlite")


def test_a_long_answer_is_written_in_few_steps(path: Path) -> None:
    """The event loop waits for it: 320 alternatives must not be copied one by one."""
    alternatives = tuple((str(at), -float(at)) for at in range(20))
    tokens = tuple(Token(text="a", logprob=-0.5, alternatives=alternatives) for _ in range(16))
    steps = Counter[str]()

    def count(frame: object, event: str, argument: object) -> None:
        steps[event] += 1

    with AnswerStore(path) as store:
        sys.setprofile(count)
        try:
            store.add(replace(OK, tokens=tokens), "{}", "v")
        finally:
            sys.setprofile(None)
        kept = store.final(KEY)
    assert kept is not None
    assert kept.tokens == tokens
    assert steps["call"] < 100  # Python functions; a copy of each number would be 700 and more


def test_what_a_file_holds(path: Path) -> None:
    with AnswerStore(path) as store:
        for voter, status in (("v", "ok"), ("w", "refused"), ("x", "failed")):
            store.add(replace(OK, status=status), "{}", voter)  # type: ignore[arg-type]
        store.add(replace(OK, key="cd" * 32), "{}", "v")
        store.add(replace(OK, key="ef" * 32, status="failed"), "{}", "y")  # and never answered
    before = path.read_bytes()
    assert held(path) == Held(answers=2, voters=2)
    assert under_way(path) == 0  # nothing went by batches here
    assert path.read_bytes() == before
    path.write_bytes(b"no database" * 100)
    for look in (held, under_way):
        with pytest.raises(WorkspaceError, match="bring the file back from a copy"):
            look(path)


def test_batches_under_way(path: Path) -> None:
    with AnswerStore(path) as store:
        ledger = BatchLedger(store, "v", "http://h/v1")
        batches = [ledger.prepare({f"{at:064x}": "{}"}, 0.0) for at in range(5)]
        ledger.uploaded(batches[0], "file")
        ledger.created(batches[1], "batch")
        ledger.close(batches[2], "collected", None)
        ledger.close(batches[3], "failed", "no")
        assert under_way(path) == len(ledger.open()) == 3
        ledger.forget(batches[4])
        assert under_way(path) == len(ledger.open()) == 2
