"""Every verdict of every probe, against servers that behave so."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from benchwright.asking import limiter
from benchwright.asking.doctor.advice import advice_lines
from benchwright.asking.doctor.examine import examine
from benchwright.asking.doctor.findings import Findings
from benchwright.asking.doctor.line import Line
from benchwright.asking.doctor.promises import probe_structured
from benchwright.asking.doctor.speaking import probe_speech
from benchwright.asking.voters import PictureTokens, Voter
from stand_ins.foreign_server import MODEL_NAME
from stand_ins.models import Fault, Model, ScriptedServer, Turn
from stand_ins.models.question import Question
from stand_ins.tiny_llava import TOKENS_OF_A_PICTURE

DEAR = PictureTokens(patch=28)  # ends the probe of sides at 2,048 pixels
Examined = Callable[..., Findings]
T = TypeVar("T")


def scripted(**changes: Any) -> Model:
    return Model(**{"picture_tokens": DEAR, **changes})


def probe(url: str, **voter: Any) -> Findings:
    return asyncio.run(examine(Voter(**{"name": "v", "model": "m", "base_url": url, **voter})))


def probe_alone(url: str, one: Callable[[Line], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Line(Voter(name="v", model="m", base_url=url)) as line:
            return await one(line)

    return asyncio.run(run())


class TestReach:
    def test_a_good_server(self, examined: Examined) -> None:
        findings = examined()
        assert findings.reach.verdict == "answers"
        assert findings.reach.is_listed is True
        assert findings.reach.model == "scripted"
        assert findings.reach.build == "scripted-1"
        assert findings.reach.room is None
        assert findings.fields is not None
        assert findings.fields.rejected == {}
        assert findings.is_usable

    def test_nobody_there(self) -> None:
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

    def test_a_model_that_the_server_does_not_have(self, examined: Examined) -> None:
        findings = examined(model="other")
        assert findings.reach.verdict == "model_unknown"
        assert findings.reach.message
        assert findings.reach.message.endswith("it has scripted")
        assert not findings.is_usable

    def test_a_key_that_is_not_set(
        self, examined: Examined, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("A_KEY", raising=False)
        findings = examined(api_key_env="A_KEY")
        assert (findings.reach.verdict, findings.calls) == ("unreachable", 0)
        assert "A_KEY" in (findings.reach.message or "")

    def test_a_key_that_is_wrong(self, examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("A_KEY", "sk-wrong")
        findings = examined(script={"keys": ("sk-right",)}, api_key_env="A_KEY")
        assert (findings.reach.verdict, findings.reach.is_listed) == ("unreachable", None)
        assert "put its key into A_KEY" in (findings.reach.message or "")

    def test_a_server_that_rejects_the_plainest_call(self, examined: Examined) -> None:
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
        self, odd_server: Callable[..., str], seeing: Any, listed: Any
    ) -> None:
        reach, _ = probe_alone(odd_server(seeing, listed), probe_speech)
        assert reach.verdict == "answers"
        assert reach.is_listed is None

    def test_a_server_that_answers_to_any_name(
        self, odd_server: Callable[..., str], seeing: Any
    ) -> None:
        reach = probe(odd_server(seeing, {"data": [{"id": "other"}]})).reach
        assert (reach.verdict, reach.is_listed) == ("answers", False)

    @pytest.mark.parametrize("in_a_field", [True, False])
    def test_a_model_that_reasons_first_gets_room(
        self, examined: Examined, colours: Callable[[Question], Turn], in_a_field: bool
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
        assert "max_tokens: 2048" in advice_lines(_voter(), findings)

    def test_a_short_pause_is_waited_for(self, examined: Examined) -> None:
        fault = Fault(kind="rate_limit", ordinals=(0, 3), retry_after=0.1)
        assert examined(script={"faults": (fault,)}).is_usable

    def test_a_long_pause_is_a_finding(self, examined: Examined) -> None:
        fault = Fault(kind="rate_limit", ordinals=(0,), retry_after=3600)
        reach = examined(script={"faults": (fault,)}).reach
        assert reach.verdict == "unreachable"
        assert "wants a pause of 3600 s" in (reach.message or "")

    def test_pauses_without_end_are_a_finding(
        self, examined: Examined, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limiter, "_FIRST_PAUSE", 0.01)
        findings = examined(script={"faults": (Fault(kind="rate_limit", rate=1),)})
        assert (findings.reach.verdict, findings.calls) == ("unreachable", 5)


def _voter(**settings: Any) -> Voter:
    return Voter(**{"name": "v", "model": "scripted", "base_url": "http://here/v1", **settings})


class TestFields:
    def test_each_rejected_field_is_named_and_left_out(self, examined: Examined) -> None:
        parameters = {"min_p": 0.1, "seed": 3, "think": False}
        findings = examined(scripted(unknown_fields="rejected"), parameters=parameters)
        assert findings.fields is not None
        assert findings.fields.rejected == {
            "min_p": "HTTP 422: unknown fields: min_p",
            "think": "HTTP 422: unknown fields: think",
        }
        assert findings.is_usable  # the other probes went on without them
        advice = advice_lines(_voter(parameters=parameters), findings)
        assert "parameters: {seed: 3}" in advice

    def test_fields_beyond_the_bound_are_untried(self, examined: Examined) -> None:
        parameters = {f"field_{number}": number for number in range(8)}
        findings = examined(scripted(unknown_fields="rejected"), parameters=parameters)
        assert findings.fields is not None
        # temperature is the first of those tried
        assert list(findings.fields.rejected) == [f"field_{number}" for number in range(5)]
        assert findings.fields.untried == ("field_5", "field_6", "field_7")
        assert findings.is_usable

    def test_the_other_cap_is_found(self, examined: Examined) -> None:
        findings = examined(scripted(cap="completion"))
        assert findings.fields is not None
        assert findings.fields.cap == "max_completion_tokens"
        assert findings.caps is not None
        assert findings.caps.max_tokens == "rejected"
        assert findings.caps.max_completion_tokens == "honoured"
        assert "cap: max_completion_tokens" in advice_lines(_voter(), findings)

    def test_logprobs_that_the_file_asks_for(self, examined: Examined) -> None:
        findings = examined(scripted(logprobs="rejected"), logprobs=5)
        assert findings.fields is not None
        assert list(findings.fields.rejected) == ["logprobs"]
        assert "logprobs: 0" in advice_lines(_voter(logprobs=5), findings)

    def test_a_server_without_temperature(
        self, odd_server: Callable[..., str], seeing: Any, odd_error: Any
    ) -> None:
        def odd(body: dict[str, Any]) -> Any:
            if "temperature" in body:
                return odd_error(400, "temperature is not supported with this model")
            return seeing(body)

        findings = probe(odd_server(odd))
        assert findings.fields is not None
        assert list(findings.fields.rejected) == ["temperature"]
        assert findings.is_usable
        assert "parameters: {temperature: null}" in advice_lines(_voter(), findings)

    @pytest.mark.parametrize(
        ("parameters", "rejected"),
        [
            ({"top_p": 0.9}, ["temperature"]),  # ours, so it goes
            ({"top_p": 0.9, "temperature": 0.2}, ["temperature", "top_p"]),
        ],
    )
    def test_fields_that_are_rejected_only_together(
        self,
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
        assert set(findings.fields.rejected.values()) == {
            "with the others: HTTP 400: one of the two"
        }
        assert findings.is_usable

    def test_a_server_that_fails_at_a_field_is_not_down(
        self, odd_server: Callable[..., str], seeing: Any, odd_error: Any
    ) -> None:
        def odd(body: dict[str, Any]) -> Any:
            return odd_error(500, "KeyError: min_p") if "min_p" in body else seeing(body)

        findings = probe(odd_server(odd), parameters={"min_p": 0.1})
        assert findings.fields is not None
        assert findings.fields.rejected == {"min_p": "HTTP 500: KeyError: min_p"}
        assert findings.is_usable

    def test_a_null_in_the_file_takes_temperature_away(
        self, odd_server: Callable[..., str], seeing: Any, odd_error: Any
    ) -> None:
        def odd(body: dict[str, Any]) -> Any:
            return odd_error(400, "no") if "temperature" in body else seeing(body)

        findings = probe(odd_server(odd), parameters={"temperature": None})
        assert findings.fields is not None
        assert findings.fields.rejected == {}
        assert findings.is_usable


class TestCaps:
    def test_one_that_is_ignored(self, odd_server: Callable[..., str], seeing: Any) -> None:
        def odd(body: dict[str, Any]) -> Any:
            return seeing({**body, "max_tokens": body.get("max_tokens", 1000)} | _no_cap(body))

        findings = probe(odd_server(odd), cap="max_completion_tokens")
        assert findings.caps is not None
        assert findings.caps.max_tokens == "honoured"
        assert findings.caps.max_completion_tokens == "ignored"
        voter = _voter(cap="max_completion_tokens")
        assert "cap: max_tokens" in advice_lines(voter, findings)

    def test_one_that_cuts_without_saying_so(
        self, odd_server: Callable[..., str], seeing: Any
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


class TestAmounts:
    @pytest.mark.parametrize(
        ("at_most", "file", "most", "bound"),
        [
            (None, None, 32, 32),  # as many as are tried
            (None, 5, 5, 5),  # no more than the file wants
            (1, None, 1, 32),
            (3, None, 3, 32),
            (20, None, 20, 32),  # the most calls: five up, four between
            (32, 100, 32, 32),
            (4, 1, 1, 1),  # nothing to ask
        ],
    )
    def test_pictures_at_once(
        self, examined: Examined, at_most: int | None, file: int | None, most: int, bound: int
    ) -> None:
        findings = examined(scripted(pictures_at_most=at_most), pictures={"at_once": file})
        found = findings.at_once
        assert found is not None
        assert (found.most, found.bound) == (most, bound)
        assert found.last_is_seen is (None if most == 1 else True)
        if most < bound:
            assert found.message
            assert "at most" in found.message
            advice = advice_lines(_voter(), findings)
            assert f"pictures: {{at_once: {most}}}" in advice

    def test_the_last_of_many_is_not_seen(
        self, examined: Examined, colours: Callable[[Question], Turn]
    ) -> None:
        def first_alone(question: Question) -> Turn:
            if len(question.pictures) > 1:
                return Turn(text="white")
            return colours(question)

        found = examined(scripted(), first_alone).at_once
        assert found is not None
        assert (found.most, found.last_is_seen) == (32, False)

    @pytest.mark.parametrize(
        ("longest", "file", "largest", "refused", "advice"),
        [
            (1535, 1536, 1024, 1536, "pictures: {max_side: 1024}"),
            (1536, 1536, 1536, 2048, None),  # the file's own side is tried too, and holds
            (1000, 1536, 512, 1024, "pictures: {max_side: 512}"),
            (600, 448, 512, 1024, None),
        ],
    )
    def test_the_largest_side(
        self,
        examined: Examined,
        longest: int,
        file: int,
        largest: int,
        refused: int,
        advice: str | None,
    ) -> None:
        findings = examined(scripted(longest_side=longest), pictures={"max_side": file})
        sides = findings.sides
        assert sides is not None
        assert (sides.smallest, sides.largest, sides.refused_large) == (1, largest, refused)
        assert "over the limit" in (sides.message or "")
        lines = advice_lines(_voter(pictures={"max_side": file}), findings)
        assert [line for line in lines if "max_side" in line] == ([advice] if advice else [])

    def test_a_side_that_would_be_dear_is_left_out(self, examined: Examined) -> None:
        sides = examined().sides
        assert sides is not None
        assert (sides.largest, sides.too_dear, sides.refused_large) == (2048, 4096, None)

    @pytest.mark.parametrize(
        ("shortest", "file", "smallest", "refused", "advice"),
        [
            (28, 28, 28, 14, None),
            (29, 28, 56, 28, "pictures: {min_side: 56}"),
            (57, 28, 224, 56, "pictures: {min_side: 224}"),
            (10, 12, 12, 8, None),  # the file's own side is tried too
            (1, 28, 1, None, None),
        ],
    )
    def test_the_smallest_side(
        self,
        odd_server: Callable[..., str],
        seeing: Any,
        odd_error: Any,
        odd_pictures: Any,
        shortest: int,
        file: int,
        smallest: int,
        refused: int | None,
        advice: str | None,
    ) -> None:
        def odd(body: dict[str, Any]) -> Any:
            sides = [min(image.size) for image in odd_pictures(body)]
            longest = max([max(image.size) for image in odd_pictures(body)], default=0)
            if min(sides, default=999) < shortest or longest > 1000:
                return odd_error(400, "no such side")
            return seeing(body)

        findings = probe(odd_server(odd), pictures={"min_side": file})
        sides = findings.sides
        assert sides is not None
        assert (sides.smallest, sides.refused_small) == (smallest, refused)
        lines = advice_lines(_voter(pictures={"min_side": file}), findings)
        said = [line for line in lines if "min_side" in line]
        assert ["min_side" in line for line in said] == ([True] if advice else [])

    @pytest.mark.parametrize(
        ("rule", "line"),
        [
            (PictureTokens(patch=28, base=2), "picture_tokens: {patch: 28, base: 2}"),
            (PictureTokens(patch=14), "picture_tokens: {patch: 14}"),
        ],
    )
    def test_the_rule_of_the_tokens(
        self, examined: Examined, rule: PictureTokens, line: str
    ) -> None:
        findings = examined(scripted(picture_tokens=rule))
        assert findings.tokens is not None
        assert (findings.tokens.rule, findings.tokens.off) == (rule, 0)
        assert line in advice_lines(_voter(), findings)
        own = _voter(picture_tokens=rule)
        assert not any("picture_tokens" in one for one in advice_lines(own, findings))

    def test_a_server_that_does_not_count(
        self, odd_server: Callable[..., str], seeing: Any
    ) -> None:
        def odd(body: dict[str, Any]) -> Any:
            said = seeing(body)
            del said.body["usage"]
            return said

        findings = probe(odd_server(odd))
        assert findings.is_usable
        assert findings.tokens is not None
        assert (findings.tokens.measured, findings.tokens.rule) == ((), None)


class TestPromises:
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
        self,
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
        assert f"structured: {best}" in advice_lines(_voter(structured=other), findings)

    @pytest.mark.parametrize(
        "text",
        [
            '{"harbour": "west", "open": true}',  # not one of the values
            '{"harbour": "north"}',
            '{"harbour": "north", "open": true, "more": 1}',
            '{"harbour": "north", "open": 1}',
            '```json\n{"harbour": "north", "open": true}\n```',  # a model that means well
            "[1]",
            "[" * 100_000,
            None,
        ],
    )
    def test_json_of_another_form_is_not_enforced(
        self, odd_server: Callable[..., str], seeing: Any, odd_complete: Any, text: str | None
    ) -> None:
        def odd(body: dict[str, Any]) -> Any:
            return odd_complete(text) if "response_format" in body else seeing(body)

        found = probe_alone(odd_server(odd), probe_structured)
        assert found.json_schema == "ignored"

    @pytest.mark.parametrize("logprobs", ["ignored", "rejected"])
    def test_no_logprobs(self, examined: Examined, logprobs: Any) -> None:
        found = examined(scripted(logprobs=logprobs)).logprobs
        assert found is not None
        assert (found.verdict, found.alternatives) == (logprobs, 0)
        assert (found.message is None) == (logprobs == "ignored")

    def test_five_logprobs_where_twenty_are_too_many(
        self, odd_server: Callable[..., str], seeing: Any, odd_error: Any
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
        assert "logprobs: 5" in advice_lines(_voter(), findings)

    def test_the_same_answer(self, examined: Examined) -> None:
        found = examined().repeats
        assert found is not None
        assert (found.asked, found.different, found.logprobs_equal) == (3, 1, True)

    def test_other_answers(self, examined: Examined, colours: Callable[[Question], Turn]) -> None:
        def brain(question: Question) -> Turn:
            turn = colours(question)
            return Turn(text=f"{turn.text} {question.asked_before}")

        found = examined(scripted(), brain).repeats
        assert found is not None
        assert (found.asked, found.different, found.logprobs_equal) == (3, 3, None)

    def test_repeats_are_asked_at_temperature_0_whatever_the_file_says(
        self, odd_server: Callable[..., str], seeing: Any, odd_text: Any
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
    def test_speed(self, examined: Examined, concurrency: int, at_once: int) -> None:
        findings = examined(scripted(seconds=0.02), concurrency=concurrency)
        found = findings.speed
        assert found is not None
        assert found.at_once == at_once
        assert found.alone is not None
        assert 0.02 <= found.alone < 1
        assert (found.together is None) == (concurrency == 1)


class TestTrouble:
    def test_a_server_that_dies_of_a_large_picture(
        self, odd_server: Callable[..., str], seeing: Any, odd_error: Any, odd_pictures: Any
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
        self, odd_server: Callable[..., str], odd_said: Any, body: Any
    ) -> None:
        findings = probe(odd_server(lambda _: odd_said(body=body)))
        assert not findings.is_usable

    def test_an_echoed_key_is_not_kept(
        self,
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


def test_a_real_server(foreign_url: str) -> None:
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


def test_a_real_server_rejects_a_parameter_of_the_wrong_kind(foreign_url: str) -> None:
    parameters = {"top_p": "high", "seed": 1}
    findings = probe(foreign_url, model=MODEL_NAME, parameters=parameters, pictures={"at_once": 1})
    assert findings.fields is not None
    assert list(findings.fields.rejected) == ["top_p"]
    assert findings.is_usable
