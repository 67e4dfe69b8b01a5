"""Writing README.md: the head, a person's own text, the generated block."""

from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.errors import UsageError
from exports.building.making import Making
from exports.card.block import block_of
from exports.card.facts import facts_of
from exports.card.head import OUR_KEYS, body_of, head_in, head_of, head_text
from exports.card.licence import FILE as LICENCES
from exports.card.licence import licence_text
from exports.card.own_text import first_text, with_block
from exports.card.pictures import write_pictures
from exports.gating.report import GateReport
from exports.names import CARD

_THEIRS = frozenset(("language",))  # in which others wrote is not known to us


def write_card(making: Making, gate: GateReport | None = None) -> None:
    """Write README.md and pictures/ into a release, LICENSE.md where no word names the licence.

    The person's text is put beside its versions where none is. The shards and errata.jsonl must
    stand in the folder by now. Raises UsageError for a text without its markers, or with a head
    that cannot be read.
    """
    own = _own_text(making)
    facts = facts_of(making, gate)
    write_pictures(facts)
    head = {**head_of(facts), **_own_keys(own, own_text_path(making))}
    if head.get("license_link") == LICENCES:
        text = licence_text(making.gathered.items)
        files.write_bytes(making.folder / LICENCES, text.encode())
    card = with_block(body_of(own), block_of(facts), str(own_text_path(making)))
    files.write_bytes(making.folder / CARD, f"{head_text(head)}\n{card}".encode())


def own_text_path(making: Making) -> Path:
    """Return where a person writes: beside the versions, so that it outlives each of them."""
    return making.workspace.releases / making.name / CARD


def _own_keys(own: str, where: Path) -> dict[str, Any]:
    """Return what a person says in a head of their own, but for what is ours to say.

    Raises UsageError for a head that cannot be read: gated access must not be lost in silence.
    """
    said = head_in(own)
    if not said and body_of(own) != own:
        raise UsageError(
            f"{where}: what stands between its first --- and the next is no YAML of names and"
            " values; mend it, or take it out"
        )
    return {key: value for key, value in said.items() if key in _THEIRS or key not in OUR_KEYS}


def _own_text(making: Making) -> str:
    """Return what a person wrote; what is there to be written over is put there first."""
    path = own_text_path(making)
    if not path.is_file():
        files.write_bytes(path, first_text(making.settings.title or making.name).encode())
    try:
        return path.read_bytes().decode()  # line ends as they are
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: wants UTF-8 ({error.reason} at byte {error.start})") from error
