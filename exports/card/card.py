"""Writing README.md: the head, a person's own text, the generated block."""

from pathlib import Path

from benchwright import files
from benchwright.errors import UsageError
from exports.building.making import Making
from exports.card.block import block_of
from exports.card.head import head_of, head_text
from exports.card.own_text import first_text, with_block


def write_card(making: Making) -> None:
    """Write README.md into a release, and the person's text beside its versions where none is.

    Raises UsageError for a text without its markers.
    """
    path = own_text_path(making)
    if not path.is_file():
        files.write_bytes(path, first_text(making.settings.title or making.name).encode())
    try:
        own = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: wants UTF-8 ({error.reason} at byte {error.start})") from error
    text = with_block(own, block_of(making), str(path))
    head = head_text(head_of(making, {"license": "other"}))
    files.write_bytes(making.folder / "README.md", f"{head}\n{text}".encode())


def own_text_path(making: Making) -> Path:
    """Return where a person writes: beside the versions, so that it outlives each of them."""
    return making.workspace.releases / making.name / "README.md"
