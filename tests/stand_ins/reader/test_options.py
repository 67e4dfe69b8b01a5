"""What the reader finds wrong with a command."""

import pytest

from stand_ins.reader.options import faults_of


# a command, what is wrong with it
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("build-galleries --tau 0.6", []),
        ("build-galleries --taus 0.6", ["build-galleries has no option --taus"]),
        ("build-catalog cocoa x.json", ["build-catalog has no command cocoa"]),
        # a release in the place of a command
        ("run-benchmark ana/dresses@v1.0.0 --player greedy", []),
        ("run-benchmark RELEASE --gamer greedy", ["run-benchmark has no option --gamer"]),
        # any of the commands of a group
        ("label-attributes … --ensemble", []),
        ("label-attributes … --ensembles", ["label-attributes has no option --ensembles"]),
        # a number is no option
        ("push-release build dresses --version -1", []),
    ],
)
def test_what_is_wrong_with_a_command(text: str, wrong: list[str]) -> None:
    assert faults_of(text) == wrong
