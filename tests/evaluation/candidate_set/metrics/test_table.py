"""What a score looks like in a terminal."""

from collections.abc import Callable

from benchwright.boxes import Box
from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics.amounts import Divisions, amounts_of
from evaluation.candidate_set.metrics.answered import Answered
from evaluation.candidate_set.metrics.baselines import Baselines
from evaluation.candidate_set.metrics.table import lines_of
from evaluation.scoring.figures import figures

SETTINGS = {"instruction": "stepwise", "given": False, "box_format": "pixels"}
TABLE = """\
instruction stepwise; boxes in pixels
                     share   95 % interval   category      all    first   random
one object meant, 2 samples
  Acc@0.5            50.0%   0.0 to 100.0        0.0%     0.0%     0.0%    50.0%
  first box          50.0%   0.0 to 100.0
  any box            50.0%   0.0 to 100.0
several meant, 4 samples (first over 2)
  precision          75.0%   50.0 to 100.0      83.3%    62.5%    66.7%    75.0%
  recall             66.7%   33.3 to 100.0     100.0%   100.0%   100.0%    29.2%
  F1                 70.0%   40.0 to 100.0      90.0%    76.2%    80.0%    41.7%
nothing meant, 2 samples
  no target          50.0%   0.0 to 100.0
beside: all boxes of the category, all boxes, the first turn's set (at later
  turns), a random box

several boxes where one object is meant: 0.0%
answers: 25.0% unreadable, 12.5% said to be nothing, 12.5% of more than 15
  boxes

turn       Acc@0.5   several  samples  precision     recall         F1  samples
  1              -         -        0     100.0%      83.3%      90.0%        2
  2              -         -        0      50.0%      50.0%      50.0%        2
  3          50.0%      0.0%        2          -          -          -        0

size of the set in the 2 dialogues with all turns from 1 to 3
turn     predicted   95 % interval    true
  1           2.50   2.00 to 3.00     3.00
  2           1.00   0.00 to 2.00     2.00
  3           0.50   0.00 to 1.00     1.00
"""


def test_all_that_there_is_to_say(
    sample_of: Callable[..., CandidateSet],
    answer_of: Callable[..., Grounding],
    table: dict[str, Box],
) -> None:
    a, b, c, p = (table[name] for name in "abcp")
    # one dialogue that is followed, one that is lost sight of, two samples that mean nothing
    turns = [
        (sample_of("abc"), [a, b, c], "json"),
        (sample_of("ab", turn=2), [a, b], "json"),
        (sample_of("a", turn=3), [a], "json"),
        (sample_of("abc", dialogue="e"), [a, b], "json"),
        (sample_of("ab", turn=2, dialogue="e"), [], "unread"),
        (sample_of("a", turn=3, dialogue="e"), [], "unread"),
        (sample_of("", dialogue="f"), [], "none"),
        (sample_of("", dialogue="g"), [p] * 16, "json"),
    ]
    answered = [
        Answered.of(sample, answer_of(sample, boxes, read_by=read_by), is_given=False)
        for sample, boxes, read_by in turns
    ]
    samples = [one.sample for one in answered]
    divisions = Divisions.of(samples, samples)
    baselines = Baselines.of(samples, seed=0, is_given=False)
    found = figures(
        [amounts_of(one, baselines.outcomes(one.sample), divisions) for one in answered],
        [one.image_id for one in samples],
        0,
    )
    lines = list(lines_of(found, SETTINGS, divisions.tracked))
    assert "\n".join(lines) + "\n" == TABLE
    assert max(map(len, lines)) <= 80
