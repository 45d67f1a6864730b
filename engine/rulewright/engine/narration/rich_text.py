"""Narration in parts: words, numbers, dice, and names with references to the named entries.

Text made for people is never parsed again. Code that needs the values of a sentence reads its parts, and each output
(terminal, log, book) renders the parts in its own way, last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll as dice_text

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class TextPart:
    """Literal words."""

    text: str


@dataclass(frozen=True, slots=True)
class NumberPart:
    """A whole number. `minus` is the sign of one below zero in plain text."""

    value: int
    minus: str = "-"


@dataclass(frozen=True, slots=True)
class DicePart:
    """A roll."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class Name:
    """The name of an entry with its article if it has one.

    `of` is the entry: `("objects", "bed-7")`, `("tables", "prices", "low")` for a row, `("kinds", "bed")`, `("kinds",
    "bed", "owner")` for a field, `("terms", "hat")`, `("procedures", "tend")`, `("options", "shade")`, `("options",
    "shade", "full")` for a choice.
    """

    phrase: Phrase
    of: tuple[str, ...]
    article: str = ""


Part = TextPart | NumberPart | DicePart | Name

Phrase = tuple[Part, ...]
"""Parts in order."""


@dataclass(frozen=True, slots=True)
class Account:
    """An event in parts with its sentence and the values in it.

    `who` chose, changed, entered or left. `what` is the choice, roll, draw or changed field. `before` and `after` are
    its values. The cause is the rule of the event. `sentence` is empty if there is nothing to report. `question` is the
    question, for answers such as numbers that make no sense without it. `several` is the message for several such
    events in a row, with their `count`. If it is empty, they are the sentence with the number of times.
    """

    sentence: Phrase = ()
    who: Phrase = ()
    what: Phrase = ()
    before: Phrase = ()
    after: Phrase = ()
    question: Phrase = ()
    several: str = ""

    @property
    def whole(self) -> Phrase:
        """The sentence behind the question that it answers."""
        return join_phrase(self.question, " ", self.sentence) if self.question and self.sentence else self.sentence


NOTHING = Account()
"""The account of an event without a sentence."""


def join_phrase(*pieces: str | Part | Phrase) -> Phrase:
    """Return the pieces joined to one phrase.

    A text becomes a `TextPart`, or nothing if it is empty. The parts of phrases are added one by one.
    """
    parts: list[Part] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            parts += piece
        elif isinstance(piece, str):
            parts += (TextPart(piece),) if piece else ()
        else:
            parts.append(piece)
    return tuple(parts)


def iterate_leaves(phrase: Iterable[Part]) -> Iterator[TextPart | NumberPart | DicePart]:
    """Yield the leaves of a phrase, without the boundaries of names, for rendering in sequence."""
    for part in phrase:
        if isinstance(part, Name):
            if part.article:
                yield TextPart(f"{part.article} ")
            yield from iterate_leaves(part.phrase)
        else:
            yield part


def to_text(phrase: Iterable[Part], *, symbol: bool = True) -> str:
    """Return a phrase as plain text; `symbol` sets the picture of a die before each roll."""
    return "".join([_text(part, symbol) for part in phrase])


def _text(part: Part, symbol: bool) -> str:
    """Return a part as plain text. With `symbol`, dice notation may use signs that are not ASCII."""
    match part:
        case TextPart():
            return part.text
        case Name():
            text = "".join([_text(inner, symbol) for inner in part.phrase])
            return f"{part.article} {text}" if part.article else text
        case NumberPart():
            return f"{part.minus}{-part.value}" if part.value < 0 else str(part.value)
        case DicePart():
            return dice_text(part.roll, symbol=symbol)


def capitalize(phrase: Phrase) -> Phrase:
    """Return a phrase with a capital first letter."""
    match phrase:
        case (TextPart(text=words), *rest):
            return TextPart(words[:1].upper() + words[1:]), *rest
        case (Name(phrase=inner, of=of, article=""), *rest):
            return Name(capitalize(inner), of), *rest
        case (Name(phrase=inner, of=of, article=article), *rest):
            return Name(inner, of, article[:1].upper() + article[1:]), *rest
    return phrase


def capitalize_term(phrase: Phrase) -> Phrase:
    """Return a phrase on its own, such as a title: a term at its start has a capital letter, other words stay."""
    match phrase:
        case (Name(of=("terms", _)), *_):
            return capitalize(phrase)
    return phrase


_PREPOSITIONS = ("of", "at", "in", "on", "from", "with")
"""Words that follow the noun in the label of an object."""


def is_noun(label: Phrase) -> bool:
    """Return whether the label of an object is a noun, which has an article in a sentence, and not a name.

    A noun is one or several terms in lower case, with nothing or a preposition after them: `bed of Player 1`, but not
    `bed 3`.
    """
    match label:
        case (Name(phrase=(TextPart(text=words), *_), of=("terms", _)), *_) if words[:1].islower():
            rest = (part for part in label if not (isinstance(part, Name) and part.of[0] == "terms"))
            after = next((part for part in rest if part != TextPart(" ")), None)
            return after is None or (isinstance(after, TextPart) and after.text.split()[0] in _PREPOSITIONS)
    return False


def strip_count(noun: Phrase) -> Phrase:
    """Return what a noun counts, such as `defectors` of `number of defectors`, or an empty phrase for other nouns."""
    match noun:
        case (TextPart(text=text), *rest) if text.startswith(_COUNT) and len(text) + len(rest) > len(_COUNT):
            return (TextPart(text.removeprefix(_COUNT)), *rest) if text != _COUNT else tuple(rest)
    return ()


_COUNT = "number of "
"""The beginning of the noun for a number of things."""


def strip_article(phrase: Phrase) -> Phrase:
    """Return a phrase without the article of a name that it begins with."""
    match phrase:
        case (Name(phrase=inner, of=of), *rest):
            return Name(inner, of), *rest
    return phrase


def join_list(phrases: Sequence[Phrase], conjunction: str = "and") -> Phrase:
    """Return `a`, `a and b`, `a, b and c`, or an empty phrase for an empty list."""
    parts: list[Part] = []
    for place, each in enumerate(phrases):
        if place:
            parts.append(TextPart(f" {conjunction} " if place == len(phrases) - 1 else ", "))
        parts += each
    return tuple(parts)


def is_several(phrase: Phrase) -> bool:
    """Return whether a phrase is about more than one object.

    `6 Plums`, and not `1 Plum`, nor `The 6 Plums`, which is a name.
    """
    match list(iterate_leaves(phrase)):
        case [NumberPart(value=value), TextPart(text=words), *_]:
            return value >= 0 and value != 1 and words.startswith(" ")
    return False


def ends_with(phrase: Phrase, of: tuple[str, ...]) -> bool:
    """Return whether the last name in a phrase refers to the entry `of`."""
    last = phrase[-1] if phrase else None
    return isinstance(last, Name) and (last.of == of or ends_with(last.phrase, of))
