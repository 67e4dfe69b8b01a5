"""Scripted models that answer questions with a false premise, and detectors that read answers."""

from stand_ins.answerers.brain import Answerers
from stand_ins.answerers.cast import ANSWERERS, corrects
from stand_ins.answerers.detectors import DETECTORS, errs
from stand_ins.answerers.serving import answerers_behind

__all__ = [
    "ANSWERERS",
    "DETECTORS",
    "Answerers",
    "answerers_behind",
    "corrects",
    "errs",
]
