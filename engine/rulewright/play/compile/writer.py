"""Writes one function of generated code; verbs are given it as their `Write`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rulewright.dice.tree import Pool, Roll
from rulewright.language.declarations import GAME, GAME_KIND
from rulewright.language.expression.typed import Typed
from rulewright.language.step import Block, Procedure, Step, Target
from rulewright.play.compile.constants import Constants
from rulewright.play.compile.expressions import Expressions
from rulewright.play.compile.heads import heads
from rulewright.play.compile.label import Label
from rulewright.play.compile.on_the_spot import decide, roll_one_die
from rulewright.play.state import CHANCE, DECISION

UNWIND = 8
"""After so many steps that may stop, code goes on from the bottom of Python's stack."""


class Unit(Protocol):
    """What a writer needs of the compiler."""

    constants: Constants
    recording: bool
    sampling: bool
    fused: bool
    watched: bool

    def stops(self, step: Step) -> bool: ...
    def stopping(self, procedure: str) -> bool: ...
    def function(self, prefix: str) -> str: ...
    def add(self, writer: Writer, write: Callable[[], None] | None = None) -> None: ...


class Writer:
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
        return self.expressions.code(expression)

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

    def deck(self, deck: str) -> str:
        place = self.unit.constants.layout.places[GAME_KIND, f"deck.{deck}"]
        return f"({self.expressions.of_game(place)} or {self._whole(deck)})"

    def draw(self, deck: str, card: str) -> None:
        place = self.unit.constants.layout.places[GAME_KIND, f"deck.{deck}"]
        self.line(f"s.draw({place}, {card}, {self._whole(deck)})")

    def _whole(self, deck: str) -> str:
        return self.constant(self.unit.constants.ruleset.declarations.decks[deck].cards)

    # -- effects ---------------------------------------------------------------------------

    def store(self, target: Target, thing: str | None, value: str, step: Step) -> None:
        if target.slot is not None:
            if self.unit.recording:
                new = self.fresh()
                self.line(f"{new} = {value}")
                self.event(step, "None", repr(target.field), self.slot(target.slot), new)
                value = new
            self.line(f"{self.slot(target.slot)} = {value}")
            return
        assert thing is not None
        place = self.unit.constants.layout.places[target.kind, target.field]
        if not self.unit.recording and (target.minimum is None or value.isdigit()):
            self.line(f"{self._place(thing, place)} = {value}")
            return
        new = self.fresh()
        self.line(f"{new} = {value}")
        if target.minimum is not None:
            self.refuse_below(step, target.field, new, target.minimum)
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

    # -- flow ------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Write a block that never stops."""
        for step in block.steps:
            self._in_place(step)

    def _in_place(self, step: Step) -> None:
        outer, self.at = self.at, step.number
        if step.when is not None:
            self.line(f"if {self.value(step.when)}:")
            self.indent()
        step.verb.emit(step, self)
        self.at = step.number
        if step.when is not None:
            self.dedent()
            if step.repeated and step.slots:
                self.line("else:")
                self.indent()
                self._pass_over(step)
                self.dedent()
        self.at = outer

    def _pass_over(self, step: Step) -> None:
        """Write that a step leaves nothing: in a loop, it may have left something in an earlier round."""
        if step.repeated and step.slots:
            self.line(" = ".join([*(self.slot(slot) for slot in step.slots), "None"]))

    def sequence(self, block: Block, follow: Label) -> None:
        """Write a block, wherever it stops, and go on at `follow` after it. Whatever is written returns."""
        self._from(block.steps, 0, follow)

    def _from(self, steps: tuple[Step, ...], start: int, follow: Label, *, fresh: bool = False) -> None:
        """Write steps from `start` on; `fresh` where the function begins with them."""
        for place in range(start, len(steps)):
            step = steps[place]
            if place and place % UNWIND == 0 and not (fresh and place == start) and self.unit.stops(step):
                # Where one stop after the other settles itself, calls would pile up on Python's stack.
                self.line(f"return {self._rest(steps, place, follow).function}")
                return
            if not self.unit.stops(step):
                self._in_place(step)
                if step.verb.name == "stop" and step.when is None:
                    return
            elif step.verb.stops == "end":
                self._in_place(step)
                if step.when is None:
                    return
            else:
                self._stopping(step, steps, place + 1, follow)
                return
        self.jump(follow)

    def _stopping(self, step: Step, steps: tuple[Step, ...], after: int, follow: Label) -> None:
        self.at = step.number
        leaf = not step.blocks
        if step.when is None and leaf:
            self._take(step, lambda writer: writer._from(steps, after, follow))
            step.verb.emit(step, self)
            return
        rest = self._rest(steps, after, follow)
        if step.when is not None:
            self.line(f"if {self.value(step.when)}:")
            self.indent()
        if leaf:
            self._take(step, lambda writer: writer.jump(rest))
            step.verb.emit(step, self)
        else:
            step.verb.emit_cut(step, self, rest)
        if step.when is not None:
            self.at = step.number
            self.dedent()
            self._pass_over(step)
            self.jump(rest)

    def _take(self, step: Step, finish: Callable[[Writer], None]) -> None:
        """Write the function that goes on with the answer to `step`."""
        writer = Writer(self.unit, f"take{step.number}", self.procedure, parameters="s, x")
        writer.at = step.number

        def write() -> None:
            step.verb.emit_take(step, writer, "x")
            finish(writer)

        self.unit.add(writer, write)

    def _rest(self, steps: tuple[Step, ...], after: int, follow: Label) -> Label:
        """Where the steps from `after` on are found: a function of their own, unless there are none."""
        if after == len(steps):
            return follow
        writer = Writer(self.unit, self.unit.function("go"), self.procedure)
        self.unit.add(writer, lambda: writer._from(steps, after, follow, fresh=True))
        return Label(writer.name)

    def loop(self) -> Writer:
        """Go on in a function of its own, to which every round returns."""
        writer = Writer(self.unit, self.unit.function("loop"), self.procedure)
        writer.is_loop = True
        writer.at = self.at
        self.line(f"return {writer.name}(s)")
        self.unit.add(writer)
        return writer

    @property
    def label(self) -> Label:
        """The label of this function."""
        return Label(self.name, loop=self.is_loop)

    def jump(self, label: Label) -> None:
        if label.function is None:
            self.leave()
        elif label.loop:
            self.line(f"return {label.function}")
        else:
            self.line(f"return {label.function}(s)")

    def leave(self) -> None:
        # What goes wrong here is the procedure's doing, and no step's.
        self.at = self.procedure.id
        gives = "(" + "".join(f"{self.value(value)}, " for value in self.procedure.gives.values()) + ")"
        self.line(f"return {gives}" if self.inline else f"return leave(s, {gives})")

    def finish(self, winners: str) -> None:
        if self.unit.fused:
            self.line(f"finish(s, {winners}, {self.at})")
            self.line("raise Ended")
            return
        self.line(f"return finish(s, {winners}, {self.at})")

    # -- stops -----------------------------------------------------------------------------

    def ask(self, step: Step, who: str, options: str) -> None:
        if self.unit.fused:
            constant = self.unit.constants.values.get(options)
            decide(step, self, who, options, constant, recording=self.unit.recording, watched=self.unit.watched)
            return
        name = f"take{step.number}"
        self.line(f"s.who = {who}")
        constant = self.unit.constants.values.get(options)
        if not (isinstance(constant, tuple) and len(constant) > 1):
            found = self.fresh()
            self.line(f"{found} = {options}")
            self.line(f"if len({found}) < 2:")
            self.line(f"    if not {found}: raise fault({step.number}, 'there is nothing to choose from')")
            self.line(f"    return {name}(s, {found}[0])")
            options = found
        self.line(f"s.mode = {DECISION}; s.options = {options}; s.take = {name}; f[0] = {step.number}")
        self.line("return None")

    def chance(self, step: Step, roll: str) -> None:
        if self.unit.sampling:
            found = self.fresh()
            constant = self.unit.constants.values.get(roll)
            if self.unit.recording:
                self.line(f"s.roll = {roll}")
            if isinstance(constant, Pool) and constant.count == 1 and self.unit.fused:
                found = roll_one_die(constant, self, found)
            elif isinstance(constant, Roll):
                self.line(f"{found} = {self.unit.constants.sampler(constant)}(s.generator)")
            else:
                self.line(f"{found} = sample(s, {roll})")
            step.verb.emit_take(step, self, found)
            return
        self.line(f"s.mode = {CHANCE}; s.roll = {roll}; s.take = take{step.number}; f[0] = {step.number}")
        self.line("return None")

    def call(self, step: Step, procedure: str, arguments: list[str]) -> None:
        if not self.unit.stopping(procedure):
            found = self.fresh()
            self.line(f"{found} = do_{procedure}({', '.join(['s', *arguments])})")
            step.verb.emit_take(step, self, found)
            return
        size = self.unit.constants.ruleset.procedures[procedure].size
        frame = ", ".join(["0", *arguments, *(["None"] * (size - len(arguments)))])
        self.line(f"f[0] = {step.number}")
        self.line(f"s.frame = f = [{frame}]; s.stack.append(f)")
        self.line(f"return start_{procedure}(s)")
