"""How words look: plain, or as HTML with links. Everything that comes out of a ruleset passes through a style."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rulewright.dice.ast import Constant, Roll
from rulewright.dice.bounds import compute_maximum, compute_mean, compute_minimum
from rulewright.dice.format_notation import format_roll as dice_text
from rulewright.engine.narration.rich_text import MINUS
from rulewright.ruleset.prose.book_language import ENGLISH, Language, find_language

if TYPE_CHECKING:
    from rulewright.language.declarations import Table, TableRow, Term
    from rulewright.ruleset.ruleset import Ruleset

ORIGINAL = "../"
"""The path from a book in another language to the English book."""

Link = Callable[[str], str | None]
"""Returns the address of a rule such as `tables.prices`, a page or a term, relative to the linking page."""

OddsLink = Callable[[Roll], str | None]
"""Returns the address of the odds of a roll, relative to the linking page."""


# Markdown looks for code fences (lines that begin with ``` or ~~~) before it looks for HTML.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "`": "&#96;", "~": "&#126;"})


def escape(text: str) -> str:
    """Return text as HTML that shows it as it is, between tags and in an attribute in double quotes."""
    return text.translate(_ENTITIES)


def use(name: str) -> str:
    """Return an icon from the page's sprite, hidden from screen readers because it repeats the words next to it."""
    return f'<svg class="rw-icon" aria-hidden="true"><use href="#i-{name}"/></svg>'


class Style:
    """Plain text, and the base of other styles."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.language = find_language(ruleset)

    def escape(self, text: str) -> str:
        """Return literal text."""
        return text

    def name(self, text: str) -> str:
        """Return a name given while a procedure runs, such as the result of a step."""
        return text

    def variable(self, text: str) -> str:
        """Return the rules' own words for such a name. `text` is styled already."""
        return text

    def value(self, text: str) -> str:
        """Return one of a closed set of values: a row of a table, a choice."""
        return text

    def term(self, term: Term, *, plural: bool = False, word: str = "") -> str:
        """Return a term, in the plural or in the form `word`."""
        return self.escape(word or (term.plural if plural else term.name))

    def icon(self, term: Term) -> str:
        """Return a term's picture."""
        return self.escape(term.icon or term.name)

    def row_picture(self, table: Table, row: TableRow) -> str:
        """Return the picture of a row of a table, next to its title. Empty if there is none."""
        return ""

    def unlinked(self) -> Style:
        """Return the same style without links, for the content of links."""
        return self

    def rule(self, path: str, text: str) -> str:
        """Return a mention of a rule. `text` is styled already."""
        return text

    def dice(self, roll: Roll) -> str:
        """Return a roll."""
        return self.escape(dice_text(roll))

    def special(self, label: str, text: str) -> str:
        """Return an exception of a step. `text` is rendered already."""
        return f"{label} {text}"

    def parts(self, items: Sequence[str]) -> str:
        """Return a list within a sentence. `items` are styled already. On one line, it is in square brackets."""
        return f" [{'; '.join(items)}]"

    def steps(self, items: Sequence[tuple[str, str]]) -> str:
        """Return steps in order, from their rules and texts."""
        return " " + " ".join(f"({place}) {text}" for place, (_, text) in enumerate(items, start=1))

    def only_step(self, rule: str, text: str) -> str:
        """Return a step as part of the sentence of its outer step."""
        return text


class HtmlStyle(Style):
    """HTML with links. All text of a ruleset is escaped."""

    def __init__(
        self,
        ruleset: Ruleset,
        link: Link,
        odds: OddsLink | None = None,
        numbers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(ruleset)
        self.link = link
        self.odds = odds
        self.numbers = numbers if numbers is not None else {}

    def escape(self, text: str) -> str:
        return escape(text)

    def name(self, text: str) -> str:
        return self.variable(self.escape(text))

    def variable(self, text: str) -> str:
        return f"<var>{text}</var>"

    def value(self, text: str) -> str:
        return f'<strong class="rw-value">{self.escape(text)}</strong>'

    def term(self, term: Term, *, plural: bool = False, word: str = "") -> str:
        """Return a term with its picture, as a link if it has an address."""
        text = self.escape(word or (term.plural if plural else term.name))
        picture = self.picture(term)
        href = self.link(f"terms.{term.id}")
        if href is None:
            return picture + text
        return f'<a class="rw-term" href="{escape(href)}"{self.abroad(href)}>{picture}{text}</a>'

    def icon(self, term: Term) -> str:
        return self.picture(term) or self.escape(term.name)

    def picture(self, term: Term) -> str:
        """Return the icon or emoji of a term, or an empty string.

        It is hidden from screen readers, because it repeats the word next to it.
        """
        if self._is_drawn(term.id):
            return use(term.id)
        if term.icon:
            return f'<span class="rw-emoji" aria-hidden="true">{self.escape(term.icon)}</span>'
        return ""

    def row_picture(self, table: Table, row: TableRow) -> str:
        from rulewright.ruleset.prose.row_icons import find_row_icon

        name = find_row_icon(self.ruleset, table, row, self._is_drawn)
        return use(name) if name is not None else ""

    def abroad(self, href: str) -> str:
        """Return the `hreflang` attribute of a link to the English book, or nothing for other links."""
        return f' hreflang="{ENGLISH.tag}"' if self.language is not ENGLISH and href.startswith(ORIGINAL) else ""

    def _is_drawn(self, name: str) -> bool:
        return self.link(f"icons.{name}") is not None

    def drawing(self, term: Term, x: float, y: float, size: float, look: str = "") -> str:
        """Return the drawing of a term as a part of a larger one, in the class `look`, or empty if it has none."""
        if not self._is_drawn(term.id):
            return ""
        look = f' class="{look}"' if look else ""
        return f'<use href="#i-{term.id}" x="{x:.4g}" y="{y:.4g}" width="{size:.4g}" height="{size:.4g}"{look}/>'

    def rule(self, path: str, text: str) -> str:
        href = self.link(path)
        return text if href is None else f'<a class="rw-rule" href="{escape(href)}"{self.abroad(href)}>{text}</a>'

    def dice(self, roll: Roll) -> str:
        """Return a roll, with its range and mean as the title, and as a link if the book shows its odds.

        A constant is plain text.
        """
        text = dice_text(roll).replace("*", "×").replace(" ", "\N{NO-BREAK SPACE}")
        if isinstance(roll, Constant):
            return text
        language = self.language
        average = language.translate(ON_AVERAGE, range=format_range(roll, language), mean=format_mean(roll, language))
        about = f'title="{average}"'
        href = self.odds(roll) if self.odds is not None else None
        if href is None:
            return f'<span class="rw-dice" {about}>{self.escape(text)}</span>'
        return f'<a class="rw-dice" href="{escape(href)}" {about}>{self.escape(text)}</a>'

    def unlinked(self) -> HtmlStyle:
        """Return the same style without links, for the content of links."""
        return UnlinkedStyle(self.ruleset)

    def special(self, label: str, text: str) -> str:
        return f'<div class="rw-special"><b>{label}</b> {text}</div>'

    def parts(self, items: Sequence[str]) -> str:
        return f'<ul class="rw-parts">{"".join(f"<li>{item}</li>" for item in items)}</ul>'

    def steps(self, items: Sequence[tuple[str, str]]) -> str:
        listed = "".join(f'<li id="{escape(rule)}">{self.cite(rule)}{text}</li>' for rule, text in items)
        cited = any(f"steps.{rule}" in self.numbers for rule, _ in items)
        return f'<ol class="rw-steps{" rw-steps--cited" if cited else ""}">{listed}</ol>'

    def only_step(self, rule: str, text: str) -> str:
        return f'<span class="rw-only" id="{escape(rule)}">{text}</span>'

    def cite(self, rule: str) -> str:
        """Return the number of a step, which is its permanent address, or nothing for one that has none."""
        number = self.numbers.get(f"steps.{rule}", "")
        href = escape(f"#{rule}")
        return f'<a class="rw-cite" href="{href}">{number}</a> ' if number else ""


class UndrawnStyle(HtmlStyle):
    """HTML with linked terms without icons, for steps and logs, in which terms are dense."""

    def term(self, term: Term, *, plural: bool = False, word: str = "") -> str:
        text = self.escape(word or (term.plural if plural else term.name))
        href = self.link(f"terms.{term.id}")
        return text if href is None else f'<a class="rw-term" href="{escape(href)}"{self.abroad(href)}>{text}</a>'


class UnlinkedStyle(HtmlStyle):
    """HTML without links or pictures, for narrow spaces. Dice link to their `odds` if given."""

    def __init__(self, ruleset: Ruleset, odds: OddsLink | None = None) -> None:
        super().__init__(ruleset, lambda path: None, odds)

    def term(self, term: Term, *, plural: bool = False, word: str = "") -> str:
        return self.escape(word or (term.plural if plural else term.name))


ON_AVERAGE = "%(range)s, %(mean)s on average"
"""The description of a roll with its range and its mean."""


def format_range(roll: Roll, language: Language = ENGLISH) -> str:
    """Return the least and the greatest result: `3 to 8`."""
    low, high = format_integer(compute_minimum(roll)), format_integer(compute_maximum(roll))
    return low if low == high else language.translate("%(low)s to %(high)s", low=low, high=high)


def format_mean(roll: Roll, language: Language = ENGLISH) -> str:
    """Return the mean, with one decimal if it is not an integer: `5.5`."""
    return format_decimal(compute_mean(roll), language)


def format_decimal(value: Fraction, language: Language = ENGLISH) -> str:
    """Return a fraction as a decimal, with one decimal if it is not an integer."""
    return translate_number(str(value.numerator) if value.denominator == 1 else f"{float(value):.1f}", language)


def translate_number(number: str, language: Language = ENGLISH) -> str:
    """Return a number as text for readers: with a minus sign, and with the decimal separator of a language."""
    return number.replace("-", MINUS).replace(".", language.decimal)


def format_integer(number: int) -> str:
    """Return an integer as text for readers: `−1`."""
    return translate_number(str(number))
