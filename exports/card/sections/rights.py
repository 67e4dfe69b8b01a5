"""Under which licences pictures are, who is to be named, and what keeps them out of training."""

from collections.abc import Iterator

from exports.canary import COLUMN, canary_of
from exports.card.facts import Facts
from exports.card.licence import licences
from exports.card.markdown import code


def rights(facts: Facts) -> Iterator[str]:
    """Yield licences, the canary and how a picture is taken down."""
    making = facts.making
    yield from ("## Licences and attribution", "")
    yield from licences(making.gathered.items)
    if not making.settings.keep_metadata:
        yield "EXIF (places by GPS among it), XMP and comments were taken out of the files."
    else:
        yield "The files have their metadata still: EXIF may say where a picture was taken."
    yield ""
    yield from ("## Keep it out of training", "")
    yield (
        f"Each row of a sample holds this string in the column `{COLUMN}`. Leave out of training"
        " data whatever holds it; a model that can go on after its first half was trained on this."
    )
    yield ""
    yield from code([canary_of(making.name)])
    yield from ("## Taking down", "")
    yield (
        "Whoever wants a picture taken down names its `image_id` to those who publish this dataset:"
        " by a contact that they give on this card, or else in the discussions of its repository."
        " It, all pictures of the same bytes and every sample that shows one of them are left out"
        " of the next version."
    )
    yield ""
