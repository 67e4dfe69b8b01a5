"""The eyes that a script names."""

from stand_ins.models.code_reader import CodeReader
from stand_ins.models.known import Recogniser
from stand_ins.models.question import Eyes
from stand_ins.models.script import CodedPictures, Script


def eyes_of(script: Script) -> Eyes | None:
    """Return the eyes of a script, None where its server knows no picture."""
    if script.eyes is None:
        return None
    values = [(value.type, value.value) for value in script.values]
    if isinstance(script.eyes, CodedPictures):
        return CodeReader(values, fine=script.eyes.fine, fine_side=script.eyes.fine_side)
    return Recogniser(script.eyes.references, values)
