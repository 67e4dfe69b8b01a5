"""Does a server answer at all?"""

import time
from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking import limiter
from benchwright.asking.doctor.advice import advice_lines
from benchwright.asking.doctor.speaking import probe_speech
from benchwright.asking.findings import Findings
from benchwright.asking.voters import Voter
from stand_ins.models import Fault, Model, ScriptedServer, Turn
from stand_ins.models.question import Question

Examined = Callable[..., Findings]


def test_a_good_server(examined: Examined) -> None:
    findings = examined()
    assert findings.reach.verdict == "answers"
    assert findings.reach.is_listed is True
    assert findings.reach.model == "scripted"
    assert findings.reach.build == "scripted-1"
    assert findings.reach.room is None
    assert findings.fields is not None
    assert findings.fields.rejected == {}
    assert findings.is_usable


def test_nobody_there(probe: Callable[..., Findings]) -> None:
    server = ScriptedServer()
    server.start()
    server.stop()
    started = time.monotonic()
    findings = probe(server.base_url)
    assert time.monotonic() - started < 5  # it does not wait as a run would
    assert findings.reach.verdict == "unreachable"
    assert findings.reach.message
    assert "nobody answers" in findings.reach.message
    assert findings.sight is None
    assert not findings.is_usable


def test_a_model_that_the_server_does_not_have(examined: Examined) -> None:
    findings = examined(model="other")
    assert findings.reach.verdict == "model_unknown"
    assert findings.reach.message
    assert findings.reach.message.endswith("it has scripted")
    assert not findings.is_usable


def test_a_key_that_is_not_set(examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    findings = examined(api_key_env="A_KEY")
    assert (findings.reach.verdict, findings.calls) == ("no_key", 0)
    assert "A_KEY" in (findings.reach.message or "")


def test_a_key_that_is_wrong(examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "sk-wrong")
    findings = examined(script={"keys": ("sk-right",)}, api_key_env="A_KEY")
    assert (findings.reach.verdict, findings.reach.is_listed) == ("wrong_key", None)
    assert "put its key into A_KEY" in (findings.reach.message or "")


def test_a_quota_that_is_spent(examined: Examined) -> None:
    findings = examined(script={"faults": (Fault(kind="quota", rate=1),)})
    assert findings.reach.verdict == "no_quota"
    assert not findings.is_usable


def test_a_server_that_rejects_the_plainest_call(
    scripted: Callable[..., Model], examined: Examined
) -> None:
    findings = examined(scripted(context=1))
    assert findings.reach.verdict == "refuses"
    assert "context" in (findings.reach.message or "")


@pytest.mark.parametrize(
    "listed",
    [
        None,  # 404
        {"data": 3},
        {"data": [3, {"id": 4}, {}]},
        ["x"],
        "x",
        b"<html>",
        b"[" * 100_000,
    ],
)
def test_a_server_without_a_list_that_can_be_read(
    probe_alone: Callable[..., Any], odd_server: Callable[..., str], seeing: Any, listed: Any
) -> None:
    reach, _ = probe_alone(odd_server(seeing, listed), probe_speech)
    assert reach.verdict == "answers"
    assert reach.is_listed is None


def test_a_server_that_answers_to_any_name(
    probe: Callable[..., Findings], odd_server: Callable[..., str], seeing: Any
) -> None:
    reach = probe(odd_server(seeing, {"data": [{"id": "other"}]})).reach
    assert (reach.verdict, reach.is_listed) == ("answers", False)


@pytest.mark.parametrize("in_a_field", [True, False])
def test_a_model_that_reasons_first_gets_room(
    scripted: Callable[..., Model],
    entry: Callable[..., Voter],
    examined: Examined,
    colours: Callable[[Question], Turn],
    in_a_field: bool,
) -> None:
    thought = "Let me think it over. " * 30

    def brain(question: Question) -> Turn:
        text = colours(question).text
        if in_a_field:
            return Turn(text=text, reasoning=thought)
        return Turn(text=f"<think>{thought}</think>{text}")

    findings = examined(scripted(), brain)
    assert findings.reach.room == 2048
    assert findings.sight is not None
    assert findings.sight.verdict == "sees"
    assert findings.caps is not None
    assert findings.caps.max_tokens == "honoured"
    assert "max_tokens: 2048" in advice_lines(entry(), findings)


def test_a_short_pause_is_waited_for(examined: Examined) -> None:
    fault = Fault(kind="rate_limit", ordinals=(0, 3), retry_after=0.1)
    assert examined(script={"faults": (fault,)}).is_usable


def test_a_long_pause_is_a_finding(examined: Examined) -> None:
    fault = Fault(kind="rate_limit", ordinals=(0,), retry_after=3600)
    reach = examined(script={"faults": (fault,)}).reach
    assert reach.verdict == "unreachable"
    assert "wants a pause of 3600 s" in (reach.message or "")


def test_pauses_without_end_are_a_finding(
    examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "_FIRST_PAUSE", 0.01)
    findings = examined(script={"faults": (Fault(kind="rate_limit", rate=1),)})
    assert (findings.reach.verdict, findings.calls) == ("unreachable", 5)
