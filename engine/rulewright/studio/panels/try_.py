"""The Try panel, which runs a procedure with chosen rolls and decisions and can save the run as an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, NoReturn

from rulewright.base.errors import RulewrightError
from rulewright.book.english.expression_english import English
from rulewright.book.english.naming import NameWords, humanize
from rulewright.book.style.text_style import Style
from rulewright.dice.ast import Roll
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import find_dice_sum_bounds, list_pools
from rulewright.engine.game.decision import Decision, build_decision, describe_source
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.script import Script, ScriptError, read_dice_entry
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Procedure, Step
from rulewright.ruleset.editions.edition import MANIFEST, RULES_FILES
from rulewright.ruleset.queries.lookup import find_procedure as find_procedure
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.span import Span
from rulewright.studio.panels.cursor_context import (
    At,
    build_diagnostics_data,
    look,
    place,
    read_list,
    read_word,
)
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest
from rulewright.studio.panels.start_fields import describe_lack, label_faces
from rulewright.studio.panels.trial_start import (
    build_start,
    describe_start,
    find_start_example,
    name_trial,
    parse_given,
    read_ahead,
)
from rulewright.studio.panels.usage import PLAYED, find_nearest_procedure
from rulewright.studio.panels.watched_run import WatchingInterpreter, explain_skip
from rulewright.testing.procedure_run import Moment, RunResult, RunStoppedError, run
from rulewright.testing.record_example import RecordRequest as Started
from rulewright.testing.record_example import add_example, as_example
from rulewright.testing.run_results import format_values

MOST_TOTALS = 1_000
"""The maximum number of listed totals of a roll."""


class Waits(Exception):  # noqa: N818 (not an error but a pause for input)
    """A pause at a chance event or decision that the script does not cover."""

    def __init__(self, asks: Mapping[str, Any], moments: Sequence[Moment]) -> None:
        super().__init__()
        self.asks = asks
        self.moments = moments


class WaitingScript(Script):
    """A script that raises `Waits` when it runs out of entries, and keeps the moments up to that point.

    It drops an entry that does not fit, and all that follow: they were entered for another start or other rules.
    """

    def __init__(self, dice: Sequence[Any], choices: Sequence[Any], generator: Generator | None) -> None:
        super().__init__(dice, choices, generator=generator)
        self.moments: Sequence[Moment] = ()
        self.is_cut = False

    @property
    def listens(self) -> bool:
        return self.generator is None

    def observe(self, moments: Sequence[Moment]) -> None:
        self.moments = moments

    def choose_outcome(self, state: State, step: Step) -> ChanceEntry:
        """Return the next entered result, or a random one if there is a generator. Otherwise, raise `Waits`.

        A result that does not fit is dropped, together with all later results and choices.
        """
        before = self.rolled, self.chosen
        if self.rolled < len(self.dice):
            try:
                return super().choose_outcome(state, step)
            except ScriptError:
                self._cut(*before)
        if self.generator is None:
            raise Waits({**_describe_roll(state, step), "dropped": self.is_cut}, self.moments)
        return super().choose_outcome(state, step)

    def choose_option(self, state: State, step: Step, names: Names) -> int:
        """Return the index of the next entered choice, or of a random one if there is a generator.

        Otherwise, raise `Waits`.

        A choice that does not fit is dropped, together with all later results and choices.
        """
        before = self.rolled, self.chosen
        if self.chosen < len(self.choices):
            try:
                return super().choose_option(state, step, names)
            except ScriptError:
                self._cut(*before)
        if self.generator is None:
            raise Waits({**_describe_choice(build_decision(state)), "dropped": self.is_cut}, self.moments)
        return super().choose_option(state, step, names)

    def _cut(self, rolled: int, chosen: int) -> None:
        self.is_cut = True
        self.rolled, self.dice = rolled, self.dice[:rolled]
        self.chosen, self.choices = chosen, self.choices[:chosen]

    def refuse_rest(self, span: Span, state: State | None = None) -> None:
        """Accept a script with entries left over, which the run does not have."""


def _describe_roll(state: State, step: Step) -> dict[str, Any]:
    """Return the pending chance event as data for the page.

    `pools` has the dice. Their faces in order are a valid result. `faces` are the results to choose from. For
    one die, they are its faces. For several, their sums before any bonus. For a deck, the remaining cards. `labels`
    has the title of the row that a face belongs to, for a roll on a table.
    """
    names = Names.for_state(state)
    source = state.roll
    asks: dict[str, Any] = {
        "kind": "dice",
        "rule": step.rule,
        "words": _name_step(names, step.rule, step),
        "dice": describe_source(source),
        "faces": [],
        "labels": {},
        "pools": [],
        "least": None,
        "most": None,
    }
    if isinstance(source, Roll):
        pools = list_pools(source)
        asks["pools"] = [{"count": pool.count, "faces": list(pool.die.faces)} for pool in pools]
        if len(pools) == 1 and pools[0].count == 1:
            asks["faces"] = list(pools[0].die.faces)
        bounds = find_dice_sum_bounds(source)
        if bounds is not None:
            asks["least"], asks["most"] = bounds
            asks["faces"] = asks["faces"] or list(range(bounds[0], min(bounds[1], bounds[0] + MOST_TOTALS) + 1))
            asks["labels"] = label_faces(names, step, bounds)
    elif not isinstance(source, int):
        asks["faces"] = list(dict.fromkeys(source))
    return asks


def _describe_choice(decision: Decision) -> dict[str, Any]:
    """Return the pending decision as data for the page."""
    return {
        "kind": "choice",
        "rule": decision.rule,
        "player": decision.player,
        "words": f"Player {decision.player}: {decision.ask}",
        # Identify options by position, because a script cannot know the engine's object numbers.
        "options": [
            {"id": f"#{each.index + 1}", "name": each.id, "text": each.label, "index": each.index} for each in decision
        ],
    }


# -- the run -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trial:
    """A procedure with its starting position. `dice` and `choices` are the results entered so far."""

    procedure: Procedure
    started: Started
    dice: tuple[Any, ...]
    choices: tuple[str, ...]


def _trial(at: At, request: PanelRequest) -> Trial:
    """Return the procedure to run, from the page's parameters or else from the example or procedure at the cursor.

    Raises `RulewrightError` for an unknown procedure or an invalid parameter.
    """
    more, ruleset = request.more, at.ruleset
    example = None if read_word(more, "procedure") else _example(at)
    name = read_word(more, "procedure") or (example.of if example is not None else "") or _procedure(at)
    procedure = find_procedure(ruleset, name)
    begun = example or find_start_example(ruleset, procedure)
    dice, choices = tuple(map(_entry, read_list(more, "dice"))), tuple(map(str, read_list(more, "choose")))
    if read_word(more, "of") not in ("", name_trial(at, procedure.id)):
        dice, choices = (), ()  # they were entered for another procedure
    started = build_start(at.ruleset, name_trial(at, procedure.id), procedure, more, begun)
    if example is not None and not example.claims and not dice and not choices:
        dice, choices = tuple(example.dice), tuple(str(each) for each in example.choose)
        started = replace(started, until=started.until or example.until)
    return Trial(procedure, started, dice, choices)


def _example(at: At) -> Example | None:
    path = at.of("examples")
    result = at.ruleset.examples.get(path[1]) if path else None
    return result if result is not None and result.of in at.ruleset.procedures else None


def _procedure(at: At) -> str:
    """Return the procedure at the cursor, or the nearest one that uses the rule there.

    If there is neither, return the procedure of the whole game, or else the first one, or "" without any.
    """
    ways = (at.named, at.inside)
    for path in ways:
        if len(path) > 1 and path[1] in at.ruleset.procedures and path[0] in PLAYED:
            return path[1]
    for path in ways:
        if user := find_nearest_procedure(at.good, path):
            return user
    return at.ruleset.start or next(iter(at.ruleset.procedures), "")


def _entry(written: Any) -> Any:
    """Return a result sent by the page, which is a total, a list of faces, a card, or one of these as text.

    Raises `RulewrightError` for any other value.
    """
    if isinstance(written, bool) or not isinstance(written, int | str | list):
        raise RulewrightError("a result must be a number, a list of faces or a card name")
    if isinstance(written, list) and not all(type(face) is int for face in written):
        raise RulewrightError("faces must be whole numbers")
    return read_dice_entry(written.strip()) if isinstance(written, str) else written


# -- the answer --------------------------------------------------------------------------


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Run the procedure as far as the entered results allow, and return the events and the next input needed.

    With `seed`, random results and decisions continue the run. With `record`, add a finished run to a file as an
    example, and return its location instead. Raises `RulewrightError` for invalid parameters, and if the run cannot be
    recorded. Errors in the run itself are part of the answer.
    """
    at = look(desk, request)
    trial = _trial(at, request)
    seed = request.more.get("seed")
    if not isinstance(seed, int | str | None):
        raise RulewrightError("`seed` must be a number or a string")
    watched: list[WatchingInterpreter] = []
    finished, moments, waits, entered = _carry_out(at, trial, seed, watched)
    if watched and trial.procedure.id != at.ruleset.start and finished is None:
        read_ahead(at.ruleset, trial.procedure, trial.started, watched[-1], trial.dice, trial.choices)
    path = ("procedures", trial.procedure.id)
    head = at.head(path)
    if request.more.get("record"):
        return {**head, **_record(at, request, trial, finished)}
    names = Names(at.ruleset)
    return {
        **head,
        "procedure": trial.procedure.id,
        "of": name_trial(at, trial.procedure.id),
        "title": names.name_procedure(trial.procedure.id),
        **describe_start(at.ruleset, trial.procedure, trial.started, watched[-1] if watched else None),
        "given": dict(trial.started.given),
        "options": dict(trial.started.options),
        "players": trial.started.players,
        "until": trial.started.until,
        "dice": list(finished.dice if finished is not None else entered.dice),
        "choose": list(finished.choices if finished is not None else entered.choices),
        "events": _events(at, moments),
        "skipped": _list_skipped(at, trial.procedure, moments, watched),
        "values": format_values(finished) if finished is not None else {},
        "waits": waits,
        "example": as_example(finished, trial.started) if finished is not None else "",
    }


CarriedOut = tuple[RunResult | None, Sequence[Moment], Mapping[str, Any], Script]
"""The finished run or None, its events, the pending input or the end of the run, and the entered results that fit."""


def _carry_out(at: At, trial: Trial, seed: int | str | None, watched: list[WatchingInterpreter]) -> CarriedOut:
    """Run the procedure, and append its interpreter to `watched`, unless the position is invalid.

    Returns the run, or None if it did not finish, its events, the next input or the reason of the end, and the script.
    An error in the run is such a reason.
    """

    def watch(ruleset: Ruleset, **settings: Any) -> WatchingInterpreter:
        watched.append(WatchingInterpreter(ruleset, **settings))
        return watched[-1]

    generator = Generator(seed, "run") if seed is not None else None
    script = WaitingScript(trial.dice, trial.choices, generator)
    started = trial.started
    try:
        finished = run(
            at.ruleset,
            trial.procedure.id,
            given=parse_given(started.given),
            until=started.until,
            players=started.players,
            options=started.options,
            script=script,
            walker=watch,
        )
    except Waits as waits:
        return None, waits.moments, waits.asks, script
    except RunStoppedError as stopped:
        lack = describe_lack(trial.procedure, watched[-1]) if watched else ""
        if lack:
            return None, stopped.moments, {"kind": "fault", "message": lack, "diagnostics": []}, script
        return None, stopped.moments, _describe_fault(at, tuple(stopped.diagnostics)), script
    except (ScriptError, RulesFault) as error:
        diagnostics = (error.diagnostic,) if error.diagnostic is not None else ()
        return None, script.moments, _describe_fault(at, diagnostics, str(error)), script
    words = "Stopped at the requested step." if finished.paused else "The procedure is over."
    if not finished.moments and watched[-1].skips:
        words = "The procedure is over, and nothing happened, because every step was skipped."
    if finished.state.winners is not None:
        won = ", ".join(finished.names.name_player(player) for player in finished.state.winners)
        words = f"The game is over: {won} won." if won else "The game is over: nobody won."
    return finished, finished.moments, {"kind": "end", "words": words}, script


def _describe_fault(at: At, diagnostics: tuple[Diagnostic, ...], message: str = "") -> dict[str, Any]:
    """Return a fault of a run as data for the page, with the message of its first diagnostic, if there is one."""
    first = diagnostics[0].message if diagnostics else message
    explained = [
        {**each, "why": diagnostic.code.why, "help": diagnostic.help}
        for each, diagnostic in zip(build_diagnostics_data(at.desk, diagnostics), diagnostics, strict=True)
    ]
    return {"kind": "fault", "message": first, "diagnostics": explained}


def _events(at: At, moments: Sequence[Moment]) -> list[dict[str, Any]]:
    """Return the events that have a text as data for the page, each with the location of its step."""
    steps = {step.rule: step for step in at.ruleset.steps.values()}
    names = Names(at.ruleset)
    results = []
    for moment in moments:
        if not moment.event.text:  # an internal step without a message
            continue
        step = steps.get(moment.event.rule)
        results.append(
            {
                "rule": moment.event.rule,
                "verb": moment.event.verb,
                "text": moment.event.text,
                "faces": moment.faces,
                "title": _name_step(names, moment.event.rule, step),
                "place": place(at.desk, at.ruleset, step.span) if step is not None else None,
            }
        )
    return results


def _list_skipped(
    at: At, procedure: Procedure, moments: Sequence[Moment], watched: Sequence[WatchingInterpreter]
) -> list[dict[str, Any]]:
    """Return the skipped steps of the procedure and of those it calls, each with the condition that failed.

    `after` is the number of events with a message before it. Of a whole game, the called procedures are left out.
    """
    names = Names(at.ruleset)
    results = []
    for skip in watched[-1].skips if watched else ():
        step = skip.step
        owner = at.ruleset.procedures.get(step.rule.rpartition(".")[0])
        # The steps of exceptions and triggers are not written as steps of a procedure.
        if owner is None or step.rule != f"{owner.id}.{step.id}":
            continue
        if owner is not procedure and procedure.id == at.ruleset.start:
            continue
        english = English(Style(at.ruleset), NameWords.in_procedure(owner))
        title = _name_step(names, step.rule, step)
        skipped = f"Skipped for {skip.who}: {title}" if skip.who else f"Skipped: {title}"
        text = f"{skipped}, because {explain_skip(skip, english, names)}."
        results.append(
            {
                "rule": step.rule,
                "text": text + (f" Here: {'; '.join(skip.now)}." if skip.now else ""),
                "title": title,
                "place": place(at.desk, at.ruleset, step.span),
                "after": sum(bool(each.event.text) for each in moments[: skip.events]),
            }
        )
    return results


def _name_step(names: Names, rule: str, step: Step | None) -> str:
    """Return the title of a step, else the name that its procedure gives to its result, else its id in words."""
    identity = rule.rpartition(".")[2]
    owner = names.ruleset.procedures.get(step.procedure) if step is not None else None
    title = step.words.get("title", "") if step is not None else ""
    called = owner.called.get(identity, "") if owner is not None else ""
    return names.format_words(title or called) or humanize(identity)


# -- saving ------------------------------------------------------------------------------


def _record(at: At, request: PanelRequest, trial: Trial, finished: RunResult | None) -> dict[str, Any]:
    """Add the run to a file of the edition as an example, and return its location.

    Raises `RulewrightError` if the run is unfinished, the rules have errors, the file is outside the edition, or the
    example cannot be added.
    """
    if finished is None:
        raise RulewrightError("nothing was saved: the run did not finish")
    if at.errors:
        raise RulewrightError("nothing was saved: the rules now have errors, and the run used an earlier version")
    file = read_word(request.more, "file") or _own_file(at)
    _refuse_elsewhere(at, file)
    version: str | None = None
    before = ""
    with suppress(RulewrightError):  # a new file has no text or version
        before, version = at.desk.files.version(file)
    where = at.edition.folder / PurePosixPath(file).name
    title = " ".join(read_word(request.more, "title").split()).replace("{", "{{").replace("}", "}}")
    name = read_word(request.more, "name")
    recorded = add_example(where, before, finished, trial.started, name=name, title=title)
    at.desk.files.write(file, recorded.text, version)
    return {"path": file, "line": recorded.line, "id": recorded.id}


def _own_file(at: At) -> str:
    """Return the name of `examples.yaml` in the edition's folder.

    Raises `RulewrightError` if the edition is read-only.
    """
    manifest = at.desk.files.named(at.edition.path)
    if manifest is None or manifest.readonly:
        _refuse(f"{at.edition.id} is read-only here: name a file of your own rules")
    return (PurePosixPath(manifest.path).parent / "examples.yaml").as_posix()


def _refuse_elsewhere(at: At, file: str) -> None:
    """Raise `RulewrightError` for a file that does not belong to the edition's rules."""
    own = PurePosixPath(_own_file(at)).parent
    path = PurePosixPath(file)
    if not path.is_relative_to(own) or path.suffix not in RULES_FILES or ".." in path.parts or path.name == MANIFEST:
        _refuse(f"{file} is not a rules file of this edition: name one such as {own / 'examples.yaml'}")


def _refuse(words: str) -> NoReturn:
    raise RulewrightError(words)


PANEL = Panel("Try", 20, answer, guide="tutorials/house-rules.md", command="run")
