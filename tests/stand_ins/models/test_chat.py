"""The protocol, asked by the real client: pictures, limits, structure, logprobs, usage."""

import json
import math
import time
from collections.abc import Callable
from typing import Any

import openai
import pytest
from openai import OpenAI
from PIL import Image

from benchwright.asking.voters import PictureTokens
from stand_ins.models import CodedPictures, Model, Question, Script, ScriptedServer, Turn, Value
from stand_ins.models.coded import CodedPicture, draw
from stand_ins.models.serving import app_of
from stand_ins.models.tokens import picture_tokens, tokens_of

Connect = Callable[..., OpenAI]
Ask = Callable[..., Any]
Uri = Callable[..., str]
VALUES = (Value(type="trim", value="lace"), Value(type="trim", value="bow"))
PAIRS = [(value.type, value.value) for value in VALUES]
SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "answer",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {
                "answer": {"$ref": "#/$defs/Answer"},
                "sure": {"type": "boolean"},
                "p": {"type": "number"},
                "why": {"type": ["string", "null"]},
                "boxes": {"type": "array", "minItems": 1, "items": {"type": "integer"}},
                "kind": {"const": "x"},
                "other": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            },
            "$defs": {"Answer": {"enum": ["Yes", "No", "Unsure"]}},
        },
    },
}


def script(**model: Any) -> Script:
    return Script(values=VALUES, eyes=CodedPictures(), models=(Model(**model),))


@pytest.fixture(scope="module")
def lace() -> Image.Image:
    """A picture with lace and no bow."""
    return draw(CodedPicture(key="a", yes=PAIRS[:1], size=(240, 320)), PAIRS)


def text_of(completion: Any) -> Any:
    return completion.choices[0].message.content


def test_answers_come_from_the_pixels(
    connect: Connect, ask: Ask, data_uri: Uri, lace: Image.Image
) -> None:
    client = connect(ScriptedServer(script()))
    for kind in ("JPEG", "PNG"):
        assert text_of(ask(client, "Is there lace?", data_uri(lace, kind))) == "Yes"
        assert text_of(ask(client, "Is there a bow?", data_uri(lace, kind))) == "No"
    turned = data_uri(lace.transpose(Image.Transpose.ROTATE_90))
    assert text_of(ask(client, "Is there lace?", turned)) == "Unsure"
    other = data_uri(draw(CodedPicture(key="b", yes=PAIRS[1:], size=(240, 320)), PAIRS))
    assert text_of(ask(client, "Is there lace?", other)) == "No"
    assert text_of(ask(client, "Is there lace?")) == "Unsure"


def test_a_completion_has_what_the_protocol_wants(
    connect: Connect, ask: Ask, data_uri: Uri, lace: Image.Image
) -> None:
    client = connect(ScriptedServer(script(picture_tokens=PictureTokens(patch=28, base=2))))
    came = ask(client, "Is there lace?", data_uri(lace))
    assert (came.model, came.system_fingerprint, came.object) == (
        "scripted",
        "scripted-1",
        "chat.completion",
    )
    assert came.choices[0].finish_reason == "stop"
    assert came.choices[0].logprobs is None
    assert came.usage.prompt_tokens == math.ceil(len("Is there lace?") / 4) + 2 + 9 * 12
    assert came.usage.completion_tokens == 1
    assert came.usage.total_tokens == came.usage.prompt_tokens + 1


@pytest.mark.parametrize(
    ("size", "rule", "tokens"),
    [
        ((10, 10), PictureTokens(fixed=256, base=1), 257),
        ((28, 29), PictureTokens(patch=28), 2),  # a patch that is begun counts
        ((2800, 2800), PictureTokens(patch=28, most=1280), 1280),
        ((1024, 1024), PictureTokens(tile=512, base=85), 85 + 4 * 170),  # to 768 x 768
        ((2048, 4096), PictureTokens(tile=512, base=85), 85 + 6 * 170),  # to 768 x 1536
        ((512, 512), PictureTokens(tile=512, base=85), 85 + 170),  # never enlarged
    ],
)
def test_tokens_of_pictures(size: tuple[int, int], rule: PictureTokens, tokens: int) -> None:
    assert picture_tokens(*size, rule) == tokens


@pytest.mark.parametrize(
    "text", ["Yes", " **Yes**\n", '{"answer": "no"}', "是的。", "a_b é\t ", ""]
)
def test_tokens_are_the_text(text: str) -> None:
    assert "".join(tokens_of(text)) == text


GREY = Image.new("RGB", (64, 48), "grey")


@pytest.mark.parametrize(
    ("model", "more", "status", "message"),
    [
        ({}, {"model": "none"}, 404, "does not exist"),
        ({}, {"stream": True}, 400, "streamed"),
        ({}, {"n": 2}, 400, "one choice"),
        ({}, {"max_tokens": 0}, 400, "whole number"),
        ({}, {"top_logprobs": 3}, 400, "wants logprobs"),
        ({}, {"logprobs": True, "top_logprobs": 21}, 400, "0 to 20"),
        ({}, {"extra_body": {"response_format": {"type": "xml"}}}, 400, "response_format"),
        ({}, {"messages": []}, 400, "not empty"),
        ({}, {"messages": [{"role": "king", "content": "x"}]}, 400, "no role"),
        ({}, {"messages": [{"role": "user", "content": 3}]}, 400, "no text"),
        ({}, {"messages": [{"role": "user", "content": [{"type": "audio"}]}]}, 400, "no text or"),
        ({"logprobs": "rejected"}, {"logprobs": True}, 400, "no logprobs"),
        ({"unknown_fields": "rejected"}, {"extra_body": {"min_p": 0.1}}, 422, "min_p"),
        ({"unknown_fields": "ignored"}, {"extra_body": {"min_p": 0.1}}, 200, ""),
        ({"cap": "completion"}, {"max_tokens": 5}, 400, "max_completion_tokens"),
        ({"cap": "completion"}, {"max_completion_tokens": 5}, 200, ""),
        ({"json_schema": "rejected"}, {"response_format": SCHEMA}, 400, "not supported"),
        ({"json_schema": "failing"}, {"response_format": SCHEMA}, 500, "response format"),
        ({"json_schema": "failing"}, {"response_format": {"type": "json_object"}}, 200, ""),
        ({"json_object": "rejected"}, {"response_format": {"type": "json_object"}}, 400, "not"),
        ({"json_object": "rejected"}, {"response_format": {"type": "text"}}, 200, ""),
        ({"context": 3}, {}, 400, "context is 3"),
        ({"context": 4}, {}, 200, ""),
    ],
)
def test_what_is_refused(
    connect: Connect,
    ask: Ask,
    model: dict[str, Any],
    more: dict[str, Any],
    status: int,
    message: str,
) -> None:
    client = connect(ScriptedServer(script(**model)))
    body: dict[str, Any] = {
        "model": "scripted",
        "messages": [{"role": "user", "content": "Is there lace?"}],
        **more,
    }
    if status == 200:
        assert client.chat.completions.create(**body).choices
        return
    with pytest.raises(openai.APIStatusError, match=message) as caught:
        client.chat.completions.create(**body)
    assert caught.value.status_code == status


@pytest.mark.parametrize(
    ("model", "pictures", "status", "message"),
    [
        ({"pictures_at_most": 1}, 2, 400, r"at most 1 image\(s\)"),
        ({"pictures_at_most": 2}, 2, 200, ""),
        ({"longest_side": 63}, 1, 400, "64 pixels"),
        ({"longest_side": 64}, 1, 200, ""),
        ({"context": 203, "picture_tokens": PictureTokens(fixed=100)}, 2, 400, "203 tokens"),
        ({"context": 204, "picture_tokens": PictureTokens(fixed=100)}, 2, 200, ""),
        ({"sees": "refuses"}, 1, 400, "no multimodal model"),
        ({"sees": "refuses"}, 0, 200, ""),
    ],
)
def test_limits_of_pictures(
    connect: Connect,
    ask: Ask,
    data_uri: Uri,
    model: dict[str, Any],
    pictures: int,
    status: int,
    message: str,
) -> None:
    client = connect(ScriptedServer(script(**model)))
    uris = [data_uri(GREY)] * pictures
    if status == 200:
        assert ask(client, "Is there lace?", *uris).choices
        return
    with pytest.raises(openai.BadRequestError, match=message):
        ask(client, "Is there lace?", *uris)


def test_a_blind_model_says_so(connect: Connect, ask: Ask, data_uri: Uri) -> None:
    client = connect(ScriptedServer(script(sees="blind")))
    assert "cannot see" in text_of(ask(client, "Is there lace?", data_uri(GREY)))
    assert text_of(ask(client, "Is there lace?")) == "Unsure"


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("https://example.org/a.jpg", "data URIs"),
        ("data:image/png,abc", "data URIs"),  # not base64
        ("data:image/webp;base64,AAAA", "image/webp"),
        ("data:image/png;base64,!!!!", "cannot be decoded"),
        ("data:image/png;base64,", "cannot be decoded"),
        ("data:image/png;base64,iVBORw0KGgo=", "cannot be decoded"),  # the first bytes only
        ("data:image/png;base64,PGh0bWw+", "cannot be decoded"),  # a web page
        ("\ud800", "data URIs"),
    ],
)
def test_pictures_that_are_none(connect: Connect, uri: str, message: str) -> None:
    client = connect(ScriptedServer())
    part = {"type": "image_url", "image_url": {"url": uri}}
    body = json.dumps({"model": "scripted", "messages": [{"role": "user", "content": [part]}]})
    with pytest.raises(openai.BadRequestError, match=message):
        client.post("/chat/completions", cast_to=object, content=body.encode())


def test_a_wrong_type_of_picture(connect: Connect, ask: Ask, data_uri: Uri) -> None:
    client = connect(ScriptedServer())
    for kind, mime in (("PNG", "image/jpeg"), ("JPEG", "image/png"), ("JPEG", "image/jpg")):
        with pytest.raises(openai.BadRequestError, match="image/"):
            ask(client, "x", data_uri(GREY, kind, mime))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"model": 3}', b"[" * 100_000])
def test_bodies_that_are_none(connect: Connect, body: bytes) -> None:
    client = connect(ScriptedServer())
    with pytest.raises(openai.BadRequestError):
        client.post("/chat/completions", cast_to=object, content=body)


def test_a_path_that_is_none(connect: Connect) -> None:
    client = connect(ScriptedServer())
    for path in ("/embeddings", "/batches/x/y", "/files/none"):
        with pytest.raises(openai.NotFoundError):
            client.get(path, cast_to=object)


def test_structured_output(connect: Connect, ask: Ask, data_uri: Uri, lace: Image.Image) -> None:
    client = connect(ScriptedServer(script()))
    came = ask(client, "Is there lace?", data_uri(lace), response_format=SCHEMA)
    said = json.loads(text_of(came))
    assert 0.5 < said.pop("p") < 1
    assert said == {
        "answer": "Yes",
        "sure": True,
        "why": "yes",
        "boxes": [0],
        "kind": "x",
        "other": None,
    }
    came = ask(client, "Is there a bow?", data_uri(lace), response_format={"type": "json_object"})
    assert json.loads(text_of(came)) == {"answer": "no"}


def test_structured_output_is_ignored(connect: Connect, ask: Ask) -> None:
    client = connect(ScriptedServer(script(json_schema="ignored", json_object="ignored")))
    for wanted in (SCHEMA, {"type": "json_object"}):
        assert text_of(ask(client, "Is there lace?", response_format=wanted)) == "Unsure"


def wanted(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}


def test_a_schema_without_end(connect: Connect, ask: Ask) -> None:
    client = connect(ScriptedServer(script()))
    with pytest.raises(openai.BadRequestError, match="no end"):
        ask(client, "lace?", response_format=wanted({"properties": {"a": {"$ref": "#"}}}))
    came = ask(client, "lace?", response_format=wanted({"$ref": "#"}))
    assert json.loads(text_of(came)) == "unsure"


@pytest.mark.parametrize("style", ["plain", "sentence", "markdown", "json", "chinese", "reasoning"])
@pytest.mark.parametrize("word", ["lace", "bow"])
def test_logprobs_agree_with_the_answer(
    connect: Connect, ask: Ask, data_uri: Uri, lace: Image.Image, style: str, word: str
) -> None:
    client = connect(ScriptedServer(script(style=style)))
    came = ask(client, f"Is there {word}?", data_uri(lace), logprobs=True, top_logprobs=6)
    content = came.choices[0].logprobs.content
    assert "".join(token.token for token in content) == text_of(came)
    sums = []
    for token in content:
        assert len(token.top_logprobs) >= 2
        assert token.logprob == token.top_logprobs[0].logprob
        words = {other.token.strip().casefold(): 0.0 for other in token.top_logprobs}
        for other in token.top_logprobs:
            words[other.token.strip().casefold()] += math.exp(other.logprob)
        yes, no = (
            sum(words.get(one, 0) for one in ones)
            for ones in (("yes", "是", "有"), ("no", "不", "否"))
        )
        if yes and no:
            sums.append(yes / (yes + no))
    assert len(sums) == 1
    assert (sums[0] > 0.5) == (word == "lace")


def test_logprobs_are_ignored(connect: Connect, ask: Ask) -> None:
    client = connect(ScriptedServer(script(logprobs="ignored")))
    came = ask(client, "Is there lace?", logprobs=True, top_logprobs=5)
    assert came.choices[0].logprobs is None


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
def test_a_cap_cuts(
    connect: Connect, ask: Ask, data_uri: Uri, lace: Image.Image, field: str
) -> None:
    client = connect(ScriptedServer(script(style="reasoning")))
    whole = ask(client, "Is there lace?", data_uri(lace))
    cut = ask(client, "Is there lace?", data_uri(lace), **{field: 6})
    assert cut.choices[0].finish_reason == "length"
    assert text_of(whole).startswith(text_of(cut))
    assert cut.usage.completion_tokens == 6


def test_a_cap_cuts_the_thoughts_first(
    connect: Connect, ask: Ask, data_uri: Uri, lace: Image.Image
) -> None:
    client = connect(ScriptedServer(script(style="reasoning_field")))
    came = ask(client, "Is there lace?", data_uri(lace), max_tokens=5)
    assert text_of(came) is None
    assert came.choices[0].finish_reason == "length"
    assert came.choices[0].message.reasoning_content
    assert text_of(ask(client, "Is there lace?", data_uri(lace))) == "Yes"


def test_a_brain_sees_all_that_was_asked(
    connect: Connect, data_uri: Uri, lace: Image.Image
) -> None:
    asked: list[Question] = []
    call = {"id": "1", "type": "function", "function": {"name": "guess", "arguments": "{}"}}

    def brain(question: Question) -> Turn:
        asked.append(question)
        return Turn(text=None, tool_calls=(call,), finish_reason="tool_calls", data={"a": 1})

    client = connect(ScriptedServer(script(), brain=brain))
    picture: Any = {"type": "image_url", "image_url": {"url": data_uri(lace), "detail": "low"}}
    messages: list[Any] = [
        {"role": "system", "content": "Play."},
        {"role": "user", "content": [picture, {"type": "text", "text": "first"}]},
        {"role": "assistant", "content": "well"},
        {"role": "user", "content": [{"type": "text", "text": "second"}, picture]},
    ]
    came = client.chat.completions.create(model="scripted", messages=messages, temperature=0)
    assert came.choices[0].finish_reason == "tool_calls"
    calls = came.choices[0].message.tool_calls
    assert calls is not None
    assert calls[0].id == "1"
    (question,) = asked
    assert question.text == "second"
    assert [message["role"] for message in question.messages] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert [seen.look.truths for seen in question.pictures] == [
        {PAIRS[0]: True, PAIRS[1]: False}
    ] * 2
    assert question.pictures[0].image().size == lace.size
    assert question.parameters == {"temperature": 0}
    assert (question.ordinal, question.asked_before) == (0, 0)
    client.chat.completions.create(model="scripted", messages=messages, temperature=0)
    assert (asked[1].ordinal, asked[1].asked_before) == (1, 1)
    assert asked[1].request == question.request


def test_it_is_fast_enough_for_benchmarks() -> None:
    """One core answers well over 1,500 small requests a second; what HTTP takes is not here."""
    chat = app_of(script()).chat
    start = time.process_time()
    for number in range(2000):
        message = {"role": "user", "content": f"Is there lace, {number}?"}
        assert chat.respond({"model": "scripted", "messages": [message]}).status == 200
    assert (time.process_time() - start) / 2000 < 1 / 4000
