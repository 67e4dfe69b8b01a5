"""Reading the answers of models: yes, no and unsure, P(yes), and JSON of a given shape."""

from benchwright.asking.reading.json_text import json_in
from benchwright.asking.reading.logprobs import p_yes_of
from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.reading.structured import Structured, read_structured
from benchwright.asking.reading.yes_no import Reading, TextReading, read_text, read_yes_no

__all__ = [
    "Reading",
    "Structured",
    "TextReading",
    "json_in",
    "p_yes_of",
    "read_structured",
    "read_text",
    "read_yes_no",
    "without_reasoning",
]
