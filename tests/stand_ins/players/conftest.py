"""Scripted players that know the release of the small table, and games to be played with them."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from openai import OpenAI

from benchwright.workspace import Workspace
from evaluation.hidden_target.game import SIGNAL
from evaluation.releases.galleries import Gallery, read_galleries, read_terms
from evaluation.releases.release import Release, open_release
from stand_ins.players import Table, table_of

RULES = f"You play a game. Ask when I say: {SIGNAL}. Here is a batch."


@dataclass(frozen=True)
class Things:
    """What is known of the release: its table, its galleries, each picture as it is sent."""

    table: Table
    galleries: list[Gallery]
    uris: dict[str, str]

    def shown(self, gallery: Gallery, *numbers: int) -> list[dict[str, Any]]:
        """Return parts of a message with some pictures of a gallery."""
        return [
            {"type": "image_url", "image_url": {"url": self.uris[gallery.image_ids[at - 1]]}}
            for at in numbers
        ]


@pytest.fixture(scope="session")
def things(whole_once: Workspace) -> Things:
    release: Release = open_release(str(whole_once.root / "releases" / "things" / "1.0.0"))
    from datasets import Image  # noqa: PLC0415  # takes seconds

    rows = release.rows("images").cast_column("image", Image(decode=False))
    uris = {
        row["image_id"]: "data:image/png;base64," + base64.b64encode(row["image"]["bytes"]).decode()
        for row in rows
    }
    galleries = read_galleries(release, "hidden-target-tau-0.3", read_terms(release))
    return Things(table=table_of(release), galleries=galleries, uris=uris)


Say = Callable[..., Any]


@pytest.fixture
def say(things: Things) -> Say:
    """Show a player a gallery, in batches of five, with what was said since; return its message."""

    def said(
        client: OpenAI, player: str, gallery: Gallery, told: list[str], *, batches: int = 99
    ) -> Any:
        numbers = list(range(1, len(gallery) + 1))
        cut = [numbers[at : at + 5] for at in range(0, len(numbers), 5)]
        messages: list[Any] = []
        for at, batch in enumerate(cut[:batches]):
            text = RULES if at == 0 else "Another batch."
            parts: list[Any] = [{"type": "text", "text": text}, *things.shown(gallery, *batch)]
            if at == len(cut) - 1:
                parts.append({"type": "text", "text": f"{SIGNAL}."})
            messages += [{"role": "user", "content": parts}, {"role": "assistant", "content": "ok"}]
        for word in told:
            messages += [{"role": "user", "content": word}, {"role": "assistant", "content": "..."}]
        completion = client.chat.completions.create(
            model=player, messages=messages[:-1], max_tokens=512
        )
        return completion.choices[0].message

    return said
