"""How a model words an answer."""

import json

from stand_ins.models.question import Answer
from stand_ins.models.script import Style

UNCLEAR: dict[Style, str] = {
    "plain": "Unsure",
    "sentence": "It cannot be told from this picture.",
    "markdown": "**Unsure**",
    "json": '{"answer": "unsure"}',
    "chinese": "看不清楚。",
    "reasoning": "<think>The part that matters is hidden.</think>\nUnsure",
    "reasoning_field": "Unsure",
}
_THOUGHT = "The question is about {value}, so that is what to look for in the picture."


def said(style: Style, answer: Answer, value: str) -> tuple[str, str | None]:
    """Return the content that says yes or no of a value, and a reasoning field or null."""
    word = "Yes" if answer == "yes" else "No"
    thought = _THOUGHT.format(value=value)
    contents: dict[Style, str] = {
        "plain": word,
        "sentence": f"{word}, that is {'' if answer == 'yes' else 'not '}so: {value}.",
        "markdown": f"**{word}**",
        "json": json.dumps({"answer": answer}),
        "chinese": "是的。" if answer == "yes" else "不是。",
        "reasoning": f"<think>{thought}</think>\n{word}",
        "reasoning_field": word,
    }
    return contents[style], thought if style == "reasoning_field" else None
