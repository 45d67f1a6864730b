"""What a verb is, and the registry that finds the verbs: one file of `verbs/` each.

A verb brings everything about itself: the keys a designer writes, its types, how the plain interpreter runs it,
the Python it compiles to, what kind of stop it makes (which is all that exact odds need to know of it), and its
English (`docs_templates/verbs/<name>.j2`). One that lacks any of these is refused when the verbs are read.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Any, ClassVar

from rulewright.language.expression.typed import Typed
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.shape import Member
from rulewright.language.step import Block, Step, Stop, Target
from rulewright.language.types import Type
from rulewright.language.weight import Weight
from rulewright.resources import resource
from rulewright.source.nodes import Mapping as MappingNode


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What checking a step yields: its action, the type it binds (or a type for each part), its blocks of steps."""

    action: Any
    binds: Type | None = None
    changeable: bool = False
    parts: Mapping[str, Type] | None = None
    blocks: tuple[Block, ...] = ()
    loops: bool = False


Fact = tuple[str, Any, Type]
"""A value of an event: its name, itself, its type."""


class Verb:
    """Base of the verbs."""

    name: ClassVar[str]
    """The key that makes a step this verb's."""
    summary: ClassVar[str]
    """One sentence for the reference."""
    example: ClassVar[str]
    """A step as a designer writes it."""
    keys: ClassVar[Mapping[str, Member]]
    """The keys of a step that are this verb's, `name` among them."""
    stops: ClassVar[Stop] = "none"

    def check(self, node: MappingNode, check: Check) -> Checked:
        """Type the step; faults go to `check`."""
        raise TypeError(f"the verb {self.name} does not check its steps")

    def run(self, step: Step, run: Run) -> None:
        """Do the step, in the plain interpreter. A loop is run again after each round."""
        raise TypeError(f"the verb {self.name} does not run")

    def take(self, step: Step, run: Run, value: Any) -> None:
        """Go on with what was chosen, rolled or given back. Only for verbs that stop."""
        raise TypeError(f"the verb {self.name} takes no answer")

    def emit(self, step: Step, write: Write) -> None:
        """Write the step as Python. Where the verb stops, write what leads up to the stop."""
        raise TypeError(f"the verb {self.name} does not compile")

    def emit_take(self, step: Step, write: Write, value: str) -> None:
        """Write what is done with the answer, whose code is `value`. Only for verbs that stop."""
        raise TypeError(f"the verb {self.name} takes no answer")

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        """What happened, in a sentence for players; empty where nothing is worth saying. `details` are the event's."""
        return ""

    def facts(self, step: Step, details: tuple[Any, ...], tell: Tell) -> tuple[Fact, ...]:
        """What happened, as values with their names and types. `details` are the event's."""
        return ()

    def weight(self, step: Step, details: tuple[Any, ...]) -> Weight:
        """What the event is worth telling."""
        return Weight.NORMAL

    def emit_cut(self, step: Step, write: Write, follow: Any) -> None:
        """Write the step where one of its blocks stops; the code goes on at the label `follow`."""
        raise TypeError(f"the verb {self.name} has no blocks")


def several(said: str) -> bool:
    """Whether what a sentence speaks of is more than one: `6 Plums`, and not `1 Plum`."""
    first = said.partition(" ")[0]
    return first.isdigit() and first != "1"


def expressions(action: Any) -> Iterator[Typed]:
    """Every expression in an action, whatever its verb."""
    match action:
        case Typed():
            yield action
        case tuple():
            for item in action:
                yield from expressions(item)
        case dict():
            yield from expressions(tuple(action.values()))
        case Target():
            if action.base is not None:
                yield action.base
        case _ if is_dataclass(action):
            for member in fields(action):
                yield from expressions(getattr(action, member.name))


@lru_cache(maxsize=1)
def verbs() -> Mapping[str, Verb]:
    """Every verb by name. Raises `TypeError` for a verb that lacks a part: a fault of the program."""
    from rulewright.language import verbs as package

    found: dict[str, Verb] = {}
    for module in pkgutil.iter_modules(package.__path__):
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")
        for item in vars(loaded).values():
            if isinstance(item, type) and issubclass(item, Verb) and item.__module__ == loaded.__name__:
                verb = item()
                _refuse_incomplete(verb)
                found[verb.name] = verb
    return dict(sorted(found.items()))


def _refuse_incomplete(verb: Verb) -> None:
    own = type(verb)
    wanted = ["check", "run", "emit"] + (["take", "emit_take"] if verb.stops in ("decision", "chance", "call") else [])
    lacking = [part for part in wanted if getattr(own, part) is getattr(Verb, part)]
    lacking += [part for part in ("name", "summary", "example", "keys") if not hasattr(own, part)]
    if not (resource("docs_templates") / "verbs" / f"{verb.name}.j2").is_file():
        lacking.append(f"docs_templates/verbs/{verb.name}.j2")
    if lacking:
        raise TypeError(f"the verb {own.__name__} lacks {', '.join(lacking)}")
