"""The limits of the gate, all in one place; docs/design/releases.md says how they were found.

A guess fails only where the data show it to be over its limit: few samples prove nothing, and a
small release is not refused for that. The error of labels fails unless an audit shows it to be
under its limit: who audits less must not pass more easily.
"""

P_VALUE = 0.001  # of the place of targets: of two thousand sound sets one is refused (1 / 2,000)
PLACE_DRAWS = 1_999  # so that the least p-value, 1 / 2,000, lies under that limit

LIFT = 0.10  # over chance: a tenth of a score that is no seeing and no asking can be lived with
WORD_DRAWS = 50  # of right options, for how much a guess by words varies by luck

ALL_BOXES = 0.5  # of candidate sets: where naming every box is mostly right nothing is tested

# common test sets have 3.3 % on average, the worst of ten 10.1 % (Northcutt, Athalye & Mueller
# 2021, Pervasive Label Errors in Test Sets Destabilize Machine Learning Benchmarks)
LABEL_ERROR = 0.10

EPISODES_KEPT = 0.70  # below it labels decide more of verified accuracy than most models differ by
ERROR_DRAWS = 100  # of the true labels of each gallery

ROWS_SHOWN = 10  # ids that a check names

# the rows of these checks would say which picture or option is the right one, or where it stands
TELL_ANSWERS = frozenset(
    {
        "attribute-frequency",
        "candidate-set-guess",
        "membership",
        "nearest-picture",
        "option-place",
        "position",
        "published",
        "question-chain-text",
    }
)
NOTES_TELL = frozenset({"option-place", "position", "question-chain-text"})  # and so would these
