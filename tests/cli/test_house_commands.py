"""`new` and `release`: house rules from the first line to the lock."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def house(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "my-rules"
    assert call(capsys, "new", folder, "--extends", "pig/classic@1.0", "--title", 'Pig "at home"')[0] == 0
    return folder


def test_a_new_folder_is_sound_as_it_is(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "check", "house/my-rules", "--rules", house)
    assert (code, err) == (0, "")
    assert "✓ house/my-rules@0.1.0: valid" in out
    code, out, _ = call(capsys, "show", "house/my-rules", "--rules", house.parent)
    assert out.startswith('Pig "at home"\n')


def test_a_new_folder_changes_nothing_and_names_no_command(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = (house / "rules.yaml").read_text() + (house / "ruleset.yaml").read_text()
    assert "rulewright " not in written  # whoever has only the studio has no terminal
    code, out, _ = call(capsys, "diff", "pig/classic@1.0", "house/my-rules", "--rules", house.parent)
    assert code == 0
    assert "ruling" not in out.lower()


def test_what_is_there_is_not_touched(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (house / "rules.yaml").read_text()
    code, _, err = call(capsys, "new", house, "--extends", "pig/classic")
    assert code == 1
    assert "already exists; nothing in it was changed" in err
    assert (house / "rules.yaml").read_text() == before


@pytest.mark.parametrize(
    ("name", "extends", "message"),
    [
        ("1!", "pig/classic", "is not a valid name for an edition"),
        ("mine", "pig/clasic", "pig/classic"),
    ],
)
def test_what_cannot_be_begun_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, extends: str, message: str
) -> None:
    code, _, err = call(capsys, "new", tmp_path / name, "--extends", extends)
    assert code == 1
    assert message in err
    assert not (tmp_path / name).exists()


SHORTER = """\
numbers: {goal: 50}
examples:
  the_last_hold:
    title: The last hold
    given: {players: [{score: 45}]}
    expect: {max(p.score for p in players): 50}
"""


def test_a_release_locks_gameplay_and_nothing_else(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, manifest = house / "rules.yaml", house / "ruleset.yaml"
    rules.write_text(rules.read_text() + SHORTER)
    code, out, err = call(capsys, "release", "house/my-rules", "--rules", house)
    assert (code, err) == (0, "")
    assert "is released and locked" in out
    assert "# The name of your rules" in manifest.read_text()
    assert call(capsys, "check", "house/my-rules", "--rules", house)[0] == 0
    # Words and looks may change.
    manifest.write_text(manifest.read_text().replace("Our table's rules", "A shorter race"))
    assert call(capsys, "check", "house/my-rules", "--rules", house)[0] == 0
    # Gameplay may not, and the lock is not moved.
    rules.write_text(
        rules.read_text().replace("goal: 50", "goal: 60").replace("score: 45", "score: 55").replace(": 50}", ": 60}")
    )
    code, _, err = call(capsys, "check", "house/my-rules", "--rules", house)
    assert code == 1
    assert "error[lock-broken]" in err
    assert "raise `version:`" in err
    code, _, err = call(capsys, "release", "house/my-rules", "--rules", house)
    assert code == 1
    assert "is already released with different gameplay" in err
    manifest.write_text(
        manifest.read_text().replace("version: 0.1.0", "version: 0.2.0").replace("status: released", "status: draft")
    )
    assert call(capsys, "release", "house/my-rules@0.2", "--rules", house)[0] == 0


def test_what_is_not_sound_is_not_released(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = house / "rules.yaml"
    rules.write_text(rules.read_text() + "numbers: {goal: gaol}\n")
    before = (house / "ruleset.yaml").read_text()
    code, _, err = call(capsys, "release", "house/my-rules", "--rules", house)
    assert code == 1
    assert "error[unknown-name]" in err
    assert (house / "ruleset.yaml").read_text() == before


def test_a_released_edition_without_a_lock_is_told(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = house / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("status: draft", "status: released"))
    code, _, err = call(capsys, "check", "house/my-rules", "--rules", house)
    assert code == 1
    assert "run `rulewright release house/my-rules@0.1.0`" in err


PAGE = """\
pages:
  ours:
    title: Ours
    letter: O
    about: What we play.
    sections: {goal: {title: Goal, explains: [numbers.goal], text: You win at home.}}
"""


def test_a_release_tells_of_texts_that_nobody_has_signed(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = house / "rules.yaml"
    rules.write_text(rules.read_text() + PAGE)
    code, out, output = call(capsys, "release", "house/my-rules", "--rules", house)
    assert code == 0
    assert "is released and locked" in out
    assert "with 1 warning" in out
    assert "the text of `ours.goal` is not signed" in output
    assert "the text of `ours.goal` is not signed" in call(capsys, "check", "house/my-rules", "--rules", house)[2]
