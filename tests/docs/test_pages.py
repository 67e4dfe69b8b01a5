"""Every command of the pages that people read does what its page says, in the order of the page."""

from collections.abc import Callable, Sequence

import pytest

from stand_ins.reader.chapters import Chapter, groups

_FOLLOWED_HERE = [chapters for chapters in groups() if chapters[0].needs is None]


@pytest.mark.heavy
@pytest.mark.timeout(600)
@pytest.mark.parametrize("chapters", _FOLLOWED_HERE, ids=lambda chapters: chapters[0].name)
def test_the_commands_of_the_page_run(
    chapters: Sequence[Chapter], faults_of_page: Callable[[Sequence[Chapter]], str]
) -> None:
    wrong = faults_of_page(chapters)
    assert not wrong, wrong
