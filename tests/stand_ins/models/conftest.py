"""A client of a scripted server, the questions that it asks, pictures as it sends them."""

import base64
import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import pytest
from openai import OpenAI
from PIL import Image

from stand_ins.models import ScriptedServer

Connect = Callable[..., OpenAI]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Return a client of a server that runs until the test ends."""
    with ExitStack() as stack:

        def connected(server: ScriptedServer, key: str = "key") -> OpenAI:
            stack.enter_context(server)
            client: AbstractContextManager[OpenAI] = OpenAI(
                base_url=server.base_url, api_key=key, max_retries=0, timeout=10
            )
            return stack.enter_context(client)

        yield connected


@pytest.fixture(scope="session")
def data_uri() -> Callable[..., str]:
    """Return a picture as it is sent."""

    def uri(image: Image.Image, kind: str = "JPEG", mime: str | None = None) -> str:
        stream = io.BytesIO()
        image.save(stream, kind, **({"quality": 80} if kind == "JPEG" else {}))
        data = base64.b64encode(stream.getvalue()).decode()
        return f"data:{mime or 'image/' + kind.lower()};base64,{data}"

    return uri


@pytest.fixture(scope="session")
def ask() -> Callable[..., Any]:
    """Ask a client one question, with pictures, and return what came."""

    def asked(client: OpenAI, text: str, *uris: str, model: str = "scripted", **more: Any) -> Any:
        parts: list[Any] = [{"type": "image_url", "image_url": {"url": uri}} for uri in uris]
        content = [*parts, {"type": "text", "text": text}]
        return client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": content}], **more
        )

    return asked
