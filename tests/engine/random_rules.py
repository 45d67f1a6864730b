"""Small rulesets at random: a garden, in which procedures of every verb do whatever may be done.

Most are sound; the few that are not are thrown away by the test that asks for them. Everything is drawn from
Hypothesis, so that what fails shrinks to a ruleset of a few steps.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.ruleset.ruleset import Ruleset
from tests.language.inline import checked

Draw = st.DrawFn

GARDEN: dict[str, Any] = {
    "tables": {
        "weather": {"roll": "1d6", "rows": {"rain": "1-2", "sun": "3-6"}},
        "sizes": {
            "columns": {
                "price": "int",
                "roll": "dice",
                "copies": {"type": "int", "default": 1},
                "value": {"type": "int", "given": {"who": "player", "n": "int"}, "default": "self.price + n"},
            },
            "rows": {
                "small": {"price": 1, "roll": "1d6", "copies": 2, "value": "count(trees) if who.score > n else n"},
                "middling": {"price": 3, "roll": "2d6 +1", "value": "who.score - self.rank"},
                "large": {"price": 7, "roll": "1d4 -2", "copies": 1},
            },
        },
    },
    "kinds": {
        "player": {
            "fields": {
                "score": {"type": "count", "default": 3},
                "luck": {"type": "int", "seen_by": "self"},
                "friend": "optional player",
                "hand": {"type": "list of sizes", "seen_by": "self"},
                "thrown": "list of sizes",
                "stock": {"type": "map of sizes to count", "default": {"small": 2, "large": 1}, "seen_by": "self"},
            }
        },
        "tree": {
            "fields": {
                "owner": "optional player",
                "size": {"type": "sizes", "default": "small"},
                "height": "int",
                "apples": "count",
                "twin": "optional tree",
                "harvest": {"type": "dice", "default": "1d6", "seen_by": "self.owner"},
            },
            "derived": {"worth": "self.height * self.size.price", "gift": "self.harvest + self.size.roll"},
        },
    },
    "state": {
        "turn": "int",
        "storm": "bool",
        "sky": {"type": "weather", "default": "sun"},
        "pile": "list of tree",
        "used": "list of sizes",
        "favourite": "optional tree",
        "days": "map of weather to int",
        "best": "map of sizes to optional tree",
        "seen": "map of weather to bool",
        "last": "optional deed",
        "deeds": "list of deed",
        "sights": "list of sight",
        "sight_now": "optional sight",
    },
    "records": {
        "deed": {"parts": {"who": "player", "size": "sizes", "many": "int", "on": "optional tree", "done": "bool"}},
        "sight": {"parts": {"days": "map of weather to int", "seen": "map of weather to bool", "turn": "int"}},
    },
    "options": {"mode": {"choices": {"calm": "Calm", "wild": "Wild"}, "default": "calm", "may_change": "vote"}},
    "decks": {
        "seeds": {"of": "sizes", "copies": "copies"},
        "pack": {"of": "sizes", "copies": "copies", "ordered": True, "discard": "used"},
        "bag": {"of": "sizes", "copies": "copies", "each": "player", "ordered": True, "discard": "thrown"},
        "nest": {"of": "sizes", "copies": "copies", "each": "tree", "filled_by_rules": True},
    },
    "formulas": {
        "twice": {"given": {"n": "int"}, "is": "n * 2"},
        "taller": {"given": {"t": "tree", "than": "int"}, "is": "t.height > than"},
    },
}

TEND: dict[str, Any] = {
    "given": {"many": "int"},
    "gives": {"grown": "count(trees)"},
    "steps": [
        {"id": "sighted", "set": {"sights": "sights + [sight(days, seen, 2)]", "sight_now": "last(sights)"}},
        {"id": "grown", "set": {"turn": "many", "days[sun]": "days[rain] + 1", "storm": "not storm"}},
        {"id": "gone", "when": "favourite", "remove": "favourite"},
        {"id": "forgotten", "set": {"favourite": "none", "pile": "[]"}},
        {"id": "planted", "create": "tree", "with": {"height": "turn"}},
        {
            "id": "all_trees",
            "for_each": "each",
            "in": "trees",
            "steps": [{"id": "taller", "when": "each.height < 3", "set": {"each.height": "each.height + many"}}],
        },
    ],
}
"""A procedure that never pauses, for questions about what is so after it."""


@dataclass
class Scope:
    """The names in reach, by type, and those known to be there."""

    names: dict[str, str]
    changeable: frozenset[str] = frozenset()
    quantified: int = 0

    def of(self, *types: str) -> list[str]:
        return [name for name, kind in self.names.items() if kind in types]

    def binding(self, name: str, kind: str, *, changeable: bool = False) -> Scope:
        more = {name} if changeable else set()
        return Scope({**self.names, name: kind}, self.changeable | more, self.quantified)

    def quantifying(self, kind: str) -> tuple[str, Scope]:
        """Return a variable of a quantifier: a name that may hide one further out."""
        name = f"q{self.quantified % 2}"
        return name, Scope({**self.names, name: kind}, self.changeable, self.quantified + 1)


@dataclass
class Writer:
    """One ruleset while it is written."""

    draw: Draw
    ids: int = 0
    procedures: dict[str, dict[str, Any]] = field(default_factory=dict)
    gives: dict[str, dict[str, str]] = field(default_factory=dict)
    callable: list[str] = field(default_factory=list)
    cells: dict[str, dict[str, Any]] = field(default_factory=dict)
    runs_rows: bool = False
    loops: list[str] = field(default_factory=list)
    """The loops around the step that is being written."""

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def small(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def chance(self, of: int) -> bool:
        """Once in `of` times; shrinks to never."""
        return self.draw(st.integers(0, of - 1)) == of - 1

    # -- expressions -------------------------------------------------------------------------

    def number(self, scope: Scope, depth: int) -> str:
        leaves = [str(self.small(-2, 9)), "turn", "count(trees)", "count(players)", *scope.of("int")]
        leaves += [
            f"{name}.{part}" for name in scope.of("tree") for part in ("height", "apples", "worth", "size.price")
        ]
        leaves += [f"{name}.{part}" for name in scope.of("player") for part in ("score", "luck")]
        leaves += [f"{name}.{part}" for name in scope.of("row") for part in ("price", "rank")]
        leaves += [f"{name}.stock[{self.pick('small', *scope.of('row'))}]" for name in scope.of("player")]
        leaves += [f"days[{self.pick('sky', 'rain')}]", *(f"{name}[sky]" for name in scope.of("map"))]
        leaves += [f"{name}.many" for name in scope.of("deed")]
        leaves += [
            "sum(d.many for d in deeds)",
            "(last.many if last else 2)",
            "count(deeds)",
            "count(s for s in sights if s == sight(days, seen, 1))",
            "(sight_now.days[rain] if sight_now else 1)",
            "seeds.left",
            "pack.left",
            *(f"{name}.bag.left" for name in scope.of("player")),
            *(f"{name}.nest.left" for name in scope.of("tree")),
        ]
        leaves += [f"({name} or 4)" for name in scope.of("optional int")]
        leaves += [f"{name}[{who}]" for name in scope.of("by player") for who in scope.of("player")]
        if depth <= 0 or self.chance(2):
            return self.pick(*leaves)

        def a() -> str:
            return self.number(scope, depth - 1)

        match self.small(0, 10):
            case 0:
                return f"({a()} {self.pick('+', '-')} {a()})"
            case 1:
                return f"({a()} * {a()})"
            case 2:
                by = self.pick("2", "3", "-2", f"max(1, {a()})", a())
                text = f" if {by} {self.pick('!=', '>', '<')} 0 else {a()}"
                return f"({a()} {self.pick('/', '%')} {by}{text})"
            case 3:
                return f"{self.pick('max', 'min')}({a()}, {a()})"
            case 4:
                return f"({a()} if {self.question(scope, depth - 1)} else {a()})"
            case 5:
                if self.chance(2):
                    return f"twice({a()})"
                return f"{self.row(scope, depth - 1)}.value({self.player(scope)}, {a()})"
            case 6:
                return f"-{a()}"
            case 7:
                return self.quantified(scope, depth, self.pick("sum", "max", "min"), "int")
            case 8:
                return self.quantified(scope, depth, "count", self.pick("int", "tree"))
            case 9:
                trees = scope.of("tree")
                if trees:
                    return f"({self.maybe_tree(scope, depth - 1)} or {self.pick(*trees)}).height"
        if scope.of("tree") and self.chance(2):
            name, inner = scope.quantifying("tree")
            return f"(distance({self.walk(name, inner, 1)} to {self.pick(*scope.of('tree'))}) or {a()})"
        return f"sum([{a()}, {a()}])"

    def question(self, scope: Scope, depth: int) -> str:
        leaves = [
            "storm",
            "turn % 2 == 0",
            "options.mode == calm",
            "sky == rain",
            "true",
            "any(trees)",
            "seen[sky]",
            "best[large] and best[large].height > 2",
            *(f"best[{name}]" for name in scope.of("row")),
            *(f"{name} == days" for name in scope.of("map")),
            *scope.of("bool"),
            "last and last.on",
            "last in deeds",
            "sight(days, seen, 2) in sights",
            "sight_now and sight_now.seen[sky]",
            "sight_now and sight_now.days == days",
            *(part for name in scope.of("deed") for part in (f"{name}.done", f"{name} == last", f"{name} in deeds")),
        ]
        leaves += [f"{name}.{part}" for name in scope.of("tree") for part in ("owner", "twin")]
        if depth > 0 and self.chance(4):
            after = Scope({name: kind for name, kind in scope.names.items() if "tree" not in kind})
            leaves += [f"after(tend({self.number(scope, 0)}), {self.question(after, depth - 1)})"] * 8
        leaves += [name for name, kind in scope.names.items() if kind.startswith("optional ") and "bool" not in kind]
        leaves += [f"{name} in pile" for name in scope.of("tree")]
        leaves += [f"{name}.owner and {name}.owner.score > 2" for name in scope.of("tree")]
        leaves += [f"{name} {self.pick('==', '!=', '<', '>=')} middling" for name in scope.of("row")]
        leaves += [f"{name} == one" for name in scope.of("choice", "optional choice")]
        if depth <= 0 or self.chance(2):
            return f"({self.pick(*leaves)})"
        match self.small(0, 5):
            case 0:
                operator = self.pick("<", "<=", "==", "!=", ">", ">=")
                return f"({self.number(scope, depth - 1)} {operator} {self.number(scope, depth - 1)})"
            case 1:
                operator = self.pick("and", "or")
                return f"({self.question(scope, depth - 1)} {operator} {self.question(scope, depth - 1)})"
            case 2:
                return f"(not {self.question(scope, depth - 1)})"
            case 3:
                return self.quantified(scope, depth, self.pick("any", "none", "all"), "bool")
            case 4:
                return f"({self.number(scope, depth - 1)} {self.pick('in', 'not in')} [1, 3, {self.small(0, 5)}])"
        return self.quantified(scope, depth, self.pick("any", "none"), "tree")

    def quantified(self, scope: Scope, depth: int, function: str, kind: str) -> str:
        source, inside = self.pick(("trees", "tree"), ("pile", "tree"), ("sizes", "row"), ("players", "player"))
        if kind == "tree":
            source, inside = self.pick(("trees", "tree"), (self.trees(scope, depth - 1), "tree"))
        name, inner = scope.quantifying(inside)
        element = {"int": self.number, "bool": self.question}.get(kind, lambda *_: name)(inner, depth - 1)
        if self.chance(4):
            other, inner = inner.quantifying("int")
            source = f"{source} for {other} in [{self.number(scope, 0)}, 2]"
            element = {"int": self.number, "bool": self.question}.get(kind, lambda *_: name)(inner, depth - 1)
        where = f" if {self.question(inner, depth - 1)}" if self.chance(2) else ""
        return f"{function}({element} for {name} in {source}{where})"

    def trees(self, scope: Scope, depth: int) -> str:
        leaves = ["trees", "pile", *scope.of("trees")]
        if depth <= 0 or self.chance(2):
            return self.pick(*leaves)
        name, inner = scope.quantifying("tree")
        by = f" by {self.number(inner, depth - 1)}" if self.chance(2) else ""
        where = f" if {self.question(inner, depth - 1)}" if self.chance(2) else ""
        return self.pick(
            f"list({name} for {name} in {self.pick(*leaves)}{where}{by})",
            f"({self.pick(*leaves)} {self.pick('+', '-')} {self.pick(*leaves)})",
            f"({self.pick(*leaves)} - {self.pick(*leaves)} + {self.pick('[]', *scope.of('tree'))})",
            f"{self.pick('first', 'last')}({self.number(scope, 0)}, {self.pick(*leaves)})",
            f"rotate({self.number(scope, 0)}, {self.pick(*leaves)})",
            f"distinct({name} for {name} in {self.pick(*leaves)} + {self.pick(*leaves)}{where}{by})",
            f"flatten([{self.pick(*leaves)}, {self.pick(*leaves)}])",
            f"list({name} for w in {self.pick(*leaves)} for {name} in {self.pick('[w]', *leaves)}{where})",
            f"list({name} for {name} in {self.pick(*leaves)} by -{name}.size)",
            f"{self.pick('reach', 'ray')}({self.walk(name, inner, depth)})",
            f"flatten(groups({self.onward(name)} for {name} in {self.pick('trees', 'pile')}{where}))",
            *(f"path({self.walk(name, inner, depth)} to {goal})" for goal in scope.of("tree")),
        )

    def walk(self, name: str, inner: Scope, depth: int) -> str:
        """Return how a walk goes on from tree to tree."""
        onward = self.onward(name)
        where = f" if {self.question(inner, depth - 1)}" if self.chance(2) else ""
        by = f" by {self.number(inner, depth - 1)}" if self.chance(2) else ""
        within = f" within {self.small(-1, 9)}" if self.chance(2) else ""
        until = f" until {self.question(inner, depth - 1)}" if self.chance(3) else ""
        return f"{onward} for {name} in {self.pick('trees', 'pile')}{where}{until}{by}{within}"

    def onward(self, name: str) -> str:
        """Return where a walk goes on to from a tree."""
        return self.pick(f"{name}.twin", f"list(y for y in trees if y.height > {name}.height)")

    def maybe_tree(self, scope: Scope, depth: int) -> str:
        leaves = ["first(trees)", "last(trees)", "favourite", "best[middling]", *scope.of("optional tree")]
        leaves += [f"{name}.twin" for name in scope.of("tree")]
        leaves += [f"{name}.on" for name in scope.of("deed")]
        if depth <= 0 or self.chance(2):
            return self.pick(*leaves)
        if self.chance(3):
            return f"({self.maybe_tree(scope, depth - 1)} or {self.maybe_tree(scope, depth - 1)})"
        name, inner = scope.quantifying("tree")
        by = f" by {self.number(inner, depth - 1)}" if self.chance(2) else ""
        where = f" if {self.question(inner, depth - 1)}"
        return f"{self.pick('first', 'last')}({name} for {name} in {self.trees(scope, depth - 1)}{where}{by})"

    def player(self, scope: Scope) -> str:
        players = [*scope.of("player"), *(f"{name}.who" for name in scope.of("deed"))]
        players += ["first(players)", "last(players)"]
        return self.pick(
            *players,
            *(f"{self.pick('next', 'previous')}({name}{around})" for name in players for around in ("", ", players")),
        )

    def row(self, scope: Scope, depth: int) -> str:
        leaves = [
            "sizes.small",
            "sizes.large",
            *scope.of("row"),
            *(f"{name}.size" for name in scope.of("tree", "deed")),
        ]
        if depth <= 0 or self.chance(2):
            return self.pick(*leaves)
        name, _ = scope.quantifying("tree")
        return self.pick(
            f"({self.pick('next', 'previous')}({self.pick(*leaves)}) or sizes.small)",
            f"first({name}.size for {name} in trees + [{self.pick(*scope.of('tree'))}])"
            if scope.of("tree")
            else "last(sizes)",
            f"previous({self.pick(*leaves)}, list({name}.size for {name} in {self.trees(scope, 0)}))",
            f"max({name}.size for {name} in {self.trees(scope, 0)})",
            f"min({self.pick(*leaves)}, {self.pick(*leaves)})",
            f"({self.pick(*leaves)} if {self.question(scope, 0)} else sizes.middling)",
        )

    def dice(self, scope: Scope, depth: int) -> str:
        leaves = ["1d6", "2d4 +1", "1d6 - 1d4", *(f"{name}.roll" for name in scope.of("row"))]
        leaves += [f"{name}.{part}" for name in scope.of("tree") for part in ("harvest", "gift")]
        if depth <= 0 or self.chance(2):
            return self.pick(*leaves)
        a = self.pick(*leaves)
        small = f"{self.number(scope, 0)} % 3"
        return self.pick(
            f"({a} + {self.number(scope, 0)})",
            f"({a} - {self.pick(*leaves)})",
            f"({small}) * {a}",
            f"each({small}, {a})",
            f"({a} if {self.question(scope, 0)} else {self.small(0, 5)}) + {self.small(0, 2)}",
            "sum(t.harvest for t in trees)",
        )

    def of_type(self, kind: str, scope: Scope, depth: int) -> str:
        match kind:
            case "int":
                return self.number(scope, depth)
            case "bool":
                return self.question(scope, depth)
            case "tree":
                return self.pick(*scope.of("tree"))
            case "optional tree":
                return self.pick(self.maybe_tree(scope, depth), "none")
            case "trees":
                return self.trees(scope, depth)
            case "row":
                return self.row(scope, depth)
            case "player":
                return self.player(scope)
            case "map":
                return self.pick("days", *scope.of("map"))
            case "deed":
                return self.deed(scope, depth)
            case "sights" | "optional sight":
                number = self.number(scope, 0)
                return "last(sights)" if kind != "sights" else f"sights + [sight(days, seen, {number})]"
            case "deeds":
                return self.deeds(scope)
            case "optional deed":
                return self.pick("none", "last", "first(deeds)", self.deed(scope, depth))
        return self.dice(scope, depth)

    def deed(self, scope: Scope, depth: int) -> str:
        """Return a record, made or at hand."""
        parts = (
            self.player(scope),
            self.row(scope, 0),
            self.number(scope, depth - 1),
            self.pick("none", self.maybe_tree(scope, 0)),
            self.question(scope, 0),
        )
        return self.pick(f"deed({', '.join(parts)})", *scope.of("deed"))

    def deeds(self, scope: Scope) -> str:
        name, inner = scope.quantifying("deed")
        where = f" if {self.question(inner, 0)}" if self.chance(2) else ""
        return self.pick(
            "deeds",
            f"deeds + [{self.deed(scope, 0)}]",
            f"list({name} for {name} in deeds{where} by {name}.many)",
            "list(deed(q, sizes.large, q.score, none, storm) for q in players)",
            "list(deed(first(players) or q.owner, q.size, q.height, q, true) for q in trees if q.owner)",
        )

    # -- steps -------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        self.ids += 1
        return f"{prefix}{self.ids}"

    def block(self, scope: Scope, depth: int, most: int = 4) -> list[dict[str, Any]]:
        steps = []
        for _ in range(self.small(0, most)):
            step, scope = self.step(scope, depth)
            steps.append(step)
        if self.chance(2):
            steps.append({"id": self.fresh("turn"), "set": {"turn": "turn + 1"}})
        return steps

    def step(self, scope: Scope, depth: int) -> tuple[dict[str, Any], Scope]:
        simple = [
            "let",
            "set",
            "gain",
            "pay",
            "create",
            "remove",
            "choose",
            "roll",
            "draw",
            "show",
            "stop",
            "do",
            "finish",
        ]
        simple += ["put", "reshuffle"]
        verb = self.pick(*simple, *(["if", "steps", "for_each", "repeat"] * 3 if depth > 0 else []))
        identity = self.fresh(verb)
        around = self.loops
        if verb in ("for_each", "repeat"):
            self.loops = [*around, identity]
        made, bound, changeable = getattr(self, f"_{verb}")(scope, depth)
        self.loops = around
        step = {"id": identity, **made}
        if bound and self.chance(3):
            places = {
                "int": ["turn", *(f"{name}.luck" for name in scope.of("player"))],
                "optional tree": ["favourite"],
                "tree": ["favourite", *(f"{name}.twin" for name in scope.of("tree"))],
                "row": [f"{name}.size" for name in scope.of("tree")],
                "sky": ["sky"],
                "optional deed": ["last"],
                "trees": ["pile"],
            }
            if places.get(bound):
                step["into"] = self.pick(*places[bound])
        if verb in ("choose", "roll", "draw") and "as" not in made.get("choose", ()) and self.chance(3):
            step["seen_by"] = self.seers(scope)
        if (self.chance(3) or verb in ("stop", "finish")) and "when" not in step:
            step["when"] = self.question(scope, 1)
        if "when" in step and bound and bound != "gives" and not bound.startswith("optional "):
            bound = f"optional {bound}"
        if bound == "gives":
            for name, kind in self.gives[made["do"]].items():
                kind = f"optional {kind}" if "when" in step and not kind.startswith("optional ") else kind
                scope = scope.binding(f"{identity}.{name}", kind)
        elif bound:
            scope = scope.binding(identity, bound, changeable=changeable)
        return step, scope

    def _let(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        kind = self.pick("int", "bool", "optional tree", "trees", "row", "dice", "map", "deed")
        data: dict[str, Any] = {"let": self.of_type(kind, scope, 2)}
        if kind in ("optional tree", "dice", "trees"):
            data["type"] = {"trees": "list of tree"}.get(kind, kind)
        if kind == "deed" and self.chance(2):
            parts = {"who": self.player(scope), "size": self.row(scope, 0), "many": self.number(scope, 1)}
            data = {"let": parts, "type": "deed"}
        if kind == "map" and self.chance(2):
            data = {"let": {"rain": self.number(scope, 1)}, "type": "map of weather to int"}
        return data, kind, True

    def _set(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        places = {"turn": "int", "storm": "bool", "pile": "trees", "favourite": "optional tree", "days": "map"}
        places |= {"days[sky]": "int", "days[sun]": "int", "best[large]": "optional tree", "seen[rain]": "bool"}
        places |= {"last": "optional deed", "deeds": "deeds", "sights": "sights", "sight_now": "optional sight"}
        places |= {f"{name}.stock[{row}]": "int" for name in scope.of("player") for row in scope.of("row")}
        for name in scope.of("tree"):
            fields = {"height": "int", "apples": "int", "size": "row", "harvest": "dice", "twin": "optional tree"}
            places |= {f"{name}.{part}": kind for part, kind in fields.items()}
        places |= {f"{name}.luck": "int" for name in scope.of("player")}
        for name in scope.changeable:
            kind = scope.names[name]
            places[name] = kind if kind == "optional tree" else kind.removeprefix("optional ")
            if kind == "map":
                places |= {f"{name}[sky]": "int", f"{name}[rain]": "int"}
        chosen = self.draw(st.lists(st.sampled_from(sorted(places)), min_size=1, max_size=2, unique=True))
        return {"set": {place: self.of_type(places[place], scope, 2) for place in chosen}}, "", False

    def _gain(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        rows = [f"stock[{row}]" for row in ("small", "large", *scope.of("row"))]
        named = self.pick(("score",), ("luck",), ("score", "luck"), (self.pick(*rows),), (*rows,))
        amounts = {name: self.number(scope, 1) for name in named}
        return {"gain": {"who": self.player(scope), **amounts}}, "", False

    def _pay(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        what = self.pick("score", "stock[small]", *(f"stock[{row}]" for row in scope.of("row")))
        return {"pay": {"who": self.player(scope), what: self.pick("1", "2", self.number(scope, 0))}}, "", False

    def _create(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        fields = {
            "height": self.number(scope, 1),
            "owner": self.player(scope),
            "size": self.row(scope, 1),
            "apples": self.number(scope, 0),
            "harvest": self.dice(scope, 1),
        }
        chosen = self.draw(st.lists(st.sampled_from(sorted(fields)), max_size=3, unique=True))
        return {"create": "tree", "with": {name: fields[name] for name in chosen}}, "tree", False

    def _remove(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        trees = scope.of("tree")
        if trees and self.chance(2):
            name = self.pick(*trees)
            others = f"list(q for q in trees if q != {name})"
            return (
                {"remove": self.pick(name, others, f"list(q for q in {self.trees(scope, 0)} if q == {name})")},
                "",
                False,
            )
        maybe = scope.of("optional tree")
        if maybe:
            name = self.pick(*maybe)
            return {"remove": name, "when": name}, "", False
        return {"remove": self.trees(scope, 1)}, "", False

    def _choose(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        who = self.player(scope)
        if self.chance(5):
            return self._together(scope)
        match self.small(0, 4):
            case 0:
                return {"choose": {"who": who, "from": ["one", "two"]}}, "choice", False
            case 1:
                offers = {"one": None, "two": {"when": self.question(scope, 1)}, "three": self.question(scope, 1)}
                return {"choose": {"who": who, "from": {**offers, "one": "true"}}}, "choice", False
            case 2:
                one = {"who": who, "one_of": self.trees(scope, 1), "or_none": True}
                if self.chance(3):
                    return {"choose": {**one, "or_none": False}}, "tree", False
                if self.chance(3):
                    return {"choose": {**one, "or_none": self.question(scope, 1)}}, "optional tree", False
                return {"choose": one}, "optional tree", False
            case 3 if self.chance(3):
                return {"choose": {"who": who, "one_of": self.deeds(scope), "or_none": True}}, "optional deed", False
            case 3:
                some = {"who": who, "some_of": self.trees(scope, 1), "at_most": self.small(1, 2)}
                return {"choose": some}, "trees", False
        ends = {"from": self.small(0, 1), "to": f"{self.number(scope, 0)} % 4"}
        return {"choose": {"who": who, "number": ends}}, "int", False

    def _together(self, scope: Scope) -> tuple[dict[str, Any], str, bool]:
        """Return a step at which several players choose at the same time."""
        name = self.fresh("one")
        inner = scope.binding(name, "player")
        who = self.pick("players", "players", f"list(q for q in players if {self.question(scope, 0)})")
        form: dict[str, Any] = self.pick(
            {"number": {"from": 0, "to": f"{name}.score % 4"}},
            {"one_of": self.trees(inner, 1), "or_none": True},
            {"some_of": "sizes", "at_most": 2},
            {"from": {"one": "true", "two": self.question(inner, 0)}},
        )
        kind = "by player" if who == "players" and "number" in form else "unused"
        return {"choose": {"who": who, "as": name, **form}}, kind, False

    def _roll(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        if self.chance(3):
            return {"roll": "weather"}, "sky", False
        if self.chance(4):
            several = {"roll": self.pick("weather", self.dice(scope, 1)), "count": f"{self.number(scope, 0)} % 3"}
            return {**several, **self.pick({}, {"in_order": True})}, "unused", False
        return {"roll": self.dice(scope, 1)}, "int", False

    def _draw(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        if self.chance(2):
            several = self.pick({}, {"count": 1}, {"count": f"count(trees) % {self.small(1, 3)}"})
            if self.chance(4):
                return {"draw": {"one_of": self.trees(scope, 1)}, **several}, "unused", False  # perhaps from nothing
            drawn = {"draw": {"one_of": self.pick("trees", "[1, 2, 5]")}, "when": "any(trees)", **several}
            return drawn, "unused", False
        if self.chance(2):
            made = {"draw": self.deck(scope), "count": f"{self.number(scope, 0)} % 3"}
            return {**made, **self.pick({}, {"in_order": True})}, "rows", False
        return {"draw": self.deck(scope)}, "row", False

    def deck(self, scope: Scope, *more: str) -> str:
        """Return a deck, which for several players or trees is one of their own. `more` are decks besides."""
        bags = [f"{name}.bag" for name in scope.of("player")]
        return self.pick("pack", *bags, *(more or ("seeds", *(f"{name}.nest" for name in scope.of("tree")))))

    def _put(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        cards = self.pick("used", self.row(scope, 0), *scope.of("rows"))
        if self.chance(3):
            piles = [f"{name}.{part}" for name in scope.of("player") for part in ("thrown", "hand")]
            pile = self.pick("used", *piles)
            return {"set": {pile: f"{pile} + {self.pick('[sizes.small]', *scope.of('rows'))}"}}, "", False
        ordered = self.deck(scope, "pack")
        where = self.pick({"onto": ordered}, {"under": ordered}, {"into": self.deck(scope)})
        return {"put": {"cards": cards, **where}}, "", False

    def _reshuffle(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        added = self.pick({}, {"adding": "used"}, {"adding": self.row(scope, 0)})
        deck = self.deck(scope, "pack")
        removed = self.pick({}, {}, {"removing": self.pick(f"first(2, {deck}.cards)", self.row(scope, 0))})
        return {"reshuffle": deck, **added, **removed}, "", False

    def seers(self, scope: Scope) -> str:
        others = f"list(q for q in players if {self.question(scope, 0)})"
        return self.pick("nobody", "everybody", self.player(scope), others)

    def _show(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        what = self.pick(f"{self.player(scope)}.luck", *(f"{name}.harvest" for name in scope.of("tree")))
        return {"show": {"what": what, "to": self.seers(scope)}}, "", False

    def _stop(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        return {"stop": self.pick(True, *self.loops, *self.loops)}, "", False

    def _finish(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        return {"finish": {"winners": self.pick("players", "[]", f"[{self.player(scope)}]")}}, "", False

    def _do(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        if self.runs_rows and self.chance(2):
            row = f"{self.row(scope, 1)}.effect"
            self.gives[row] = {"number": "optional int"}
            return {"do": row, "with": {"p": self.player(scope)}}, "gives", False
        if not self.callable:
            return self._let(scope, depth)
        name = self.pick(*self.callable)
        given = self.procedures[name].get("given", {})
        arguments = {}
        for parameter, kind in given.items():
            kind = {"list of tree": "trees"}.get(kind, kind)
            arguments[parameter] = self.of_type(kind, scope, 1)
        return {"do": name, "with": arguments}, "gives" if self.gives[name] else "", False

    def _if(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        by_text = {"if": self.question(scope, 2), "then": self.block(scope, depth - 1)}
        if self.chance(2):
            by_text["else"] = self.block(scope, depth - 1)
        return by_text, "", False

    def _steps(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        maybe = scope.of("optional tree")
        if maybe and self.chance(2):
            name = self.pick(*maybe)
            return {"when": name, "steps": self.block(self.narrowed(scope, name), depth - 1)}, "", False
        return {"steps": self.block(scope, depth - 1)}, "", False

    def narrowed(self, scope: Scope, name: str) -> Scope:
        # What a step inside changes is no longer known; that makes a few of the rulesets unsound.
        return Scope({**scope.names, name: "tree"}, scope.changeable - {name}, scope.quantified)

    def _for_each(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        source, kind = self.pick(
            (self.trees(scope, 1), "tree"),
            ("sizes", "row"),
            (f"[{self.number(scope, 0)}, 2]", "int"),
            ("players", "player"),
            (self.deeds(scope), "deed"),
        )
        name = self.fresh("each")
        inner = scope.binding(name, kind)
        return {"for_each": name, "in": source, "steps": self.block(inner, depth - 1)}, "", False

    def _repeat(self, scope: Scope, depth: int) -> tuple[dict[str, Any], str, bool]:
        loop: dict[str, Any] = {"steps": self.block(scope, depth - 1)}
        if self.chance(2):
            loop[self.pick("while", "until")] = self.question(scope, 1)
        bound = self.pick("at_most", "at_most", "ends_within") if len(loop) > 1 else "at_most"
        if self.chance(3):
            # A round may remove what its bound was read from.
            return {"repeat": {**loop, bound: "favourite.size.price % 4"}, "when": "favourite"}, "", False
        loop[bound] = self.pick("3", "2", f"{self.number(scope, 0)} % 4")
        return {"repeat": loop}, "", False

    # -- the whole -----------------------------------------------------------------------------

    def procedure(self, name: str, given: dict[str, str], depth: int, most: int) -> None:
        self.callable = list(self.procedures)
        scope = Scope({parameter: {"list of tree": "trees"}.get(kind, kind) for parameter, kind in given.items()})
        steps = []
        for _ in range(self.small(1, most)):
            step, scope = self.step(scope, depth)
            steps.append(step)
        data: dict[str, Any] = {"given": given, "steps": steps}
        stopped = '"stop": true' in json.dumps(steps)
        gives: dict[str, str] = {}
        if not stopped and self.chance(2):
            gives = {"number": "int", "tree": "optional tree"}
            data["gives"] = {part: self.of_type(kind, scope, 1) for part, kind in gives.items()}
        self.procedures[name] = data
        self.gives[name] = gives

    def effects(self) -> dict[str, Any]:
        """Return the table of sizes with steps of some of its rows, which call the procedures so far."""
        self.callable = list(self.procedures)
        table: dict[str, Any] = json.loads(json.dumps(GARDEN["tables"]["sizes"]))
        table["columns"]["effect"] = {"steps": {"given": {"p": "player"}, "gives": {"number": "optional int"}}}
        for row, cells in table["rows"].items():
            if self.chance(4):
                continue
            scope = Scope({"p": "player", "self": "row"})
            steps = self.block(scope, 1, 3)
            if self.chance(2):
                steps.append({"id": "number", "let": self.number(scope, 1)})
            if steps:
                cells["effect"] = steps
                self.cells[f"sizes.{row}.effect"] = {"given": {"p": "player"}, "steps": steps}
        return table

    def exceptions(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        several = [*enumerate(self.procedures.items()), *((0, each) for each in self.cells.items())]
        for place, (name, procedure) in several:
            self.callable = list(self.procedures)[:place]
            self.runs_rows = bool(self.cells) and name == "main"
            given = {
                parameter: {"list of tree": "trees"}.get(kind, kind) for parameter, kind in procedure["given"].items()
            }
            scope = Scope(given)
            targets = [s["id"] for s in _all_steps(procedure["steps"]) if not _binds(s)]
            for target in targets:
                if not self.chance(4):
                    continue
                for _ in range(self.small(1, 2)):
                    special = {"to": f"{name}.{target}", "when": self.question(scope, 1), "means": "A special case."}
                    if self.chance(2):
                        special["instead"] = self.block(scope, 1)
                    data[self.fresh("special")] = special
        return data

    def whenever(self) -> dict[str, Any]:
        """Rules that hold whenever something happens. What they watch may never happen: those are thrown away."""
        data: dict[str, Any] = {}
        steps = _all_steps(self.procedures["main"]["steps"])
        self.runs_rows = False
        given = {name: each["given"] for name, each in {**self.procedures, **self.cells}.items()}
        bodies = {name: each["steps"] for name, each in {**self.procedures, **self.cells}.items()}
        everything = [(name, step) for name, body in bodies.items() for step in _all_steps(body)]
        for _ in range(self.small(1, 2)):
            name = self.fresh("rule")
            self.callable = []
            watched: dict[str, dict[str, str]] = {}
            for _, step in everything:
                if "gain" in step:
                    watched["gains player.score"] = {"player": "player", "amount": "int"}
                if "pay" in step:
                    watched["loses player.score"] = {"player": "player", "amount": "int"}
                if "create" in step:
                    watched["creates tree"] = {"tree": "tree"}
                if "remove" in step:
                    watched["removes tree"] = {"tree": "tree"}
                if any(place.endswith(".height") for place in step.get("set", ())):
                    watched["changes tree.height"] = {"tree": "tree", "before": "int", "after": "int"}
                if "turn" in step.get("set", ()):
                    watched["changes turn"] = {"before": "int", "after": "int"}
                    watched["gains turn"] = {"amount": "int"}
            procedure, step = self.pick(*everything) if everything else ("main", {"id": "none"})
            watched[f"does {procedure}.{step['id']}"] = given[procedure]
            watched |= {"begins main": {"p": "player"}, "ends main": {"p": "player"}} if steps else {}
            what = self.pick(*watched)
            event, place = what.split()
            timings = {
                "creates": ("just_before", "then"),
                "removes": ("just_before", "instead"),
                "does": ("just_before", "then"),
            }
            timing = self.pick(*timings.get(event, ("just_before", "instead", "then")))
            if event in ("begins", "ends"):
                timing = "then"
            told = {} if what == "creates tree" and timing == "just_before" else watched[what]
            scope = Scope({key: {"list of tree": "trees"}.get(kind, kind) for key, kind in told.items()})
            rule: dict[str, Any] = {event: place}
            if self.chance(2):
                rule["when"] = self.question(scope, 1)
            if scope.of("player"):
                rule[timing] = self.block(scope, 1)
            else:
                rule[timing] = [{"id": self.fresh("turn"), "set": {"storm": "not storm"}}]
                if scope.of("tree"):
                    rule[timing].append({"id": self.fresh("set"), "set": {"tree.apples": "tree.apples + 1"}})
                if scope.of("int"):
                    rule[timing].append({"id": self.fresh("set"), "set": {"turn": self.number(scope, 1)}})
            data[name] = rule
        return data


def _all_steps(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    steps_ = []
    for step in steps:
        steps_.append(step)
        for key in ("then", "else", "steps"):
            steps_ += _all_steps(step.get(key, []))
        if "repeat" in step:
            steps_ += _all_steps(step["repeat"]["steps"])
    return steps_


def _binds(step: dict[str, Any]) -> bool:
    return any(verb in step for verb in ("let", "create", "choose", "roll", "draw", "do"))


@st.composite
def rulesets(draw: Draw, *, depth: int = 3, most: int = 8, whenever: bool = False, effects: bool = False) -> str:
    """Return the text of a rules file with the procedure `main`, which is given a player.

    With `whenever`, there are rules that hold whenever something happens in it. With `effects`, rows of a table have
    steps of their own, which it may run.
    """
    writer = Writer(draw)
    for number in range(writer.small(0, 2)):
        given = writer.pick({"p": "player"}, {"p": "player", "n": "int"}, {"p": "player", "some": "list of tree"})
        writer.procedure(f"part{number}", dict(given), depth - 1, 3)
    tables = {**GARDEN["tables"], "sizes": writer.effects()} if effects else GARDEN["tables"]
    writer.runs_rows = effects
    writer.procedure("main", {"p": "player"}, depth, most)
    if effects:
        played = {"id": "played", "do": "row.effect", "with": {"p": "p"}}
        counted = {"id": "counted", "set": {"turn": "turn + (played.number or 1)"}}
        every_row = {"id": "every_row", "for_each": "row", "in": "sizes", "steps": [played, counted]}
        writer.procedures["main"]["steps"].append(every_row)
    rules = {**GARDEN, "tables": tables, "procedures": {"tend": TEND, **writer.procedures}}
    exceptions = writer.exceptions()
    if exceptions:
        rules["exceptions"] = exceptions
    if whenever:
        rules["whenever"] = writer.whenever()
    return json.dumps(rules, indent=1)


MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, rounding: truncate, players: 2, start: game}"
FIGURES = {
    "score": "sum(p.score for p in players)",
    "trees": "count(trees)",
    "tallest": "max(t.height for t in trees)",
    "turn": "turn",
    "apples": "sum(t.apples for t in trees)",
}


def a_game_of(source: str, rounds: int = 4) -> str:
    """Rules with the procedure `main` of one player → the same with a game in which the players do it by turns."""
    rules = json.loads(source)
    rules["procedures"]["game"] = {
        "steps": [
            {
                "id": "sizes",
                "for_each": "s",
                "in": "sizes",
                "steps": [{"id": "planted", "create": "tree", "with": {"size": "s", "height": "s.rank + 1"}}],
            },
            {
                "id": "rounds",
                "repeat": {
                    "at_most": rounds,
                    "steps": [
                        {
                            "id": "one_by_one",
                            "for_each": "one",
                            "in": "players",
                            "steps": [{"id": "theirs", "do": "main", "with": {"p": "one"}}],
                        }
                    ],
                },
            },
            {"id": "end", "finish": {"winners": "list(p for p in players if p.score > 3)"}},
        ]
    }
    rules["measures"] = {name: {"is": value, "title": name, "means": name} for name, value in FIGURES.items()}
    rules["measures"]["score"]["over"] = "turn"
    return json.dumps(rules)


def build_judged_secrets(source: str) -> Ruleset:
    """Return a game of random rules in which bots have something to judge by and something to guess.

    Hypothesis draws other rules in place of those without a secret.
    """
    rules = json.loads(a_game_of(source))
    rules.setdefault("formulas", {})["standing"] = {"given": {"player": "player"}, "is": "player.score"}
    manifest = MANIFEST.replace("start: game}", "start: game, evaluate: standing}")
    ruleset, diagnostics = checked(json.dumps(rules), manifest=manifest, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    assume(find_secrets(ruleset).any)
    return ruleset
