"""Writes decisions and dice of fused programs, which settle them where they come up."""

from __future__ import annotations

from typing import Any

from rulewright.dice.tree import Pool
from rulewright.language.hosts import Write
from rulewright.language.step import Step


def decide(step: Step, write: Write, who: str, options: str, constant: Any, *, recording: bool, watched: bool) -> None:
    """Write a decision that the bot of whoever is asked takes on the spot.

    `constant` are the options where they are known already; `watched` says that somebody looks on before it is taken.
    """
    if recording:
        write.line(f"s.who = {who}")
        who = "s.who"
    taken = write.fresh()
    surely = isinstance(constant, tuple) and len(constant) > 1
    found = options
    if not surely:
        found = write.fresh()
        write.line(f"{found} = {options}")
        write.line(f"if len({found}) < 2:")
        write.line(f"    if not {found}: raise fault({step.number}, 'there is nothing to choose from')")
        write.line(f"    {taken} = {found}[0]")
        write.line("else:")
        write.indent()
    write.line("if bots[0] <= 0: raise Ended")
    if watched:
        write.line("bots[-1]()")
    write.line("bots[0] -= 1")
    size = len(constant) if surely else 0
    if size and size & (size - 1) == 0:
        # Of a power of two, no word is ever refused, so that `below` comes down to this.
        write.line(f"{taken} = bots[{who}]")
        write.line(f"{taken} = {found}[({taken}._words or {taken}._fill()).pop() & {size - 1}]")
    else:
        write.line(f"{taken} = {found}[bots[{who}].below(len({found}))]")
    if not surely:
        write.dedent()
    step.verb.emit_take(step, write, taken)


def roll_one_die(pool: Pool, write: Write, found: str) -> None:
    """Write a die as its sampler rolls it."""
    faces = pool.die.faces
    sides = len(faces)
    write.line(f"{found} = (dice._words or dice._fill()).pop()")
    write.line(f"while {found} >= {2**32 - 2**32 % sides}: {found} = dice.word()")
    if isinstance(faces, range) and faces.step == 1:
        write.line(f"{found} = {found} % {sides} + {faces[0]}")
    else:
        write.line(f"{found} = {write.constant(tuple(faces))}[{found} % {sides}]")
