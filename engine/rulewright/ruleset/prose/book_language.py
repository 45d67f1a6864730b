"""The languages of the book with its own texts, number words, quotation marks, and the decimal sign.

Each language except English is a file `<tag>.yaml` in `docs_templates/languages/`. The texts are keyed by the English
ones.
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
    "The book's own texts in a language.",
    members={
        "name": required(words("The name of the language in that language.")),
        "english": required(words("The English name of the language.")),
        "decimal": required(words("The decimal separator.")),
        "quotes": required(ListOf("The two outer quotation marks, then the two inner ones.", inner=words("A mark."))),
        "and": required(words("The word before the last item of a list.")),
        "numbers": required(ListOf("Whole numbers in words, starting with zero.", inner=words("A number."))),
        "figures": required(MapOf("Other words that mean a number, each with that number.", inner=Leaf("A number."))),
        "messages": required(
            MapOf("The translations of the book's texts, by English text.", inner=words("The translation."))
        ),
    },
)
"""The schema of a language file."""


@dataclass(frozen=True, eq=False)
class Language:
    """A language. `quotes` are outer and inner marks, `numbers` the words for 0, 1, …, `figures` other number words.

    `messages` maps the book's English texts to translations, or None for English.
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
        """Return a text of the book in this language with `%(name)s` filled in and `%%` unescaped.

        Raises `RulewrightError` if there is no translation.
        """
        return self.find_message(message) % values

    def find_message(self, message: str) -> str:
        """Return a text of the book in this language as it is. Raises `RulewrightError` if there is no translation."""
        text = message if self.messages is None else self.messages.get(message)
        if text is None:
            raise RulewrightError(f"{FOLDER}/{self.tag}.yaml has no translation of {message!r}")
        return text

    def spell_number(self, number: int) -> str:
        """Return a number in words, or in digits if there are no words for it."""
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def join_list(self, things: list[str]) -> str:
        """Return words as a list in a sentence: `a, b and c`, or empty for no words."""
        return f" {self.conjunction} ".join(filter(None, (", ".join(things[:-1]), *things[-1:])))

    @lazy_property
    def number_word(self) -> re.Pattern[str]:
        """Return a pattern for number words from two upwards, as whole words."""
        if self.messages is None:
            return numerals.NUMBER_WORD
        either = "|".join(sorted(map(re.escape, self._values), key=len, reverse=True))
        return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)

    def number_of(self, word: str) -> int:
        """Return the number of a word that `number_word` matches."""
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
    """Return every language of the book by tag, English first, then by file name. Computed once.

    Raises `DiagnosticError` if a language file is not valid YAML.
    """
    languages = {ENGLISH.tag: ENGLISH}
    for path in sorted(find_resource("docs_templates").joinpath(FOLDER).glob("*.yaml")):
        node = read_file(path)
        assert isinstance(node, MappingNode)
        languages[path.stem] = Language(
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
    return languages


def find_language(ruleset: Ruleset) -> Language:
    """Return the language of a ruleset's texts."""
    return ENGLISH if ruleset.language == ENGLISH.tag else load_languages()[ruleset.language]


def describe_players(ruleset: Ruleset) -> str:
    """Return how many can play as text: `2 to 4`, or `2` if the number is fixed."""
    fewest, most = ruleset.players
    if fewest == most:
        return str(fewest)
    return find_language(ruleset).translate("%(low)s to %(high)s", low=fewest, high=most)
