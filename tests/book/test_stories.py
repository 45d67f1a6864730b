"""Picture stories: what their panels hold, compared with the run of the example."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from rulewright.base.incremental.traces import Traces
from rulewright.book.parts.comic_strips import ComicPanel, StoryView, build_story_view
from rulewright.book.parts.example_runs import run_book_example
from rulewright.book.style.text_style import HtmlStyle
from rulewright.engine.boards.board_contents import list_lineups
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.stories import Story
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.testing.example_verdict import ExampleJudge
from rulewright.testing.story_trace import MOST_EVENTS, check_stories, trace_example
from tests.book.shipped import shipped_pages
from tests.book.test_lineups import RULES
from tests.book.test_lineups import ruleset as tug
from tests.breadth import some

EDITIONS = ["normal@1.0", "normal@0.2", "normal@0.1", "medium@0.1"]
PULLED = """
  pulled_again:
    title: Both are gone
    of: pull_all
    given:
      rope_ends: [{player: 1}, {}]
      crews: [{end: rope_ends.1, many: 3}, {end: rope_ends.2, many: 4}, {end: rope_ends.2, many: 1}]
      heavy: crews.2
      light: crews.1
    dice: [[5], [2]]
    expect: {count(crews): 1}
"""
PULL_ALL = """
  pull_all:
    given: {heavy: crew, light: crew}
    steps:
      - {id: strength, roll: 1d6}
      - {id: one, do: pull, with: {loser: heavy}}
      - {id: rest, roll: 1d6}
      - {id: two, do: pull, with: {loser: light}}
"""


def tell_story(example: str, ruleset: Ruleset) -> StoryView:
    example_ = ruleset.examples[example]
    story = Story("s", "A story", "", example, example_.node, example_.span)
    view = build_story_view(story, HtmlStyle(ruleset, lambda path: None))
    assert view is not None
    return view


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html)).replace("\N{NO-BREAK SPACE}", " ")


def titles(panel: ComicPanel) -> list[str]:
    return [unescape(title) for drawing in panel.drawings for title in re.findall(r"<title>(.*?)</title>", drawing)]


def test_whoever_leaves_a_side_is_struck_out_in_one_picture_and_gone_from_the_next(tmp_path: Path) -> None:
    rules = RULES.replace("  wait:\n", PULL_ALL.lstrip("\n") + "  wait:\n")
    loaded = tug(tmp_path, rules + PULLED.lstrip("\n"))
    view = tell_story("pulled_again", loaded)
    assert len(view.begins) == 1
    first, second = view.panels
    assert titles(first)[0] == (
        "The first rope end, player 1: Crew of 3; The second rope end: Crew of 4 (out) and Crew of 1"
    )
    assert titles(second)[0] == "The first rope end, player 1: Crew of 3 (out); The second rope end: Crew of 1"
    assert [event.faces for event in first.happened if event.is_roll] == [(5,)]
    assert [event.faces for event in second.happened if event.is_roll] == [(2,)]


def test_where_there_is_no_board_every_throw_is_a_picture() -> None:
    view = tell_story("greed", load_ruleset("pig/classic@1.0"))
    assert view.begins == ()
    assert [panel.drawings for panel in view.panels] == [(), ()]
    rolls = [[words(event.text) for event in panel.happened if event.is_roll] for panel in view.panels]
    assert rolls == [["1d6 comes to 6."], ["1d6 comes to 1."]]


def test_each_mark_that_is_set_is_a_picture_with_a_ring_around_it() -> None:
    view = tell_story("top_line", load_ruleset("classics/tic-tac-toe@1.0"))
    assert [words(panel.happened[0].text) for panel in view.panels] == [
        f"Player {seat} chooses {square}."
        for seat, square in ((1, "[1, 1]"), (2, "[1, 2]"), (1, "[2, 1]"), (2, "[2, 2]"), (1, "[3, 1]"))
    ]
    assert [panel.drawings[0].count('fill="none" stroke=') for panel in view.panels] == [1] * 5
    # Marks up to here: one more in each picture.
    titles = [re.findall("<title>(.*?)</title>", panel.drawings[0])[0] for panel in view.panels]
    assert [title.count("[") for title in titles] == [1, 2, 3, 4, 5]


def test_moves_that_the_rules_only_try_are_in_no_picture() -> None:
    view = tell_story("castling", load_ruleset("classics/chess@1.0"))
    kings = ["g1: king, Player 1", "f1: rook, Player 1"]
    assert [[title for title in kings if title in titles(panel)] for panel in view.panels] == [kings]
    assert all(sum("king" in title for title in titles(panel)[1:]) == 1 for panel in view.panels)


@pytest.mark.parametrize("edition", some(EDITIONS, ["normal@1.0", "medium@0.1"]))
def test_the_battle_of_every_edition_is_told_as_it_was_fought(edition: str) -> None:
    ruleset = load_ruleset(f"fuzzy-knights/{edition}")
    example = ruleset.examples["a_battle_fought_out"]
    ran = run_book_example(example, ruleset)
    view = tell_story(example.id, ruleset)
    fallen = [moment for moment in ran.steps if moment.event.kind == "removed"]
    assert len(view.panels) == len(fallen)
    sentences = {words(moment.event.text.replace("🎲", "").strip()) for moment in ran.steps}
    for panel, moment in zip(view.panels, fallen, strict=True):
        assert words(panel.happened[-1].text) == moment.event.text
        rolls = [event.text.partition(": ") for event in panel.happened if event.is_roll]
        assert [noun for noun, _, _ in rolls] == ["Roll of the attack", "Roll of the defence"]
        others = [event.text for event in panel.happened if not event.is_roll]
        assert {words(text) for text in (*(text for _, _, text in rolls), *others)} <= sentences
        (sides,) = {re.sub(r"^.*?<title>|; .*$", "", drawing)[:8] for drawing in panel.drawings}
        assert sides == "Attacker"
        assert 'd="M' in panel.drawings[0], "arrows lead from the attackers"
        assert sum("(out)" in title for title in titles(panel)) == 1
    faces = [face for moment in ran.steps for group in moment.faces or () for face in group]
    assert [face for panel in view.panels for event in panel.happened for face in event.faces] == faces
    assert ran.finished is not None
    left = {
        member.label for lineup in list_lineups(ran.finished.state) for rank in lineup.ranks for member in rank.members
    }
    assert all(label in titles(view.panels[-1])[0] for label in left)


@pytest.mark.parametrize("edition", some(EDITIONS, ["normal@1.0", "medium@0.1"]))
def test_the_pages_of_every_edition_show_them_as_figures_with_words(edition: str) -> None:
    pages = shipped_pages(f"fuzzy-knights/{edition}")
    for page, story, least in (("battle.md", "a_battle", 4), ("player_turns.md", "a_turn", 4)):
        strip = pages[page].split(f'id="story-{story}"')[1].split("</ol>")[0]
        figures = re.findall(r"<figure.*?</figure>", strip, re.DOTALL)
        assert len(figures) >= least
        for figure in figures:
            assert figure.count("<figcaption>") == 1
            assert "<title>" in figure
        assert [int(number) for number in re.findall(r"<b>(\d+)</b>", strip)] == list(range(1, len(figures)))
        assert "rw-source" not in strip


def test_a_cross_over_the_fallen_lies_below_their_number() -> None:
    view = tell_story("a_battle_fought_out", load_ruleset("fuzzy-knights/normal@1.0"))
    fallen = [group for panel in view.panels for group in panel.drawings[-1].split("<g>") if ", out</title>" in group]
    assert fallen
    for group in fallen:
        assert group.index("stroke-opacity") < group.index("<text")
        assert "×" not in group or group.index("stroke-opacity") < group.index("×")


def test_a_page_shows_its_story_and_folds_its_other_examples() -> None:
    battle = shipped_pages("fuzzy-knights/normal@1.0")["battle.md"]
    depth = {
        identity: before.count("<details") - before.count("</details>")
        for identity, before in (
            (match[1], battle[: match.start()])
            for match in re.finditer(r'class="rw-example[^"]*" id="([^"]+)"', battle)
        )
    }
    assert [identity for identity, within in depth.items() if not within] == ["story-a_battle"]
    assert len(depth) > 5


def test_a_film_has_a_frame_for_each_event_and_ends_where_the_run_does() -> None:
    ruleset = load_ruleset("classics/tic-tac-toe@1.0")
    example = ruleset.examples["top_line"]
    ran = run_book_example(example, ruleset)
    filmed = trace_example(ruleset, example, ran)
    assert filmed is not None
    assert ran.finished is not None
    assert len(filmed.frames) == len(ran.steps) <= MOST_EVENTS
    assert filmed.frames[-1].objects == ran.finished.state.objects
    assert filmed.run.start.objects == ran.finished.start.objects


def test_a_story_of_an_example_in_which_nothing_is_done_is_reported() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    judge = ExampleJudge(CleanChecks(ruleset, Traces()))
    verdicts = {id_: judge.judge(ruleset.examples[id_]) for id_ in ("four_neighbours", "tie")}
    story = ruleset.stories["a_battle"]
    spoilt = Story(story.id, story.title, "", "four_neighbours", story.node, story.span)
    diagnostics = Diagnostics()
    sections = {**ruleset.sections, "stories": {"a_battle": spoilt}}
    check_stories(_with(ruleset, sections), verdicts, diagnostics)
    (error,) = diagnostics.errors
    assert error.code.id == "nothing-to-see"
    assert "runs no procedure" in error.message
    assert error.suggestion == "name an example of a procedure, such as `tie`"


def _with(ruleset: Ruleset, sections: object) -> Ruleset:
    class Told:
        stories = sections["stories"]  # type: ignore[index]

    return Told  # type: ignore[return-value]
