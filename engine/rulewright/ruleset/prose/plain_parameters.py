"""The parameters that sentences call by the noun of their type, because nothing else of this type is spoken of."""

from __future__ import annotations

from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import GAME_KIND, Formula
from rulewright.language.expressions.typed_ast import Stored
from rulewright.language.lowering import list_step_expressions
from rulewright.language.types import Entity, Row, Type, present

_NO_NOUNS = frozenset(
    {"about", "at", "by", "for", "from", "in", "into", "of", "off", "on", "to", "with", "who", "whom", "whose", "which"}
)
"""Ids that read like a mistake as a noun: `with the square as the at`."""


def is_noun(identity: str) -> bool:
    """Return whether an id reads as a noun in sentences: a single word that is no preposition and no pronoun."""
    return "_" not in identity and identity not in _NO_NOUNS


def list_plain_parameters(declared: Procedure | Formula) -> frozenset[str]:
    """Return the parameters that are the only objects or rows of their type in a procedure or formula.

    An object is not the only one if the procedure or formula reads a value of the game that has the kind's name. In a
    procedure, a parameter whose id is a noun, such as `winner`, keeps it.
    """
    if isinstance(declared, Formula):
        kinds = [present(type_) for type_ in declared.parameters.values()]
        expressions = [declared.body]
    else:
        kinds = [present(type_) for type_ in declared.types.values()]
        expressions = [each for step in declared.iterate_steps() for each in list_step_expressions(step)]
    game = {
        part.field
        for expression in expressions
        for part in expression.walk()
        if isinstance(part, Stored) and part.kind == GAME_KIND
    }

    def is_alone(kind: Type) -> bool:
        is_named = isinstance(kind, Row) or (isinstance(kind, Entity) and kind.kind not in game)
        return is_named and kinds.count(kind) == 1

    named = [] if isinstance(declared, Formula) else [name for name in declared.parameters if is_noun(name)]
    return frozenset(
        name for name, type_ in declared.parameters.items() if name not in named and is_alone(present(type_))
    )
