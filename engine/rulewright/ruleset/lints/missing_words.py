"""Lint: ask for words if generated sentences would be bad English, and report words for unknown names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import GAME_KIND, Field, Formula
from rulewright.language.expressions.typed_ast import Invoke, Local, Stored, Typed
from rulewright.language.lowering import list_asks, list_offers, list_operations
from rulewright.language.statement import list_expressions
from rulewright.language.types import Boolean, Entity, MapOf, present
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.prose.explained_rules import step_of
from rulewright.ruleset.prose.placeholders import raise_first
from rulewright.ruleset.prose.plain_parameters import is_noun, list_plain_parameters
from rulewright.ruleset.prose_diagnostics import UNUSED_WORDS, WORDS_WANTED
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar, Sequence, follow_keys, is_flow
from rulewright.source.span import Span
from rulewright.source.yaml.flow_style import write_scalar, write_text

MOST_GIVEN = 1
"""The maximum number of parameters with which sentences can express a formula by name: `the budget of the player`."""

_NAMED = ("names", "headings")
"""The keys of words for names."""


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report what generated sentences speak of and the rules have no words for, and words for unknown names.

    Each is reported once. Words for unknown names count only if the edition itself wrote them.
    """
    _Wanted(ruleset, diagnostics).ask()
    for section, known in (("procedures", _procedure), ("formulas", _formula), ("tables", _table)):
        for identity, entry in iterate_entries(ruleset.resolved.rules.get(section)):
            written = entry.value if isinstance(entry.value, Mapping) else None
            there = list(known(ruleset, identity))
            for name, words in (each for key in _NAMED if written for each in iterate_entries(written.get(key))):
                # Inherited words may be about steps that the edition deleted.
                if name not in there and ruleset.resolved.is_own(words.key.span):
                    hint = suggest_name(name, there)
                    message = f"`{identity}` has nothing called `{name}`"
                    diagnostics.add(UNUSED_WORDS, message, words.key.span, suggestion=hint)


class _Wanted:
    """The words that sentences about a ruleset need and that it does not have, each asked for once."""

    def __init__(self, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
        self.ruleset = ruleset
        self.declared = ruleset.declarations
        self.diagnostics = diagnostics
        self.seen: set[str] = set()
        self.unlabelled: set[str] = set()
        """The options that need a label."""
        self.wanted: dict[str, tuple[Span, list[str]]] = {}
        """The names in procedures without words, each with its first place and the procedures that have it."""
        self.used: set[int] = set()
        """The slots of the procedure that its steps read."""

    def ask(self) -> None:
        """Ask for the words of kinds, records, formulas and results that only have an id of several words."""
        for identity, kind in self.declared.kinds.items():
            if not kind.wording and self.declared.terms.get(kind.term) is None:
                self._ask_for_id(identity, kind.span, _FORMS)
        for identity, record in self.declared.records.items():
            if not record.wording:
                self._ask_for_id(identity, record.span, _FORMS)
        for field in self.declared.kinds[GAME_KIND].fields.values():
            self._ask_for_map(field)
        for procedure in self.ruleset.procedures.values():
            self.used.clear()
            for step in procedure.iterate_steps():
                for tree in [*list_expressions(step.action), *([step.when] if step.when is not None else [])]:
                    self._look_at(tree)
            for value in procedure.gives.values():
                self._look_at(value)
            plain = list_plain_parameters(procedure)
            for name, type_ in procedure.parameters.items():
                if name not in procedure.called and not (name in plain and isinstance(present(type_), Entity)):
                    self._ask_for_name(name, procedure.span, procedure)
            for step in procedure.iterate_steps():
                if not step.woven and step.rule == f"{step.procedure}.{step.id}":
                    self._ask_for_result(step, procedure)
        for identity, (span, procedures) in self.wanted.items():
            self._ask_for_id(identity, span, _name_in(procedures, identity))

    def _ask_for_result(self, step: Step, procedure: Procedure) -> None:
        """Ask for the noun of a step's result, if another step reads it, and for the labels of its options."""
        worded = step.id in procedure.called or step.id in procedure.clauses
        if not worded and step.slot in self.used:
            self._ask_for_name(step.id, step.span, procedure)
        for offer in (offer for ask in list_asks(step) for offer in list_offers(ask)):
            if not offer.label and offer.id not in procedure.called and offer.id not in self.unlabelled:
                self._ask_for_label(offer.id, step)

    def _ask_for_label(self, identity: str, step: Step) -> None:
        if not self._is_noun(identity):
            self.unlabelled.add(identity)
            message = f"sentences have no noun for the option `{identity}`"
            hint = f"give it a label, as in `from: {{{identity}: {{label: {_title(identity)}}}}}`"
            edits = _build_label_edits(self.ruleset.resolved.rules, step, identity)
            self.diagnostics.add(WORDS_WANTED, message, step.span, suggestion=hint, edits=edits)

    def _ask_for_map(self, field: Field) -> None:
        """Ask for the noun of one value of a map from spaces to objects: its id is a noun for all of them together."""
        type_ = field.type
        if not isinstance(type_, MapOf) or field.wording or field.name in self.declared.terms:
            return
        if isinstance(present(type_.inner), Entity) and self.declared.tables[type_.table].has_places:
            message = f"sentences have no noun for one value of `{field.name}`, such as “owner of the …”"
            self.diagnostics.add(WORDS_WANTED, message, field.span, suggestion="add `wording: owner of the …`")

    def _ask_for_name(self, name: str, span: Span, procedure: Procedure) -> None:
        """Note the name of a procedure, to report all procedures with such a name at once."""
        _, procedures = self.wanted.setdefault(name, (span, []))
        if procedure.id not in procedures:
            procedures.append(procedure.id)

    def _ask_for_id(self, identity: str, span: Span, hint: str) -> None:
        if not self._is_noun(identity) and identity not in self.seen:
            self.seen.add(identity)
            self.diagnostics.add(WORDS_WANTED, f"sentences have no noun for `{identity}`", span, suggestion=hint)

    def _is_noun(self, identity: str) -> bool:
        return is_noun(identity) or identity in self.declared.terms

    def _look_at(self, tree: Typed) -> None:
        """Ask for the words of the formulas that an expression uses and that they use, and of booleans of the game.

        Also adds the slots that it reads to `used`.
        """
        for node in tree.walk():
            match node:
                case Local(slot=slot):
                    self.used.add(slot)
                case Invoke(formula=name) if name not in self.seen:
                    self.seen.add(name)
                    self._ask_for_formula(self.declared.formulas[name])
                    self._look_at(self.declared.formulas[name].body)
                case Stored(kind=kind, field=name, type=type_) if kind == GAME_KIND and name not in self.seen:
                    field = self.declared.kinds[GAME_KIND].fields[name]
                    if isinstance(type_, Boolean) and not field.clauses and "_" in name:
                        self.seen.add(name)
                        message = f"sentences cannot express that `{name}` is true"
                        self.diagnostics.add(WORDS_WANTED, message, field.span, suggestion=f"add `wording: {_CLAUSES}`")

    def _ask_for_formula(self, formula: Formula) -> None:
        """Ask for the phrase of a formula whose name and parameters alone make no good sentence."""
        truth, many = isinstance(formula.type, Boolean), len(formula.parameters)
        named = many == 0 or (many <= MOST_GIVEN and "_" not in formula.id)
        if formula.id.isidentifier() and not formula.wording and not named:
            message = f"sentences cannot express `{formula.id}` with its parameters"
            hint = f"add `wording: {_CLAUSES if truth else '…'}` to the formula"
            self.diagnostics.add(WORDS_WANTED, message, formula.span, suggestion=hint)


_CLAUSES = "{if_true: …, if_false: …}"
_FORMS = "add `wording: {one: …, several: …}`, or a term with that id"


def _title(identity: str) -> str:
    return raise_first(identity.replace("_", " "))


def _build_label_edits(rules: Mapping, step: Step, identity: str) -> list[Edit]:
    """Return the edit that gives an option a label made from its id, and with it the other options of its list.

    Empty for an option that has more than a condition.
    """
    procedure = follow_keys(rules, "procedures", step.procedure)
    written = step_of(procedure, step.id) if procedure is not None else None
    offered = follow_keys(written, "choose", "from") if written is not None else None
    if isinstance(offered, Sequence):
        labels = (f"{each}: {{label: {write_text(_title(each))}}}" for each in offered.to_plain())
        return [Edit(offered.span, f"{{{', '.join(labels)}}}")] if is_flow(offered) else []
    option = follow_keys(offered, identity) if offered is not None else None
    label = f"label: {write_text(_title(identity))}"
    condition = follow_keys(option, "when") if option is not None else None
    if isinstance(option, Mapping) and is_flow(option):
        start = replace(option.span, column=option.span.column + 1, end_line=option.span.line)
        more = ", " if option.entries else ""
        return [Edit(replace(start, end_column=start.column), f"{label}{more}")]
    # The short form of an option is its condition.
    if isinstance(option, Mapping) and isinstance(condition, Scalar) and option.span == condition.span:
        return [Edit(option.span, f"{{when: {write_scalar(condition.text)}, {label}}}")]
    return []


def _name_in(procedures: list[str], name: str) -> str:
    """Return the hint to add a noun for a name of procedures, and where."""
    words = [f"`{procedure}`" for procedure in procedures]
    if len(words) == 1:
        return f"add `names: {{{name}: …}}` to the procedure {words[0]}, beside its `steps:`"
    which = f"{', '.join(words[:-1])} and {words[-1]}"
    return f"add `names: {{{name}: …}}` to the procedures {which}, beside their `steps:`"


def _procedure(ruleset: Ruleset, identity: str) -> Iterable[str]:
    """Yield the names in a procedure for which the rules may have words. A name may occur more than once."""
    procedure = ruleset.procedures[identity]
    yield from procedure.parameters
    for step in procedure.iterate_steps():
        yield step.id
        yield from (offer.id for ask in list_asks(step) for offer in list_offers(ask))
        bound = (procedure.names[slot] for each in list_operations(step) for slot in each.fills)
        yield from (name for name in bound if "(" not in name)  # without slots of the engine, `id (place)`
    for type_ in procedure.parameters.values():
        yield from getattr(type_, "ids", ())
    yield from procedure.gives


def _formula(ruleset: Ruleset, identity: str) -> Iterable[str]:
    return ruleset.declarations.formulas[identity].parameters


def _table(ruleset: Ruleset, identity: str) -> Iterable[str]:
    table = ruleset.declarations.tables[identity]
    return (*table.columns, *table.formulas, *table.steps)
