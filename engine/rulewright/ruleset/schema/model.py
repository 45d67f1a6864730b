"""The schema of all files of a game, from which everything else about their form is derived.

That is the JSON Schemas of a layer and of merged rules, the merging of layers, the gameplay digest, and the reference
in the docs. The content of a rules file is declared by its sections.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.base.lazy import compute_once
from rulewright.language.schema_shapes import (
    Leaf,
    ListOf,
    MapOf,
    Record,
    optional,
    required,
    words,
)
from rulewright.language.statement import COMMON_KEYS, find_statements, load_statements
from rulewright.ruleset.section import load_sections
from rulewright.source.nodes import Mapping

MANIFEST = Record(
    "The manifest of an edition: its title, the edition it extends, and how it is played.",
    members={
        "ruleset": required(Leaf("`<game>/<edition>`.", format="edition")),
        "version": required(Leaf("The version, as in semantic versioning: `1.0.0`.", format="version")),
        "language": optional(
            Leaf(
                "The version of the language in which the rules are written: `1`. Without it, names of keys in older "
                "versions are read too.",
                format="integer",
                cosmetic=True,
            )
        ),
        "extends": optional(
            Leaf("The edition that this one extends, with its version: `game/core@1`.", format="edition")
        ),
        "overlays": optional(
            ListOf(
                "House rules applied to the edition that this one extends, in this order and below its own rules, "
                "such as `[my/high-keep@1, my/fog]`. Each must be written for a layer below it. If two of them change "
                "the same thing, either the upper one's manifest names the lower one (`over`), or this edition's own "
                "rules set the value. Entries that they append to a list without a position are in the order of the "
                "house rules' names.",
                inner=Leaf("An edition, with a version if needed.", format="edition"),
            )
        ),
        "over": optional(
            ListOf(
                "Other house rules that this edition takes precedence over: if both change the same entry, this "
                "edition wins. They need not be present.",
                inner=Leaf("An edition, with a version if needed.", format="edition"),
            )
        ),
        "follows": optional(
            Leaf(
                "The edition that readers already know, such as `game/standard@1`: the book marks the changes since "
                "that edition. The default is the previous version, if there is one.",
                format="edition",
                cosmetic=True,
            )
        ),
        "title": required(words("The title of the edition.")),
        "about": optional(words("The edition and its audience, in two or three sentences.")),
        "for": optional(words("The audience, in a few words, such as `families who like to bluff`.")),
        "takes": optional(words("The playing time, in a few words, such as `about an hour`.")),
        "position": optional(
            Leaf(
                "The position of the game on the front page of a site: `1` comes first. Games without one follow by "
                "name.",
                format="integer",
                cosmetic=True,
            )
        ),
        "date": optional(Leaf("The date of the edition, such as `2019-03-08`.", format="value", cosmetic=True)),
        "status": optional(
            Leaf(
                "draft, released (locked by its gameplay digest), or abstract (only a base for other editions).",
                format="id",
                values=("draft", "released", "abstract"),
                cosmetic=True,
            )
        ),
        "locked": optional(Leaf("The gameplay digest of a released edition.", format="value", cosmetic=True)),
        "rounding": optional(Leaf("How division rounds.", format="id", values=("truncate", "down", "up", "nearest"))),
        "players": optional(Leaf("The number of players: `2..4`, or `2`.", format="value")),
        "start": optional(Leaf("The procedure that plays a whole game.", format="reference")),
        "simulations": optional(
            MapOf(
                "The settings that simulations use by default: each setting with its choice.",
                inner=Leaf("A choice.", format="id"),
                cosmetic=True,
            )
        ),
        "payoff": optional(
            Leaf(
                "The formula for the value of a finished game for a player. Its only parameter is the player; its "
                "result is a number.",
                format="reference",
            )
        ),
        "evaluate": optional(
            Leaf(
                "The formula by which bots evaluate a position for a player. Its only parameter is the player; its "
                "result is a number.",
                format="reference",
                cosmetic=True,
            )
        ),
    },
)

_EDITIONS = ListOf(
    "The editions, each with its version: `game/edition@1.0`.", inner=Leaf("An edition.", format="edition")
)
_CARRIED = ListOf(
    "The rules that cover the statement, at least one.", inner=Leaf("A rule, or a part of one.", format="reference")
)

SOURCE = Record(
    "A source: a page, a booklet, a draft.",
    members={
        "title": required(words("The title of the source.")),
        "date": optional(Leaf("The date of the source.", format="value")),
        "editions": required(_EDITIONS),
        "sentences": required(
            Leaf(
                "The digests of its sentences, in order, separated by spaces. The text itself is not stored.",
                format="value",
            )
        ),
    },
)

STATEMENT = Record(
    "A statement of the sources.",
    members={
        "says": required(words("The statement in your own words.")),
        "found": required(
            MapOf(
                "The numbers of the sentences that the statement covers, by source.",
                inner=Leaf("Sentence numbers, counted from 1: `3-5, 9`.", format="value"),
            )
        ),
        "carried_by": required(_CARRIED),
        "besides": optional(
            MapOf(
                "For editions that cover the statement with different rules: those rules, by edition.",
                inner=_CARRIED,
            )
        ),
        "also_in": optional(
            ListOf(
                "Editions that adopt the statement, although they are not based on the source.", inner=_EDITIONS.inner
            )
        ),
    },
)

SOURCES = Record(
    "The sources of a game, statement by statement.",
    members={
        "sources": required(MapOf("The sources.", inner=SOURCE, ordered=True)),
        "statements": required(MapOf("What the sources say.", inner=STATEMENT, ordered=True)),
    },
)


@compute_once
def build_rules_shape() -> Record:
    """Return the schema of a rules file: any of the sections."""
    members = {key: optional(section.shape) for key, section in load_sections().items()}
    return Record("A rules file: any of these sections.", members=members)


@dataclass(frozen=True, slots=True)
class StepShape(Record):
    """The schema of a step."""


def step_shape(node: object = None) -> StepShape:
    """Return the schema of the step at `node`: the keys of every step, and those of its statement.

    Keys of other statements follow, so that misplaced ones are recognised. Without a node, or if the node does not show
    which statement it is, a key of several statements has the schema of the first.
    """
    return find_step_shape(node.entries if isinstance(node, Mapping) else ())


def find_step_shape(keys: Iterable[str]) -> StepShape:
    """Return the schema of a step with these keys, as `step_shape` does."""
    chosen = find_statements(keys)
    return _step_shapes()[chosen[0].name if len(chosen) == 1 else ""]


def list_step_keys(keys: Iterable[str]) -> list[str]:
    """Return the keys that a step with these keys may have.

    These are the keys of every step and those of its statement, or the names of all statements if it has none yet.
    """
    chosen = find_statements(keys)
    names = [key for verb in chosen for key in verb.keys] if chosen else sorted(load_statements())
    return [*dict.fromkeys([*COMMON_KEYS, *names])]


@compute_once
def _step_shapes() -> dict[str, StepShape]:
    """Return the schema of a step by the name of its statement. The empty name is for any statement."""
    whole = _step_shape("")
    shapes = {name: _step_shape(name) for name in load_statements()}
    return {"": whole} | {name: whole if shape.members == whole.members else shape for name, shape in shapes.items()}


def _step_shape(statement: str) -> StepShape:
    """Return the schema of a step, in which every key of any statement is allowed, and only `id` is required.

    The keys of `statement` have the shapes that it gives them.
    """
    members = dict(COMMON_KEYS)
    for verb in sorted(load_statements().values(), key=lambda each: each.name != statement):
        for key, member in verb.keys.items():
            members.setdefault(key, optional(member.shape, *member.formerly))
    return StepShape("A step: an id, one statement, optionally a condition.", members=members)


def list_ambiguous_keys() -> frozenset[str]:
    """Return the keys whose schema depends on the statement."""
    shapes = [(key, member.shape) for verb in load_statements().values() for key, member in verb.keys.items()]
    union = step_shape().members
    return frozenset(key for key, shape in shapes if shape != union[key].shape)
