"""Licences as catalogs spell them, under the short names of SPDX where there is one.

COCO and Open Images name a licence by its link, a table by anything. What is spelled in no known
way stays as it is: to guess would be to promise what nobody said. A "CC BY" without a version is
of no known version, and is matched by ``cc-by`` alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlsplit

from benchwright.plain_text import plain

_PARTS = ("BY", "NC", "ND", "SA")  # in the order of SPDX
_CC = "https://creativecommons.org"
_CC_PATH = re.compile(
    r"/licenses/(?P<parts>[a-z]+(?:-[a-z]+)*)/(?P<version>\d\.\d)(?:/(?P<place>[a-z]{2,3}|scotland))?"
    r"(?:/(?:deed|legalcode)(?:[.-][a-z_-]+)?)?"
)
_CC_VERSION = re.compile(r"\d(?:\.\d)?")
_CC_PLACE = re.compile(r"[a-z]{2}|igo|scotland")
_NOISE = frozenset(("cc", "creative", "commons", "license", "licence", "the", "public"))
_UNPORTED = frozenset(("international", "unported", "generic", "intl"))
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "by": "BY",
        "attribution": "BY",
        "nc": "NC",
        "noncommercial": "NC",
        "nd": "ND",
        "noderivs": "ND",
        "noderivatives": "ND",
        "sa": "SA",
        "sharealike": "SA",
    }
)
_TWO_WORDS = re.compile(r"\b(non|no|share)[ -]+(commercial|derivs|derivatives|alike)\b")
_SAID_AGAIN = re.compile(r"(.+?) ?\((cc[ -].+)\)", re.IGNORECASE)  # as the deeds are headed
_COMBINATIONS = frozenset(("BY", "BY-NC", "BY-NC-ND", "BY-NC-SA", "BY-ND", "BY-SA"))

_LINKS: Mapping[str, str] = MappingProxyType(  # host and path of what is no CC licence
    {
        "creativecommons.org/publicdomain/zero/1.0": "CC0-1.0",
        "creativecommons.org/publicdomain/mark/1.0": "CC-PDM-1.0",
        "creativecommons.org/licenses/publicdomain": "CC-PDDC",
        "flickr.com/commons/usage": "No-Known-Copyright-Restrictions",
        "usa.gov/copyright.shtml": "US-Government-Work",
        "usa.gov/copyright": "US-Government-Work",
        "usa.gov/government-works": "US-Government-Work",
        "usa.gov/government-copyright": "US-Government-Work",
        "opensource.org/licenses/mit": "MIT",
        "opensource.org/license/mit": "MIT",
        "apache.org/licenses/license-2.0": "Apache-2.0",
        "opendatacommons.org/licenses/pddl/1-0": "PDDL-1.0",
        "opendatacommons.org/licenses/by/1-0": "ODC-By-1.0",
        "opendatacommons.org/licenses/odbl/1-0": "ODbL-1.0",
    }
)
_NO_DERIVATIVES = re.compile(r"\bnd\b|\bno[ -]?deriv", re.IGNORECASE)
_NAMES: Mapping[str, str] = MappingProxyType(  # in small letters, blanks for - and _
    {
        "cc0": "CC0-1.0",
        "cc0 1.0": "CC0-1.0",
        "cc0 1.0 universal": "CC0-1.0",
        "cc0 1.0 universal cc0 1.0 public domain dedication": "CC0-1.0",
        "cc zero": "CC0-1.0",
        "creative commons zero": "CC0-1.0",
        "creative commons zero v1.0 universal": "CC0-1.0",
        "cc pdm 1.0": "CC-PDM-1.0",
        "public domain mark": "CC-PDM-1.0",
        "public domain mark 1.0": "CC-PDM-1.0",
        "cc pddc": "CC-PDDC",
        "pd": "Public-Domain",
        "public domain": "Public-Domain",
        "no known copyright restrictions": "No-Known-Copyright-Restrictions",
        "us government work": "US-Government-Work",
        "u.s. government work": "US-Government-Work",
        "united states government work": "US-Government-Work",
        "mit": "MIT",
        "mit license": "MIT",
        "mit licence": "MIT",
        "the mit license": "MIT",
        "apache": "Apache-2.0",
        "apache 2.0": "Apache-2.0",
        "apache license 2.0": "Apache-2.0",
        "apache licence 2.0": "Apache-2.0",
        "pddl 1.0": "PDDL-1.0",
        "odc by 1.0": "ODC-By-1.0",
        "odbl 1.0": "ODbL-1.0",
    }
)
_PERMITS_NOTHING = frozenset(  # in small letters, as sources fill a column that must be filled
    {
        *("all rights reserved", "copyright", "copyrighted", "©", "n/a", "na", "nan", "-", "?"),
        *("none", "null", "no license", "no licence", "unknown", "unknown license"),
        *("unknown licence", "unlicensed", "not specified", "unspecified", "undefined"),
    }
)
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "CC0-1.0": f"{_CC}/publicdomain/zero/1.0/",
        "CC-PDM-1.0": f"{_CC}/publicdomain/mark/1.0/",
        "CC-PDDC": f"{_CC}/licenses/publicdomain/",
        "No-Known-Copyright-Restrictions": "https://www.flickr.com/commons/usage/",
        "US-Government-Work": "https://www.usa.gov/government-works",
        "MIT": "https://opensource.org/license/mit",
        "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
        "PDDL-1.0": "https://opendatacommons.org/licenses/pddl/1-0/",
        "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1-0/",
        "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence:
    """A licence: ``name`` alone, or one of Creative Commons with its version and country."""

    name: str
    version: str | None = None
    place: str | None = None

    def __str__(self) -> str:
        return "-".join(part for part in (self.name, self.version, self.place) if part)

    def covers(self, other: "Licence") -> bool:
        """Tell whether who names this licence means the other: without a version it is any."""
        return (
            self.name.casefold() == other.name.casefold()
            and self.version in (None, other.version)
            and self.place in (None, other.place)
        )

    @property
    def permits(self) -> bool:
        """Whether it lets anybody share; false for what says that nothing is allowed, or known."""
        return self.name.casefold().rstrip(".") not in _PERMITS_NOTHING

    @property
    def forbids_changes(self) -> bool:
        """Whether it is one without derivatives, or a text of its own that speaks of them."""
        return _NO_DERIVATIVES.search(self.name) is not None

    @property
    def page(self) -> str | None:
        """The link of its text; null where we know of none."""
        if not self.name.startswith("CC-") or self.version is None:
            return _PAGES.get(self.name)
        parts = self.name.removeprefix("CC-").lower()
        place = f"{self.place.lower()}/" if self.place else ""
        return f"{_CC}/licenses/{parts}/{self.version}/{place}"


def licence_of(stated: str | None) -> Licence | None:
    """Return the licence that a text names; null for no text.

    A text that is spelled in no known way is its own name.
    """
    text = " ".join(plain(stated or "").split())
    if not text:
        return None
    return _of_link(text) or _of_name(text) or _of_name_said_again(text) or Licence(name=text)


def _of_link(text: str) -> Licence | None:
    try:
        link = urlsplit(text if "://" in text else f"https://{text}")
        host = (link.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = link.path.rstrip("/").lower()
    known = _LINKS.get(f"{host}{path.removesuffix('.html')}") or _LINKS.get(
        f"{host}{re.sub(r'/(?:deed|legalcode)(?:[.][a-z_-]+)?$', '', path)}"
    )
    if known is not None:
        return Licence(name=known)
    match = _CC_PATH.fullmatch(path) if host == "creativecommons.org" else None
    if match is None:
        return None
    parts = [part.upper() for part in match["parts"].split("-")]
    return _creative_commons(parts, match["version"], match["place"])


def _of_name(text: str) -> Licence | None:
    folded = " ".join(re.sub(r"[\s_,()-]+", " ", text.casefold()).split())
    if folded in _NAMES:
        return Licence(name=_NAMES[folded])
    words = [word for word in _TWO_WORDS.sub(r"\1\2", folded).split() if word not in _NOISE]
    parts: list[str] = []
    while words and words[0] in _WORDS:
        parts.append(_WORDS[words.pop(0)])
    version = words.pop(0).removeprefix("v") if words else None
    if version is not None and not _CC_VERSION.fullmatch(version):
        return None
    place = words.pop(0) if words else None
    if words or (place and place not in _UNPORTED and not _CC_PLACE.fullmatch(place)):
        return None
    if version is not None and "." not in version:
        version = f"{version}.0"
    return _creative_commons(parts, version, None if place in _UNPORTED else place)


def _of_name_said_again(text: str) -> Licence | None:
    """Return the licence of a long name and a short one; null where they are of two licences."""
    match = _SAID_AGAIN.fullmatch(text)
    names = [_of_name(name) for name in match.groups()] if match else [None]
    return names[0] if names[0] == names[-1] else None


def _creative_commons(parts: list[str], version: str | None, place: str | None) -> Licence | None:
    """Return the licence of these parts in any order; null for parts that none has."""
    name = "-".join(part for part in _PARTS if part in parts)
    if name not in _COMBINATIONS or len(parts) != name.count("-") + 1:
        return None
    return Licence(name=f"CC-{name}", version=version, place=place.upper() if place else None)
