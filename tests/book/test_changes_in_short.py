"""Which changes come first, what is told in short, and what only bots notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.changes.change import RuleChange
from rulewright.book.changes.change_summary import FIRST, OF_A_KIND, build_headline, summarize
from rulewright.book.changes.compare_rulesets import list_changes, select_gameplay
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import MANIFEST, steps, write_garden

SOW = "- {id: sow, pay: {who: player, seed: 1}}"
FAR = ("fuzzy-knights/normal@0.1", "fuzzy-knights/normal@1.0")

BOTS = """
formulas:
  worth: {given: {who: player}, is: hopes(who) + wage(who), means: How well a player stands.}
  hopes: {given: {who: player}, is: WORTH * who.seed, means: What a player may hope for.}
  wage: {given: {who: player}, is: WAGE + who.seed, means: What a player is paid.}
"""
PAID = "- {id: paid, gain: {who: player, seed: wage(player)}}"


def garden(folder: Path, number: int, wage: int) -> Path:
    """Return a garden whose bots reckon by `hopes`, which nobody else asks for, and by `wage`.

    Which a step asks for, too.
    """
    text = steps(SOW, PAID)
    own = BOTS.replace("WORTH", str(number)).replace("WAGE", str(wage))
    text = text.replace("\nformulas:\n", own, 1) if "\nformulas:\n" in text else text + own
    return write_garden(folder, text, MANIFEST + "evaluate: worth\n")


def compared(tmp_path: Path, *, number: int = 3, wage: int = 1) -> list[RuleChange]:
    folders = garden(tmp_path / "before", 3, 1), garden(tmp_path / "after", number, wage)
    return list_changes(*(load_ruleset("garden/small", rules=[folder]) for folder in folders))


def test_what_only_bots_read_changes_no_game(tmp_path: Path) -> None:
    [change] = compared(tmp_path, number=4)
    assert (change.path, change.bots, change.played, change.group) == ("formulas.hopes", True, False, "measures")
    assert change.sentences == ("It is computed differently.",)
    assert select_gameplay([change]) == []


def test_what_a_step_reads_too_changes_the_game(tmp_path: Path) -> None:
    [change] = compared(tmp_path, wage=2)
    assert (change.path, change.bots, change.played, change.group) == ("formulas.wage", False, True, "formulas")


@pytest.fixture(scope="module")
def far(checkout: Path) -> list[RuleChange]:
    """Return what changed between two editions that lie far apart."""
    return list_changes(*(load_ruleset(name, rules=[checkout / "rules"]) for name in FAR))


def test_in_each_group_what_weighs_more_comes_first_and_words_come_last(far: list[RuleChange]) -> None:
    for group in {change.group for change in far}:
        weights = [change.weight for change in far if change.group == group]
        assert weights == sorted(weights, reverse=True)
    assert all((change.weight > 0) == change.played for change in far)
    groups = list(dict.fromkeys(change.group for change in far))
    assert groups[0] == "procedures"
    assert groups.index("tables") < groups.index("terms") < groups.index("examples")


def test_a_player_is_told_first_of_what_is_done_and_of_the_figures_that_are_known_by_heart(
    far: list[RuleChange],
) -> None:
    short = summarize(far)
    assert short.played + short.others == len(far)
    assert sum(kind.added + kind.removed + kind.changed for kind in short.kinds) == len(far)
    assert len(short.first) == FIRST
    sections = [change.section for change in short.first]
    assert all(sections.count(section) <= OF_A_KIND for section in sections)
    # The second draft's way to take a city and to found one are what its players miss.
    assert {"procedures.siege", "procedures.found_city", "numbers.hero_movement"} <= {c.path for c in short.first}
    assert build_headline(next(c for c in short.first if c.id == "hero_movement")).startswith(
        "Hero movement (changed): 15 instead of 1d10 +10"
    )


def test_the_report_begins_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *FAR, "--brief"]) == 0
    brief = capsys.readouterr().out
    assert len(brief.splitlines()) < 30
    assert main(["diff", *FAR]) == 0
    out = capsys.readouterr().out
    assert out.startswith(brief)
    assert "any(" not in out
    assert "Chance that the mine has an owner" in out


def test_a_short_comparison_is_its_own_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "pig/classic@1.0", "pig/classic@1.0"]) == 0
    assert "In short" not in capsys.readouterr().out
