"""A scripted server of vision-language models that speaks the OpenAI protocol.

It decodes the pixels that it is sent and answers from what is in them, with the errors and faults
that its script tells.
"""

from stand_ins.models.catalogs import references_of, values_of
from stand_ins.models.question import Answer, Brain, Eyes, Look, Part, Question, Seen, Turn
from stand_ins.models.script import (
    BatchRules,
    CodedPictures,
    ErrorRate,
    Fault,
    KnownPictures,
    Model,
    Reference,
    Script,
    Value,
)
from stand_ins.models.serving import ScriptedServer, Served, served
from stand_ins.models.several import Several
from stand_ins.models.tool_calls import tool_call
from stand_ins.models.yes_no import YesNo, template_of

__all__ = [
    "Answer",
    "BatchRules",
    "Brain",
    "CodedPictures",
    "ErrorRate",
    "Eyes",
    "Fault",
    "KnownPictures",
    "Look",
    "Model",
    "Part",
    "Question",
    "Reference",
    "Script",
    "ScriptedServer",
    "Seen",
    "Served",
    "Several",
    "Turn",
    "Value",
    "YesNo",
    "references_of",
    "served",
    "template_of",
    "tool_call",
    "values_of",
]
