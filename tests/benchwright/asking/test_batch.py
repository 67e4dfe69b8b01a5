"""Batches over a real connection: nothing is lost, joined wrongly, or asked twice."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from benchwright import files
from benchwright.asking.batch import BatchSettings
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.views import part_of
from benchwright.errors import ServerError, UsageError, WorkspaceError
from stand_ins.between import Between
from stand_ins.models import BatchRules, Fault, Model

Start = Callable[..., Any]
Leaving = Callable[[], AbstractContextManager[None]]
CONTENT = "GET /v1/files/"


def questions(number: int, start: int = 0) -> list[Request]:
    return [Request.of(f"question {start + n}?", max_tokens=16) for n in range(number)]


def lines(between: Between) -> list[list[dict[str, Any]]]:
    """Return the lines of each file that was uploaded."""
    found = []
    for call, body in zip(between.calls, between.sent, strict=True):
        if call == "POST /v1/files":
            said = [line for line in body.split(b"\n") if line.startswith(b'{"custom_id"')]
            found.append([json.loads(line) for line in said])
    return found


def key(request: Request, bench: Any) -> str:
    return key_of(description(request, bench.voter))


# joined on the custom id


@pytest.mark.parametrize("seed", range(3))  # each mixes the lines of its files in another way
def test_answers_find_their_requests(bench: Start, seed: int) -> None:
    one = bench(seed=seed, batches=BatchRules(polls=2))
    outcome = one.run(questions(10))
    assert one.texts() == {f"question {n}?": f"to question {n}?" for n in range(10)}
    assert (outcome.submitted, outcome.collected, outcome.notes) == (10, 10, ())
    assert one.batches() == ["collected"] * 3
    assert one.server.counts.chats == 10


def test_rerun_asks_nothing(bench: Start, between: Between) -> None:
    one = bench()
    one.run(questions(5))
    calls = len(between.calls)
    outcome = one.run(questions(5))
    assert (outcome.stored, outcome.submitted, len(between.calls)) == (5, 0, calls)


def test_errors_come_in_a_second_file(bench: Start) -> None:
    faults = (
        Fault(kind="server_error", ordinals=(0,)),
        Fault(kind="rate_limit", ordinals=(1,)),
        Fault(kind="content_filter", ordinals=(2,)),
        Fault(kind="truncated", ordinals=(3,)),
    )
    one = bench(faults=faults, models=(Model(context=60),))
    too_long = Request.of("word " * 400, max_tokens=16)
    outcome = one.run(
        [*questions(4), *questions(1, 8), too_long],
        settings=BatchSettings(poll_seconds=0.005, most_lines=9),
    )
    assert one.statuses() == {"failed": 2, "refused": 1, "truncated": 1, "ok": 1, "rejected": 1}
    assert (outcome.collected, outcome.rejected, outcome.failed) == (3, 1, 2)
    again = one.run([*questions(4), *questions(1, 8), too_long])
    assert (again.stored, again.submitted, again.collected) == (4, 2, 2)  # final is final


def test_what_nobody_asked(bench: Start, between: Between) -> None:
    def change(body: bytes) -> bytes:
        first, *rest = body.split(b"\n")
        strange = [json.loads(first) | {"custom_id": name} for name in ("x", 7, None, "F" * 64)]
        odd = [json.dumps(line).encode() for line in strange]
        return b"\n".join([*odd, b"{half", b"[]", b"", first, first, *rest])

    one = bench()
    between.trouble(CONTENT, "answer_changed", change)
    outcome = one.run(questions(4))
    assert one.statuses() == {"ok": 4}  # the line that came twice counts once
    unreadable, unknown = outcome.notes
    assert unreadable == "voter v: batch batch-1: 2 lines of its answers are no JSON objects"
    assert unknown == (
        "voter v: batch batch-1: 4 lines answer requests that are not in it"
        " ('x', 7, None and 1 more)"
    )


def test_texts_with_separators(bench: Start, between: Between) -> None:
    # what str.splitlines takes for ends of lines stands raw in JSON that is not escaped
    one = bench()
    said = "one\u2028two\x85three"
    between.trouble(
        CONTENT, "answer_changed", lambda body: body.replace(b"to question", said.encode())
    )
    one.run(questions(3))
    assert set(one.texts().values()) == {f"{said} {n}?" for n in range(3)}


# files


def test_split_by_lines_and_bytes(bench: Start, between: Between) -> None:
    requests = [Request.of("x" * length, max_tokens=16) for length in (10, 400, 11, 9, 700, 20)]
    one = bench()
    one.run(requests, settings=BatchSettings(poll_seconds=0.005, most_bytes=1000, most_lines=2))
    sizes = [
        [len(line["body"]["messages"][0]["content"]) for line in file] for file in lines(between)
    ]
    assert sizes == [[10, 400], [11, 9], [700], [20]]  # 700 and 20 with their keys are over 1,000
    asked = [line["custom_id"] for file in lines(between) for line in file]
    assert asked == [key(request, one) for request in requests]


def test_line_over_the_cap(bench: Start) -> None:
    one = bench()
    settings = BatchSettings(poll_seconds=0.005, most_bytes=2000)
    requests = [*questions(1), Request.of("x" * 3000, max_tokens=16), *questions(1, 5)]
    outcome = one.run(requests, settings=settings)
    assert (outcome.collected, outcome.rejected) == (2, 1)
    ((error,),) = one.rows("SELECT error FROM attempts WHERE status = 'rejected'")
    assert "a file of a batch takes at most 2,000" in error
    assert one.run(requests, settings=settings).stored == 3


def test_pictures(bench: Start, between: Between, tmp_path: Path) -> None:
    Image.new("RGB", (60, 40), "teal").save(tmp_path / "teal.png")
    request = Request.of("colour?", part_of(tmp_path / "teal.png"), max_tokens=16)
    one = bench()
    assert one.run([request]).collected == 1
    ((line,),) = lines(between)
    assert line["url"] == "/v1/chat/completions"
    url = line["body"]["messages"][0]["content"][1]["image_url"]["url"]
    assert url.startswith("data:image/png;base64,")
    voter = one.voter.model_copy(
        update={"pictures": one.voter.pictures.model_copy(update={"at_once": 1})}
    )
    two = Request.of(*[part_of(tmp_path / "teal.png")] * 2, max_tokens=16)
    with pytest.raises(UsageError, match="takes at most 1 pictures at once"):
        one.run([two], voter=voter)


def test_requests_are_read_one_by_one(bench: Start, between: Between) -> None:
    read = []

    def reading() -> Iterator[Request]:
        for request in questions(11):
            read.append((len(read), between.calls.count("POST /v1/batches")))
            yield request

    bench().run(reading())
    # the fifth is read to find that it has no room; then the first file goes out before the sixth
    assert read == [(n, (n - 1) // 4 if n else 0) for n in range(11)]


def test_same_request_twice_is_one_line(bench: Start, between: Between) -> None:
    one = bench()
    assert one.run([*questions(3), *questions(3)]).submitted == 3
    assert one.run([*questions(9, 10), *questions(9, 10)]).submitted == 9  # over two files
    # the fifth, which is read while it is the first that has no room, is one of those four
    assert one.run([*questions(4, 30), *questions(2, 30)]).submitted == 4
    assert [len(file) for file in lines(between)] == [3, 4, 4, 1, 4]


def test_nothing_is_left(bench: Start) -> None:
    one = bench()
    one.run(questions(5))
    left = [path.name for path in (one.folder / "batches").rglob("*") if path.is_file()]
    assert left == [".lock"]


# submit and leave


def test_leave_and_collect_later(bench: Start, between: Between, leaving: Leaving) -> None:
    one = bench(batches=BatchRules(polls=2))
    with leaving():
        one.run(questions(6))
    assert (one.statuses(), one.batches()) == ({}, ["created"] * 2)
    with leaving():
        one.run(questions(8))  # two are new, six are under way
    assert (one.statuses(), one.batches()) == ({}, ["created"] * 3)
    assert [len(file) for file in lines(between)] == [4, 2, 2]
    later = one.run()
    assert (later.submitted, later.collected) == (0, 8)
    assert one.server.counts.chats == 8


def test_one_process_at_a_time(bench: Start) -> None:
    one = bench()
    (one.folder / "batches" / "v").mkdir(parents=True)
    with (
        files.locked(one.folder / "batches" / "v", "x"),
        pytest.raises(WorkspaceError, match="another process is running batches of voter v"),
    ):
        one.run(questions(1))


def test_held_by_another_voter(bench: Start, leaving: Leaving) -> None:
    one = bench(batches=BatchRules(polls=3))
    with leaving():
        one.run(questions(3))
    other = one.voter.model_copy(update={"name": "w"})
    outcome = one.run(questions(4), voter=other)
    assert outcome.submitted == 1
    assert outcome.notes == (
        "3 requests are in batches of voter v, which asks the same; they are collected when that"
        " one is run",
    )


def test_again(bench: Start) -> None:
    one = bench(faults=(Fault(kind="content_filter", ordinals=(0,)),))
    one.run(questions(2))
    assert one.run(questions(2)).submitted == 0
    assert one.run(questions(2), again=frozenset({"refused"})).collected == 1
    assert one.statuses() == {"ok": 2, "refused": 1}


# batches that end otherwise


def test_expired_half_way(bench: Start) -> None:
    one = bench(batches=BatchRules(outcome="expired"))
    outcome = one.run(questions(4))
    assert (outcome.collected, outcome.failed) == (2, 2)
    assert outcome.notes == (
        "voter v: batch batch-1 expired with 2 of 4 requests unanswered; the same command sends the"
        " rest",
    )
    assert len(set(one.rows("SELECT error FROM attempts WHERE status = 'failed'"))) == 1
    assert one.run(questions(4)).submitted == 2
    assert max(one.server.counts.requests.values()) == 1


def test_each_look_says_how_batches_stand(bench: Start, caplog: pytest.LogCaptureFixture) -> None:
    one = bench(batches=BatchRules(polls=3))
    one.run(questions(8))
    said = [record.getMessage() for record in caplog.records if "under way" in record.getMessage()]
    assert said[0] == "voter v: batches under way: 2 created, next look in 1 s"
    assert "2 in_progress" in said[1]
    assert len(said) >= 2


def test_lines_in_neither_file(bench: Start, between: Between) -> None:
    one = bench()
    between.trouble(CONTENT, "answer_changed", lambda body: b"\n".join(body.split(b"\n")[:1]))
    outcome = one.run(questions(4))
    assert (outcome.collected, outcome.failed, outcome.unanswered) == (1, 0, 3)
    assert one.run(questions(4)).submitted == 3


def test_failed_validation(bench: Start, between: Between) -> None:
    one = bench(batches=BatchRules(max_lines=3))
    outcome = one.run(questions(4))
    assert outcome.notes == (
        "voter v: batch batch-1 of 4 requests failed its validation and nothing of it was run"
        " (4 lines; wanted 1 to 3); when what the server names is mended, the same command sends"
        " them again",
    )
    assert (outcome.unanswered, one.batches()) == (4, ["failed"])
    assert between.calls[-1] == "DELETE /v1/files/file-1"
    mended = one.run(questions(4), settings=BatchSettings(poll_seconds=0.005, most_lines=3))
    assert (mended.submitted, mended.collected) == (4, 4)


def no_room(body: bytes) -> bytes:
    fault = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}
    return json.dumps(json.loads(body) | {"status": "failed", "errors": {"data": [fault]}}).encode()


def test_no_room_waits_for_another(bench: Start, between: Between) -> None:
    one = bench(batches=BatchRules(polls=2))
    between.trouble("GET /v1/batches/batch-2", "answer_changed", no_room)
    outcome = one.run(questions(8))
    assert (outcome.submitted, outcome.collected, outcome.notes) == (8, 8, ())
    assert between.calls.count("POST /v1/files") == 2  # the file is used again
    assert between.calls.count("POST /v1/batches") == 3


def test_no_room_at_all(bench: Start, between: Between) -> None:
    one = bench()
    between.trouble("GET /v1/batches/batch-1", "answer_changed", no_room)
    outcome = one.run(questions(2))
    (note,) = outcome.notes
    assert (
        "(Enqueued token limit reached); the same command sends them again when there is room"
        in note
    )
    assert one.run(questions(2)).collected == 2


def test_answers_are_gone(bench: Start, between: Between) -> None:
    one = bench()
    between.trouble(CONTENT, "not_sent", httpx2.Response(404, json={"error": "no such file"}))
    outcome = one.run(questions(2))
    note, then = outcome.notes
    assert "its file of answers file-2 is gone at the server" in note
    assert then.endswith("ended with 2 of 2 requests unanswered; the same command sends the rest")
    assert outcome.unanswered == 2


def test_error_file_that_is_none(bench: Start, between: Between) -> None:
    # named all the same by some servers where nothing failed
    one = bench()
    between.trouble(
        "GET /v1/batches/",
        "answer_changed",
        lambda body: body.replace(b'"error_file_id": null', b'"error_file_id": "file-x"'),
    )
    outcome = one.run(questions(2))
    assert (outcome.collected, outcome.notes) == (2, ())
    assert "GET /v1/files/file-x/content" in between.calls


def test_looks_space_out(bench: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr("benchwright.asking.batch.asyncio.sleep", noted)
    bench(batches=BatchRules(polls=9)).run(questions(1), settings=BatchSettings(poll_seconds=20))
    assert pauses == pytest.approx([20, 30, 45, 67.5, 101.25, 151.875, 200, 200, 200], rel=0.01)


def test_batch_is_unknown(bench: Start, between: Between, leaving: Leaving) -> None:
    one = bench(batches=BatchRules(polls=2))
    with leaving():
        one.run(questions(2))
    gone = httpx2.Response(404, json={"error": {"message": "no such batch"}})
    between.trouble("GET /v1/batches/batch-1", "not_sent", gone)
    with pytest.raises(ServerError, match=r"knows no batch batch-1, which was created at http"):
        one.run(questions(2))
    assert one.run(questions(2)).collected == 2  # it was not given up
