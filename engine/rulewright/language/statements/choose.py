"""`choose`: a player is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import PLAYER_KIND, Scope
from rulewright.language.expressions.narrowing import derive_facts, derive_facts_of_elements
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    Constant,
    Items,
    Local,
    Objects,
    Travel,
    Typed,
    Variable,
)
from rulewright.language.operations import (
    FEWER_SUBSETS,
    MANY_SUBSETS,
    Costs,
    Offer,
    Offered,
    OrNone,
    Range,
    Subsets,
    has_many_subsets,
    list_numbers,
    list_subsets,
)
from rulewright.language.schema_shapes import (
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Record,
    expression,
    optional,
    required,
    words,
)
from rulewright.language.statement import (
    NOTHING,
    Changes,
    Check,
    CheckedStep,
    Group,
    Lower,
    Run,
    Statement,
    rewrite_expressions,
)
from rulewright.language.types import INTEGER, PLAYER, UNKNOWN, ByPlayer, Choice, Type, Unknown, make_optional, present
from rulewright.language.types import ListOf as ListType
from rulewright.language.visibility import SEERS, check_viewers, describe_viewers_key, join_viewers
from rulewright.source.diagnostics.diagnostic import Edit, RelatedSpan
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

FORMS = ("from", "one_of", "some_of", "number")


OPTION = "it"
"""The name of the option in its costs."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """A decision. `form` is one of `FORMS`, and the other members are those of that form.

    With `such_that`, only the selections count for which it is true. It has them in the variable `selection`.

    `players_slot` stores the list of players who choose, unless these are all players.

    `others` are the players who see the choice in addition to the deciding player, and `viewers` are both. If `who` are
    several players, the deciding one is in slot `chooser_slot`, with the name `called` if the rules have one. Without
    `others`, all players see the choices when all have chosen. With `or_none`, the player may choose nothing, if
    `none_when` is true or None.
    """

    who: Typed
    form: str
    offers: tuple[Offer, ...] = ()
    source: Typed | None = None
    low: Typed | None = None
    high: Typed | None = None
    in_order: bool = False
    such_that: Typed | None = None
    selection: str = ""
    or_none: bool = False
    none_when: Typed | None = None
    costs: Costs = ()
    viewers: Typed | None = None
    others: Typed | None = None
    chooser_slot: int | None = None
    called: str = ""
    players_slot: int | None = None

    @property
    def players(self) -> Typed:
        """The players who choose, after the step has begun."""
        return self.who if self.players_slot is None else Local(SEERS, self.players_slot, "")


COSTS = MapOf(
    "The cost shown next to an option: the resource and the amount, in which `it` is the option. Rules ignore it.",
    inner=expression("How much."),
    cosmetic=True,
)


class Choose(Statement):
    """The statement pauses at a decision. The result is one of the options.

    Several players are asked one after another, and the hidden slot has the remaining players. The answers so far are
    in the step's own slot, in order. No player sees the answer of another until all have chosen.

    A single option is taken without a question, unless the number of options depends on a secret.
    """

    name = "choose"
    also = ("decide", "pick", "select")
    summary = (
        "Asks a player to choose one of several ids, one or more elements of a list, or a number. If several players "
        "choose, they choose at the same time: no choice is visible to the others until all have chosen."
    )
    presence = "was chosen"
    example = "{id: call, choose: {who: player, from: [roll, hold]}}"
    keys = {
        "choose": required(
            Record(
                "Who chooses, and from what: exactly one of `from`, `one_of`, `some_of`, `number`.",
                members={
                    "who": required(
                        expression("The player who chooses, or a list of players who choose at the same time.")
                    ),
                    "as": optional(
                        Leaf(
                            "If several players choose: the name that options use for the choosing player.",
                            format="id",
                            binds=True,
                        )
                    ),
                    "from": optional(
                        ByForm(
                            "A list of ids, or a mapping from ids to the conditions under which they are offered. An "
                            "expression belongs in `one_of`.",
                            sequence=ListOf("Ids.", inner=Leaf("An id.", format="id")),
                            mapping=MapOf(
                                "Ids.",
                                inner=Record(
                                    "One option.",
                                    members={
                                        "when": optional(expression("Offered only if this is true.")),
                                        "label": optional(words("The label of the option.")),
                                        "costs": optional(COSTS),
                                    },
                                    short="when",
                                ),
                                ranked=True,
                            ),
                        )
                    ),
                    "one_of": optional(expression("A list to choose one element from.")),
                    "some_of": optional(expression("A list to choose several elements from.")),
                    "at_least": optional(expression("The minimum number of elements of `some_of` (default: none).")),
                    "at_most": optional(expression("The maximum number of elements of `some_of` (default: all).")),
                    "in_order": optional(
                        Leaf("Whether the order of `some_of` matters.", format="flag", values=("true",))
                    ),
                    "such_that": optional(
                        expression("A condition on the chosen elements of `some_of` together, which it calls `it`.")
                    ),
                    "number": optional(
                        Record(
                            "A whole number within a range.",
                            members={
                                "from": required(expression("The lowest number.")),
                                "to": required(expression("The highest number.")),
                            },
                        )
                    ),
                    "or_none": optional(
                        expression(
                            "`true` if the player may choose nothing, or the condition under which this is allowed."
                        )
                    ),
                    "costs": optional(COSTS),
                },
            )
        ),
        "seen_by": describe_viewers_key("The players who see the choice, in addition to the player who makes it"),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check a decision of one player, or of several players one after the other.

        A choice without exactly one form is reported, and its result is then unknown. Keys that do not suit the form or
        the number of players are only reported.
        """
        what = node.get("choose")
        assert isinstance(what, Mapping)
        who, several = _who(what.get("who"), check)
        forms = [form for form in FORMS if form in what]
        if len(forms) != 1:
            given = " and ".join(f"`{form}`" for form in forms) or "none of them"
            message = f"a choice needs exactly one of {', '.join(FORMS)}, but this has {given}"
            check.report(language_diagnostics.STEP_SHAPE, message, what.span)
            return CheckedStep(Action(who, "from"), binds=UNKNOWN)
        form = forms[0]
        for key in ("at_least", "at_most", "in_order", "such_that"):
            if key in what and form != "some_of":
                message = f"`{key}` is only allowed with `some_of`"
                check.report(language_diagnostics.STEP_KEY, message, what.find_key_span(key))
        outer, one, called = check.scope, who, what.get("as")
        slot = group = None
        # If `who` is invalid, the name is that of a player.
        if several or (called is not None and isinstance(who.type, Unknown)):
            name, span = ("(asked)", what.span) if not isinstance(called, Scalar) else (called.text, called.span)
            slot, check.scope = check.add_variable(name if called else f"{_id(node)} (asked)", PLAYER, span)
            one = Local(PLAYER, slot, name)
            check.scope = check.scope.with_facts(derive_facts_of_elements(who, one, check.declarations))
        elif called is not None:
            message = "`as` names one of several choosing players, but only one player chooses here"
            check.report(language_diagnostics.STEP_KEY, message, what.find_key_span("as"))
        or_none, none_when = _check_none(what.get("or_none"), check)
        action, kind = getattr(self, f"_check_{form}")(who, what, check)
        action = replace(action, or_none=or_none, none_when=none_when)
        if form == "some_of" and "such_that" in what:
            condition, name = _check_selection(what.get("such_that"), kind, _id(node), check)
            action = replace(action, such_that=condition, selection=name)
        viewers = check_viewers(node.get("seen_by"), check.check_value, check.report)
        if several:
            text = called.text if isinstance(called, Scalar) else ""
            stored = None if who == EVERYBODY else check.add_slot(f"{_id(node)} (players)", SEERS)
            action = replace(action, viewers=Items(SEERS, (one,)), chooser_slot=slot, called=text, players_slot=stored)
            group = Group(action.players, slot or 0, text)
        if viewers is not None:
            action = replace(action, viewers=join_viewers(Items(SEERS, (one,)), viewers), others=viewers)
        if "costs" in what:
            if form == "some_of":
                message = "`costs` apply to a single option, but several are chosen at once here"
                check.report(language_diagnostics.STEP_KEY, message, what.find_key_span("costs"))
            action = replace(action, costs=_costs(what.get("costs"), check, check.scope.with_variable(OPTION, kind)))
        check.scope = outer
        answer = make_optional(kind) if or_none else kind
        if not several:
            return CheckedStep(action, binds=answer)
        binds = ByPlayer(answer) if who == EVERYBODY else ListType(answer)
        return CheckedStep(action, binds=binds, resumes=True, group=group)

    def _check_from(self, who: Typed, what: Mapping, check: Check) -> tuple[Action, Type]:
        """Return the action and the type of the result for options with ids.

        Reports an empty list, and repeated options.
        """
        written = what.get("from")
        offers: list[Offer] = []
        if isinstance(written, Sequence):
            for item in written.items:
                identity = item.text if isinstance(item, Scalar) else ""
                offers.append(Offer(identity, None, check.called.get(identity, "")))
        elif isinstance(written, Mapping):
            for name, entry in written.entries.items():
                offers.append(_offer(name, entry.value, check))
        if len({offer.id for offer in offers}) < len(offers):
            check.report(language_diagnostics.STEP_SHAPE, "an option is offered twice", what.find_key_span("from"))
        if not offers:
            check.report(language_diagnostics.STEP_SHAPE, "there is nothing to choose from", what.find_key_span("from"))
        kind = Choice(tuple(offer.id for offer in offers))
        return Action(who, "from", tuple(offers)), kind

    def _check_one_of(self, who: Typed, what: Mapping, check: Check) -> tuple[Action, Type]:
        source = check.check_value(what.get("one_of"), ListType(UNKNOWN))
        kind = source.type.inner if isinstance(source.type, ListType) else UNKNOWN
        return Action(who, "one_of", source=source), kind

    def _check_some_of(self, who: Typed, what: Mapping, check: Check) -> tuple[Action, Type]:
        """Return the action and the type of the result for a selection from a list.

        Reports bounds that no size can meet.
        """
        source = check.check_value(what.get("some_of"), ListType(UNKNOWN))
        low = check.check_value(what.get("at_least"), INTEGER) if "at_least" in what else None
        high = check.check_value(what.get("at_most"), INTEGER) if "at_most" in what else None
        least = Constant(INTEGER, 0) if low is None else low
        _refuse_nothing_between(least, high, what.get("at_most"), what.get("at_least"), check)
        _refuse_many_subsets(source, least, high, what, check)
        return Action(who, "some_of", source=source, low=low, high=high, in_order="in_order" in what), source.type

    def _check_number(self, who: Typed, what: Mapping, check: Check) -> tuple[Action, Type]:
        """Return the action and the type of the result for a number. Reports bounds without a number between them."""
        ends = what.get("number")
        assert isinstance(ends, Mapping)
        low, high = check.check_value(ends.get("from"), INTEGER), check.check_value(ends.get("to"), INTEGER)
        _refuse_nothing_between(low, high, ends.get("to"), ends.get("from"), check)
        return Action(who, "number", low=low, high=high), INTEGER

    # -- running -------------------------------------------------------------------------

    def run(self, step: Step, run: Run) -> None:
        """Ask the player, or the first of several, and store the others.

        In a restored state, ask the same player again.
        """
        action: Action = step.action
        if action.chooser_slot is None:
            run.ask(run.compute(action.who), self._options(action, run), step)
            return
        assert step.hidden is not None
        if run.read(step.hidden) is not None:
            # The state was restored at a decision, so ask the same player again.
            run.ask(run.read(action.chooser_slot), self._options(action, run), step)
            return
        who = run.compute(action.who)
        if action.players_slot is not None:
            run.bind(action.players_slot, who)
        run.begin_rounds(step, len(who))
        run.bind(step.slot or 0, ())
        self._ask_next(step, run, who)

    def _ask_next(self, step: Step, run: Run, who: tuple[int, ...]) -> None:
        """Ask the first of `who`, and store the others for later.

        If `who` is empty, clear the stored players, and reveal the choices unless the step limits who may see them.
        """
        action: Action = step.action
        assert action.chooser_slot is not None
        if who:
            run.bind(action.chooser_slot, who[0])
            run.bind(step.hidden or 0, who[1:])
            run.ask(who[0], self._options(action, run), step)
            return
        run.bind(step.hidden or 0, None)
        if action.others is None:
            run.record_event(step, "revealed", run.compute(action.players), run.read(step.slot or 0))

    def _options(self, action: Action, run: Run) -> tuple[Any, ...]:
        """Return the options that there are now, with None as the last if nothing may be chosen.

        Raises `OverflowError` for too many numbers or selections.
        """
        options: tuple[Any, ...]
        match action.form:
            case "from":
                options = tuple(o.id for o in action.offers if o.when is None or run.compute(o.when))
            case "one_of":
                options = run.compute(action.source)  # type: ignore[arg-type]
            case "some_of":
                items = run.compute(action.source)  # type: ignore[arg-type]
                low = 0 if action.low is None else run.compute(action.low)
                high = len(items) if action.high is None else run.compute(action.high)
                options = list_subsets(items, low, high, in_order=action.in_order)
                if action.such_that is not None:
                    assert action.source is not None
                    options = run.compute(_select(Constant(ListType(action.source.type), options), action))
            case _:
                options = list_numbers(run.compute(action.low), run.compute(action.high))  # type: ignore[arg-type]
        none = action.or_none and (action.none_when is None or run.compute(action.none_when))
        return (*options, None) if none else options

    def take(self, step: Step, run: Run, value: Any) -> None:
        """Record the decision, bind the choice or add it to those made before, and ask the next of several players."""
        run.record_event(step, "asked", run.get_answer(), value, viewers=step.action.viewers)
        slot = step.slot or 0
        if step.action.chooser_slot is None:
            run.bind(slot, value)
            return
        run.bind(slot, (*run.read(slot), value))
        self._ask_next(step, run, run.read(step.hidden or 0))

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        """Lower the decision, or a loop of decisions over several players.

        After the loop, all choices are revealed, unless the step limits who may see them.
        """
        action: Action = step.action
        kind = present(step.binds) if step.binds is not None else UNKNOWN
        if action.chooser_slot is None:
            lower.bind(self._ask(lower, action, action.who, kind))
            return
        assert isinstance(kind, ListType)
        assert step.slot is not None
        answers = Local(kind, step.slot, step.id)
        one, inner = Local(PLAYER, action.chooser_slot, action.called), kind.inner

        def ask() -> None:
            answer = Items(ListType(inner), (self._ask(lower, action, one, present(inner)),))
            lower.bind(Arithmetic(kind, "+", answers, answer))

        if action.players_slot is not None:
            lower.bind(action.who, slot=action.players_slot)
        lower.bind(Items(kind, ()))
        lower.emit_each(action.players, action.chooser_slot, ask, entities=False)
        if action.others is None:
            lower.reveal(action.players, answers)

    def _ask(self, lower: Lower, action: Action, who: Typed, kind: Type) -> Typed:
        """Lower one decision, and return the choice."""
        options: Typed
        match action.form:
            case "from":
                options = Offered(ListType(kind), action.offers)
            case "one_of":
                assert action.source is not None
                options = action.source
            case "some_of":
                assert action.source is not None
                options = Subsets(ListType(kind), lower.keep(action.source), action.low, action.high, action.in_order)
                options = options if action.such_that is None else _select(options, action)
            case _:
                assert action.low is not None
                assert action.high is not None
                options = Range(ListType(kind), action.low, action.high)
        if action.or_none:
            options = OrNone(ListType(make_optional(kind)), options, action.none_when)
        return lower.ask(who, options, kind, action.costs, viewers=action.viewers)


EVERYBODY = Objects(SEERS, PLAYER_KIND)


def _who(node: Node | None, check: Check) -> tuple[Typed, bool]:
    """Return the deciding player or players, and whether there are several.

    Reports any other value, and then returns `BROKEN` and False.
    """
    value = check.check_value(node)
    if value.type == SEERS:
        return value, True
    if value.type == PLAYER or isinstance(value.type, Unknown):
        return value, False
    return check.check_value(node, PLAYER), False  # reports the error


def _check_none(node: Node | None, check: Check) -> tuple[bool, Typed | None]:
    """Return whether the player may ever choose nothing, and the condition, which is None if it is always true."""
    if node is None:
        return False, None
    match check.check_condition(node):
        case Constant(value=bool(allowed)):
            return allowed, None
        case condition:
            return True, condition


def _check_selection(node: Node | None, kind: Type, step: str, check: Check) -> tuple[Typed, str]:
    """Return the condition on a selection, and the name that it has there: that of the step, as in sentences."""
    outer, check.scope = check.scope, check.scope.with_variable(OPTION, kind)
    condition = check.check_condition(node)
    check.scope = outer
    names = {part.variable for part in condition.walk() if isinstance(part, Aggregate | Travel)}
    name = OPTION if step in names else step

    def rename(part: Typed) -> Typed | None:
        match part:
            case Variable(name=variable) if variable == OPTION:
                return Variable(part.type, name)
            case Aggregate(variable=variable) if variable == OPTION:
                # Only its source is outside of where its own variable has this name.
                return replace(part, source=rewrite_expressions(part.source, rename))
        return None

    return rewrite_expressions(condition, rename), name


def _select(selections: Typed, action: Action) -> Typed:
    """Return those of a list of selections for which the condition of the choice is true."""
    assert isinstance(selections.type, ListType)
    selection = Variable(selections.type.inner, action.selection)
    return Aggregate(selections.type, "list", selection, action.selection, selections, action.such_that, None)


def _id(node: Mapping) -> str:
    identity = node.get("id")
    return identity.text if isinstance(identity, Scalar) else ""


def _offer(name: str, node: Node, check: Check) -> Offer:
    """Return an option with its condition, label and costs. Its condition counts as true in its costs.

    Reports errors.
    """
    if not isinstance(node, Mapping):
        return Offer(name, check.check_condition(node), "")
    label = node.get("label")
    when = check.check_condition(node.get("when")) if "when" in node else None
    known = check.scope.with_facts(derive_facts(when, check.declarations)) if when is not None else check.scope
    return Offer(name, when, label.text if isinstance(label, Scalar) else "", _costs(node.get("costs"), check, known))


def _refuse_nothing_between(
    low: Typed | None, high: Typed | None, most: Node | None, least: Node | None, check: Check
) -> None:
    """Report constant bounds without any number between them, with an edit that swaps two literal numbers.

    `low` and `high` are the typed bounds, `least` and `most` their nodes. Nothing is reported without `most`.
    """
    match low, high:
        case Constant(value=int(first)), Constant(value=int(last)) if first > last and most is not None:
            message = f"there is no number from {first} to {last}: the minimum is greater than the maximum"
            is_reversed = isinstance(low, Constant) and isinstance(high, Constant) and not (low.name or high.name)
            edits: tuple[Edit, ...] = ()
            if is_reversed and isinstance(least, Scalar) and isinstance(most, Scalar):
                edits = (Edit(least.span, most.text), Edit(most.span, least.text))
            related = (RelatedSpan(least.span, "the least"),) if least is not None else ()
            hint = "write the smaller number first" if least is not None else f"write {first} or more"
            check.diagnostics.add(
                language_diagnostics.STEP_SHAPE, message, most.span, related=related, suggestion=hint, edits=edits
            )


def _refuse_many_subsets(source: Typed, low: Typed, high: Typed | None, what: Mapping, check: Check) -> None:
    """Report a selection with too many combinations, if its list and its bounds are constant."""
    match source:
        case Constant(value=tuple(items)) | Items(items=items):
            most = Constant(INTEGER, len(items)) if high is None else high
            match low, most:
                case Constant(value=int(first)), Constant(value=int(last)) if has_many_subsets(
                    len(items), first, last, in_order="in_order" in what
                ):
                    node = what.get("some_of")
                    assert node is not None
                    message = MANY_SUBSETS.format(value=len(items))
                    check.report(language_diagnostics.TOO_MUCH_WORK, message, node.span, FEWER_SUBSETS)


def _costs(node: Node | None, check: Check, scope: Scope) -> Costs:
    """Return the costs of an option, checked in `scope`, as pairs of name and amount. Empty if `node` is no mapping.

    Errors about unknown names get a hint with the option's name.
    """
    if not isinstance(node, Mapping):
        return ()
    outer, check.scope = check.scope, scope
    known = len(check.diagnostics)
    costs = tuple((name, check.check_value(entry.value, INTEGER)) for name, entry in node.entries.items())
    check.scope = outer
    diagnostics = list(check.diagnostics)
    if OPTION in scope.variables and any(
        each.code is language_diagnostics.UNKNOWN_NAME for each in diagnostics[known:]
    ):
        hint = f"here, the option is called `{OPTION}`: write `{OPTION}`, or `{OPTION}.` and one of its parts"
        for place, each in enumerate(diagnostics[known:], known):
            if each.code is language_diagnostics.UNKNOWN_NAME:
                diagnostics[place] = replace(each, suggestion=hint, edits=())
        check.diagnostics.replace(diagnostics)
    return costs
