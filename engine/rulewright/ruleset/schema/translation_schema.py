"""The schema of translation files: the texts in each section, and nothing else.

It is derived from the schema of the rules, so every text can be translated.
"""

from __future__ import annotations

from rulewright.base.lazy import compute_once
from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Member, Record, Shape, Steps, optional, words
from rulewright.language.statement import load_statements
from rulewright.ruleset.schema.model import MANIFEST
from rulewright.ruleset.section import load_sections, matches_pattern

EDITION = "edition"
"""The key of the manifest's texts."""

COMPLETE = "complete"
REVIEWED = "reviewed"

_OF_AN_EDITION = ("title", "about", "for", "takes")
_SHORT = ("title", "name", "question")
"""The keys that a scalar may represent, by precedence."""

OPTIONS = "options"
"""The key of the labels of a step's options."""


@compute_once
def list_log_keys() -> tuple[str, ...]:
    """Return the keys of steps with sentences for the log."""
    members = (item for verb in load_statements().values() for item in verb.keys.items())
    return tuple(sorted({key for key, member in members if getattr(member.shape, "format", "") == "label"}))


@compute_once
def build_step_words() -> MapOf:
    """Return the schema of the texts of a list of steps. Computed once, and shared."""
    members = {
        "title": optional(words("What readers call the step.")),
        "text": optional(words("The whole step in words.")),
        "ask": optional(words("The prompt for the player.")),
        "none": optional(words("The label for choosing nothing.")),
        **{key: optional(words("A log sentence.")) for key in list_log_keys()},
        OPTIONS: optional(MapOf("The labels of the options, by their id.", inner=words("A label."))),
    }
    inner = Record("The texts of a step.", members=members)
    return MapOf("The texts of steps, by step id, however deeply a step is nested.", inner=inner)


@compute_once
def build_words_shape() -> Record:
    """Return the schema of a translation file.

    It has all sections with texts, the texts of the manifest, and the signatures. Computed once, and shared.
    """
    of_edition = {key: optional(MANIFEST.members[key].shape) for key in _OF_AN_EDITION}
    members: dict[str, Member] = {
        COMPLETE: optional(
            ListOf(
                "The parts that must be complete: sections (`terms`), entries of sections (`pages.learn`), or "
                "`edition`. `check` lists each missing text of these parts, and counts those of other parts.",
                inner=Leaf("A section or an entry of a section.", format="reference"),
            )
        ),
        EDITION: optional(Record("The texts of the manifest.", members=of_edition)),
    }
    for key, section in load_sections().items():
        entry = _words_in(section.entry, section.untranslated)
        if entry is not None:
            members[key] = optional(MapOf(section.doc, inner=entry, ordered=True, ids=section.ids))
    members[REVIEWED] = optional(
        MapOf(
            "The digest of the original texts of each translated entry or page section, written by `check --sign`. "
            "`check` reports entries whose original has changed.",
            inner=Leaf("A digest.", format="value"),
        )
    )
    return Record(
        "The texts of an edition in another language: those of the manifest and of any sections.", members=members
    )


def find_text_shape(path: tuple[str, ...]) -> Shape | None:
    """Return the schema of the text at a path, which is a scalar or a list, or None if no text can be there."""
    shape: Shape | None = build_words_shape()
    for key in path:
        match shape.mapping if isinstance(shape, ByForm) else shape:
            case Record(members=members):
                shape = members[key].shape if key in members else None
            case MapOf(inner=inner):
                shape = inner
            case _:
                return None
    shape = shape.scalar if isinstance(shape, ByForm) else shape
    return shape if isinstance(shape, Leaf | ListOf) else None


def _words_in(shape: Shape, left_out: tuple[str, ...] = (), path: tuple[str, ...] = ()) -> Shape | None:
    """Return the part of a schema that is text, with all keys optional, or None if there is none.

    Paths that match a pattern in `left_out` are left out. `path` is the path below the entry.
    """
    if any(matches_pattern(pattern, path) for pattern in left_out):
        return None
    match shape:
        case Leaf(format="words" | "label"):
            return shape
        case Steps():
            return build_step_words()
        case ByForm():
            scalar = _words_in(shape.scalar, left_out, path) if shape.scalar is not None else None
            mapping = _words_in(shape.mapping, left_out, path) if shape.mapping is not None else None
            if scalar is None or mapping is None:
                return scalar or mapping
            return ByForm(shape.doc, scalar=scalar, mapping=mapping, cosmetic=shape.cosmetic)
        case Record():
            results = {key: _words_in(member.shape, left_out, (*path, key)) for key, member in shape.members.items()}
            members = {
                key: optional(inner, *shape.members[key].formerly)
                for key, inner in results.items()
                if inner is not None and key != "*"
            }
            short = next((key for key in _SHORT if key in members), None)
            return Record(shape.doc, members=members, short=short) if members else None
        case MapOf():
            inner = _words_in(shape.inner, left_out, (*path, "*"))
            return MapOf(shape.doc, inner=inner, ordered=shape.ordered, ids=shape.ids) if inner is not None else None
        case ListOf(inner=Leaf(format="words")):
            return shape
    return None
