"""The key of a request: all that changes the answer, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.requests import (
    Message,
    PicturePart,
    Request,
    View,
    description,
    key_of,
)
from benchwright.asking.sending import body_of
from benchwright.asking.views import Encoded
from benchwright.asking.voters import Voter

VOTER = Voter(name="v", model="m", base_url="http://here/v1")
SHOWN = Encoded(mime="image/png", width=1, height=1, uri="data:,x")


def key(request: Request, **voter: Any) -> str:
    return key_of(description(request, VOTER.model_copy(update=voter)))


def asked(*parts: Any, **parameters: Any) -> Request:
    return Request.of(*(parts or ("Is it red?",)), max_tokens=16, **parameters)


def picture(view: View | None = None, path: str = "a.png", sha256: str = "0" * 64) -> PicturePart:
    return PicturePart(sha256=sha256, path=Path(path), view=view or View())


def formed(*names: str) -> dict[str, Any]:
    properties = {name: {"type": "string"} for name in names}
    schema = {"type": "object", "properties": properties}
    return {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}


def tool(*names: str) -> list[dict[str, Any]]:
    properties = {name: {"type": "string"} for name in names}
    return [{"type": "function", "function": {"name": "f", "parameters": properties}}]


SAME = [
    # one text, however it is cut
    (asked("abc"), asked("ab", "c")),
    (asked(""), asked("", "")),
    # boxes are numbers
    (
        asked(picture(View(crop=(1, 2, 3, 4), outline=(0, 0, 1, 1)))),
        asked(picture(View(crop=(1.0, 2.0, 3.0, 4.0), outline=(0.0, 0.0, 1.0, 1.0)))),
    ),
    # where a file lies says nothing
    (asked(picture(path="a.png")), asked(picture(path="elsewhere/b.png"))),
    # fields of a body have no order
    (asked(temperature=0, seed=1), asked(seed=1, temperature=0)),
    # a number is one, however it is written, at any depth
    (asked(temperature=0), asked(temperature=0.0)),
    (asked(top_p=1, extra={"deep": [2, -0.0]}), asked(top_p=1.0, extra={"deep": [2.0, 0]})),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_key(one: Request, other: Request) -> None:
    assert key(one) == key(other)


OTHER = [
    # a model that reasons first answers otherwise
    (
        asked(response_format=formed("reason", "answer")),
        asked(response_format=formed("answer", "reason")),
    ),
    (asked(tools=tool("reason", "answer")), asked(tools=tool("answer", "reason"))),
    # beside a picture, two texts are two parts of the message
    (asked(picture(), "ab", "c"), asked(picture(), "abc")),
    (asked(picture(), "abc"), asked("abc", picture())),
    (asked(picture()), asked(picture(sha256="1" * 64))),
    (asked(picture()), asked(picture(View(crop=(0, 0, 1, 1))))),
    (asked(picture(View(outline=(0, 0, 1, 1)))), asked(picture(View(crop=(0, 0, 1, 1))))),
    (asked(), asked().with_cap(17)),
    (asked(), Request(messages=asked().messages, max_tokens=16, sample=1)),
    (asked(temperature=0), asked(temperature=1)),
    (asked(temperature=0.5), asked(temperature=0)),
    (asked(logit=True), asked(logit=1)),  # true is no number
]


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_two_keys(one: Request, other: Request) -> None:
    assert key(one) != key(other)


def test_the_body_keeps_the_order_of_a_schema() -> None:
    form = formed("reason", "answer", "a_last_one")
    body = json.loads(body_of(asked(response_format=form), VOTER, []))
    sent = body["response_format"]["json_schema"]["schema"]["properties"]
    assert list(sent) == ["reason", "answer", "a_last_one"]


def test_the_encoding_counts_where_there_is_a_picture() -> None:
    small = {"pictures": VOTER.pictures.model_copy(update={"max_side": 99})}
    assert key(asked(picture())) != key(asked(picture()), **small)
    assert key(asked()) == key(asked(), **small)


Parts = st.lists(st.sampled_from(["a", "b", "", picture()]), max_size=5)


@given(Parts, Parts)
def test_a_key_is_shared_by_equal_bodies_alone(one: list[Any], other: list[Any]) -> None:
    def request(parts: list[Any]) -> Request:
        return Request(messages=(Message(role="user", parts=tuple(parts)),), max_tokens=9)

    first, second = request(one), request(other)
    bodies = [body_of(each, VOTER, [SHOWN] * len([*each.pictures()])) for each in (first, second)]
    assert (key(first) == key(second)) == (bodies[0] == bodies[1])
