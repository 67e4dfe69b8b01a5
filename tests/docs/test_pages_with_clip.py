"""The pages whose commands ask a CLIP, with the small one of the package."""

from collections.abc import Callable, Sequence

import pytest

from stand_ins.reader.chapters import Chapter, groups

pytest.importorskip("torch", reason="torch IS NOT INSTALLED: NO CLIP WAS ASKED AS PAGES SAY")
pytest.importorskip("open_clip", reason="open_clip IS NOT INSTALLED: NO CLIP WAS ASKED")

_FOLLOWED_HERE = [chapters for chapters in groups() if chapters[0].needs == "torch"]


@pytest.mark.heavy
@pytest.mark.timeout(600)
@pytest.mark.parametrize("chapters", _FOLLOWED_HERE, ids=lambda chapters: chapters[0].name)
def test_the_commands_of_the_page_run(
    chapters: Sequence[Chapter], faults_of_page: Callable[[Sequence[Chapter]], str]
) -> None:
    wrong = faults_of_page(chapters)
    assert not wrong, wrong
