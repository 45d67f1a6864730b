"""Build a checked ruleset from the merged rules: declare, fill and read each section."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from rulewright.base.errors import RulewrightError
from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.base.lazy import compute_once
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import Declarations
from rulewright.language.language_diagnostics import WRONG_TYPE
from rulewright.language.types import INTEGER, PLAYER, is_assignable
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.cache.known_procedures import KnownProcedures
from rulewright.ruleset.cache.known_sections import KnownSections
from rulewright.ruleset.elaborate.duplicate_names import report_clashes
from rulewright.ruleset.elaborate.elaboration import Elaboration, Trail, settle
from rulewright.ruleset.elaborate.hidden_values import check_field_viewers
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.elaborate.trigger_declarations import with_procedures
from rulewright.ruleset.layers.resolve_layers import ResolvedRules
from rulewright.ruleset.layers.source_edits import build_removal
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.digest import compute_digests
from rulewright.ruleset.section import RulesSection, load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.internal_failures import PART_FAILED, attempt_part
from rulewright.source.diagnostics.suggestions import Suggestion, suggest_name
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Scalar

T = TypeVar("T")

_PLAYERS = re.compile(r"(\d{1,9})(?:\s*\.\.\s*(\d{1,9}))?")

_OTHER_RANGE = re.compile(r"([0-9]{1,3})\s*(?:-|–|to|\.\.\.)\s*([0-9]{1,3})")
"""A range in the notation of another language, such as `3-5`."""

MOST_PLAYERS = 100


class SectionError(RulewrightError):
    """An error for a section that crashed before it declared its names, so that no other section can be checked."""


def build(
    resolved: ResolvedRules, diagnostics: Diagnostics, *, whole: bool = True, traces: Traces | None = None
) -> Ruleset:
    """Declare and check everything in `resolved`.

    Errors go to `diagnostics`. If there are any, the result must not be played. `whole` is False if parts of the rules
    were left out because of errors. Raises `SectionError` if a section crashes before it has declared the names that
    others need.
    """
    resolved = with_procedures(resolved)
    rules = resolved.rules
    declarations = Declarations(rounding=read_text(resolved.manifest.get("rounding")) or None)
    traces = NoTraces() if traces is None else traces
    known, trail = KnownProcedures(traces, resolved), Trail(diagnostics)
    top = resolved.layers[-1]
    work = Elaboration(rules, declarations, diagnostics, trail, top, whole, known, resolved.manifest)
    sections = load_sections().values()
    known_sections = KnownSections(traces, resolved, declarations)

    def declare_all(rules: MappingNode, declarations: Declarations) -> None:
        own = replace(work, rules=rules, declarations=declarations)
        # Values may use each other in any order, so all are registered before any is computed.
        for section in sections:
            if section.declare is not None and not section.alone:
                _attempt(section, section.declare, own)
        for section in sections:
            if section.fill is not None:
                _attempt(section, section.fill, own)
        _refuse_failures(diagnostics)
        settle(declarations)
        check_field_viewers(rules, declarations, diagnostics)

    alone = []
    for section in sections:
        if section.declare is not None and section.alone:
            alone.append(section.key)
            _attempt(section, section.declare, work)
    known_sections.fetch_declarations(alone, diagnostics, declare_all)
    report_clashes(rules, declarations, diagnostics)
    read = {section.key: _read(section, work, known_sections) for section in sections if section.read is not None}
    procedures: Mapping[str, Procedure] = read["procedures"]
    if whole and not diagnostics.errors:
        for message, span in dict.fromkeys(each for one in procedures.values() for each in one.suspicions):
            diagnostics.add(PART_FAILED, message, span, suggestion="correct the statement")
    manifest = resolved.manifest
    name = f"{read_text(manifest.get('ruleset'))}@{read_text(manifest.get('version'))}"
    return Ruleset(
        reference=name,
        title=read_text(manifest.get("title")),
        about=read_text(manifest.get("about")),
        version=read_text(manifest.get("version")),
        status=read_text(manifest.get("status")) or "draft",
        digests=compute_once(partial(compute_digests, manifest, rules)),
        players=_players(resolved, diagnostics),
        start=_start(resolved, declarations, diagnostics),
        payoff=_formula_of_player("payoff", resolved, declarations, diagnostics),
        evaluate=_formula_of_player("evaluate", resolved, declarations, diagnostics),
        simulations=_simulations(resolved, declarations, diagnostics),
        declarations=declarations,
        steps={step.number: step for procedure in procedures.values() for step in procedure.iterate_steps()},
        sections=read,
        resolved=resolved,
        warnings=diagnostics,
    )


def _read(section: RulesSection, work: Elaboration, known: KnownSections) -> Mapping[str, Any]:
    """Return the value of a section, which was read before if it stands alone and is the same."""
    read = section.read
    assert read is not None
    if not section.alone:
        return _attempt(section, read, work) or {}
    return known.read_alone(section.key, lambda rules: _attempt(section, read, replace(work, rules=rules)) or {})


def _refuse_failures(diagnostics: Diagnostics) -> None:
    """Raise `SectionError` if a section crashed, with the message of the first crash.

    Also removes all diagnostics after that one from `diagnostics`, because they may follow from it.
    """
    results = list(diagnostics)
    first = next((place for place, each in enumerate(results) if each.code is PART_FAILED), None)
    if first is not None:
        diagnostics.replace(results[: first + 1])
        raise SectionError(results[first].message)


def _attempt(section: RulesSection, work: Callable[[Elaboration], T], given: Elaboration) -> T | None:
    """Return the result of a section's function. Report a crash as a diagnostic and return None.

    `RulewrightError` is not caught.
    """
    written = given.rules.entries.get(section.key)
    place = given.top.manifest.span if written is None else written.key.span
    part = f"the section `{section.key}`"
    return attempt_part(part, given.top.name, place, given.diagnostics, lambda: work(given))


def _players(resolved: ResolvedRules, diagnostics: Diagnostics) -> tuple[int, int]:
    """Return the least and the greatest number of players. Both are the widest possible if they are missing or invalid.

    Invalid numbers are reported.
    """
    node = resolved.manifest.get("players")
    if not isinstance(node, Scalar):
        return (1, MOST_PLAYERS)
    match = _PLAYERS.fullmatch(node.text.strip())
    if match is not None:
        fewest, most = int(match.group(1)), int(match.group(2) or match.group(1))
        if 1 <= fewest <= most <= MOST_PLAYERS:
            return fewest, most
    message = f"`{node.text}` is not a valid number of players (1 to {MOST_PLAYERS})"
    other = _OTHER_RANGE.fullmatch(node.text.strip())
    hint = None
    if other is not None and 1 <= int(other[1]) <= int(other[2]) <= MOST_PLAYERS:
        range_ = f"{int(other[1])}..{int(other[2])}"
        hint = Suggestion(f"did you mean `{range_}`?", node.text, [range_])
    diagnostics.add(ruleset_diagnostics.BAD_PLAYERS, message, node.span, suggestion=hint)
    return (1, MOST_PLAYERS)


def _start(resolved: ResolvedRules, declarations: Declarations, diagnostics: Diagnostics) -> str | None:
    """Return the procedure with which a game begins, or None if there is none.

    An unsuitable one is reported, and also None.
    """
    node = resolved.manifest.get("start")
    if not isinstance(node, Scalar):
        return None
    procedures = declarations.procedures
    if node.text not in procedures and procedures:
        hint = suggest_name(node.text, procedures)
        message = f"there is no procedure `{node.text}` to start with"
        diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, node.span, suggestion=hint)
        return None
    given = declarations.procedures[node.text].parameters if node.text in declarations.procedures else {}
    if given:
        message = f"a game starts without parameters, but `{node.text}` needs {', '.join(given)}"
        diagnostics.add(WRONG_TYPE, message, node.span, suggestion="start with a procedure without parameters")
        return None
    return node.text


def _formula_of_player(
    key: str, resolved: ResolvedRules, declarations: Declarations, diagnostics: Diagnostics
) -> str | None:
    """Return the id of the formula that the manifest names under `key`, or None if it names none or a wrong one.

    The formula must take one player and return a number. An unknown or wrong one adds an error to `diagnostics`.
    """
    node = resolved.manifest.get(key)
    if not isinstance(node, Scalar):
        return None
    formula = declarations.formulas.get(node.text)
    if formula is None:
        hint, removal = suggest_name(node.text, declarations.formulas), None
        if hint is None:
            hint = f"remove `{key}:` from the manifest, or name a formula there"
            removal = build_removal(resolved.layers[-1].manifest, node.span)
        diagnostics.add(
            ruleset_diagnostics.UNKNOWN_REFERENCE,
            f"`{key}:` names the formula `{node.text}`, which does not exist",
            node.span,
            suggestion=hint,
            edits=(removal,) if removal is not None else (),
        )
        return None
    if list(formula.parameters.values()) != [PLAYER] or not is_assignable(INTEGER, formula.type):
        message = f"`{key}:` needs a formula with one player as its parameter and a number as its result"
        message = f"{message}; `{formula.id}` is not one"
        diagnostics.add(WRONG_TYPE, message, node.span, suggestion="give it `given: {player: player}`")
        return None
    return formula.id


def _simulations(resolved: ResolvedRules, declarations: Declarations, diagnostics: Diagnostics) -> dict[str, str]:
    """Return the choice of each option that simulations use, by option. Empty if the manifest has no `simulations`.

    Unknown options and choices add errors to `diagnostics` and are left out.
    """
    results = {}
    for name, entry in iterate_entries(resolved.manifest.get("simulations")):
        option, choice = declarations.options.get(name), read_text(entry.value)
        if option is None:
            hint = suggest_name(name, declarations.options)
            diagnostics.add(
                ruleset_diagnostics.UNKNOWN_REFERENCE, f"there is no option `{name}`", entry.key.span, suggestion=hint
            )
        elif choice not in option.choices:
            hint = suggest_name(choice, option.choices)
            message = f"`{name}` has no choice `{choice}`"
            diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, entry.value.span, suggestion=hint)
        else:
            results[name] = choice
    return results
