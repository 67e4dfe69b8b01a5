"""What a real server does with our requests; each fact here is one that the client relies on."""

import asyncio
import base64
import hashlib
import io
import json
import math
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest
from openai.types.chat import ChatCompletion
from PIL import Image

from stand_ins.foreign_server import CONTEXT, MODEL_NAME, foreign_server
from stand_ins.tiny_llava import TOKENS_OF_A_PICTURE, WORDS, TinyLlava, write_tiny_llava

COLOURS = ("red", "orange", "yellow", "green", "teal", "blue", "white", "black")
SPOKEN = {word.replace("▁", " ") for word in WORDS}
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no", "unsure"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def encoded(image: Image.Image, kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def uri(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def plain(colour: str, size: tuple[int, int] = (48, 64)) -> str:
    return uri(encoded(Image.new("RGB", size, colour)))


def noisy() -> Image.Image:
    return Image.frombytes("RGB", (40, 40), hashlib.shake_256(b"noise").digest(3 * 40 * 40))


def ask(
    base_url: str, *pictures: str, question: str = "Is it long?", **fields: Any
) -> ChatCompletion:
    async def call() -> ChatCompletion:
        async with openai.AsyncOpenAI(
            base_url=base_url, api_key="none", max_retries=0, timeout=20
        ) as client:
            parts: list[Any] = [{"type": "text", "text": question}]
            parts += [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
            answer: ChatCompletion = await client.chat.completions.create(
                model=MODEL_NAME,
                messages=[{"role": "user", "content": parts}],
                **{"max_tokens": 8, "temperature": 0} | fields,
            )
            return answer

    return asyncio.run(call())


def text(answer: ChatCompletion) -> str:
    content = answer.choices[0].message.content
    assert content is not None
    return content


def first_logprobs(answer: ChatCompletion) -> dict[str, float]:
    logprobs = answer.choices[0].logprobs
    assert logprobs is not None
    assert logprobs.content is not None
    return {token.token: token.logprob for token in logprobs.content[0].top_logprobs}


def seen(base_url: str, *pictures: str, **fields: Any) -> dict[str, float]:
    return first_logprobs(ask(base_url, *pictures, logprobs=True, top_logprobs=20, **fields))


def is_open(base_url: str) -> bool:
    parts = urlsplit(base_url)
    with socket.socket() as probe:
        return probe.connect_ex((parts.hostname, parts.port)) == 0


def test_a_picture_is_answered(foreign_url: str) -> None:
    answer = ask(foreign_url, plain("red"))
    assert text(answer) in SPOKEN
    assert answer.choices[0].finish_reason == "stop"
    assert answer.model == MODEL_NAME


def test_the_answer_depends_on_the_picture(foreign_url: str) -> None:
    answers = [
        ask(foreign_url, plain(colour), logprobs=True, top_logprobs=20) for colour in COLOURS
    ]
    assert len({text(answer) for answer in answers}) > 1
    found = [first_logprobs(answer) for answer in answers]
    for number, one in enumerate(found):
        for two in found[:number]:
            assert max(abs(one[token] - two[token]) for token in one.keys() & two.keys()) > 0.01


def test_it_is_the_pixels_that_are_seen_and_not_the_bytes(foreign_url: str) -> None:
    image = noisy()
    as_png = seen(foreign_url, uri(encoded(image)))
    assert seen(foreign_url, uri(encoded(image, "BMP"), "bmp")) == as_png
    turned = image.transpose(Image.Transpose.ROTATE_90)
    assert seen(foreign_url, uri(encoded(turned))) != as_png


def test_the_order_of_two_pictures_counts(foreign_url: str) -> None:
    one, two = plain("red"), plain("white")
    assert seen(foreign_url, one, two) != seen(foreign_url, two, one)


def test_the_same_request_gets_the_same_bits(foreign_url: str) -> None:
    def teal() -> ChatCompletion:
        # a question that no other test asks, so that the first time is the first
        question = "Was this asked before?"
        return ask(foreign_url, plain("teal"), question=question, logprobs=True, top_logprobs=20)

    first, second = teal(), teal()
    ask(foreign_url, plain("red"), question="Something else?")
    assert first.choices == second.choices == teal().choices


@pytest.mark.parametrize(
    "pictures",
    [
        (plain("red"),),
        (plain("red", (1, 1)),),  # a small picture costs what a large one does
        (plain("red", (900, 1200)),),
        (plain("red"), plain("red")),
    ],
    ids=["one", "1 px", "large", "two"],
)
def test_usage_counts_the_tokens_of_pictures(foreign_url: str, pictures: tuple[str, ...]) -> None:
    without, usage = ask(foreign_url).usage, ask(foreign_url, *pictures).usage
    assert without is not None
    assert usage is not None
    assert usage.prompt_tokens - without.prompt_tokens == TOKENS_OF_A_PICTURE * len(pictures)
    assert usage.completion_tokens == 2  # the word and the end
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens


@pytest.mark.parametrize("cap", ["max_tokens", "max_completion_tokens"])
def test_a_cap_cuts_the_answer_and_says_so(foreign_url: str, cap: str) -> None:
    fields: dict[str, Any] = {"max_tokens": openai.omit, cap: 1}
    answer = ask(foreign_url, plain("red"), **fields)
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage is not None
    assert answer.usage.completion_tokens == 1


def test_logprobs_hold_the_spellings_of_yes_and_no(foreign_url: str) -> None:
    answer = ask(foreign_url, plain("red"), logprobs=True, top_logprobs=20)
    found = first_logprobs(answer)
    assert len(found) == 20
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert next(iter(found)) == text(answer)  # temperature 0 takes the likeliest
    assert found.keys() >= SPOKEN
    assert 0.9 < sum(math.exp(found[word]) for word in SPOKEN) <= 1.0


@pytest.mark.parametrize("count", [1, 5])
def test_as_many_top_logprobs_come_as_were_asked_for(foreign_url: str, count: int) -> None:
    answer = ask(foreign_url, plain("red"), logprobs=True, top_logprobs=count)
    assert len(first_logprobs(answer)) == count


def test_no_logprobs_come_unasked(foreign_url: str) -> None:
    assert ask(foreign_url, plain("red")).choices[0].logprobs is None


@pytest.mark.parametrize(
    "form",
    [
        # OpenAI's way
        {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA},
        },
        # llama.cpp's own
        {"type": "json_object", "schema": SCHEMA},
    ],
    ids=["json_schema", "json_object with schema"],
)
@pytest.mark.parametrize("colour", ["red", "white"])
def test_a_schema_is_enforced(foreign_url: str, form: dict[str, Any], colour: str) -> None:
    answer = ask(foreign_url, plain(colour), max_tokens=200, response_format=form)
    said = json.loads(text(answer))
    assert said.keys() == {"answer"}
    assert said["answer"] in ("yes", "no", "unsure")
    assert answer.choices[0].finish_reason == "stop"


def test_json_object_is_enforced(foreign_url: str) -> None:
    answer = ask(foreign_url, plain("red"), max_tokens=200, response_format={"type": "json_object"})
    assert text(answer).startswith("{")  # without it the answer is a bare word


@pytest.mark.parametrize(
    "fields",
    [
        {"nobody_knows": [1]},
        {"guided_choice": ["maybe"]},  # vLLM's older way of structured output
    ],
    ids=["made up", "of another server"],
)
def test_an_unknown_field_is_ignored(foreign_url: str, fields: dict[str, Any]) -> None:
    assert seen(foreign_url, plain("red"), extra_body=fields) == seen(foreign_url, plain("red"))


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"response_format": {"type": "nonsense"}}, "response_format"),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "broken", "schema": {"type": "nonsense"}},
                }
            },
            "schema",
        ),
        ({"n": 2}, "'n'"),  # it has one slot
        ({"top_logprobs": 3}, "logprobs"),  # without logprobs
        ({"extra_body": {"max_tokens": "many"}}, "max_tokens"),
    ],
    ids=["format", "schema", "n", "top_logprobs", "type"],
)
def test_what_cannot_be_done_is_rejected_with_400(
    foreign_url: str, fields: dict[str, Any], named: str
) -> None:
    with pytest.raises(openai.BadRequestError, match=named):
        ask(foreign_url, plain("red"), **fields)


@pytest.mark.parametrize(
    ("url", "status"),
    [
        (uri(b"<!doctype html>"), 400),
        (uri(b""), 400),
        ("data:image/png;base64,!!!!", 400),
        (uri(encoded(noisy())[:1000]), 400),  # half of a PNG
        (uri(encoded(noisy(), "WEBP"), "webp"), 400),  # whole, but not JPEG or PNG
        ("file:///etc/hostname", 400),
        ("", 500),  # the sender's fault all the same
    ],
    ids=["html", "empty", "no base64", "half", "webp", "file", "no url"],
)
def test_a_broken_picture_is_an_error_and_the_server_goes_on(
    foreign_url: str, url: str, status: int
) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        ask(foreign_url, url)
    assert caught.value.status_code == status
    assert text(ask(foreign_url, plain("red"))) in SPOKEN


def test_half_a_jpeg_is_answered_as_if_it_were_whole(foreign_url: str) -> None:
    data = encoded(noisy(), "JPEG")
    assert text(ask(foreign_url, uri(data[: len(data) * 2 // 3], "jpeg"))) in SPOKEN


def test_more_than_the_context_is_400_and_says_how_much(foreign_url: str) -> None:
    with pytest.raises(openai.BadRequestError, match="context size") as caught:
        ask(foreign_url, plain("red"), question="long " * CONTEXT)
    assert isinstance(caught.value.body, dict)
    assert caught.value.body["n_ctx"] == CONTEXT
    assert caught.value.body["n_prompt_tokens"] > CONTEXT


def test_it_ends_with_the_block(foreign_url: str, tmp_path: Path) -> None:
    def fail_inside() -> None:
        with foreign_server(tmp_path) as url:
            urls.append(url)
            assert is_open(url)
            raise ZeroDivisionError

    urls: list[str] = []
    with pytest.raises(ZeroDivisionError):
        fail_inside()
    assert not is_open(urls[0])
    assert urls[0] != foreign_url
    assert is_open(foreign_url)


@pytest.mark.usefixtures("foreign_url")
def test_it_ends_when_its_user_is_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from stand_ins.foreign_server import *\n"
        "with foreign_server(Path(sys.argv[1])) as url: print(url, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as user:
        assert user.stdout is not None
        url = user.stdout.readline().strip()
        assert is_open(url)
        os.kill(user.pid, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while is_open(url):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.usefixtures("foreign_url")
def test_a_failure_comes_with_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_broken(folder: Path) -> TinyLlava:
        model = write_tiny_llava(folder)
        model.projector.write_bytes(b"no GGUF")
        return model

    monkeypatch.setattr("stand_ins.tiny_llava.write_tiny_llava", write_broken)
    with (
        pytest.raises(RuntimeError, match=r"ended; its log ends so:[^$]*mmproj\.gguf"),
        foreign_server(tmp_path),
    ):
        pass


@pytest.mark.parametrize("package", ["xllamacpp", "gguf"])
def test_a_missing_package_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with (
        pytest.raises(RuntimeError, match=f"not installed: .*{package}.*; run make setup"),
        foreign_server(tmp_path),
    ):
        pass
