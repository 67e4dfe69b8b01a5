"""The source of version 0.1: dialogues as lines that begin with the speakers' account names.

``dialog`` is Chinese; ``translation``, where there is one, has User and Robot for the speakers.
``user_tgt`` holds the places (from 0) of the objects that the human meant; what the agent took
them for (``agent_tgt``) is no truth and is not used.
"""

import re
from collections.abc import Mapping
from typing import Any

from benchwright.records import Utterance
from builders.invig.draft import Draft, Language, Reading, Unfit, attempt
from builders.invig.fields import canonical_id, corners, described, dicts, indices, pick, size_of
from builders.invig.naming import picture_of
from builders.invig.per_dialogue import further_targets
from builders.invig.turns import AGENT, HUMAN, by_speaker, from_tagged


def has_accounts(row: Mapping[str, Any]) -> bool:
    """Tell rows of this layout."""
    return {"user_id", "agent_id", "dialog"} <= row.keys()


def read_accounts(row: Mapping[str, Any], language: Language) -> Reading:
    """Return the dialogue of a row; the layout has no ids of dialogues."""
    return [attempt(None, _dialogue, row, language)]


def _dialogue(row: Mapping[str, Any], language: Language) -> Draft:
    picture = picture_of(ids=[row.get("image_id")], image=row.get("image"), url=row.get("url"))
    spoken = _translated(row) if language == "en" else _as_spoken(row)
    chosen = indices(row.get("user_tgt"), "user_tgt")
    if not chosen:
        raise Unfit("no_target", "user_tgt is absent or empty")
    objects = dicts(row.get("objects") or [], "objects")
    listed = [entry.get("bbox") for entry in objects]
    target = corners(pick(listed, chosen, ("user_tgt", "objects")), "the target's bbox")
    found, categories, dropped = described(objects, "objects bbox")
    return Draft(
        dialogue_id=None,
        picture=picture,
        utterances=spoken,
        target=target,
        candidates=found,
        categories=categories,
        size=size_of(row),
        changes=(*further_targets(list(chosen[1:])), *dropped),
    )


def _translated(row: Mapping[str, Any]) -> tuple[Utterance, ...]:
    text = row.get("translation")
    if not isinstance(text, str) or not text.strip():
        raise Unfit("no_translation", "no English dialogue: translation is absent or empty")
    return from_tagged(text.replace("Robot:", "<sep_q>").replace("User:", "<sep_a>"))


def _as_spoken(row: Mapping[str, Any]) -> tuple[Utterance, ...]:
    user, agent = (canonical_id(row[field], field) for field in ("user_id", "agent_id"))
    if user is None or agent is None or user == agent:
        raise Unfit("unknown_speaker", "user_id and agent_id do not name two accounts")
    if not isinstance(row["dialog"], str):
        raise Unfit("bad_text", "dialog is no text")
    return by_speaker(_lines(row["dialog"], {user: HUMAN, agent: AGENT}))


def _lines(text: str, speakers: Mapping[str, str]) -> list[tuple[str, str]]:
    names = "|".join(re.escape(name) for name in sorted(speakers))
    begins = re.compile(rf"\s*({names})\s*[:：](.*)", re.DOTALL)
    turns = []
    for number, line in enumerate(text.strip().split("\n"), 1):
        if not line.strip():
            continue
        found = begins.match(line)
        if found is None:
            raise Unfit(
                "unknown_speaker", f"line {number} of the dialogue begins with neither account"
            )
        turns.append((speakers[found[1]], found[2].strip()))
    return turns
