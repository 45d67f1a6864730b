"""Expressions of the orchard, drawn at random by type, as a designer would write them."""

from __future__ import annotations

from random import Random

Names = dict[str, str]
"""Variables in reach, and what kind of thing each is."""


class Draw:
    """Draws expressions. `deep` is how many levels of nesting are left."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.bound = 0

    def any(self, deep: int) -> str:
        """Return an expression of any type."""
        return self._one(
            (self.int, self.bool, self.bool, self.tree, self.player, self.size, self.trees, self.bid), deep, {}
        )

    def _one(self, ways, deep: int, names: Names) -> str:  # type: ignore[no-untyped-def]
        return str(self.random.choice(ways)(deep, names))

    def _of(self, kind: str, names: Names) -> list[str]:
        return [name for name, its in names.items() if its == kind]

    def _binding(self, names: Names, kind: str) -> tuple[str, Names]:
        self.bound += 1
        name = f"q{self.bound % 3}"
        return name, {**names, name: kind}

    # -- numbers ---------------------------------------------------------------------------

    def int(self, deep: int, names: Names) -> str:
        """Return a number."""
        if deep <= 0:
            return self._one((self._number, self._figure, self._stored), 0, names)
        ways = (
            self._number,
            self._stored,
            self._sum,
            self._sum,
            self._product,
            self._count,
            self._total,
            self._extreme,
        )
        ways = (*ways, self._choice, self._cell, self._formula, self._divided, self._distance)
        return self._one(ways, deep - 1, names)

    def _number(self, deep: int, names: Names) -> str:
        return str(self.random.randrange(8))

    def _figure(self, deep: int, names: Names) -> str:
        return self.random.choice(("n", "m", "season", "tender.amount", "basket.left"))

    def _stored(self, deep: int, names: Names) -> str:
        if self.random.random() < 0.2:
            if self.random.random() < 0.4:
                return f"pledges[{self.player(deep - 1, names)}]"
            held = "frost" if self.random.random() < 0.5 else f"{self.player(deep - 1, names)}.crops"
            return f"{held}[{self.size(deep - 1, names)}]"
        if self.random.random() < 0.5:
            return f"{self.tree(deep - 1, names)}.{self.random.choice(('fruit', 'worth'))}"
        return f"{self.player(deep - 1, names)}.{self.random.choice(('coin', 'water'))}"

    def _sum(self, deep: int, names: Names) -> str:
        return f"({self.int(deep, names)} {self.random.choice('+-')} {self.int(deep, names)})"

    def _product(self, deep: int, names: Names) -> str:
        if self.random.random() < 0.2:
            return f"(-{self.int(deep, names)})"
        if self.random.random() < 0.1:
            squared = self.int(deep, names)
            return f"({squared} * {squared})"
        return f"({self.int(deep, names)} * {self.int(deep, names)})"

    def _divided(self, deep: int, names: Names) -> str:
        return f"({self.int(deep, names)} {self.random.choice('/%')} {self.random.randint(2, 4)})"

    def _count(self, deep: int, names: Names) -> str:
        source, kind = self._source(deep, names)
        if self.random.random() < 0.4:
            return f"count({source})"
        name, inner = self._binding(names, kind)
        return f"count({name} for {name} in {source} if {self.bool(deep, inner)})"

    def _total(self, deep: int, names: Names) -> str:
        source, kind = self._source(deep, names)
        name, inner = self._binding(names, kind)
        condition = f" if {self.bool(deep - 1, inner)}" if self.random.random() < 0.4 else ""
        function = self.random.choice(("sum", "max", "min"))
        return f"{function}({self._about(name, kind, deep, inner)} for {name} in {source}{condition})"

    def _about(self, name: str, kind: str, deep: int, names: Names) -> str:
        fields = {"tree": ("fruit", "worth", "size.price"), "player": ("coin", "water"), "bird": ("age",)}[kind]
        if kind == "player" and self.random.random() < 0.2:
            return f"count({name}.{self.random.choice(('trees', 'wood'))})"
        if self.random.random() < 0.5:
            return f"{name}.{self.random.choice(fields)}"
        return self.int(deep, names)

    def _extreme(self, deep: int, names: Names) -> str:
        parts = ", ".join(self.int(deep, names) for _ in range(self.random.randint(2, 3)))
        return f"{self.random.choice(('max', 'min'))}({parts})"

    def _choice(self, deep: int, names: Names) -> str:
        return f"({self.int(deep, names)} if {self.bool(deep, names)} else {self.int(deep, names)})"

    def _cell(self, deep: int, names: Names) -> str:
        size = self.size(deep, names)
        return self.random.choice(
            (f"{size}.price", f"sizes[{size}].shade", f"{size}.rank", f"sizes.{self._row()}.price")
        )

    def _distance(self, deep: int, names: Names) -> str:
        return f"(distance({self._walk(deep, names)} to {self.tree(deep - 1, names)}) or {self.int(deep - 1, names)})"

    def _walk(self, deep: int, names: Names) -> str:
        """From tree to tree: what a walk goes on to, where from, if what, up to what, at what cost, how far."""
        name, inner = self._binding(names, "tree")
        onward = self.random.choice((f"{name}.owner.trees", f"({name}.gardener or {name}.owner).trees"))
        walk = f"{onward} for {name} in {self.trees(deep - 1, names)}"
        if self.random.random() < 0.5:
            walk += f" if {self.bool(deep - 1, inner)}"
        if self.random.random() < 0.4:
            walk += f" until {self.bool(deep - 1, inner)}"
        if self.random.random() < 0.4:
            walk += f" by {self._about(name, 'tree', deep - 1, inner)}"
        if self.random.random() < 0.4:
            walk += f" within {self.int(deep - 1, names)}"
        return walk

    def _row(self) -> str:
        return self.random.choice(("small", "middling", "large"))

    def _formula(self, deep: int, names: Names) -> str:
        if self.random.random() < 0.5:
            return f"budget({self.player(deep, names)})"
        return f"harvest({self.tree(deep, names)}, {self.int(deep, names)})"

    # -- truth values ----------------------------------------------------------------------

    def bool(self, deep: int, names: Names) -> str:
        """Return a truth value."""
        if deep <= 0:
            return self._one((self._state, self._flag, self._compared, self._there), 0, names)
        ways = (self._state, self._flag, self._compared, self._compared, self._there, self._joined, self._joined)
        return self._one(
            (*ways, self._not, self._quantified, self._quantified, self._within, self._rest), deep - 1, names
        )

    def _state(self, deep: int, names: Names) -> str:
        return self.random.choice(("raining", "windy", "options.weather == calm", "options.weather != wild"))

    def _flag(self, deep: int, names: Names) -> str:
        return f"{self.tree(deep - 1, names)}.{self.random.choice(('ripe', 'old'))}"

    def _compared(self, deep: int, names: Names) -> str:
        operator = self.random.choice(("==", "!=", "<", "<=", ">", ">="))
        same = self.random.choice(("==", "!="))
        match self.random.randrange(11):
            case 10:
                number, low, high = (self.int(depth, names) for depth in (deep, 0, 0))
                word = self.random.choice(("and", "or"))
                return (
                    f"({number} {operator} {low} {word} {number} {self.random.choice(('<', '<=', '>', '>='))} {high})"
                )
            case 9:
                field, kind = self.random.choice(("owner", "size", "fruit")), self.tree
                return f"{kind(deep, names)}.{field} {same} {kind(deep, names)}.{field}"
            case 8:
                field = self.random.choice(("coin", "water"))
                return f"{self.player(deep, names)}.{field} {operator} {self.player(deep, names)}.{field}"
            case 7:
                return self._superlative(deep, names)
            case 6:
                return f"{self.bid(deep, names)} {same} {self.bid(deep, names)}"
            case 0:
                return f"{self.size(deep, names)} {operator} {self.size(deep, names)}"
            case 1:
                return f"{self.tree(deep, names)} {same} {self.tree(deep, names)}"
            case 2:
                return f"{self.player(deep, names)} {same} {self.player(deep, names)}"
            case 3:
                return f"{self.int(deep, names)} % 2 {same} {self.random.randrange(2)}"
        return f"{self.int(deep, names)} {operator} {self.int(deep, names)}"

    def _superlative(self, deep: int, names: Names) -> str:
        """Return that something has the most or the least of its kind."""
        function, same = self.random.choice(("max", "min")), self.random.choice(("==", "!="))
        name, _ = self._binding(names, "player")
        if self.random.random() < 0.5:
            field = self.random.choice(("coin", "water"))
            return f"{self.player(deep - 1, names)}.{field} {same} {function}({name}.{field} for {name} in players)"
        return f"{self.tree(deep - 1, names)}.worth {same} {function}({name}.worth for {name} in trees)"

    def _there(self, deep: int, names: Names) -> str:
        what = self._maybe(deep, names)
        return self.random.choice((what, f"{what} == none", f"{what} != none", f"not {what}"))

    def _maybe(self, deep: int, names: Names) -> str:
        tree, player = self.tree(deep - 1, names), self.player(deep - 1, names)
        return self.random.choice((f"{tree}.gardener", f"{player}.friend", "guest", f"next({self.size(deep, names)})"))

    def _joined(self, deep: int, names: Names) -> str:
        word = self.random.choice((" and ", " or "))
        return f"({word.join(self.bool(deep, names) for _ in range(self.random.randint(2, 3)))})"

    def _not(self, deep: int, names: Names) -> str:
        return f"(not {self.bool(deep, names)})"

    def _quantified(self, deep: int, names: Names) -> str:
        source, kind = self._source(deep, names)
        function = self.random.choice(("any", "none", "all"))
        name, inner = self._binding(names, kind)
        if self.random.random() < 0.2 and function != "all":
            return f"{function}({source})"
        condition = f" if {self.bool(deep - 1, inner)}" if self.random.random() < 0.3 else ""
        if self.random.random() < 0.3:
            word = self.random.choice((" and ", " or "))
            text = word.join(self._of_itself(name, kind, inner) for _ in range(self.random.randint(2, 3)))
            return f"{function}({text} for {name} in {source}{condition})"
        return f"{function}({self.bool(deep, inner)} for {name} in {source}{condition})"

    def _of_itself(self, name: str, kind: str, names: Names) -> str:
        """Return what is said of a member alone: what it is, has, or whose it is."""
        said = {
            "tree": (f"{name}.ripe", f"not {name}.old", f"{name}.gardener", f"{name}.owner == {self.player(0, names)}"),
            "player": (f"{name}.friend", f"any({name}.trees)", f"{name}.coin > 1", f"{name} != rival"),
            "bird": (f"{name}.tree", f"not {name}.tree", f"{name}.age < 3", f"{name}.owner == {self.player(0, names)}"),
        }
        return self.random.choice(said[kind])

    def _within(self, deep: int, names: Names) -> str:
        word = self.random.choice(("in", "not in"))
        if self.random.random() < 0.4:
            rows = ", ".join({self._row() for _ in range(2)})
            return f"{self.size(deep, names)} {word} [{rows}]"
        return f"{self.tree(deep, names)} {word} {self.trees(deep, names)}"

    def _rest(self, deep: int, names: Names) -> str:
        match self.random.randrange(4):
            case 3:
                name, _ = self._binding(names, "player")
                function = self.random.choice(("any", "none"))
                return f"{function}(thrives({self.tree(deep, names)}, {name}) for {name} in players)"
            case 0:
                return f"thrives({self.tree(deep, names)}, {self.player(deep, names)})"
            case 1:
                return f"({self.bool(deep, names)} if {self.bool(deep, names)} else {self.bool(deep, names)})"
        return f"({self.bool(deep, names)}) {self.random.choice(('==', '!='))} ({self.bool(deep, names)})"

    # -- things, rows, lists ---------------------------------------------------------------

    def tree(self, deep: int, names: Names) -> str:
        """Return a tree."""
        plain = ["oak", *self._of("tree", names) * 3]
        if deep <= 0 or self.random.random() < 0.6:
            return self.random.choice(plain)
        match self.random.randrange(4):
            case 0 if self.random.random() < 0.5:
                name, inner = self._binding(names, "tree")
                condition = f"{self.bool(deep - 1, names)} and {self._of_itself(name, 'tree', inner)}"
                return f"(first({name} for {name} in {self.trees(deep - 1, names)} if {condition}) or oak)"
            case 0:
                return f"(first({self.trees(deep - 1, names)}) or {self.tree(deep - 1, names)})"
            case 1:
                name, inner = self._binding(names, "tree")
                by = self._about(name, "tree", 0, inner)
                end = self.random.choice(("first", "last"))
                return f"({end}({name} for {name} in {self.trees(deep - 1, names)} by {by}) or oak)"
            case 2:
                then, condition = self.tree(deep - 1, names), self.bool(deep - 1, names)
                return f"({then} if {condition} else {self.tree(deep - 1, names)})"
        return f"next({self.tree(deep - 1, names)}, trees)"

    def player(self, deep: int, names: Names) -> str:
        """Return a player."""
        plain = ["rival", "tender.bidder", *self._of("player", names) * 3]
        match self.random.randrange(6 if deep > 0 else 3):
            case 0:
                return f"{self.tree(deep - 1, names)}.owner"
            case 1 | 2:
                return self.random.choice(plain)
            case 3:
                return f"({self.tree(deep - 1, names)}.gardener or {self.player(deep - 1, names)})"
            case 4:
                return f"next({self.player(deep - 1, names)}, players)"
        return f"(guest or {self.player(deep - 1, names)})"

    def size(self, deep: int, names: Names) -> str:
        """Return a row of a table."""
        match self.random.randrange(6 if deep > 0 else 3):
            case 0:
                return self.random.choice(("girth", "tender.lot"))
            case 1:
                return f"{self.tree(deep - 1, names)}.size"
            case 2:
                return f"sizes.{self._row()}"
            case 3:
                return f"max({self.size(deep - 1, names)}, {self.size(deep - 1, names)})"
            case 4:
                return f"(next({self.size(deep - 1, names)}) or {self.size(deep - 1, names)})"
        name, _ = self._binding(names, "tree")
        return f"{self.random.choice(('max', 'min'))}({name}.size for {name} in {self.trees(deep - 1, names)})"

    def bid(self, deep: int, names: Names) -> str:
        """Return a record."""
        if deep <= 0 or self.random.random() < 0.4:
            return "tender"
        if self.random.random() < 0.2:
            return f"({self.bid(deep - 1, names)} if {self.bool(deep - 1, names)} else {self.bid(deep - 1, names)})"
        parts = self.player(deep - 1, names), self.int(deep - 1, names), self.size(deep - 1, names)
        return f"bid({', '.join(parts)})"

    def trees(self, deep: int, names: Names) -> str:
        """Return a list of trees."""
        if deep <= 0:
            own = self.player(0, names)
            return self.random.choice(("trees", "grove", f"{own}.trees", f"{own}.wood", f"reach({own})"))
        name, inner = self._binding(names, "tree")
        match self.random.randrange(9):
            case 8:
                same = f"{name}.owner == {self.tree(0, names)}.owner and {name}.size == {self.tree(0, names)}.size"
                return f"list({name} for {name} in {self.trees(deep - 1, names)} if {same})"
            case 7:
                tree = self.trees(deep - 1, names)
                return f"({tree} if any({tree}) else {self.trees(deep - 1, names)})"
            case 5:
                return f"{self.random.choice(('reach', 'ray'))}({self._walk(deep, names)})"
            case 6:
                return f"path({self._walk(deep, names)} to {self.tree(deep - 1, names)})"
            case 0:
                return f"({self.trees(deep - 1, names)} + [{self.tree(deep - 1, names)}])"
            case 1:
                by = f" by {self._about(name, 'tree', 0, inner)}" if self.random.random() < 0.5 else ""
                source, condition = self.trees(deep - 1, names), self.bool(deep - 1, inner)
                return f"list({name} for {name} in {source} if {condition}{by})"
            case 2:
                return f"[{self.tree(deep - 1, names)}, {self.tree(deep - 1, names)}]"
            case 3:
                condition = f"{self.bool(deep - 1, names)} and {self._of_itself(name, 'tree', inner)}"
                return f"list({name} for {name} in {self.trees(deep - 1, names)} if {condition})"
        return self.trees(0, names)

    def _source(self, deep: int, names: Names) -> tuple[str, str]:
        match self.random.randrange(4):
            case 0:
                return "birds", "bird"
            case 1:
                return "players", "player"
        return self.trees(deep, names), "tree"
