"""The Odds panel, which compares the odds of the dice, table or procedure under the cursor with the base edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulewright.analysis.odds.end_expressions import AnswerOdds, list_gainable, list_rolled
from rulewright.analysis.odds.procedure_odds import ProcedureSetting, compute_procedure_odds
from rulewright.analysis.odds.roll_odds import RollOdds as AskedRoll
from rulewright.analysis.odds.roll_odds import compute_or_sample as roll_odds
from rulewright.base.errors import RulewrightError
from rulewright.base.number_format import format_percent
from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.format_notation import format_roll
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.language.declarations import PLAYER_KIND, Table
from rulewright.language.lowering import asks_player, find_called_procedure
from rulewright.language.types import Boolean, present
from rulewright.ruleset.elaborate.node_readers import read_text as text_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.studio.panels.cursor_context import At, find_node, look, place, read_list
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest
from rulewright.studio.panels.trial_start import (
    build_start,
    describe_start,
    find_start_example,
    name_trial,
    parse_given,
    watch_start,
)
from rulewright.testing.record_example import RecordRequest as Started

MOST_ROWS = 40
"""The maximum number of outcomes. More are combined into ranges."""
MOST_BRANCHES = 8_000
"""The maximum number of branches of a procedure while the user waits. Larger procedures are sampled."""
MOST_STOPS = 30_000
"""The maximum number of rolls and decisions in all sampled runs."""
MOST_GAINS = 4
"""The maximum number of fields of players for which a procedure shows how much the player gains."""
NOT_ROLLED = "none"
"""The outcome of a roll that is not made."""
PRECISION = 0.05
"""The target width of the confidence intervals of sampled probabilities."""


@dataclass(frozen=True, slots=True)
class OddsStart:
    """The starting position of a procedure, and the example that it is from, or None."""

    started: Started
    example: Example | None


@dataclass(frozen=True, slots=True)
class PanelOdds:
    """The odds of one question in one ruleset.

    `chances` has the probability of each outcome and `words` its display text. `mean` is None for outcomes that are not
    numbers, and `samples` is None for exact odds. `is_value` is true if the question is an expression, not a roll.
    `title` is the question in the words of the game, if it has such words. `start` is None if no procedure is run.
    """

    question: str
    chances: Mapping[str, Fraction]
    words: Mapping[str, str]
    mean: Fraction | None = None
    samples: int | None = None
    note: str = ""
    is_value: bool = False
    title: str = ""
    start: OddsStart | None = None


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Return the odds of the rule under the cursor, with and without the edition's changes.

    If the odds would take too long, the answer says so in `words`. Raises `DiagnosticError` for invalid input, and
    `RulewrightError` as `look` does.
    """
    at = look(desk, request, below=True)
    try:
        path, work, after = _ask(at, request)
    except DiagnosticError:
        raise
    except RulewrightError as error:
        # The rules are valid, but the odds take too long to compute interactively.
        return {**at.head(at.named or at.inside), **_NONE, "words": f"{error}.", "further": [], "unlike": ""}
    before: Sequence[PanelOdds] = ()
    unlike = ""
    if at.below is not None:
        try:
            before = work(at.below)
        except RulewrightError as error:
            unlike = str(error)
    pairs = [(_like(before, each), each) for each in after]
    lines = [_pair(at, old, new) for old, new in pairs]
    first = lines[0] if lines else {**_NONE, "words": _NOTHING}
    if at.below is not None and not before and lines:
        why = f"has no odds here: {unlike}" if unlike else f"has no `{path[-1]}`, so there is nothing to compare with"
        first = {**first, "words": f"{first['words']} {at.below.reference} {why}.".strip()}
    start = next((each.start for each in after if each.start is not None), None)
    return {**at.head(path), **first, "further": lines[1:], "unlike": unlike, **_describe_start(at, path, start)}


def _describe_start(at: At, path: Sequence[str], start: OddsStart | None) -> dict[str, Any]:
    """Return the starting position as data for the page, with its fields and the example that it is from."""
    if start is None:
        return {"of": "", "parameters": [], "fields": [], "example": None}
    procedure = at.ruleset.procedures[path[1]]
    watched = watch_start(at.ruleset, procedure, start.started)
    example = start.example
    return {
        "of": name_trial(at, procedure.id),
        **describe_start(at.ruleset, procedure, start.started, watched),
        "example": example and place(at.desk, at.ruleset, example.node.span),
    }


_NOTHING = "There are no dice here: put the cursor on dice, on a table with a roll, or in a procedure."

_NONE: Mapping[str, Any] = {"asked": "", "before": None, "after": None}

Work = Callable[[Ruleset], Sequence[PanelOdds]]
"""A function that computes odds in one ruleset, or returns nothing if the rule does not exist there."""


def _ask(at: At, request: PanelRequest) -> tuple[tuple[str, ...], Work, Sequence[PanelOdds]]:
    """Return the path of the rule, the function that computes its odds, and the odds.

    The function and the odds are empty if neither the mentioned nor the surrounding rule has odds. Raises
    `RulewrightError` if the odds cannot be computed.
    """
    if at.roll is not None:
        way, roll = at.way, at.roll
        return at.inside, lambda ruleset: _of_roll(_same_roll(ruleset, way) or roll), _of_roll(roll)
    for path in (at.named, at.inside):
        work = _of(at, path, request)
        result = work(at.ruleset) if work is not None else ()
        if work is not None and result:
            return path, work, result
    return at.inside, lambda ruleset: (), ()


def _of(at: At, path: tuple[str, ...], request: PanelRequest) -> Work | None:
    """Return the function that computes the odds of the rule at a path, or None for a rule without odds."""
    match path:
        case ("tables", name, *_):
            return lambda ruleset: _of_table(ruleset, ruleset.declarations.tables.get(name))
        case ("numbers", name, *_):
            return lambda ruleset: _of_number(ruleset, name)
        case ("dice", name, *_):
            return lambda ruleset: _of_roll(_die(ruleset, name))
        case ("examples", name, *_):
            return lambda ruleset: _of_example(ruleset, name)
        case ("procedures", name, *steps):
            trial = name_trial(at, name)
            return lambda ruleset: _put_first(steps, _of_procedure(ruleset, name, trial, request))
    return None


# -- one roll ----------------------------------------------------------------------------


def _of_roll(roll: Roll | None) -> list[PanelOdds]:
    """Return the odds of a roll, as the only element of a list. Empty without a roll."""
    if roll is None:
        return []
    result: AskedRoll = roll_odds(roll)
    chances = {str(outcome): chance for outcome, chance in result.odds.iterate_items()}
    return [PanelOdds(format_roll(roll), chances, {}, result.odds.mean, result.samples)]


def _same_roll(ruleset: Ruleset, way: tuple[str, ...]) -> Roll | None:
    """Return the dice expression at the same path of another ruleset, or None."""
    node = find_node(ruleset, way) if way else None
    section = load_sections().get(way[0]) if way else None
    if isinstance(node, MappingNode) and section is not None and section.entry.short is not None:
        node = node.get(section.entry.short)
    written = text_of(node)
    try:
        return ruleset.declarations.read_dice(written.strip().strip("{}")) if written else None
    except DiceError:
        return None


def _of_number(ruleset: Ruleset, name: str) -> list[PanelOdds]:
    result = ruleset.declarations.numbers.get(name)
    return _of_roll(result.value) if result is not None and isinstance(result.value, Roll) else []


def _die(ruleset: Ruleset, name: str) -> Roll | None:
    if name not in ruleset.declarations.dice:
        return None
    return ruleset.declarations.read_dice(f"1{name}")


def _of_table(ruleset: Ruleset, table: Table | None) -> list[PanelOdds]:
    """Return the odds of the rows of a roll table, or nothing without a table or a roll. They may be sampled."""
    if table is None or table.roll is None:
        return []
    result: AskedRoll = roll_odds(table.roll)
    rows = {
        row.id: sum((result.odds.get_probability(face) for face in row.faces), Fraction(0))
        for row in table.rows.values()
    }
    names = Names(ruleset)
    words = {row: names.name_row(table.id, row) for row in rows}
    return [PanelOdds(format_roll(table.roll), rows, words, samples=result.samples)]


# -- a procedure -------------------------------------------------------------------------


def _of_procedure(ruleset: Ruleset, name: str, trial: str, request: PanelRequest) -> list[PanelOdds]:
    """Return the odds of a procedure, or nothing if the ruleset does not have it.

    They begin where *Try* begins, or, if that does not suffice, with the position of any example. Raises
    `RulewrightError` if the odds cannot be computed.
    """
    procedure = ruleset.procedures.get(name)
    if procedure is None:
        return []
    more = request.more
    usual = find_start_example(ruleset, procedure)
    other = next((each for each in ruleset.examples.values() if each.of == name and each.given), None)
    begins = [usual] if usual is not None or other is None else [None, other]
    for example in begins:
        started = build_start(ruleset, trial, procedure, more, example)
        setting = ProcedureSetting(
            parse_given(started.given),
            [str(each) for each in read_list(more, "policy")],
            [str(each) for each in read_list(more, "choose")],
            started.players,
            started.options,
        )
        try:
            results = _compute_answers(ruleset, name, [str(each) for each in read_list(more, "ask")], setting)
        except DiagnosticError:
            if example is begins[-1]:
                raise
            continue
        begun = [replace(each, start=OddsStart(started, example)) for each in results]
        return [_add_note(each, _describe_example(ruleset, example)) for each in begun] if example else begun
    raise AssertionError("a procedure begins somewhere")


def _describe_example(ruleset: Ruleset, example: Example) -> str:
    return f"from the start of the example “{Names(ruleset).format_words(example.title)}”"


def _put_first(steps: Sequence[str], result: Sequence[PanelOdds]) -> list[PanelOdds]:
    """Return the odds of a procedure, with those of the roll at the cursor first."""
    return sorted(result, key=lambda each: each.question not in steps)


def _of_example(ruleset: Ruleset, name: str) -> list[PanelOdds]:
    """Return the odds that an example expects, or nothing if it is missing or runs no procedure.

    Raises `RulewrightError` if the odds cannot be computed.
    """
    example = ruleset.examples.get(name)
    if example is None or example.of not in ruleset.procedures:
        return []
    questions = list(dict.fromkeys(claim.expression.text for claim in example.claims))
    return _compute_answers(ruleset, example.of, questions, build_setting(example))


def build_setting(example: Example) -> ProcedureSetting:
    """Return the setting for the odds of an example's procedure.

    The example's choices count only if it makes claims. Otherwise they belong to a single run.
    """
    choices = [str(each) for each in example.choose] if example.claims else []
    return ProcedureSetting(example.given, example.policy, choices, example.players, example.options)


def _compute_answers(
    ruleset: Ruleset, name: str, questions: Sequence[str], setting: ProcedureSetting
) -> list[PanelOdds]:
    """Return the answers to the questions about a procedure. If it asks players, a note names the policies.

    Raises `RulewrightError` if the odds cannot be computed.
    """
    gains = [] if questions else _list_gains(ruleset, name)
    rolled = list_rolled(ruleset.procedures[name]) if gains else []
    odds = compute_procedure_odds(
        ruleset,
        name,
        questions or [*gains, *rolled],
        setting=setting,
        most=MOST_BRANCHES,
        precision=PRECISION,
        stops=MOST_STOPS,
    )
    # A procedure shows only the gains that it can change.
    answers = [each for each in odds.answers if each.question.gain is None or len(each.chances) > 1]
    results = [_build_odds(ruleset, name, each) for each in answers]
    if not _asks(ruleset, name):
        return results
    policies = " and ".join(f"`{each}`" for each in setting.policies)
    how = f"by the policy {policies}" if setting.policies else "at random"
    note = f"choices are made {'as scripted, and then ' if setting.choices else ''}{how}"
    return [_add_note(each, note) for each in results]


def _list_gains(ruleset: Ruleset, name: str) -> list[str]:
    """Return the fields of players to ask about besides the rolls of a procedure that gives nothing back."""
    procedure = ruleset.procedures[name]
    if name == ruleset.start or procedure.gives or not list_rolled(procedure):
        return []
    bound = {step.id for step in procedure.iterate_steps()} | {*procedure.parameters}
    return [each for each in list_gainable(ruleset) if each not in bound][:MOST_GAINS]


def _asks(ruleset: Ruleset, name: str) -> bool:
    """Return whether a procedure, or one that it runs, asks a player."""
    seen, open_ = {name}, [name]
    while open_:
        current = open_.pop()
        for step in ruleset.steps.values():
            if step.rule.rpartition(".")[0] == current:
                if asks_player(step):
                    return True
                called = find_called_procedure(step)
                if called and called not in seen:
                    seen.add(called)
                    open_.append(called)
    return False


def _build_odds(ruleset: Ruleset, procedure: str, answered: AnswerOdds) -> PanelOdds:
    """Return the odds of an answer for the panel. Yes-or-no questions have no mean. A roll may not be made at all."""
    names, written = Names(ruleset), answered.question.written
    words, title = answered.words, ""
    if answered.question.gain is not None:
        title = f"{capitalize(names.name_field(PLAYER_KIND, written))} gained"
    elif written in list_rolled(ruleset.procedures[procedure]):
        title = capitalize(names.format_words(ruleset.procedures[procedure].called.get(written, "")))
        words = {**words, NOT_ROLLED: "not rolled"} if NOT_ROLLED in answered.chances else words
    question = answered.question.written + (" (gained)" if answered.question.gain is not None else "")
    yes_no = isinstance(present(answered.question.type), Boolean)
    mean = None if yes_no else answered.mean
    panel_odds = PanelOdds(question, answered.chances, words, mean, answered.samples, is_value=True, title=title)
    return _add_note(panel_odds, answered.note) if answered.note else panel_odds


def _add_note(panel_odds: PanelOdds, note: str) -> PanelOdds:
    text = f"{panel_odds.note}; {note}" if panel_odds.note else note
    return replace(panel_odds, note=text)


# -- as data -----------------------------------------------------------------------------


def _like(before: Sequence[PanelOdds], after: PanelOdds) -> PanelOdds | None:
    """Return the odds of the same question, or the only ones, or None."""
    return next((each for each in before if each.question == after.question), before[0] if len(before) == 1 else None)


def _pair(at: At, before: PanelOdds | None, after: PanelOdds) -> dict[str, Any]:
    """Return the odds before and after as data, in the same ranges of outcomes."""
    ranges = _ranges([each.chances for each in (before, after) if each is not None])
    below = at.below.reference if at.below is not None else ""
    return {
        "asked": after.question,
        "before": None if before is None else _side(below, before, ranges),
        "after": _side(at.ruleset.reference, after, ranges),
        "words": format_change(before, after),
    }


def _side(ref: str, panel_odds: PanelOdds, ranges: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Any]:
    """Return the odds of one side as data, by range or, without ranges, for each possible outcome."""
    rows = []
    for label, outcomes in ranges or [(each, [each]) for each in panel_odds.chances]:
        chance = sum((panel_odds.chances.get(each, Fraction(0)) for each in outcomes), Fraction(0))
        if ranges or chance:
            words = panel_odds.words.get(label, label)
            rows.append({"label": label, "words": words, **_chance(chance)})
    return {
        "ref": ref,
        "asked": panel_odds.question,
        "mean": None if panel_odds.mean is None else _format_mean(panel_odds.mean),
        "exact": panel_odds.samples is None,
        "samples": panel_odds.samples,
        "note": panel_odds.note,
        "rows": rows,
    }


def _chance(chance: Fraction) -> dict[str, Any]:
    return {"chance": str(chance), "percent": format_percent(chance), "share": float(chance)}


def _ranges(result: Sequence[Mapping[str, Fraction]]) -> list[tuple[str, Sequence[str]]]:
    """Return the outcomes of both sides in ascending order, grouped into at most 40 ranges.

    The result is empty if not all outcomes are integers.
    """
    if not all(_is_whole(each) for chances in result for each in chances):
        return []
    outcomes = sorted({int(each) for chances in result for each in chances})
    together = -(-len(outcomes) // MOST_ROWS)
    ranges: list[tuple[str, Sequence[str]]] = []
    for start in range(0, len(outcomes), max(1, together)):
        some = [str(each) for each in outcomes[start : start + together]]
        ranges.append((some[0] if len(some) == 1 else f"{some[0]}–{some[-1]}", some))
    return ranges


def _format_mean(mean: Fraction) -> str:
    """Return a mean with two decimals at most, marked as rounded if it is."""
    number = f"{float(mean):.2f}".rstrip("0").rstrip(".")
    return number if Fraction(number) == mean else f"about {number}"


def _is_whole(outcome: str) -> bool:
    return outcome.removeprefix("-").isdecimal()


def format_change(before: PanelOdds | None, after: PanelOdds) -> str:
    """Return the most important change as text: that of the mean or of the outcome that changed most, or that none did.

    Without `before`, the text has only the mean, or else the note, and is empty without either. Sampled odds and notes
    are explained in parentheses.
    """
    notes = [after.note] if after.note else []
    if after.samples is not None:
        notes.insert(0, f"estimated from {after.samples:,} random runs, because there are too many to try all of them")
    about = f" ({'; '.join(notes)})" if notes else ""
    of = f"{after.title or f'`{after.question}`'}: " if after.is_value else ""
    average = "on average" if of else "On average"
    if before is None and after.mean is not None:
        return f"{of}{average} {_format_mean(after.mean)}{about}."
    if before is None:
        return f"{of}{about.strip(' ()')}." if about else of and f"{of.removesuffix(': ')}."
    if before.chances == after.chances:
        return f"{of}{'unchanged' if of else 'Unchanged'}{about}."
    lines = []
    if before.mean is not None and after.mean is not None and before.mean != after.mean:
        lines.append(f"{of}{average} {_format_mean(after.mean)} instead of {_format_mean(before.mean)}")
    moved = {
        each: abs(after.chances.get(each, Fraction(0)) - before.chances.get(each, Fraction(0)))
        for each in {**before.chances, **after.chances}
    }
    if not lines or after.mean is None:
        most = max(moved, key=lambda each: moved[each])
        name = after.words.get(most, before.words.get(most, most))
        now, then = (side.chances.get(most, Fraction(0)) for side in (after, before))
        if format_percent(now) == format_percent(then):
            return f"{of}{'nearly unchanged' if of else 'Nearly unchanged'}{about}."
        lines.append(f"{'' if lines else of}{name}: {format_percent(now)} instead of {format_percent(then)}")
    return f"{'. '.join(lines)}{about}."


PANEL = Panel("Odds", 30, answer, guide="design/dice.md", command="odds")
