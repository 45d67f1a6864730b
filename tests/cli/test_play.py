"""Playing and replaying in the terminal."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from rulewright.cli import terminal_session
from rulewright.cli.commands.replay import COMMANDS
from rulewright.cli.main import main
from rulewright.cli.terminal_session import format_options
from rulewright.engine import backends
from rulewright.engine.game.game import Game
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.saves import open_save
from rulewright.engine.narration.events import Event
from rulewright.ruleset.load_ruleset import load_ruleset


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))


def test_bots_play_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "pig/classic", "--players", "greedy,random,random", "--seed", "4"]) == 0
    assert "The game is over: Player" in capsys.readouterr().out.splitlines()[-1]


def test_the_dice_that_open_a_game_are_told_before_the_first_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "quit")
    assert main(["play", "classics/backgammon", "--players", "human,random", "--seed", "7"]) == 0
    output = capsys.readouterr().out.partition("Which of the dice")[0]
    rolled = [
        entry.value
        for entry in Game(load_ruleset("classics/backgammon"), seed=7).record
        if isinstance(entry, ChanceEntry)
    ]
    assert len(rolled) == 2
    for each in rolled:
        assert f"1d6 comes to {each}." in output


UNPAYABLE = """\
state: {player: {type: player, means: Whose turn it is.}}
terms: {gold: {name: Gold, plural: Gold, means: What one pays with.}}
kinds: {player: {fields: {gold: count}}}
procedures:
  game:
    title: A game
    steps:
      - {id: way, choose: {who: player, from: [beg, buy]}, ask: What do you do?}
      - {id: price, pay: {who: player, gold: 1}, when: way == buy}
      - {id: over, finish: {winners: [player]}}
"""


def test_who_comes_upon_a_fault_of_the_rules_plays_on_from_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/unpayable\nversion: 0.1.0\ntitle: Unpayable\nstatus: draft\nplayers: 2\nstart: game\n"
    )
    (tmp_path / "rules.yaml").write_text(UNPAYABLE)
    for machine in backends.list_names():
        answers(monkeypatch, "buy", "beg")
        arguments = ["play", "test/unpayable", "--rules", str(tmp_path), "--players", "human,random"]
        assert main([*arguments, "--backend", machine]) == 0
        out, err = capsys.readouterr()
        text = "the rules cannot continue: `game.price`: `gold` would be -1; the game is unchanged"
        assert " ".join(err.split()) == text
        assert out.splitlines()[-1].strip() == "The game is over: Player 1 wins."


HAND = """\
tables:
  cards: {title: Cards, rows: {one: {}, two: {}, three: {}, four: {}, five: {}, six: {}, seven: {}, eight: {}, nine: {},
    ten: {}, jack: {}, queen: {}, king: {}}}
state: {player: {type: player, means: Whose turn it is.}}
procedures:
  game:
    title: A game
    steps:
      - id: passed
        choose: {who: player, some_of: list(c for c in cards), at_least: 3, at_most: 3}
        ask: What do you pass?
      - {id: few, choose: {who: player, some_of: "[cards.one, cards.two]", or_none: true}, ask: Which of two?}
      - id: kept
        choose: {who: player, some_of: passed + list(c for c in cards), at_most: 2, or_none: true}
        ask: What do you keep?
        none: Nothing at all
      - {id: over, finish: {winners: [player]}}
"""


def write_hand(folder: Path) -> list[str]:
    """Write the rules with a hand of cards, and return the arguments that name them."""
    (folder / "ruleset.yaml").write_text(
        "ruleset: test/hand\nversion: 0.1.0\ntitle: Hand\nstatus: draft\nplayers: 2\nstart: game\n"
    )
    (folder / "rules.yaml").write_text(HAND)
    return ["test/hand", "--rules", str(folder)]


def test_several_of_many_are_chosen_by_marking_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = write_hand(tmp_path)
    # A number too many, one that is unmarked again, one that is missing, a name, and a wrong number.
    answers(monkeypatch, "", "1 4 7 9", "", "9 4", "", "king", "14", "what", "", "2", "none")
    assert main(["play", *rules, "--players", "human,random", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    listed, _, rest = out.partition("mark 3 of these 13")
    assert [line.split(". ")[1].split()[0] for line in listed.splitlines() if line.startswith("   1. ")] == ["One"]
    assert listed.count("King") == 1, "each card is listed once, not all of their 286 combinations"
    text = " ".join(rest.split())
    assert "marked: nothing; mark 3 more" in text
    assert "marked: 1. One, 4. Four, 7. Seven, 9. Nine; these are 1 too many" in text
    assert "marked: 1. One, 7. Seven; mark 1 more" in text
    assert "marked: 1. One, 7. Seven, 13. King; press Enter to choose this" in text
    assert "there is no element 14: the numbers are 1 to 13" in text
    assert "none of these is `what`" in text
    assert "Player 1 chooses One, Seven and King." in text
    assert "1. Nothing 2. One 3. Two 4. One, Two 5. None of these" in text, "a short list of combinations is listed"
    assert "or type `none` for Nothing at all" in text
    assert "Player 1 chooses: Nothing at all." in text


def test_several_of_many_are_marked_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = write_hand(tmp_path)
    (tmp_path / "rules.yaml").write_text(HAND.replace("at_most: 3}", "at_most: 3, in_order: true}"))
    answers(monkeypatch, "9 1", "1 4", "1", "", "one", "none")
    assert main(["play", *rules, "--players", "human,random", "--seed", "1"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "mark 3 of these 13, in order: type their numbers" in text
    assert "marked: 9. Nine, 4. Four, 1. One; press Enter to choose this" in text
    assert "Player 1 chooses Nine, Four and One." in text


def test_a_script_may_name_a_combination_of_a_long_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = write_hand(tmp_path)
    answers(monkeypatch, "two+four+ten", "one", "Jack, Queen", "")
    assert main(["play", *rules, "--players", "human,random"]) == 0
    out = capsys.readouterr().out
    assert "Player 1 chooses Two, Four and Ten." in out
    assert "Player 1 chooses Jack and Queen." in out


def test_a_run_marks_elements_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = write_hand(tmp_path)
    answers(monkeypatch, "1 2 3", "", "one", "none")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert main(["run", rules[0], "game", *rules[1:]]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "marked: 1. One, 2. Two, 3. Three" in out


ACCUSED = """\
state: {player: {type: player, means: Whose turn it is.}}
terms: {cart: {name: Cart, means: It rolls.}}
kinds: {cart: {term: cart, fields: {load: int}}}
procedures:
  game:
    title: A game
    steps:
      - {id: cart, create: cart, with: {load: 1}}
      - {id: first, do: accuse, with: {accused: "next(player, players)", witness: player, cart: cart}}
      - {id: second, do: defend, with: {the_accuser: "next(player, players)"}}
      - {id: third, do: forgive, with: {p: "next(player, players)"}}
      - {id: over, finish: {winners: []}}
  accuse:
    title: Accuse
    given: {accused: player, witness: player, cart: cart}
    names: {accused: whom you accuse}
    steps:
      - {id: said, choose: {who: player, from: [thief, fool]}, ask: What do you say?}
  defend:
    title: Defend
    given: {the_accuser: player}
    steps:
      - {id: said, choose: {who: player, from: [liar, fool]}, ask: And you?}
  forgive:
    title: Forgive
    given: {p: player}
    steps:
      - {id: said, choose: {who: player, from: [gladly, never]}, ask: Do you forgive?}
"""


def test_a_question_says_what_the_rules_call_the_players_that_it_is_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/accused\nversion: 0.1.0\ntitle: Accused\nstatus: draft\nplayers: 2..4\nstart: game\n"
    )
    (tmp_path / "rules.yaml").write_text(ACCUSED)
    answers(monkeypatch, "thief", "liar", "quit")
    assert main(["play", "test/accused", "--rules", str(tmp_path), "--players", "human,human"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Player 1: What do you say? (whom you accuse: Player 2, the Cart)" in text
    assert "Player 1: And you? (the accuser: Player 2)" in text
    assert "Player 1: Do you forgive? (p: Player 2)" in text


def test_a_game_without_an_end_is_left_where_no_save_could_hold_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    arguments = ["play", "pig/classic", "--players", "random,random", "--seed", "4"]
    monkeypatch.setattr(terminal_session, "MOST_ENTRIES", 20)
    assert main([*arguments, "--save", str(save)]) == 0
    text = " ".join(capsys.readouterr().err.split())
    assert text == "stopping here: it has 20 choices and results, the limit for a save, and the game is not over"
    assert 20 <= len(open_save(save).record) < 24, "a choice, and what is rolled for it"
    monkeypatch.setattr(terminal_session, "MOST_ENTRIES", 100_000)
    monkeypatch.setattr(terminal_session, "MOST_EVENTS", 12)
    assert main(arguments) == 0
    assert "it has more than 12 events" in capsys.readouterr().err


def test_what_was_told_is_not_gone_through_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read: list[int] = []
    whole, part = Game.log.fget, Game.log_since
    assert whole is not None

    def log(game: Game) -> tuple[Event, ...]:
        read.append(len(whole(game)))
        return whole(game)  # type: ignore[no-any-return]

    def log_since(game: Game, since: int) -> tuple[Event, ...]:
        read.append(len(part(game, since)))
        return part(game, since)

    monkeypatch.setattr(Game, "log", property(log))
    monkeypatch.setattr(Game, "log_since", log_since)
    assert main(["play", "pig/classic", "--players", "random,random", "--seed", "4"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 100
    assert max(read) < 20, "each time what is new, and never all of the game"


def test_people_can_go_back_so_many_choices(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal_session, "MOST_UNDONE", 2)
    # To hold shows nothing, so that it can be undone.
    answers(monkeypatch, "hold", "hold", "hold", "hold", "undo", "undo", "undo", "quit")
    assert main(["play", "pig/classic", "--players", "human,human", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert out.count("undone") == 2
    assert "there is nothing to undo" in out


def test_the_same_seed_plays_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["play", "pig/classic", "--players", "random,random", "--seed", "4"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    assert main(arguments) == 0
    assert capsys.readouterr().out == first


def test_every_machine_plays_the_same_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["play", "pig/classic", "--players", "random,random", "--seed", "4"]
    printed = []
    for name in (None, *backends.list_names()):
        save = tmp_path / f"{name}.json"
        assert main([*arguments, "--save", str(save), *(["--backend", name] if name else [])]) == 0
        printed.append(capsys.readouterr().out.replace(save.name, "SAVE"))
    assert len(printed) > 2
    assert len(set(printed)) == 1
    assert main([*arguments, "--backend", "interpeter"]) == 1
    assert "did you mean `interpreter`?" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["play", str(tmp_path / "None.json"), "--backend", "python"])
    assert "--backend applies to new games" in capsys.readouterr().err


def test_a_person_is_asked_told_the_rule_and_may_leave(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    answers(monkeypatch, "?", "7", "what", "1", "log", f"save {save}", "quit")
    assert main(["play", "pig/classic", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert "  1. Roll\n  2. Hold" in out
    assert "Roll once more, or hold? The player chooses roll or hold." in " ".join(out.split())
    assert err.count("there are 2 options") == 2
    assert "game.move: Player 1 chooses: Roll." in out
    assert save.is_file()


HEALERS = """\
tables:
  herbs: {columns: {worth: int}, rows: {sage: {worth: 1}, mint: {worth: 2}}}
  helpers:
    columns: {collect: {steps: {given: {who: player}}}}
    rows:
      healer:
        collect: [{id: herb, choose: {who: who, one_of: "[herbs.sage, herbs.mint]"}, ask: What do you collect?}]
procedures:
  game:
    steps:
      - {id: who, let: first(players)}
      - {id: healed, do: helpers.healer.collect, with: {who: who}}
      - {id: end, finish: [who]}
"""


def test_a_person_is_told_the_rule_of_a_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/healers\nversion: 1.0.0\ntitle: H\nabout: H.\nplayers: 2\nstart: game\n"
    )
    (tmp_path / "rules.yaml").write_text(HEALERS)
    answers(monkeypatch, "?", "quit")
    assert main(["play", "test/healers", "--rules", str(tmp_path)]) == 0
    assert "The player chooses what to collect: Sage or Mint." in capsys.readouterr().out


def test_undo_takes_back_what_nothing_random_followed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "undo", "2", "undo", "1", "undo", "quit")
    assert main(["play", "pig/classic", "--players", "human,human", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "there is nothing to undo" in out
    assert "undone" in out
    assert "dice and cards that have been revealed cannot be undone" in out
    # After the hold was taken back it is the first player's turn again; each refusal asks once more.
    assert out.count("Player 1: Roll once more") == 5


def test_a_save_is_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    assert main(["play", "pig/classic", "--players", "greedy,greedy", "--seed", "4", "--save", str(save)]) == 0
    played = [line.strip() for line in capsys.readouterr().out.splitlines()[1:-1]]
    assert main(["replay", str(save), "--log"]) == 0
    replayed = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    assert replayed == played


def test_each_command_of_a_replay_does_what_it_offers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    assert main(["play", "pig/classic", "--players", "random,random", "--seed", "4", "--save", str(save)]) == 0
    answers(monkeypatch, "", "map", "b", "9", "log", "quit")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    capsys.readouterr()
    assert main(["replay", str(save)]) == 0
    out, err = capsys.readouterr()
    assert re.findall(r"\[(\d+) of", out) == ["0", "1", "1", "0", "9", "9"]
    assert f"`map` is not a command. Commands: {COMMANDS}" in err
    assert [each.partition(" = ")[0] for each in COMMANDS.split(" · ")] == ["Enter", "b", "N", "log", "quit"]


def test_the_save_of_another_game_is_replaced_only_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    bots, same = ["--players", "random,random"], ["play", "pig/classic", "--seed", "3"]
    answers(monkeypatch, "1", "quit")
    assert main([*same, "--save", str(save)]) == 0
    first = open_save(save)
    answers(monkeypatch, "2", f"save {save}", "quit")
    assert main(same) == 0, "the same game, gone on with in another way"
    assert open_save(save).record != first.record
    text = save.read_text(encoding="utf-8")
    others = (
        ["pig/classic", *bots, "--seed", "4"],
        ["pig/classic", "--players", "random,random,random", "--seed", "3"],
    )
    for other in others:
        capsys.readouterr()
        with pytest.raises(SystemExit) as raised:
            main(["play", *other, "--save", str(save)])
        assert raised.value.code == 2
        out, err = capsys.readouterr()
        assert out == "", "it is said before anything is played"
        assert f"{save} contains another game, pig/classic@1.0.0 with seed 3 and will not be replaced" in err
    answers(monkeypatch, f"save {save}", "quit")
    assert main(["play", "pig/classic", "--seed", "5"]) == 0
    assert "contains another game" in " ".join(capsys.readouterr().err.split())
    assert save.read_text(encoding="utf-8") == text
    assert main(["play", *others[0], "--save", str(save), "--overwrite"]) == 0
    assert open_save(save).seed == 4
    assert main(["play", str(save), *bots, "--save", str(save)]) == 0, "a game that was opened goes back to its file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_no_place_to_save_in_and_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["play", "pig/classic", "--players", "random,random", "--save", str(pipe)]) == 1
    out, err = capsys.readouterr()
    assert (out, f"{str(pipe)!r} cannot be written" in err) == ("", True)


@pytest.mark.parametrize("content", ["no game\n", "{}"])
def test_what_is_no_save_is_never_replaced(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "notes.json"
    other.write_text(content, encoding="utf-8")
    arguments = ["play", "pig/classic", "--players", "random,random", "--save", str(other), "--overwrite"]
    with pytest.raises(SystemExit):
        main(arguments)
    assert f"{other} is not a saved game" in capsys.readouterr().err
    assert other.read_text(encoding="utf-8") == content
    other.write_text('{"rulewright": 2, "check": "', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(arguments[:-1])
    assert "contains a save that cannot be read" in capsys.readouterr().err
    assert main(arguments) == 0


def test_a_name_that_no_file_can_have_is_said_to_be_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answers(monkeypatch, "save a\0b", f"save {tmp_path}", "quit")
    assert main(["play", "pig/classic", "--seed", "3"]) == 0
    error = capsys.readouterr().err
    assert "cannot be written: it is not a valid file name" in error
    assert "cannot be written: it is a folder" in error
    assert "not a saved game" not in error


@pytest.mark.parametrize(("text", "message"), [("", "not a Rulewright save"), ("{}", "not a Rulewright save")])
def test_what_is_no_save_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    assert main(["replay", str(path)]) == 1
    assert message in capsys.readouterr().err


def test_a_save_of_rules_that_are_not_here_names_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    house = tmp_path / "house"
    house.mkdir()
    (house / "ruleset.yaml").write_text(
        "ruleset: pig/short\nversion: 0.3.0\nextends: pig/classic@1\ntitle: Short Pig\nstatus: draft\n"
    )
    (house / "rules.yaml").write_text("numbers: {goal: 20}\n")
    arguments = ["--players", "random,random", "--save", str(save), "--rules", str(tmp_path)]
    assert main(["play", "pig/short", *arguments]) == 0
    assert main(["replay", str(save), "--rules", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["replay", str(save)]) == 1
    assert "was played under pig/short@0.3.0, which cannot be loaded here" in capsys.readouterr().err
    (house / "rules.yaml").write_text("numbers: {goal: 30}\n")
    assert main(["replay", str(save), "--rules", str(tmp_path)]) == 1
    assert "gameplay digest" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "random,radnom"], "did you mean `random`"),
        (["--players", "random"], "2 to 10 players, not 1"),
        (["--players", "random,random", "--option", "pace=slow"], "there is no option pace"),
    ],
)
def test_what_cannot_be_played_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["play", "pig/classic", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_many_options_stand_in_columns_and_are_taken_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "5,6", "map", "quit")
    assert main(["play", "fuzzy-knights/normal", "--players", "human,greedy", "--seed", "2"]) == 0
    out = capsys.readouterr().out
    assert "Player 1 chooses [5, 6]." in out
    assert max(len(line) for line in out.splitlines() if line[:4].strip().rstrip(".").isdigit()) > 40
    assert out.count("   +----+") >= 22


@pytest.mark.parametrize(
    ("labels", "columns", "lines"),
    [
        (["a", "b"], 80, ["  1. a", "  2. b"]),
        (
            list("abcdefghijkl"),
            26,
            ["   1. a   5. e   9. i", "   2. b   6. f  10. j", "   3. c   7. g  11. k", "   4. d   8. h  12. l"],
        ),
        (["x" * 60] * 10, 40, [f"  {n:>2}. {'x' * 60}" for n in range(1, 11)]),
    ],
)
def test_columns_are_read_downwards(labels: list[str], columns: int, lines: list[str]) -> None:
    assert format_options(labels, columns) == lines


def test_options_say_what_they_cost(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers(monkeypatch, "5,6", "2", "1", "1", "1", "1", "1", "quit")
    assert main(["play", "fuzzy-knights/normal", "--players", "human,greedy", "--seed", "2"]) == 0
    out = capsys.readouterr().out
    assert "  1. 0\n  2. 1 (5 coins)\n" in out
    assert "] (1 movement)" in out


def test_what_is_saved_is_the_game_as_it_stands_after_an_undo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    answers(monkeypatch, "2", "undo", "quit")
    assert main(["play", "pig/classic", "--players", "human,human", "--seed", "3", "--save", str(save)]) == 0
    capsys.readouterr()
    assert main(["replay", str(save), "--log"]) == 0
    assert capsys.readouterr().out.strip() == ""


def test_a_saved_game_is_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    answers(monkeypatch, "1", "quit")
    assert main(["play", "pig/classic", "--seed", "3", "--save", str(save)]) == 0
    assert main(["play", str(save), "--players", "greedy,random"]) == 0
    assert "The game is over" in capsys.readouterr().out.splitlines()[-1]


def test_a_save_that_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["play", "pig/classic", "--players", "random,random", "--save", str(tmp_path / "gone" / "game.json")])
    assert stopped.value.code == 2
    answers(monkeypatch, "save", f"save {tmp_path}/gone/x.json", "quit")
    assert main(["play", "pig/classic", "--seed", "3"]) == 0
    err = capsys.readouterr().err
    assert "name a file: save FILE" in err
    assert "cannot be written: no such file or directory" in err


def test_a_seed_is_the_same_in_the_shell_and_in_python(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    assert main(["play", "pig/classic", "--players", "random,random", "--seed", "5", "--save", str(save)]) == 0
    assert open_save(save).seed == 5


def test_the_map_is_drawn_again_only_where_it_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "5,5", "1", "1", "1", "map", "quit")
    assert main(["play", "fuzzy-knights/medium@0.1", "--seed", "5"]) == 0
    out = capsys.readouterr().out
    asked = [part.splitlines()[-1] for part in out.split("How many")]
    assert len(asked) > 2
    # Once before the first choice, once after it, and once where it was requested.
    assert out.count("     1    2    3    4 ") == 3


def test_a_game_without_a_board_shows_what_a_player_needs_to_decide(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "1", "table", "map", "quit")
    assert main(["play", "classics/dominoes@1.0", "--players", "human,random", "--seed", "1"]) == 0
    first, second, table = capsys.readouterr().out.split("\n> ")[:3]
    assert "· table · log ·" in first
    assert "  Player 1: Tiles 0–1, 1–2, 2–3, 2–5, 3–3, 3–4 and 3–6\n  Player 2: Tiles hidden\n\nPlayer 1:" in first
    assert "  Row: 0–1 and 0–3\n  Open number: left end 3 and right end 1\n" in second
    assert "Player 2: Tiles" not in second, "it has not changed"
    assert "  Player: Player 1\n  Row: 0–1 and 0–3\n" in table
    answers(monkeypatch, "1", "quit")
    assert main(["play", "pig/classic", "--players", "human,random", "--seed", "1"]) == 0
    first, second = capsys.readouterr().out.split("\n> ")[:2]
    assert "  Pot: 0\n  Player 1: Score 0\n" in first
    assert "  Pot: 5\n\nPlayer 1:" in second
    answers(monkeypatch, "quit")
    assert main(["play", "classics/tic-tac-toe", "--players", "human,random"]) == 0
    assert "· table · map · log ·" in capsys.readouterr().out


def test_a_game_with_a_board_shows_what_each_player_has_when_it_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "1", "0", "quit")
    assert main(["play", "fuzzy-knights/normal@1.0", "--players", "human,random", "--seed", "3"]) == 0
    first, second, third = capsys.readouterr().out.split("\n> ")[:3]
    assert "|\n" in first
    assert "  Player 1: Coins 0\n  Player 2: Coins 0\n\nPlayer 1: Where" in first
    assert "  Player 1: Coins 6\n  Player 2: Coins 6\n\nPlayer 1: How many" in second
    assert "Player 1: Coins 6" not in third, "it has not changed"


def test_what_is_told_fits_the_terminal_and_says_what_a_number_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    answers(monkeypatch, "5,5", *"1111111111", "quit")
    assert main(["play", "fuzzy-knights/medium@0.1", "--seed", "5"]) == 0
    out = capsys.readouterr().out
    text = " ".join(out.split())
    assert "How many mercenaries do you recruit here? Player 2 chooses 1." in text
    assert "recruit? Player 1 chooses" not in text, "a person has just read the question"
    assert "How many heroes do you recruit? Player 2 chooses 0." in text
    assert "A vote has been held this day." in text
    assert "Finding items: Dice only." in text
    events = [line for line in out.splitlines()[1:] if line.startswith("  ") and "|" not in line and "+" not in line]
    assert [line for line in events if len(line) > 60] == []
