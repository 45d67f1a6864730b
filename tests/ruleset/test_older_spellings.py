"""Rules in an older version of the language are read, reported and rewritten, and their digests stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.cli.main import main
from rulewright.language.schema_shapes import ByForm, ListOf, MapOf, Record, Shape
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.schema.model import step_shape
from rulewright.ruleset.schema.schema_path import find_older_names
from rulewright.ruleset.schema.validator import get_shape
from rulewright.source.diagnostics.collector import DiagnosticError

MANIFEST = "ruleset: test/lamps\nversion: 1.0.0\n{language}title: Lamps\nabout: Lamps.\nplayers: 2\nstart: game\n"

OLDER = """\
# Comments stay.
kinds:
  lamp:
    tells: {comes: "{self} is put up"}
    ranks: pal
    fields:
      pal: {type: optional lamp, said: pal}
      lit: {type: bool, said: {holds: lit, fails: dark}, "tells": {holds: "{self} is lit"}}   # quoted
      tells: {type: int, tells: ""}
tables:
  colours: {columns: {said: int}, rows: {red: {said: 1}, blue: {said: 2}}}
  weather: {roll: 1d2, rows: {sun: {on: 1}, rain: {on: 2}}}
dice:
  high: {of: [a, b], is: a}
decks: {pack: {of: colours, states: [weather]}}
measures: {lamps: {is: count(lamps), over: turn}}
state: {turn: {type: int}}
formulas:
  bright: {given: {of: lamp}, is: of.lit, said: {holds: "{given.of} shines", fails: "{given.of} is dark"}}
whenever:
  seen: {creates: lamp, first: [{id: noted, set: {turn: turn + 1}}]}
procedures:
  game:
    names: {dark: {holds: it is dark, fails: it is light}}
    steps:
      - {id: new, create: lamp, tells: "", with: {tells: 2}}
      - {id: dark, let: none(each for each in lamps if bright(each))}
      - {id: rounds, repeat: {within: 3, until: turn > 2, steps: [{id: next, set: {turn: turn + 1}}]}}
      - {id: end, finish: {winners: []}}
"""

NEWER = """\
# Comments stay.
kinds:
  lamp:
    log: {comes: "{self} is put up"}
    side: pal
    fields:
      pal: {type: optional lamp, wording: pal}
      lit: {type: bool, wording: {if_true: lit, if_false: dark}, log: {if_true: "{self} is lit"}}   # quoted
      tells: {type: int, log: ""}
tables:
  colours: {columns: {said: int}, rows: {red: {said: 1}, blue: {said: 2}}}
  weather: {roll: 1d2, rows: {sun: {on: 1}, rain: {on: 2}}}
dice:
  high: {given: [a, b], is: a}
decks: {pack: {of: colours, shows_rolls: [weather]}}
measures: {lamps: {is: count(lamps), per: turn}}
state: {turn: {type: int}}
formulas:
  bright: {given: {of: lamp}, is: of.lit, wording: {if_true: "{given.of} shines", if_false: "{given.of} is dark"}}
whenever:
  seen: {creates: lamp, just_before: [{id: noted, set: {turn: turn + 1}}]}
procedures:
  game:
    names: {dark: {if_true: it is dark, if_false: it is light}}
    steps:
      - {id: new, create: lamp, log: "", with: {tells: 2}}
      - {id: dark, let: none(each for each in lamps if bright(each))}
      - {id: rounds, repeat: {ends_within: 3, until: turn > 2, steps: [{id: next, set: {turn: turn + 1}}]}}
      - {id: end, finish: {winners: []}}
"""


def write(folder: Path, rules: str, *, language: str = "") -> Path:
    """Write an edition with these rules, and return the path of its rules file."""
    edition = folder / "lamps"
    edition.mkdir(parents=True)
    (edition / "ruleset.yaml").write_text(MANIFEST.format(language=language), encoding="utf-8")
    (edition / "rules.yaml").write_text(rules, encoding="utf-8")
    return edition / "rules.yaml"


def read_codes(folder: Path) -> list[str]:
    """Return the codes and messages of the errors with which an edition does not load."""
    with pytest.raises(DiagnosticError) as raised:
        load_ruleset("test/lamps", rules=[folder])
    return [f"{each.code.id}: {each.message} | {each.suggestion}" for each in raised.value.diagnostics]


def test_older_names_are_read_reported_and_rewritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, OLDER)
    before = load_ruleset("test/lamps", rules=[tmp_path])
    main(["check", "test/lamps", "--rules", str(tmp_path)])
    reported = capsys.readouterr().err
    assert "`tells` is now written `log` (4 times in this file)" in reported
    assert reported.count("warning[older-spelling]") == 10
    assert "error" not in reported
    main(["check", "test/lamps", "--rules", str(tmp_path), "--fix", "--yes"])
    assert path.read_text(encoding="utf-8") == NEWER
    after = load_ruleset("test/lamps", rules=[tmp_path])
    assert after.digest == before.digest
    assert after.digests().counts == before.digests().counts
    capsys.readouterr()
    main(["check", "test/lamps", "--rules", str(tmp_path)])
    assert "older-spelling" not in capsys.readouterr().err


def test_a_new_name_leaves_digests_as_they_were(tmp_path: Path) -> None:
    write(tmp_path / "older", OLDER)
    write(tmp_path / "newer", NEWER, language="language: 1\n")
    older, newer = (load_ruleset("test/lamps", rules=[tmp_path / name]) for name in ("older", "newer"))
    assert older.digest == newer.digest
    assert older.digests().counts == newer.digests().counts


def test_an_edition_in_this_version_has_no_older_names(tmp_path: Path) -> None:
    write(tmp_path, NEWER.replace("log: {comes", "tells: {comes"), language="language: 1\n")
    assert read_codes(tmp_path) == ["unknown-key: there is no key `tells` in `lamp` | this key is now `log`"]


def test_an_older_name_beside_the_new_one_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, NEWER.replace("log: {comes", "tells: {}\n    log: {comes"))
    assert [each.split(":")[0] for each in read_codes(tmp_path)] == ["unknown-key"]


@pytest.mark.parametrize("version", ["2", "-1", "one"])
def test_a_version_that_is_not_known_is_refused(tmp_path: Path, version: str) -> None:
    write(tmp_path, NEWER, language=f"language: {version}\n")
    (only,) = read_codes(tmp_path)
    assert only.split(":")[0] in ("newer-language", "wrong-shape", "bad-value")


def test_an_older_name_is_no_other_key_of_its_place() -> None:
    records = list(list_records(get_shape("manifest"), get_shape("rules"), get_shape("words"), step_shape()))
    assert any(find_older_names(each) for each in records)
    for each in records:
        assert not set(find_older_names(each)) & set(each.members)


def list_records(*shapes: Shape) -> Iterator[Record]:
    """Yield every record in these schemas, once."""
    waiting, seen = list(shapes), set[int]()
    while waiting:
        shape = waiting.pop()
        if id(shape) in seen:
            continue
        seen.add(id(shape))
        match shape:
            case Record(members=members):
                yield shape
                waiting += [member.shape for member in members.values()]
            case MapOf(inner=inner) | ListOf(inner=inner):
                waiting.append(inner)
            case ByForm():
                waiting += [form for form in (shape.scalar, shape.sequence, shape.mapping) if form is not None]
