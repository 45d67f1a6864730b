"""What a text explains: the rules it is bound to, and their digest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulewright.language.shape import MapOf, Record
from rulewright.ruleset.digest import digest, digest_of
from rulewright.ruleset.model import RULES
from rulewright.source.nodes import Entry, Mapping, Scalar

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

DIGITS = 12
"""Hexadecimal digits that a text is signed with."""


def rule_entry(path: str, ruleset: Ruleset) -> Entry | None:
    """The resolved entry of a rule such as `procedures.battle`; None if there is none."""
    section, _, identity = path.partition(".")
    entries = ruleset.resolved.rules.get(section)
    return entries.entries.get(identity) if isinstance(entries, Mapping) else None


def rule_paths(ruleset: Ruleset) -> list[str]:
    """The path of every rule there is."""
    sections = ruleset.resolved.rules.entries.items()
    return [
        f"{name}.{key}" for name, entry in sections if isinstance(entry.value, Mapping) for key in entry.value.entries
    ]


def reviewed_digest(paths: Iterable[str], ruleset: Ruleset) -> str:
    """The digest of the gameplay of these rules; words count for nothing, special cases count with their procedure."""
    data = {path: _digest(path, ruleset) for path in sorted(set(paths))}
    return digest(data)[:DIGITS]


def _digest(path: str, ruleset: Ruleset) -> list[str]:
    entry = rule_entry(path, ruleset)
    if entry is None:
        return []
    section, _, identity = path.partition(".")
    shape = RULES.members[section].shape
    assert isinstance(shape, MapOf)
    found = [digest_of(entry.value, _bare(shape.inner))]
    if section == "procedures":
        special = RULES.members["exceptions"].shape
        assert isinstance(special, MapOf)
        for case in special_cases(identity, ruleset):
            found.append(digest_of(case, special.inner))
    return found


def special_cases(procedure: str, ruleset: Ruleset) -> list[Mapping]:
    """The exceptions to steps of a procedure, in order."""
    exceptions = ruleset.resolved.rules.get("exceptions")
    found = []
    for entry in exceptions.entries.values() if isinstance(exceptions, Mapping) else ():
        to = entry.value.get("to") if isinstance(entry.value, Mapping) else None
        if isinstance(to, Scalar) and to.text.partition(".")[0] == procedure:
            assert isinstance(entry.value, Mapping)
            found.append(entry.value)
    return found


def _bare(shape: object) -> Record | None:
    return shape if isinstance(shape, Record) else None
