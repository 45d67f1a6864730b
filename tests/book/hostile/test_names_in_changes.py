"""What changed from one edition to another is told with the names of things as they are."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import MANIFEST, steps
from tests.hostile_names import written

NAMES = (
    "The the, its: Do this: Q",
    "Q “x” instead of y. Z is new",
    "<b>Bold</b> R&D &amp; Q",
    "{brace} }} {{bed}} Q",
    "*star* _under_ `tick` [x](y) Q",
    "A | b; c: 7 → 8 🌱 שלום Q",
)
STEPS = (
    "- {id: one, if: bed.size == tree, then: [{id: a, set: {season: 1}}], else: [{id: b, set: {season: 2}}]}",
    "- {id: group, when: bed.size == tree and bed.watered, steps: [{id: c, set: {season: 3}}]}",
    "- {id: ask, choose: {who: player, from: {x: {label: NAME}, y: {label: Y}}}, ask: NAME}",
    "- {id: grown, set: {bed.size: tree}}",
)


def lines(name: str) -> list[tuple[str, ...]]:
    """Return the changes between two versions of a garden in which many things have this name."""
    quoted = json.dumps(written(name), ensure_ascii=False)
    rules = steps(*(step.replace("NAME", quoted) for step in STEPS))
    for before, after in (
        ("tree: {price: 5, needs: bush}", f"tree: {{price: 5, needs: bush, title: {quoted}}}"),
        ("watered: bool", f"watered: {{type: bool, wording: {quoted}}}"),
        ('wet: {type: int, wording: "{water} in the ground"}', f"wet: {{type: int, wording: {quoted}}}"),
        ("bed: {name: Bed,", f"bed: {{name: {json.dumps(name, ensure_ascii=False)},"),
        ("full: Full shade", f"full: {quoted}"),
        ("title: Sizes", f"title: {quoted}"),
    ):
        assert before in rules
        rules = rules.replace(before, after)
    later = rules
    for before, after in (
        ("season: 1}", "season: 4}"),
        ("season: 3}", "season: 5}"),
        ("price: 5, needs: bush", "price: 6, needs: sprout"),
        ("bed.size == tree and bed.watered", "bed.size != tree or not bed.watered"),
        (f"watered: {{type: bool, wording: {quoted}}}", f"watered: {{type: bool, default: true, wording: {quoted}}}"),
        (f"wet: {{type: int, wording: {quoted}}}", f"wet: {{type: int, default: 2, wording: {quoted}}}"),
        ("default: half", "default: full"),
        ("set: {bed.size: tree}", "set: {bed.size: bush}"),
        ("x: {label:", "z: {label: Z}, x: {label:"),
        ("is: self.size.price * 2", "is: self.size.price * 3"),
    ):
        assert before in later
        later = later.replace(before, after, 1)
    with TemporaryDirectory() as folder:
        for version, text in (("1.0.0", rules), ("2.0.0", later)):
            home = Path(folder) / "garden" / f"small-{version}"
            home.mkdir(parents=True)
            (home / "ruleset.yaml").write_text(MANIFEST.replace("1.0.0", version), encoding="utf-8")
            (home / "garden.yaml").write_text(text, encoding="utf-8")
        before, after = (load_ruleset(f"garden/small@{each}", rules=[folder]) for each in ("1.0.0", "2.0.0"))
        return [
            (change.title, line.label, line.before, line.after, line.sentence)
            for change in list_changes(before, after)
            for line in change.lines
        ]


@cache
def plain(words: int) -> list[tuple[str, ...]]:
    return lines(" ".join(["Zquv"] * words))


@pytest.mark.parametrize("name", NAMES)
def test_changes_are_the_same_but_for_the_name(name: str) -> None:
    other = " ".join(["Zquv"] * len(name.split()))
    expected = [tuple(each.replace(other, name) for each in line) for line in plain(len(name.split()))]
    assert len(expected) > 8
    assert any(name in each for line in expected for each in line)
    assert lines(name) == expected
