"""Interactive play in the terminal: whole games with bots, and the open entries of a scripted procedure."""

from __future__ import annotations

import os
import re
import shlex
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.ai.bots import Policy
from rulewright.book.english.grammar import join_list
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.cli.board_display import draw, draw_arranged
from rulewright.cli.element_marks import LONG_LIST, ElementMarks
from rulewright.cli.grouped_options import GroupedOptions
from rulewright.cli.terminal import measure_width
from rulewright.cli.view_lines import count_decks, describe_open_lists, describe_players, describe_table
from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll as notation
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.boards.arranged_boards import list_arranged_boards
from rulewright.engine.boards.board_contents import list_visible_boards
from rulewright.engine.game.decision import Decision, build_decision
from rulewright.engine.game.game import Game
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.save_format import MOST_ENTRIES, NO_SAVE, describe_obstacle
from rulewright.engine.game.script import Script, ScriptError, draw_outcome, read_dice_entry
from rulewright.engine.game.snapshot import find_viewer
from rulewright.engine.game.undo_guard import reveals_secret
from rulewright.engine.narration.events import (
    CHANCES,
    Event,
    Weight,
    find_repeats,
    find_set_up_draws,
    format_repeat,
    format_story,
    is_hidden_choice,
)
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.redaction import analyze_sight, redact_value
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.narration.rich_text import to_text
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import PLAYER_KIND
from rulewright.source.diagnostics.excerpt import MOST_NAMED, MOST_SAID, shorten
from rulewright.source.files.atomic_write import WriteError, describe_write_error, lock_folders
from rulewright.source.yaml.core_schema import parse_whole_number
from rulewright.testing.procedure_run import Moment

COMMANDS = "number or name = choose · ? = rule · table · map · log · undo · save FILE · quit"
"""The commands of a game with a board. Without one, there is no `map`."""

MOST_EVENTS = 500_000
"""The maximum number of events in a game, because all are kept for the log."""

MOST_UNDONE = 100
"""The maximum number of choices that can be undone, because each one keeps a copy of the game."""


@dataclass(slots=True)
class Session:
    """A game in the terminal, with a policy for each seat, or None for a person.

    If the game hides information, the screen shows the view of one `reader` at a time, the last person to decide (0 at
    first). `heard` is the length of the log that each reader has seen, and `seen` the table that each has seen last.
    `answered` are the indices of events that answer a question on this screen, and `last_answer` is the latest answer:
    the length of the record after it, the seat and the id. `overwrites` is true if saves of other games may be
    replaced.
    """

    game: Game
    policies: Sequence[Policy | None]
    event_index: int = 0
    drawn: Sequence[str] = ()
    answered: set[int] = field(default_factory=set)
    last_answer: tuple[int, int, str] = (0, 0, "")
    overwrites: bool = False
    reader: int = 0
    heard: dict[int, int] = field(default_factory=dict)
    seen: dict[int, Sequence[str]] = field(default_factory=dict)

    def play(self) -> bool:
        """Play to the end, with the board, the log and all prompts on the terminal.

        Returns False if a person quits first, or if the game becomes too long for a save. If the rules fail after the
        choice of a person, the game returns to the state before it. After the choice of a bot, raises `RulesFault`.
        """
        people = any(policy is None for policy in self.policies)
        undoable: deque[Game] = deque(maxlen=MOST_UNDONE)
        if people:
            print(_wrapped(self._commands()))
        position = -1
        while True:
            if (most := self._too_long()) is not None:
                print(_wrapped(f"stopping here: {most}, and the game is not over"), file=sys.stderr)
                return False
            decision = self.game.decision
            if (
                decision is not None
                and self.policies[decision.player - 1] is None
                and not self._hand_to(decision.player)
            ):
                return False
            policy = None if decision is None else self.policies[decision.player - 1]
            self._print(more_follows=policy is not None)
            if decision is None:
                return True
            if policy is not None:
                self.game.choose(policy(self.game.state))
                continue
            if position != len(self.game.record):
                self._show_position(decision)
            position = len(self.game.record)
            answer = self._ask(decision)
            match answer:
                case None:
                    return False
                case "undo":
                    self._undo(undoable)
                case int():
                    before, chosen = self.game.clone(), decision.options[answer].id
                    try:
                        self.game.choose(answer)
                    except RulesFault as fault:
                        print(_wrapped(f"the rules cannot continue: {fault}; the game is unchanged"), file=sys.stderr)
                        continue
                    self.answered.add(self.event_index)
                    self.last_answer = len(self.game.record), decision.player, chosen
                    undoable.append(before)

    def _too_long(self) -> str | None:
        """Return a phrase for why the game is too long to save, or None if it is short enough."""
        if len(self.game.record) >= MOST_ENTRIES:
            return f"it has {MOST_ENTRIES:,} choices and results, the limit for a save"
        if len(self.game.state.events or ()) > MOST_EVENTS:
            return f"it has more than {MOST_EVENTS:,} events"
        return None

    def _hand_to(self, seat: int) -> bool:
        """Give the screen to the player of another seat, if the game hides information.

        If several people play, this clears the screen and waits for Enter. Return False at the end of the input.
        """
        if seat == self.reader or analyze_sight(self.game.ruleset).everything:
            return True
        self.heard[self.reader], self.event_index = self.event_index, self.heard.get(seat, 0)
        self.reader, self.drawn = seat, ()
        if sum(policy is None for policy in self.policies) == 1:
            return True
        if sys.stdout.isatty():
            print("\033[2J\033[3J\033[H", end="")  # the screen has hidden information
        try:
            input(f"The screen is for Player {seat} alone: press Enter when no one else is looking. ")
        except EOFError:
            print()
            return False
        return True

    def _log(self, *, since: int = 0) -> Sequence[Event]:
        """Return the log as visible to the reader, from event number `since`."""
        if analyze_sight(self.game.ruleset).everything:
            return self.game.log_since(since)
        return self.game.log_for(self.reader)[since:]

    def _print(self, *, more_follows: bool) -> None:
        """Print the new events for the reader, with a story of the setup, and count them as printed.

        Several hidden choices in a row are one line. If `more_follows`, those at the end wait for the next call.
        """
        new = self._log(since=self.event_index)
        before = 0
        while before < len(new) and new[before].set_up:
            before += 1
        if before:
            for line in format_story(
                self.game.ruleset, self._log()[: self.event_index + before], since=self.event_index
            ):
                print(_wrapped(line, "  "))
            for line in self._list_own_events(self.event_index, self.event_index + before):
                print(_wrapped(line, "  "))
        if more_follows:
            while len(new) > before and (is_hidden_choice(new[-1]) or not new[-1].text):
                new = new[:-1]
        chosen: list[str] = []
        say = ValueRenderer(self.game.ruleset)
        for place, count in find_repeats(new[before:]):
            event = new[before + place]
            if is_hidden_choice(event):
                chosen.append(to_text(event.account.who))
                continue
            _print_choices(chosen)
            # The person who answered has just read the question, so print only the sentence.
            is_answer = self.event_index + before + place in self.answered
            sentence = to_text(event.account.sentence) if is_answer else format_repeat(event, count, say)
            print(_wrapped(sentence, "  "))
        _print_choices(chosen)
        self.event_index += len(new)

    def _list_own_events(self, start: int, end: int) -> list[str]:
        """Return the texts of setup events that the reader sees differently from other players.

        The public story only counts hidden objects together, but their owner needs to know each of them. If no hidden
        objects were created, the result has the private events that the story leaves out.
        """
        if not self.reader or analyze_sight(self.game.ruleset).everything:
            return []
        log, others = self._log(), self.game.log_for(0)
        own = [number for number in range(start, end) if log[number].text != others[number].text]
        if any(log[number].kind == "written" and log[number].weight >= Weight.NORMAL for number in own):
            # The text of the change already includes the random result.
            own = [number for number in own if log[number].kind == "created"]
        created = [number for number in own if log[number].kind == "created"]
        silent = find_set_up_draws(log)
        left_out = created or [number for number in own if log[number].kind not in CHANCES or number in silent]
        return [log[number].text for number in left_out if log[number].text and log[number].weight >= Weight.NORMAL]

    def _show_position(self, decision: Decision) -> None:
        """Print the map if it has changed, and the lines of the table that have changed.

        In a game with a board, these are the lines of the players, and of lists such as a display of cards, because the
        map shows much of the rest.
        """
        drawn = self._map()
        if drawn and drawn != self.drawn:
            self.drawn = drawn
            print("\n".join(drawn))
        # The question names the player whose turn it is.
        turn = Names(self.game.ruleset).name_player(self.game.state.who)
        view = self.game.view(decision.player)
        left = count_decks(self.game.state)
        if drawn:
            lines = [*describe_open_lists(view, self.game.ruleset), *describe_players(view, left)]
        else:
            lines = describe_table(view, turn, left)
        before = self.seen.get(decision.player, ())
        for line in lines:
            if line not in before:
                print(_wrapped(line, "  "))
        self.seen[decision.player] = lines

    def _table(self, seat: int) -> list[str]:
        return describe_table(self.game.view(seat), left=count_decks(self.game.state))

    def _commands(self) -> str:
        return COMMANDS if self._map() else COMMANDS.replace(" · map", "")

    def _map(self) -> list[str]:
        state = redact_value(self.game.state, find_viewer(self.reader))
        arranged = list_arranged_boards(state)
        own = {board.contents.table for board in arranged}
        lines = [line for board in list_visible_boards(state) if board.table not in own for line in draw(board)]
        return [*lines, *(line for board in arranged for line in draw_arranged(board))]

    def _undo(self, undoable: deque[Game]) -> None:
        """Return to the last decision of a person, unless dice, cards or a secret have been revealed since.

        Takes the game there from the end of `undoable`, and prints what was done or why not.
        """
        if not undoable:
            print("there is nothing to undo")
            return
        before = undoable[-1]
        since = self.game.record[len(before.record) :]
        if any(isinstance(line, ChanceEntry) for line in since):
            print("dice and cards that have been revealed cannot be undone")
            return
        if reveals_secret(before, self.game):
            print("a secret that another player has seen since then cannot be undone")
            return
        self.game = undoable.pop()
        self.event_index = len(self.game.log)
        self.heard = {seat: min(heard, self.event_index) for seat, heard in self.heard.items()}
        self.answered = {place for place in self.answered if place < self.event_index}
        print("undone")

    def _ask(self, decision: Decision) -> int | str | None:
        """Prompt a person until there is an answer: the index of an option, `undo`, or None to quit.

        Other commands, such as `log` and `save FILE`, are carried out here.
        """
        print(f"\n{_wrapped(f'Player {decision.player}: {decision.ask}{self._about(decision)}')}")
        marks = _list_options(decision, self.game.state)
        while True:
            try:
                answer = input("> ").strip()
            except EOFError:
                print()
                return None
            match answer.split(maxsplit=1):
                case [] if marks is None:
                    continue
                case ["quit" | "q"]:
                    return None
                case ["undo" | "u"]:
                    return "undo"
                case ["?"]:
                    print(self._rule(decision.rule))
                case ["table" | "t"]:
                    print("\n".join(_wrapped(line, "  ") for line in self._table(decision.player)) or "no values yet")
                case ["map" | "m"]:
                    print("\n".join(self._map()) or "there is no map: `table` shows the values")
                case ["log" | "l"]:
                    print("\n".join(f"  {event.rule}: {event.text}" for event in self._log() if event.text))
                case ["save" | "s"]:
                    print("name a file: save FILE", file=sys.stderr)
                case ["save" | "s", path]:
                    self.save(path)
                case _ if marks is not None:
                    reply = marks.read(answer)
                    if isinstance(reply, int):
                        return reply
                    print(_wrapped(shorten(reply, MOST_SAID)))
                case [word] if 1 <= (parse_whole_number(word) or 0) <= len(decision.options):
                    return (parse_whole_number(word) or 0) - 1
                case _ if (named := match_option(answer, decision)) is not None:
                    return named
                case _:
                    there = f"there are {len(decision.options)} options, but none is `{shorten(answer)}`"
                    text = f"{there}. Commands: {self._commands()}"
                    print(_wrapped(text), file=sys.stderr)

    def _about(self, decision: Decision) -> str:
        """Return the objects that a question is about, as ` (…)` with a leading space.

        Each has its name in the rules in front if its label does not have it. Those that the player named in the answer
        just before are left out. Empty if there are none.
        """
        called = self.game.ruleset.procedures[decision.rule.rpartition(".")[0]].called
        names = Names(self.game.ruleset)
        length, seat, answer = self.last_answer
        answered_last = (length, seat) == (len(self.game.record), decision.player)
        # An option that is a list or a record has the ids of its parts.
        known = answer.replace("+", "/").split("/") if answered_last else ()
        texts = {}
        for subject in decision.about:
            if subject.id in known:
                continue
            words = to_text(names.say.render_noun(called[subject.name])) if subject.name in called else ""
            player = (
                subject.kind == PLAYER_KIND
            )  # a player's label alone does not tell their role, such as the attacker
            if player and not words:
                words = subject.name.replace("_", " ")
            has_own_words = words and (player or words.casefold() not in subject.label.casefold())
            texts[subject.label] = f"{words}: {subject.label}" if has_own_words else subject.label
        return f" ({', '.join(texts.values())})" if texts else ""

    def save(self, path: str) -> bool:
        """Save the game and print a confirmation.

        If it cannot be saved, or the file must not be replaced, print the reason and return False.
        """
        named = shorten(path, MOST_NAMED)
        try:
            target = Path(path).expanduser()
            with lock_folders(Path(os.path.realpath(target)).parent):
                if (there := self.in_the_way(target)) is not None:
                    print(f"{named} {there}", file=sys.stderr)
                    return False
                self.game.save(target)
        except WriteError as error:
            print(shorten(str(error), MOST_SAID), file=sys.stderr)
            return False
        except (OSError, ValueError, RuntimeError) as error:
            print(describe_write_error(named, error), file=sys.stderr)
            return False
        print(f"saved to {path}")
        return True

    def in_the_way(self, target: Path) -> str | None:
        """Return why the file must not be replaced, as the end of a message. None if the game may be saved there."""
        game = self.game
        there = describe_obstacle(
            target,
            {
                "ruleset": game.ruleset.reference,
                "digest": game.ruleset.digest,
                "players": game.players,
                "options": dict(game.options),
                "seed": game.seed,
            },
        )
        if there is None or (self.overwrites and there != NO_SAVE):
            return None
        if there == NO_SAVE:
            return f"is {there} and will not be replaced; name another file"
        return f"contains {there} and will not be replaced; name another file, or play with --overwrite"

    def _rule(self, rule: str) -> str:
        """Return the rule of a step as text, with its procedure in English and its location."""
        names = Names(self.game.ruleset)
        step = next(step for step in self.game.ruleset.steps.values() if step.rule == rule)
        procedure = self.game.ruleset.procedures[step.procedure]
        means = [names.format_words(procedure.words["means"])] if "means" in procedure.words else []
        paragraphs = [names.name_procedure(procedure.id), *(line for each in means for line in each.splitlines())]
        path = f"{'tables' if procedure.cell is not None else 'procedures'}.{procedure.id}"
        paragraphs_and_rules = [*paragraphs, *build_describer(self.game.ruleset)(path)]
        lines = [line for each in paragraphs_and_rules for line in textwrap.wrap(each, max(40, measure_width() - 4))]
        return "\n".join(f"  {line}" for line in [*lines, f"({rule}, {step.span.file}:{step.span.line})"])


def _print_choices(players: list[str]) -> None:
    """Print that these players have made hidden choices, as one sentence, and empty the list."""
    names = list(dict.fromkeys(players))
    if names:
        print(_wrapped(f"{join_list(names)} {'has' if len(names) == 1 else 'have'} chosen.", "  "))
    players.clear()


def _wrapped(text: str, indent: str = "") -> str:
    """Wrap a text to the width of the terminal."""
    return textwrap.fill(text, max(40, measure_width() - 2), initial_indent=indent, subsequent_indent=f"{indent}  ")


def format_options(labels: Sequence[str], columns: int) -> list[str]:
    """Return numbered options as lines. A long list is in columns, in order from top to bottom."""
    numbered = [f"{number:>{len(str(len(labels)))}}. {label}" for number, label in enumerate(labels, start=1)]
    widest = max(len(line) for line in numbered) + 2
    across = max(1, (columns - 2) // widest)
    if len(labels) <= LONG_LIST or across == 1:
        return [f"  {line}" for line in numbered]
    down = -(-len(numbered) // across)
    return ["  " + "".join(f"{line:<{widest}}" for line in numbered[row::down]).rstrip() for row in range(down)]


def match_option(answer: str, decision: Decision) -> int | None:
    """Return the index of the option that `answer` names, or None. See `match_names`."""
    return match_names(answer, [(option.id, option.label) for option in decision.options])


def match_names(answer: str, named: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the entry that `answer` names, or None. The last name of an entry is its label.

    An answer can be a name, or the beginning of exactly one label. Letter case and punctuation do not matter.
    """
    word = _plain(answer)
    for index, names in enumerate(named):
        if word in map(_plain, names):
            return index
    # Whole words first: `1, 1` means the tile [1, 1] and not [1, 10].
    for beginning in (f"{word},", word):
        fitting = [index for index, names in enumerate(named) if _plain(names[-1]).startswith(beginning)]
        if word and len(fitting) == 1:
            return fitting[0]
    return None


def _list_options(decision: Decision, state: State) -> ElementMarks | GroupedOptions | None:
    """Print the options of a decision, or for a long list their elements or groups, and return what reads the answer.

    Returns None if options were printed.
    """
    reader = ElementMarks.for_decision(decision, match_names) or GroupedOptions.for_decision(
        decision, state, match_names
    )
    labels = [option.label for option in decision.options] if reader is None else reader.labels
    print("\n".join(format_options(labels, measure_width())))
    if reader is not None:
        print(_wrapped(reader.describe_task()))
    return reader


def _plain(text: str) -> str:
    """Return a text for comparison, with only letters and digits, so that `4,3` matches `[4, 3]`."""
    return ",".join(re.findall(r"\w+", text.lower()))


class PromptScript(Script):
    """A script that reports the events so far and asks the user for anything it leaves open."""

    def __init__(
        self, dice: Sequence[Any], choices: Sequence[Any], tell: Callable[[Sequence[Moment]], None], chance: Generator
    ) -> None:
        super().__init__(dice, choices)
        self.print_moment = tell
        self.chance = chance
        self.moments: Sequence[Moment] = ()

    @property
    def listens(self) -> bool:
        return True

    def observe(self, moments: Sequence[Moment]) -> None:
        self.moments = moments

    def format_arguments(self) -> str:
        """Return the command-line arguments that repeat this run without asking.

        The text is empty if there are none, or if an entry contains a comma.
        """
        dice = ["+".join(map(str, each)) if isinstance(each, list | tuple) else str(each) for each in self.came_up]
        written = []
        for option, entries in (("--dice", dice), ("--choose", self.taken)):
            if any("," in entry for entry in entries):
                return ""
            if entries:
                written += [option, shlex.quote(",".join(entries))]
        return " ".join(written)

    def _outcome(self, state: State, step: Step) -> ChanceEntry:
        """Return the next scripted result, or ask for it until it fits. An empty answer is a random result.

        Raises `ScriptError` for a script that does not fit, and at the end of the input.
        """
        if self.rolled < len(self.dice):
            return super()._outcome(state, step)
        self.print_moment(self.moments)
        rolled = state.roll
        what = f"roll {notation(rolled)}" if isinstance(rolled, Roll) else "draw a card"
        while True:
            answer = self._input(f"{step.rule}: {what}, what is the result? (Enter: random) ")
            if answer is None:
                return super()._outcome(state, step)
            if not answer:
                return draw_outcome(rolled, self.chance)
            # Store the input as typed, before any bonus, because it becomes part of the script.
            text, known = self.rolled, self.dice
            self.dice = (*known, read_dice_entry(answer))
            try:
                return super()._outcome(state, step)
            except ScriptError as error:
                self.rolled, self.dice = text, known
                print(error, file=sys.stderr)

    def _choice(self, ids: Sequence[str], state: State, step: Step, names: Names) -> int:
        """Return the index of the next scripted choice, or ask for it until it fits.

        Raises `ScriptError` for a script that does not fit, and at the end of the input.
        """
        if self.chosen < len(self.choices):
            return super()._choice(ids, state, step, names)
        self.print_moment(self.moments)
        decision = build_decision(state)
        print(f"\nPlayer {decision.player}: {decision.ask}  ({decision.rule})")
        marks = _list_options(decision, state)
        while True:
            answer = self._input("> ")
            if answer is None:
                return super()._choice(ids, state, step, names)
            if marks is not None:
                reply = marks.read(answer)
                if isinstance(reply, int):
                    return reply
                print(_wrapped(shorten(reply, MOST_SAID)))
                continue
            if answer.isdecimal() and 1 <= int(answer[:9]) <= len(ids):
                return int(answer) - 1
            named = match_option(answer, decision)
            if named is not None:
                return named
            print(f"there are {len(ids)} options, but none is `{answer}`: type a number or a name", file=sys.stderr)

    def _input(self, prompt: str) -> str | None:
        """Return a line of input, or None at the end of the input."""
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None
