"""Names that a program might take for something else: punctuation, markup, numbers, and words of our own sentences."""

from __future__ import annotations

NAMES = (
    "Oats, peas; beans and barley",
    "Due: west. So? Yes!",
    "\"Quoted\" and 'both', it’s",
    "`tick` ``two``",
    "<b>Bold</b> & &amp; <br>",
    "*star* _under_ **two** ~~x~~",
    "[x](y) ![z](w) [a, -1]",
    "{brace} }} {{bed}} {self}",
    "a | b \\ c / d",
    "🌱 Leaf 👩‍🌾",
    "שלום עולם",
    "العربية ١٢",
    "7 Plums",
    "-3 -4 −5",
    "1. First",
    "# Hash",
    "- Dash",
    "+ Plus",
    "Do this:",
    "Otherwise: nothing",
    "The the its own",
    "it is that are whose what",
    "goes to Rome → Paris",
    "X chooses 3",
    "🎲 2d6 comes to 5: low",
    "who is now there",
)
"""As readers see them."""


def written(name: str) -> str:
    """Return a name as a designer writes it where placeholders may stand."""
    return name.replace("{", "{{").replace("}", "}}")
