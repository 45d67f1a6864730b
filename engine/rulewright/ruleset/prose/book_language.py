"""The languages of the book with its own texts, number words, quotation marks, and the decimal sign.

Each language except English is a folder `<tag>` in `rulewright/book/languages/`, with these in its file `words.yaml`.
The texts are keyed by the English ones. A language that is begun may lack any of them, and even the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import compute_once, lazy_property
from rulewright.base.resources import find_languages
from rulewright.language import numerals
from rulewright.language.schema_shapes import Leaf, ListOf, MapOf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_names, read_text
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_file

WORDS = "words.yaml"
"""The file with the texts of a language."""
PLANNER = "planner.py"
"""The module that plans the sentences of a language."""

LANGUAGE = Record(
    "The book's own texts in a language.",
    members={
        "name": required(words("The name of the language in that language.")),
        "english": required(words("The English name of the language.")),
        "decimal": required(words("The decimal separator.")),
        "quotes": required(ListOf("The two outer quotation marks, then the two inner ones.", inner=words("A mark."))),
        "and": required(words("The word before the last item of a list.")),
        "articles": optional(ListOf("The articles that nouns lose in lists and counts.", inner=words("An article."))),
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

    `articles` are the definite articles that nouns of translations begin with.
    `messages` maps the book's English texts to translations, or None for English. `lacking` are the keys of its file
    that are missing. Its book is only made if it lacks nothing. Without a planner, it has no sentences for steps.
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
    lacking: tuple[str, ...] = ()
    has_planner: bool = True
    articles: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether there is a translation of every text that the book in any other language has."""
        return not self.lacking and not list_missing_messages(self)

    def translate(self, message: str, **values: object) -> str:
        """Return a text of the book in this language with `%(name)s` filled in and `%%` unescaped.

        Raises `RulewrightError` if there is no translation.
        """
        return self.find_message(message) % values

    def find_message(self, message: str) -> str:
        """Return a text of the book in this language as it is. Raises `RulewrightError` if there is no translation."""
        text = message if self.messages is None else self.messages.get(message)
        if text is None:
            raise RulewrightError(f"languages/{self.tag}/{WORDS} has no translation of {message!r}")
        return text

    def spell_number(self, number: int) -> str:
        """Return a number in words, or in digits if there are no words for it."""
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def join_list(self, items: list[str]) -> str:
        """Return words as a list in a sentence: `a, b and c`, or empty for no words."""
        return f" {self.conjunction} ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))

    @lazy_property
    def number_word(self) -> re.Pattern[str]:
        """Return a pattern for number words from two upwards, as whole words. It may match nothing."""
        if self.messages is None:
            return numerals.NUMBER_WORD
        if not self._values:
            return re.compile(r"(?!)")
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
    """Return every language of the book by tag, English first, then by folder, even those that are only begun.

    Computed once. Raises `DiagnosticError` if a file of words is not valid YAML.
    """
    folders = (path for path in sorted(find_languages().iterdir()) if path.is_dir() and not path.name.startswith("_"))
    return {ENGLISH.tag: ENGLISH} | {path.name: read_language_folder(path) for path in folders}


def read_language_folder(folder: Path) -> Language:
    """Return the language of a folder. What its file of words lacks is as in English, or named after its tag."""
    path = folder / WORDS
    node = read_file(path) if path.is_file() else None
    assert node is None or isinstance(node, MappingNode)
    node = MappingNode({}, Span(path.as_posix(), 1, 1, 1, 1)) if node is None else node
    lacking = tuple(key for key, member in LANGUAGE.members.items() if member.required and key not in node)

    def read(key: str, default: str) -> str:
        return read_text(node.get(key)) if key in node else default

    quotes = tuple(read_text(item) for item in list_items(node.get("quotes"))) if "quotes" in node else ENGLISH.quotes
    return Language(
        folder.name,
        read("name", folder.name),
        read("english", folder.name),
        read("decimal", ENGLISH.decimal),
        quotes,
        read("and", ENGLISH.conjunction),
        tuple(read_text(item) for item in list_items(node.get("numbers"))),
        {word: int(read_text(entry.value)) for word, entry in iterate_entries(node.get("figures"))},
        read_names(node.get("messages")) if "messages" in node else {},
        lacking,
        (folder / PLANNER).exists(),
        tuple(read_text(item) for item in list_items(node.get("articles"))) if "articles" in node else (),
    )


def list_missing_messages(language: Language) -> list[str]:
    """Return the texts that another language of the book translates and this one does not. English lacks none."""
    if language.messages is None:
        return []
    messages = dict.fromkeys(text for each in load_languages().values() for text in each.messages or {})
    return [text for text in messages if text not in language.messages]


def find_language(ruleset: Ruleset) -> Language:
    """Return the language of a ruleset's texts."""
    return ENGLISH if ruleset.language == ENGLISH.tag else load_languages()[ruleset.language]


def describe_players(ruleset: Ruleset) -> str:
    """Return how many can play as text: `2 to 4`, or `2` if the number is fixed."""
    fewest, most = ruleset.players
    if fewest == most:
        return str(fewest)
    return find_language(ruleset).translate("%(low)s to %(high)s", low=fewest, high=most)
