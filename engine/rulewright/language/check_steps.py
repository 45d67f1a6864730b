"""Steps, and the expressions and places in them, as written → checked steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rulewright.base.plugins import PluginError
from rulewright.language import language_diagnostics as codes
from rulewright.language.checked_steps import PLACED, Block, CellSteps, Procedure, Step, Target, read_names
from rulewright.language.control_flow import (
    always_ends,
    build_scope_after_stops,
    describe_call,
    describe_change,
    find_escapes,
    forget_changes,
    forget_triggers,
    gives,
    join_scopes,
    leaves_loop,
    list_known_after,
    list_wrong_values,
    may_end,
    number_places,
    refuse_stray_leaves,
    surely_asks,
)
from rulewright.language.declarations import (
    GAME_KIND,
    ROW_NAME,
    Binding,
    Declarations,
    Scope,
    Signature,
    is_reserved,
)
from rulewright.language.expressions.check_values import CheckValues
from rulewright.language.expressions.narrowing import NO_FACTS, NOT_ZERO, derive_facts
from rulewright.language.expressions.typed_ast import Constant, Local, Logic, Not, Typed
from rulewright.language.lowering import asks_player, list_operations, may_choose_nothing
from rulewright.language.placement import ResultPlacement, check_placement
from rulewright.language.statement import (
    COMMON_KEYS,
    CheckedStep,
    Statement,
    attempt_method,
    by_role,
    find_statements,
    load_statements,
)
from rulewright.language.trigger_expansion import NOTHING_WOVEN, TriggerExpansion, TriggerPlan
from rulewright.language.triggers import list_given_names
from rulewright.language.types import (
    BOOLEAN,
    UNKNOWN,
    ListOf,
    Ratio,
    Record,
    Row,
    Type,
    make_optional,
    present,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.diagnostics.internal_failures import PART_FAILED
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span

WORDS = ("title", "text", "ask", "none", "log")

MOST_NESTED = 16
"""The maximum nesting of blocks of steps: deeper nesting is hard to read, and Python allows only 20 nested loops."""


ANOTHER_NAME = "choose another name"
"""The hint for a name in use that is not a step's."""


NO_CALLEES: Mapping[str, Procedure] = MappingProxyType({})


class CheckSteps(CheckValues):
    """The checks of one procedure, with the methods that statements use to check their keys.

    `asking` are the procedures that always ask a player, and `callees` those that were checked before. `step_id` is the
    id of the step that is being checked.
    """

    def __init__(
        self,
        procedure: str,
        declarations: Declarations,
        diagnostics: Diagnostics,
        exceptions: Mapping[str, list[tuple[str, MappingNode]]],
        asking: frozenset[str] = frozenset(),
        weave: TriggerPlan = NOTHING_WOVEN,
        cell: CellSteps | None = None,
        callees: Mapping[str, Procedure] = NO_CALLEES,
    ) -> None:
        row = Constant(Row(cell.table), cell.row, ROW_NAME) if cell is not None else None
        super().__init__(Scope(declarations, row=row, looks_ahead=True), diagnostics)
        self.cell = cell
        self.procedure = procedure
        self.exceptions = {
            target.rpartition(".")[2]: specials
            for target, specials in exceptions.items()
            if target.rpartition(".")[0] == procedure
        }
        self.asking = asking
        self.callees = callees
        self.weave = weave
        self.weaving = TriggerExpansion(procedure, declarations, self._slot)
        self.names: dict[int, str] = {}
        self.called: Mapping[str, str] = {}
        self.clauses: Mapping[str, Mapping[str, str]] = {}
        self.types: dict[int, Type] = {}
        self.step_spans: dict[str, Span] = {}
        self.depth = 0
        self.own_names: dict[str, Binding] = {}
        """The names that the checked step declares for its keys and its blocks, without those of the steps inside."""
        self.loops: list[str] = []
        self.step_id = Scalar("", "", Span.for_file(""))
        self.suspicions: list[tuple[str, Span]] = []

    # -- the whole procedure -------------------------------------------------------------

    def check_procedure(self, node: MappingNode, parameters: Mapping[str, Type]) -> Procedure:
        """Return the checked procedure. `node` is its mapping in the source, and `parameters` are their types by name.

        Errors are reported. Steps with errors are left out, and an invalid result has an unknown type.
        """
        given = node.get("given")
        for name, kind in parameters.items():
            span = given.find_key_span(name) if isinstance(given, MappingNode) else node.span
            self._declare(name, kind, span, changeable=False, instead=self._suggest_renaming(name))
        self.called, self.clauses = read_names(node.get("names"))
        given_scope = self.scope
        body, after = self._block(node.get("steps"), self.scope)
        self._expand_end_triggers(body, given_scope)
        at_end = Scalar(self.procedure, self.procedure, node.span)
        self.scope = build_scope_after_stops(body, forget_triggers(at_end, self.weave.at.get("", ()), after))
        gives: dict[str, Typed] = {}
        written = node.get("gives")
        column = self.declarations.tables[self.cell.table].steps[self.cell.column] if self.cell is not None else None
        if isinstance(written, MappingNode):
            for name, entry in written.entries.items():
                gives[name] = self.check_value(entry.value, column.gives[name] if column is not None else None)
                self._refuse_mean(gives[name].type, entry.value.span)
        words = {key: _text(node.get(key)) for key in ("title", "means", "wording") if node.get(key) is not None}
        number_places(body)
        size = len(self.names)
        return Procedure(
            self.procedure,
            parameters,
            body,
            gives,
            size,
            self.names,
            node.span,
            words,
            self.types,
            self.called,
            self.clauses,
            tuple(trigger.id for trigger in self.weave.at.get("", ())),
            self.cell,
            tuple(self.suspicions),
        )

    def _expand_end_triggers(self, body: Block, scope: Scope) -> None:
        """Insert the triggers on the start of the procedure before its first step, and those on its end at every end.

        Changes the steps of `body` and of its inner blocks. Does nothing if `body` has no steps.
        """
        triggers = self.weave.at.get("", ())
        begins = [trigger for trigger in triggers if trigger.event == "begins"]
        ends = [trigger for trigger in triggers if trigger.event == "ends"]
        if ends:
            for block in [body, *(inner for step in body.walk() for inner in step.blocks)]:
                steps: list[Step] = []
                for step in block.steps:
                    steps += self.weaving.expand_end(ends, scope, step, within=True) if gives(step) else [step]
                block.steps = tuple(steps)
            if body.steps and not always_ends(body.steps[-1]):
                body.steps += tuple(self.weaving.expand_end(ends, scope, body.steps[-1], within=False))
        if begins and body.steps:
            body.steps = (*self.weaving.expand_begin(begins, scope, body.steps[0]), *body.steps)

    def block(self, node: Node | None, scope: Scope | None = None) -> Block:
        """Return the checked steps of a list.

        Names bound in it are not visible after it, and facts about values it may change are removed from the scope.
        Steps that are nested too deep are reported, and the block is then empty.
        """
        outer, step_id = self.scope, self.step_id
        self.depth += 1
        if self.depth <= MOST_NESTED:
            block, _ = self._block(node, scope or outer)
            block.names = frozenset(bound.slot for bound in (scope or outer).locals.values())
        else:
            block = Block(())
            if self.depth == MOST_NESTED + 1 and node is not None:
                message = f"these steps are nested more than {MOST_NESTED} levels deep"
                self.report(codes.STEPS_TOO_DEEP, message, node.span)
        self.depth -= 1
        self.scope, self.step_id = self.loop_scope(node, outer), step_id
        return block

    def _block(self, node: Node | None, scope: Scope) -> tuple[Block, Scope]:
        """Return the checked steps of a list, and the scope after the last of them.

        Reports errors, and leaves out the steps that have them. The first step after one that always ends is reported,
        and the rest of the list is left out. Sets `self.scope` to the scope after the last step.
        """
        if not isinstance(node, Sequence):
            if node is not None:
                self.report(codes.STEP_SHAPE, f"a list of steps is needed here, not {node.kind}", node.span)
            return Block(()), scope
        self.scope = scope
        steps: list[Step] = []
        for item in node.items:
            if not isinstance(item, MappingNode):
                self.report(codes.STEP_SHAPE, f"a step is a mapping, not {item.kind}", item.span)
                continue
            if steps and always_ends(steps[-1]):
                what = "the loop" if leaves_loop(steps[-1]) else "the procedure"
                message = f"`{steps[-1].id}` always ends {what}, so this is never reached"
                self.report(codes.UNREACHABLE_STEP, message, item.span)
                break
            steps.extend(self._step(item))
        return Block(tuple(steps)), self.scope

    # -- one step ------------------------------------------------------------------------

    def _step(self, node: MappingNode) -> list[Step]:
        """Return the checked steps for a mapping: the step with its exceptions, its `into`, and the triggers woven in.

        Reports errors and leaves out the step, whose name is then bound to an unknown result. Sets `self.scope` to the
        scope after the steps.
        """
        identity = _text(node.get("id"))
        if not identity:
            message = "a step needs an `id`, so that logs and house rules can refer to it"
            self.report(codes.STEP_SHAPE, message, node.span)
            return []
        span = node.entries["id"].value.span
        step_id = Scalar(identity, identity, span)
        if not self._first(identity, span, f"`{self.procedure}` has two steps `{identity}`"):
            return []
        statement = self._verb(node, identity, span)
        if statement is None:
            return self._skip_step(identity, span)
        when_node = node.get("when")
        outer = self.scope
        self.scope = replace(outer, unfinished=outer.unfinished | {identity})
        when = self.check_condition(when_node) if when_node is not None else None
        before, when = self._special_cases(identity, when)
        # If the step itself runs, no exception applied and nothing ran instead.
        learnt = derive_facts(when, self.declarations) if when is not None else NO_FACTS
        self.scope = replace(self.scope, facts=outer.facts).with_facts(learnt)
        loops, self.loops = self.loops, [*self.loops, identity] if statement.loops else self.loops
        self.step_id = step_id
        checked, own_names = self._check_statement(statement, node, identity)
        self.loops = loops
        if checked is None:
            self.scope = outer
            return self._skip_step(identity, span)
        if identity in own_names and (checked.binds is not None or checked.parts is not None):
            message = f"`{identity}` would also be the name of the result of this step"
            self._report_shadow(message, own_names[identity].span, ANOTHER_NAME, RelatedSpan(span, "the step is here"))
        place = check_placement(node.get("into"), checked, own_names, self, identity)
        self.scope = join_scopes(outer, self.scope, learnt)
        step = Step(
            id=identity,
            rule=f"{self.procedure}.{identity}",
            verb=statement,
            action=checked.action,
            when=when,
            span=node.span,
            blocks=checked.blocks,
            words={key: _text(node.get(key)) for key in WORDS if node.get(key) is not None},
            procedure=self.procedure,
            exceptions=tuple(special.id for special in before if special.binds is not None),
        )
        for block in checked.blocks:
            block.owner = step
        if checked.resumes:
            step.hidden = self._slot(f"{identity} (place)", UNKNOWN)
        self._bind(step, checked, span)
        if not self._can_lower(step, own_names):
            return []
        self._refuse_unasked(step, node)
        if statement.none and may_choose_nothing(step):
            step.words = {"none": statement.none, **step.words}
        due, placed = ([], []) if place is None else self._place_result(step, place)
        before += due
        instead = (special.get("instead") for _, special in self.exceptions.get(identity, ()))
        self.scope = forget_changes(instead, self.scope, {}, self.weave.at).with_facts(
            list_known_after(step, self.declarations)
        )
        touching = self.weave.at.get(identity, ())
        self.scope = forget_triggers(step_id, (*touching, *self.weave.at.get(f"{identity}{PLACED}", ())), self.scope)
        if not touching:
            if checked.not_zero and identity not in self.exceptions:
                self.scope = self.scope.with_facts(frozenset((f"#{step.slot}.{NOT_ZERO}",)))
            return [*before, step, *placed]
        return [*before, *self.weaving.step(step, touching, self.scope), *placed]

    def _place_result(self, step: Step, place: ResultPlacement) -> tuple[list[Step], list[Step]]:
        """Return the steps before and after `step` that put its result into a place."""

        def weave(placed: Step) -> list[Step]:
            touching = self.weave.at.get(placed.id)
            return self.weaving.step(placed, touching, self.scope) if touching else [placed]

        return place.build_steps(step, self._slot, weave)

    def _check_statement(
        self, statement: Statement, node: MappingNode, identity: str
    ) -> tuple[CheckedStep | None, dict[str, Binding]]:
        """Return what a statement makes of a step, and the names that it declares. If it raises, it is reported."""
        outer, self.own_names, known = self.own_names, {}, len(self.diagnostics)
        on, depth = f"`{self.procedure}.{identity}`", self.depth
        checked = attempt_method(
            statement, "check", on, node.span, self.diagnostics, lambda: statement.check(node, self)
        )
        own_names, self.own_names, self.depth = self.own_names, outer, depth
        if checked is None and len(self.diagnostics) == known:
            why = "returned None from `check` without a report, which leaves the step out"
            self.suspicions.append((f"the statement `{statement.name}` {why}", node.span))
        return checked, own_names

    def _can_lower(self, step: Step, own_names: Mapping[str, Binding]) -> bool:
        """Return whether the statement lowers a step. A statement that breaks its rules is reported at the step."""

        def lower() -> bool:
            try:
                list_operations(step)
            except PluginError as error:
                self.report(PART_FAILED, str(error), step.span, f"correct the statement `{step.verb.name}`")
                return False
            return True

        can = attempt_method(step.verb, "lower", f"`{step.rule}`", step.span, self.diagnostics, lower) or False
        names = {name: each.slot for name, each in own_names.items()}
        for wrong in list_wrong_values(step, names, self.types) if can else ():
            self.suspicions.append((f"the statement `{step.verb.name}` {wrong}", step.span))
        return can and not refuse_stray_leaves(step, self.loops, self.report)

    def _refuse_unasked(self, step: Step, node: MappingNode) -> None:
        """Report the words of a question in a step that asks no player.

        A layer that gives an inherited step another statement need not remove the inherited words.
        """
        words = [key for key in ("ask", "none") if key in node]
        if not words or asks_player(step):
            return
        statement = node.find_key_span(step.verb.name)
        for key in words:
            written = node.find_key_span(key)
            if statement.file in (node.span.file, written.file):
                message = f"`{step.verb.name}` asks no player, so `{key}` would never be shown"
                self.report(codes.STEP_KEY, message, written, "remove it, or write it in a step that asks")

    def _skip_step(self, identity: str, span: Span) -> list[Step]:
        """Return no steps for one with an error.

        Its name is bound to an unknown result, so that uses are not reported as well.
        """
        self.scope = self.scope.with_binding(identity, Binding(self._slot(identity, UNKNOWN), UNKNOWN, True, span))
        return []

    def _verb(self, node: MappingNode, identity: str, span: Span) -> Statement | None:
        """Return the statement of a step, or None after a report if it is missing, lacks a key, or is not the only one.

        Keys that the statement does not take are only reported.
        """
        chosen = find_statements(node.entries)
        if len(chosen) != 1:
            others = [key for key in node.entries if key not in COMMON_KEYS]
            if len(chosen) > 1:
                self._report_two_verbs(node, identity, chosen)
                return None
            hint = next((h for h in (suggest_name(key, load_statements()) for key in others) if h), None)
            at = node.find_key_span(others[0]) if others else span
            self.report(codes.UNKNOWN_VERB, f"the step `{identity}` has no statement", at, hint)
            return None
        statement = chosen[0]
        for key in node.entries:
            if key not in COMMON_KEYS and key not in statement.keys:
                hint = suggest_name(key, [other for other in (*statement.keys, *COMMON_KEYS) if other not in node])
                hint = hint or f"it takes {', '.join(f'`{each}`' for each in statement.keys)}"
                self.report(codes.STEP_KEY, f"`{statement.name}` takes no `{key}`", node.find_key_span(key), hint)
        for key, member in statement.keys.items():
            if member.required and key not in node:
                at, hint = node.find_key_span(statement.name), f"write it as in `{statement.example}`"
                self.report(codes.STEP_SHAPE, f"`{statement.name}` needs `{key}`", at, hint)
                return None
        return statement

    def _report_two_verbs(self, node: MappingNode, identity: str, chosen: list[Statement]) -> None:
        """Report a step with several statements. Suggests `replace` if the two come from different files."""
        first, second = (node.find_key_span(statement.name) for statement in chosen[:2])
        names = " and ".join(f"`{statement.name}`" for statement in chosen)
        replace_it = f"to give the step another statement, replace it: `- {{replace: {identity}, …}}`"
        hint = replace_it if first.file != second.file else None
        message, related = f"the step `{identity}` has two statements, {names}", RelatedSpan(first, "this is the first")
        self.diagnostics.add(codes.UNKNOWN_VERB, message, second, related=(related,), suggestion=hint)

    def _first(self, identity: str, span: Span, message: str) -> bool:
        """Return whether no step of the procedure had this id before, and record it. Otherwise report `message`."""
        there = self.step_spans.setdefault(identity, span)
        if there is not span:
            self.diagnostics.add(
                codes.DUPLICATE_STEP, message, span, related=(RelatedSpan(there, "the first is here"),)
            )
        return there is span

    def _bind(self, step: Step, checked: CheckedStep, span: Span) -> None:
        """Bind the step's result to its id in `self.scope`. It is optional if the step has a condition.

        Sets the step's slot and its type. A result of several parts gets a slot for each part. Does nothing without a
        result.
        """

        def kind_of(kind: Type) -> Type:
            return kind if step.when is None else make_optional(kind)

        if checked.parts is not None:
            parts = {}
            for name, kind in checked.parts.items():
                slot = self._slot(f"{step.id}.{name}", kind_of(kind))
                parts[name] = Binding(slot, kind_of(kind), False, span)
            step.slot = next(iter(parts.values())).slot if parts else None
            record = Record(MappingProxyType({name: part.type for name, part in parts.items()}))
            self._refuse_shadow(step.id, span)
            binding = Binding(step.slot or 0, record, False, span, MappingProxyType(parts))
            self.scope = self.scope.with_binding(step.id, binding)
            step.binds = record
        elif checked.binds is not None:
            step.binds = kind_of(checked.binds)
            step.slot = self._declare(step.id, step.binds, span, changeable=checked.changeable)
            if checked.group is not None:
                binding = replace(self.scope.locals[step.id], players=checked.group.players)
                self.scope = self.scope.with_binding(step.id, binding)

    def _suggest_renaming(self, name: str) -> str:
        """Return the hint for renaming a name of a trigger's event, or another parameter."""
        trigger = self.declarations.triggers.get(self.procedure)
        if trigger is None or trigger.procedure:
            return ANOTHER_NAME
        if name not in list_given_names(trigger.event, trigger.kind):
            return "choose another name under `as:`"
        return f"rename it with `as: {{{name}: …}}` next to `{trigger.event}:`"

    def _declare(self, name: str, kind: Type, span: Span, *, changeable: bool, instead: str | None = None) -> int:
        """Bind a name in `self.scope` to a new slot, and return the slot.

        A name that already means something, and a type that cannot be stored, are reported, but bound as well.
        `instead` is the hint for another name, and `changeable` says whether steps may set it.
        """
        self._refuse_shadow(name, span, instead)
        self._refuse_mean(kind, span)
        slot = self._slot(name, kind)
        self.scope = self.scope.with_binding(name, Binding(slot, kind, changeable, span))
        return slot

    def _slot(self, name: str, kind: Type) -> int:
        # Slot 0 of a frame holds the current step, so the first value is in slot 1.
        slot = len(self.names) + 1
        self.names[slot] = name
        self.types[slot] = kind
        return slot

    def _refuse_shadow(self, name: str, span: Span, instead: str | None = None) -> None:
        """Report each thing that a name already means here. `instead` is the hint."""
        d = self.declarations
        others: dict[str, Mapping[str, Any]] = {
            "a number": d.numbers,
            "the list of all objects of a kind": d.map_plurals(),
            "a table": d.tables,
            "a formula": d.formulas,
            "a value of the game": d.kinds[GAME_KIND].fields if GAME_KIND in d.kinds else {},
        }
        for what, names in others.items():
            if name in names:
                self.report(codes.SHADOWED_NAME, f"`{name}` is also {what}", span, instead)
        if self.cell is not None and name == ROW_NAME:
            message = f"`{name}` is already the name of the row that has these steps"
            self.report(codes.SHADOWED_NAME, message, span, instead)
        if is_reserved(name):
            self.report(codes.SHADOWED_NAME, f"`{name}` is a reserved word of the language", span, instead)
        there = self.scope.locals.get(name)
        if there is not None:
            related = RelatedSpan(there.span, "its first use is here")
            self._report_shadow(f"`{name}` is already in use here", span, instead, related)

    def _report_shadow(self, message: str, span: Span, instead: str | None, related: RelatedSpan) -> None:
        self.diagnostics.add(codes.SHADOWED_NAME, message, span, related=(related,), suggestion=instead)

    def _refuse_mean(self, kind: Type, span: Span) -> None:
        """Report a type that is an exact mean, or a list of them, because a game state cannot store fractions."""
        inner = present(kind)
        while isinstance(inner, ListOf):
            inner = present(inner.inner)
        if isinstance(inner, Ratio):
            message = "an exact mean can be used to compare and order things, but it cannot be stored"
            self.report(codes.WRONG_TYPE, message, span)

    def _special_cases(self, identity: str, when: Typed | None) -> tuple[list[Step], Typed | None]:
        """Return the exceptions to the step `identity`, and the condition of the step itself that remains, or None.

        `when` is the step's own condition. Exceptions are steps before it: their condition, then their steps. An
        exception only applies if the step would run and no earlier exception applies. The names of the exceptions are
        bound in `self.scope`.
        """
        named, grouped = by_role("name"), by_role("group")
        before: list[Step] = []
        otherwise: list[Typed] = []
        outer = self.scope
        rule = f"{self.procedure}.{identity}"
        for name, node in self.exceptions.get(identity, ()):
            self._first(name, node.span, f"the exception `{name}` has the same id as a step of `{self.procedure}`")
            self.scope = replace(self.scope, facts=outer.facts).with_facts(
                derive_facts(when, self.declarations) if when is not None else NO_FACTS
            )
            holds = _all_of([*otherwise, *([when] if when is not None else []), self.check_condition(node.get("when"))])
            slot = self._declare(name, BOOLEAN, node.span, changeable=False, instead=ANOTHER_NAME)
            words = {"text": _text(node.get("means"))}
            before.append(Step(name, rule, named, named.action(holds), None, node.span, slot, BOOLEAN, words=words))
            local = Local(BOOLEAN, slot, name)
            instead = node.get("instead")
            if instead is not None:
                block = self.block(instead, self.scope.with_facts(derive_facts(holds, self.declarations)))
                group = Step(f"{name}.instead", rule, grouped, grouped.action(), local, node.span)
                group.blocks = (block,)
                block.owner = group
                before.append(group)
            otherwise.append(Not(BOOLEAN, local))
        for step in before:
            step.procedure = self.procedure
        if not otherwise:
            return [], when
        return before, _all_of([*otherwise, *([when] if when is not None else [])])

    # -- the interface for statements ----------------------------------------------------

    def forget_target(self, target: Target) -> None:
        """Remove the facts about this target from the scope."""
        name = target.field if target.slot is None else f"#{target.slot}"
        self.scope = self.scope.without({name: describe_change(self.step_id, target.field)})

    def forget_call(self, procedure: Signature) -> None:
        """Remove the facts from the scope that a called procedure may make untrue."""
        self.scope = self.scope.without(describe_call(self.step_id, procedure))

    def loop_scope(self, node: Node | None, scope: Scope) -> Scope:
        """Return `scope` for a block that may run again: nothing that a round might change is known."""
        return forget_changes((node,), scope, self.exceptions, self.weave.at)

    def surely_asks(self, block: Block) -> bool:
        """Return whether carrying out `block` always asks a player something with two answers or more."""
        return surely_asks(block, self.asking, self.declarations)

    def find_escapes(self, block: Block) -> tuple[RelatedSpan, ...]:
        """Return notes at the steps by which a round of `block` may have no decision, if any step has one."""
        return find_escapes(block, self.asking, self.declarations, self.callees)

    def may_end(self, block: Block) -> bool:
        """Return whether a step of `block` may end the procedure or the game."""
        return may_end(block, self.declarations)

    def add_variable(self, name: str, kind: Type, span: Span) -> tuple[int, Scope]:
        """Declare a loop's own name, and return its slot and the scope of the loop's block.

        `self.scope` does not change.
        """
        outer = self.scope
        slot = self._declare(name, kind, span, changeable=False, instead=ANOTHER_NAME)
        inner = self.scope
        self.own_names[name] = inner.locals[name]
        self.scope = outer
        return slot, inner

    def add_slot(self, purpose: str, kind: Type) -> int:
        """Return a new slot that no name of the rules means. `purpose` is only for readers of the program."""
        return self._slot(f"{purpose} (slot)", kind)


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _all_of(conditions: list[Typed]) -> Typed:
    return conditions[0] if len(conditions) == 1 else Logic(BOOLEAN, "and", tuple(conditions))
