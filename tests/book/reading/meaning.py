"""What the readings of sentences come to in a state."""

from __future__ import annotations

from typing import Any

from tests.book.reading.orchard import GRAINS, PRICE, SHADE, SIZES, State
from tests.book.reading.reader import Meaning

Members = dict[str, Any]


def value(meaning: Meaning, state: State, members: Members | None = None) -> Any:
    """Return the value of a reading; `members` are what `it`, X, Y and Z are."""
    return _Reading(state).value(meaning, members or {})


class _Reading:
    def __init__(self, state: State) -> None:
        self.state = state

    def value(self, meaning: Meaning, members: Members) -> Any:
        def of(inner: Meaning) -> Any:
            return self.value(inner, members)

        def each(source: Meaning, name: str, inner: Meaning) -> list[Any]:
            return [self.value(inner, {**members, name: one}) for one in of(source)]

        match meaning:
            case ("number", number):
                return number
            case ("row" | "always", *rest):
                return rest[0] if rest else True
            case ("name", "season" | "frost" as name):
                return self.state.things[0][name]
            case ("basket",):
                return len(self.state.things[0]["deck.basket"])
            case ("pledge", held, who):
                return of(held)[self.state.objects("player").index(of(who))]
            case ("entry", held, row):
                return of(held)[SIZES.index(of(row))]
            case ("name", name):
                return self.state.names[name]
            case ("member", name):
                return members[name]
            case ("game", name):
                return self.state.things[0][name]
            case ("weather", choice):
                return self.state.things[0]["options.weather"] == choice
            case ("all", kind):
                return self.state.objects(kind)
            case ("field", owner, "budget"):
                return of(("budget", owner))
            case ("field", owner, "pledges"):
                return of(("pledge", ("name", "pledges"), owner))
            case ("field", owner, name):
                return self.field(of(owner), name)
            case ("grains", row):
                return GRAINS[of(row)]
            case ("following", row):
                return (*SIZES, None)[SIZES.index(of(row)) + 1]
            case ("bid", *parts):
                return tuple(of(part) for part in parts)
            case ("place", row):
                return SIZES.index(of(row)) + 1
            case ("harvest", tree, hands):
                return self.field(of(tree), "fruit") * of(hands)
            case ("reach", who):
                return tuple(tree for tree in self.state.objects("tree") if self.near(tree, of(who)))
            case ("nothing",):
                return None
            case ("budget", who):
                return self.field(of(who), "coin") + self.field(of(who), "water")
            case ("thrives", tree, who):
                return self.field(of(tree), "owner") == of(who) and self.field(of(tree), "ripe")
            case ("list", *parts):
                return tuple(of(part) for part in parts)
            case ("together", *parts):
                values = (of(part) for part in parts)
                return tuple(one for part in values for one in (part if isinstance(part, tuple) else (part,)))
            case ("such", source, name, condition):
                return tuple(one for one in of(source) if self.value(condition, {**members, name: one}))
            case ("map", source, name, inner):
                return tuple(each(source, name, inner))
            case ("in order", source, key):
                return tuple(sorted(of(source), key=lambda one: self.key(key, {**members, "it": one})))
            case ("by", source, name, key):
                return tuple(sorted(of(source), key=lambda one: self.key(key, {**members, name: one})))
            case ("count", source):
                return len(of(source))
            case ("first", source):
                return next(iter(of(source)), None)
            case ("last", source):
                return next(reversed(of(source)), None)
            case ("least" | "most" as which, source, key):
                ordered = sorted(of(source), key=lambda one: self.key(key, {**members, "it": one}))
                return None if not ordered else ordered[0] if which == "least" else ordered[-1]
            case ("sum", source, name, inner):
                return sum(each(source, name, inner))
            case ("max" | "min" as which, source, name, inner):
                rows = inner[0] == "field" and inner[2] == "size"
                return _extreme(which, each(source, name, inner)) or (SIZES[0] if rows else 0)
            case ("larger" | "smaller" as which, *parts):
                return _extreme("max" if which == "larger" else "min", [of(part) for part in parts])
            case ("some" | "none" | "every" as how, source, name, inner):
                values = each(source, name, inner)
                return any(values) if how == "some" else all(values) if how == "every" else not any(values)
            case ("some", source):
                return bool(of(source))
            case ("walk", function, source, goal, letter, onward, cost, limit, condition, until):

                def at(place: Any, inner: Meaning) -> Any:
                    return self.value(inner, {**members, letter: place})

                ways = _ways(
                    of(source),
                    lambda place: at(place, onward),
                    lambda place: condition is None or at(place, condition),
                    lambda place: 1 if cost is None else max(0, at(place, cost)),
                    None if limit is None else of(limit),
                    lambda place: until is not None and at(place, until),
                )
                if function == "reach":
                    return tuple(way[-1] for _, way in ways)
                if function == "ray":
                    return tuple(way[-1] for _, way in ways if len(way) > 1)
                found_way = next(((total, way) for total, way in ways if way[-1] == of(goal)), None)
                if function == "distance":
                    return None if found_way is None else found_way[0]
                return () if found_way is None else found_way[1]
            case _:
                return self.reckoned(meaning, members)

    def reckoned(self, meaning: Meaning, members: Members) -> Any:
        tag, *parts = meaning
        if tag == "if":
            return self.value(parts[1] if self.value(parts[0], members) else parts[2], members)
        if tag == "cases":
            for condition, then in parts[0]:
                if self.value(condition, members):
                    return self.value(then, members)
            return self.value(parts[1], members)
        if tag == "else":
            found = (self.value(part, members) for part in parts)
            return next((each for each in found if each is not None), None)
        if tag in ("compare", "place"):
            return _compared(parts[0], *(_ranked(self.value(part, members), tag) for part in parts[1:]))
        if tag in ("and", "or"):
            found_ = [self.value(part, members) for part in parts]
            return all(found_) if tag == "and" else any(found_)
        values = [self.value(part, members) for part in parts]
        match tag, values:
            case "plus" | "sum of", _:
                return sum(values)
            case "less", (left, right):
                return left - right
            case "minus", (one,):
                return -one
            case "times", (left, right):
                return left * right
            case "divided", (left, right):
                return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            case "remainder", (left, right):
                return left % right
            case "next", (one, around):
                if not around:
                    return one
                return around[(around.index(one) + 1) % len(around)] if one in around else around[0]
            case "not", (one,):
                return not one
            case "there", (one,):
                return one is not None
            case "same" | "alike", (left, right):
                return left == right
            case "unlike", (left, right):
                return left != right
            case "in", (one, several):
                return one in several
        raise ValueError(f"nothing is known of {tag}")

    def field(self, entity: Any, name: str) -> Any:
        if isinstance(entity, tuple):
            return entity[("bidder", "amount", "lot").index(name)]
        if entity in SIZES:
            return {"price": PRICE, "shade": SHADE}[name][entity]
        if name == "trees":
            return tuple(tree for tree in self.state.objects("tree") if self.state.things[tree]["owner"] == entity)
        if name == "wood":
            return tuple(tree for tree in self.field(entity, "trees") if self.state.things[tree]["ripe"])
        own = self.state.things[entity]
        if name == "worth":
            return own["fruit"] + PRICE[own["size"]]
        if name == "old":
            return own["fruit"] > 3
        return own[name]

    def near(self, tree: int, who: Any) -> bool:
        own = self.state.things[tree]
        return bool(own["ripe"] and who in (own["owner"], own["gardener"]))

    def key(self, key: Meaning, members: Members) -> Any:
        return _ranked(self.value(key, members), "place")


Costly = list[tuple[int, tuple[Any, ...]]]


def _ways(starts: Any, onward: Any, enters: Any, costs: Any, limit: int | None, ends: Any) -> Costly:
    """Return what each place that is reached costs, and the way there: the cheapest place that is left goes on next."""
    waiting = [(0, (start,)) for start in dict.fromkeys(starts)]
    seen, done = set(dict.fromkeys(starts)), []
    while waiting:
        total, way = next_one = min(waiting, key=lambda each: each[0])
        waiting.remove(next_one)
        done.append(next_one)
        for place in () if len(way) > 1 and ends(way[-1]) else onward(way[-1]):
            if place not in seen:
                seen.add(place)
                if enters(place) and (limit is None or total + costs(place) <= limit):
                    waiting.append((total + costs(place), (*way, place)))
    return done


def _ranked(value: Any, tag: str) -> Any:
    return SIZES.index(value) if tag == "place" and value in SIZES else value


def _extreme(which: str, values: list[Any]) -> Any:
    """Of nothing, the highest number is 0 and the highest row the first: the rules of the language say so."""
    if not values:
        return 0
    return (max if which == "max" else min)(values, key=lambda one: _ranked(one, "place"))


def _compared(operator: str, left: Any, right: Any) -> bool:
    match operator:
        case "==":
            return bool(left == right)
        case "!=":
            return bool(left != right)
        case "<":
            return bool(left < right)
        case "<=":
            return bool(left <= right)
        case ">":
            return bool(left > right)
    return bool(left >= right)
