"""`choose`: a player is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import comb
from typing import Any, ClassVar

from rulewright.language import codes
from rulewright.language.expression.facts import facts
from rulewright.language.expression.typed import Typed
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.scope import Scope
from rulewright.language.shape import ByForm, Leaf, ListOf, MapOf, Record, expression, optional, required, words
from rulewright.language.step import Step, Stop
from rulewright.language.types import INTEGER, PLAYER, UNKNOWN, Choice, Type, maybe, present
from rulewright.language.types import ListOf as ListType
from rulewright.language.verb import Checked, Fact, Verb
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

FORMS = ("from", "one_of", "some_of", "number")

MOST_OPTIONS = 100_000
"""Options one decision may have: beyond it, listing them would stop the game rather than the player."""


Costs = tuple[tuple[str, Typed], ...]
"""What an option costs, for the players to see: of what (a field or term), and how much. No rule goes by it."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An option that is offered by id, where its condition holds."""

    id: str
    when: Typed | None
    label: str
    costs: Costs = ()


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """What is asked of whom. `form` is one of `FORMS`; the other members are those of that form."""

    who: Typed
    form: str
    offers: tuple[Offer, ...] = ()
    source: Typed | None = None
    low: Typed | None = None
    high: Typed | None = None
    or_none: bool = False
    costs: Costs = ()


def subsets(items: tuple[Any, ...], low: int, high: int) -> tuple[tuple[Any, ...], ...]:
    """Every choice of `low` to `high` of `items`, fewest first, each in the order of `items`."""
    sizes = range(max(low, 0), min(high, len(items)) + 1)
    # The ways are counted one size after the other: for many items, the whole sum would have thousands of digits.
    ways = 0
    for size in sizes:
        ways += comb(len(items), size)
        if ways > MOST_OPTIONS:
            raise OverflowError(f"there are more than {MOST_OPTIONS:,} ways to choose from {len(items)}")
    return tuple(chain.from_iterable(combinations(items, size) for size in sizes))


def numbers(low: int, high: int) -> tuple[int, ...]:
    """Every number from `low` to `high`."""
    if high - low >= MOST_OPTIONS:
        raise OverflowError(f"there are more than {MOST_OPTIONS:,} numbers to choose from")
    return tuple(range(low, high + 1))


COSTS = MapOf(
    "What an option costs, shown beside it: of what, and how much; `it` is the option. No rule goes by it.",
    inner=expression("How much."),
    cosmetic=True,
)


class Choose(Verb):
    """Stops at a decision; what is taken is one of the options listed."""

    name = "choose"
    summary = "Asks a player to choose: one of several ids, one or some of a list, or a number."
    example = "{id: call, choose: {who: player, from: [roll, hold]}}"
    keys = {
        "choose": required(
            Record(
                "Who chooses, and from what: exactly one of `from`, `one_of`, `some_of`, `number`.",
                members={
                    "who": required(expression("The player who chooses.")),
                    "from": optional(
                        ByForm(
                            "Ids; as a mapping, each with the condition under which it is offered.",
                            sequence=ListOf("Ids.", inner=Leaf("An id.", format="id")),
                            mapping=MapOf(
                                "Ids.",
                                inner=Record(
                                    "One option.",
                                    members={
                                        "when": optional(expression("Offered only where this holds.")),
                                        "label": optional(words("What the player reads.")),
                                        "costs": optional(COSTS),
                                    },
                                    short="when",
                                ),
                                ranked=True,
                            ),
                        )
                    ),
                    "one_of": optional(expression("A list, of which one is chosen.")),
                    "some_of": optional(expression("A list, of which some are chosen.")),
                    "at_least": optional(expression("How many of `some_of` at least (default none).")),
                    "at_most": optional(expression("How many of `some_of` at most (default all).")),
                    "number": optional(
                        Record(
                            "A whole number between two.",
                            members={
                                "from": required(expression("The least.")),
                                "to": required(expression("The most.")),
                            },
                        )
                    ),
                    "or_none": optional(Leaf("Whether the player may choose nothing.", format="flag")),
                    "costs": optional(COSTS),
                },
            )
        ),
    }
    stops: ClassVar[Stop] = "decision"

    def check(self, node: Mapping, check: Check) -> Checked:
        what = node.get("choose")
        assert isinstance(what, Mapping)
        who = check.value(what.get("who"), PLAYER)
        forms = [form for form in FORMS if form in what]
        if len(forms) != 1:
            given = " and ".join(f"`{form}`" for form in forms) or "none of them"
            message = f"a choice is made from exactly one of {', '.join(FORMS)}; this has {given}"
            check.report(codes.STEP_SHAPE, message, what.span)
            return Checked(Action(who, "from"), binds=UNKNOWN)
        form = forms[0]
        for key in ("at_least", "at_most"):
            if key in what and form != "some_of":
                check.report(codes.STEP_KEY, f"`{key}` goes with `some_of`", what.key_span(key))
        flag = what.get("or_none")
        or_none = isinstance(flag, Scalar) and flag.value is True
        action, kind = getattr(self, f"_check_{form}")(who, what, check, or_none)
        if "costs" in what:
            if form == "some_of":
                message = "`costs` are of one option, and here several are chosen at once"
                check.report(codes.STEP_KEY, message, what.key_span("costs"))
            action = replace(action, costs=_costs(what.get("costs"), check, check.scope.variable("it", kind)))
        return Checked(action, binds=maybe(kind) if or_none else kind)

    def _check_from(self, who: Typed, what: Mapping, check: Check, or_none: bool) -> tuple[Action, Type]:
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
            check.report(codes.STEP_SHAPE, "an option is offered twice", what.key_span("from"))
        if not offers:
            check.report(codes.STEP_SHAPE, "there is nothing to choose from", what.key_span("from"))
        kind = Choice(tuple(offer.id for offer in offers))
        return Action(who, "from", tuple(offers), or_none=or_none), kind

    def _check_one_of(self, who: Typed, what: Mapping, check: Check, or_none: bool) -> tuple[Action, Type]:
        source = check.value(what.get("one_of"), ListType(UNKNOWN))
        kind = source.type.inner if isinstance(source.type, ListType) else UNKNOWN
        return Action(who, "one_of", source=source, or_none=or_none), kind

    def _check_some_of(self, who: Typed, what: Mapping, check: Check, or_none: bool) -> tuple[Action, Type]:
        source = check.value(what.get("some_of"), ListType(UNKNOWN))
        low = check.value(what.get("at_least"), INTEGER) if "at_least" in what else None
        high = check.value(what.get("at_most"), INTEGER) if "at_most" in what else None
        return Action(who, "some_of", source=source, low=low, high=high, or_none=or_none), source.type

    def _check_number(self, who: Typed, what: Mapping, check: Check, or_none: bool) -> tuple[Action, Type]:
        ends = what.get("number")
        assert isinstance(ends, Mapping)
        low, high = check.value(ends.get("from"), INTEGER), check.value(ends.get("to"), INTEGER)
        return Action(who, "number", low=low, high=high, or_none=or_none), INTEGER

    # -- running -------------------------------------------------------------------------

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        options: tuple[Any, ...]
        match action.form:
            case "from":
                options = tuple(o.id for o in action.offers if o.when is None or run.value(o.when))
            case "one_of":
                options = run.value(action.source)  # type: ignore[arg-type]
            case "some_of":
                items = run.value(action.source)  # type: ignore[arg-type]
                low = 0 if action.low is None else run.value(action.low)
                high = len(items) if action.high is None else run.value(action.high)
                options = subsets(items, low, high)
            case _:
                options = numbers(run.value(action.low), run.value(action.high))  # type: ignore[arg-type]
        if action.or_none:
            options = (*options, None)
        run.ask(run.value(action.who), options, step)

    def take(self, step: Step, run: Run, value: Any) -> None:
        run.event(step, run.asked(), value)
        run.bind(step.slot or 0, value)

    def emit(self, step: Step, write: Write) -> None:
        action: Action = step.action
        none = ", None" if action.or_none else ""
        match action.form:
            case "from" if all(offer.when is None for offer in action.offers):
                ids: tuple[Any, ...] = tuple(offer.id for offer in action.offers)
                options = write.constant((*ids, None) if action.or_none else ids)
            case "from":
                parts = [
                    f"{offer.id!r},"
                    if offer.when is None
                    else f"*(({offer.id!r},) if {write.value(offer.when)} else ()),"
                    for offer in action.offers
                ]
                options = f"({' '.join(parts)}{none})"
            case "one_of":
                source = write.value(action.source)  # type: ignore[arg-type]
                options = f"(*{source}, None)" if action.or_none else source
            case "some_of":
                items = write.fresh()
                write.line(f"{items} = {write.value(action.source)}")  # type: ignore[arg-type]
                low = "0" if action.low is None else write.value(action.low)
                high = f"len({items})" if action.high is None else write.value(action.high)
                options = f"subsets({items}, {low}, {high})"
                options = f"(*{options}, None)" if action.or_none else options
            case _:
                options = f"numbers({write.value(action.low)}, {write.value(action.high)})"  # type: ignore[arg-type]
                options = f"(*{options}, None)" if action.or_none else options
        write.ask(step, write.value(action.who), options)

    def emit_take(self, step: Step, write: Write, value: str) -> None:
        write.event(step, "s.who", value)
        write.line(f"{write.slot(step.slot or 0)} = {value}")

    def facts(self, step: Step, details: tuple[Any, ...], tell: Tell) -> tuple[Fact, ...]:
        who, value = details
        assert step.binds is not None
        return ("player", who, PLAYER), ("chosen", value, step.binds)

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        who, value = details
        assert step.binds is not None
        label = next((offer.label for offer in step.action.offers if offer.id == value and offer.label), "")
        label = step.words.get("none", "") if value in (None, ()) else label
        if label:
            return f"{tell.player(who)} chooses: {tell.words(label)}."
        if value in (None, ()):
            return f"{tell.player(who)} wants none of them."
        if isinstance(present(step.binds), Choice):
            return f"{tell.player(who)} chooses: {tell.choice(value)}."
        return f"{tell.player(who)} chooses {tell.value(value, step.binds)}."


def _offer(name: str, node: Node, check: Check) -> Offer:
    if not isinstance(node, Mapping):
        return Offer(name, check.condition(node), "")
    label = node.get("label")
    when = check.condition(node.get("when")) if "when" in node else None
    known = check.scope.knowing(facts(when)) if when is not None else check.scope
    return Offer(name, when, label.text if isinstance(label, Scalar) else "", _costs(node.get("costs"), check, known))


def _costs(node: Node | None, check: Check, scope: Scope) -> Costs:
    """The costs that are written, checked where `scope` holds."""
    if not isinstance(node, Mapping):
        return ()
    outer, check.scope = check.scope, scope
    found = tuple((name, check.value(entry.value, INTEGER)) for name, entry in node.entries.items())
    check.scope = outer
    return found


def surely_asks(action: Action) -> bool:
    """Whether this choice always has two options or more, so that a player is asked every time."""
    return action.form == "from" and sum(offer.when is None for offer in action.offers) + action.or_none >= 2
