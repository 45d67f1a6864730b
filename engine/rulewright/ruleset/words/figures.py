"""Figures written into words, in digits or spelled: they would go on saying what a rule no longer does."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from rulewright.language.counted import NUMBER_WORD, number_of
from rulewright.ruleset import word_codes as codes
from rulewright.ruleset.words.placeholders import Literal, parts
from rulewright.ruleset.words.walk import Words
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

_LIST_NUMBER = re.compile(r"^[ \t]*\d+[.)](?=\s)", re.MULTILINE)
_ENTITY = re.compile(r"&#x?[0-9A-Fa-f]+;")
_FIGURE = re.compile(r"\d*d\d+\w*|\d+(?:[.,]\d+)*%?")
_WHOLE = re.compile(r"\d+")
_TOLD = ("title", "text")
"""The parts of an example that tell of it, and are none of its figures."""


def lint_figures(words: Words, ruleset: Ruleset, figures: dict[str, list[str]], diagnostics: Diagnostics) -> None:
    """Report every figure in the words. `figures` is what `known_figures` found.

    An example may say the figures it sets, chooses, throws or expects itself: those are tried whenever it is run.
    """
    own = _own_figures(words, ruleset) if words.path[0] == "examples" else frozenset()
    for part in literals(words.scalar):
        blank = partial(re.sub, repl=lambda found: " " * len(found[0]))
        text = blank(_ENTITY, string=blank(_LIST_NUMBER, string=part.text))
        for pattern in (_FIGURE, NUMBER_WORD):
            for found in pattern.finditer(text):
                figure = str(number_of(found[0])) if pattern is NUMBER_WORD else found[0]
                if figure not in own:
                    span = words.scalar.position(part.start + found.start(), len(found[0]))
                    message = f"`{found[0]}` is written into the text"
                    hint = _hint(found[0], figures.get(figure, []), spelled=pattern is NUMBER_WORD)
                    diagnostics.add(codes.LITERAL_FIGURE, message, span, suggestion=hint)


def _hint(written: str, known: list[str], *, spelled: bool) -> str:
    form = f":{'Words' if written[0].isupper() else 'words'}" if spelled else ""
    either = " or ".join(f"`{{{name}{form}}}`" for name in known)
    apart = f"if it is no figure of the rules, write `{{'{written}'}}`"
    if known:
        return f"if it is this figure, write {either}; {apart}"
    return apart if spelled else f"{codes.LITERAL_FIGURE.fix.removesuffix('.')}; {apart}"


def literals(scalar: Scalar) -> list[Literal]:
    """What stands in the words for itself."""
    return [part for part in parts(scalar.text) if isinstance(part, Literal)]


def known_figures(ruleset: Ruleset) -> dict[str, list[str]]:
    """The placeholders of every named figure, by how it is written out."""
    from rulewright.dice.text import text
    from rulewright.dice.tree import Roll

    found: dict[str, list[str]] = {}
    for number in ruleset.declarations.numbers.values():
        written = text(number.value) if isinstance(number.value, Roll) else str(number.value)
        found.setdefault(written, []).append(f"numbers.{number.id}")
    return found


def _own_figures(words: Words, ruleset: Ruleset) -> frozenset[str]:
    """The numbers in an example's own data, and how many of something it lists."""
    examples = ruleset.resolved.rules.get("examples")
    example = examples.get(words.path[1]) if isinstance(examples, Mapping) else None
    if not isinstance(example, Mapping):
        return frozenset()
    data = [entry.value for key, entry in example.entries.items() if key not in _TOLD]
    return frozenset(figure for node in data for figure in _figures_in(node))


def _figures_in(node: Node) -> frozenset[str]:
    match node:
        case Scalar():
            return frozenset(_WHOLE.findall(node.text))
        case Sequence():
            inner = [_figures_in(item) for item in node.items]
            return frozenset({str(len(inner))}).union(*inner)
        case Mapping():
            inner = [_figures_in(entry.value) for entry in node.entries.values()]
            names = (figure for key in node.entries for figure in _WHOLE.findall(key))
            return frozenset(names).union(*inner)
