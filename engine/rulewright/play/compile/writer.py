"""Writes one function of generated code, step after step; verbs are given it as their `Write`."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dice.tree import Pool, Roll
from rulewright.language.step import Block, Step
from rulewright.play.compile.effects import Effects
from rulewright.play.compile.label import Label
from rulewright.play.compile.on_the_spot import decide, roll_one_die
from rulewright.play.state import CHANCE, DECISION

UNWIND = 8
"""After so many steps that may stop, code goes on from the bottom of Python's stack."""


class Writer(Effects):
    """One function: its steps, and where they go on."""

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
        self.new_move()
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
