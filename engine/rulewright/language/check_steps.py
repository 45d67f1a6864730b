"""Steps as written → checked steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rulewright.language import codes
from rulewright.language.declarations import Declarations
from rulewright.language.expression.check import BROKEN, check_expression
from rulewright.language.expression.facts import facts
from rulewright.language.expression.typed import Constant, Items, Local, Logic, Not, Stored, Typed
from rulewright.language.scope import Binding, Scope
from rulewright.language.step import Block, Procedure, Step, Target
from rulewright.language.types import BOOLEAN, UNKNOWN, ListOf, Optional, Record, Type
from rulewright.language.verb import Checked, Verb, verbs
from rulewright.source.diagnostic import Code
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.suggest import did_you_mean

COMMON_KEYS = ("id", "when", "title", "text", "ask")
"""Keys every step may have, whatever its verb."""

WORDS = ("title", "text", "ask")


class CheckSteps:
    """Checks one procedure. Verbs use it to check what is theirs."""

    def __init__(
        self,
        procedure: str,
        declarations: Declarations,
        diagnostics: Diagnostics,
        exceptions: Mapping[str, list[tuple[str, MappingNode]]],
        asking: frozenset[str] = frozenset(),
    ) -> None:
        self.procedure = procedure
        self.declarations = declarations
        self.diagnostics = diagnostics
        self.scope = Scope(declarations)
        self.exceptions = exceptions
        self.asking = asking
        self.names: dict[int, str] = {}
        self.types: dict[int, Type] = {}
        self.seen: dict[str, Span] = {}

    # -- the whole procedure -------------------------------------------------------------

    def procedure_of(self, node: MappingNode, parameters: Mapping[str, Type]) -> Procedure:
        """The checked procedure; `node` is its record."""
        given = node.get("given")
        for name, kind in parameters.items():
            span = given.key_span(name) if isinstance(given, MappingNode) else node.span
            self._declare(name, kind, span, changeable=False)
        body, after = self._block(node.get("steps"), self.scope)
        self.scope = after_stops(body, after)
        gives: dict[str, Typed] = {}
        written = node.get("gives")
        if isinstance(written, MappingNode):
            for name, entry in written.entries.items():
                gives[name] = self.value(entry.value)
        words = {key: _text(node.get(key)) for key in ("title", "means") if node.get(key) is not None}
        number_places(body)
        return Procedure(
            self.procedure, parameters, body, gives, len(self.names), self.names, node.span, words, self.types
        )

    def block(self, node: Node | None, scope: Scope | None = None) -> Block:
        """The checked steps of a list; names bound in it are not seen after it."""
        outer = self.scope
        block, _ = self._block(node, scope or outer)
        changed = any(s.verb.name in ("set", "gain", "pay", "do", "remove") or s.blocks for s in block.steps)
        self.scope = outer.forgetting() if changed else outer
        return block

    def _block(self, node: Node | None, scope: Scope) -> tuple[Block, Scope]:
        """The checked steps of a list, and the scope after the last of them."""
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
                message = f"`{steps[-1].id}` always ends the procedure, so this is never reached"
                self.report(codes.UNREACHABLE_STEP, message, item.span)
                break
            steps.extend(self._step(item))
        return Block(tuple(steps)), self.scope

    # -- one step ------------------------------------------------------------------------

    def _step(self, node: MappingNode) -> list[Step]:
        identity = _text(node.get("id"))
        if not identity:
            self.report(codes.STEP_SHAPE, "a step needs an `id`, by which logs and house rules name it", node.span)
            return []
        span = node.get("id").span  # type: ignore[union-attr]
        if identity in self.seen:
            self.report(codes.DUPLICATE_STEP, f"`{self.procedure}` has two steps `{identity}`", span)
            return []
        self.seen[identity] = span
        verb = self._verb(node, identity, span)
        if verb is None:
            return []
        before = self._special_cases(identity)
        when_node = node.get("when")
        when = self.condition(when_node) if when_node is not None else None
        for special in before:
            if special.verb.name == "let":
                skip = Not(BOOLEAN, Local(BOOLEAN, special.slot or 0, special.id))
                when = skip if when is None else Logic(BOOLEAN, "and", (when, skip))
        outer = self.scope
        if when is not None:
            self.scope = outer.knowing(facts(when))
        checked = verb.check(node, self)
        self.scope = _rejoin(outer, self.scope, facts(when) if when is not None else frozenset())
        step = Step(
            id=identity,
            rule=f"{self.procedure}.{identity}",
            verb=verb,
            action=checked.action,
            when=when,
            span=node.span,
            blocks=checked.blocks,
            words={key: _text(node.get(key)) for key in WORDS if node.get(key) is not None},
            procedure=self.procedure,
            exceptions=tuple(special.id for special in before if special.verb.name == "let"),
        )
        for block in checked.blocks:
            block.owner = step
        if checked.loops:
            step.hidden = self._slot(f"{identity} (place)", UNKNOWN)
        self._bind(step, checked, span)
        return [*before, step]

    def _verb(self, node: MappingNode, identity: str, span: Span) -> Verb | None:
        known = verbs()
        present = [known[key] for key in node.entries if key in known]
        chosen = [v for v in present if not any(v.name in other.keys and other is not v for other in present)]
        if len(chosen) != 1:
            others = [key for key in node.entries if key not in COMMON_KEYS]
            if len(chosen) > 1:
                names = " and ".join(f"`{verb.name}`" for verb in chosen)
                self.report(codes.UNKNOWN_VERB, f"the step `{identity}` has two verbs, {names}", span)
                return None
            hint = next((h for h in (did_you_mean(key, known) for key in others) if h), None)
            at = node.key_span(others[0]) if others else span
            self.report(codes.UNKNOWN_VERB, f"the step `{identity}` has no verb", at, hint)
            return None
        verb = chosen[0]
        for key in node.entries:
            if key not in COMMON_KEYS and key not in verb.keys:
                hint = did_you_mean(key, [*verb.keys, *COMMON_KEYS])
                self.report(codes.STEP_KEY, f"`{verb.name}` takes no `{key}`", node.key_span(key), hint)
        for key, member in verb.keys.items():
            if member.required and key not in node:
                self.report(codes.STEP_SHAPE, f"`{verb.name}` needs `{key}`", span)
                return None
        return verb

    def _bind(self, step: Step, checked: Checked, span: Span) -> None:
        """Give the step's result its name. A step that may be skipped may leave it none."""
        skippable = step.when is not None

        def kind_of(kind: Type) -> Type:
            return Optional(kind) if skippable and not isinstance(kind, Optional) else kind

        if checked.parts is not None:
            parts = {}
            for name, kind in checked.parts.items():
                slot = self._slot(f"{step.id}.{name}", kind_of(kind))
                parts[name] = Binding(slot, kind_of(kind), False, span)
            step.slot = next(iter(parts.values())).slot if parts else None
            record = Record(MappingProxyType({name: part.type for name, part in parts.items()}))
            self._refuse_shadow(step.id, span)
            binding = Binding(step.slot or 0, record, False, span, MappingProxyType(parts))
            self.scope = self.scope.binding(step.id, binding)
            step.binds = record
        elif checked.binds is not None:
            step.binds = kind_of(checked.binds)
            step.slot = self._declare(step.id, step.binds, span, changeable=checked.changeable)

    def _declare(self, name: str, kind: Type, span: Span, *, changeable: bool) -> int:
        self._refuse_shadow(name, span)
        slot = self._slot(name, kind)
        self.scope = self.scope.binding(name, Binding(slot, kind, changeable, span))
        return slot

    def _slot(self, name: str, kind: Type) -> int:
        # Slot 0 of a frame is the place in the program, so the first value is in slot 1.
        slot = len(self.names) + 1
        self.names[slot] = name
        self.types[slot] = kind
        return slot

    def _refuse_shadow(self, name: str, span: Span) -> None:
        d = self.declarations
        others = {"a number": d.numbers, "all of a kind": d.plurals(), "a table": d.tables, "a formula": d.formulas}
        state = d.kinds.get("game")
        if state is not None:
            others["a value of the game"] = state.fields
        for what, names in others.items():
            if name in names:
                self.report(codes.SHADOWED_NAME, f"`{name}` is also {what}", span)

    def _special_cases(self, identity: str) -> list[Step]:
        """The exceptions to a step, as steps before it: whether each holds, and what is then done instead."""
        from rulewright.language.verbs.let import Let
        from rulewright.language.verbs.steps import Group

        before: list[Step] = []
        for name, node in self.exceptions.get(f"{self.procedure}.{identity}", ()):
            when = self.condition(node.get("when"))
            slot = self._declare(name, BOOLEAN, node.span, changeable=False)
            rule = f"{self.procedure}.{identity}"
            words = {"text": _text(node.get("means"))}
            before.append(
                Step(name, rule, verbs()["let"], Let.action(when), None, node.span, slot, BOOLEAN, words=words)
            )
            instead = node.get("instead")
            if instead is not None:
                scope = self.scope.knowing(facts(when))
                block = self.block(instead, scope)
                holds = Local(BOOLEAN, slot, name)
                group = Step(f"{name}.instead", rule, verbs()["steps"], Group.action(), holds, node.span)
                group.blocks = (block,)
                block.owner = group
                before.append(group)
        for step in before:
            step.procedure = self.procedure
        return before

    # -- what verbs use ------------------------------------------------------------------

    def value(self, node: Node | None, expected: Type | None = None) -> Typed:
        """The expression in `node`, of type `expected` where given; a list may be a list of expressions."""
        if isinstance(node, Sequence):
            inner = expected.inner if isinstance(expected, ListOf) else None
            items = tuple(self.value(item, inner) for item in node.items)
            return Items(ListOf(inner or (items[0].type if items else UNKNOWN)), items)
        scalar = self._scalar(node)
        return BROKEN if scalar is None else check_expression(scalar, self.scope, self.diagnostics, expected=expected)

    def condition(self, node: Node | None) -> Typed:
        """The yes-or-no question in `node`."""
        scalar = self._scalar(node)
        return BROKEN if scalar is None else check_expression(scalar, self.scope, self.diagnostics, condition=True)

    def target(self, key: Scalar) -> Target | None:
        """The place that the expression in `key` names."""
        typed = check_expression(key, replace(self.scope, facts=self.scope.facts), self.diagnostics)
        match typed:
            case Stored(base=base, kind=kind, field=name):
                if name.startswith("options."):
                    declared: Any = self.declarations.options[name.partition(".")[2]]
                    return Target(declared.type, base, kind, name)
                field = self.declarations.kinds[kind].fields[name]
                return Target(field.type, base, kind, name, None, field.minimum)
            case Local(name=name, slot=slot) if name in self.scope.locals and self.scope.locals[name].changeable:
                return Target(self.scope.locals[name].type, None, "", name, slot)
            case Constant() if typed is BROKEN:
                return None
        self.report(codes.NOT_CHANGEABLE, f"`{key.text}` cannot be changed by a step", key.span)
        return None

    def changed(self, target: Target) -> None:
        """What was known of this place is no longer."""
        if target.slot is not None:
            self.scope = self.scope.forgetting(slot=target.slot)
        else:
            self.scope = self.scope.forgetting(field_name=target.field)

    def loop_scope(self) -> Scope:
        """The scope of a block that may run again: nothing that a round might change is known."""
        fixed = {f"#{b.slot}" for b in self.scope.locals.values() if not b.changeable}
        kept = frozenset(fact for fact in self.scope.facts if fact in fixed)
        return replace(self.scope, facts=kept)

    def surely_asks(self, block: Block) -> bool:
        """Whether carrying out `block` always asks a player something with two answers or more."""
        return surely_asks(block, self.asking)

    def report(self, code: Code, message: str, span: Span, suggestion: str | None = None) -> None:
        """Report a fault."""
        self.diagnostics.add(code, message, span, suggestion=suggestion)

    def variable(self, name: str, kind: Type, span: Span) -> tuple[int, Scope]:
        """A loop's own name: its slot, and the scope of the loop's block."""
        outer = self.scope
        slot = self._declare(name, kind, span, changeable=False)
        inner = self.loop_scope()
        self.scope = outer
        return slot, inner

    def _scalar(self, node: Node | None) -> Scalar | None:
        if isinstance(node, Scalar):
            return node
        if node is not None:
            self.report(codes.STEP_SHAPE, f"an expression is needed here, not {node.kind}", node.span)
        return None


def _rejoin(outer: Scope, after: Scope, learnt: frozenset[str]) -> Scope:
    """The scope after a step that `when` may skip: what only held because of it holds no longer."""
    return replace(outer, facts=(after.facts - learnt) | (outer.facts & after.facts))


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def number_places(block: Block) -> None:
    """Tell every step where it stands, so that the step after it can be found."""
    for place, step in enumerate(block.steps):
        step.container = block
        step.place = place
        for inner in step.blocks:
            inner.owner = step
            number_places(inner)


def after_stops(body: Block, scope: Scope) -> Scope:
    """The scope in which a procedure's `gives` are worked out.

    What is bound only after a place where the procedure may have ended is optional there.
    """
    may_be_missing: set[str] = set()
    stopped = False
    for step in body.steps:
        if stopped and step.binds is not None:
            may_be_missing.add(step.id)
        stopped = stopped or any(inner.verb.name == "stop" for inner in Block((step,)).walk())
    bound = {name: _optional(b) if name in may_be_missing else b for name, b in scope.locals.items()}
    return replace(scope, locals=MappingProxyType(bound))


def _optional(bound: Binding) -> Binding:
    kind = bound.type if isinstance(bound.type, (Optional, Record)) else Optional(bound.type)
    parts = None
    if bound.parts is not None:
        parts = MappingProxyType({name: _optional(part) for name, part in bound.parts.items()})
    return replace(bound, type=kind, parts=parts)


def always_ends(step: Step) -> bool:
    """Whether the procedure (or the game) always ends with this step."""
    if step.when is not None:
        return False
    if step.verb.name in ("stop", "finish"):
        return True
    if step.verb.name == "steps":
        return any(always_ends(inner) for inner in step.blocks[0].steps)
    if step.verb.name == "if":
        return len(step.blocks) == 2 and all(any(always_ends(s) for s in block.steps) for block in step.blocks)
    return False


def surely_asks(block: Block, asking: frozenset[str]) -> bool:
    """Whether `block` always asks a player; `asking` names the procedures known to do so."""
    from rulewright.language.verbs import choose

    for step in block.steps:
        if step.when is not None:
            continue
        match step.verb.name:
            case "choose" if choose.surely_asks(step.action):
                return True
            case "do" if step.action.procedure in asking:
                return True
            case "steps" if surely_asks(step.blocks[0], asking):
                return True
            case "if" if len(step.blocks) == 2 and all(surely_asks(inner, asking) for inner in step.blocks):
                return True
            case "repeat" if step.action.going is None and step.action.at_most is None:
                return True
            case "stop":
                return False
    return False
