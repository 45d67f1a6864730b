"""Where rules come from, a folder, a zip or a Python package, and that none is taken for another unseen."""

from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import Game, Ruleset, RulesetWarning, RulewrightError, load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.cli.known_checks import name_check
from rulewright.cli.main import main
from rulewright.engine.game.saves import open_save_text
from rulewright.ruleset.editions import zip_archives
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.collector import DiagnosticError

HOUSE = {
    "short/ruleset.yaml": "ruleset: house/short\nversion: 1.0.0\ntitle: Short\nextends: pig/classic@1.0\n",
    "short/rules.yaml": "numbers: {goal: 90}\n",
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def lay_out(folder: Path, files: dict[str, str] = HOUSE) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def zip_of(files: dict[str, str] = HOUSE, *, name: str = "house.zip") -> Path:
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return Path(name)


def own_pig(checkout: Path, folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    """Return a copy of the shipped game, with a change in its rules."""
    shutil.copytree(checkout / "rules" / "pig" / "classic-1.0", folder / "pig", dirs_exist_ok=True)
    rules = folder / "pig" / "pig.yaml"
    text = rules.read_text(encoding="utf-8")
    assert change[0] in text
    rules.write_text(text.replace(*change) if change[0] else text, encoding="utf-8")
    return folder


GOAL = ("goal: {is: 100", "goal: {is: 90")


def load_with_warnings(reference: str, rules: str = "") -> tuple[Ruleset, list[str]]:
    """Return what is loaded, and what is said of it."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ruleset = load_ruleset(reference, rules=rules or ())
    assert {(each.category, each.filename) for each in said} <= {(RulesetWarning, __file__)}
    return ruleset, [str(each.message) for each in said]


class TestZips:
    def test_a_zip_is_as_good_as_its_folder(self, tmp_path: Path) -> None:
        from_zip = load_ruleset("house/short", rules=zip_of())
        assert from_zip.digest == load_ruleset("house/short", rules=lay_out(tmp_path / "house")).digest
        assert [str(path) for path in tmp_path.iterdir() if path.suffix == ""] == [str(tmp_path / "house")]
        counts = simulate(from_zip, games=4, rules="house.zip")
        assert counts.games == 4

    def test_commands_take_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        zip_of()
        assert main(["check", "house/short", "--rules", "house.zip"]) == 0
        assert main(["why", "house/short", "numbers.goal", "--rules", "house.zip"]) == 0
        assert "house.zip/short/rules.yaml:1" in capsys.readouterr().out

    def test_a_saved_game_opens_with_it(self) -> None:
        game = Game(load_ruleset("house/short", rules=zip_of()))
        game.choose("roll")
        assert open_save_text(game.save_text(), rules="house.zip").to_json() == game.to_json()

    def test_a_process_leaves_nothing_behind(self, tmp_path: Path) -> None:
        zip_of()
        script = "from rulewright import load_ruleset; load_ruleset('house/short', rules='house.zip')"
        (tmp_path / "tmp").mkdir()
        environment = {"TMPDIR": str(tmp_path / "tmp"), "RULEWRIGHT_CACHE": str(tmp_path / "cache")}
        subprocess.run([sys.executable, "-c", script], check=True, env=environment)
        assert list((tmp_path / "tmp").iterdir()) == []

    @pytest.mark.parametrize(
        "name", ["../evil.yaml", "/tmp/evil.yaml", "a/../../evil.yaml", "..\\evil.yaml", "C:evil.yaml"]
    )
    def test_nothing_is_written_outside(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(DiagnosticError, match="leads out of the zip"):
            load_ruleset("house/short", rules=zip_of({**HOUSE, name: "x: 1\n"}))
        assert not list(tmp_path.rglob("evil.yaml"))

    def test_there_is_room_for_so_much_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(zip_archives, "_OPENED", {})  # whatever another test has laid out
        bomb = {**HOUSE, "short/more.yaml": "#" * 2_000_000}
        monkeypatch.setattr(zip_archives, "MOST_BYTES", 1_000_000)
        with pytest.raises(DiagnosticError, match="more than 1,000,000 bytes"):
            load_ruleset("house/short", rules=zip_of(bomb))
        monkeypatch.setattr(zip_archives, "MOST_FILES", 1)
        with pytest.raises(DiagnosticError, match="2 rules files; the limit is 1"):
            load_ruleset("house/short", rules=zip_of())

    def test_two_entries_of_one_name_are_refused(self) -> None:
        path = zip_of()
        with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings(action="ignore"):
            archive.writestr("short/rules.yaml", HOUSE["short/rules.yaml"].replace("100", "1"))
        with pytest.raises(DiagnosticError, match=r"two of its files are named `short/rules.yaml`"):
            load_ruleset("house/short", rules=path)

    def test_another_way_to_write_a_name_is_the_same_name(self) -> None:
        with pytest.raises(DiagnosticError, match=r"two of its files are named `short/./rules.yaml`"):
            load_ruleset("house/short", rules=zip_of({**HOUSE, "short/./rules.yaml": "x: 1\n"}))

    def test_an_encrypted_one_is_refused_in_words(self) -> None:
        path = zip_of()
        data = bytearray(path.read_bytes())
        for head, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            at = -1
            while (at := data.find(head, at + 1)) >= 0:
                data[at + flags] |= 1
        path.write_bytes(data)
        with pytest.raises(DiagnosticError, match=r"`short/[a-z]+\.yaml` is encrypted") as caught:
            load_ruleset("house/short", rules=path)
        assert "ZipInfo" not in str(caught.value)

    @pytest.mark.parametrize("name", [f"{'x' * 400}.yaml", "rules.yaml/x.yaml"])
    def test_a_name_that_cannot_be_is_told_without_a_place_of_ours(self, name: str) -> None:
        with pytest.raises(DiagnosticError, match=r"cannot be (laid out|read)|two of its files") as caught:
            load_ruleset("house/short", rules=zip_of({"rules.yaml": "", **HOUSE, name: "x: 1\n"}))
        assert "rulewright-zip-" not in str(caught.value)
        assert "Errno" not in str(caught.value)

    def test_a_damaged_one_is_refused(self) -> None:
        data = zip_of().read_bytes()
        for place in range(0, len(data), 29):
            Path("house.zip").write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
            try:
                load_ruleset("house/short", rules="house.zip")
            except RulewrightError:
                continue  # whatever is wrong with it is told as such


class TestPackages:
    @pytest.fixture
    def site(self, tmp_path: Path) -> Path:
        """Return a folder of installed packages, as pip leaves it, with one that brings rules and must not be run."""
        lay_out(tmp_path / "site" / "own_games" / "rules")
        information = {
            "METADATA": "Metadata-Version: 2.1\nName: own-games\nVersion: 1.0\n",
            "entry_points.txt": "[rulewright.rulesets]\nown = own_games\n",
        }
        lay_out(tmp_path / "site" / "own_games-1.0.dist-info", information)
        lay_out(tmp_path / "site" / "own_games", {"__init__.py": "raise SystemExit('this was run')\n"})
        return tmp_path / "site"

    def test_its_rules_are_found(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(site)
        assert load_ruleset("house/short").declarations.numbers["goal"].value == 90

    def test_one_that_names_no_folder_is_told(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        lay_out(site, {"own_games-1.0.dist-info/entry_points.txt": "[rulewright.rulesets]\nown = not_there.rules\n"})
        monkeypatch.syspath_prepend(site)
        with pytest.raises(
            DiagnosticError, match=r"the package `own-games` declares its rules in `not_there\.rules`"
        ) as caught:
            load_ruleset("house/short")
        assert [each.code.id for each in caught.value.diagnostics] == ["unknown-ruleset", "package-without-rules"]

    @pytest.mark.parametrize("module", ["nope.mod", "not_there", "own_games.rules:what", "..", "leaves.rules"])
    def test_one_that_names_no_folder_stands_in_nobodys_way(
        self, module: str, site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """What is found elsewhere, shipped or not, is loaded; the package that is at fault is named."""
        written = f"[rulewright.rulesets]\nother = own_games\nown = {module}\n"
        lay_out(site, {"own_games-1.0.dist-info/entry_points.txt": written})
        lay_out(site / "leaves", {"__init__.py": "raise SystemExit('this was run')\n"})
        monkeypatch.syspath_prepend(site)
        for reference in ("pig/classic", "house/short"):
            ruleset, [said] = load_with_warnings(reference)
            assert ruleset.name == reference
            assert said.startswith("[package-without-rules] the package `own-games` ")
            assert f"`{module}`" in said
        for verb in (["list"], ["show", "pig/classic"], ["check", "house/short"]):
            assert main(verb) == 0
            assert capsys.readouterr().err.count("warning[package-without-rules] the package `own-games`") == 1

    def test_it_cannot_take_the_place_of_what_is_shipped(
        self, site: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        own_pig(checkout, site / "own_games" / "more", GOAL)
        shipped = load_ruleset("pig/classic@1.0.0").digest
        monkeypatch.syspath_prepend(site)
        ruleset, [said] = load_with_warnings("pig/classic@1.0.0")
        assert ruleset.digest == shipped
        assert said.startswith("[shadowed-edition]")
        assert str(Path("own_games", "more")) in said.partition("hides a different copy in")[2]


class TestNothingIsUnseen:
    def test_rules_here_that_hide_what_is_shipped_are_told(
        self, tmp_path: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shipped = load_ruleset("pig/classic@1.0.0").digest
        own_pig(checkout, tmp_path / "rules")
        assert load_ruleset("pig/classic@1.0.0").digest == shipped  # the same to the letter
        own_pig(checkout, tmp_path / "rules", GOAL)
        ruleset, said = load_with_warnings("pig/classic@1.0.0")
        assert ruleset.digest != shipped
        assert [each.partition("]")[0] for each in said] == ["[lock-broken", "[shadowed-edition"]
        assert f"is read from {Path('rules', 'pig')}, which hides a different copy in {checkout}" in said[1]
        assert main(["show", "pig/classic@1.0.0"]) == 0
        assert main(["check", "pig/classic@1.0.0"]) == 1
        assert "warning[shadowed-edition]: pig/classic@1.0.0 is read from" in capsys.readouterr().err

    def test_a_copy_of_what_is_shipped_is_not_checked_again(
        self, tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
        own_pig(checkout, tmp_path / "rules")
        catalogue = Catalogue([tmp_path / "rules", checkout / "rules"])
        edition = catalogue.find_edition("pig/classic@1.0.0")
        assert name_check(catalogue, edition) is not None
        shutil.rmtree(tmp_path / "rules")
        own_pig(checkout, tmp_path / "rules", GOAL)
        assert name_check(catalogue, edition) is None

    def test_a_layer_below_that_hides_another_is_told(self, tmp_path: Path, checkout: Path) -> None:
        lay_out(tmp_path / "house")
        own_pig(checkout, tmp_path / "rules", ("The points at risk", "Points at risk"))
        [said] = load_with_warnings("house/short", "house")[1]
        assert said.startswith("[shadowed-edition] pig/classic@1.0.0 is read from")

    def test_a_release_that_was_changed_is_told(
        self, tmp_path: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shipped = load_ruleset("pig/classic@1.0.0").digest
        own_pig(checkout, tmp_path / "house", GOAL)
        lock, _ = load_with_warnings("pig/classic@1.0.0", "house")[1]
        assert "pig/classic@1.0.0 was released and locked, but the rules in " in lock
        assert shipped not in lock  # no reader compares digests
        assert str(Path("house", "pig")) in lock
        assert main(["play", "pig/classic@1.0.0", "--rules", "house", "--players", "random,random"]) == 0
        assert capsys.readouterr().err.count("warning[lock-broken]") == 1

    def test_a_digest_pins_the_gameplay(self, tmp_path: Path, checkout: Path) -> None:
        pinned = load_ruleset("pig/classic@1.0.0").digest
        assert load_ruleset("pig/classic@1.0.0", digest=pinned).digest == pinned
        own_pig(checkout, tmp_path / "rules", ("The points at risk", "Points at risk"))
        assert load_ruleset("pig/classic@1.0.0", digest=pinned).digest == pinned  # the same game in other words
        own_pig(checkout, tmp_path / "rules", GOAL)
        with pytest.raises(DiagnosticError, match="not " + pinned) as caught:
            load_ruleset("pig/classic@1.0.0", digest=pinned)
        assert [diagnostics.code.id for diagnostics in caught.value.diagnostics] == ["other-gameplay"]
        with pytest.raises(RulewrightError, match="a digest must be a string"):
            load_ruleset("pig/classic@1.0.0", digest=7)  # type: ignore[arg-type]
