"""English grammar helpers for text that may contain markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulewright.language.numerals import spell_number

_TAG = re.compile(r"<[^>]*>")
_OPEN = re.compile(r"\W*(?:[aeio]|un(?!i)|u[lmp])", re.IGNORECASE)
"""Pattern of nouns that take `an`: `egg` and `uncle`, but not `unit` and `use`."""
NARROW = "\N{NARROW NO-BREAK SPACE}"
"""Separator between the thousands of a large number."""

_COUNT = re.compile(r"^(?:the )?number of ")

_ARTICLE = re.compile(r"^An? ")
_PREPOSITIONS = ("at", "for", "from", "in", "of", "on", "to", "with")

_BEHIND_LIST = re.compile(r"(</ul>)[.,;:]")

_FIRST_LETTER = re.compile(r"^((?:<svg.*?</svg>|<[^>]*>|[“(])*)(\w)", re.DOTALL)


def strip_markup(text: str) -> str:
    """Return the text without its markup."""
    return _TAG.sub("", text)


def join_list(parts: Sequence[str], joint: str = "and") -> str:
    """Return the parts as `a`, `a and b` or `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def capitalize(sentence: str) -> str:
    """Return the sentence with its first letter in upper case. Leading markup is skipped."""
    return _FIRST_LETTER.sub(lambda match: match[1] + match[2].upper(), sentence, count=1)


def end_sentence(sentence: str) -> str:
    """Return the sentence with a full stop, unless it already ends with a punctuation mark."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def lower_first(sentence: str) -> str:
    """Return the sentence with its first letter in lower case, to follow a comma.

    A sentence that begins with markup keeps its capital, because its first word is a term of the game.
    """
    return sentence if sentence.startswith("<") else sentence[:1].lower() + sentence[1:]


def strip_list_marks(sentence: str) -> str:
    """Return the sentence without punctuation right after a list, because the list ends the sentence."""
    return _BEHIND_LIST.sub(r"\1", sentence)


def is_same_noun(first: str, second: str) -> bool:
    """Return whether two nouns are the same but for their markup, capitals and article."""
    return _bare(first) == _bare(second)


def begins_with_noun(words: str, noun: str) -> bool:
    """Return whether words begin with a noun, such as `player who deals`, whatever their markup and article."""
    return f"{_bare(words)} ".startswith(f"{_bare(noun)} ")


def is_long(noun: str, most: int = 2) -> bool:
    """Return whether a noun has more than `most` words without its article, so that a clause may be among them."""
    return len(_bare(noun).split()) > most


def strip_count(noun: str) -> str:
    """Return what a noun counts, such as `ayes` of `the number of ayes`, or an empty text for other nouns."""
    return "".join(_COUNT.split(noun, maxsplit=1)[1:])


def is_one_sentence(text: str, names: Iterable[str] = ()) -> bool:
    """Return whether a text consists of only one sentence. Full stops within the `names` do not end a sentence."""
    for name in names:
        text = text.replace(name, "").replace(lower_first(name), "")
    return ". " not in strip_markup(text)


def strip_subject(sentence: str, subject: str) -> str:
    """Return the sentence after its subject, or an empty string if it has another or mentions this one again."""
    rest = sentence.removeprefix(f"{subject} ")
    return "" if rest == sentence or subject in rest or not strip_markup(rest)[:1].islower() else rest


def refer_to_subject(sentence: str, subject: str, condition: str, others: Iterable[str], *, is_person: bool) -> str:
    """Return a sentence with a pronoun for its subject, which the condition before it has too, or an empty string.

    It reads `they may recruit` for a player and `its owner chooses` for a thing. The result is empty if the sentence
    has another subject or mentions this one again, if a verb that would have to agree is not its first one, and if the
    condition mentions one of `others`, which the pronoun could mean.
    """
    said = condition.removeprefix(f"{subject} ")
    if said == condition or any(each in said for each in others) or (not is_person and _IT.search(strip_markup(said))):
        return ""
    owned = sentence.removeprefix(f"{subject}’s ")
    if owned != sentence and subject not in owned:
        return f"{'their' if is_person else 'its'} {owned}"
    rest = strip_subject(sentence, subject)
    if not rest or not is_person:
        return f"it {rest}" if rest and not _IT.search(strip_markup(rest)) else ""
    found = _FIRST_VERB.match(rest)
    if found is None or _JOINED.search(strip_markup(rest)):
        return ""
    return f"they {found[1]}{_strip_third_person(found[2])}{rest[found.end() :]}"


_FIRST_VERB = re.compile(r"((?:(?:now|either|no longer|also) )?(?:<[^>]*>)*)([a-z]+)")
_JOINED = re.compile(r"\b(?:and|or|but|then|they|them)\b")
_PLURAL_VERBS = {"is": "are", "has": "have", "was": "were"}


def _strip_third_person(verb: str) -> str:
    """Return a verb that agrees with `they`."""
    if verb in _PLURAL_VERBS:
        return _PLURAL_VERBS[verb]
    if verb.endswith("ies"):
        return f"{verb.removesuffix('ies')}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")):
        return verb.removesuffix("es")
    return verb.removesuffix("s") if not verb.endswith("ss") else verb


def refer_to_object(sentence: str, noun: str, *, several: bool) -> str:
    """Return a sentence with a pronoun for a thing that the words before it introduce, or an empty string.

    The result is empty if the sentence does not mention the thing exactly once, if this mention is part of a longer
    noun, and if another pronoun of the same number is in the sentence.
    """
    plain = strip_markup(sentence)
    before, mark, after = sentence.partition(noun)
    pronouns = _THEM if several else _IT
    if not mark or noun in after or pronouns.search(plain) or not _ENDS_NOUN.match(strip_markup(after)):
        return ""
    if not before:
        return "" if several else f"it{after}"
    if not before.endswith(" ") or before.endswith((" of ", " and ", " or ")) or _CLAUSES.search(strip_markup(before)):
        return ""
    return f"{before}{'them' if several else 'it'}{after}"


def replace_noun(sentence: str, noun: str, words: str) -> str:
    """Return a sentence with other words for a noun, wherever no longer word begins with it."""
    return re.sub(rf"(?<!\w){re.escape(noun)}(?!\w)", words, sentence) if noun else sentence


def single_out(members: str, one: str, several: str) -> str:
    """Return the noun for one of a list: `player in turn order` of `the players in turn order`, or an empty string.

    It is empty for a list that has another noun, and for one with a clause, whose verb would have to agree.
    """
    rest = members.removeprefix(f"the {several} ")
    if not several or rest == members or _CLAUSE.search(strip_markup(rest)):
        return ""
    return f"{one} {rest}"


_CLAUSE = re.compile(r"\b(?:that|who|whom|whose|which|where|other than|and|or)\b|[,:;]")
_IT, _THEM = re.compile(r"\b(?:it|its|itself)\b"), re.compile(r"\b(?:them|their|they)\b")
_CLAUSES = re.compile(r"[:;.]")
_ENDS_NOUN = re.compile(r"[.,;]|$| (?:to|from|for|as|on|in|into|at|with|becomes|ends|is|has|joins|leaves)\b")
"""What may come after a noun that a pronoun replaces: a mark, a preposition or a verb, but no more of the noun."""


def strip_sort(noun: str) -> str:
    """Return what a noun is a sort of, such as `token` for `sort of token`, or an empty string for other nouns."""
    rest = _SORT_OF.sub(r"\1", noun, count=1)
    return "" if rest == noun else rest


_SORT_OF = re.compile(r"^(?:the )?((?:<[^>]*>)*)(?:sort|kind|type) of ")


def is_same_title(noun: str, title: str) -> bool:
    """Return whether a noun is the same as a title, whatever their articles, markup and capitals."""
    return _bare(noun) == _bare(_ARTICLE.sub("", strip_markup(title)))


def begins_with_noun_of(noun: str, words: str) -> bool:
    """Return whether a noun begins with a word of `words`, which may be in the plural there.

    `the bed that comes next` does for `one of the beds still to dig`. Words that end with a preposition never count.
    """
    first, *_ = _bare(noun).split() or [""]
    nouns = {first, pluralize(first), f"{first}es"} if first else set()
    tokens = strip_markup(words).casefold().split()
    return bool(nouns & set(tokens)) and tokens[-1] not in _PREPOSITIONS


def _bare(noun: str) -> str:
    return strip_markup(noun).casefold().removeprefix("the ")


def choose_article(noun: str) -> str:
    """Return the noun with `a` or `an` before it."""
    return ("an " if _OPEN.match(strip_markup(noun)) else "a ") + noun


def pluralize(noun: str) -> str:
    """Return the plural of a plain English noun."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


_MOST_IN_WORDS = 12
"""The highest number that a sentence spells out."""


def format_times(count: str) -> str:
    """Return `once`, `twice`, `three times` for small numbers, and `as many times as …` for several words.

    `count` is a number or a phrase for one. A single word is followed by `times`. Numbers above twelve stay in digits.
    """
    if count in ("1", "2"):
        return "once" if count == "1" else "twice"
    if count.isdigit() and int(count) <= _MOST_IN_WORDS:
        return f"{spell_number(int(count))} times"
    if count.isdigit():
        return f"{f'{int(count):,}'.replace(',', NARROW)} times"
    return f"as many times as {count.removeprefix('what ')}" if is_long(count, most=1) else f"{count} times"
