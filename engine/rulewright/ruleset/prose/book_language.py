"""What the book needs to know of a language: its own words in it, numbers in words, quotation marks, the decimal sign.

Each language but English is a file of `docs_templates/languages/`, found by being there, and called by its tag. English
is what the book is written in: its words are the keys of the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import compute_once, lazy_property
from rulewright.base.resources import find_resource
from rulewright.language import numerals
from rulewright.language.schema_shapes import Leaf, ListOf, MapOf, Record, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_names, read_text
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.yaml.yaml_reader import read_file

FOLDER = "languages"

LANGUAGE = Record(
    "The book's own words in a language.",
    members={
        "name": required(words("What the language calls itself.")),
        "english": required(words("What English calls it.")),
        "decimal": required(words("The sign between whole numbers and tenths.")),
        "quotes": required(ListOf("Outer quotation marks, then inner ones.", inner=words("A mark."))),
        "and": required(words("What stands before the last thing of a list.")),
        "numbers": required(ListOf("Whole numbers in words, from nought up.", inner=words("A number."))),
        "figures": required(MapOf("Other words that say a number, each with it.", inner=Leaf("A number."))),
        "messages": required(MapOf("What the book says, by its English.", inner=words("The same in this language."))),
    },
)
"""The shape of such a file, for whoever writes one."""


@dataclass(frozen=True, eq=False)
class Language:
    """A language. `quotes` are outer and inner marks, `numbers` the words for 0, 1, …, `figures` other such words.

    `messages` is what the book says, by its English; None in English, which says what is written.
    """

    tag: str
    name: str
    english: str
    decimal: str
    quotes: tuple[str, ...]
    conjunction: str
    numbers: tuple[str, ...]
    figures: Mapping[str, int] = field(default_factory=dict)
    messages: Mapping[str, str] | None = None

    def translate(self, message: str, **values: object) -> str:
        """Return what the book says, with `%(name)s` filled in and `%%` as one sign.

        Raises `RulewrightError` where the language has no words for it.
        """
        return self.find_message(message) % values

    def find_message(self, message: str) -> str:
        """Return the same, with nothing filled in."""
        said = message if self.messages is None else self.messages.get(message)
        if said is None:
            raise RulewrightError(f"{FOLDER}/{self.tag}.yaml does not say {message!r}")
        return said

    def spell_number(self, number: int) -> str:
        """Return a number in words, or in digits where there are none."""
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def join_list(self, things: list[str]) -> str:
        """Return things one after the other: `a, b and c`."""
        return f" {self.conjunction} ".join(filter(None, (", ".join(things[:-1]), *things[-1:])))

    @lazy_property
    def number_word(self) -> re.Pattern[str]:
        """Return a number in words, from two up, as a word of its own."""
        if self.messages is None:
            return numerals.NUMBER_WORD
        either = "|".join(sorted(map(re.escape, self._values), key=len, reverse=True))
        return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)

    def number_of(self, word: str) -> int:
        """Return the number that a match of `number_word` says."""
        return numerals.number_of(word) if self.messages is None else self._values[word.lower()]

    @lazy_property
    def _values(self) -> dict[str, int]:
        spelled = {word.lower(): number for number, word in enumerate(self.numbers) if number > 1}
        return spelled | {word.lower(): number for word, number in self.figures.items()}


ENGLISH = Language(
    "en",
    "English",
    "English",
    ".",
    ("“", "”", "‘", "’"),
    "and",
    tuple(map(numerals.spell_number, range(numerals.HIGHEST + 1))),
)


@compute_once
def load_languages() -> Mapping[str, Language]:
    """Return every language that the book speaks, by its tag; English first."""
    found = {ENGLISH.tag: ENGLISH}
    for path in sorted(find_resource("docs_templates").joinpath(FOLDER).glob("*.yaml")):
        node = read_file(path)
        assert isinstance(node, MappingNode)
        found[path.stem] = Language(
            path.stem,
            read_text(node.get("name")),
            read_text(node.get("english")),
            read_text(node.get("decimal")),
            tuple(read_text(item) for item in list_items(node.get("quotes"))),
            read_text(node.get("and")),
            tuple(read_text(item) for item in list_items(node.get("numbers"))),
            {word: int(read_text(entry.value)) for word, entry in iterate_entries(node.get("figures"))},
            read_names(node.get("messages")),
        )
    return found


def find_language(ruleset: Ruleset) -> Language:
    """Return the language that the words of a ruleset are in."""
    return ENGLISH if ruleset.language == ENGLISH.tag else load_languages()[ruleset.language]
