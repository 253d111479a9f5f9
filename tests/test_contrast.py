"""The palette in static/css/tokens.css is inside sRGB, readable, and distinguishable to colour-blind readers.

The figures are computed without a library: OKLCH -> sRGB, WCAG 2.x contrast, and colour-blind distance in OKLab
(Machado 2009, full severity).
"""

import math
import re
from pathlib import Path

import pytest

Colour = tuple[float, float, float]
Palette = dict[str, Colour]

TOKENS = Path(__file__).parent.parent / "static" / "css" / "tokens.css"
OKLCH = re.compile(r"--([\w-]+):\s*oklch\(([\d.]+)%\s+([\d.]+)\s+([\d.]+)\)")


def palettes() -> list[Palette]:
    """Return every block of colours in the file, in order: light, dark by the system, dark by the switch."""
    blocks = re.findall(r"\{([^{}]*--paper:[^{}]*)\}", TOKENS.read_text())
    return [
        {name: (float(light) / 100, float(chroma), float(hue)) for name, light, chroma, hue in OKLCH.findall(block)}
        for block in blocks
    ]


LIGHT, DARK, *OTHERS = palettes()
MODES = {"light": LIGHT, "dark": DARK}


def linear(colour: Colour) -> Colour:
    light, chroma, hue = colour
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


def bytes_of(colour: Colour) -> list[int]:
    clipped = [min(max(x, 0.0), 1.0) for x in linear(colour)]
    return [round(255 * (12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055)) for x in clipped]


def luminance(colour: Colour) -> float:
    weighed = zip((0.2126, 0.7152, 0.0722), bytes_of(colour), strict=True)
    return sum(k * (v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4) for k, v in weighed)


def ratio(one: Colour, other: Colour) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


EYES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def oklab(rgb: list[float]) -> Colour:
    red, green, blue = (max(x, 0.0) for x in rgb)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: Colour, other: Colour, eyes: str) -> float:
    def seen(colour: Colour) -> Colour:
        return oklab([sum(k * x for k, x in zip(row, linear(colour), strict=True)) for row in EYES[eyes]])

    return math.dist(seen(one), seen(other))


PAGE = ("paper", "sheet", "sunk", "tint")
WASHES = ("right-bg", "wrong-bg", "warn-bg")
PAIRS = [
    *[("ink", ground, 7.0) for ground in (*PAGE, *WASHES, "clue")],
    *[("ink2", ground, 4.5) for ground in (*PAGE, *WASHES)],
    *[(text, ground, 4.5) for text in ("accent", "accent2") for ground in PAGE],
    *[("on-accent", ground, 4.5) for ground in ("accent", "accent2")],
    *[(text, ground, 4.5) for text in ("right", "wrong", "warn") for ground in ("paper", "sheet", f"{text}-bg")],
    *[(line, ground, 3.0) for line in ("edge", "accent2") for ground in (*PAGE, *WASHES)],
    # The marking pen's tick and cross are drawn over the answer sheet.
    *[(sign, "tint", 3.0) for sign in ("right", "wrong")],
    # The admin's buttons: delete, close, and both on hover.
    *[("on-accent", ground, 4.5) for ground in ("wrong", "ink2", "ink")],
    ("paper", "ink", 7.0),
    ("clue", "ink", 4.5),
    *[("code", ground, 4.5) for ground in ("sunk", "sheet")],
]
# (colour, another, least distance, least for the colour-blind). Below .10, colour is never the only difference.
APART = [
    ("right", "wrong", 0.22, 0.10),
    ("ink", "right", 0.14, 0.07),
    ("ink", "wrong", 0.21, 0.16),
    ("accent", "right", 0.15, 0.05),
    ("warn", "wrong", 0.14, 0.05),
]


@pytest.mark.parametrize("mode", MODES)
def test_every_token_exists_in_every_mode(mode: str) -> None:
    names = {name for pair in PAIRS for name in pair[:2]} | {"rule"}
    assert set(MODES[mode]) == names


def test_system_dark_mode_and_chosen_dark_mode_are_the_same() -> None:
    assert OTHERS == [DARK]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", LIGHT)
def test_each_colour_is_inside_srgb(mode: str, name: str) -> None:
    assert all(-1e-4 <= x <= 1 + 1e-4 for x in linear(MODES[mode][name]))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("text", "ground", "least"), PAIRS)
def test_each_pair_of_colours_has_enough_contrast(mode: str, text: str, ground: str, least: float) -> None:
    assert ratio(MODES[mode][text], MODES[mode][ground]) >= least


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ground", PAGE)
def test_a_hairline_has_too_little_contrast_to_carry_meaning(mode: str, ground: str) -> None:
    """Hairlines stay under 3:1, so that nobody comes to rely on one."""
    assert ratio(MODES[mode]["rule"], MODES[mode][ground]) < 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("one", "other", "plain", "blind"), APART)
def test_colours_keep_their_minimum_distance_from_each_other(
    mode: str, one: str, other: str, plain: float, blind: float
) -> None:
    palette = MODES[mode]
    assert distance(palette[one], palette[other], "none") >= plain
    assert min(distance(palette[one], palette[other], eyes) for eyes in EYES) >= blind
