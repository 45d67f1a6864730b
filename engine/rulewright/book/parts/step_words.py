"""The phrases of a step that the templates of statements put into a sentence: who, what, how many, by which name."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from rulewright.book.english.assignments import describe_assignments, describe_condition_of
from rulewright.book.english.clauses import GIVEN, fill_given, is_worded
from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import (
    begins_with_noun,
    begins_with_noun_of,
    capitalize,
    choose_article,
    is_same_noun,
    is_same_title,
    join_list,
    single_out,
    strip_markup,
)
from rulewright.book.english.links import link_action, mark_action, strip_marks
from rulewright.book.english.list_members import all_rows, find_owned_list, is_heap
from rulewright.book.english.naming import NameWords, humanize
from rulewright.book.english.phrase import Bond, Lead, Phrase
from rulewright.book.english.questions import IndirectQuestion, embed_question
from rulewright.book.english.step_phrases.drawn_cards import find_owner, find_taker, is_read
from rulewright.book.english.step_phrases.initial_values import describe_start
from rulewright.book.english.step_phrases.loop_exits import describe_rounds
from rulewright.book.english.step_phrases.named_arguments import name_arguments
from rulewright.book.english.step_phrases.viewers import (
    describe_others,
    describe_viewers,
    name_hidden,
    name_viewers,
)
from rulewright.book.parts.choice_sentences import ChoiceWriter, ChosenElement, list_labelled_choices
from rulewright.book.parts.only_steps import OnlyStep, begin_loop, follow, open_block
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.ir.analyses.liveness import find_changed_slots
from rulewright.language.checked_steps import Procedure, Step, Target
from rulewright.language.declarations import PLAYER_KIND, ROW_NAME
from rulewright.language.expressions.typed_ast import (
    Arithmetic,
    Comparison,
    Constant,
    Invoke,
    Items,
    Local,
    Objects,
    Typed,
)
from rulewright.language.lowering import find_called_procedure, list_asks, list_operations
from rulewright.language.operations import Each
from rulewright.language.types import (
    PLAYER,
    Boolean,
    Integer,
    ListOf,
    Optional,
    Row,
    Type,
    present,
)
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.queries.guarded_draws import list_guarded_draws

SAID = "\ue000"
"""A private character after the condition that a template gets, which shows whether the template has written it."""
COMMA = ", "
"""What comes between a condition and the rest of its sentence."""
_CLAUSE = ("than", "that", "which", "who", "whose", "for", "where")
"""Words that begin a clause, after which a comma comes before `in turn`."""
_CLAUSE_WORDS = frozenset(_CLAUSE)
PICKED = "of "
"""The beginning of values that are one of several, such as `of their Squads, the one with …`."""
_LIST = "these:"
AFTER_COLON = ("for ", "of ", _LIST)
"""The beginnings of values that follow a colon, because no verb can come before them."""


def list_changed_slots(procedure: Procedure) -> set[int]:
    """Return the names of a procedure, by slot, that its steps change after they were bound."""
    return {slot for step in procedure.iterate_steps() for slot in find_changed_slots(step)}


def _find_loops(step: Step) -> list[Each[Typed]]:
    """Return the operations of a step that go through a list."""
    return [each for each in list_operations(step) if isinstance(each, Each)]


def _find_inner(step: Step) -> Type:
    """Return the type of the members of the list that a loop goes through."""
    inner: Type = step.action.source.type.inner
    return inner


def _is_simultaneous(loop: Step) -> bool:
    """Return whether the order of a loop cannot matter: its only step puts constants into fields of the member."""
    items = {each.item for each in _find_loops(loop)}
    for step in loop.blocks[0].steps:
        changes: tuple[tuple[Target, Typed], ...] = getattr(step.action, "changes", ())
        own = (isinstance(target.base, Local) and target.base.slot in items for target, _ in changes)
        plain = all(isinstance(value, Constant) and target.row is None for target, value in changes)
        if not changes or not all(own) or not plain or step.when is not None or step.touched:
            return False
    return True


def _drops(division: Arithmetic) -> bool:
    """Return whether a division of a count drops the fraction."""
    return division.rounding in ("truncate", "down")


def _take_turns(members: str) -> str:
    """Return the words for an order after the members of a list: ` in turn`, unless they say so themselves."""
    words = strip_markup(members).split()
    if _CLAUSE_WORDS.intersection(words) or "," in members:
        return ", in turn"
    return "" if "turn" in words or "turns" in words else " in turn"


class StepWords:
    """The values that the templates of one procedure's steps use. `used` has the slots that later steps read."""

    def __init__(self, procedure: Procedure, english: English, used: AbstractSet[int]) -> None:
        self.procedure = procedure
        self.style: Style = english.style
        self.english = english
        self.naming = english.naming
        self.used = used
        self.refills: set[str] = set()
        """The decks whose refill the text has already described."""
        self.changed = list_changed_slots(procedure)
        self.labelled = list_labelled_choices(procedure, english.called)
        self.joining = False
        """Whether the current step becomes a part of the sentence of its outer step."""

    def list_values(self, step: Step) -> dict[str, Any]:
        """Return the functions and values that the templates of steps use, by the name they have there.

        `name` is the name of the result, or of the item of a loop without a result. It is empty if no later step uses
        it and the rules have no noun for it. `noted` is the same with an article.
        """
        say, action = self.english, step.action
        name, result_name = self._name_result(step)
        procedure = self.style.ruleset.procedures.get(find_called_procedure(step))
        theirs = say.among(NameWords.in_procedure(procedure)) if procedure is not None else say
        return {
            "name": name,
            "noted": result_name,
            "rounds": lambda: describe_rounds(say, step),
            "repeats": begin_loop,
            "together": lambda changes, apart: describe_assignments(say, changes, apart=apart and not self.joining),
            "carried": lambda: self._name_called(step, procedure) if procedure is not None else "",
            "called": self._title_called(procedure),
            "applies": procedure is not None and procedure.cell is not None,
            "arguments": lambda: self._arguments(step, procedure, theirs) if procedure is not None else ([], []),
            "worded": lambda when: self._describe_call(step, procedure, theirs, when) if procedure is not None else "",
            "members": self._members,
            "loop": lambda: self._describe_loop(step, result_name if step.slot is None else ""),
            "outermost": step in self.procedure.body.steps,
            "turns": lambda block: self._describe_turns(step, result_name if step.slot is None else "", block),
            "deck": lambda: self._name_deck(step),
            "card": self._card,
            "cards": self._cards,
            "among": lambda say, source: self._choose_among(say, source).words,
            "ask": fill(step.words["ask"], self.style) if "ask" in step.words else "",
            "nothing": f"“{fill(step.words['none'], self.style)}”" if "none" in step.words else "none",
            "is_answer": lambda condition: self.is_answer(step, condition),
            "choice": lambda leads: self._describe_choice(step, result_name, leads=leads),
            "names_result": lambda noun: bool(result_name) and is_same_title(result_name, noun),
            "known_as": self._known_as,
            "is_clear": lambda known, words: step.id in say.called.words and begins_with_noun_of(known, words),
            "draws": lambda: self._describe_draw(step),
            "is_read": lambda: is_read(self.procedure, step),
            "rolls_for": self._rolls_for,
            "refill": lambda: self._describe_refill(step),
            "note": lambda: self._describe_note(step),
            "wins": self._describe_winners,
            "sentence": lambda: say.at_end(fill_given(say, action.text, action.given)),
            "amounts": lambda: [self._amount(target, amount, step) for target, amount in action.amounts],
            "begins": lambda: describe_start(say, action),
            "name_viewers": lambda seen: name_viewers(say, seen),
            "describe_viewers": lambda seen, what: describe_viewers(say, seen, what, find_owner(step)),
            "besides": lambda seen: describe_others(say, seen, action.who),
            "name_choosers": self._name_choosers,
            "name_hidden": lambda what: name_hidden(say, what),
        }

    # -- names -----------------------------------------------------------------------------

    def _name_result(self, step: Step) -> tuple[str, str]:
        """Return the name of a step's result, or of the item of a loop without a result, and the same with an article.

        Both are empty if nothing uses it, unless the rules have a noun for what players choose. A noun of the rules has
        an article in both.
        """
        name, called = self._name(step), self.english.called
        items = [each.item for each in _find_loops(step) if step.blocks and step.slot is None]
        bound = self.procedure.names[items[0]] if items else step.id
        worded = bound in called.words and (bool(name) or bool(list_asks(step)) or not self.used.isdisjoint(items))
        result_name = self.naming.describe_result(bound, called) if name or worded else ""
        return (result_name if worded else name), result_name

    def _name(self, step: Step) -> str:
        """Return the name that later steps use for this step's result, or an empty string if none uses it."""
        if step.slot is None or not self.used & set(step.slots):
            return ""
        if step.binds is not None and isinstance(present(step.binds), Integer | Row):
            return self.english.value(Local(step.binds, step.slot, step.id))
        return self.style.name(humanize(step.id))

    def _known_as(self, result_name: str, what: Type | str) -> bool:
        """Return whether a name is the noun for what it names, `the card` for a Card, so that it needs no mention."""
        noun = what if isinstance(what, str) else self.naming.member(what)
        return not result_name or is_same_noun(result_name, noun)

    def _describe_name(self, result_name: str, what: Type) -> str:
        """Return a name in parentheses, with a space before it, or an empty string if it needs no mention."""
        return "" if self._known_as(result_name, what) else f" ({result_name})"

    def _own_writer(self, action: Any) -> English:
        """Return the writer for the things of a step's player, which are `their hand` where the player does something.

        Several players who choose at the same time are each the one who does.
        """
        slot = getattr(action, "chooser_slot", None)
        who = getattr(action, "who", None)
        if slot is not None:
            return self.english.owning(Local(PLAYER, slot, ""))
        return self.english.owning(who if who is not None and who.type == PLAYER else None)

    # -- calls and loops ----------------------------------------------------------------------

    def _name_called(self, step: Step, procedure: Procedure) -> str:
        """Return the title of a procedure that a step calls, in quotation marks, or the column of steps and its row."""
        cell = procedure.cell
        if cell is None:
            return f"“{self.naming.procedure(procedure.id)}”"
        words = self.naming.column_of_steps(cell.table, cell.column)
        column = self.style.rule(f"procedures.{procedure.id}", words)
        return f"the {column} of {self.english.within(name_arguments(step, procedure)[ROW_NAME])}"

    def _title_called(self, procedure: Procedure | None) -> str:
        """Return the title of a procedure that a step calls, without a link. Empty without one or for steps of rows."""
        if procedure is None or procedure.cell is not None:
            return ""
        return fill(procedure.words.get("title") or humanize(procedure.id), Style(self.style.ruleset))

    def _describe_call(self, step: Step, procedure: Procedure, theirs: English, condition: str | None) -> str:
        """Return the sentence of a call in the rules' own words, which link to the procedure, or an empty string.

        Arguments that the words do not mention follow, with their roles. `condition` is that of the sentence, if any.
        """
        words = procedure.words.get("wording", "")
        if not words:
            return ""
        rule = f"procedures.{procedure.id}"
        given = name_arguments(step, procedure)
        parts = list(parse_parts(words))
        mentioned = {part.body.removeprefix(f"{GIVEN}.") for part in parts if isinstance(part, Placeholder)}
        is_public = rule not in list_internal_rules(self.style.ruleset)
        phrase = fill_given(self.english, mark_action(words) if is_public else words, given, theirs)
        plain, others = self._arguments(step, procedure, theirs, mentioned)
        more = f", with {join_list([*plain, *others])}" if plain or others else ""
        text = f"{capitalize(self.english.at_end(phrase))}{more}"
        if condition is not None and is_same_noun(strip_marks(text), condition.removesuffix(SAID)):
            # “If the player bets, the player bets” would say nothing.
            return f"See {self._name_called(step, procedure)}"
        return link_action(text, lambda action: self.style.rule(rule, action))

    def _arguments(
        self, step: Step, procedure: Procedure, theirs: English, mentioned: AbstractSet[str] = frozenset()
    ) -> tuple[list[str], list[str]]:
        """Return the arguments of a call that need no role, and the others with the role that they have there.

        A call of a row's steps does not mention the row again. Those of the parameters `mentioned` are left out.
        """
        first = 1 if procedure.is_dispatch else 0
        given = list(zip(procedure.parameters.items(), step.action.arguments, strict=True))[first:]
        given = [each for each in given if each[0][0] not in mentioned]
        kinds = [present(type_) for (_, type_), _ in given]
        plain, roles, others = [], [], []
        for ((name, type_), value), kind in zip(given, kinds, strict=True):
            say = theirs if isinstance(value, Constant) else self.english
            role = theirs.naming.bound(name, type_, theirs.called)
            text, phrase = say.within(value), None
            if isinstance(value, Constant) or kinds.count(kind) > 1 or not self._known_as(role.words, kind):
                phrase = text if is_same_noun(text, role.words) else f"{text} as {role.words}"
                roles.append(phrase != text)
            plain += [text] if phrase is None else []
            others += [phrase] if phrase is not None else []
        return (plain, others) if any(roles) else (plain + others, [])

    def _name_member(self, source: Typed) -> str:
        """Return the noun for one of all objects of a kind, or of all rows of a table, and an empty string otherwise.

        It is `row of the … table` if the title of a table is no plural.
        """
        if isinstance(source, Objects):
            return self.naming.kind(source.kind)
        table = all_rows(self.english, source)
        noun = self.naming.member(Row(table)) if table else ""
        if noun or not table or self.naming.is_list_title(table):
            return noun
        return f"row of {self.naming.the_table(table)}"

    def _members(self, source: Typed) -> str:
        """Return what follows `each` for a member of a list: a noun, or `of` and the list."""
        noun = self._name_member(source)
        if noun:
            return noun
        members, inner = self.english.within(source), source.type.inner if isinstance(source.type, ListOf) else None
        one, several = (self.naming.member(inner, several=many) if inner is not None else "" for many in (False, True))
        return single_out(members, one, several) or f"of {members}"

    def _describe_loop(self, step: Step, result_name: str) -> str:
        """Return the start of a loop over a list, with the name of its member unless that is the noun for it.

        `result_name` is the name, or empty for that of the action.
        """
        called = self._name_turn(step, result_name)
        members, items = self._members(step.action.source), (each.item for each in _find_loops(step))
        named = "" if self.used.isdisjoint(items) else self._describe_name(called, _find_inner(step))
        return f"each {members}{_take_turns(members)}{named}"

    def _name_turn(self, step: Step, result_name: str) -> str:
        """Return the name of the member of a list in a loop, which is `result_name` if there is one."""
        return result_name or self.naming.bound(step.action.name, _find_inner(step), self.english.called).words

    def _describe_turns(self, step: Step, result_name: str, block: str) -> str:
        """Return a loop over a list with its steps: `each player in turn gains …`, or `for each player in turn:`.

        `result_name` is the name of its member, or empty for that of the action.
        """
        loop = self._describe_loop(step, result_name)
        called = self._name_turn(step, result_name)
        rest = block.without(called) if isinstance(block, OnlyStep) else ""
        if rest:
            members = self._members(step.action.source)
            where, turns = self.english.where(), "" if _is_simultaneous(step) else _take_turns(members)
            turns = ", in turn," if where or "," in turns else turns
            return f"each {members}{where}{turns} {rest}"
        if isinstance(block, OnlyStep):
            other = f"that {self.naming.kind(PLAYER_KIND)}" if _find_inner(step) == PLAYER else ""
            sentence = block.replacing(called, other)
            if sentence:
                members = self._members(step.action.source)
                return f"for each {members}{_take_turns(members)}{self.english.where()}, {sentence}"
            return f"for {loop}{self.english.where()}{follow(block)}"
        return f"for {loop}{self.english.where()}{open_block(block)}"

    def _rolls_for(self, action: Any) -> bool:
        """Return whether `for` and the name of the result can follow a roll, which has no clause itself then."""
        dice = "" if action.table else self.english.phrase(action.dice).words
        return not _CLAUSE_WORDS.intersection(strip_markup(dice).split())

    # -- cards and lists -------------------------------------------------------------------------

    def _card(self, deck: str, *, several: bool = False) -> str:
        """Return the noun for a card of a deck."""
        return self.naming.card(Row(self.style.ruleset.declarations.decks[deck].table), several=several)

    def _cards(self, deck: str, count: Typed | None) -> str:
        """Return the cards that are drawn from a deck: `a card`, `6 cards`, `as many cards as …`."""
        if count is None:
            return choose_article(self._card(deck))
        if isinstance(count, Constant):
            return f"{self.english.within(count)} {self._card(deck, several=count.value != 1)}"
        return f"as many {self._card(deck, several=True)} as {self.english.within(count)}"

    def _describe_draw(self, step: Step) -> tuple[str, str]:
        """Return who draws, with the verb, and what the cards are then: `the player draws`, ` as their hand`.

        Both are empty if nobody in particular takes the cards. Whoever alone may look at them draws them.
        """
        owner, target = find_owner(step), find_taker(step)
        if owner is None:
            return "", ""
        held = "" if target is None else f" as their {self.naming.field(target.kind, target.field)}"
        return f"{self.english.within(owner)} draws", held

    def _name_deck(self, step: Step) -> str:
        """Return the deck of a step, which is `their deck` if it is that of the player who draws."""
        target = find_taker(step)
        say = self.english if target is None else self.english.owning(target.base)
        return say.deck(step.action.deck, step.action.owner)

    def _describe_refill(self, step: Step) -> str:
        """Return the sentence about an empty deck, with a space before it.

        It is "" after the first time for a deck, and where the deck cannot be empty.
        """
        action = step.action
        if action.deck in self.refills or not action.is_refilled or step.rule in list_guarded_draws(self.style.ruleset):
            return ""
        self.refills.add(action.deck)
        deck, target = self._name_deck(step), find_taker(step)
        if action.refilled:
            pile = self.english.owning(target.base if target else None).value(action.refilled[0][1].source)
            return f" If {deck} is empty, first shuffle {pile} to form it again."
        cards = self._card(action.deck, several=True)
        held = f", except for {self.english.value(action.held)}" if action.held is not None else ""
        return f" If {deck} is empty, first shuffle all of its {cards} again{held}."

    def _choose_among(self, say: English, source: Typed) -> ChosenElement:
        """Return one element of a list, to choose: `a Card from the hand`, `one of the Squads`, `a player`."""
        inner = source.type.inner if isinstance(source.type, ListOf) else None
        noun = self.naming.card(inner) if inner is not None else ""
        if isinstance(source, Objects):
            return ChosenElement(choose_article(self.naming.kind(source.kind)), noun)
        if isinstance(source, Items) and all(isinstance(each, Constant) for each in source.items):
            return ChosenElement(join_list([say.within(each) for each in source.items], "or"), noun)
        words, heap = say.part(source).words, bool(noun) and is_heap(say, source)
        return ChosenElement(f"{choose_article(noun)} from {words}" if heap else f"one of {words}", noun, words, heap)

    def _describe_choice(self, step: Step, result_name: str, *, leads: bool) -> str:
        """Return the sentence of a choice, without what the other players see of it."""
        action, own = step.action, self._own_writer(step.action)
        named = result_name if action.form != "from" or self.used & set(step.slots) else ""
        writer = ChoiceWriter(self.english, own, step, who=self._name_choosers(action), result_name=named)
        chosen, known = ChosenElement(), False
        if action.form == "one_of":
            known = self._known_as(result_name, action.source.type.inner)
            chosen = self._choose_among(own, action.source)
        elif action.form == "some_of" and is_heap(own, action.source):
            members = self.naming.card(action.source.type.inner, several=True)
            chosen = ChosenElement("", members, own.within(action.source), heap=True)
        return writer.describe(
            chosen,
            known=known,
            quotes=step.slot in self.labelled,
            leads=leads and not self.joining,
        )

    def is_answer(self, step: Step, condition: Typed) -> bool:
        """Return whether a condition is the answer yes to the question that the step right before it decides.

        The sentence can then begin with `if so`: “The player decides whether to take the card. If so, …”.
        """
        steps = step.container.steps if step.container is not None else ()
        place = next((place for place, each in enumerate(steps) if each is step), 0)
        before = steps[place - 1] if place else None
        if before is None or not isinstance(condition, Comparison) or condition.operator != "==" or before.when:
            return False
        pick = self.english.called.find_pick(condition)
        if pick is None or pick.slot != before.slot or "text" in before.words:
            return False
        option = next((side.value for side in (condition.left, condition.right) if isinstance(side, Constant)), "")
        clause = self.english.truth(str(option), True) if option in self.english.called.clauses else ""
        question = (
            embed_question(fill(before.words["ask"], self.style)) if "ask" in before.words else IndirectQuestion()
        )
        return question.is_answered_by(clause)

    def _describe_winners(self, winners: Typed) -> str:
        """Return the sentence about the end of the game: a draw or a win."""
        if isinstance(winners, Items) and not winners.items:
            return "The game ends in a draw."
        phrase = self.english.phrase(winners)
        if phrase.items or phrase.bond > Bond.RELATIVE or phrase.tail:
            return f"The game ends, and is won by {self.english.at_end(phrase)}."
        several = self.naming.is_several(phrase.words)
        if not several and isinstance(winners, Invoke) and not is_worded(self.english, winners.formula):
            several = isinstance(winners.type, ListOf)
        win = "win" if several else "wins"
        return f"The game ends, and {self.english.at_end(phrase)} {win}."

    # -- notes ---------------------------------------------------------------------------------

    def _describe_note(self, step: Step) -> str:
        """Return the sentence of a step that gives a value a name."""
        say, value = self.english, step.action.value
        clauses = step.id in say.called.clauses
        if isinstance(value, Constant) and isinstance(value.value, bool) and clauses:
            return f"Note that {say.truth(step.id, value.value)}."
        bare = self.naming.bare(step.id, say.called)
        if isinstance(value, Items) and not value.items:
            return f"Start with no {bare}."
        kind = present(value.type)
        if isinstance(kind, Boolean):
            if clauses:
                return f"{say.at_end(describe_condition_of(say, say.truth(step.id, True), value))}."
            clause = say.clause(value)
            if clause.items:
                return f"Note {bare}: whether {say.at_end(clause)}."
            return f"Note whether {say.at_end(clause)} (the {bare})."
        name = self.naming.bound(step.id, value.type, say.called)
        phrase = say.phrase(value)
        if is_same_noun(phrase.words, name.words):
            return f"Note {name.words}."
        text = say.at_end(phrase)
        owned = find_owned_list(value)
        if owned is not None and is_same_noun(self.naming.field(*owned[1:]), bare):
            return f"Note {text}."
        if phrase.words.startswith(AFTER_COLON):
            if phrase.words.startswith(PICKED) and not (phrase.items or phrase.where):
                return f"{capitalize(text)} is {name.words}."
            if phrase.items and phrase.words == _LIST:
                return f"Note {name.words}:{say.at_end(replace(phrase, words='', where=()))}."
            return f"Note {name.words}: {text}."
        if isinstance(value, Constant) and step.slot in self.changed and not self.naming.is_several(bare):
            counted = self.naming.counted(step.id, say.called) if value.value != 1 else ""
            if counted:
                return f"Start with {'no' if value.value == 0 else text} {counted}."
            return f"Start with {text} as {name.words}."
        if kind == PLAYER and begins_with_noun(bare, self.naming.member(PLAYER)):
            return f"{text} is {name.words}."
        maybe = isinstance(value.type, Optional) and not phrase.items and phrase.bond <= Bond.RELATIVE
        return f"{name.words} {self.naming.be(bare)} {text}{', if any' if maybe and not phrase.where else ''}."

    # -- who chooses ----------------------------------------------------------------------------

    def _name_choosers(self, action: Any) -> str:
        """Return the players who choose, with the name that options use for each of several players."""
        if action.chooser_slot is None:
            return self.english.within(action.who)
        name = self.naming.bound(action.called, PLAYER, self.english.called).words if action.called else ""
        called = self._describe_name(name, PLAYER)
        if isinstance(action.who, Objects):
            return f"each {self.naming.kind(PLAYER_KIND)}{called}"
        return f"each of {self.english.within(action.who)}{called}"

    # -- amounts, options and initial values -------------------------------------------------

    def _amount(self, target: Target, amount: Typed, step: Step) -> str:
        """Return an amount that a step adds or removes, with its unit."""
        one, say = len(step.action.amounts) == 1, self._own_writer(step.action)
        share = self._share(target, amount) if target.row is None else ""
        if share:
            return share
        phrase = say.phrase(amount) if one else say.part(amount)
        if target.row is not None:
            return self._amount_of_row(target, amount, phrase, one=one)
        return self.naming.amount(
            self.english.at_end(phrase) if one else phrase.words,
            target.field,
            number=amount.value if isinstance(amount, Constant) and type(amount.value) is int else None,
            lead=phrase.lead,
            simple=isinstance(amount, Local) and "." not in amount.name,
            kind=target.kind,
        )

    def _share(self, target: Target, amount: Typed) -> str:
        """Return an amount for each of several things, `5 points for each of the cards drawn`, or an empty string.

        It is also `1 point for every 2 cards`.
        """
        match amount:
            case (
                Arithmetic(operator="*", left=Constant(value=int(each)), right=Local(name=name))
                | Arithmetic(operator="*", left=Local(name=name), right=Constant(value=int(each)))
            ):
                counted, per = self.naming.counted(name, self.english.called), "for each of the"
            case Arithmetic(
                operator="/", rounding="truncate" | "down", left=Local(name=name), right=Constant(value=many)
            ):
                counted, each, per = self.naming.counted(name, self.english.called), 1, f"for every {many}"
            case _:
                return ""
        unit = self.naming.unit(target.field, single=each == 1, kind=target.kind)
        return f"{each} {unit} {per} {counted}" if counted else ""

    def _amount_of_row(self, target: Target, amount: Typed, phrase: Phrase, *, one: bool) -> str:
        """Return an amount of a map's entry for a row, which `target` must have.

        It is a number and the row, `2 of the *good*` or `as many … as …`. If the field has a unit, it is `2 pebbles for
        the *good*`. `one` means that the amount is the step's only one.
        """
        row = target.row
        assert row is not None
        text = self.english.at_end(phrase) if one else phrase.words
        named = self.english.within(row)
        unit = named if isinstance(row, Constant) else f"of {named}"
        if self.naming.declared.kinds[target.kind].fields[target.field].unit:
            single = isinstance(amount, Constant) and amount.value == 1
            unit = f"{self.naming.unit(target.field, single=single, kind=target.kind)} for {named}"
        if isinstance(amount, Constant) or (isinstance(amount, Local) and phrase.lead != Lead.THE):
            return f"{text} {unit}"
        return f"as many {unit} as {text.removeprefix(phrase.lead) if phrase.lead == Lead.WHAT else text}"
