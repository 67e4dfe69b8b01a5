"""The worlds that pages speak of, by name; each is a function that makes it in an empty folder."""

from collections.abc import Callable, Mapping

from stand_ins.reader.world import Making, World
from stand_ins.reader.worlds.audited import audited
from stand_ins.reader.worlds.bare import bare
from stand_ins.reader.worlds.compared import compared
from stand_ins.reader.worlds.drawn import drawn
from stand_ins.reader.worlds.embedded import embedded
from stand_ins.reader.worlds.judged import judged
from stand_ins.reader.worlds.photographed import photographed
from stand_ins.reader.worlds.publishable import publishable
from stand_ins.reader.worlds.published import published
from stand_ins.reader.worlds.released import released
from stand_ins.reader.worlds.scenes import scenes
from stand_ins.reader.worlds.traced import traced
from stand_ins.reader.worlds.transcribed import transcribed

_ALL = (
    audited,
    bare,
    compared,
    drawn,
    embedded,
    judged,
    photographed,
    publishable,
    published,
    released,
    scenes,
    traced,
    transcribed,
)
WORLDS: Mapping[str, Callable[[Making], World]] = {made.__name__: made for made in _ALL}
