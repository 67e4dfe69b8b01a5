"""Episodes of a release with what its labels say."""

import pytest

from benchwright.errors import UsageError
from benchwright.reference_questioner import par
from benchwright.workspace import Workspace
from evaluation.releases.galleries import hidden_target_configs, read_galleries, read_terms
from evaluation.releases.release import Release, open_release
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.contents.private_answers import KEY
from exports.names import Version, release_folder
from labeling.attributes.labels.knowledge import load_knowledge

TAU = "hidden-target-tau-0.3"


@pytest.fixture
def release(whole_once: Workspace) -> Release:
    return open_release(str(release_folder(whole_once, "things", Version(1, 0, 0))))


def test_they_are_those_of_the_workspace(release: Release, whole_once: Workspace) -> None:
    found = read_galleries(release, TAU, read_terms(release))
    known = load_knowledge(whole_once)
    row_of = {known.image_id(row): row for row in range(len(known.ids))}
    assert found
    for gallery in found:
        rows = [row_of[name] for name in gallery.image_ids]
        assert (gallery.answers == known.answers(rows)).all()
        assert gallery.values == known.values
        assert gallery.board.values == tuple(value for value in known.values if value.askable)
        assert gallery.board.target == gallery.target - 1
        assert gallery.target_id == gallery.image_ids[gallery.board.target]
        assert par(gallery.board) == gallery.par
        assert par(gallery.board, one_of_a_type=True) == gallery.par_protocol


def test_the_configs_that_can_be_played(release: Release) -> None:
    assert hidden_target_configs(release) == [TAU]


def test_terms_are_the_vocabulary(release: Release) -> None:
    terms = read_terms(release)
    names = [(term.value.type, term.value.value) for term in terms]
    assert names == sorted(names)
    assert len(names) == release.rows("vocabulary").num_rows


def test_another_kind_of_config(release: Release) -> None:
    with pytest.raises(UsageError, match=f"of this release {TAU} do"):
        read_galleries(release, "labels", read_terms(release))


def test_answers_that_are_held_back(whole: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "k" * 64)
    waived = tuple(
        (name, "a test") for name in ("duplicates", "label-error", "licences", "membership")
    )
    settings = ReleaseSettings(private_answers=True, waived=waived)
    made = build_release(whole, "things", Version(2, 0, 0), settings)
    release = open_release(str(made.folder))
    with pytest.raises(UsageError, match=f"holds back the answers of {TAU}"):
        read_galleries(release, TAU, read_terms(release))
