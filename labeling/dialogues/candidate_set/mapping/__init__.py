"""What was marked elsewhere, with points or boxes in pixels, as marks of numbered boxes."""
