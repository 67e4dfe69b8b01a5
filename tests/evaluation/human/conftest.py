"""A desk that is served."""

from collections.abc import Iterator

import pytest

from evaluation.human.serving import Office, open_office


@pytest.fixture
def office(request: pytest.FixtureRequest) -> Iterator[Office]:
    """A desk with a page; the tool of the page by ``indirect`` parameters."""
    with open_office(0, getattr(request, "param", ""), "things 1.0.0, false-premise") as opened:
        yield opened
