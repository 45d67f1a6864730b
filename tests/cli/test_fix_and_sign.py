"""`check --fix` and `check --sign`: what they show, ask, write, and leave alone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.authoring import release_checks
from rulewright.cli import write_fixes
from rulewright.cli.main import main
from rulewright.lsp.code_actions import list_actions
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import CODES, Code, Edit
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.span import Span
from rulewright.testing import check_edition

BASE = """\
numbers: {wage: {is: 4, means: What a day pays.}}
kinds: {player: {fields: {coin: int}}}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {who: player}
    steps: [{id: paid, gain: {who: who, coin: wage}}]
pages:
  work:
    title: Work
    letter: W
    about: Earning.
    sections:
      pay: {title: Pay, explains: [procedures.day], text: You are paid., reviewed: old}
"""
HOUSE = """\
# The house pays better.     Keep this comment!
numbers: {wage: {is: 6}}     # and this one

procedures:
  day:
    steps:
      - {id: paid, gain: {coin: waeg + 1}}   # mistyped
pages: {work: {title: Work, about: Toil.}}
"""
MENDED = HOUSE.replace("waeg", "wage")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, extends, text in (("base", "", BASE), ("house", "extends: work/base\n", HOUSE)):
        (tmp_path / name).mkdir()
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (tmp_path / name / "ruleset.yaml").write_text(manifest)
        (tmp_path / name / "rules.yaml").write_text(text)
    return tmp_path


def check(folder: Path, *options: str) -> int:
    return main(["check", *options, "--rules", str(folder)])


def rules(folder: Path) -> str:
    return (folder / "house" / "rules.yaml").read_text()


def answers(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))


def test_every_change_is_shown_and_made_and_the_layout_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("coin: waeg", "coin: wage"))
    assert check(folder, "work/house", "--fix", "--yes") == 0
    out = capsys.readouterr().out
    assert "-pages: {work: {title: Work, about: Toil.}}" in out
    assert "made 1 change\n" in out
    after = rules(folder)
    assert "title: Work" not in after  # it said what is inherited
    assert "Keep this comment!" in after
    assert "# and this one" in after
    assert "# mistyped" in after
    assert "reviewed" not in after  # whether a text is true is for somebody to say who has read it
    assert check(folder, "work/house", "--fix", "--yes") == 0
    assert "nothing to fix: no diagnostic proposes a change" in capsys.readouterr().out
    assert rules(folder) == after


def test_a_misspelt_name_is_spelt_right(folder: Path) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("title: Work, ", ""))
    check(folder, "work/house", "--fix", "--yes")
    assert "coin: wage + 1}}   # mistyped" in rules(folder)


def test_what_is_refused_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers("n\nn\nn\nn\n", monkeypatch)
    assert check(folder, "work/house", "--fix") == 1
    assert rules(folder) == HOUSE


def test_nothing_is_changed_where_nobody_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers("", monkeypatch)
    check(folder, "work/house", "--fix")
    assert rules(folder) == HOUSE


def test_the_layer_below_is_never_changed(folder: Path) -> None:
    before = (folder / "base" / "rules.yaml").read_text()
    check(folder, "work/house", "--fix", "--yes")
    assert (folder / "base" / "rules.yaml").read_text() == before


SPELLING = Code("mixed-spelling", "Two spellings", "Readers see both.", "Choose one.", severity="warning")
del CODES["mixed-spelling"]  # no page documents it


def lint_spelling(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Suggest `payd` for `paid` in all layers, with one diagnostic in the top layer."""
    layers = [Path(layer.files[0].span.file) for layer in ruleset.resolved.layers]
    edits = []
    for file in layers:
        for number, line in enumerate(read_bytes_as_text(file).splitlines(), 1):
            at = line.find("id: paid") + len("id: ") + 1
            if at > len("id: "):
                edits.append(Edit(Span(str(file), number, at, number, at + 4), "payd"))
    if edits:
        diagnostics.add(SPELLING, "`paid` is in all layers", edits[-1].span, edits=edits)


def test_a_fix_over_layers_needs_all_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = (
        HOUSE.replace("waeg", "wage").replace("title: Work, ", "").replace("is: 6", "is: 7")
    )  # judged by no other test
    (folder / "house" / "rules.yaml").write_text(own)
    base = folder / "base" / "rules.yaml"
    monkeypatch.setattr("rulewright.ruleset.lints.labels.lint", lint_spelling)
    before = base.read_text()
    check(folder, "work/house", "--fix", "--yes")
    out, err = capsys.readouterr()
    assert "= fix: write `payd`" in err
    assert "not made: 1 fix that also changes `work/base`; to make it, check `work/base` as well\n" in out
    assert "nothing to fix" not in out
    assert base.read_text() == before
    house = folder / "house" / "rules.yaml"
    opened = Workspace([folder])
    opened.texts.put(house, house.read_text())
    results = opened.settle().diagnostics.values()
    result = next(each for one in results for each in one if each.code is SPELLING)
    for own, offered in (([folder / "house"], []), ([folder], ["Fix: `paid` is in all layers"])):
        workspace = Workspace(own)
        workspace.texts.put(house, house.read_text())
        titles = [each.title for each in list_actions(workspace, house, result.span, [result])]
        assert [title for title in titles if title.startswith("Fix:")] == offered
    check(folder, "work/base", "work/house", "--fix", "--yes")
    assert "not made" not in capsys.readouterr().out
    assert "payd" in base.read_text()
    assert "payd" in rules(folder)


def test_windows_line_breaks_stay(folder: Path) -> None:
    (folder / "house" / "rules.yaml").write_bytes(HOUSE.replace("\n", "\r\n").encode())
    check(folder, "work/house", "--fix", "--yes")
    data = (folder / "house" / "rules.yaml").read_bytes()
    assert b"wage" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_text_is_signed_when_somebody_says_that_it_is_true(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("waeg", "wage").replace("title: Work, ", ""))
    answers("n\n", monkeypatch)
    assert check(folder, "--sign", "work/house") == 0
    out = capsys.readouterr().out
    assert (
        "work.pay: Pay\n  | You are paid.\n  What changed since it was signed:\n  procedures.day.paid (changed by "
        in out
    )
    assert "  The rules say:\n  procedures.day: " in out
    assert "reviewed" not in rules(folder)
    answers("y\n", monkeypatch)
    assert check(folder, "--sign", "work/house", "work.pay") == 0
    assert "signed 1 text" in capsys.readouterr().out
    assert check(folder, "work/house") == 0
    assert "warning" not in capsys.readouterr().err
    assert check(folder, "--sign", "work/house") == 0
    assert "nothing to sign" in capsys.readouterr().out


def test_texts_of_a_draft_that_never_were_signed_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(base.read_text().replace(", reviewed: old", ""))
    assert check(folder, "--sign", "work/base", "--yes") == 0
    assert "to sign new texts, list them after REF: work.pay" in capsys.readouterr().out
    assert check(folder, "--sign", "work/base", "work.pay", "--yes") == 0
    assert check(folder, "--sign", "work/base", "--yes") == 0
    assert "nothing to sign: every text of work/base@1.0.0 is signed" in capsys.readouterr().out


def test_another_text_of_the_same_rules_is_signed_again_and_for_good(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(folder, "--sign", "--yes", "work/base", "work.pay") == 0
    own = "pages:\n  work:\n    sections:\n      pay: {text: You are never paid.}\n"
    (folder / "house" / "rules.yaml").write_text(own)
    answers("n\n", monkeypatch)
    capsys.readouterr()
    assert check(folder, "--sign", "work/house") == 0  # although the rules are those that the base signed
    assert "work.pay: Pay\n  | You are never paid.\n" in capsys.readouterr().out
    manifest = folder / "house" / "ruleset.yaml"
    draft = manifest.read_text()
    assert main(["release", "work/house", "--rules", str(folder)]) == 0
    error_text = capsys.readouterr().err
    assert "the text of `work.pay` is not signed" in error_text
    assert f"{folder / 'house' / 'rules.yaml'}:4:" in error_text
    assert "pages: {work: {sections: {pay: {reviewed: " not in error_text  # beside the text, which is ours
    manifest.write_text(draft)
    assert check(folder, "--sign", "--yes", "work/house") == 0
    assert "signed 1 text" in capsys.readouterr().out
    signed = rules(folder)
    assert check(folder, "--fix", "--yes", "work/house") == 0
    assert rules(folder) == signed
    assert main(["release", "work/house", "--rules", str(folder)]) == 0
    assert "warning" not in capsys.readouterr().err
    assert check(folder, "--sign", "work/house", "work.pay") == 0
    assert "work.pay: already signed" in capsys.readouterr().out


def test_a_signature_of_the_same_text_does_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, "--sign", "--yes", "work/base", "work.pay") == 0
    signature = (folder / "base" / "rules.yaml").read_text().partition("reviewed: ")[2][:12]
    own = f"pages: {{work: {{sections: {{pay: {{reviewed: {signature}}}}}}}}}\n"
    (folder / "house" / "rules.yaml").write_text(own)
    assert check(folder, "work/house") == 0
    assert "override-without-effect" in capsys.readouterr().err


def test_a_text_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "house" / "rules.yaml").write_text(MENDED.replace("title: Work, ", ""))
    assert check(folder, "--sign", "work/house", "work.pya") == 1
    assert "has no text `work.pya`: did you mean `work.pay`?" in capsys.readouterr().err


def test_edits_are_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("title: Work, ", ""))
    check(folder, "work/house", "--format", "json")
    [edit] = json.loads(capsys.readouterr().out)[0]["edits"]
    assert (edit["line"], edit["end_line"], edit["end_column"] - edit["column"], edit["text"]) == (7, 7, 4, "wage")
    check(folder, "work/house", "--format", "sarif")
    result = json.loads(capsys.readouterr().out)["runs"][0]["results"][0]
    [change] = result["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "wage"}


def test_errors_come_first_and_can_be_seen_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil_house = MENDED.replace("title: Work, ", "")
    (folder / "house" / "rules.yaml").write_text(
        f"{shutil_house}examples: {{a: {{title: A, value: wage, expect: 5}}}}\n"
    )
    assert check(folder, "work/house") == 1
    err = capsys.readouterr().err
    assert err.index("error[example-failed]") < err.index("warning[text-outdated]")
    assert check(folder, "work/house", "--errors") == 1
    assert "warning" not in capsys.readouterr().err


def test_a_change_that_breaks_what_was_sound_is_taken_back_for_that_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(f"{base.read_text()}examples: {{a: {{title: A, value: wage, expect: 4}}}}\n")
    (folder / "house" / "rules.yaml").write_text("numbers: {wages: {is: 6, means: What we pay.}}\n")
    assert check(folder, "work/house", "--fix", "--yes") == 0
    out = capsys.readouterr().out
    assert "undone: it would break valid rules" in out
    assert "the inherited example “A” (`a`): the result should be 4 but is 6" in out
    assert "wages" in rules(folder)


def test_contradicted_examples_are_restated_in_the_house_rules(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = folder / "base" / "rules.yaml"
    examples = "".join(f"  e{n}: {{title: E{n}, value: wage + {n}, expect: {4 + n}}}\n" for n in range(7))
    base.write_text(f"{base.read_text()}examples:\n{examples}")
    inherited = base.read_text()
    (folder / "house" / "rules.yaml").write_text("# Ours.\nnumbers: {wage: {is: 6}}     # better\n")
    assert check(folder, "work/house", "--errors") == 1
    streams = capsys.readouterr()
    assert streams.err.count("error[") == 1
    assert "`wage` contradicts 7 inherited examples: “E0”, “E1”, “E2”, “E3”, “E4” and 2 more\n" in streams.err
    assert "house/rules.yaml:2:22\n" in streams.err
    assert "1 error\n" in streams.out
    assert check(folder, "work/house", "--format", "json") == 1
    diagnostic = next(each for each in json.loads(capsys.readouterr().out) if each["severity"] == "error")
    assert (diagnostic["line"], diagnostic["examples"]) == (2, [f"e{n}" for n in range(7)])
    assert check(folder, "work/house", "--errors", "--format", "sarif") == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["properties"]["examples"] == diagnostic["examples"]
    assert check(folder, "work/house", "--fix", "--yes") == 0
    assert "made 1 change\n" in capsys.readouterr().out
    restated = "".join(f"  e{n}: {{expect: {6 + n}}}\n" for n in range(7))
    assert rules(folder) == f"# Ours.\nnumbers: {{wage: {{is: 6}}}}     # better\n\nexamples:\n{restated}"
    assert base.read_text() == inherited


def test_an_example_with_a_script_that_no_longer_fits_gets_other_dice(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = folder / "base" / "rules.yaml"
    base.with_name("luck.yaml").write_text(
        "tables:\n  luck: {roll: 1d6, rows: {good: 1-3, bad: 4-6}}\n"
        "procedures:\n  walk:\n    title: Walk\n    means: One walks.\n    steps:\n      - {id: at, roll: luck}\n"
        "      - {id: again, roll: luck, when: at == bad}\n"
        "examples:\n  unlucky: {title: Bad luck, of: walk, dice: [4, 6], expect: {at: bad}}\n"
    )
    (folder / "house" / "rules.yaml").write_text("tables:\n  luck: {rows: {good: 1-4, bad: 5-6}}\n")
    assert check(folder, "work/house", "--errors") == 1
    text = " ".join(capsys.readouterr().err.split())
    assert "help: change the dice, so that the results hold: examples: unlucky: {dice: [5, 6]} change `unlucky`" in text
    assert check(folder, "work/house", "--fix", "--yes") == 0
    assert rules(folder).endswith("\n\nexamples:\n  unlucky: {dice: [5, 6]}\n")


# -- what changes meanwhile -----------------------------------------------------------------------


class Answering:
    """Somebody who answers, and saves something else before each answer."""

    def __init__(self, *answers: str, meanwhile: Callable[[int], None]) -> None:
        self.answers = list(answers)
        self.meanwhile = meanwhile
        self.asked = 0

    def readline(self) -> str:
        self.asked += 1
        self.meanwhile(self.asked)
        return f"{self.answers.pop(0)}\n" if self.answers else ""


def test_a_fix_is_never_written_over_what_was_typed_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = folder / "house" / "rules.yaml"
    house.write_text(HOUSE.replace("title: Work, ", ""))
    head = "# one more line\n# and another\n"

    def meanwhile(number: int) -> None:
        if number == 1:
            house.write_text(head + house.read_text())

    monkeypatch.setattr("sys.stdin", Answering("a", meanwhile=meanwhile))
    check(folder, "work/house", "--fix")
    assert rules(folder) == head + MENDED.replace("title: Work, ", "")
    out = capsys.readouterr().out
    assert "rules.yaml changed in the meantime: checking everything again" in out
    assert "made 1 change\n" in out


def test_two_that_fix_at_once_lose_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one makes its change at the worst moment: just before this one writes."""
    house = folder / "house" / "rules.yaml"
    house.write_text(HOUSE.replace("title: Work, ", ""))
    real, calls = write_fixes.replace_texts, []

    def late(texts: dict[Path, tuple[str, str]]) -> None:
        if not calls:
            calls.append(texts)
            house.write_text(house.read_text().replace("{is: 6}", "{is: 7}"))
        real(texts)

    monkeypatch.setattr(write_fixes, "replace_texts", late)
    check(folder, "work/house", "--fix", "--yes")
    assert rules(folder) == MENDED.replace("title: Work, ", "").replace("{is: 6}", "{is: 7}")


def test_what_is_tried_is_never_on_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is killed while a change is tried leaves rules as they were, and not rules that were sound before."""
    house = folder / "house" / "rules.yaml"
    seen = set()
    real = check_edition.check_edition

    def watched(*arguments: object, **named: object) -> object:
        seen.add(house.read_text())
        return real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(check_edition, "check_edition", watched)
    monkeypatch.setattr(write_fixes, "replace_texts", lambda texts: (_ for _ in ()).throw(KeyboardInterrupt))
    assert check(folder, "work/house", "--fix", "--yes") == 130
    assert seen == {HOUSE}


def test_nothing_is_signed_that_was_not_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    base = folder / "base" / "rules.yaml"

    def meanwhile(number: int) -> None:
        if number == 1:
            base.write_text(base.read_text().replace("coin: wage}", "coin: wage * 4099}"))

    monkeypatch.setattr("sys.stdin", Answering("y", "n", meanwhile=meanwhile))
    assert check(folder, "--sign", "work/base") == 0
    out = capsys.readouterr().out
    assert "rules.yaml changed in the meantime, so nothing was signed" in out
    first, second = out.split("changed in the meantime")
    assert "4099" not in first.replace(",", "")
    assert "4099" in second.replace(",", "")
    assert "reviewed: old" in base.read_text()
    monkeypatch.setattr("sys.stdin", Answering("y", meanwhile=lambda asked: None))
    assert check(folder, "--sign", "work/base") == 0
    assert "wage * 4099" in base.read_text()
    assert "reviewed: old" not in base.read_text()
    assert check(folder, "work/base") == 0


def test_a_rule_of_another_file_that_changed_is_not_signed_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    base = folder / "base"
    text, pages = BASE.split("pages:")
    (base / "rules.yaml").write_text(text)
    (base / "pages.yaml").write_text(f"pages:{pages}")

    def meanwhile(number: int) -> None:
        (base / "rules.yaml").write_text(text.replace("coin: wage}", "coin: wage * 7}"))

    monkeypatch.setattr("sys.stdin", Answering("y", meanwhile=meanwhile))
    assert check(folder, "--sign", "work/base") == 0
    assert "signed 1 text" in capsys.readouterr().out
    check(folder, "work/base")
    error_text = capsys.readouterr().err  # what was shown is signed, and it is to be signed again
    assert "text-outdated" in error_text
    assert "times 7" in error_text


def test_nothing_is_released_that_was_not_judged(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest, base = folder / "base" / "ruleset.yaml", folder / "base" / "rules.yaml"
    before = manifest.read_text()
    real = release_checks.check_edition

    def late(*arguments: object, **named: object) -> object:
        process = real(*arguments, **named)  # type: ignore[arg-type]
        base.write_text(base.read_text().replace("is: 4", "is: 5"))
        return process

    monkeypatch.setattr(release_checks, "check_edition", late)
    assert main(["release", "work/base", "--rules", str(folder)]) == 1
    assert "rules.yaml changed in the meantime, so nothing was written" in capsys.readouterr().err
    assert manifest.read_text() == before
    monkeypatch.setattr(release_checks, "check_edition", real)
    assert main(["release", "work/base", "--rules", str(folder)]) == 0
    assert "locked:" in manifest.read_text()
