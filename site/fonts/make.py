r"""How the fonts in `site/assets/fonts` were made, for whoever wants other signs or other fonts in them.

Pictures are drawn with two of them, each of one weight and beside this file, for what draws them reads no others.

    npm install --ignore-scripts source-sans@3.52.0 @fontsource-variable/alegreya@5.3.0 \
        @fontsource/noto-sans-math @fontsource/noto-sans-symbols
    python -m pip install 'fonttools[woff]'
    python site/fonts/make.py node_modules site/assets/fonts

Text is set in Source Sans 3, headings in Alegreya; dice, swords and the like come from Noto. A part of a font is a
changed font, and the licence of Source Sans keeps the name `Source` to the whole, so what is shipped has other names.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x180), 0x218, 0x219, 0x21A, 0x21B, *range(0x2010, 0x2028)}
SIGNS = {
    *range(0x2030, 0x203B),  # per mille, primes, single quotes
    *(0x202F, 0x2044, 0x20AC, 0x2113, 0x2116, 0x2122),
    *(0x2070, *range(0x2074, 0x207A), *range(0x2080, 0x2085)),  # raised and lowered figures
    *range(0x2150, 0x215F),  # fractions
    *range(0x2190, 0x219A),  # arrows
    *(0x2212, 0x2215, 0x2219, 0x221A, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265),  # mathematics
    *(0x25A0, 0x25A1, 0x25B2, 0x25B6, 0x25BC, 0x25C6, 0x25CB, 0x25CF, 0x2713, 0x2714),
}
MATH = {0x21C4, 0x21D2, 0x2300, 0x27E8, 0x27E9, 0x2605, 0x2606, 0x2660, 0x2663, 0x2665, 0x2666, 0x2B1C}
DICE = set(range(0x2680, 0x2686))
SWORDS_AND_FLAGS = {0x2694, 0x2690, 0x2691}
FEATURES = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum", "frac", "sups", "case", "calt"]

FONTS = {
    "sans.woff2": ("source-sans/VF/SourceSans3VF-Upright.ttf", (400, 700), LATIN | SIGNS, "Rulewright Sans"),
    "sans-italic.woff2": ("source-sans/VF/SourceSans3VF-Italic.ttf", (400, 600), LATIN | SIGNS, "Rulewright Sans"),
    "serif.woff2": (
        "@fontsource-variable/alegreya/files/alegreya-latin-wght-normal.woff2",
        (500, 800),
        LATIN | SIGNS,
        "Rulewright Serif",
    ),
    "signs.woff2": (
        "@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2",
        None,
        MATH | DICE,
        "Rulewright Signs",
    ),
    "swords.woff2": (
        "@fontsource/noto-sans-symbols/files/noto-sans-symbols-symbols-400-normal.woff2",
        None,
        SWORDS_AND_FLAGS,
        "Rulewright Signs",
    ),
}
"""Each file: what it is made from, the weights it keeps, its characters, and its name."""

DRAWN = {"card-serif.ttf": ("serif.woff2", 700), "card-sans.ttf": ("sans.woff2", 400)}
"""Each file for pictures: which of those it is made from, and its weight."""


def make(source: Path, weights: tuple[int, int] | None, characters: set[int], name: str, target: Path) -> None:
    """Write the part of a font that a site needs."""
    font = TTFont(source)
    if weights is not None:
        data = BytesIO()
        font = instantiateVariableFont(font, {"wght": weights})
        font.flavor = None
        font.save(data)
        data.seek(0)
        font = TTFont(data)
    options = Options()
    options.layout_features = FEATURES if weights is not None else []
    options.hinting = False
    options.name_IDs = ["*"]
    options.drop_tables += ["MATH"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16, 25):
            record.string = name if record.nameID in (1, 4, 16) else name.replace(" ", "")
    font["head"].modified = font["head"].created  # the same bytes every time
    font.flavor = "woff2"
    font.save(target)


def make_drawn(source: Path, weight: int, target: Path) -> None:
    """Write the part of a font that pictures need."""
    font = instantiateVariableFont(TTFont(source), {"wght": weight})
    options = Options()
    options.layout_features = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum"]
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LATIN)
    subsetter.subset(font)
    font["head"].modified = font["head"].created
    font.flavor = None
    font.save(target)


if __name__ == "__main__":
    modules, folder = map(Path, sys.argv[1:])
    for file, (path, weights, characters, name) in FONTS.items():
        make(modules / path, weights, characters, name, folder / file)
        print(file, (folder / file).stat().st_size)
    for file, (made, weight) in DRAWN.items():
        make_drawn(folder / made, weight, Path(__file__).with_name(file))
        print(file, Path(__file__).with_name(file).stat().st_size)
