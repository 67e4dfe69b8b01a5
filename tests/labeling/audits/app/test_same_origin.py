"""Which requests the App server answers: by a table, and as the real one."""

import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from labeling.audits.app.same_origin import SameOriginOnly, refusal

HERE = "127.0.0.1:5151"


@pytest.mark.parametrize(
    ("method", "headers", "is_answered"),
    [
        # the App's own page, and programs
        ("POST", {"host": HERE, "origin": f"http://{HERE}"}, True),
        ("POST", {"host": HERE, "origin": f"http://{HERE}", "sec-fetch-site": "same-origin"}, True),
        ("POST", {"host": HERE}, True),
        ("GET", {"host": HERE, "sec-fetch-site": "none"}, True),
        # behind ssh -L of another port; by the machine's own names and numbers
        ("POST", {"host": "127.0.0.1:9000", "origin": "http://127.0.0.1:9000"}, True),
        ("POST", {"host": "localhost:9000", "origin": "http://LOCALHOST:9000"}, True),
        ("POST", {"host": "LocalHost:9000", "origin": "http://localhost:9000"}, True),
        ("POST", {"host": "[::1]:5151", "origin": "http://[::1]:5151"}, True),
        ("POST", {"host": "192.0.2.7", "origin": "http://192.0.2.7"}, True),
        ("POST", {"host": "named.example:5151", "origin": "http://named.example:5151"}, True),
        # a link from elsewhere, and the frame of a notebook: the page is fetched, no more
        ("GET", {"host": HERE, "sec-fetch-site": "cross-site"}, True),
        ("GET", {"host": "localhost:5151", "sec-fetch-site": "same-site"}, True),
        # pages of other sites, of another port, of a sandbox
        ("POST", {"host": HERE, "origin": "https://evil.example"}, False),
        ("POST", {"host": HERE, "origin": "http://127.0.0.1:8888"}, False),
        ("POST", {"host": HERE, "origin": "http://127.0.0.1"}, False),
        ("POST", {"host": HERE, "origin": "null"}, False),
        ("POST", {"host": HERE, "origin": ""}, False),
        ("GET", {"host": HERE, "origin": "https://evil.example"}, False),
        ("OPTIONS", {"host": HERE, "origin": "https://evil.example"}, False),
        ("POST", {"host": HERE, "sec-fetch-site": "cross-site"}, False),
        ("POST", {"host": HERE, "sec-fetch-site": "same-site"}, False),
        ("DELETE", {"host": HERE, "sec-fetch-site": "cross-site"}, False),
        ("PATCH", {"host": HERE, "origin": f"http://{HERE}.evil.example"}, False),
        # a name that was made to lead here
        ("GET", {"host": "evil.example:5151"}, False),
        ("POST", {"host": "evil.example:5151", "origin": "http://evil.example:5151"}, False),
        ("GET", {"host": "127.0.0.1.evil.example"}, False),
        ("GET", {"host": "localhost.evil.example"}, False),
        ("GET", {"host": "127.0.0.1@evil.example"}, False),
        ("GET", {"host": "[::1"}, False),
        ("GET", {"host": ""}, False),
        ("GET", {}, False),
    ],
)
def test_what_is_answered(method: str, headers: dict[str, str], is_answered: bool) -> None:
    why = refusal(method, headers, "Named.example")
    assert (why is None) is is_answered
    assert "\n" not in (why or "")


def _status(headers: dict[str, str], kind: str = "http") -> int | None:
    """Return the status of a POST; null where the application was asked."""
    sent: list[Any] = []
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = {"type": kind, "method": "POST", "headers": raw}
    answering = SameOriginOnly(app, "127.0.0.1")(scope, None, send)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):  # it waits for nothing: no event loop is wanted
        answering.__await__().__next__()  # type: ignore[attr-defined]
    assert bool(asked) != bool(sent)
    return sent[0]["status"] if sent else None


def test_the_application_is_not_asked_for_others() -> None:
    assert _status({"Host": HERE, "Origin": "https://evil.example"}) == 403
    assert _status({"host": "\xff\xfe"}) == 403
    assert _status({"host": HERE, "origin": f"http://{HERE}"}) is None
    assert _status({}, kind="lifespan") is None


def test_another_site_judges_nothing_in_the_real_app(opened_attributes: SimpleNamespace) -> None:
    url = urlsplit(opened_attributes.opened.url)
    body = json.dumps(
        {"operator_uri": "@benchwright/audits/undo", "dataset_name": "attributes", "params": {}}
    )
    foreign = (
        {"Origin": "https://evil.example", "Content-Type": "text/plain"},
        {"Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain"},
        {"Host": f"evil.example:{url.port}", "Origin": f"http://evil.example:{url.port}"},
    )
    with httpx.Client(base_url=f"http://{url.netloc}", timeout=60) as client:
        for headers in foreign:
            assert (
                client.post("/operators/execute", content=body, headers=headers).status_code == 403
            )
        mine = {"Origin": f"http://{url.netloc}", "Sec-Fetch-Site": "same-origin"}
        answer = client.post("/operators/execute", content=body, headers=mine)
        assert answer.status_code == 200
        assert "no decision of ana" in answer.json()["result"]["error"]
        # as by ssh -L 9000:127.0.0.1:PORT, framed in a notebook's page
        forwarded = {"Host": "localhost:9000", "Sec-Fetch-Site": "cross-site"}
        assert client.get("/datasets/attributes", headers=forwarded).status_code == 200
