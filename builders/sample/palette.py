"""The colours of one picture: garment, trims, seams, skin and background."""

from dataclasses import dataclass

from builders.sample.chance import Chance

Colour = tuple[int, int, int]

BASES: dict[str, tuple[Colour, ...]] = {
    "red": ((205, 40, 48), (186, 30, 44), (217, 55, 50)),
    "yellow": ((246, 203, 62), (238, 189, 44), (250, 214, 90)),
    "green": ((52, 142, 84), (40, 122, 74), (74, 154, 82)),
    "blue": ((48, 96, 188), (38, 78, 164), (64, 116, 206)),
    "purple": ((128, 74, 172), (110, 58, 152), (146, 92, 188)),
    "pink": ((244, 138, 176), (238, 120, 164), (248, 158, 190)),
    "white": ((248, 246, 242), (244, 241, 234), (250, 250, 250)),
    "black": ((44, 44, 52), (36, 36, 42), (50, 48, 54)),
}
PRINTS: dict[str, tuple[tuple[Colour, Colour], ...]] = {
    "red": (((252, 236, 220), (250, 190, 80)), ((255, 200, 190), (255, 245, 235))),
    "yellow": (((255, 250, 235), (226, 110, 60)), ((120, 150, 90), (255, 250, 235))),
    "green": (((236, 246, 220), (246, 200, 90)), ((160, 214, 150), (255, 250, 235))),
    "blue": (((232, 240, 252), (250, 200, 96)), ((140, 190, 240), (255, 255, 255))),
    "purple": (((238, 224, 250), (250, 206, 110)), ((196, 156, 230), (255, 246, 255))),
    "pink": (((255, 244, 246), (200, 60, 110)), ((214, 70, 126), (255, 240, 244))),
    "white": (((110, 150, 200), (230, 140, 120)), ((214, 120, 140), (120, 170, 120))),
    "black": (((196, 170, 120), (220, 110, 110)), ((150, 160, 180), (230, 200, 120))),
}
SKINS: tuple[tuple[Colour, Colour], ...] = (
    ((250, 222, 200), (206, 160, 134)),
    ((240, 200, 170), (190, 138, 108)),
    ((222, 172, 132), (166, 114, 80)),
    ((190, 134, 96), (132, 84, 56)),
    ((150, 98, 66), (98, 60, 40)),
    ((108, 70, 50), (62, 38, 28)),
)
HAIRS: tuple[Colour, ...] = (
    (42, 32, 32),
    (82, 52, 38),
    (128, 78, 44),
    (190, 142, 78),
    (164, 74, 46),
    (70, 66, 74),
)
BACKDROPS: tuple[Colour, ...] = (
    (240, 226, 208),
    (214, 230, 224),
    (222, 224, 240),
    (248, 218, 208),
    (206, 224, 240),
    (236, 236, 214),
    (190, 206, 188),
    (178, 196, 214),
    (222, 196, 178),
    (196, 184, 206),
    (150, 172, 168),
    (146, 158, 184),
    (188, 150, 138),
    (120, 138, 150),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Every colour of one picture.

    Attributes:
        base, shadow, light: The cloth, its darkest fold and its brightest fold.
        edge: Outline of the garment.
        ink, halo: Seams and the thin contrasting line beside them.
        binding: The facing of necklines, wrap edges and waist bands.
        trim, trim_edge: Belts, cuffs, buttons and laces, and their outline.
        motif, accent: The two colours of a print.
        skin, skin_edge, hair, shoe: The figure.
        wall, floor: The background, both apart from the cloth.
    """

    base: Colour
    shadow: Colour
    light: Colour
    edge: Colour
    ink: Colour
    halo: Colour
    binding: Colour
    trim: Colour
    trim_edge: Colour
    motif: Colour
    accent: Colour
    skin: Colour
    skin_edge: Colour
    hair: Colour
    shoe: Colour
    wall: Colour
    floor: Colour


def palette(colour: str, chance: Chance) -> Palette:
    """Return the colours for a garment colour; raises KeyError for an unknown one."""
    base = chance.pick("base", BASES[colour])
    motif, accent = chance.pick("motif", PRINTS[colour])
    skin, skin_edge = chance.pick("skin", SKINS)
    dark, pale = brightness(base) < 70, brightness(base) > 185
    walls = [wall for wall in BACKDROPS if distance(wall, base) > 130]
    wall = chance.pick("wall", walls)
    trim = {"white": (92, 70, 60), "yellow": (110, 66, 40), "pink": (110, 40, 74)}.get(
        colour, (250, 240, 222)
    )
    return Palette(
        base=base,
        shadow=mix(base, (20, 16, 40), 0.42 if not dark else 0.6),
        light=mix(base, (255, 255, 255), 0.28 if dark else 0.4),
        edge=mix(base, (24, 18, 34), 0.62 if pale else 0.72),
        ink=mix(base, (255, 255, 255), 0.64) if dark else mix(base, (24, 16, 34), 0.7),
        halo=mix(base, (0, 0, 0), 0.5) if dark else mix(base, (255, 255, 255), 0.45),
        binding=mix(base, trim, 0.4) if colour == "white" else mix(base, (255, 255, 255), 0.58),
        trim=trim,
        trim_edge=mix(trim, (20, 16, 30), 0.62 if brightness(trim) > 150 else 0.55),
        motif=motif,
        accent=accent,
        skin=skin,
        skin_edge=skin_edge,
        hair=chance.pick("hair", HAIRS),
        shoe=chance.pick("shoe", ((60, 50, 56), (150, 96, 66), (178, 60, 66), (70, 84, 120))),
        wall=wall,
        floor=mix(wall, chance.pick("floor", ((255, 255, 255), (120, 92, 70))), 0.32),
    )


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return `one` with that share of `other` mixed in, 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def brightness(colour: Colour) -> float:
    """Return the perceived brightness, 0 to 255."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def distance(one: Colour, other: Colour) -> float:
    """Return how far apart two colours look, weighted towards brightness; 0 is the same."""
    spread = sum(abs(a - b) for a, b in zip(one, other, strict=True)) / 2
    return spread + 1.5 * abs(brightness(one) - brightness(other))
