"""Structured output, logprobs, same answers, seconds."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.doctor.advice import advice_lines
from benchwright.asking.doctor.promises import probe_structured
from benchwright.asking.findings import Findings
from benchwright.asking.voters import Voter
from stand_ins.models import Model, Turn
from stand_ins.models.question import Question

Examined = Callable[..., Findings]
BERTH = '"berth": {"side": "left", "taken": true}'


@pytest.mark.parametrize(
    ("json_schema", "json_object", "verdicts", "best"),
    [
        ("enforced", "enforced", ("enforced", "enforced"), "json_schema"),
        ("ignored", "enforced", ("ignored", "enforced"), "json_object"),
        ("rejected", "enforced", ("rejected", "enforced"), "json_object"),
        ("failing", "ignored", ("rejected", "ignored"), "none"),  # 500: as good as rejected
        ("enforced", "rejected", ("enforced", "rejected"), "json_schema"),
        ("ignored", "failing", ("ignored", "rejected"), "none"),
    ],
)
def test_structured(
    scripted: Callable[..., Model],
    entry: Callable[..., Voter],
    examined: Examined,
    json_schema: Any,
    json_object: Any,
    verdicts: tuple[str, str],
    best: str,
) -> None:
    findings = examined(scripted(json_schema=json_schema, json_object=json_object))
    found = findings.structured
    assert found is not None
    assert (found.json_schema, found.json_object) == verdicts
    assert found.best == best
    assert (found.json_schema_message is None) == (verdicts[0] != "rejected")
    assert (found.json_object_message is None) == (verdicts[1] != "rejected")
    other = "none" if best != "none" else "json_object"
    assert f"structured: {best}" in advice_lines(entry(structured=other), findings)


@pytest.mark.parametrize(
    "text",
    [
        f'{{"harbour": "west", "open": true, {BERTH}}}',  # not one of the values
        '{"harbour": "north", "open": true}',
        f'{{"harbour": "north", "open": true, {BERTH}, "more": 1}}',
        f'{{"harbour": "north", "open": 1, {BERTH}}}',
        '{"harbour": "north", "open": true, "berth": {"side": "left"}}',  # not taken, nor null
        f'```json\n{{"harbour": "north", "open": true, {BERTH}}}\n```',  # a model that means well
        "[1]",
        "[" * 100_000,
        None,
    ],
)
def test_json_of_another_form_is_not_enforced(
    probe_alone: Callable[..., Any],
    odd_server: Callable[..., str],
    seeing: Any,
    odd_complete: Any,
    text: str | None,
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        return odd_complete(text) if "response_format" in body else seeing(body)

    found = probe_alone(odd_server(odd), probe_structured)
    assert found.json_schema == "ignored"


@pytest.mark.parametrize(
    "text",
    [
        f'{{"harbour": "north", "open": true, {BERTH}}}',
        ' {"open": false, "harbour": "south", "berth": {"side": "right", "taken": null}}\n',
    ],
)
def test_json_of_the_form_is_enforced(
    probe_alone: Callable[..., Any],
    odd_server: Callable[..., str],
    seeing: Any,
    odd_complete: Any,
    text: str,
) -> None:
    asked = []

    def odd(body: dict[str, Any]) -> Any:
        asked.append(body["response_format"])
        return odd_complete(text)

    found = probe_alone(odd_server(odd), probe_structured)
    assert found.json_schema == "enforced"
    form = asked[0]["json_schema"]
    assert form["strict"] is True  # as structured answers are asked for
    assert form["schema"]["additionalProperties"] is False
    assert "$defs" in form["schema"]


@pytest.mark.parametrize("logprobs", ["ignored", "rejected"])
def test_no_logprobs(scripted: Callable[..., Model], examined: Examined, logprobs: Any) -> None:
    found = examined(scripted(logprobs=logprobs)).logprobs
    assert found is not None
    assert (found.verdict, found.alternatives) == (logprobs, 0)
    assert (found.message is None) == (logprobs == "ignored")


def test_five_logprobs_where_twenty_are_too_many(
    probe: Callable[..., Findings],
    entry: Callable[..., Voter],
    odd_server: Callable[..., str],
    seeing: Any,
    odd_error: Any,
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        top = body.get("top_logprobs", 0)
        if top > 5:
            return odd_error(400, "at most 5")
        said = seeing(body)
        listed = [{"token": str(number), "logprob": -1.0} for number in range(top)]
        entry = {"token": "0", "logprob": -1.0, "top_logprobs": listed}
        said.body["choices"][0]["logprobs"] = {"content": [entry]}
        return said

    findings = probe(odd_server(odd))
    found = findings.logprobs
    assert found is not None
    assert (found.verdict, found.alternatives) == ("given", 5)
    assert found.message == "HTTP 400: at most 5"
    assert "logprobs: 5" in advice_lines(entry(), findings)


def test_the_same_answer(examined: Examined) -> None:
    found = examined().repeats
    assert found is not None
    assert (found.asked, found.different, found.logprobs_equal) == (3, 1, True)


def test_other_answers(
    scripted: Callable[..., Model], examined: Examined, colours: Callable[[Question], Turn]
) -> None:
    def brain(question: Question) -> Turn:
        turn = colours(question)
        return Turn(text=f"{turn.text} {question.asked_before}")

    found = examined(scripted(), brain).repeats
    assert found is not None
    assert (found.asked, found.different, found.logprobs_equal) == (3, 3, None)


def test_repeats_are_asked_at_temperature_0_whatever_the_file_says(
    probe: Callable[..., Findings], odd_server: Callable[..., str], seeing: Any, odd_text: Any
) -> None:
    asked = []

    def odd(body: dict[str, Any]) -> Any:
        asked.append((odd_text(body), body.get("temperature")))
        return seeing(body)

    probe(odd_server(odd), parameters={"temperature": 0.7})
    warm = {temperature for text, temperature in asked if "harbour at dawn" in text}
    assert warm == {0}
    assert {temperature for text, temperature in asked if "colour" in text} == {0.7}


@pytest.mark.parametrize(("concurrency", "at_once"), [(1, 1), (3, 3), (8, 4)])
def test_speed(
    scripted: Callable[..., Model], examined: Examined, concurrency: int, at_once: int
) -> None:
    findings = examined(scripted(seconds=0.02), concurrency=concurrency)
    found = findings.speed
    assert found is not None
    assert found.at_once == at_once
    assert found.alone is not None
    assert 0.02 <= found.alone < 1
    assert (found.together is None) == (concurrency == 1)
