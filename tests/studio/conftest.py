"""What tests of the studio share: a desk over a folder of house rules for its panels, and a window of one that runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rulewright.base.resources import find_resource
from rulewright.cli.main import main
from tests.studio import window
from tests.studio.desk import Table
from tests.studio.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MANIFEST = "ruleset: house/pigs\nversion: 0.1.0\ntitle: Pigs\nstatus: draft\nextends: house/herd@1.0\n"
HERD = "ruleset: house/herd\nversion: 1.0.0\ntitle: Herd\nextends: pig/classic@1.0\n"
STROLL = """\
procedures:
  stroll:
    title: A stroll
    steps:
      - {id: first, roll: die}
      - {id: second, roll: die}

examples:
  lucky:
    title: A lucky stroll
    of: stroll
    expect_odds:
      first + second > 8: 0-100 %
"""
RULES = """\
# What our table plays otherwise.
numbers:
  goal: 50
  die: 1d8

tables:
  weather:
    title: Weather
    roll: 2d6 +1
    rows:
      rain: 3-6
      sun: 7-13

procedures:
  outing:
    title: An outing
    given: {who: player}
    steps:
      - {id: sky, roll: weather}
      - id: out
        when: sky == sun
        steps:
          - {id: stay, choose: {who: who, from: [walk, sleep]}, ask: "Walk?"}
          - {id: home, stop: true, when: stay == sleep}
          - {id: luck, roll: 3d6}
          - {id: found, gain: {who: who, score: luck}}
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a desk over the house rules `pigs`, which lie on `herd`, with everything shipped below them."""
    made = Table(tmp_path / "work", find_resource("rules"), tmp_path / "scratch")
    made.write("herd/ruleset.yaml", HERD)
    made.write("herd/rules.yaml", STROLL)
    made.write("pigs/ruleset.yaml", MANIFEST)
    made.write("pigs/rules.yaml", RULES)
    return made


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], table: Table) -> Callable[..., Any]:
    """Return what the command line says of the same rules, as data."""

    def call(*arguments: str) -> Any:
        capsys.readouterr()
        main([*arguments, "--rules", str(table.folder), "--json"])
        return json.loads(capsys.readouterr().out)

    return call


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Path]]:
    """Yield a studio that runs for all tests of a file, and the file of its rules."""
    folder = tmp_path_factory.mktemp("studio")
    window.quick(folder)
    with Running(folder) as studio:
        yield studio, folder / "quick" / "rules.yaml"


@pytest.fixture
def rules(at: tuple[Running, Path]) -> Path:
    """Return the file that is written in, as it was at first."""
    at[1].write_text(window.RULES, encoding="utf-8")
    for other in at[1].parent.glob("*.yaml"):
        if other.name not in ("rules.yaml", "ruleset.yaml"):
            other.unlink()
    return at[1]


@pytest.fixture
def desk(browser: Browser, at: tuple[Running, Path], rules: Path) -> Iterator[window.Desk]:
    with window.sitting(browser, at[0]) as desk:
        desk.shows(window.RULES)
        desk.sound()
        yield desk
