"""Writes the lines of one function of generated code: what it reads, what it changes, what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rulewright.language.declarations import GAME, GAME_KIND
from rulewright.language.effort import Effort
from rulewright.language.expression.effort import MOST_IN_A_MOVE
from rulewright.language.expression.evaluate import LARGEST, may_be_large
from rulewright.language.expression.typed import Arithmetic, Constant, Local, Typed
from rulewright.language.step import Procedure, Step, Target
from rulewright.language.types import Integer, Type
from rulewright.play.compile.constants import Constants
from rulewright.play.compile.expressions import Expressions
from rulewright.play.compile.heads import heads

NEW_MOVE = f"s.work = {MOST_IN_A_MOVE}"
"""What begins a move. It is left out again of programs that count nothing."""


class Unit(Protocol):
    """What a writer needs of the compiler."""

    constants: Constants
    effort: Effort
    recording: bool
    sampling: bool
    fused: bool
    watched: bool

    def stops(self, step: Step) -> bool: ...
    def stopping(self, procedure: str) -> bool: ...
    def function(self, prefix: str) -> str: ...
    def add(self, writer: Any, write: Callable[[], None] | None = None) -> None: ...


class Effects:
    """One function: its lines, its procedure, and whether locals are Python variables (`inline`) or in the frame.

    `rules` says of each line which rule it carries out, so that a line that goes wrong can be traced to it: the number
    of a step, or the id of a procedure, for the results it gives. `at` is that of the line written next.
    """

    def __init__(
        self, unit: Unit, name: str, procedure: Procedure, *, parameters: str = "s", inline: bool = False
    ) -> None:
        self.unit = unit
        self.name = name
        self.procedure = procedure
        self.parameters = parameters
        self.inline = inline
        self.lines: list[str] = []
        self.rules: list[int | str] = []
        self.at: int | str = procedure.id
        self.depth = 1
        self.temporaries = 0
        self.is_loop = False
        self.expressions = Expressions(unit.constants)
        self.expressions.inline = inline
        self._rolled = {step.slot for step in procedure.steps() if step.verb.stops == "chance"}
        self._slow: set[str] = set()

    # -- lines -----------------------------------------------------------------------------

    def line(self, code: str) -> None:
        self.lines.append("    " * self.depth + code)
        self.rules.append(self.at)

    def indent(self) -> None:
        self.depth += 1

    def dedent(self) -> None:
        # A block in which nothing was written still needs a line: the last line then is the one that opened it.
        if self.lines and self.lines[-1].startswith("    " * (self.depth - 1)) and self.lines[-1].endswith(":"):
            self.line("pass")
        self.depth -= 1

    def written(self) -> tuple[list[str], list[int | str]]:
        """The lines of the whole function, and the rule that each carries out."""
        body = self.lines or ["    pass"]
        head = [f"def {self.name}({self.parameters}):"]
        rules = self.rules or [self.procedure.id]
        held = sorted(self.expressions.held or ())
        if held:
            body = ["    try:", *(f"    {line}" for line in body), "    finally:"]
            body += [f"        g[{place}] = g{place}" for place in held]
            rules = [rules[0], *rules, *[rules[-1]] * (1 + len(held))]
        head += [f"    {line}" for line in heads(body)]
        head += [f"    g{place} = g[{place}]" for place in held]
        return [*head, *body], [*(rules[:1] * len(head)), *rules]

    # -- values ----------------------------------------------------------------------------

    def value(self, expression: Typed) -> str:
        code = self.expressions.code(expression)
        if self._grows_slowly(expression):
            self._slow.add(code)
        return code

    def _grows_slowly(self, expression: Typed) -> bool:
        """Whether a sum is at most one roll, or a figure of the rules, larger than what it was made from."""
        if not isinstance(expression, Arithmetic) or expression.operator not in "+-":
            return False
        sides = [isinstance(side, Constant) for side in (expression.left, expression.right)]
        sides += [isinstance(side, Local) and side.slot in self._rolled for side in (expression.left, expression.right)]
        return any(sides)

    def slot(self, slot: int) -> str:
        return self.expressions.slot(slot)

    def fresh(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def constant(self, value: Any) -> str:
        return self.unit.constants.literal(value)

    def field(self, thing: str, kind: str, name: str) -> str:
        return self._place(thing, self.unit.constants.layout.places[kind, name])

    def _place(self, thing: str, place: int) -> str:
        """A field of an object."""
        return self.expressions.of_game(place) if thing == str(GAME) else f"o[{thing}][{place}]"

    def table_row(self, table: str, face: str) -> str:
        return f"{self.unit.constants.faces(table)}[{face}]"

    def deck(self, deck: str, held: Typed | None) -> str:
        place = self.unit.constants.layout.places[GAME_KIND, f"deck.{deck}"]
        whole = self.constant(self.unit.constants.ruleset.declarations.decks[deck].cards)
        if held is not None:
            whole = f"without({whole}, {self.value(held)})"
        return f"({self.expressions.of_game(place)} or {whole})"

    def draw(self, deck: str, card: str, held: Typed | None) -> None:
        place = self.unit.constants.layout.places[GAME_KIND, f"deck.{deck}"]
        self.line(f"s.draw({place}, {card}, {self.deck(deck, held)})")

    # -- effects ---------------------------------------------------------------------------

    def store(self, target: Target, thing: str | None, value: str, step: Step) -> None:
        # By rolls alone, no game is long enough for a number to become too large.
        large = may_be_large(target.type) and not value.removeprefix("-").isdigit() and value not in self._slow
        if target.slot is not None:
            if self.unit.recording or large:
                new = self.fresh()
                self.line(f"{new} = {value}")
                if large:
                    self.refuse_large(new, target.type)
                self.event(step, "None", repr(target.field), self.slot(target.slot), new)
                value = new
            self.line(f"{self.slot(target.slot)} = {value}")
            return
        assert thing is not None
        place = self.unit.constants.layout.places[target.kind, target.field]
        if not self.unit.recording and not large and (target.minimum is None or value.isdigit()):
            self.line(f"{self._place(thing, place)} = {value}")
            return
        new = self.fresh()
        self.line(f"{new} = {value}")
        if target.minimum is not None:
            self.refuse_below(step, target.field, new, target.minimum)
        if large:
            self.refuse_large(new, target.type, positive=target.minimum is not None)
        if self.unit.recording:
            holder = self.fresh()
            self.line(f"{holder} = o[{thing}]")
            self.event(step, thing, repr(target.field), f"{holder}[{place}]", new)
            self.line(f"{holder}[{place}] = {new}")
        else:
            self.line(f"{self._place(thing, place)} = {new}")

    def refuse_below(self, step: Step, name: str, value: str, minimum: int) -> None:
        said = f"`{name}` would be "
        self.line(f"if {value} < {minimum}: raise fault({step.number}, {said!r} + str({value}))")

    def refuse_large(self, value: str, kind: Type, *, positive: bool = False) -> None:
        """Write the refusal of a number too large to be kept; a `positive` one is known not to lie below all bounds."""
        if isinstance(kind, Integer):
            below = "" if positive else f" or {value} < {-LARGEST}"
            self.line(f"if {value} > {LARGEST}{below}: refuse_large({value})")
        elif may_be_large(kind):
            self.line(f"refuse_large({value})")

    def create(self, kind: str, values: Mapping[str, str]) -> str:
        layout = self.unit.constants.layout
        parts = [self.constant(default) for default in layout.defaults[kind]]
        for name, code in values.items():
            parts[layout.places[kind, name]] = code
        return f"s.create({layout.kinds[kind]}, [{', '.join(parts)}])"

    def event(self, step: Step, *details: str) -> None:
        if self.unit.recording:
            self.line(f"s.events.append(({', '.join([str(step.number), *details])},))")

    def fault(self, step: Step, message: str) -> None:
        self.line(f"raise fault({step.number}, {message!r})")

    def begin_rounds(self, step: Step, rounds: str) -> None:
        """Write that so many rounds are paid for, or one."""
        cost = self.unit.effort.round(step)
        if cost:
            # The way out of a loop may be the end of the procedure, whose doing what follows is not.
            self.at = step.number
            self.line(f"s.work -= {f'{rounds} * ' if rounds else ''}{cost} * s.crowd")
            self.line("if s.work < 0: raise EffortError")

    def new_move(self) -> None:
        """Write that somebody is asked, and counting begins anew."""
        self.line(NEW_MOVE)
