"""German nouns for the parts of a ruleset, from the texts of its translation alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from rulewright.book.english.grammar import strip_markup
from rulewright.book.languages.de.declension import Gender, Noun
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.languages.original_words import read_original
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Term
from rulewright.language.types import Entity, ListOf, Row, Type, present
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.translation.required_texts import is_translated, list_placeholder_texts
from rulewright.ruleset.translation.translation import Translation

_ARTICLES = {"der": Gender.MASCULINE, "die": Gender.FEMININE, "das": Gender.NEUTER}
_MARKED = re.compile(r"^(.*) \((m|f|n|pl)(?: (m|f|n))?\)$", re.DOTALL)
_MARKS = {"m": Gender.MASCULINE, "f": Gender.FEMININE, "n": Gender.NEUTER, "pl": Gender.PLURAL}
_WORD = re.compile(r"([A-ZÄÖÜ][\wÄÖÜäöüß’-]*)(.*)", re.DOTALL)
_ENDING = re.compile(r"(?<=\w)(?:en|e)$")

_COUNTS = re.compile(r"die (?:Zahl|Anzahl) der \{(\w+)\.plural\}$")
_OF_BOARDS = {"neighbours": "die Nachbarfelder (pl n)"}
"""The nouns for the columns that every board has."""

_OF_PLACEMENTS = {
    "piece": "das Teil",
    "at": "das erste Feld",
    "covers": "die Felder (pl n)",
    "turns": "die Drehungen (pl f)",
}
"""The nouns for the columns of a table of placements."""

Path = tuple[str, ...]


class Vocabulary:
    """The nouns of one translation in one style.

    A noun of the rules is written with its article, `der Besitzer`, as dictionaries have it. Methods raise
    `MissingWordsError` if the translation lacks a noun, or if its gender is not known.
    """

    def __init__(self, translation: Translation, style: Style) -> None:
        self.translation = translation
        self.style = style
        self.declared = translation.ruleset.declarations
        self._english = read_original(translation)

    def find(self, *path: str) -> str:
        """Return a text of the translation, or an empty string if it has none at this path.

        Raises `MissingWordsError` if something that a placeholder in the text needs is not translated.
        """
        text = self.translation.texts.get(path)
        if text is None:
            return ""
        words = "\n".join(line.text for line in text.lines)
        for needed in list_placeholder_texts(words, self.translation.ruleset):
            if not is_translated(self.translation, needed):
                raise MissingWordsError(needed)
        return words

    def require(self, *path: str) -> str:
        """Return a text of the translation. Raises `MissingWordsError` if it has none."""
        words = self.find(*path)
        if not words:
            raise MissingWordsError(path)
        return words

    def fill(self, words: str) -> str:
        """Return a text with its placeholders filled in."""
        return fill(words, self.style, inside=True)

    # -- terms ---------------------------------------------------------------------------------

    def term(self, term: Term, *, several: bool = False) -> Noun:
        """Return the noun of a term, or its plural for `several`. The form `article` gives its gender.

        Raises `MissingWordsError` if the translation lacks the word, or in the singular its gender.
        """
        self.require("terms", term.id, "plural" if several else "name")
        gender = Gender.PLURAL if several else _ARTICLES.get(self.find("terms", term.id, "forms", "article"))
        if gender is None:
            raise MissingWordsError(("terms", term.id, "forms", "article"))
        own = self.declared.terms[term.id]
        forms = {name: self.find("terms", term.id, "forms", name) for name in own.forms}
        return Noun(
            own.plural if several else own.name,
            gender,
            {name: word for name, word in forms.items() if word},
            mark=lambda word: self.style.term(own, word=word),
            single=_ARTICLES.get(self.find("terms", term.id, "forms", "article"), gender),
        )

    def counted(self, identity: str) -> Term | None:
        """Return the term whose objects a number with this id counts, or None."""
        return self._english.countable(identity)

    # -- nouns as the rules word them ------------------------------------------------------------

    def noun(self, path: Path, *, several: bool = False, around: Callable[[str], str] = str) -> Noun:
        """Return the noun at a path of the translation. Raises `MissingWordsError` if there is none."""
        return self.read(self.require(*path), path, several=several, around=around)

    def read(
        self,
        words: str,
        path: Path,
        *,
        several: bool = False,
        around: Callable[[str], str] = str,
        write: Callable[[str], str] | None = None,
    ) -> Noun:
        """Return a noun from its words, such as `die Zahl der {thing.plural}` or `{tile.plural}`.

        The first word with a capital, or the first placeholder of a term, is the noun. A gender that its article leaves
        open stands behind it, as in `die Hand (f)`: without one, `die` is the plural if `several`. `write` fills the
        placeholders of the words after it. Raises `MissingWordsError` if there is no noun, or if its gender stays open.
        """
        write = write or self.fill
        gender: Gender | None = None
        single: Gender | None = None
        marked = _MARKED.match(words)
        if marked:
            words, gender = marked[1], _MARKS[marked[2]]
            single = _MARKS.get(marked[3] or "")
        article, _, rest = words.partition(" ")
        if rest and article in _ARTICLES:
            words = rest
            if gender is None:
                gender = Gender.PLURAL if several and article == "die" else _ARTICLES[article]
        before: list[str] = []
        pieces = list(parse_parts(words))
        after = ""
        for place, piece in enumerate(pieces):
            tail = "".join(
                f"{{{each.body}}}" if isinstance(each, Placeholder) else each.text for each in pieces[place + 1 :]
            )
            if isinstance(piece, Placeholder):
                head, _, form = piece.body.partition(".")
                term = self.declared.terms.get(head)
                if term is None:
                    break
                plural = form.endswith("plural") or gender is Gender.PLURAL
                noun = self.term(term, several=plural)
                return self._finish(noun, before, write(tail), around)
            tokens = piece.text.split(" ")
            for at, token in enumerate(tokens):
                match = _WORD.match(token)
                if match:
                    if gender is None:
                        raise MissingWordsError(path)
                    after = match[2] + "".join(f" {each}" for each in tokens[at + 1 :])
                    noun = Noun(match[1], gender, mark=self.style.escape, single=single)
                    return self._finish(noun, before, write(after + tail), around)
                if token:
                    before.append(token)
        raise MissingWordsError(path)

    def _finish(self, noun: Noun, before: list[str], after: str, around: Callable[[str], str]) -> Noun:
        """Return a noun with the words before and after it.

        If the last word before it has the ending of an adjective, it is stored without this ending, to be inflected.
        """
        inflected = bool(before) and bool(_ENDING.search(before[-1]))
        words = [self.style.escape(each) for each in before]
        if inflected:
            words[-1] = _ENDING.sub("", words[-1])
        after = after.strip()
        return replace(noun, before=tuple(words), inflected=inflected, after=after, around=around)

    # -- kinds, fields and rows --------------------------------------------------------------------

    def kind(self, kind: str, *, several: bool = False) -> Noun:
        """Return the noun for an object of a kind, or for several.

        Raises `MissingWordsError` if the translation has none.
        """
        if self.find("kinds", kind, "wording", "one"):
            return self.noun(("kinds", kind, "wording", "several" if several else "one"), several=several)
        term = self._english.kind_term(kind)
        if term is not None and not self.declared.kinds[kind].wording:
            return self.term(term, several=several)
        if kind == PLAYER_KIND:
            return Noun("Spieler", Gender.PLURAL if several else Gender.MASCULINE, single=Gender.MASCULINE)
        raise MissingWordsError(("kinds", kind, "wording", "one"))

    def member(self, type_: Type, *, several: bool = False) -> Noun | None:
        """Return the noun for a value of a type: an object, a row that has a term, or a card. None for others.

        Raises `MissingWordsError` for a kind or term that the translation has no noun for.
        """
        match present(type_):
            case Entity(kind=kind):
                return self.kind(kind, several=several)
            case Row(table=table):
                term = self._english.countable(table)
                is_kind_noun = any(self._english.kind_term(kind) is term for kind in self.declared.kinds)
                if term is not None and not is_kind_noun:
                    return self.term(term, several=several)
                if any(deck.table == table for deck in self.declared.decks.values()):
                    return Noun("Karten" if several else "Karte", Gender.PLURAL if several else Gender.FEMININE)
        return None

    def field(self, kind: str, name: str) -> Noun:
        """Return the noun for a field or derived field, in the plural for a list.

        Without words of its own, a field that counts a term is the number of its objects, and a field with the name of
        a term is that term. Raises `MissingWordsError` if none of these has words.
        """
        part = "derived" if name in self.declared.kinds[kind].derived else "fields"
        type_ = self._english.field_type(kind, name)
        several = isinstance(type_, ListOf)
        path: Path = ("kinds", kind, part, name, "wording") if kind != GAME_KIND else ("state", name, "wording")
        words = self.find(*path)
        counts = _COUNTS.match(words)
        if counts and (term := self.declared.terms.get(counts[1])) is not None:
            return self.number_of(term)
        if words:
            return self.noun(path, several=several)
        term = self.counted(name)
        if term is not None and self._english.is_counted(kind, name) and name != term.id:
            return self.number_of(term)
        if term is not None and self._english.is_counted(kind, name) and term.plural != term.name:
            return self.number_of(term)
        term = self._english.word(name)
        if term is not None:
            return self.term(term, several=several)
        raise MissingWordsError(path)

    def is_counted(self, kind: str, name: str) -> bool:
        """Return whether a field holds the number of something, such as cards."""
        return self._english.is_counted(kind, name)

    def number_of(self, term: Term) -> Noun:
        """Return the noun for the number of a term’s objects: `die Zahl der Münzen`."""
        return Noun("Zahl", Gender.FEMININE, counted=self.term(term, several=True))

    def unit(self, kind: str, name: str, *, one: bool = False) -> Noun:
        """Return the noun for the unit of a field’s amounts.

        Raises `MissingWordsError` if the translation has none.
        """
        unit = self.find("kinds", kind, "fields", name, "unit")
        if unit:
            if one:
                unit = unit.replace(".plural}", "}")
            plain = unit if "{" in unit else f"{unit} (pl)"
            return self.read(plain, ("kinds", kind, "fields", name, "unit"), several=not one)
        term = self.counted(name)
        if term is None:
            raise MissingWordsError(("kinds", kind, "fields", name, "unit"))
        return self.term(term, several=not one)

    def predicate(self, kind: str, name: str) -> str:
        """Return the words of a boolean field, as they are before `ist`.

        Raises `MissingWordsError` if the translation has none.
        """
        part = "derived" if name in self.declared.kinds[kind].derived else "fields"
        term = self._english.word(name)
        path: Path = ("kinds", kind, part, name, "wording") if kind != GAME_KIND else ("state", name, "wording")
        if not self.find(*path) and term is not None:
            return self.fill(self.require("terms", term.id, "name")).lower()
        return self.fill(self.require(*path))

    def row(self, table: str, row: str) -> str:
        """Return the title of a row of a table as plain text."""
        self.require("tables", table, "rows", row, "title")
        return fill(self.declared.tables[table].rows[row].title, Style(self.style.ruleset))

    def title(self, section: str, identity: str) -> str:
        """Return the title of a rule in quotation marks, as a link."""
        words = self.require(section, identity, "title")
        return self.style.rule(
            f"{section}.{identity}", f"„{self.style.escape(fill(words, Style(self.style.ruleset)))}“"
        )

    def deck(self, identity: str) -> str:
        """Return a deck by its title, after an article: `Stapel „Schätze“`, but `„Stapel der Schätze“`."""
        title = self.title("decks", identity)
        return title if "stapel" in strip_markup(title).casefold() else f"Stapel {title}"

    def column(self, table: str, column: str) -> Noun:
        """Return the noun for a column of a table.

        Raises `MissingWordsError` if the translation has none.
        """
        path = ("tables", table, "names", column)
        declared = self.declared.tables[table]
        several = isinstance(declared.columns.get(column), ListOf)
        own = _OF_BOARDS if declared.placements is None else _OF_PLACEMENTS
        if column in own and not self.find(*path):
            return self.read(own[column], path, several=several)
        if self.find(*path):
            return self.noun(path, several=several)
        term = self._english.word(column)
        if term is None:
            raise MissingWordsError(path)
        return self.term(term)

    def names(self, *rule: str) -> Mapping[str, str]:
        """Return the nouns for the names of a procedure, formula or column, as the translation has them."""
        start = (*rule, "names")
        size = len(start)
        there = [path for path in self.translation.texts if path[:size] == start]
        return {path[size]: self.find(*path) for path in there if path[size + 1 :] in ((), ("noun",))}
