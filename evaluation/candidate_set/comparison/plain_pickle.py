"""Reading pickles that hold lists, objects, texts and numbers, and refusing all others.

A pickle is a program. The files of RefCOCO and its kin need none of the steps that look a class up
or call anything, so a file in which one stands is refused before the first step is taken.
"""

import io
import pickle
import pickletools
import re
from typing import Any, NoReturn

# the steps that put plain values together
_PLAIN = re.compile(
    r"PROTO|FRAME|STOP|MARK|POP|POP_MARK|DUP|NONE|NEWTRUE|NEWFALSE|INT|BININT[12]?|LONG[14]?|FLOAT"
    r"|BINFLOAT|STRING|(?:SHORT_)?BINSTRING|UNICODE|(?:SHORT_)?BINUNICODE8?|(?:SHORT_)?BINBYTES8?"
    r"|EMPTY_LIST|APPENDS?|LIST|EMPTY_TUPLE|TUPLE[123]?|EMPTY_DICT|DICT|SETITEMS?|GET"
    r"|(?:LONG_)?BINGET|MEMOIZE"
)
_PUT = re.compile(r"PUT|(?:LONG_)?BINPUT")  # under a number


class NotPlainError(ValueError):
    """A pickle that does more than hold plain values, or that is none."""


def plain_values(data: bytes) -> Any:
    """Return what a pickle holds; texts of Python 2 are taken for UTF-8.

    Raises NotPlainError.
    """
    try:
        for step, argument, _ in pickletools.genops(data):
            if _PUT.fullmatch(step.name):
                if int(argument or 0) > len(data):  # room would be made for all before it
                    raise NotPlainError("it numbers values that it does not hold")
            elif not _PLAIN.fullmatch(step.name):
                raise NotPlainError(f"it does more than hold values ({step.name})")
        return _Closed(io.BytesIO(data), encoding="utf-8", errors="replace").load()
    except NotPlainError:
        raise
    except Exception as error:  # whatever a broken one makes the reader raise
        raise NotPlainError("it is no pickle, or a broken one") from error


class _Closed(pickle.Unpickler):
    """An unpickler that knows no class at all."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise NotPlainError(f"it asks for {module}.{name}")
