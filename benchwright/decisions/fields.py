"""The field of a decision on a label: ``type/value`` in one text."""


def label_field(type_name: str, value: str) -> str:
    """Return the field of a label; ``~`` and ``/`` are written as ``~0`` and ``~1`` (RFC 6901)."""
    return f"{escaped(type_name)}/{escaped(value)}"


def label_of(field: str) -> tuple[str, str] | None:
    """Return the type and value of a field; null for the name of a check, which has no slash."""
    type_name, slash, value = field.partition("/")
    return (_unescaped(type_name), _unescaped(value)) if slash else None


def escaped(text: str) -> str:
    """Return a text without slashes, from which it can be read back."""
    return text.replace("~", "~0").replace("/", "~1")


def _unescaped(text: str) -> str:
    return text.replace("~1", "/").replace("~0", "~")
