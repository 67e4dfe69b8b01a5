"""Which fields and which caps a server takes."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.doctor.advice import advice_lines
from benchwright.asking.findings import Findings
from benchwright.asking.voters import Voter
from stand_ins.models import Model

Examined = Callable[..., Findings]


def test_each_rejected_field_is_named_and_left_out(
    scripted: Callable[..., Model], entry: Callable[..., Voter], examined: Examined
) -> None:
    parameters = {"min_p": 0.1, "seed": 3, "think": False}
    findings = examined(scripted(unknown_fields="rejected"), parameters=parameters)
    assert findings.fields is not None
    assert findings.fields.rejected == {
        "min_p": "HTTP 422: unknown fields: min_p",
        "think": "HTTP 422: unknown fields: think",
    }
    assert findings.is_usable  # the other probes went on without them
    advice = advice_lines(entry(parameters=parameters), findings)
    assert "parameters: {seed: 3}" in advice


def test_fields_beyond_the_bound_are_untried(
    scripted: Callable[..., Model], examined: Examined
) -> None:
    parameters = {f"field_{number}": number for number in range(8)}
    findings = examined(scripted(unknown_fields="rejected"), parameters=parameters)
    assert findings.fields is not None
    # temperature is the first of those tried
    assert list(findings.fields.rejected) == [f"field_{number}" for number in range(5)]
    assert findings.fields.untried == ("field_5", "field_6", "field_7")
    assert findings.is_usable


def test_the_other_cap_is_found(
    scripted: Callable[..., Model], entry: Callable[..., Voter], examined: Examined
) -> None:
    findings = examined(scripted(cap="completion"))
    assert findings.fields is not None
    assert findings.fields.cap == "max_completion_tokens"
    assert findings.caps is not None
    assert findings.caps.max_tokens == "rejected"
    assert findings.caps.max_completion_tokens == "honoured"
    assert "cap: max_completion_tokens" in advice_lines(entry(), findings)


def test_logprobs_that_the_file_asks_for(
    scripted: Callable[..., Model], entry: Callable[..., Voter], examined: Examined
) -> None:
    findings = examined(scripted(logprobs="rejected"), logprobs=5)
    assert findings.fields is not None
    assert list(findings.fields.rejected) == ["logprobs"]
    assert "logprobs: 0" in advice_lines(entry(logprobs=5), findings)


def test_a_server_without_temperature(
    probe: Callable[..., Findings],
    entry: Callable[..., Voter],
    odd_server: Callable[..., str],
    seeing: Any,
    odd_error: Any,
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        if "temperature" in body:
            return odd_error(400, "temperature is not supported with this model")
        return seeing(body)

    findings = probe(odd_server(odd))
    assert findings.fields is not None
    assert list(findings.fields.rejected) == ["temperature"]
    assert findings.is_usable
    assert "parameters: {temperature: null}" in advice_lines(entry(), findings)


@pytest.mark.parametrize(
    ("parameters", "rejected"),
    [
        ({"top_p": 0.9}, ["temperature"]),  # ours, so it goes
        ({"top_p": 0.9, "temperature": 0.2}, ["temperature", "top_p"]),
    ],
)
def test_fields_that_are_rejected_only_together(
    probe: Callable[..., Findings],
    odd_server: Callable[..., str],
    seeing: Any,
    odd_error: Any,
    parameters: dict[str, float],
    rejected: list[str],
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        both = {"temperature", "top_p"} <= body.keys()
        return odd_error(400, "one of the two") if both else seeing(body)

    findings = probe(odd_server(odd), parameters=parameters)
    assert findings.fields is not None
    assert sorted(findings.fields.rejected) == rejected
    assert set(findings.fields.rejected.values()) == {"with the others: HTTP 400: one of the two"}
    assert findings.is_usable


def test_a_server_that_fails_at_a_field_is_not_down(
    probe: Callable[..., Findings], odd_server: Callable[..., str], seeing: Any, odd_error: Any
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        return odd_error(500, "KeyError: min_p") if "min_p" in body else seeing(body)

    findings = probe(odd_server(odd), parameters={"min_p": 0.1})
    assert findings.fields is not None
    assert findings.fields.rejected == {"min_p": "HTTP 500: KeyError: min_p"}
    assert findings.is_usable


def test_a_null_in_the_file_takes_temperature_away(
    probe: Callable[..., Findings], odd_server: Callable[..., str], seeing: Any, odd_error: Any
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        return odd_error(400, "no") if "temperature" in body else seeing(body)

    findings = probe(odd_server(odd), parameters={"temperature": None})
    assert findings.fields is not None
    assert findings.fields.rejected == {}
    assert findings.is_usable


def test_one_that_is_ignored(
    probe: Callable[..., Findings],
    entry: Callable[..., Voter],
    odd_server: Callable[..., str],
    seeing: Any,
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        return seeing({**body, "max_tokens": body.get("max_tokens", 1000)} | _no_cap(body))

    findings = probe(odd_server(odd), cap="max_completion_tokens")
    assert findings.caps is not None
    assert findings.caps.max_tokens == "honoured"
    assert findings.caps.max_completion_tokens == "ignored"
    voter = entry(cap="max_completion_tokens")
    assert "cap: max_tokens" in advice_lines(voter, findings)


def test_one_that_cuts_without_saying_so(
    probe: Callable[..., Findings], odd_server: Callable[..., str], seeing: Any
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        said = seeing(body)
        said.body["choices"][0]["finish_reason"] = "stop"
        return said

    findings = probe(odd_server(odd))
    assert findings.caps is not None
    assert findings.caps.max_tokens == "unmarked"


def _no_cap(body: dict[str, Any]) -> dict[str, Any]:
    """Return what makes a server blind to max_completion_tokens."""
    return {"max_completion_tokens": body.get("max_tokens", 1000)}
