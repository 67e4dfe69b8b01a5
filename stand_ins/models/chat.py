"""One chat completion: from the body that came to the response that is sent."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from stand_ins.models.counts import Counts
from stand_ins.models.decoding import Decoder
from stand_ins.models.faults import Schedule, Struck, refusal_of
from stand_ins.models.limits import check, structure_of
from stand_ins.models.logprobs import logprobs_of
from stand_ins.models.question import Brain, Eyes, Question, Turn
from stand_ins.models.request import ChatRequest, chat_request
from stand_ins.models.responses import Refused, Response
from stand_ins.models.script import Fault, Model, Script
from stand_ins.models.structured import fitted, object_of
from stand_ins.models.tokens import picture_tokens, prompt_tokens, tokens_of


class Chat:
    """Answers chat requests as the script says; ``failures`` holds what the brain raised."""

    def __init__(self, script: Script, brain: Brain, eyes: Eyes | None, counts: Counts) -> None:
        self.failures: list[Exception] = []
        self._models = {model.name: model for model in script.models}
        self._brain = brain
        self._decoder = Decoder(eyes)
        self._schedule = Schedule(script.faults, script.seed)
        self._counts = counts

    def respond(self, said: Mapping[str, Any]) -> Response:
        """Return the response to the body of a chat request; never raises for what it holds."""
        struck = Struck()
        try:
            request = chat_request(said, self._decoder.decode)
            ordinal, asked_before = self._note(request)
            model = self._models.get(request.model)
            if model is None:
                message = f"the model {request.model!r} does not exist"
                raise Refused(404, message, code="model_not_found", param="model")
            struck = self._schedule.strike(model.name, request.digest, asked_before)
            struck = replace(struck, seconds=struck.seconds + model.seconds)
            if struck.fault is not None and (refusal := refusal_of(struck.fault)):
                raise refusal
            spent = _tokens_asked(request, model)
            check(request, model, spent)
            question = _question(request, model, ordinal, asked_before)
            body = _completion(request, model, self._turn(model, question), spent, ordinal)
        except Refused as refusal:
            return refusal.response(struck.seconds)
        return _faulted(body, struck)

    def _note(self, request: ChatRequest) -> tuple[int, int]:
        counts = self._counts
        ordinal, asked_before = counts.chats, counts.requests[request.digest]
        counts.chats += 1
        counts.requests[request.digest] += 1
        counts.arrivals[request.model].append(time.monotonic())
        return ordinal, asked_before

    def _turn(self, model: Model, question: Question) -> Turn:
        if question.pictures and model.sees == "blind":
            return Turn(text="I cannot see pictures; please describe it in words.")
        try:
            return self._brain(question)
        except Exception as error:
            self.failures.append(error)
            raise Refused(500, f"the brain failed: {error!r}") from error


def _question(request: ChatRequest, model: Model, ordinal: int, asked_before: int) -> Question:
    parameters = dict(request.parameters)
    if model.tools == "ignored":
        parameters.pop("tools", None)
    return Question(
        model=request.model,
        messages=request.messages,
        text=request.text,
        pictures=request.pictures,
        parameters=parameters,
        request=request.digest,
        asked_before=asked_before,
        ordinal=ordinal,
    )


def _tokens_asked(request: ChatRequest, model: Model) -> int:
    pictures = sum(
        picture_tokens(seen.width, seen.height, model.picture_tokens) for seen in request.pictures
    )
    return prompt_tokens(request.length) + pictures


def _completion(
    request: ChatRequest, model: Model, turn: Turn, spent: int, ordinal: int
) -> dict[str, Any]:
    text = _text(request, model, turn)
    reason = turn.finish_reason
    tokens = tokens_of(text or "")
    thought = tokens_of(turn.reasoning or "")
    cap = _cap(request.parameters)
    if cap is not None and len(thought) + len(tokens) > cap:
        thought = thought[:cap]
        tokens = tokens[: cap - len(thought)]
        text, reason = "".join(tokens) or None, "length"
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": turn.refusal}
    if turn.tool_calls:
        message["tool_calls"] = list(turn.tool_calls)
    if turn.reasoning is not None:
        message["reasoning_content"] = "".join(thought)
    choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
    if request.parameters.get("logprobs") is True and model.logprobs == "given":
        top = request.parameters.get("top_logprobs") or 0
        choice["logprobs"] = logprobs_of(tokens, turn.p_yes, top)
    out = len(thought) + len(tokens)
    return {
        "id": f"chatcmpl-{ordinal}",
        "object": "chat.completion",
        "created": 0,
        "model": model.name,
        "system_fingerprint": model.fingerprint,
        "choices": [choice],
        "usage": {"prompt_tokens": spent, "completion_tokens": out, "total_tokens": spent + out},
    }


def _text(request: ChatRequest, model: Model, turn: Turn) -> str | None:
    """Return the content, in the structure that was asked for where the model keeps to it."""
    wanted = structure_of(request.parameters)
    if turn.text is None or wanted is None:
        return turn.text
    kind, schema = wanted
    if getattr(model, kind) == "ignored":
        return turn.text
    try:
        return fitted(schema, turn) if kind == "json_schema" else object_of(turn)
    except RecursionError as error:
        raise Refused(400, "the schema has no end", param="response_format") from error


def _cap(parameters: Mapping[str, Any]) -> int | None:
    caps = (parameters.get("max_completion_tokens"), parameters.get("max_tokens"))
    return next((cap for cap in caps if isinstance(cap, int)), None)


def _faulted(body: dict[str, Any], struck: Struck) -> Response:
    fault = struck.fault
    if fault is None:
        return Response(status=200, body=json.dumps(body).encode(), seconds=struck.seconds)
    if fault.kind in ("reset", "reset_in_body"):
        return Response(
            status=200, body=json.dumps(body).encode(), seconds=struck.seconds, cut=fault.kind
        )
    return Response(status=200, body=_spoilt(body, fault), seconds=struck.seconds)


def _spoilt(body: dict[str, Any], fault: Fault) -> bytes:
    choice = body["choices"][0]
    message = choice["message"]
    if fault.kind == "truncated":
        message["content"] = (message["content"] or "")[: len(message["content"] or "") // 2]
        choice["finish_reason"] = "length"
    elif fault.kind == "truncated_null":
        message["content"], choice["finish_reason"] = None, "length"
    elif fault.kind == "refusal":
        message["content"], message["refusal"] = None, "I will not answer this."
    elif fault.kind == "content_filter":
        message["content"], choice["finish_reason"] = None, "content_filter"
    elif fault.kind == "wrong_structure":
        message["content"] = json.dumps({"verdict": ["unasked", 3]})
    elif fault.kind == "no_choices":
        del body["choices"]
    if fault.kind in (
        "truncated",
        "truncated_null",
        "refusal",
        "content_filter",
        "wrong_structure",
    ):
        choice["logprobs"] = None
    whole = json.dumps(body).encode()
    return whole[: len(whole) // 2] if fault.kind == "broken_json" else whole
