"""Writes decisions and dice of fused programs, which settle them where they come up."""

from __future__ import annotations

from typing import Any

from rulewright.dice.lots import BYTE_VALUES
from rulewright.dice.tree import Pool
from rulewright.language.operations import Ask
from rulewright.play.compile.effects import Effects
from rulewright.program.values import Value


def decide(write: Effects, each: Ask[Value], who: str, options: str, known: tuple[Any, ...]) -> None:
    """Write a decision that the bot of whoever is asked takes on the spot. `known` are options that the rules fix.

    Where measures are watched, somebody looks on before it is taken.
    """
    recording, watched = write.unit.recording, write.unit.watched
    write.expressions.uses.add("bots")
    if recording:
        write.line(f"s.who = {who}")
        who = "s.who"
    surely = len(known) > 1
    found = options
    size = str(len(known)) if surely else write.fresh()
    # Of a power of two, no byte is ever refused.
    plain = surely and int(size) <= BYTE_VALUES and int(size) & (int(size) - 1) == 0
    if surely:
        write.new_move()
    if plain and not watched and not recording and write.unit.times_read(write.routine, each.into) == 1:
        write.answered(each, f"{found}[bots[{who}]() & {int(size) - 1}]")
        return
    taken = write.fresh()
    if not surely:
        found = write.fresh()
        write.line(f"{found} = {options}")
        write.line(f"{size} = len({found})")
        write.line(f"if {size} < 2:")
        write.line(f"    if not {found}: raise fault({each.step.number}, {each.NOTHING!r})")
        write.line(f"    {taken} = {found}[0]")
        write.line("else:")
        write.indent()
        write.new_move()
    write.line(f"{taken} = bots[{who}]()")
    if watched:
        write.expressions.shared = True
        write.line("bots[-1]()")
    if plain:
        write.line(f"{taken} = {found}[{taken} & {int(size) - 1}]")
    else:
        # A byte this high may be refused, and of many options one byte cannot tell.
        least = str(BYTE_VALUES - int(size)) if surely else f"{BYTE_VALUES} - {size}"
        write.line(f"if {taken} >= {least}: {taken} = bots[0]({who}, {size}, {taken})")
        write.line(f"{taken} = {found}[{taken} % {size}]")
    if not surely:
        write.dedent()
    write.answered(each, taken)


def roll_one_die(pool: Pool, write: Effects, found: str) -> str:
    """Write a die as its sampler rolls it, and return the code of what it shows."""
    faces = pool.die.faces
    sides = len(faces)
    write.expressions.uses.add("dice")
    write.line(f"{found} = (words or fill()).pop()")
    write.line(f"while {found} >= {2**32 - 2**32 % sides}: {found} = dice.word()")
    if isinstance(faces, range) and faces.step == 1:
        return f"({found} % {sides} + {faces[0]})"
    return f"{write.unit.constants.literal(tuple(faces))}[{found} % {sides}]"
