"""The card that is pushed to where people may have written on an earlier one."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from exports.card.head import body_of, head_in
from exports.card.own_text import BEGIN, END, block_in
from exports.pushing.merging import merged_card

OURS = f"---\nlicense: mit\nconfigs: [a]\n---\n\n# Ours\n\n{BEGIN}\n\nnew\n\n{END}\n"
_KEYS = st.text("abcdefgh_", min_size=1, max_size=8)
_WORDS = st.text("abc:#'\"- {}üé漢", max_size=20)
_VALUES = st.one_of(st.booleans(), st.integers(), _WORDS, st.lists(_WORDS))
_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60).filter(
    lambda text: "---" not in text
)


def test_without_a_card_there_it_is_ours() -> None:
    assert merged_card(OURS, None) == OURS


def test_an_empty_card_there_is_ours() -> None:
    assert block_in(merged_card(OURS, "")) == "new"
    assert "# Ours" in merged_card(OURS, "\n")


@given(_TEXTS, _TEXTS, st.dictionaries(_KEYS, _VALUES, max_size=4))
def test_what_people_wrote_stays_to_the_letter(
    before: str, after: str, more: dict[str, object]
) -> None:
    head = yaml.safe_dump({"license": "gpl", **more}, allow_unicode=True)
    theirs = f"---\n{head}---\n{before}{BEGIN}\nold\n{END}{after}"
    merged = merged_card(OURS, theirs)
    assert body_of(merged) == f"{before}{BEGIN}\n\nnew\n\n{END}{after}"
    assert head_in(merged) == {"configs": ["a"], "license": "mit", **more}
    assert merged_card(OURS, merged) == merged
