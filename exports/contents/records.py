"""Records that stand in releases alone, each with its Arrow schema."""

import pyarrow as pa

from benchwright.arrow_fields import TEXT, TEXTS, required
from exports.features import IMAGE

IMAGES = pa.schema(
    [
        required("image_id", TEXT),
        required("image", IMAGE),
        required("sha256", TEXT),  # of the bytes of image
        required("source_sha256", TEXT),  # of the picture as the catalog has it
        required("width", pa.int32()),
        required("height", pa.int32()),
        required("source", TEXT),
        required("source_id", TEXT),
        *(
            pa.field(name, TEXT)
            for name in (
                "source_split",
                "group_id",
                "title",
                "category",
                "url",
                "licence",
                "author",
            )
        ),
    ]
)
VOCABULARY = pa.schema(
    [
        required("type", TEXT),
        required("type_aliases", TEXTS),
        required("exclusive", pa.bool_()),
        required("complete", pa.bool_()),
        required("askable", pa.bool_()),
        required("value", TEXT),
        required("value_aliases", TEXTS),
        required("templates", TEXTS),
    ]
)
LABELS = pa.schema(
    [
        required("image_id", TEXT),
        required("type", TEXT),
        required("value", TEXT),
        required("answer", TEXT),  # yes, no or unknown
        pa.field("score", pa.float64()),
        pa.field("margin", pa.float64()),
        pa.field("origin", TEXT),  # catalog, voted, audited; null for what follows from flags
    ]
)
DECISIONS = pa.schema(
    [
        *(pa.field(name, TEXT) for name in ("image_id", "object_id", "record_id")),
        required("field", TEXT),
        required("auditor", TEXT),  # a number in the place of a name
        pa.field("before", TEXT),  # words alone, no texts that somebody wrote
        pa.field("after", TEXT),
        required("verdict", TEXT),
        pa.field("seconds", pa.float64()),
        pa.field("stratum", TEXT),
        pa.field("probability", pa.float64()),
        required("failed", TEXTS),
        pa.field("named_for", TEXT),
    ]
)
SHOWN_STEP = pa.schema(  # of a chain whose answers are held back
    [required("question_options", TEXTS), required("answer_options", TEXTS)]
)
