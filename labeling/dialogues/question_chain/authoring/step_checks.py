"""What of the checks of a chain can be judged before it has options to choose from."""

from benchwright.records import Check, QuestionChain
from labeling.dialogues.question_chain.rules.checking import failures

_OF_OPTIONS = frozenset(
    {"question-options", "answer-options", "question-lengths", "answer-lengths"}
)


def rule_of(check: Check) -> str:
    """Return the rule of a check: its name without the step."""
    return check.name.partition("/")[0]


def step_failures(chain: QuestionChain) -> tuple[Check, ...]:
    """Return the checks that did not pass, apart from those of the options."""
    return tuple(check for check in failures(chain) if rule_of(check) not in _OF_OPTIONS)
