"""The pages that open audits in the App, with the App."""

from collections.abc import Callable, Sequence

import pytest

from stand_ins.reader.chapters import Chapter, groups

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO PAGE WAS FOLLOWED IN THE APP")
pytest.importorskip("fiftyone", reason="fiftyone IS NOT INSTALLED: NO PAGE WAS FOLLOWED IN THE APP")

_FOLLOWED_HERE = [chapters for chapters in groups() if chapters[0].needs == "pymongo"]


@pytest.mark.heavy
@pytest.mark.timeout(600)
@pytest.mark.parametrize("chapters", _FOLLOWED_HERE, ids=lambda chapters: chapters[0].name)
def test_the_commands_of_the_page_run(
    chapters: Sequence[Chapter], faults_of_page: Callable[[Sequence[Chapter]], str]
) -> None:
    wrong = faults_of_page(chapters)
    assert not wrong, wrong
