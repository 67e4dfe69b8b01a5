import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.provenance.licences import licence_of


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        # links, as COCO and Open Images give them
        ("http://creativecommons.org/licenses/by-nc-sa/2.0/", "CC-BY-NC-SA-2.0"),
        ("https://creativecommons.org/licenses/by/2.0/", "CC-BY-2.0"),
        ("https://www.creativecommons.org/licenses/by-sa/4.0", "CC-BY-SA-4.0"),
        ("creativecommons.org/licenses/by-nd/3.0/", "CC-BY-ND-3.0"),
        ("https://creativecommons.org/licenses/by/4.0/deed.en", "CC-BY-4.0"),
        ("https://creativecommons.org/licenses/by/4.0/legalcode", "CC-BY-4.0"),
        ("https://creativecommons.org/licenses/by-sa/3.0/de/", "CC-BY-SA-3.0-DE"),
        ("https://creativecommons.org/licenses/by-sa/3.0/de/deed.de", "CC-BY-SA-3.0-DE"),
        ("http://creativecommons.org/licenses/by-nd-nc/1.0/", "CC-BY-NC-ND-1.0"),  # the old order
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/deed.fr", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "CC-PDM-1.0"),
        ("http://creativecommons.org/licenses/by/2.5/scotland/", "CC-BY-2.5-SCOTLAND"),
        ("https://creativecommons.org:443/licenses/by/4.0/deed.zh-hant?x#y", "CC-BY-4.0"),
        ("http://flickr.com/commons/usage/", "No-Known-Copyright-Restrictions"),
        ("http://www.usa.gov/copyright.shtml", "US-Government-Work"),
        ("https://opensource.org/licenses/MIT", "MIT"),
        ("https://www.apache.org/licenses/LICENSE-2.0.html", "Apache-2.0"),
        # names
        ("cc-by-4.0", "CC-BY-4.0"),
        ("CC BY 4.0", "CC-BY-4.0"),
        ("cc_by_nc_nd_2.5", "CC-BY-NC-ND-2.5"),
        ("CC BY-SA 3.0 IGO", "CC-BY-SA-3.0-IGO"),
        ("CC BY 2", "CC-BY-2.0"),
        ("Creative Commons Attribution 4.0 International", "CC-BY-4.0"),
        ("Creative Commons Attribution-NonCommercial 2.0 Generic (CC)", "CC-BY-NC-2.0"),
        ("Attribution-NonCommercial-ShareAlike License", "CC-BY-NC-SA"),  # COCO: no version
        ("Attribution Non-Commercial No Derivatives", "CC-BY-NC-ND"),
        ("Attribution License", "CC-BY"),
        ("CC0", "CC0-1.0"),
        ("CC0 1.0 Universal", "CC0-1.0"),
        # as the deeds are headed: a name, and the same again
        ("Attribution 2.0 Generic (CC BY 2.0)", "CC-BY-2.0"),
        ("Attribution-NonCommercial 4.0 International (CC BY-NC 4.0)", "CC-BY-NC-4.0"),
        ("CC0 1.0 Universal (CC0 1.0) Public Domain Dedication", "CC0-1.0"),
        ("Attribution 4.0 International (CC BY-NC 4.0)", None),  # two of them
        ("whatever (CC BY 4.0)", None),
        ("Public Domain", "Public-Domain"),
        ("United States Government Work", "US-Government-Work"),
        ("No known copyright restrictions", "No-Known-Copyright-Restrictions"),
        ("MIT License", "MIT"),
        # what only resembles one stays as it is
        ("CC BY 4.0 except the faces", None),
        ("not CC BY 4.0", None),
        ("CC BY 4.0 or CC BY-NC 4.0", None),
        ("CC-NC-4.0", None),
        ("CC-BY-ND-SA-4.0", None),
        ("CC-BY-BY-4.0", None),
        ("https://creativecommons.org.evil.example/licenses/by/4.0/", None),
        ("https://example.org/?u=https://creativecommons.org/licenses/by/4.0/", None),
        ("https://creativecommons.org/licenses/by/4.0/and/more", None),
        ("https://[broken", None),
        ("All rights reserved", None),
    ],
)
def test_a_licence_has_one_name_however_it_is_spelled(stated: str, name: str | None) -> None:
    assert str(licence_of(stated)) == (stated if name is None else name)


@pytest.mark.parametrize("stated", [None, "", " \t\n"])
def test_no_text_is_no_licence(stated: str | None) -> None:
    assert licence_of(stated) is None


@pytest.mark.parametrize(
    ("named", "stated", "covers"),
    [
        ("cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/", True),
        ("cc-by-4.0", "https://creativecommons.org/licenses/by/2.0/", False),  # another version
        ("cc-by", "https://creativecommons.org/licenses/by/2.0/", True),  # any version
        ("cc-by-4.0", "Attribution License", False),  # of a version that nobody knows
        ("cc-by", "Attribution License", True),
        ("cc-by", "cc-by-sa-4.0", False),  # another licence that begins alike
        ("cc-by-sa-3.0", "CC BY-SA 3.0 DE", True),  # a port to a country
        ("cc-by-sa-3.0-de", "CC BY-SA 3.0", False),
        ("CC0-1.0", "cc zero", True),
        ("our own licence", "Our Own  Licence", True),  # literally, but for case and blanks
        ("our own", "our own licence", False),
    ],
)
def test_a_named_licence_covers_what_it_means(named: str, stated: str, covers: bool) -> None:
    one, other = licence_of(named), licence_of(stated)
    assert one is not None
    assert other is not None
    assert one.covers(other) is covers


@pytest.mark.parametrize(
    ("stated", "page"),
    [
        ("cc by-nc 2.0", "https://creativecommons.org/licenses/by-nc/2.0/"),
        ("CC BY-SA 3.0 DE", "https://creativecommons.org/licenses/by-sa/3.0/de/"),
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("CC BY", None),  # which one?
        ("CC-made-up", None),
        ("whatever", None),
    ],
)
def test_the_page_of_a_licence_names_the_same_licence(stated: str, page: str | None) -> None:
    licence = licence_of(stated)
    assert licence is not None
    assert licence.page == page
    if page is not None:
        assert licence_of(page) == licence


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    licence = licence_of(text)
    if licence is not None:
        assert licence.covers(licence)
        assert licence_of(str(licence)) == licence


@pytest.mark.parametrize(
    ("stated", "permits", "forbids_changes"),
    [
        ("CC BY 4.0", True, False),
        ("ask me", True, False),
        ("All rights reserved.", False, False),
        ("Unknown", False, False),
        ("n/a", False, False),
        ("https://creativecommons.org/licenses/by-nc-nd/2.0/", True, True),
        # of no known spelling, and yet clear
        ("CC BY-ND 4.0 DEED", True, True),
        ("our own, no derivatives", True, True),
        ("https://example.org/by-nd", True, True),
        ("CC BY-SA 4.0, R&D", True, False),
    ],
)
def test_what_a_licence_allows(stated: str, permits: bool, forbids_changes: bool) -> None:
    licence = licence_of(stated)
    assert licence is not None
    assert (licence.permits, licence.forbids_changes) == (permits, forbids_changes)
