"""What names mean at one point of a procedure or formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rulewright.language.declarations import Declarations
from rulewright.language.types import Thing, Type
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A name bound in a procedure: the slot that holds it, its type, and whether `set` may change it.

    A `do` binds a record: `parts` then maps each given name to its own binding.
    """

    slot: int
    type: Type
    changeable: bool
    span: Span
    parts: Mapping[str, Binding] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The names in reach, and the places known not to be none (`facts`, as `typed.path` names them)."""

    declarations: Declarations
    locals: Mapping[str, Binding] = field(default_factory=lambda: MappingProxyType({}))
    variables: Mapping[str, Type] = field(default_factory=lambda: MappingProxyType({}))
    facts: frozenset[str] = frozenset()

    def knowing(self, facts: frozenset[str]) -> Scope:
        """This scope where `facts` hold as well."""
        return replace(self, facts=self.facts | facts) if facts else self

    def forgetting(self, *, field_name: str | None = None, slot: int | None = None) -> Scope:
        """This scope after a change: of one slot, of one field of some object, or, with neither, of any object."""
        if slot is not None:
            mark = f"#{slot}"
            kept = frozenset(f for f in self.facts if f != mark and not f.startswith(mark + "."))
        elif field_name is not None:
            kept = frozenset(f for f in self.facts if field_name not in f.split(".")[1:])
        else:
            kept = frozenset(f for f in self.facts if "." not in f)
        return replace(self, facts=kept)

    def agreeing(self, other: Scope) -> Scope:
        """This scope, knowing only what `other` knows too."""
        return replace(self, facts=self.facts & other.facts)

    def binding(self, name: str, bound: Binding) -> Scope:
        """This scope with one more local name."""
        return replace(self, locals=MappingProxyType({**self.locals, name: bound}))

    def variable(self, name: str, kind: Type) -> Scope:
        """This scope inside a `for`."""
        return replace(
            self,
            variables=MappingProxyType({**self.variables, name: kind}),
            facts=frozenset(f for f in self.facts if f.split(".")[0] != name),
        )

    def names(self) -> list[str]:
        """Every name an expression may start with here, for suggestions."""
        d = self.declarations
        # What is derived of a kind is read of something: `card.worth` starts with a card that has a name.
        formulas = [name for name in d.formulas if "." not in name]
        own = [*self.variables, *self.locals, *d.numbers, *d.plurals(), *d.tables, *formulas]
        state = d.kinds.get("game")
        return own + (list(state.fields) if state else []) + (["options"] if d.options else [])

    def of_kind(self, kind: str) -> list[str]:
        """Where one thing of a kind is in reach: names, and fields of what they name, such as `card.owner`."""
        bound = {**{name: local.type for name, local in self.locals.items()}, **self.variables}
        wanted = Thing(kind)
        found = [name for name, type_ in bound.items() if type_ == wanted]
        for name, type_ in bound.items():
            if isinstance(type_, Thing) and type_.kind in self.declarations.kinds:
                fields = self.declarations.kinds[type_.kind].fields
                found += [f"{name}.{field}" for field, declared in fields.items() if declared.type == wanted]
        return found
