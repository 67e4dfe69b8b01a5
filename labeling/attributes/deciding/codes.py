"""The numbers that stand for answers and labels in arrays, and names for kinds of arrays."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

NOT_ASKED, SAID_YES, SAID_NO, ABSTAINED = range(4)  # of a vote, in ``Ballots.answers``
YES, UNSURE, NO = 1, 0, -1  # of a label
VOTE_CODES: Mapping[str | None, int] = {
    "yes": SAID_YES,
    "no": SAID_NO,
    "unsure": ABSTAINED,
    None: ABSTAINED,  # whatever its status says of why
}
LABEL_CODES: Mapping[str, int] = {"yes": YES, "no": NO, "unsure": UNSURE}

AnswerCodes = npt.NDArray[np.uint8]
Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]  # int64 or float64
