"""Declare event triggers (`whenever:`), turn their steps into procedures, and find where they apply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.check_steps import CheckSteps
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Declarations, Timing, Trigger
from rulewright.language.trigger_expansion import build_condition_scope
from rulewright.language.triggers import (
    AMOUNTS,
    EVENTS,
    TIMINGS,
    find_matching_steps,
    find_obstacle,
    list_given_names,
)
from rulewright.language.types import INTEGER, MapOf
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.elaborate.row_procedures import list_procedure_nodes
from rulewright.ruleset.layers.layer import ResolvedRules
from rulewright.ruleset.layers.step_tree import list_ids
from rulewright.ruleset.layers.value_origins import ValueHistory
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.diagnostics.suggestions import Suggestion, suggest_name
from rulewright.source.nodes import Entry, Node, Scalar, Sequence, follow_keys
from rulewright.source.nodes import Mapping as MappingNode

SECTION = "whenever"
_WORDS = ("title", "means")


# -- the steps as procedures ------------------------------------------------------------------


def with_procedures(resolved: ResolvedRules) -> ResolvedRules:
    """Return the rules with an added procedure for the steps of each trigger, with the trigger's id.

    Incomplete triggers, and those named like a procedure, are skipped without a report. Returns `resolved` itself if
    none are added, and never changes it.
    """
    rules = resolved.rules
    there = dict(iterate_entries(rules.get("procedures")))
    result: dict[str, Entry] = {}
    history = ValueHistory(dict(resolved.history.origins))
    for identity, entry in iterate_entries(rules.get(SECTION)):
        steps, procedure = _find_timing(entry.value), _procedure(entry.value, rules)
        if identity in there or steps is None or procedure is None:
            continue
        result[identity] = Entry(entry.key, procedure)
        for path, origins in resolved.history.origins.items():
            if path[:2] == (SECTION, identity):
                inner = {steps.key.text: "steps"}.get(path[2], path[2]) if len(path) > 2 else ""
                history.origins["procedures", identity, *filter(None, [inner]), *path[3:]] = origins
    if not result:
        return resolved
    procedures = rules.get("procedures")
    span = procedures.span if procedures is not None else rules.span
    key = rules.entries["procedures"].key if "procedures" in rules else rules.entries[SECTION].key
    whole = {**rules.entries, "procedures": Entry(key, MappingNode({**there, **result}, span))}
    return replace(resolved, rules=replace(rules, entries=whole), history=history)


def _procedure(node: Node, rules: MappingNode) -> MappingNode | None:
    """Return a trigger's steps as the node of a procedure.

    None if the trigger is incomplete or its kind is unknown.
    """
    steps, given = _find_timing(node), _list_parameters(node, rules)
    if steps is None or given is None or not isinstance(node, MappingNode):
        return None
    saved = {key: result for key, result in node.entries.items() if key in (*_WORDS, "names")}
    names = _name_parameters(node, given)
    saved |= {"given": Entry(steps.key, given)} if given.entries else {}
    saved |= {"names": Entry(steps.key, names)} if names.entries else {}
    return MappingNode({**saved, "steps": Entry(steps.key, steps.value)}, node.span)


def _find_timing(node: Node) -> Entry | None:
    """Return the entry with a trigger's steps, whose key is the timing, or None unless there is exactly one."""
    results = [entry for key, entry in iterate_entries(node) if key in TIMINGS]
    return results[0] if len(results) == 1 else None


def _find_event(node: Node) -> tuple[str, Scalar] | None:
    results = [(key, entry.value) for key, entry in iterate_entries(node) if key in EVENTS]
    (event, value), *others = results or [("", node)]
    return (event, value) if event and not others and isinstance(value, Scalar) else None


def _list_parameters(node: Node, rules: MappingNode) -> MappingNode | None:
    """Return the parameters that a trigger's steps get from the event, each with its type, in order.

    For an event of a procedure, these are its parameters, or an empty mapping if there is no such procedure. For other
    events, they are named as the trigger renames them. None if they cannot be determined, because the event or its kind
    is unknown.
    """
    result = _find_event(node)
    if result is None:
        return None
    event, value = result
    if event in ("begins", "ends", "does"):
        named = value.text.rpartition(".")[0] if event == "does" else value.text
        procedure = list_procedure_nodes(rules).get(named)
        given = follow_keys(procedure.value, "given") if procedure is not None else None
        return given if isinstance(given, MappingNode) else MappingNode({}, value.span)
    kind, field = _place(event, value.text)
    if kind not in (GAME_KIND, PLAYER_KIND) and follow_keys(rules, "kinds", kind) is None:
        return None
    types = {kind: kind, "amount": "int"}
    if event == "changes":
        path = ("state", field, "type") if kind == GAME_KIND else ("kinds", kind, "fields", field, "type")
        written = read_text(follow_keys(rules, *path))
        types |= dict.fromkeys(("before", "after"), "int" if written == "count" else written)
    own = dict(iterate_entries(follow_keys(node, "as")))
    parameters: dict[str, Entry] = {}
    for name in () if (event, _timing_of(node)) == ("creates", "just_before") else list_given_names(event, kind):
        called = own[name].value if name in own else Scalar(name, name, value.span)
        type_ = types.get(name) or "int"
        if isinstance(called, Scalar):
            parameters[called.text] = Entry(called, Scalar(type_, type_, value.span))
    return MappingNode(parameters, value.span)


def _name_parameters(node: MappingNode, given: MappingNode) -> MappingNode:
    """Return nouns for the parameters: those of the rules, and defaults for `amount`, `before` and `after`."""
    nouns = {"amount": "amount", "before": "value before", "after": "value after"}
    usual = {
        name: Entry(entry.key, Scalar(nouns[name], nouns[name], entry.key.span))
        for name, entry in given.entries.items()
        if name in nouns
    }
    return MappingNode({**usual, **dict(iterate_entries(follow_keys(node, "names")))}, given.span)


def _timing_of(node: Node) -> str:
    result = _find_timing(node)
    return result.key.text if result is not None else ""


def _place(event: str, written: str) -> tuple[str, str]:
    """Return the kind and field that a trigger watches. For one value of a map (`stock[good]`), that is the map."""
    if event in ("creates", "removes"):
        return written, ""
    kind, dot, field = written.partition("[")[0].rstrip().rpartition(".")
    return (kind, field) if dot else (GAME_KIND, field)


# -- reading ----------------------------------------------------------------------------------


def read_triggers(rules: MappingNode, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every trigger in order. Invalid ones are reported and left out."""
    for identity, entry in iterate_entries(rules.get(SECTION)):
        result = _read(identity, entry, rules, declarations, diagnostics)
        if result is not None:
            declarations.triggers[identity] = result


def _read(
    identity: str, entry: Entry, rules: MappingNode, declarations: Declarations, diagnostics: Diagnostics
) -> Trigger | None:
    """Return the trigger of an entry, or None if it is invalid, which `diagnostics` then explains. Declares nothing.

    `rules` must already have the trigger's steps as a procedure of its id (see `with_procedures`). Another procedure of
    this id is an error. A parameter that the event does not have is only reported.
    """
    node = entry.value
    watched, steps = _find_event(node), _find_timing(node)
    if watched is None or steps is None:
        _report_shape(identity, entry, diagnostics)
        return None
    event, value = watched
    timing: Timing = steps.key.text  # type: ignore[assignment]
    if timing not in EVENTS[event]:
        message = f"a trigger with `{event}:` cannot use `{timing}:`"
        hint = _suggest_allowed(event, timing)
        diagnostics.add(language_codes.TRIGGER_SHAPE, message, steps.key.span, suggestion=hint)
        return None
    kind = field = of = step = ""
    if event in ("begins", "ends", "does"):
        of, _, step = value.text.rpartition(".") if event == "does" else (value.text, "", "")
        known = _there(event, rules)
        if value.text not in known:
            near = suggest_name(value.text, known)
            what = "step" if event == "does" else "procedure"
            message = f"there is no {what} `{value.text}`"
            diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, value.span, suggestion=near)
            return None
    else:
        kind, field = _place(event, value.text)
        if not _known_place(event, kind, field, value, declarations, diagnostics):
            return None
    procedure, own = follow_keys(rules, "procedures", identity), _procedure(node, rules)
    # Rules that are built again for a translation already contain the procedure.
    if procedure is None or own is None or procedure.to_plain() != own.to_plain():
        there = follow_keys(rules, "procedures")
        place = (
            there.find_key_span(identity) if isinstance(there, MappingNode) and identity in there else entry.key.span
        )
        message = f"`{identity}` is already a procedure"
        related = (RelatedSpan(place, "it is here"),)
        diagnostics.add(
            ruleset_diagnostics.NAME_CLASH, message, entry.key.span, related=related, suggestion="rename one of them"
        )
        return None
    _refuse_untold(event, () if of else list_given_names(event, kind), follow_keys(node, "as"), diagnostics)
    when = follow_keys(node, "when")
    return Trigger(
        identity,
        event,
        timing,
        kind,
        field,
        of,
        step,
        when if isinstance(when, Scalar) else None,
        entry.key,
        value.span,
    )


def _refuse_untold(event: str, usual: tuple[str, ...], own: Node | None, diagnostics: Diagnostics) -> None:
    """Report parameters renamed in `own` that the event does not have. `usual` has those that it has."""
    for name, entry in iterate_entries(own):
        if name not in usual:
            names = ", ".join(f"`{each}`" for each in usual)
            hint = suggest_name(name, usual) or (f"there is {names}" if names else "this event has no parameters")
            message = f"the event `{event}` has no parameter `{name}`"
            diagnostics.add(language_codes.UNKNOWN_NAME, message, entry.key.span, suggestion=hint)


def _suggest_allowed(event: str, timing: str) -> str:
    """Return a hint about what an event allows, for a timing that it does not."""
    if event in ("begins", "ends") and timing == "instead":
        return (
            "no trigger replaces a whole procedure: watch the change that it makes, such as `removes: a_kind` or "
            "`changes: a_kind.field`, which allow `instead:`"
        )
    hints = {
        "removes": "the removed object is gone by then: write `just_before:`, whose steps run before that",
        "does": "to change what a step does, write an exception to it",
    }
    return hints.get(event, f"write {' or '.join(f'`{timing}:`' for timing in EVENTS[event])}")


def _report_shape(identity: str, entry: Entry, diagnostics: Diagnostics) -> None:
    """Report a trigger without exactly one event or exactly one timing."""
    for known, what in ((EVENTS, "what it watches"), (TIMINGS, "when its steps run")):
        results = [key for key, _ in iterate_entries(entry.value) if key in known]
        if len(results) == 1:
            continue
        text = "two things" if results else "nothing"
        message = f"`{identity}` says {text} about {what}"
        hint = f"write one of {', '.join(f'`{key}:`' for key in known)}"
        at = (
            entry.value.find_key_span(results[1])
            if results and isinstance(entry.value, MappingNode)
            else entry.key.span
        )
        diagnostics.add(language_codes.TRIGGER_SHAPE, message, at, suggestion=hint)


def _there(event: str, rules: MappingNode) -> list[str]:
    """Return the ids of all procedures, or, for the event `does`, of all their steps as `procedure.step`."""
    results = []
    for identity, entry in list_procedure_nodes(rules).items():
        body = follow_keys(entry.value, "steps")
        steps = list_ids(body) if isinstance(body, Sequence) else []
        results += [f"{identity}.{step}" for step in steps] if event == "does" else [identity]
    return results


def _known_place(
    event: str, kind: str, field: str, value: Scalar, declarations: Declarations, diagnostics: Diagnostics
) -> bool:
    """Return whether a trigger can watch a kind or a field. If not, the reason is reported."""
    result = declarations.kinds.get(kind)
    if result is None or (not field and kind in (GAME_KIND, PLAYER_KIND)):
        hint = suggest_name(kind, [each for each in declarations.kinds if each != GAME_KIND])
        message = f"there is no kind `{kind}`" if result is None else f"a {kind} never enters or leaves the game"
        diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, value.span, suggestion=hint)
        return False
    if not field:
        return True
    known = {name: each for name, each in result.fields.items() if "." not in name}
    if field not in known:
        whose = "the game" if kind == GAME_KIND else f"`{kind}`"
        # Only suggest fields that this event accepts.
        fits = [name for name, each in known.items() if not isinstance(each.type, MapOf)]
        fits = [name for name in fits if event not in AMOUNTS or known[name].type == INTEGER]
        hint = suggest_name(value.text, fits if kind == GAME_KIND else [f"{kind}.{name}" for name in fits])
        if hint is None and kind == GAME_KIND:
            hint = "name the kind too, as in `player.points`"
        message = f"{whose} has no field `{field}`"
        diagnostics.add(language_codes.UNKNOWN_FIELD, message, value.span, suggestion=hint)
        return False
    if isinstance(known[field].type, MapOf):
        message = f"`{field}` is {known[field].type}, and a map cannot be watched"
        hint = "watch the step that changes it with `does:`, or its procedure with `begins:` or `ends:`"
        diagnostics.add(language_codes.WRONG_TYPE, message, value.span, suggestion=hint)
        return False
    if "[" in value.text:
        whole = value.text.partition("[")[0].rstrip()
        message = f"`{field}` is {known[field].type}, not a map, so it takes no `[…]`"
        hint = Suggestion(f"write `{whole}`", value.text, [whole])
        diagnostics.add(language_codes.WRONG_TYPE, message, value.span, suggestion=hint)
        return False
    if event in AMOUNTS and known[field].type != INTEGER:
        message = f"`{field}` is {known[field].type}, which cannot be gained or lost"
        diagnostics.add(language_codes.WRONG_TYPE, message, value.span, suggestion="watch what `changes:`")
        return False
    return True


# -- places of triggers ---------------------------------------------------------------------


def check_conditions(declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Check the condition of every trigger in the scope of its procedure, and store it in the declarations.

    Errors go to `diagnostics`. Triggers without a condition, or without a declared procedure, are skipped.
    """
    for identity, trigger in declarations.triggers.items():
        signature = declarations.procedures.get(identity)
        if trigger.when is None or signature is None:
            continue
        slots = range(1, len(signature.parameters) + 1)
        check = CheckSteps(identity, declarations, diagnostics, {})
        check.scope = build_condition_scope(declarations, signature, slots)
        declarations.triggers[identity] = replace(trigger, condition=check.check_condition(trigger.when))


def weave_triggers(
    checked: Mapping[str, Procedure], declarations: Declarations, diagnostics: Diagnostics
) -> dict[str, dict[str, list[Trigger]]]:
    """Return the triggers that apply in each procedure, by the ids of procedure and step.

    The empty id of a step means the beginning and end of the procedure. A trigger that applies nowhere is reported, and
    so is one at a step where it cannot run. Procedures without triggers are left out.
    """
    triggers: dict[str, dict[str, list[Trigger]]] = {}
    for trigger in declarations.triggers.values():
        places = [
            (procedure, step) for procedure in checked.values() for step in find_matching_steps(trigger, procedure)
        ]
        for procedure, step in places:
            if step is not None and (obstacle := find_obstacle(trigger, step)):
                _report_obstacle(trigger, step, obstacle, diagnostics)
                continue
            identity = step.id if step is not None else ""
            triggers.setdefault(procedure.id, {}).setdefault(identity, []).append(trigger)
        if not places:
            message = f"the event that `{trigger.id}` watches never happens"
            diagnostics.add(language_codes.TRIGGER_WITHOUT_EFFECT, message, trigger.span)
    return triggers


def _report_obstacle(trigger: Trigger, step: Step, obstacle: str, diagnostics: Diagnostics) -> None:
    """Report that a trigger cannot run at a step, with another timing or another event that can."""
    after = "then" in EVENTS[trigger.event] and not find_obstacle(replace(trigger, timing="then"), step)
    instead = "write `then:`, which runs after the step" if after else f"watch the step itself: `does: {step.rule}`"
    message = f"`{trigger.id}` cannot run `{trigger.timing}:` here: {obstacle}"
    related = (RelatedSpan(step.span, "this is the step"),)
    diagnostics.add(language_codes.TRIGGER_SHAPE, message, trigger.span, related=related, suggestion=instead)
