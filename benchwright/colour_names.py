"""The colours that models are asked to name: each a common word, none near another."""

from typing import Literal, get_args

ColourName = Literal["black", "blue", "green", "orange", "purple", "red", "white", "yellow"]
COLOUR_NAMES: tuple[ColourName, ...] = get_args(ColourName)
