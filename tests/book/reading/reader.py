"""A reader of generated sentences: every way in which their words can be understood, by the rules of plain English.

It shares nothing with what writes them. A sentence is read from left to right, and where two readings are possible,
both are returned: the test then wants them to mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Meaning = tuple[Any, ...]
"""What was understood: a tree whose first word says what to do (see `meaning`)."""
Found = tuple[str, Meaning, int]
"""A type, what was understood, and where the next word is."""
Context = tuple[str, tuple[tuple[str, str], ...]]
"""What `it` is just now, and what the members X, Y and Z are."""

NOWHERE: Context = ("", ())

_TOKEN = re.compile(r"\*[^*]+\*|‹[^›]+›|“[^”]+”|−?\d+|’s\b|’|[A-Za-z]+|[;,:.()\[\]]")

FIELDS: dict[str, dict[str, tuple[str, str]]] = {
    "tree": {
        "owner": ("owner", "player"),
        "gardener": ("gardener", "player"),
        "size": ("size", "size"),
        "fruit": ("fruit", "int"),
        "worth": ("worth", "int"),
    },
    "player": {
        "number of Coins": ("coin", "int"),
        "Coins": ("coin", "int"),
        "Water": ("water", "int"),
        "friend": ("friend", "player"),
        "crops": ("crops", "map"),
        "Trees": ("trees", "list tree"),
        "wood": ("wood", "list tree"),
        "*budget*": ("budget", "int"),
        "*pledges*": ("pledges", "int"),
    },
    "bird": {"owner": ("owner", "player"), "Tree": ("tree", "tree"), "age": ("age", "int")},
    "bid": {"*bidder*": ("bidder", "player"), "*amount*": ("amount", "int"), "*lot*": ("lot", "size")},
    "size": {"price": ("price", "int"), "shade": ("shade", "int")},
}
HEAPS = ("wood",)
"""Lists that go by a noun in the singular: they have a size, and something is in them."""
FLAGS = {"tree": {"*ripe*": "ripe", "*old*": "old"}}
SEVERAL = {"Trees": "tree", "Birds": "bird", "players": "player"}
ALL = {kind: words for words, kind in SEVERAL.items()}
ONE = {"Tree": "tree", "Bird": "bird", "player": "player"}
NAMES = {
    "*n*": "int",
    "*m*": "int",
    "*season*": "int",
    "*frost*": "map",
    "*girth*": "size",
    "*rival*": "player",
    "*oak*": "tree",
    "*guest*": "player",
    "*grove*": "list tree",
    "*tender*": "bid",
}
ROWS = {"‹Small›": "small", "‹Middling›": "middling", "‹Large›": "large"}
NUMBERS = {
    "is": "==",
    "is not": "!=",
    "equals": "==",
    "does not equal": "!=",
    "is less than": "<",
    "is at most": "<=",
    "is more than": ">",
    "is at least": ">=",
}
PLACES = {"is": "==", "is not": "!=", "is lower than": "<", "is no higher than": "<=", "is higher than": ">"} | {
    "is no lower than": ">="
}
COUNTS = {
    "has exactly": "==",
    "does not have exactly": "!=",
    "has fewer than": "<",
    "has less than": "<",
    "has at most": "<=",
    "has more than": ">",
    "has at least": ">=",
}


def is_heap(meaning: Meaning) -> bool:
    """Return whether a list goes by a noun in the singular."""
    return meaning[0] == "field" and meaning[2] in HEAPS


class Segment:
    """A stretch of words that is understood as a whole: a sentence, an item of a list, what a letter stands for."""

    def __init__(self, tokens: list[str], letters: dict[str, Segment] | None = None) -> None:
        self.letters = dict(letters or {})
        head, rest = _where(tokens)
        self.tokens = head
        self.memo: dict[tuple[Any, ...], list[Any]] = {}
        for letter, meaning in rest:
            self.letters[letter] = Segment(meaning, self.letters)

    @classmethod
    def of(cls, sentence: str) -> Segment:
        """Return the words of a sentence."""
        return cls(_TOKEN.findall(sentence))

    # -- all of it ---------------------------------------------------------------------------

    def values(self, context: Context = NOWHERE) -> list[tuple[str, Meaning]]:
        """Return everything that all of its words can mean as a value."""
        return [(kind, meaning) for kind, meaning, end in self.value(0, context) if end == len(self.tokens)]

    def clauses(self, context: Context = NOWHERE) -> list[Meaning]:
        """Return everything that all of its words can mean as a statement."""
        return [meaning for _, meaning, end in self.clause(0, context) if end == len(self.tokens)]

    # -- words -------------------------------------------------------------------------------

    def at(self, place: int, words: str) -> int:
        """Return where the next word is if `words` stand at `place`; -1 if they do not."""
        expected = _TOKEN.findall(words)
        return place + len(expected) if self.tokens[place : place + len(expected)] == expected else -1

    def remembered(self, what: str, place: int, context: Context, read: Callable[[], Iterator[Any]]) -> list[Any]:
        """Return readings are worked out once for each place."""
        key = (what, place, context)
        if key not in self.memo:
            self.memo[key] = []
            self.memo[key] = list(dict.fromkeys(read()))
        return self.memo[key]

    def items(self, place: int) -> tuple[list[Segment], int] | None:
        """Return the list that begins at `place`, and where the next word is behind it."""
        if place < 0 or place >= len(self.tokens) or self.tokens[place] != "[":
            return None
        depth, begin, segments = 0, place + 1, []
        for here in range(place, len(self.tokens)):
            token = self.tokens[here]
            depth += (token == "[") - (token == "]")
            if depth == 0 or (depth == 1 and token == ";"):
                segments.append(Segment(self.tokens[begin:here], self.letters))
                begin = here + 1
            if depth == 0:
                return segments, here + 1
        return None

    # -- values ------------------------------------------------------------------------------

    def noun(self, place: int, context: Context) -> list[Found]:
        """Return nouns, with what belongs to them."""
        return self.remembered("noun", place, context, lambda: self._all_nouns(place, context))

    def _all_nouns(self, place: int, context: Context) -> Iterator[Found]:
        yield from self._owned(self._nouns(place, context), context)
        if (end := self.at(place, "the next player")) >= 0:
            yield "player", ("next", ("name", "player"), ("all", "player")), end
        # What is owned belongs to the noun right before it, and not to the player after that.
        if (end := self.at(place, "the player after")) >= 0:
            for kind, who, close in self.noun(end, context):
                if kind == "player":
                    yield kind, ("next", who, ("all", "player")), close

    def _owned(self, nouns: Iterator[Found], context: Context) -> Iterator[Found]:
        for kind, meaning, end in nouns:
            yield kind, meaning, end
            if kind == "map" and (key := self.at(end, "for")) >= 0:
                for of, row, close in self.noun(key, context):
                    if of == "size":
                        yield "int", ("entry", meaning, row), close
            for mark in ("’s", "’"):
                behind = self.at(end, mark)
                if behind >= 0:
                    yield from self._owned(self.field(behind, kind, meaning), context)

    def field(self, place: int, kind: str, owner: Meaning) -> Iterator[Found]:
        """Yield a field of something, by its words."""
        for words, (name, type_) in FIELDS.get(kind, {}).items():
            end = self.at(place, words)
            if end >= 0:
                yield type_, ("field", owner, name), end
        if kind == "size" and owner[0] == "member" and (end := self.at(place, "*frost*")) >= 0:
            yield "int", ("entry", ("name", "frost"), owner), end

    def _nouns(self, place: int, context: Context) -> Iterator[Found]:
        if place >= len(self.tokens):
            return
        token = self.tokens[place]
        it, members = context
        if token.lstrip("−").isdigit():
            yield "int", ("number", int(token.replace("−", "-"))), place + 1
        if token in ROWS:
            yield "size", ("row", ROWS[token]), place + 1
        if token in self.letters or token.strip("*") in dict(members):
            letter = token.strip("*")
            if letter in dict(members):
                yield dict(members)[letter], ("member", letter), place + 1
            else:
                for kind, meaning in self.letters[token].values(context):
                    yield kind, meaning, place + 1
        if token == "it" and it:
            yield it, ("member", "it"), place + 1
        if token == "its":
            yield from self.field(place + 1, it, ("member", "it"))
            if it == "size" and (end := self.at(place, "its place in Sizes")) >= 0:
                yield "int", ("place", ("member", "it")), end
        begin = place + 1 if token == "the" else place
        if begin < len(self.tokens) and self.tokens[begin] in NAMES:
            kind = NAMES[self.tokens[begin]]
            if (token == "the") == (kind != "int"):
                yield kind, ("name", self.tokens[begin].strip("*")), begin + 1
        if (end := self.at(place, "the number of cards left in the Basket")) >= 0:
            yield "int", ("basket",), end
        yield from self._bid(place, context)
        for words, kind in SEVERAL.items():
            if (end := self.at(place, f"all {words}")) >= 0:
                yield f"list {kind}", ("all", kind), end
        for words, kind in ONE.items():
            # What something happens to is called by its kind: there is only one of it.
            if (end := self.at(place, f"the {words}")) >= 0:
                yield kind, ("name", kind), end
        for words, name in (("the amount", "amount"), ("the value before", "before"), ("the value after", "after")):
            if (end := self.at(place, words)) >= 0:
                yield "int", ("name", name), end
        if (end := self.at(place, "an empty list")) >= 0:
            yield "list tree", ("list",), end
        yield from self._in_reach(place, context, "the Trees in reach of")
        if (end := self.at(place, "that player")) >= 0 and it == "player":
            yield "player", ("member", "it"), end
        if token == "the":
            yield from self._of(place + 1, context)
        if (end := self.at(place, "what the Feed table shows for")) >= 0:
            for kind, row, after in self.noun(end, context):
                if kind == "size":
                    yield "int", ("grains", row), after
        if (end := self.at(place, "what comes after")) >= 0:
            for kind, row, after in self.noun(end, context):
                if kind == "size" and (close := self.at(after, "in Sizes")) >= 0:
                    yield "size", ("following", row), close
        if (end := self.at(place, "what")) >= 0:
            yield from self.yielded(end, context)

    def yielded(self, place: int, context: Context) -> Iterator[Found]:
        """Yield a formula with two arguments, in the words that the rules have for it, but for the first."""
        for kind, tree, after in self.noun(place, context):
            to = self.at(after, "yields to")
            if kind == "tree" and to >= 0:
                for second, hands, close in self.noun(to, context):
                    if second == "int" and (last := self.at(close, "hands")) >= 0:
                        yield "int", ("harvest", tree, hands), last

    def _bid(self, place: int, context: Context) -> Iterator[Found]:
        """Yield a record, part by part: in brackets, `a bid (bidder the rival, amount 3, lot Small)`."""
        if (begin := self.at(place, "a *bid* (")) < 0:
            return
        readings: list[tuple[tuple[Meaning, ...], int]] = [((), begin)]
        for part, (_, type_) in FIELDS["bid"].items():
            readings = [
                ((*parts, meaning), close)
                for parts, at in readings
                if (here := self.at(at, f"{', ' if parts else ''}{part}")) >= 0
                for kind, meaning, close in self.noun(here, context)
                if kind == type_
            ]
        for parts, at in readings:
            if (end := self.at(at, ")")) >= 0:
                yield "bid", ("bid", *parts), end

    def _bid_below(self, place: int, context: Context) -> Iterator[Found]:
        """Yield a record whose parts are listed below it."""
        if (item_list := self.items(self.at(place, "a *bid* with these:"))) is None:
            return
        segments, close = item_list
        readings: list[tuple[Meaning, ...]] = [()]
        for segment, (part, (_, type_)) in zip(segments, FIELDS["bid"].items(), strict=True):
            begin = segment.at(0, f"{part}:")
            here = [
                meaning
                for kind, meaning, end in (segment.value(begin, context) if begin >= 0 else ())
                if kind == type_ and end == len(segment.tokens)
            ]
            readings = [(*before, meaning) for before in readings for meaning in here]
        for reading in readings:
            yield "bid", ("bid", *reading), close

    def _in_reach(self, place: int, context: Context, words: str) -> Iterator[Found]:
        """Yield a formula that gives a list, in the words that the rules have for it."""
        if (end := self.at(place, words)) >= 0:
            for kind, who, close in self.noun(end, context):
                if kind == "player":
                    yield "list tree", ("reach", who), close

    def _of(self, place: int, context: Context) -> Iterator[Found]:
        """Yield what begins with `the` and goes on with `of`."""
        for kind, fields in FIELDS.items():
            for words, (name, type_) in fields.items():
                if (end := self.at(place, f"{words} of")) >= 0:
                    for owner, meaning, close in self.noun(end, context):
                        if owner == kind:
                            yield type_, ("field", meaning, name), close
                    yield from self._ends(end, kind, type_, name, context)
                if (end := self.at(place, f"{words} that the Sizes table gives for")) >= 0 and kind == "size":
                    for row, meaning, close in self.noun(end, context):
                        if row == "size":
                            yield type_, ("field", meaning, name), close
                for word, function in (("total", "sum"), ("highest", "max"), ("lowest", "min")):
                    if (end := self.at(place, f"{word} {words} of")) >= 0:
                        for of, meaning, close in self.members(end, context):
                            if of == f"list {kind}":
                                yield type_, (function, meaning, "it", ("field", ("member", "it"), name)), close
                    counted = f"{words} size" if name in HEAPS else f"number of {words}"
                    if type_.startswith("list ") and (end := self.at(place, f"{word} {counted} of")) >= 0:
                        for of, meaning, close in self.members(end, context):
                            if of == f"list {kind}":
                                own = ("count", ("field", ("member", "it"), name))
                                yield "int", (function, meaning, "it", own), close
        if (end := self.at(place, "size of")) >= 0:
            for kind, meaning, close in self.noun(end, context):
                if kind == "list tree" and is_heap(meaning):
                    yield "int", ("count", meaning), close
        if (end := self.at(place, "number of")) >= 0:
            for _, meaning, close in self.members(end, context, bare=True):
                yield "int", ("count", meaning), close
            for letter in "XYZ":
                if (after := self.at(end, f"*{letter}* among")) >= 0:
                    for _, meaning, close in self.lettered(after, letter, context):
                        yield "int", ("count", meaning), close
        for end_word in ("first", "last"):
            if (end := self.at(place, f"{end_word} of")) >= 0:
                for of, meaning, close in self.members(end, context):
                    yield of.removeprefix("list "), (end_word, meaning), close
            if (end := self.at(place, end_word)) >= 0:
                for of, meaning, close in self.each(end, context):
                    yield of.removeprefix("list "), (end_word, meaning), close
        for word, function in (("highest", "max"), ("lowest", "min")):
            if (end := self.at(place, f"{word} of")) >= 0:
                for of, meaning, close in self.members(end, context):
                    if of == "list int":
                        yield "int", (function, meaning, "it", ("member", "it")), close
        if (end := self.at(place, "place of")) >= 0:
            for kind, row, after in self.noun(end, context):
                if kind == "size" and (close := self.at(after, "in Sizes")) >= 0:
                    yield "int", ("place", row), close
        for word, function in (
            ("larger", "larger"),
            ("largest", "larger"),
            ("smaller", "smaller"),
            ("smallest", "smaller"),
            ("higher", "larger"),
            ("lower", "smaller"),
        ):
            if (end := self.at(place, f"{word} of")) >= 0:
                for kinds, parts, close in self.several(end, context, "and"):
                    if len(parts) > 1 and len(set(kinds)) == 1:
                        yield kinds[0], (function, *parts), close
            for kinds, parts, close in self.listed(place, f"{word} of these:", context):
                yield kinds[0], (function, *parts), close
        for kinds, parts, close in self.listed(place, "sum of these:", context, less=True):
            if set(kinds) <= {"int"}:
                yield "int", ("sum of", *parts), close

    def _ends(self, place: int, kind: str, type_: str, name: str, context: Context) -> Iterator[Found]:
        """Yield `the price of the first of …`, `the owner of each Tree`."""
        for word, several in (("each of", False), ("each", True)):
            if (end := self.at(place, word)) < 0:
                continue
            for of, meaning, close in self.members(end, context) if not several else self.each(end, context):
                if of == f"list {kind}":
                    yield f"list {type_}", ("map", meaning, "it", ("field", ("member", "it"), name)), close

    def each(self, place: int, context: Context) -> Iterator[Found]:
        """Yield a kind of which each is meant, with a clause about it."""
        for word, kind in ONE.items():
            if (end := self.at(place, word)) >= 0:
                yield f"list {kind}", ("all", kind), end
                yield from self.such(end, f"list {kind}", ("all", kind), context)
            if (begin := self.at(place, f"{word} in")) >= 0:
                for of, meaning, close in self.noun(begin, context):
                    if of == f"list {kind}" and is_heap(meaning):
                        yield of, meaning, close

    def members(self, place: int, context: Context, *, bare: bool = False) -> list[Found]:
        """Return members of a list, with a clause about them."""
        key = f"members {bare}"
        return self.remembered(key, place, context, lambda: self._members(place, context, bare))

    def _members(self, place: int, context: Context, bare: bool) -> Iterator[Found]:
        for words, kind in SEVERAL.items():
            if (end := self.at(place, words if bare else f"the {words}")) >= 0:
                if bare:
                    yield f"list {kind}", ("all", kind), end
                yield from self.such(end, f"list {kind}", ("all", kind), context)
        if (begin := self.at(place, "Trees in" if bare else "the Trees in")) >= 0:
            for kind, meaning, end in self.noun(begin, context):
                if kind == "list tree" and is_heap(meaning):
                    yield from self.such(end, kind, meaning, context)
        if bare:
            for kind, meaning, end in self._in_reach(place, context, "Trees in reach of"):
                yield kind, meaning, end
                yield from self.such(end, kind, meaning, context)
        for kind, meaning, end in self.noun(place, context):
            if kind.startswith("list "):
                yield kind, meaning, end
                yield from self.such(end, kind, meaning, context)

    def such(self, place: int, kind: str, source: Meaning, context: Context) -> Iterator[Found]:
        """Yield a clause about the members of a list, behind it."""
        inner: Context = (kind.removeprefix("list "), context[1])
        if (end := self.at(place, "other than")) >= 0:
            for of, other, close in self.noun(end, context):
                if of == inner[0]:
                    alike = ("place", "==") if of == "size" else ("same",)
                    yield kind, ("such", source, "it", ("not", (*alike, ("member", "it"), other))), close
        for joint, meanings, end in self.joined(place, inner, self.relative):
            condition = meanings[0] if len(meanings) == 1 else (joint, *meanings)
            yield kind, ("such", source, "it", condition), end
        if (end := self.at(place, "for whom" if kind == "list player" else "for which")) >= 0:
            for _, meaning, close in self.clause(end, inner):
                yield kind, ("such", source, "it", meaning), close

    def relative(self, place: int, context: Context) -> list[Found]:
        """Return `that are ripe`, `whose owner is …`, about `it`."""
        return self.remembered("relative", place, context, lambda: self._relative(place, context))

    def _relative(self, place: int, context: Context) -> Iterator[Found]:
        it = context[0]
        if (end := self.at(place, "who" if it == "player" else "that")) >= 0:
            yield from self.predicate(end, it, ("member", "it"), context)
        if (end := self.at(place, "whose")) >= 0:
            for kind, meaning, close in self._owned(self.field(end, it, ("member", "it")), context):
                yield from self.predicate(close, kind, meaning, context)

    def lettered(self, place: int, letter: str, context: Context) -> Iterator[Found]:
        """Yield members that go by a letter, and what holds for them."""
        if place < len(self.tokens) and self.tokens[place] in self.letters:
            meant_by = self.letters[self.tokens[place]]
            for kind, meaning, end in meant_by.lettered(0, letter, context):
                if end == len(meant_by.tokens):
                    yield kind, meaning, place + 1
        for kind, meaning, end in self.noun(place, context):
            if not kind.startswith("list "):
                continue
            yield kind, meaning, end
            inner: Context = ("", (*context[1], (letter, kind.removeprefix("list "))))
            if (after := self.at(end, "for which")) >= 0:
                for _, condition, close in self.clause(after, inner):
                    yield kind, ("such", meaning, letter, condition), close
        for kind, meaning, end in self.members(place, context):
            yield kind, meaning, end

    def value(self, place: int, context: Context) -> list[Found]:
        """Return values, those that end their sentence among them."""
        return self.remembered("value", place, context, lambda: self._all_values(place, context))

    def _all_values(self, place: int, context: Context) -> Iterator[Found]:
        for kind, meaning, end in self._values(place, context):
            yield kind, meaning, end
            if kind == "int":
                yield from self._bounded(meaning, end)

    def _bounded(self, meaning: Meaning, place: int) -> Iterator[Found]:
        """Yield `4 minus 2, but at most 3`, which is no bound of a condition or a total before it."""
        computed = meaning[0] in ("plus", "less", "times", "divided")
        for words, tag, close in (
            (", but at least", "larger", ""),
            (", but at most", "smaller", ""),
            ("(minimum", "larger", ")"),
            ("(maximum", "smaller", ")"),
        ):
            end = self.at(place, words)
            if end < 0 or computed is bool(close) or not self.tokens[end].lstrip("−").isdigit():
                continue
            number: Meaning = ("number", int(self.tokens[end].replace("−", "-")))
            if (last := self.at(end + 1, close)) >= 0:
                yield "int", (tag, meaning, number), last

    def _values(self, place: int, context: Context) -> Iterator[Found]:
        for kind, meaning, end in self.members(place, context):
            yield kind, meaning, end
            yield from self._in_order(kind, meaning, end, context)
            yield from self._provided(kind, meaning, end, context)
        for kind, meaning, end in self.noun(place, context):
            yield kind, meaning, end
            yield from self._provided(kind, meaning, end, context)
            for of, whole, close in self._goes_on(kind, meaning, end, context):
                yield of, whole, close
                if of == "int" and whole[0] != "else":
                    yield from self._if(of, whole, close, context)
                    yield from self._parts_of_sum(whole, close, context)
        if (end := self.at(place, "minus")) >= 0:
            for kind, meaning, close in self.noun(end, context):
                if kind == "int":
                    yield "int", ("minus", meaning), close
        if (end := self.at(place, "twice")) >= 0:
            for kind, meaning, close in self.noun(end, context):
                if kind == "int":
                    yield "int", ("times", ("number", 2), meaning), close
                    yield from self._parts_of_sum(("times", ("number", 2), meaning), close, context)
        for words, number in (("half of", 2), ("a third of", 3), ("a quarter of", 4), ("a fifth of", 5)):
            if (end := self.at(place, words)) >= 0:
                for kind, meaning, after in self.noun(end, context):
                    for rounding in (", dropping any fraction", ", rounded down"):
                        if kind == "int" and (close := self.at(after, rounding)) >= 0:
                            yield "int", ("divided", meaning, ("number", number)), close
        if (end := self.at(place, "what is left over when")) >= 0:
            for kind, meaning, after in self.noun(end, context):
                by = self.at(after, "is divided by")
                if kind == "int" and by >= 0:
                    for _, second, close in self.noun(by, context):
                        yield "int", ("remainder", meaning, second), close
        if (end := self.at(place, "the next of")) >= 0:
            for around, among, behind in self.noun(end, context):
                after = self.at(behind, "after")
                for kind, meaning, close in self.noun(after, context) if after >= 0 else ():
                    if around == f"list {kind}" and (last := self.at(close, ", going round")) >= 0:
                        yield kind, ("next", meaning, among), last
        for kinds, parts, close in self.listed(place, "the first of these that is there:", context):
            yield kinds[0], ("else", *parts), close
        yield from self._bid_below(place, context)
        yield from self._cases(place, context)
        yield from self._walks(place, context)
        yield from self._over(place, context)
        yield from self._picked(place, context)
        for words in ("these:", "all of these together:"):
            for kinds, parts, close in self.listed(place, words, context):
                tag = "list" if words == "these:" else "together"
                yield (f"list {kinds[0]}" if tag == "list" else kinds[0]), (tag, *parts), close
        for kinds, parts, close in self.several(place, context, "and"):
            if len(parts) > 1 and len(set(kinds)) == 1 and kinds[0] in ("tree", "player"):
                yield f"list {kinds[0]}", ("list", *parts), close
        if (end := self.at(place, "whether")) >= 0:
            for _, meaning, close in self.clause(end, context):
                yield "bool", meaning, close

    def _provided(self, kind: str, meaning: Meaning, place: int, context: Context) -> Iterator[Found]:
        """Yield something that is there on a condition: nothing, or none of it, where that fails."""
        if (end := self.at(place, ", provided that")) >= 0 and kind not in ("int", "size"):
            for _, condition, close in self.clause(end, context):
                yield kind, ("if", condition, meaning, ("list",) if kind.startswith("list ") else ("nothing",)), close

    def _goes_on(self, kind: str, meaning: Meaning, place: int, context: Context) -> Iterator[Found]:
        if kind == "int":
            yield from self._chain(meaning, place, context)
            yield from self._parts_of_sum(meaning, place, context)
            if (end := self.at(place, "times")) >= 0:
                for second, other, close in self.noun(end, context):
                    if second == "int":
                        yield "int", ("times", meaning, other), close
            if (end := self.at(place, "multiplied by itself")) >= 0:
                yield "int", ("times", meaning, meaning), end
            if (end := self.at(place, "divided by")) >= 0:
                for second, other, after in self.noun(end, context):
                    for rounding in (", dropping any fraction", ", rounded down"):
                        if second == "int" and (close := self.at(after, rounding)) >= 0:
                            yield "int", ("divided", meaning, other), close
            if (end := self.at(place, "for each")) >= 0:
                for _, several, close in self.each(end, context):
                    yield "int", ("times", meaning, ("count", several)), close
                if (of := self.at(end, "of")) >= 0:
                    for _, several, close in self.members(of, context):
                        yield "int", ("times", meaning, ("count", several)), close
        if (end := self.at(place, "or else")) >= 0:
            for second, other, close in self.value(end, context):
                if second == kind:
                    yield kind, ("else", meaning, other), close
        yield from self._if(kind, meaning, place, context)
        if kind.startswith("list ") and (end := self.at(place, ", or")) >= 0:
            for second, other, after in self.noun(end, context):
                if second == kind and (close := self.at(after, "if there are none")) >= 0:
                    yield kind, ("if", ("some", meaning), meaning, other), close
        if kind.startswith("list ") and (end := self.at(place, "together with")) >= 0:
            for second, other, close in self.noun(end, context):
                if second == kind:
                    yield kind, ("together", meaning, other), close
                elif kind == f"list {second}":
                    yield kind, ("together", meaning, ("list", other)), close

    def _if(self, kind: str, meaning: Meaning, place: int, context: Context) -> Iterator[Found]:
        """Yield `3 if the Tree is ripe, otherwise 4`. A condition is no part of a sum."""
        if (end := self.at(place, "if")) < 0:
            return
        for _, condition, after in self.clause(end, context):
            other_ = self.at(after, ", otherwise")
            for second, other, close in self.value(other_, context) if other_ >= 0 else ():
                if second == kind:
                    yield kind, ("if", condition, meaning, other), close

    def _in_order(self, kind: str, meaning: Meaning, place: int, context: Context) -> Iterator[Found]:
        of = kind.removeprefix("list ")
        if (close := self.at(place, ", in order")) >= 0:
            yield kind, ("in order", meaning, ("member", "it")), close
        if (end := self.at(place, ", in order of")) >= 0:
            for _, key, close in self.field(end, of, ("member", "it")):
                yield kind, ("in order", meaning, key), close
            for type_, key, close in self.noun(end, (of, context[1])):
                if type_ == "int":
                    yield kind, ("in order", meaning, key), close

    def _parts_of_sum(self, meaning: Meaning, place: int, context: Context) -> Iterator[Found]:
        """Yield `3, plus 2 for each Tree, minus the number of Birds`: a comma ends each part."""
        for word, tag in ((", plus", "plus"), (", minus", "less")):
            if (end := self.at(place, word)) >= 0:
                for kind, other, close in self.value(end, context):
                    if kind == "int" and not self._has_comma(end, close):
                        yield "int", (tag, meaning, other), close
                        yield from self._if("int", (tag, meaning, other), close, context)
                        yield from self._parts_of_sum((tag, meaning, other), close, context)

    def _has_comma(self, place: int, end: int) -> bool:
        return "," in self.tokens[place:end]

    def _chain(self, meaning: Meaning, place: int, context: Context) -> Iterator[Found]:
        for word, tag in (("plus", "plus"), ("minus", "less")):
            if (end := self.at(place, word)) >= 0:
                for kind, other, close in self.noun(end, context):
                    if kind == "int":
                        yield "int", (tag, meaning, other), close
                        yield from self._chain((tag, meaning, other), close, context)

    def _cases(self, place: int, context: Context) -> Iterator[Found]:
        end = self.at(place, "the first of these that applies:")
        item_list = self.items(end)
        if item_list is None:
            return
        segments, close = item_list
        readings: list[tuple[str, Meaning]] = []
        for segment in segments[:-1]:
            cases = [
                (kind, (condition, meaning))
                for kind, meaning, after in segment.value(0, context)
                if (if_ := segment.at(after, "if")) >= 0
                for _, condition, last in segment.clause(if_, context)
                if last == len(segment.tokens)
            ]
            readings = [(kind, (*before, case)) for kind, case in cases for _, before in (readings or [(kind, ())])]
        last_segment = segments[-1]
        begin = last_segment.at(0, "otherwise")
        for kind, meaning, after in last_segment.value(begin, context) if begin >= 0 else ():
            if after == len(last_segment.tokens):
                for kind_, cases_ in readings:
                    if kind_ == kind:
                        yield kind, ("cases", cases_, meaning), close

    def _walks(self, place: int, context: Context) -> Iterator[Found]:
        """Yield `the way from … to …, going on from every X to …, but only to every X for which …`."""
        for words, function, kind in (
            ("all that is reached from", "reach", "list tree"),
            ("all that lies beyond", "ray", "list tree"),
            ("the way from", "path", "list tree"),
            ("the number of steps from", "distance", "int"),
            ("the cost of the way from", "distance", "int"),
        ):
            if (end := self.at(place, words)) < 0:
                continue
            for of, source, after in self.noun(end, context):
                to = self.at(after, "to")
                goals: list[tuple[Meaning | None, int]] = [(None, after)]
                if function not in ("reach", "ray"):
                    goals = [(goal, close) for _, goal, close in self.noun(to, context)] if to >= 0 else []
                for goal, close in goals if of == "list tree" else ():
                    for meaning, last in self._going_on(close, words, context):
                        yield kind, ("walk", function, source, goal, *meaning), last

    def _going_on(self, place: int, words: str, context: Context) -> Iterator[tuple[Meaning, int]]:
        """How a walk goes on: letter, where to, the cost, the limit, and the condition, as far as they are said."""
        for letter in "XYZ":
            if (end := self.at(place, f", going on from every *{letter}* to")) < 0:
                continue
            inner: Context = ("", (*context[1], (letter, "tree")))
            readings: list[tuple[Meaning, int]] = [
                ((letter, onward), close) for _, onward, close in self.noun(end, inner)
            ]
            parts = (
                (", at a cost of", inner, f"for every *{letter}*", self.noun),
                (", for", context, "at most", self.noun),
                (f", but only to every *{letter}* for which", inner, "", self.clause),
                (f", up to every *{letter}* for which", inner, "", self.clause),
            )
            for before, where, behind, read in parts:
                if before.startswith(", but"):
                    listed = [
                        each for meaning, close in readings for each in self._limits(meaning, close, letter, inner)
                    ]
                longer = []
                for meaning, close in readings:
                    begin = self.at(close, before)
                    for _, part, after in read(begin, where) if begin >= 0 else ():
                        if (last := self.at(after, behind)) >= 0:
                            longer.append(((*meaning, part), last))
                readings = [((*meaning, None), close) for meaning, close in readings] + longer
            for meaning, close in readings + listed:
                # What is not said costs a step; what is said costs what it says.
                if words.startswith("all") or words == "the way from" or (meaning[2] is None) == ("steps" in words):
                    yield meaning, close

    def _limits(self, meaning: Meaning, place: int, letter: str, inner: Context) -> Iterator[tuple[Meaning, int]]:
        """Yield where a walk may go and up to where, in a list."""
        if (item_list := self.items(self.at(place, ", within these limits:"))) is None:
            return
        (only, up_to), close = item_list
        ways = [
            segment.clause(segment.at(0, f"{words} every *{letter}* for which"), inner)
            for segment, words in ((only, "but only to"), (up_to, "up to"))
        ]
        for _, condition, first in ways[0]:
            for _, until, last in ways[1]:
                if (first, last) == (len(only.tokens), len(up_to.tokens)):
                    yield (*meaning, condition, until), close

    def _over(self, place: int, context: Context) -> Iterator[Found]:
        """Yield `the total, for each Tree, of …` and the like."""
        for words, tag, between in (
            ("the total, for", "sum", ", of"),
            ("the highest, for", "max", ", of"),
            ("the lowest, for", "min", ", of"),
        ):
            end = self.at(place, words)
            if end < 0:
                continue
            for letter in "XYZ":
                if (every := self.at(end, f"every *{letter}* among")) >= 0:
                    for kind, meaning, after in self.lettered(every, letter, context):
                        inner: Context = ("", (*context[1], (letter, kind.removeprefix("list "))))
                        behind = self.at(after, between)
                        for type_, element, close in self.value(behind, inner) if behind >= 0 else ():
                            yield type_, (tag, meaning, letter, element), close
            each = self.at(end, "each of")
            several = list(self.members(each, context)) if each >= 0 else []
            one = self.at(end, "each")
            several += list(self.each(one, context)) if one >= 0 else []
            for kind, meaning, after in several:
                behind = self.at(after, between)
                inner = (kind.removeprefix("list "), context[1])
                for type_, element, close in self.value(behind, inner) if behind >= 0 else ():
                    yield type_, (tag, meaning, "it", element), close

        for letter in "XYZ":
            if (end := self.at(place, f"those *{letter}* among")) >= 0:
                for kind, meaning, after in self.lettered(end, letter, context):
                    yield kind, meaning, after
            for word in ("first", "last"):
                if (end := self.at(place, f"the {word} *{letter}* among")) >= 0:
                    for kind, meaning, after in self.lettered(end, letter, context):
                        yield kind.removeprefix("list "), (word, meaning), after
        yield from self._listed_by_letter(place, context)

    def _listed_by_letter(self, place: int, context: Context) -> Iterator[Found]:
        """Yield `for every X among …, in order of …, X’s owner`, and the same of the first."""
        for words, tag in (("for every", "map"), ("for the first", "first"), ("for the last", "last")):
            for letter in "XYZ":
                if (end := self.at(place, f"{words} *{letter}* among")) < 0:
                    continue
                for kind, meaning, after in self.lettered(end, letter, context):
                    inner: Context = ("", (*context[1], (letter, kind.removeprefix("list "))))
                    ordered = [(meaning, after)]
                    if (by := self.at(after, ", in order of")) >= 0:
                        ordered += [(("by", meaning, letter, key), close) for _, key, close in self.noun(by, inner)]
                    for source, close in ordered:
                        if (behind := self.at(close, ",")) < 0:
                            continue
                        for type_, element, last in self.value(behind, inner):
                            mapped = ("map", source, letter, element)
                            yield (f"list {type_}", mapped, last) if tag == "map" else (type_, (tag, mapped), last)

    def _picked(self, place: int, context: Context) -> Iterator[Found]:
        """Yield `of the Trees, the one with the lowest worth (if tied, the first)`, and the same of all Trees."""
        readings: list[tuple[str, Meaning, int, str]] = []
        if (end := self.at(place, "of")) >= 0:
            of_these = ((*each, self.at(each[2], ",")) for each in self.members(end, context))
            readings += [(kind, meaning, begin, "one") for kind, meaning, _, begin in of_these if begin >= 0]
        readings += [(f"list {kind}", ("all", kind), place, word) for word, kind in ONE.items()]
        for kind, meaning, after, noun in readings:
            of = kind.removeprefix("list ")
            for word, tie, tag in (("lowest", "first", "least"), ("highest", "last", "most")):
                tail = f"(if tied, the {tie})"
                if (by := self.at(after, f"the {noun} with the {word} value of")) >= 0:
                    for type_, key, close in self.noun(by, (of, context[1])):
                        if type_ == "int" and (last := self.at(close, tail)) >= 0:
                            yield of, (tag, meaning, key), last
                if (by := self.at(after, f"the {noun} with the {word}")) >= 0:
                    for _, key, close in self.field(by, of, ("member", "it")):
                        if (last := self.at(close, tail)) >= 0:
                            yield of, (tag, meaning, key), last

    def listed(
        self, place: int, words: str, context: Context, *, less: bool = False
    ) -> Iterator[tuple[list[str], list[Meaning], int]]:
        """Yield values that are listed below `words`."""
        end = self.at(place, words)
        item_list = self.items(end)
        if item_list is None:
            return
        segments, close = item_list
        readings: list[tuple[list[str], list[Meaning]]] = [([], [])]
        for segment in segments:
            here = segment.values(context)
            if less:
                here = here + segment.sometimes(0, context) + segment.less(context) + segment.totals(context)
            readings = [([*kinds, k], [*parts, m]) for kinds, parts in readings for k, m in here]
        for kinds, parts in readings:
            yield kinds, parts, close

    def less(self, context: Context) -> list[tuple[str, Meaning]]:
        """Return `less 3`, a part of a sum that is taken away."""
        if (end := self.at(0, "less this:")) >= 0 and (item_list := self.items(end)) is not None:
            (one,), close = item_list
            return [(k, ("minus", m)) for k, m in one.values(context) if close == len(self.tokens)]
        if (end := self.at(0, "less")) < 0:
            return []
        whole = [(k, m) for k, m, close in self.value(end, context) if close == len(self.tokens)]
        return [(k, ("minus", m)) for k, m in whole + self.sometimes(end, context)]

    def sometimes(self, place: int, context: Context) -> list[tuple[str, Meaning]]:
        """Return `3 if the Tree is ripe`, a part of a sum that is nothing otherwise."""
        return [
            (kind, ("if", condition, meaning, ("number", 0)))
            for kind, meaning, end in self.value(place, context)
            if kind == "int" and (if_ := self.at(end, "if")) >= 0
            for _, condition, close in self.clause(if_, context)
            if close == len(self.tokens)
        ]

    def totals(self, context: Context) -> list[tuple[str, Meaning]]:
        """Return `for each Tree, the price of its size`, which is added up."""
        readings: list[tuple[str, Meaning]] = []
        each, one = self.at(0, "for each of"), self.at(0, "for each")
        several = [*(self.members(each, context) if each >= 0 else ()), *(self.each(one, context) if one >= 0 else ())]
        for kind, meaning, after in several:
            behind = self.at(after, ",")
            inner: Context = (kind.removeprefix("list "), context[1])
            for type_, element, close in self.value(behind, inner) if behind >= 0 else ():
                if type_ == "int" and close == len(self.tokens):
                    readings.append(("int", ("sum", meaning, "it", element)))
        return readings

    def several(self, place: int, context: Context, joint: str) -> Iterator[tuple[list[str], list[Meaning], int]]:
        """Yield `a`, `a and b`, `a, b and c`."""
        for kind, meaning, end in self.noun(place, context):
            yield [kind], [meaning], end
            if (after := self.at(end, joint)) >= 0:
                for second, other, close in self.noun(after, context):
                    yield [kind, second], [meaning, other], close
            if (after := self.at(end, ",")) >= 0:
                for kinds, parts, close in self.several(after, context, joint):
                    if len(parts) > 1:
                        yield [kind, *kinds], [meaning, *parts], close

    # -- statements --------------------------------------------------------------------------

    def clause(self, place: int, context: Context) -> list[Found]:
        """Return statements, joined ones among them."""
        return self.remembered("clause", place, context, lambda: self._clauses(place, context))

    def _clauses(self, place: int, context: Context) -> Iterator[Found]:
        for joint, meanings, end in self.joined(place, context, self.plain):
            yield "bool", meanings[0] if len(meanings) == 1 else (joint, *meanings), end
        yield from self._for_members(place, context)

    def joined(
        self, place: int, context: Context, one: Callable[[int, Context], list[Found]]
    ) -> Iterator[tuple[str, list[Meaning], int]]:
        """Yield statements of one sort joined by one word."""
        for joint in ("and", "or"):
            for meanings, end in self._joined(place, context, joint, one):
                if len(meanings) > 1 or joint == "and":
                    yield joint, meanings, end

    def _joined(
        self, place: int, context: Context, joint: str, one: Callable[[int, Context], list[Found]]
    ) -> Iterator[tuple[list[Meaning], int]]:
        for _, meaning, end in one(place, context):
            yield [meaning], end
            if (after := self.at(end, joint)) >= 0:
                for _, other, close in one(after, context):
                    yield [meaning, other], close
                if joint == "and" and (either := self.at(after, "either")) >= 0:
                    for others, close in self._joined(either, context, "or", one):
                        if len(others) > 1:
                            yield [meaning, ("or", *others)], close
            if (after := self.at(end, ",")) >= 0:
                for others, close in self._joined(after, context, joint, one):
                    if len(others) > 1:
                        yield [meaning, *others], close

    def plain(self, place: int, context: Context) -> list[Found]:
        """Return statements that are not joined."""
        return self.remembered("plain", place, context, lambda: self._plain(place, context))

    def _plain(self, place: int, context: Context) -> Iterator[Found]:
        for words, meant in (
            ("always", ("always",)),
            ("never", ("not", ("always",))),
            ("*raining* holds", ("game", "raining")),
            ("*raining* does not hold", ("not", ("game", "raining"))),
            ("the wind blows", ("game", "windy")),
            ("the air is still", ("not", ("game", "windy"))),
        ):
            if (end := self.at(place, words)) >= 0:
                yield "bool", meant, end
        for choice in ("Calm", "Wild"):
            for word, holds in (("is", True), ("is not", False)):
                if (end := self.at(place, f"the setting Weather {word} ‹{choice}›")) >= 0:
                    is_ = ("weather", choice.lower())
                    yield "bool", is_ if holds else ("not", is_), end
        for words, tag in (
            ("all of these apply:", "and"),
            ("both of these apply:", "and"),
            ("at least one of these applies:", "or"),
            ("either both of these apply, or neither does:", "alike"),
            ("exactly one of these applies:", "unlike"),
        ):
            item_list = self.items(self.at(place, words))
            if item_list is not None:
                segments, close = item_list
                readings: list[tuple[Meaning, ...]] = [()]
                for segment in segments:
                    readings = [(*before, one) for before in readings for one in segment.clauses(context)]
                for reading in readings:
                    yield "bool", (tag, *reading), close
        for kind, meant, end in self.subject(place, context):
            yield from self.predicate(end, kind, meant, context)
        yield from self._existence(place, context)

    def subject(self, place: int, context: Context) -> Iterator[Found]:
        """Yield what a statement may begin with."""
        yield from self.noun(place, context)
        yield from self.members(place, context)

    def predicate(self, place: int, kind: str, subject: Meaning, context: Context) -> Iterator[Found]:
        """Yield what is said of a subject."""
        # Of several, `are` and `have` are what `is` and `has` are of one.
        here = dict(enumerate(self.tokens))
        verb = here.get(place, "")
        one = {"are": "is", "have": "has"}.get(verb, verb)
        if kind.startswith("list ") and (end := self.at(place, "is")) >= 0:
            for word, holds in (("empty", False), ("not empty", True)):
                if (close := self.at(end, word)) >= 0:
                    yield "bool", ("some", subject) if holds else ("not", ("some", subject)), close
        rest = Segment.__new__(Segment)
        rest.tokens, rest.letters, rest.memo = [*self.tokens[:place], one, *self.tokens[place + 1 :]], self.letters, {}
        self._predicates_of(rest)
        yield from rest._predicate(place, kind, subject, context)

    def _predicates_of(self, rest: Segment) -> None:
        """Return the predicates, leaving out what was read after the verb already."""
        if rest.tokens == self.tokens:
            rest.memo = self.memo

    def _predicate(self, place: int, kind: str, subject: Meaning, context: Context) -> Iterator[Found]:
        for flag, name in FLAGS.get(kind, {}).items():
            for word, holds in (("is", True), ("is not", False)):
                if (end := self.at(place, f"{word} {flag}")) >= 0:
                    meant = ("field", subject, name)
                    yield "bool", meant if holds else ("not", meant), end
        words = ("is nobody", "is somebody") if kind == "player" else ("is nothing", "is not nothing")
        for word, holds in zip(words, (False, True), strict=True):
            if (end := self.at(place, word)) >= 0:
                yield "bool", ("there", subject) if holds else ("not", ("there", subject)), end
        for words, (name, type_) in FIELDS.get(kind, {}).items():
            if type_ == "int":
                continue  # A number is always there; that it is 0 is read below.
            a = "an" if words[0] in "aeiou" else "a"
            if (end := self.at(place, f"has {a} {words}")) >= 0:
                yield "bool", ("there", ("field", subject, name)), end
            if (end := self.at(place, f"has no {words}")) >= 0:
                if type_.startswith("list "):
                    yield "bool", ("not", ("some", ("field", subject, name))), end
                else:
                    yield "bool", ("not", ("there", ("field", subject, name))), end
            if type_.startswith("list ") and (end := self.at(place, f"has {words}")) >= 0:
                yield "bool", ("some", ("field", subject, name)), end
        if kind == "list tree" and is_heap(subject):
            for word, holds in (("is empty", False), ("is not empty", True)):
                if (end := self.at(place, word)) >= 0:
                    yield "bool", ("some", subject) if holds else ("not", ("some", subject)), end
        if kind == "player":
            yield from self._has(place, subject)
            yield from self._has_so_many(place, subject)
            yield from self._has_more(place, subject, context)
        yield from self._has_the_same(place, kind, subject, context)
        for words, (name, type_) in FIELDS.get(kind, {}).items():
            for word, function in (("highest", "max"), ("lowest", "min")) if type_ == "int" and kind in ALL else ():
                for tail in ("", f" of all {ALL[kind]}"):
                    if (end := self.at(place, f"has the {word} {words}{tail}")) >= 0:
                        of_all = (function, ("all", kind), "it", ("field", ("member", "it"), name))
                        yield "bool", ("compare", "==", ("field", subject, name), of_all), end
        if kind == "int":
            for word, rest in (("is odd", 1), ("is even", 0)):
                if (end := self.at(place, word)) >= 0:
                    yield "bool", ("compare", "==", ("remainder", subject, ("number", 2)), ("number", rest)), end
        for words, operator in (NUMBERS if kind == "int" else PLACES if kind == "size" else {}).items():
            if (end := self.at(place, words)) >= 0:
                for second, other, close in self.subject(end, context):
                    if second != kind:
                        continue
                    meant = ("place" if kind == "size" else "compare", operator, subject, other)
                    yield "bool", meant, close
                    yield from self._second_bound(close, kind, subject, meant, context)
                    for end_words, bound in (("or less", "<="), ("or more", ">=")) if words == "is" else ():
                        if kind == "int" and (after := self.at(close, end_words)) >= 0:
                            yield "bool", ("compare", bound, subject, other), after
        if kind == "size":
            for word, holds in (("is the last of Sizes", False), ("is not the last of Sizes", True)):
                if (end := self.at(place, word)) >= 0:
                    meant = ("there", ("following", subject))
                    yield "bool", meant if holds else ("not", meant), end
        if kind in ("tree", "player", "bird", "bid"):
            for word, holds in (("is", True), ("is not", False)):
                for second, other, close in (
                    self.subject(self.at(place, word), context) if self.at(place, word) >= 0 else ()
                ):
                    if second == kind:
                        meant = ("same", subject, other)
                        yield "bool", meant if holds else ("not", meant), close
            for word, holds in (("is among", True), ("is not among", False), ("is in", True), ("is not in", False)):
                if (end := self.at(place, word)) >= 0:
                    for second, other, close in self.subject(end, context):
                        if second == f"list {kind}":
                            meant = ("in", subject, other)
                            yield "bool", meant if holds else ("not", meant), close
            for word, holds in (("is still in play", True), ("is no longer in play", False)):
                if (end := self.at(place, word)) >= 0:
                    meant = ("in", subject, ("all", kind))
                    yield "bool", meant if holds else ("not", meant), end
        yield from self._one_of(place, kind, subject, context)
        if kind == "tree":
            for word, holds in (("thrives under", True), ("withers under", False)):
                if (end := self.at(place, word)) >= 0:
                    if (close := self.at(end, "at least one player" if holds else "any player")) >= 0:
                        some = ("some", ("such", ("all", "player"), "Q", ("thrives", subject, ("member", "Q"))))
                        yield "bool", some if holds else ("not", some), close
                    for second, who, close in self.noun(end, context):
                        if second == "player":
                            meant = ("thrives", subject, who)
                            yield "bool", meant if holds else ("not", meant), close

    def _second_bound(
        self, place: int, kind: str, subject: Meaning, first: Meaning, context: Context
    ) -> Iterator[Found]:
        """Yield `is at least 3 and less than 5`: a second comparison of the same value, without its verb."""
        for joint in ("and", "or"):
            for words, operator in (NUMBERS if kind == "int" else PLACES).items():
                bare = words.removeprefix("is ")
                if (
                    first[1] in ("==", "!=")
                    or operator in ("==", "!=")
                    or (end := self.at(place, f"{joint} {bare}")) < 0
                ):
                    continue
                for second, other, close in self.subject(end, context):
                    if second == kind:
                        yield "bool", (joint, first, (first[0], operator, subject, other)), close

    def _one_of(self, place: int, kind: str, subject: Meaning, context: Context) -> Iterator[Found]:
        for words, joint, holds in (
            ("is either", "or", True),
            ("is neither", "nor", False),
            ("is none of", "and", False),
        ):
            if (end := self.at(place, words)) >= 0:
                for kinds, parts, close in self.several(end, context, joint):
                    if len(parts) > 1 and set(kinds) == {kind}:
                        meant = ("in", subject, ("list", *parts))
                        yield "bool", meant if holds else ("not", meant), close

    def _has(self, place: int, subject: Meaning) -> Iterator[Found]:
        for words, name in (("Coin", "coin"), ("Coins", "coin"), ("Water", "water")):
            for verb, operator in COUNTS.items():
                end = self.at(place, verb)
                close = self.at(end + 1, words) if end >= 0 else -1
                if close >= 0 and self.tokens[end].isdigit():
                    number = ("number", int(self.tokens[end]))
                    yield "bool", ("compare", operator, ("field", subject, name), number), close
            for most, function in (("most", "max"), ("least" if words == "Water" else "fewest", "min")):
                for tail in ("", " of all players"):
                    if (end := self.at(place, f"has the {most} {words}{tail}")) >= 0 and words != "Coin":
                        own = ("field", subject, name)
                        of_all = (function, ("all", "player"), "it", ("field", ("member", "it"), name))
                        yield "bool", ("compare", "==", own, of_all), end
            for verb, operator in (("has no", "=="), ("does not have 0", "!=")):
                if (end := self.at(place, f"{verb} {words}")) >= 0:
                    yield "bool", ("compare", operator, ("field", subject, name), ("number", 0)), end

    def _has_more(self, place: int, subject: Meaning, context: Context) -> Iterator[Found]:
        """Yield `has fewer Coins than the rival`, `has at least as much Water as the price of Small`."""
        for words, name, less in (("Coins", "coin", "fewer"), ("Water", "water", "less")):
            many = "many" if less == "fewer" else "much"
            for verb, operator in (
                (f"has more {words} than", ">"),
                (f"has {less} {words} than", "<"),
                (f"has more or {less} {words} than", "!="),
                (f"has no more {words} than", "<="),
                (f"has at least as {many} {words} as", ">="),
                (f"has as {many} {words} as", "=="),
            ):
                if (end := self.at(place, verb)) < 0:
                    continue
                own = ("field", subject, name)
                for kind, other, close in self.subject(end, context):
                    if kind == "player":
                        yield "bool", ("compare", operator, own, ("field", other, name)), close
                    if kind == "int":
                        yield "bool", ("compare", operator, own, other), close
                # `as much Water as the Tree yields to 2 hands`, without a second `what`.
                for _, other, close in self.yielded(end, context) if operator in ("==", ">=") else ():
                    yield "bool", ("compare", operator, own, other), close

    def _has_the_same(self, place: int, kind: str, subject: Meaning, context: Context) -> Iterator[Found]:
        """Yield `has the same owner as the Tree`, `does not have the same owner and size as it`."""
        for verb, holds in (("has the same", True), ("does not have the same", False)):
            if (begin := self.at(place, verb)) < 0:
                continue
            fields = FIELDS.get(kind, {})
            shared = [((name,), end) for words, (name, _) in fields.items() if (end := self.at(begin, words)) >= 0]
            shared += [
                ((first, name), close)
                for (first,), end in shared
                for words, (name, _) in fields.items()
                if (close := self.at(end, f"and {words}")) >= 0
            ]
            for names, end in shared:
                after = self.at(end, "as")
                for other, meaning, close in self.subject(after, context) if after >= 0 else ():
                    theirs = [field for field, _ in FIELDS.get(other, {}).values()]
                    if set(names) <= set(theirs):
                        same = [("same", ("field", subject, name), ("field", meaning, name)) for name in names]
                        whole = same[0] if len(same) == 1 else ("and", *same)
                        yield "bool", whole if holds else ("not", whole), close

    def _has_so_many(self, place: int, subject: Meaning) -> Iterator[Found]:
        for verb, operator in COUNTS.items():
            end = self.at(place, verb)
            close = max(self.at(end + 1, words) for words in ("Tree", "Trees")) if end >= 0 else -1
            if close >= 0 and self.tokens[end].isdigit():
                number = ("number", int(self.tokens[end]))
                yield "bool", ("compare", operator, ("count", ("field", subject, "trees")), number), close
        if (end := self.at(place, "does not have 0 Trees")) >= 0:
            yield "bool", ("some", ("field", subject, "trees")), end

    def _existence(self, place: int, context: Context) -> Iterator[Found]:
        for word, holds in (("there are no", False), ("there are", True)):
            if (end := self.at(place, word)) >= 0:
                for _, meaning, close in self.members(end, context, bare=True):
                    yield "bool", ("some", meaning) if holds else ("not", ("some", meaning)), close
        for word, holds in (("there is a", True), ("there is an", True), ("there is no", False)):
            if (end := self.at(place, word)) >= 0:
                for _, meaning, close in self.each(end, context):
                    if close > end + 1:
                        yield "bool", ("some", meaning) if holds else ("not", ("some", meaning)), close
                if (close := self.at(end, "*guest*")) >= 0:
                    there = ("there", ("name", "guest"))
                    yield "bool", there if holds else ("not", there), close
        for word, holds in (("there is one among", True), ("there is none among", False)):
            if (end := self.at(place, word)) >= 0:
                for _, meaning, close in self.members(end, context):
                    yield "bool", ("some", meaning) if holds else ("not", ("some", meaning)), close
        for verb, operator in COUNTS.items():
            for be in ("is", "are"):
                comparison = {"does not have exactly": "not exactly"}.get(verb, verb.removeprefix("has "))
                end = self.at(place, f"there {be} {comparison}")
                if end >= 0 and end < len(self.tokens) and self.tokens[end].isdigit():
                    number = ("number", int(self.tokens[end]))
                    for words, kind in (SEVERAL | ONE).items():
                        if (close := self.at(end + 1, words)) >= 0:
                            yield "bool", ("compare", operator, ("count", ("all", kind)), number), close
        for verb, operator in COUNTS.items():
            end = self.at(place, f"there are {verb.removeprefix('has ')}")
            if not verb.startswith("has ") or end < 0 or end >= len(self.tokens) or not self.tokens[end].isdigit():
                continue
            number = ("number", int(self.tokens[end]))
            for _, meaning, close in self.members(end + 1, context, bare=True):
                yield "bool", ("compare", operator, ("count", meaning), number), close
        for verb, operator in COUNTS.items():
            for words in ("is", "are"):
                end = self.at(place, f"there {words} {verb.removeprefix('has ')}")
                if verb.startswith("has ") and 0 <= end < len(self.tokens) and self.tokens[end].isdigit():
                    for cards in ("card", "cards"):
                        if (close := self.at(end + 1, f"{cards} left in the Basket")) >= 0:
                            number = ("number", int(self.tokens[end]))
                            yield "bool", ("compare", operator, ("basket",), number), close
        if (end := self.at(place, "there are no cards left in the Basket")) >= 0:
            yield "bool", ("compare", "==", ("basket",), ("number", 0)), end
        if (end := self.at(place, "the list")) >= 0 and self.at(end, "*grove*") >= 0:
            for word, holds in (("is empty", False), ("is not empty", True)):
                if (close := self.at(end + 1, word)) >= 0:
                    some = ("some", ("name", "grove"))
                    yield "bool", some if holds else ("not", some), close
        yield from self._quantified(place, context)

    def _counted(self, place: int, context: Context) -> Iterator[tuple[str, str, Meaning, int]]:
        """Yield `every Tree`, `at least one of …`, `none of …`."""
        for words, how in (("at least one", "some"), ("no", "none"), ("every", "every")):
            for word, kind in ONE.items():
                if (end := self.at(place, f"{words} {word}")) >= 0:
                    yield how, f"list {kind}", ("all", kind), end
        for words, how in (("at least one of", "some"), ("none of", "none"), ("each of", "every")):
            if (end := self.at(place, words)) >= 0:
                for kind, meaning, close in self.members(end, context):
                    yield how, kind, meaning, close

    def _quantified(self, place: int, context: Context) -> Iterator[Found]:
        for how, kind, source, end in self._counted(place, context):
            of = kind.removeprefix("list ")

            def read_predicate(here: int, inner: Context, of: str = of) -> list[Found]:
                return list(self.predicate(here, of, ("member", "it"), inner))

            for joint, meanings, close in self.joined(end, (of, context[1]), read_predicate):
                meant = meanings[0] if len(meanings) == 1 else (joint, *meanings)
                yield "bool", (how, source, "it", meant), close

    def _for_members(self, place: int, context: Context) -> Iterator[Found]:
        if (begin := self.at(place, "for")) < 0:
            return
        for how, kind, source, end in self._counted(begin, context):
            if (after := self.at(end, ",")) >= 0:
                for _, meaning, close in self.clause(after, (kind.removeprefix("list "), context[1])):
                    yield "bool", (how, source, "it", meaning), close
        for words, how in (("at least one", "some"), ("no", "none"), ("every", "every")):
            for letter in "XYZ":
                if (end := self.at(begin, f"{words} *{letter}* among")) < 0:
                    continue
                for kind, source, after in self.lettered(end, letter, context):
                    inner: Context = ("", (*context[1], (letter, kind.removeprefix("list "))))
                    behind = self.at(after, ",")
                    for _, meaning, close in self.clause(behind, inner) if behind >= 0 else ():
                        yield "bool", (how, source, letter, meaning), close


def _where(tokens: list[str]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the words of a stretch, and those of what its letters stand for."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token == "[") - (token == "]")
        if depth or tokens[place : place + 2] != [",", "where"] or place + 2 >= len(tokens):
            continue
        if re.fullmatch(r"\*[A-W]\d*\*", tokens[place + 2]):
            return tokens[:place], [(tokens[place + 2], tokens[place + 4 :])]
        if tokens[place + 2] == ":":
            segment = Segment.__new__(Segment)
            segment.tokens, segment.letters, segment.memo = tokens, {}, {}
            listed = segment.items(place + 3)
            assert listed is not None
            return tokens[:place], _meant(tokens, place + 3)
    return tokens, []


def _meant(tokens: list[str], place: int) -> list[tuple[str, list[str]]]:
    depth, begin, segments = 0, place + 1, []
    for here in range(place, len(tokens)):
        depth += (tokens[here] == "[") - (tokens[here] == "]")
        if depth == 0 or (depth == 1 and tokens[here] == ";"):
            segments.append((tokens[begin], tokens[begin + 2 : here]))
            begin = here + 1
        if depth == 0:
            break
    return segments
