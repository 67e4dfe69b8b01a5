"""What a score looks like in a terminal."""

from dataclasses import replace

from evaluation.hidden_target.game import Game
from evaluation.hidden_target.metrics.score import score_of
from evaluation.hidden_target.metrics.table import lines_of
from evaluation.hidden_target.scoring.played import Played
from evaluation.scoring.figures import figures
from evaluation.scoring.protocol import RefusedRow
from stand_ins.trajectories import asks, played, skips

LONG_NO = asks("hem long", "no")  # leaves 3 and 4 of plain_game, whose target is 3
BOAT_YES = asks("neck boat", "yes")
LONG_FLIPPED = asks("hem long", "yes", truth="no", noise="flip")
V_FLIPPED = asks("neck v", "yes", truth="no", noise="flip")

EPISODES = {
    "e1": ((skips("index"), LONG_NO, BOAT_YES), 3),  # verified
    "e2": ((LONG_NO,), 3),  # a random guess
    "e3": ((LONG_FLIPPED, BOAT_YES, V_FLIPPED), 3),  # contradicted, F is empty
    "e4": ((asks("hem long", "yes"),), 1),  # incorrect, and the target was eliminated
    "e5": ((skips("no_question"), skips("forbidden"), skips("index")), None),
}
# eleven turns, four skips, seven answers of which one is not what the labels say
TABLE = """\
conflict: in 1 episode an answer without noise eliminates the target (e4):
  oracle and verifier disagree
differing: in 1 episode a recorded feasible set is not what follows from the
  release (e2); the score goes by the release
1 row refused (1 not json), the first in line 9: is no JSON
                         share   95 % interval
overall                  60.0%   -
  verified               20.0%   -
  random guess           20.0%   -
  contradicted           20.0%   -
incorrect                40.0%   -
  no guess               20.0%   -
expected: never asking 25.0%; reference questioner 100.0%, verified 100.0%
  (the reference questioner has all the turns that it wants, and no noise)

                         turns   skip rate   episodes
all                        2.2       26.7%          5
  verified                 3.0       33.3%          1
  random guess             1.0        0.0%          1
  contradicted             3.0        0.0%          1
  incorrect                2.0       50.0%          2

skips               index 50.0%, no question 25.0%, forbidden 25.0%
premature           50.0% of batches; echoes 50.0%
each turn           eliminates 1.0 pictures; longest idle run 0.8 turns
answers             0.0% changed nothing, 0.0% unsure, 0.0% not mapped
oracle              agrees with known labels in 85.7% of answers
verified in         1.00 × par (n 1), 1.00 × par_protocol (n 1): questions for
                    each that the reference questioner needs (par), asking of
                    each type once (par_protocol)
contradictions      in 20.0% of episodes; then guesses 100.0%

pictures               overall    verified   episodes
  2-9                    60.0%       20.0%          5

noise                  overall    verified   episodes
  hit                   100.0%        0.0%          1
  spared                 50.0%       25.0%          4
"""


def test_all_that_there_is_to_say(plain_game: Game) -> None:
    galleries = [replace(plain_game.gallery, episode_id=name) for name in EPISODES]
    episodes = [
        played(gallery, *turns, guess=guess, uploads=("question", "echo"))
        for gallery, (turns, guess) in zip(galleries, EPISODES.values(), strict=True)
    ]
    turn = replace(episodes[1].turns[0], feasible=(1,))
    episodes[1] = replace(episodes[1], turns=(turn,))
    run = Played(
        name="run",
        player="hand",
        prompt=None,
        detector=None,
        oracle=None,
        verifier="labels",
        planned=6,
        trajectories=episodes,
        refused=(RefusedRow(line=9, item=None, reason="not_json", detail="is no JSON"),),
    )
    score = score_of(run, galleries)
    found = figures(list(score.amounts.values()), list(score.targets.values()), 0)
    assert "\n".join(lines_of(run, score, found)) + "\n" == TABLE
