"""Names of classes, attributes and relationships, and the classes that a user asks for."""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.errors import UsageError
from benchwright.records import Reject
from builders.open_images.accounts import Account, reject_unreadable
from builders.open_images.hierarchy import Hierarchy
from builders.open_images.reading import Sheet, Unreadable, read_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The name of each class by its code, and of each relationship; ``several``: codes with more.

    Lists of several versions may spell a name differently ("Helmet", "helmet"); then the first
    in the order of characters is taken, whatever the order of the files.
    """

    classes: Mapping[str, str]
    relations: Mapping[str, str]
    several: tuple[str, ...] = ()

    def of(self, code: str) -> str:
        """Return the name of a class; a code that no list names stands for itself."""
        return self.classes.get(code, code)


def read_names(
    sheets: Sequence[Sheet], source: str
) -> tuple[Names, list[tuple[Sheet, Account]], list[Reject]]:
    """Read the lists of names."""
    found: dict[str, dict[str, set[str]]] = {
        "classes": defaultdict(set),
        "relation names": defaultdict(set),
    }
    accounts: list[tuple[Sheet, Account]] = []
    rejects: list[Reject] = []
    for sheet in sheets:
        account = Account()
        spelled = found[sheet.layout.kind]
        for record in read_lines(sheet):
            account.read += 1
            if isinstance(record, Unreadable):
                rejects.append(reject_unreadable(sheet, record, source))
                account.refused += 1
                continue
            code, name = (cell.strip() for cell in record[1])
            if not code or not name:
                empty = Unreadable(record[0], "no_name", "the code or the name is empty")
                rejects.append(reject_unreadable(sheet, empty, source))
                account.refused += 1
                continue
            spelled[code].add(name)
            account.kept += 1
        accounts.append((sheet, account))
    names = Names(
        classes={code: min(words) for code, words in sorted(found["classes"].items())},
        relations={code: min(words) for code, words in sorted(found["relation names"].items())},
        several=tuple(sorted(code for code, words in found["classes"].items() if len(words) > 1)),
    )
    return names, accounts, rejects


def asked_for(
    wanted: Iterable[str], names: Names, hierarchy: Hierarchy
) -> tuple[frozenset[str], list[str]]:
    """Return the codes of the classes that a user names, with all that are kinds of them.

    A class is named by its code or, in any case of letters, by its name; where one text is no
    name, it is split at its commas. Also returns a line for the user on each. Raises UsageError
    for a name that no class has.
    """
    by_name: dict[str, set[str]] = defaultdict(set)
    for code, name in names.classes.items():
        by_name[name.lower()].add(code)
    for code in hierarchy.nodes | names.classes.keys():
        by_name[code.lower()].add(code)
    texts: list[str] = []
    for text in wanted:
        whole = text.strip().lower() in by_name
        texts += [text] if whole else [part for part in text.split(",") if part.strip()]
    codes: set[str] = set()
    lines: list[str] = []
    for text in texts:
        found = by_name.get(text.strip().lower())
        if found is None:
            raise UsageError(f"no class is called {text.strip()!r}{_close(text, by_name)}")
        below = {one for code in found for one in hierarchy.descendants(code)} - found
        kinds = f" with {len(below)} kinds of it" if below else ""
        lines.append(f"class {text.strip()}: {', '.join(sorted(found))}{kinds}")
        codes |= found | below
    return frozenset(codes), lines


def _close(text: str, by_name: Mapping[str, set[str]]) -> str:
    if not by_name:
        return "; the folder has no class list, so give codes such as /m/01g317"
    close = difflib.get_close_matches(text.strip().lower(), by_name, n=3)
    return f"; near it are {', '.join(close)}" if close else "; look it up in the class list"
