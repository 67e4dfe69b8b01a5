"""All probes: against servers in trouble, and against a real one."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.findings import Findings
from benchwright.asking.voters import PictureTokens
from stand_ins.foreign_server import MODEL_NAME
from stand_ins.tiny_llava import TOKENS_OF_A_PICTURE

Examined = Callable[..., Findings]


def test_a_server_that_dies_of_a_large_picture(
    probe: Callable[..., Findings],
    odd_server: Callable[..., str],
    seeing: Any,
    odd_error: Any,
    odd_pictures: Any,
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        if any(image.width > 1024 for image in odd_pictures(body)):
            return odd_error(503, "out of memory")
        return seeing(body)

    findings = probe(odd_server(odd))
    assert findings.is_usable
    assert findings.sides is not None
    assert (findings.sides.largest, findings.sides.refused_large) == (1024, 1536)
    assert "out of memory" in (findings.sides.message or "")


@pytest.mark.parametrize(
    "body",
    [
        [],
        3,
        None,
        "yes",
        {"choices": [3]},
        {"choices": [{"message": []}]},
        {"choices": [{"message": {"content": {"a": 1}}, "logprobs": 7}], "usage": [1]},
        b"\xff\xfe",
    ],
)
def test_any_json_is_survived(
    probe: Callable[..., Findings], odd_server: Callable[..., str], odd_said: Any, body: Any
) -> None:
    findings = probe(odd_server(lambda _: odd_said(body=body)))
    assert not findings.is_usable


def test_an_echoed_key_is_not_kept(
    probe: Callable[..., Findings],
    odd_server: Callable[..., str],
    odd_error: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("A_KEY", "sk-very-secret")
    url = odd_server(
        lambda body: odd_error(404, f"no model for {body['header']}"),
        {"data": [{"id": "for-sk-very-secret"}]},
    )
    findings = probe(url, api_key_env="A_KEY")
    assert findings.reach.verdict == "model_unknown"
    assert "sk-very-secret" not in findings.model_dump_json()
    assert "[key]" in findings.model_dump_json()


def test_a_real_server(probe: Callable[..., Findings], foreign_url: str) -> None:
    """llama.cpp's own: it speaks the protocol, sees, and knows nothing."""
    findings = probe(foreign_url, model=MODEL_NAME, concurrency=2)
    assert findings.is_usable
    assert findings.reach.is_listed is True
    assert "llama.cpp" in (findings.reach.build or "")
    assert findings.fields is not None
    assert findings.fields.rejected == {}
    assert findings.sight is not None
    assert findings.sight.verdict == "takes"  # its weights are random
    assert findings.at_once is not None
    assert (findings.at_once.most, findings.at_once.last_is_seen) == (32, None)
    assert findings.sides is not None
    assert (findings.sides.smallest, findings.sides.largest) == (1, 8192)
    assert findings.tokens is not None
    assert findings.tokens.rule == PictureTokens(fixed=TOKENS_OF_A_PICTURE)
    assert findings.structured is not None
    assert findings.structured.json_schema == findings.structured.json_object == "enforced"
    assert findings.logprobs is not None
    assert (findings.logprobs.verdict, findings.logprobs.alternatives) == ("given", 20)
    assert findings.caps is not None
    assert findings.caps.max_tokens == findings.caps.max_completion_tokens == "honoured"
    assert findings.repeats is not None
    assert findings.repeats.different == 1
    assert findings.repeats.logprobs_equal is True


def test_a_real_server_rejects_a_parameter_of_the_wrong_kind(
    probe: Callable[..., Findings], foreign_url: str
) -> None:
    parameters = {"top_p": "high", "seed": 1}
    findings = probe(foreign_url, model=MODEL_NAME, parameters=parameters, pictures={"at_once": 1})
    assert findings.fields is not None
    assert list(findings.fields.rejected) == ["top_p"]
    assert findings.is_usable
